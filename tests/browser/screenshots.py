"""Pictures of every screen, at phone, tablet and desk size, light and dark, in three languages, and as chosen
in the settings: with very large texts, and for the left hand.

python -m tests.browser.screenshots OUT              every size in every language, dark and light in turn
python -m tests.browser.screenshots OUT --all        every size in every language, both light and dark
python -m tests.browser.screenshots OUT WORD ...     only pictures whose names hold one of the words

A picture is named SIZE-LANGUAGE-THEME-SCREEN.png, or SIZE-LANGUAGE-THEME-CHOICE-SCREEN.png.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error

from tests.browser.driver import Phone, choose, chromium, film, served
from tests.browser.walks import WALKS

SIZES = {"phone": (360, 740, 2.0), "tablet": (800, 1180, 1.0), "desk": (1280, 800, 1.0)}
LOCALES = ("en-US", "de-DE", "sv-SE")
CHOICES: dict[str, dict[str, Any]] = {"": {}, "large": {"text_size": 1.3}, "left": {"hand": "left"}}
CHOSEN = (
    ("phone", "en-US", False, "large"),
    ("phone", "de-DE", True, "large"),
    ("desk", "sv-SE", False, "large"),
    ("phone", "en-US", False, "left"),
    ("desk", "en-US", True, "left"),
    ("desk", "de-DE", False, "large"),
)
"""Size, language, whether dark, and choice of the pictures that are made besides the plain ones."""

WAIT = float(os.environ.get("COMPANION_SCREENSHOT_WAIT", "1.5"))
"""Seconds for a screen to come to rest."""


def session(
    browser: Browser, out: Path, size: str, locale: str, dark: bool, chosen: str, words: list[str]
) -> list[str]:
    """All walks in one size, language, theme and choice; those without a wanted picture are left out.

    Returns what went wrong; the other walks are made all the same.
    """
    width, height, scale = SIZES[size]
    prefix = "-".join(filter(None, (size, locale[:2], "dark" if dark else "light", chosen)))
    wanted = [walk for walk in WALKS if _wants(words, prefix, walk.__code__.co_consts)]
    failed: list[str] = []
    if not wanted:
        return failed
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), "--hints") as address:

        def take(name: str) -> None:
            if not words or any(word in f"{prefix}-{name}" for word in words):
                phone.picture(out / f"{prefix}-{name}.png", WAIT)

        for walk in wanted:
            # Each walk begins as new: else the corrections of the one before are kept in the same photo.
            shutil.rmtree(Path(folder, "app"), ignore_errors=True)
            choose(Path(folder), **CHOICES[chosen])
            phone = Phone(browser, address, width=width, height=height, locale=locale, dark=dark, scale=scale)
            phone.page.mouse.move(width / 2, height / 2)
            try:
                walk(phone, take)
            except Error as error:
                failed.append(f"{prefix}, {walk.__name__}: {str(error).splitlines()[0]}")
            finally:
                phone.close()
    return failed


def _wants(words: list[str], prefix: str, names: tuple[object, ...]) -> bool:
    return not words or any(word in f"{prefix}-{name}" for word in words for name in names)


def main() -> None:
    out, words = Path(sys.argv[1]), [word for word in sys.argv[2:] if word != "--all"]
    out.mkdir(parents=True, exist_ok=True)
    sessions = [
        (size, locale, dark, "")
        for row, size in enumerate(SIZES)
        for column, locale in enumerate(LOCALES)
        for dark in ((False, True) if "--all" in sys.argv or words else ((row + column) % 2 == 1,))
    ] + list(CHOSEN)
    with tempfile.TemporaryDirectory() as folder, chromium(film(Path(folder))) as browser:
        failed = [line for each in sessions for line in session(browser, out, *each, words)]
    if failed:
        raise SystemExit("\n".join(failed))


if __name__ == "__main__":
    main()
