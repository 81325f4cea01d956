"""Chooses how the values of moves are computed: exactly where that fits, else as well as it goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import expect as expect_numpy
from companion.engine import fast, independent
from companion.engine.calibration import Basis, correct, family
from companion.engine.drawn import drawn, told_apart
from companion.engine.errors import EngineError
from companion.engine.knowledge import Knowledge, count, track
from companion.engine.lattice import size
from companion.engine.outcome import STROKES, Aim, Packing, figure, read
from companion.engine.values import Root
from companion.engine.window import View

PAIRS: Final = {True: 42_000_000, False: 6_500_000}
"""Pairs of drawn cards and heights that are valued in a second on two cores: compiled, in numpy."""
_LISTED: Final = 6_000_000
"""Pairs that are valued over short lists, whatever the budget: their corrections were fitted to this."""
_GAP: Final = 2.0
"""Strokes that independent draws expect more than short lists, where that isn't known."""
_MOST_PAIRS: Final = {True: 100_000_000, False: 12_000_000}
"""More would take more than 600 MB."""
_MOST_ORDERS: Final = 4e9
"""Summed over more orders of the draws, the second figure would lose its fourth decimal."""
_SMALL: Final = 300_000
"""Pairs, reached or not, that numpy values before Numba would be imported."""
_FULL: Final = 20
"""Of all pairs play can reach about one in so many; far more than that isn't even tried."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Values of plays and draws under one aim; less is better.

    basis: what an estimate rests on; None where values are exact.
    scale: how many orders of the stock the values are summed over.
    """

    view: View
    aim: Aim
    second: Aim
    packing: Packing
    root: Root
    scale: float
    basis: Basis | None

    @property
    def exact(self) -> bool:
        return self.basis is None

    def play(self, top: int, index: int) -> float:
        return self.root.play(top, index)

    def draw(self, index: int) -> float:
        return self.root.draw(index)

    def raw(self, value: float) -> tuple[float, float]:
        """What a value says of the aim and of the second figure: expected strokes or a chance, each.

        Estimates are as they were computed.
        """
        first, second = self.packing.unpack(value, self.scale)
        return read(self.aim, first, self.view.draws), read(self.second, second, self.view.draws)

    def means(self, value: float) -> tuple[float, float]:
        """The same, estimates corrected so that they are true on average."""
        first, second = self.raw(value)
        if self.basis is None or not self.view.whole:
            return first, second
        return correct(self.aim, first, self.basis), correct(self.second, second, self.basis)


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
    exact: True asks for exact values whatever they cost, False for an estimate; left out, they are exact
    where that fits the budget of seconds.
    """
    board = view.board
    exact = exact if view.whole else False
    bound = count(told_apart(board), board.left) * size(board.heights)
    fitted = fast.available() if compiled is None else compiled
    # Both kernels give the same exact values; importing Numba takes longer than numpy needs for a few.
    kernel = fitted and (compiled is not None or bound > _SMALL or fast.loaded())
    most = _MOST_PAIRS[kernel]
    limit = most if exact else min(most, int(budget * PAIRS[kernel]))
    # With nothing to draw there is nothing to estimate.
    wanted = exact is not False or (view.whole and not board.left)
    if wanted and bound <= limit * 2 * _FULL:
        found = _exact(view, (aim, second), kernel, limit)
        if found is not None:
            return found
    if exact:
        raise EngineError(
            f"exact values of this table take too much memory, cards in the stock: {board.left!r}"
        )
    if fitted and board.left:
        return _listed(view, aim, second)
    return _independent(view, aim, second)


def _exact(view: View, aims: tuple[Aim, Aim], compiled: bool, limit: int) -> Expectation | None:
    """Exact values, or None when more than `limit` pairs would be valued."""
    board = view.board
    worst = 1 if aims[1].name != "strokes" else board.count + board.left
    one, two = figure(aims[0], view.draws), figure(aims[1], view.draws)
    hands = drawn(board)
    if hands.scale > _MOST_ORDERS:
        return None
    packing = Packing.sums(one, two, worst, hands.scale)
    ends = view.ends((1.0,) * (board.left + 1), packing)
    root: Root | None
    if compiled:
        from companion.engine.expect_fast import Exact

        root = Exact(board, hands).evaluate(ends, limit)
    else:
        root = expect_numpy.evaluate(board, hands, ends, limit)
    return None if root is None else Expectation(view, *aims, packing, root, hands.scale, None)


def _listed(view: View, aim: Aim, second: Aim) -> Expectation:
    """Estimates over short lists of stops."""
    from companion.engine import shortlist_fast

    board = view.board
    one, two = figure(aim, view.draws), figure(second, view.draws)
    found = shortlist_fast.evaluate(board, view.plain_ends(one), view.plain_ends(two), _LISTED)
    packing = Packing.means(one, two)
    worth = {at: packing.join(*figures) for at, figures in found.stops.items()}
    never = float("inf")

    def play(top: int, index: int) -> float:
        return min((worth.get(at, never) for at in shortlist_fast.stops(board, index, top)), default=never)

    root = Root(play, lambda index: worth.get(index, never), found.pairs)
    gap = _GAP
    if aim == STROKES:
        gap = found.independent - min(strokes for strokes, _ in found.stops.values())
    basis = Basis(family(board), view.draws, True, gap, found.width, found.tracked)
    return Expectation(view, aim, second, packing, root, 1.0, basis)


def _independent(view: View, aim: Aim, second: Aim) -> Expectation:
    """Estimates that take draws as independent of each other."""
    knowledge: Knowledge = track(view.board, ())
    packing = Packing.means(figure(aim, view.draws), figure(second, view.draws))
    root = independent.evaluate(
        view.board, knowledge, view.ends(knowledge.scale, packing), _MOST_PAIRS[False]
    )
    assert root is not None
    return Expectation(view, aim, second, packing, root, 1.0, Basis(family(view.board), view.draws))
