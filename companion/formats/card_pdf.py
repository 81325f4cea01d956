"""A scorecard on paper: one page, A5 across where it fits, else A4 across, else as long as it must be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import IO

from companion.formats import card_words as words
from companion.formats.canvas import Paper
from companion.formats.card_sheet import Sheet, draw
from companion.game.round import Round

A5 = (210.0, 148.0)
A4 = (297.0, 210.0)


def dump(round: Round, file: IO[bytes], language: str = "en") -> None:
    """Write the card to a file opened for bytes."""
    file.write(dumps(round, language))


def dumps(round: Round, language: str = "en") -> bytes:
    """The card as PDF. The same round gives the same bytes."""
    words.check(language)
    sheet = Sheet(round, language)
    width, height = next(
        (size for size in (A5, A4) if sheet.width <= size[0] and sheet.height <= size[1]),
        (max(A4[0], sheet.width), max(A4[1], sheet.height)),
    )
    moment = datetime.fromisoformat(round.changed.replace("Z", "+00:00")) if round.changed else _EPOCH
    paper = Paper(width, height, words.title(round, language), language, moment)
    draw(sheet, paper, (width - sheet.width) / 2, (height - sheet.height) / 3)
    return paper.pdf()


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
