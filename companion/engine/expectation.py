"""Chooses how the values of moves are computed: exactly where that fits, else as well as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import expect as expect_numpy
from companion.engine import fast
from companion.engine.board import Board
from companion.engine.errors import EngineError
from companion.engine.knowledge import Knowledge, count, track
from companion.engine.lattice import size
from companion.engine.outcome import Aim, Packing, figure, read
from companion.engine.values import Root, ends

_PAIRS: Final = {True: 16_000_000, False: 8_000_000}
"""Pairs of knowledge and heights that are valued in a second on two cores: compiled, in numpy."""
_MOST_PAIRS: Final = 26_000_000
"""More would take more than 500 MB."""
_FULL: Final = 20
"""Of all pairs the compiled kernel meets about one in so many; far more than that isn't even tried."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Values of plays and draws under one aim; less is better."""

    board: Board
    aim: Aim
    second: Aim
    packing: Packing
    knowledge: Knowledge
    root: Root
    exact: bool

    def play(self, top: int, index: int) -> float:
        return self.root.play(top, index)

    def draw(self, index: int) -> float:
        return self.root.draw(index)

    def means(self, value: float) -> tuple[float, float]:
        """What a value says of the aim and of the second figure: expected strokes or a chance, each."""
        first, second = self.packing.unpack(value, self.knowledge.scale[0])
        return read(self.aim, first, self.board.left), read(self.second, second, self.board.left)


def expect(
    board: Board,
    aim: Aim,
    second: Aim,
    *,
    compiled: bool | None = None,
    budget: float = 1.0,
    exact: bool | None = None,
) -> Expectation:
    """The values of everything that can be done from a board whose stock is hidden.

    aim: what moves are chosen by; second: what breaks ties, and is known as well.
    exact: True asks for exact values whatever they cost, False for the approximation (draws taken as
    independent of each other); left out, they are exact where that fits the budget of seconds.
    """
    fitted = fast.available() if compiled is None else compiled
    limit = _MOST_PAIRS if exact else min(_MOST_PAIRS, int(budget * _PAIRS[fitted]))
    if exact is not False and count(board.unseen, board.left) * size(board.heights) <= limit * 2 * _FULL:
        found = _evaluate(board, (aim, second), track(board), fitted, limit)
        if found is not None:
            return found
    if exact:
        raise EngineError(
            f"exact values of this table take too much memory, cards in the stock: {board.left!r}"
        )
    found = _evaluate(board, (aim, second), track(board, ()), fitted, _MOST_PAIRS)
    assert found is not None
    return found


def _evaluate(
    board: Board, aims: tuple[Aim, Aim], knowledge: Knowledge, compiled: bool, limit: int
) -> Expectation | None:
    figures = figure(aims[0], board.left), figure(aims[1], board.left)
    if knowledge.exact:
        worst = 1 if aims[1].name != "strokes" else board.count + board.left
        packing = Packing.sums(*figures, worst, knowledge.scale[0])
    else:
        packing = Packing.means(*figures)
    final = ends(board, knowledge, packing)
    root: Root | None
    if not compiled:
        root = expect_numpy.evaluate(board, knowledge, final, limit)
    elif knowledge.exact:
        from companion.engine import expect_fast

        root = expect_fast.evaluate(board, knowledge, final, limit)
    else:
        from companion.engine import independent_fast

        root = independent_fast.evaluate(board, knowledge, final)
    return None if root is None else Expectation(board, *aims, packing, knowledge, root, knowledge.exact)
