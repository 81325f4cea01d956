"""The ways of a task whose lattice of heights is too big for tables: Double Golf and Black Hole.

A way is looked for among the likeliest states first, with fewer and fewer draws; then what is left is
searched through whole.  That search may meet its limit: then it is undecided whether fewer draws would do, or
whether there is a way at all.
"""

from __future__ import annotations

from typing import Final

from companion.engine.audit.bundles import NEVER, Bundles
from companion.engine.audit.frontier import Frontier, Undecided
from companion.engine.audit.spaces import Wide
from companion.engine.audit.supplied import moves
from companion.engine.audit.task import DRAW, Step, Task, filled

FEW: Final = 300
MANY: Final = 1_200
"""How many vectors of heights go on from each number of cards where a way is looked for."""
CELLS: Final = 600_000
"""Plays from vectors of heights that are looked at for a proof."""
CELLS_OF_VERDICT: Final = 4_000_000
"""The same where the verdict hangs on it, as no way is soon found with so few draws."""
CELLS_OF_PLAYS: Final = 1_500_000
"""The same where no card is drawn, so that it is the verdict that hangs on it."""
BEAMS: Final = (("open", 300), ("level", 300))
"""Where ranks are scarce, or draws tied to the table: what makes labels likely, and how many go on."""
PLAYS: Final = (("open", 1_000), ("even", 8_000))
"""The same where no card is drawn, as in Black Hole."""
LIMIT: Final = 200_000
"""Labels looked at for a proof."""


class WidePaths:
    """The ways of a task, as `companion.engine.audit.paths.Paths`; the least draws aren't always proved."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.draws = bool(task.most and task.drawable) or any(last.column == DRAW for last in task.last)
        self._beams = BEAMS if task.most and task.drawable else PLAYS
        self.proved = True
        """Whether the way found last is known to draw the fewest cards."""
        self.effort = 0
        """How much was looked at, as `Paths.effort`, roughly."""
        self._bundles = [Bundles(task, wrong=wrong) for wrong in (False, True)]
        # A break is as good whether a card is drawn or a rule broken, if that is so at the end too.
        self._alike = self._bundles[0].end == self._bundles[1].end
        self._in_vain: set[tuple[bool, int, int]] = set()
        """The searches that found nothing: with wrong moves or not, for so many breaks, with which beam."""
        self._least = [0, 0]
        """How many breaks it takes at least, as far as is known: draws alone, or faults among them."""
        self._spaces = {taste: Wide(task, taste) for taste, _ in self._beams}

    @property
    def least(self) -> int:
        """No way without a wrong move has fewer draws."""
        return self._least[0]

    def fewest(
        self, lowest: int, highest: int, faults: int = 0, *, better: bool = False
    ) -> tuple[Step, ...] | None:
        """A way within bounds, with as few draws as are found.  Raises `Undecided`.

        better: there is a way with more draws already, so that another one is not looked for at length.
        """
        drawn = sum(last.column == DRAW for last in self.task.last)
        if max(lowest, drawn) > highest:
            return None
        self.effort += CELLS
        breaks = min(highest + faults, NEVER - 1)
        enough = 0 if self.task.stock is not None else lowest
        least, way = self._bundled(breaks, faults, enough, CELLS if better else CELLS_OF_VERDICT)
        if least > breaks == highest + faults:
            self.proved = True
            return None
        if not self.draws:
            # Each break is a fault, so nothing else is to be found.
            if way is None:
                raise Undecided
            self.proved = True
            return way
        if way is not None and self.task.stock is None:
            longer = filled(self.task, way, lowest)
            if longer is not None and _draws(longer) <= highest:
                self.proved = _draws(longer) <= max(least - faults, lowest)
                return longer
        if better:
            raise Undecided
        return self._labelled(lowest, highest, faults, least - faults)

    def _bundled(
        self, breaks: int, faults: int, enough: int, cells: int
    ) -> tuple[int, tuple[Step, ...] | None]:
        """How many breaks it takes at least, and a way with few, at most so many; fewer than `enough` draws
        are not looked for.

        cells: plays that are looked at to prove that there is none, where none is soon found.
        """
        bundles = self._bundles[faults > 0]
        if faults and self.draws:
            return self._faulty(bundles, breaks, faults)
        cost = self._soon(bundles, breaks, FEW)
        way = moves(bundles, faults) if cost is not None else None
        if way is not None and cost is not None and cost <= max(enough, self._known_least(faults)):
            return min(cost, self._known_least(faults)), way
        if faults and cost is None and not self.draws:
            # A way is sooner found than it is proved that there is none.
            cost = self._soon(bundles, breaks, MANY)
            way = moves(bundles, faults) if cost is not None else None
            if cost == self._known_least(faults):
                return cost, way
        if cost is None and self.draws:
            least = self._settled(bundles, breaks, 0, cells)
            known = (bundles.wrong, breaks, 0) not in self._in_vain
            if least > breaks or not (known or self._soon(bundles, breaks, MANY) is not None):
                return least, None
            return least, moves(bundles)
        least, found = self._refuted(bundles, breaks if cost is None else cost - 1, faults)
        if found:
            return least, moves(bundles, faults)
        if least > breaks or least == cost:
            return least, way
        if cost is not None and way is None:
            # Ranks run short: cards must be counted.
            return least, None
        # So few are soon tried, as little is in reach with them.
        if cost is not None and self._soon(bundles, least, MANY) is not None:
            return least, moves(bundles, faults)
        most = breaks if cost is None else cost - 1
        if most >= least and self._soon(bundles, most, MANY) is not None:
            way = moves(bundles, faults) or way
        return least, way

    def _soon(self, bundles: Bundles, breaks: int, beam: int) -> int | None:
        """How many breaks the likeliest ways take; what was in vain once isn't tried again."""
        tried = (bundles.wrong, breaks, beam)
        if tried in self._in_vain:
            return None
        cost = bundles.least(breaks, 0, beam)
        if cost is None:
            self._in_vain.add(tried)
        return cost

    def _faulty(self, bundles: Bundles, breaks: int, faults: int) -> tuple[int, tuple[Step, ...] | None]:
        """The same where at some of the breaks cards are drawn, and at others rules broken.

        Raises `Undecided` where it is neither found nor refuted.
        """
        cost = None
        if self._known_least(faults) <= breaks:
            cost = self._soon(bundles, breaks, FEW)
        # Where it was hard to refute that no rule was broken, it is harder with one, and takes long.
        if cost is None and self._bundles[0].seen > CELLS:
            raise Undecided
        if cost is None and self._settled(bundles, breaks, faults, CELLS) <= breaks:
            if (bundles.wrong, breaks, 0) in self._in_vain and self._soon(bundles, breaks, MANY) is None:
                raise Undecided
            cost = breaks
        least = self._known_least(faults)
        return least, moves(bundles, faults) if cost is not None else None

    def _settled(self, bundles: Bundles, breaks: int, faults: int, cells: int) -> int:
        """How many breaks it takes at least; where so many aren't enough, one more."""
        least, tried = self._known_least(faults), (bundles.wrong, breaks, 0)
        if least > breaks or tried in self._in_vain:
            return least
        try:
            cost = bundles.least(breaks, cells)
        except Undecided:
            self._in_vain.add(tried)
            return least
        self._least[faults > 0] = breaks + 1 if cost is None else cost
        return self._least[faults > 0]

    def _known_least(self, faults: int) -> int:
        return max(self._least) if faults and self._alike else self._least[faults > 0]

    def _refuted(self, bundles: Bundles, breaks: int, faults: int) -> tuple[int, bool]:
        """How many breaks it takes at least, as far as that is soon proved, and whether the last search found
        that it takes no more."""
        least, found = self._known_least(faults), False
        left = CELLS if self.draws or faults else CELLS_OF_PLAYS
        while least <= breaks and not found and (bundles.wrong, least, 0) not in self._in_vain:
            try:
                found = bundles.least(least, left) is not None
            except Undecided:
                self._in_vain.add((bundles.wrong, least, 0))
                break
            left = max(1, left - bundles.seen)
            least += not found
        self._least[faults > 0] = least
        return least, found

    def _labelled(self, lowest: int, highest: int, faults: int, least: int) -> tuple[Step, ...] | None:
        """A way with counted cards; no way has fewer draws than `least`."""
        known = self.task.stock is not None
        best = self._likely(highest, faults, lowest if known else 0)
        if best is None and not self.proved:
            best = self._search(highest, faults, lowest if known else 0).way(highest, LIMIT)
        enough = max(least, lowest)
        self.proved = best is None or _draws(best) <= enough
        if best is None or known:
            return best
        longer = filled(self.task, best, lowest)
        if longer is not None:
            return longer
        way = self._search(highest, faults, lowest).way(highest, LIMIT)
        return None if way is None else filled(self.task, way, lowest)

    def _likely(self, draws: int, faults: int, lowest: int) -> tuple[Step, ...] | None:
        for taste, beam in self._beams:
            search = Frontier(self._spaces[taste], faults, lowest, beam)
            way = search.way(draws)
            self.proved = search.whole
            if way is not None or search.whole:
                return way
        return None

    def _search(self, draws: int, faults: int, lowest: int) -> Frontier:
        return Frontier(self._spaces[self._beams[0][0]], faults, lowest)


def _draws(way: tuple[Step, ...]) -> int:
    return sum(step.column == DRAW for step in way)


__all__ = ["Undecided", "WidePaths"]
