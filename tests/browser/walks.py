"""Walks through all screens: what the pictures are made of, and what is looked at for names and sizes."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.demo import PHOTO
from tests.browser.driver import Phone

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
    phone.open("play/games").sees("game-0")
    take("play-games")


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
