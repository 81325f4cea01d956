"""The languages of the app: gettext catalogues, one folder a language, compiled beside their sources.

The English texts in the code are the messages. `t("Play {card}", card="7♥")` translates and fills in;
`t.plural("{n} stroke", "{n} strokes", n)` counts. `tools/languages.py` gathers the messages and compiles.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
DOMAIN = "app"
NAMES = {"en": "English", "de": "Deutsch", "sv": "Svenska"}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Language:
    """Translates the app's texts into one language."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._catalogue = gettext.translation(DOMAIN, FOLDER, [code], fallback=True)

    def __call__(self, text: str, **values: object) -> str:
        """The text in this language, `{name}` filled in."""
        found = self._catalogue.gettext(text)
        return found.format(**values) if values else found

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """The text for a number, with `{n}` and what else is named filled in."""
        return self._catalogue.ngettext(one, many, abs(n)).format(n=self.number(n), **values)

    def number(self, value: float, digits: int = 0) -> str:
        """A number as people write it here: a true minus, and a comma where that is the custom."""
        text = f"{value:.{digits}f}"
        if float(text) == 0:
            text = text.lstrip("-")
        text = text.replace("-", "−")
        return text if self.code == "en" else text.replace(".", ",")

    def signed(self, value: float, digits: int = 0) -> str:
        """A difference: `+3`, `−2`, `±0`."""
        text = self.number(value, digits)
        if float(f"{value:.{digits}f}") == 0:
            return "±0"
        return text if value < 0 else f"+{text}"

    def percent(self, share: float) -> str:
        """A share from 0 to 1: `37 %`, `0.4 %`, `< 0.1 %`."""
        if 0 < share < 0.001:
            return f"< {self.number(0.1, 1)} %"
        return f"{self.number(100 * share, 1 if share < 0.1 else 0)} %"

    def date(self, iso: str) -> str:
        """The day of an ISO time: `29 Nov 2026`, `29.11.2026`, `2026-11-29`."""
        year, month, day = iso[:4], iso[5:7], iso[8:10]
        if len(iso) < 10:
            return iso
        if self.code == "sv":
            return f"{year}-{month}-{day}"
        if self.code == "de":
            return f"{int(day)}.{int(month)}.{year}"
        return f"{int(day)} {MONTHS[int(month) - 1]} {year}"

    def day(self, iso: str) -> str:
        """The same without the year, as short as it is written: `29 Nov`, `29.11.`, `29/11`."""
        if len(iso) < 10:
            return iso
        month, day = int(iso[5:7]), int(iso[8:10])
        return {"de": f"{day}.{month}.", "sv": f"{day}/{month}"}.get(self.code, f"{day} {MONTHS[month - 1]}")


@cache
def language(code: str) -> Language:
    """The language of a code: `en`, `de`, `sv`; anything else is English."""
    return Language(code if code in NAMES else "en")
