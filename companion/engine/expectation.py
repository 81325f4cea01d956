"""Chooses how the values of moves are computed: exactly where that fits, else as well as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import expect as expect_numpy
from companion.engine import fast
from companion.engine.calibration import correct
from companion.engine.errors import EngineError
from companion.engine.knowledge import Knowledge, count, track
from companion.engine.lattice import size
from companion.engine.outcome import Aim, Packing, figure, read
from companion.engine.values import Root
from companion.engine.window import View

_PAIRS: Final = {True: 16_000_000, False: 8_000_000}
"""Pairs of knowledge and heights that are valued in a second on two cores: compiled, in numpy."""
_MOST_PAIRS: Final = 26_000_000
"""More would take more than 500 MB."""
_FULL: Final = 20
"""Of all pairs the compiled kernel meets about one in so many; far more than that isn't even tried."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Values of plays and draws under one aim; less is better."""

    view: View
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
        means = self.packing.unpack(value, self.knowledge.scale[0])
        figures = [
            read(aim, mean, self.view.draws) for aim, mean in zip((self.aim, self.second), means, strict=True)
        ]
        if not self.exact and self.view.whole:
            figures = [
                correct(aim, figure, self.view.draws)
                for aim, figure in zip((self.aim, self.second), figures, strict=True)
            ]
        return figures[0], figures[1]


def expect(
    view: View,
    aim: Aim,
    second: Aim,
    *,
    compiled: bool | None = None,
    budget: float = 1.0,
    exact: bool | None = None,
) -> Expectation:
    """The values of everything that can be done in a view of a board whose stock is hidden.

    aim: what moves are chosen by; second: what breaks ties, and is known as well.
    exact: True asks for exact values whatever they cost, False for the approximation (draws taken as
    independent of each other); left out, they are exact where that fits the budget of seconds.
    """
    board = view.board
    exact = exact if view.whole else False
    fitted = fast.available() if compiled is None else compiled
    limit = _MOST_PAIRS if exact else min(_MOST_PAIRS, int(budget * _PAIRS[fitted]))
    if exact is not False and count(board.unseen, board.left) * size(board.heights) <= limit * 2 * _FULL:
        found = _evaluate(view, (aim, second), track(board), fitted, limit)
        if found is not None:
            return found
    if exact:
        raise EngineError(
            f"exact values of this table take too much memory, cards in the stock: {board.left!r}"
        )
    found = _evaluate(view, (aim, second), track(board, ()), fitted, _MOST_PAIRS)
    assert found is not None
    return found


def _evaluate(
    view: View, aims: tuple[Aim, Aim], knowledge: Knowledge, compiled: bool, limit: int
) -> Expectation | None:
    board = view.board
    figures = figure(aims[0], view.draws), figure(aims[1], view.draws)
    if knowledge.exact:
        worst = 1 if aims[1].name != "strokes" else board.count + board.left
        packing = Packing.sums(*figures, worst, knowledge.scale[0])
    else:
        packing = Packing.means(*figures)
    final = view.ends(knowledge, packing)
    root: Root | None
    if not compiled:
        root = expect_numpy.evaluate(board, knowledge, final, limit)
    elif knowledge.exact:
        from companion.engine import expect_fast

        root = expect_fast.evaluate(board, knowledge, final, limit)
    else:
        from companion.engine import independent_fast

        root = independent_fast.evaluate(board, knowledge, final)
    return None if root is None else Expectation(view, *aims, packing, knowledge, root, knowledge.exact)
