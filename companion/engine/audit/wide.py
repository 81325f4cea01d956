"""The ways of a task whose lattice of heights is too big for tables: Double Golf and Black Hole.

A way is looked for among the likeliest labels first, with fewer and fewer draws; then what is left is
searched through whole.  That search may meet its limit: then it is undecided whether fewer draws would do, or
whether there is a way at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.engine.audit.frontier import Frontier, Undecided
from companion.engine.audit.spaces import Wide
from companion.engine.audit.task import DRAW, Step, Task, filled

BEAMS: Final = (("open", 300), ("level", 300))
"""What makes labels likely, and how many go on from each number of cards, in one try after the other."""
PLAYS: Final = (("open", 1_000), ("even", 8_000))
"""The same where no card is drawn, as in Black Hole."""
FEWER: Final = 1
"""How often a way with fewer draws is looked for, with the first of these."""
LIMIT: Final = 300_000
"""Labels looked at for a proof."""


class WidePaths:
    """The ways of a task, as `companion.engine.audit.paths.Paths`; the least draws aren't always proved."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._beams = BEAMS if task.most and task.drawable else PLAYS
        self.proved = True
        """Whether the way found last is known to draw the fewest cards."""
        self._spaces = {taste: Wide(task, taste) for taste, _ in self._beams}

    def fewest(self, lowest: int, highest: int, faults: int = 0) -> tuple[Step, ...] | None:
        """A way within bounds, with as few draws as are found.  Raises `Undecided`."""
        highest = min(highest, self.task.most)
        if lowest > highest:
            return None
        known = self.task.stock is not None
        best = self._likely(highest, faults, lowest if known else 0)
        if best is None and not self.proved:
            best = self._search(highest, faults, lowest if known else 0).way(highest, LIMIT)
        self.proved = best is None or _draws(best) <= lowest
        for _ in range(FEWER):
            if best is None or self.proved:
                break
            fewer = self._likely(_draws(best) - 1, faults, lowest if known else 0, self._beams[:1])
            if fewer is None:
                break
            best, self.proved = fewer, _draws(fewer) <= lowest
        if best is None or known:
            return best
        longer = filled(self.task, best, lowest)
        if longer is not None:
            return longer
        way = self._search(highest, faults, lowest).way(highest, LIMIT)
        return None if way is None else filled(self.task, way, lowest)

    def _likely(
        self, draws: int, faults: int, lowest: int, beams: Sequence[tuple[str, int]] = ()
    ) -> tuple[Step, ...] | None:
        for taste, beam in beams or self._beams:
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
