"""The way from one table to the next that draws the fewest cards, and none more often than it exists."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from companion.engine.audit.frontier import EVERY_KIND, Frontier, Undecided
from companion.engine.audit.least import NEVER, ROUNDS, Bound, tightened
from companion.engine.audit.rests import Rests
from companion.engine.audit.spaces import Narrow
from companion.engine.audit.stages import Stages
from companion.engine.audit.task import DRAW, Step, Task, filled, short_kinds
from companion.engine.lattice import size
from companion.engine.tops import KINDS

EASY: Final = 60_000
"""Labels a search looks at before it is worth while to find out which cards are scarce."""
HARD: Final = 100_000
"""Labels a search looks at before more ranks are followed exactly."""
BEAMS: Final = (100, 1_000)
"""Labels that go on from each number of cards where a likely way is looked for first."""


class Paths:
    """The ways of a task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._tight: Bound | None = None
        self._rests: list[Rests] = []
        self._scarce: set[int] = set()
        self.proved = True
        """A way found is known to draw the fewest cards."""
        self.seen = 0
        """Labels that searches looked at."""

    @property
    def effort(self) -> int:
        """How much was looked at, in labels; a sweep over some states takes as long as a seventh of them."""
        bounds = {bound.least for bound in (self._plain, self._tight) if bound is not None}
        if not self._plain.least.sweeps:
            return 0
        sweeps = 3 + sum(walk.sweeps for walk in (*bounds, *self._rests)) + ROUNDS * (self._tight is not None)
        return self.seen + sweeps * size(self.task.heights) // 7

    @cached_property
    def _plain(self) -> Bound:
        return Bound.of(self.task, 1, (0,) * KINDS)

    def fewest(
        self, lowest: int, highest: int, faults: int = 0, *, better: bool = False
    ) -> tuple[Step, ...] | None:
        """A way with as few draws as possible, within bounds, that breaks rules at most `faults` times.

        better: there is a way with more draws already; that saves nothing here.
        """
        if lowest > highest:
            return None
        if self.task.stock is not None:
            return self._known(lowest, highest, faults)
        way = self._rising(0, highest, faults, 0)
        if way is None or _draws(way) >= lowest:
            return way
        longer = filled(self.task, way, lowest)
        return longer if longer is not None else self._rising(lowest, highest, faults, lowest)

    def _rising(self, first: int, highest: int, faults: int, lowest: int) -> tuple[Step, ...] | None:
        """The way with the fewest draws, from `first` on; at least `lowest`, with those made in vain."""
        draws, rise = max(first, self._plain.least_draws(faults)), 1
        if self._tight is not None and draws <= highest:
            draws = max(draws, self._tight.least_draws(faults))
        refuted = draws - 1
        while draws <= highest:
            try:
                way, sure = self._likely(draws, faults, lowest)
                if way is None and not sure and self._tight is not None and draws < highest:
                    # Soonest found is whether there is one at all.
                    draws = highest
                    continue
                if way is None and not sure:
                    way = self._exact(draws, faults, lowest)
            except Undecided:
                draws = max(draws, self._tighten(faults, highest))
                refuted = draws - 1
                continue
            if way is not None:
                made = max(lowest, _draws(way))
                fewer = self._exact(made - 1, faults, lowest) if made > refuted + 1 else None
                way = way if fewer is None else fewer
                return filled(self.task, way, lowest) if lowest else way
            if draws == highest:
                break
            # Few draws are quickly tried; where none of them do, likely no number does.
            refuted, draws, rise = draws, min(highest, draws + rise), 2 * rise
        return None

    def _likely(self, draws: int, faults: int, lowest: int) -> tuple[tuple[Step, ...] | None, bool]:
        """A way that is soon found, once it is known which cards are scarce, and whether that says all."""
        if self._tight is None:
            return None, False
        # A sweep for the wrong moves as well takes longer than to find a way without.
        ready = [rests for rests in self._rests if not faults or rests.sweeps > faults]
        for beam in BEAMS:
            search = Frontier(self._space(faults, ready), faults, lowest, beam)
            way = search.way(draws)
            self.seen += search.seen
            if way is not None or search.whole:
                return way, search.whole
        return None, False

    def _exact(self, draws: int, faults: int, lowest: int) -> tuple[Step, ...] | None:
        """The way with the fewest draws, at most so many; None if there is none.

        Raises `Undecided` when it takes long and isn't known yet which cards are scarce.
        """
        while True:
            # At first ranks are counted only once it shows that they run short.
            kinds = frozenset(self._scarce) if self._tight is None and not lowest else EVERY_KIND
            search = Frontier(self._space(faults), faults, lowest, counted=kinds)
            try:
                way = search.way(draws, EASY if self._tight is None else HARD if self._others() else 0)
            except Undecided:
                if self._tight is None:
                    raise
                self._follow(self._others())
                continue
            finally:
                self.seen += search.seen
            short = short_kinds(self.task, way) if way is not None else set()
            if not short:
                return way
            self._scarce |= short

    def _space(self, faults: int, rests: list[Rests] | None = None) -> Narrow:
        bounds = [self._plain]
        if self._tight is not None and self._tight is not self._plain:
            bounds.append(self._tight)
        return Narrow(self.task, bounds, faults, self._rests if rests is None else rests)

    def _tighten(self, faults: int, highest: int) -> int:
        """Finds out which cards are scarce, and so how many draws it takes at least."""
        # What is scarce without a fault is scarce with one, and sooner found.
        without = self._plain.least.start(0) < NEVER
        bound = self._tight = tightened(self._plain, 0 if without else faults, highest)
        self._scarce |= {kind for kind, more in enumerate(bound.extra) if more}
        self._follow(sorted(self._scarce, key=lambda kind: -bound.extra[kind]))
        return bound.least_draws(faults)

    def _follow(self, kinds: list[int]) -> None:
        """Follows exactly which cards of these kinds suffice, of as many as can be."""
        self._rests.append(Rests(self.task, kinds))

    def _others(self) -> list[int]:
        """The kinds that may be followed next, the rarest first; not often, as each time takes a sweep."""
        if len(self._rests) > 1:
            return []
        supply = self.task.supply
        done = {kind for rests in self._rests for kind in rests.strides}
        return sorted((k for k in range(KINDS) if supply[k] and k not in done), key=lambda k: supply[k])

    def _known(self, lowest: int, highest: int, faults: int) -> tuple[Step, ...] | None:
        """The same where the order of the stock is known; the table of stages is exact and leads straight."""
        found = None
        while lowest <= highest:
            middle = (lowest + highest) // 2 if found else highest
            stages = Stages(self.task, (2 << middle) - (1 << lowest))
            if stages.start(faults):
                found = stages.way(faults)
                highest = _draws(found) - 1
            elif found:
                lowest = middle + 1
            else:
                return None
        return found


def _draws(way: tuple[Step, ...]) -> int:
    return sum(step.column == DRAW for step in way)
