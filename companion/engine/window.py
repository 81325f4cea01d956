"""A view of tables too big to value whole (Double Golf): the upper cards of each column, a few draws ahead.

What lies below the view, and the draws after it, are put into one number: the strokes of the hole are
reckoned from the cards left and the draws left at the view's end, at the pace at which such tables go
down.  Good for choosing a move; the figures are rough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.engine.board import Board
from companion.engine.lattice import LIMIT, size
from companion.engine.outcome import Figure, Packing
from companion.engine.sweep import STAGES
from companion.engine.values import Ends

_CELLS: Final = 120_000
"""Height vectors of a view."""
_AHEAD: Final = 6
"""Draws a view looks ahead."""
_PACE: Final = 1.6
"""Cards that leave the tableau with each draw, once the view ends."""


@dataclass(frozen=True, slots=True)
class View:
    """A board to be valued and what lies beyond it.

    board: the whole board, or the upper part of it; hidden: cards below; later: draws after the last.
    """

    board: Board
    hidden: int = 0
    later: int = 0

    @property
    def whole(self) -> bool:
        return not self.hidden and not self.later

    @property
    def draws(self) -> int:
        """All cards in the stock."""
        return self.board.left + self.later

    def score(self, cards: int, draws: int) -> int:
        """The strokes with these cards left in the view and these draws left in it; rough beyond it."""
        cards, draws = cards + self.hidden, draws + self.later
        if self.whole or not cards:
            return cards or -draws
        needed = cards / _PACE
        return round(cards - _PACE * draws) if needed > draws else -round(draws - needed)

    def ends(self, scale: Sequence[float], packing: Packing) -> Ends:
        """The packed values of a hole, or a view, that is over.  scale: what each stage counts."""
        return self._ends(packing.pack, scale)

    def plain_ends(self, figure: Figure) -> Ends:
        """A figure of a hole, or a view, that is over."""
        return self._ends(lambda score, scale: scale * figure(score), (1.0,) * (self.board.left + 1))

    def _ends(self, value: Callable[[int, float], float], scales: Sequence[float]) -> Ends:
        left = self.board.left
        return Ends(
            np.array([value(self.score(cards, 0), 1.0) for cards in range(self.board.count + 1)]),
            np.array([value(self.score(0, left - stage), scale) for stage, scale in enumerate(scales)]),
        )


def fits(board: Board) -> bool:
    """Whether a board can be valued whole."""
    return size(board.heights) <= LIMIT and board.left < STAGES


def view(board: Board) -> View:
    """The board itself where it fits, else its upper cards."""
    if fits(board):
        return View(board)
    rows = list(board.heights)
    while size(tuple(rows)) > _CELLS and max(rows) > 1:
        rows[rows.index(max(rows))] -= 1
    columns = tuple(column[len(column) - h :] for column, h in zip(board.columns, rows, strict=True))
    left = min(board.left, _AHEAD)
    return View(replace(board, columns=columns, left=left), board.count - sum(rows), board.left - left)
