"""The same search where the lattice of heights is too big for tables: Double Golf and Black Hole.

What guides it is a count: cards whose ranks can't be strung into few runs need many draws, in whatever
order they come.  A search that meets its limit is undecided; a way that it finds is a way all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from companion.engine.audit.deep import Undecided
from companion.engine.audit.task import DRAW, Step, Task, bits, padded
from companion.engine.tops import JOKER, KINDS, NONE

LIMITS: Final = (2_000, 4_000, 8_000, 16_000)
"""States looked at, in one order of trying after the other, for one number of draws."""
TOTAL: Final = 60_000
"""States looked at for all numbers of draws."""


class WidePaths:
    """The ways of a task, as `companion.engine.audit.paths.Paths`; the least draws aren't always proved."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.looked_at = 0

    def fewest(self, lowest: int, highest: int, faults: int = 0) -> tuple[Step, ...] | None:
        """A way within bounds, with as few draws as are found.  Raises `Undecided`."""
        highest = min(highest, self.task.most)
        if self.task.when_stuck or self.task.stock is not None:
            for draws in range(lowest, highest + 1):
                way = self._tried(draws, faults, lowest, True)
                if way is not None:
                    return way
            return None
        best: tuple[Step, ...] | None = None
        while min(lowest, 1) <= highest:
            try:
                way = self._tried(highest, faults, lowest, False)
            except Undecided:
                if best is None:
                    raise
                break
            if way is None:
                break
            best, highest = way, sum(step.column == DRAW for step in way) - 1
        return None if best is None else padded(self.task, best, lowest)

    def _tried(self, draws: int, faults: int, lowest: int, exact: bool) -> tuple[Step, ...] | None:
        """A way with so many draws, at most so many where not `exact`; None if there is none."""
        for order, limit in enumerate(LIMITS):
            search = _Search(self.task, draws, faults, limit, order, exact, lowest > 0)
            way = search.run()
            self.looked_at += search.looked_at
            if way is not None or search.looked_at <= limit:
                return way
            if self.looked_at > TOTAL:
                break
        raise Undecided


class _Search:
    """One search in depth, for one number of draws and one order of trying."""

    def __init__(
        self, task: Task, draws: int, faults: int, limit: int, order: int, exact: bool, need: bool
    ) -> None:
        self.task, self.draws, self.faults, self.limit = task, draws, faults, limit
        self.exact, self.need = exact, need
        self.looked_at = 0
        shuffle: Callable[[list[int]], None] = Random(order).shuffle
        self.columns = list(range(len(task.columns)))
        shuffle(self.columns)
        self.drawable = list(task.drawable)
        Random(order).shuffle(self.drawable)
        self.certain = all(len(card) == 1 for column in task.columns for card in column)
        self.failed: set[tuple[object, ...]] = set()
        self.way: list[Step] = []

    def run(self) -> tuple[Step, ...] | None:
        """The way; None when there is none, or, with `looked_at` above the limit, none was found."""
        counts = [0] * KINDS
        for column in self.task.columns:
            for card in column:
                counts[card[0]] += 1
        for top in bits(self.task.start):
            try:
                if self._visit(
                    self.task.heights,
                    top,
                    self.draws,
                    self.faults,
                    self.task.supply,
                    counts,
                    False,
                    self.need,
                ):
                    return tuple(self.way)
            except Undecided:
                return None
        return None

    def _visit(
        self,
        heights: tuple[int, ...],
        top: int,
        draws: int,
        faults: int,
        supply: tuple[int, ...],
        counts: list[int],
        drew: bool,
        need: bool,
    ) -> bool:
        key = (heights, top, draws, faults, supply, drew, need)
        if key in self.failed:
            return False
        self.looked_at += 1
        if self.looked_at > self.limit:
            raise Undecided
        if self.certain and fewest_draws(self.task, counts, top) > draws + 2 * faults:
            self.failed.add(key)
            return False
        task = self.task
        if not any(heights) and self._finish(0, top, draws, faults, need):
            return True
        for column in self.columns:
            if not (height := heights[column]):
                continue
            after = (*heights[:column], height - 1, *heights[column + 1 :])
            card = task.columns[column][height - 1]
            for step in task.plays(column, card, top, faults > 0):
                counts[card[0]] -= 1
                self.way.append(step)
                if self._visit(after, step.top, draws, faults - step.fault, supply, counts, False, need):
                    return True
                self.way.pop()
                counts[card[0]] += 1
        may = draws and (self.exact or not drew) and (any(heights) or not task.over())
        if may and self._draw(heights, top, draws, faults, supply, counts):
            return True
        self.failed.add(key)
        return False

    def _draw(
        self,
        heights: tuple[int, ...],
        top: int,
        draws: int,
        faults: int,
        supply: tuple[int, ...],
        counts: list[int],
    ) -> bool:
        task = self.task
        fault = not task.may_draw(top, self._playable(heights) if task.when_stuck else 0)
        if fault and (not faults or top == NONE):
            return False
        for kind, drawn in self._next(draws):
            if task.stock is None and not supply[kind]:
                continue
            rest = (
                supply if task.stock is not None else (*supply[:kind], supply[kind] - 1, *supply[kind + 1 :])
            )
            self.way.append(Step(DRAW, kind, drawn, fault))
            if self._visit(heights, drawn, draws - 1, faults - fault, rest, counts, True, False):
                return True
            self.way.pop()
        return False

    def _next(self, draws: int) -> list[tuple[int, int]]:
        stock = self.task.stock
        if stock is None:
            return self.drawable
        kind = stock[self.draws - draws]
        return [(kind, top) for top in self.task.steps.draws[kind]]

    def _playable(self, heights: tuple[int, ...]) -> int:
        return self.task.playable_at(heights)

    def _finish(self, number: int, top: int, draws: int, faults: int, need: bool) -> bool:
        task = self.task
        if number == len(task.last):
            return draws == 0 if self.exact else not need
        for step in task.last_moves(number, top, faults > 0):
            left, rest = faults - step.fault, draws - (step.column == DRAW)
            if rest < 0 or left < 0:
                continue
            if step.column == DRAW and task.stock is not None and task.stock[self.draws - draws] != step.kind:
                continue
            self.way.append(step)
            if self._finish(number + 1, step.top, rest, left, need and step.column != DRAW):
                return True
            self.way.pop()
        return False


def fewest_draws(task: Task, counts: list[int], top: int) -> int:
    """A bound: so many cards of each kind can't be played on a top with fewer draws, whatever their order.

    Each card joins at most two others of its run; as many joints as ranks allow are counted.
    """
    room = [2 * count for count in counts[:13]]
    follow = task.steps.follow
    if not follow[11] >> 12 & 1:
        # Nothing follows a king, so a king ends its run.
        room[12] = counts[12]
    if top < 13:
        room[top] += 0 if top == 12 and not follow[11] >> 12 & 1 else 1
    elif top != 13:
        return 0
    wrap = follow[0] >> 12 & 1
    total = sum(counts[:13])
    best = 0
    for across in range(min(room[0], room[12]) + 1 if wrap else 1):
        joints, left = across, room[0] - across
        for rank in range(1, 13):
            here = room[rank] - (across if rank == 12 else 0)
            joined = min(left, here)
            joints += joined
            left = here - joined
        best = max(best, joints)
    return max(0, total - best - 2 * counts[JOKER])
