"""Pictures of every screen, at phone and desk size, light and dark, in three languages.

python -m tests.browser.screenshots OUT [WORD ...]      only those whose name holds one of the words
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.demo import PHOTO
from tests.browser.driver import Phone, chromium, film, served

SIZES = {"phone": (360, 740, 2.0), "tablet": (800, 1180, 1.0), "desk": (1280, 800, 1.0)}

WAIT = float(os.environ.get("COMPANION_SCREENSHOT_WAIT", "1.5"))
"""Seconds for a screen to come to rest."""

Walk = Callable[[Phone, Callable[[str], None]], None]


def walk(phone: Phone, take: Callable[[str], None]) -> None:
    """Once through the app; `take` makes a picture."""
    phone.open("play")
    take("play-empty")
    phone.tap("begin-type").sees("rank-A")
    for rank, suit in zip("9TK47", "DSHCC", strict=True):
        phone.tap(f"rank-{rank}").tap(f"suit-{suit}")
    take("play-typing")
    phone.tap("type-close").sees("begin-scan")
    phone.tap("nav-scan").sees("scan-file")
    take("scan-empty")
    phone.choose("scan-file", PHOTO).sees("rank-A")
    take("scan-fix")
    while phone.part("done").count():
        phone.tap("done")
        phone.page.wait_for_timeout(600)
    take("scan-review")
    phone.tap("look-unsure").sees("rank-A")
    for _ in range(3):
        option = phone.page.locator('[flt-semantics-identifier^="option-"]').nth(-2)
        option.click()
        phone.page.wait_for_timeout(900)
    phone.sees("use-scan")
    take("scan-right")
    phone.tap("view-table").sees("slot-discard")
    take("scan-table")
    phone.tap("use-scan").sees("column-0")
    take("play-table")
    phone.tap("stock").sees("draw-cancel")
    take("play-draw")
    phone.tap("rank-8").tap("suit-D").sees("undo")
    phone.tap("hint").sees("hint-panel")
    take("play-hint")
    phone.tap("hint-close")
    phone.tap("nav-card").sees("cell-0-1")
    take("card")
    phone.tap("cell-0-7").sees("strokes-4")
    take("card-entering")
    phone.tap("pad-close")
    phone.tap("new-round").sees("begin-round")
    take("card-new")
    phone.tap("nav-rounds").sees("round-0")
    take("rounds")
    phone.tap("round-1").sees("save-pdf")
    take("rounds-one")
    phone.tap("back").sees("tab-numbers")
    phone.tap("tab-numbers").sees("chart-distribution")
    take("rounds-numbers")
    phone.tap("tab-data").sees("export-all")
    take("rounds-data")
    phone.tap("nav-check").sees("check-scan")
    take("check-empty")
    phone.tap("check-game").sees("shot-remove-0")
    phone.tap("nav-play").sees("column-2").tap("column-2")
    phone.page.wait_for_timeout(WAIT * 1000)
    phone.tap("nav-check").tap("check-game").sees("shot-remove-1")
    take("check-tables")
    phone.tap("check-run").sees("verdict")
    take("check-verdict")
    phone.tap("nav-settings" if phone.part("nav-settings").count() else "open-settings").sees("theme-dark")
    take("settings")
    phone.tap("change-rules").sees("preset-strict")
    take("settings-rules")


def session(browser: Browser, out: Path, size: str, locale: str, dark: bool, words: list[str]) -> None:
    width, height, scale = SIZES[size]
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        phone = Phone(browser, address, width=width, height=height, locale=locale, dark=dark, scale=scale)
        prefix = f"{size}-{locale[:2]}-{'dark' if dark else 'light'}"

        def take(name: str) -> None:
            if not words or any(word in f"{prefix}-{name}" for word in words):
                phone.picture(out / f"{prefix}-{name}.png", WAIT)

        try:
            walk(phone, take)
        finally:
            phone.close()


def main() -> None:
    out, words = Path(sys.argv[1]), sys.argv[2:]
    out.mkdir(parents=True, exist_ok=True)
    sessions = [
        ("phone", "en-US", False),
        ("desk", "en-US", False),
        ("phone", "de-DE", True),
        ("tablet", "sv-SE", False),
        ("desk", "sv-SE", True),
    ]
    with tempfile.TemporaryDirectory() as folder, chromium(film(Path(folder))) as browser:
        for size, locale, dark in sessions:
            prefix = f"{size}-{locale[:2]}-{'dark' if dark else 'light'}"
            if not words or any(
                prefix in word or word in prefix or not word.startswith(tuple(SIZES)) for word in words
            ):
                session(browser, out, size, locale, dark, [word for word in words if word != prefix])


if __name__ == "__main__":
    main()
