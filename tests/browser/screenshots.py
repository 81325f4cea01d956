"""Pictures of every screen, at phone, tablet and desk size, light and dark, in three languages, and as chosen
in the settings: with very large texts, and for the left hand.

python -m tests.browser.screenshots OUT              every size in every language, dark and light in turn
python -m tests.browser.screenshots OUT --all        every size in every language, both light and dark
python -m tests.browser.screenshots OUT WORD ...     only pictures whose names hold one of the words

A picture is named SIZE-LANGUAGE-THEME-SCREEN.png, or SIZE-LANGUAGE-THEME-CHOICE-SCREEN.png.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error

from tests.browser.demo import PHOTO
from tests.browser.driver import Phone, choose, chromium, film, served

SIZES = {"phone": (360, 740, 2.0), "tablet": (800, 1180, 1.0), "desk": (1280, 800, 1.0)}
LOCALES = ("en-US", "de-DE", "sv-SE")
CHOICES: dict[str, dict[str, Any]] = {"": {}, "large": {"text_size": 1.3}, "left": {"hand": "left"}}
CHOSEN = (
    ("phone", "en-US", False, "large"),
    ("phone", "de-DE", True, "large"),
    ("desk", "sv-SE", False, "large"),
    ("phone", "en-US", False, "left"),
    ("desk", "en-US", True, "left"),
)
"""Size, language, whether dark, and choice of the pictures that are made besides the plain ones."""

WAIT = float(os.environ.get("COMPANION_SCREENSHOT_WAIT", "1.5"))
"""Seconds for a screen to come to rest."""

Take = Callable[[str], None]
"""Makes a picture under a name."""


def scanning(phone: Phone, take: Take) -> None:
    """A photo, its corrections, and the game that comes of it."""
    phone.open("scan").sees("scan-file")
    take("scan-empty")
    phone.tap("scan-camera").sees("shutter").sees("guide")
    take("scan-camera")
    phone.tap("camera-close").sees("scan-file")
    phone.choose("scan-file", PHOTO).sees("rank-A")
    take("scan-fix")
    phone.tap("done").gone("rank-A")
    take("scan-review")
    phone.tap("look-unsure").sees("rank-A")
    phone.settle_unsure().sees("use-scan")
    take("scan-right")
    phone.tap("view-table").sees("slot-discard")
    take("scan-table")
    phone.tap("use-scan").sees("column-0")
    take("play-table")
    phone.tap("stock").sees("draw-cancel")
    take("play-draw")
    phone.tap("rank-8").tap("suit-D").gone("draw-cancel")
    phone.tap("hint").sees("hint-panel").sees("hint-close")
    take("play-hint")


def typing(phone: Phone, take: Take) -> None:
    """No table, a table half typed, a practice deal to its end."""
    phone.open("play").sees("begin-type")
    take("play-empty")
    phone.tap("begin-type").sees("rank-A")
    for rank, suit in zip("9TK47", "DSHCC", strict=True):
        phone.tap(f"rank-{rank}").tap(f"suit-{suit}")
    phone.sees("slot-0-4")
    take("play-typing")
    phone.tap("type-close").sees("begin-deal")
    phone.tap("begin-deal").sees("column-0")
    for _ in range(16):
        phone.tap("stock")
    for _ in range(8):
        if phone.part("over").count():
            break
        for column in range(7):
            phone.tap(f"column-{column}")
    if phone.part("over").count():
        take("play-over")


def keeping(phone: Phone, take: Take) -> None:
    """The card, a new round, the grid game, the rounds."""
    phone.open("card").sees("cell-0-1")
    take("card")
    phone.tap("cell-0-7").sees("strokes-4")
    take("card-entering")
    phone.tap("pad-close").gone("strokes-4")
    phone.tap("nav-rounds").sees("round-0")
    take("rounds")
    phone.tap("round-1").sees("save-pdf")
    take("rounds-one")
    phone.tap("back").sees("tab-numbers")
    phone.tap("tab-numbers").sees("chart-distribution")
    take("rounds-numbers")
    phone.reach("chart-distribution")
    take("rounds-charts")
    phone.open("rounds").sees("tab-data").tap("tab-data").sees("export-all")
    take("rounds-data")
    phone.tap("nav-card").sees("new-round").tap("new-round").sees("begin-round")
    take("card-new")
    phone.tap("game-grid").sees("player-0")
    for seat, name in enumerate(("Anna", "Bo")):
        phone.tap(f"player-{seat}").page.keyboard.type(name)
    phone.page.keyboard.press("Tab")
    take("card-new-grid")
    phone.tap("begin-round").sees("cell-0-1").tap("cell-0-1").sees("grid-way-cards")
    take("card-grid-points")
    phone.tap("grid-way-cards").sees("grid-7").tap("grid-7").tap("grid-K").tap("grid-5")
    take("card-grid-cards")


def checking(phone: Phone, take: Take) -> None:
    """A check of two tables, and the settings."""
    phone.open("check").sees("check-scan")
    take("check-empty")
    phone.tap("check-scan").sees("scan-file").choose("scan-file", PHOTO).sees("rank-A")
    phone.tap("done").gone("rank-A")
    phone.tap("use-scan").sees("shot-remove-0")
    phone.tap("check-scan").sees("scan-file").choose("scan-file", PHOTO).sees("rank-A")
    phone.settle_unsure().tap("use-scan").sees("shot-remove-1")
    take("check-tables")
    phone.tap("check-run").sees("verdict")
    take("check-verdict")
    phone.tap("nav-settings" if phone.part("nav-settings").count() else "open-settings").sees("language-sv")
    take("settings")
    phone.reach("hand-left")
    take("settings-more")
    phone.reach("to-data")
    take("settings-end")
    phone.open("settings").sees("language-sv").reach("change-rules").tap("change-rules").sees("preset-strict")
    take("settings-rules")


WALKS = (typing, scanning, keeping, checking)


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
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        choose(Path(folder), **CHOICES[chosen])

        def take(name: str) -> None:
            if not words or any(word in f"{prefix}-{name}" for word in words):
                phone.picture(out / f"{prefix}-{name}.png", WAIT)

        for walk in wanted:
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
