"""A scorecard as a picture."""

from __future__ import annotations

from typing import IO

from companion.formats.canvas import Pixels
from companion.formats.card_sheet import PAPER, Sheet, draw
from companion.formats.card_words import check
from companion.game.round import Round

DOTS_A_MM = 6.0


def dump(round: Round, file: IO[bytes], language: str = "en") -> None:
    """Write the card to a file opened for bytes."""
    file.write(dumps(round, language))


def dumps(round: Round, language: str = "en") -> bytes:
    """The card as PNG, about 150 dots an inch."""
    check(language)
    sheet = Sheet(round, language)
    canvas = Pixels(sheet.width, sheet.height, DOTS_A_MM, PAPER)
    draw(sheet, canvas)
    return canvas.png()
