"""The states that a search goes through, and how far from each of them the end is at least.

`Narrow`: a full table of one deck and smaller ones; costs are worked out for every state beforehand.
`Wide`: Double Golf and Black Hole; which cards can lie on which stands in for costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import Costs, Few, Ints, Labels, counted
from companion.engine.audit.least import Bound
from companion.engine.audit.match import unmet
from companion.engine.audit.rests import Rests
from companion.engine.audit.task import DRAW, Task
from companion.engine.lattice import strides
from companion.engine.tops import DEAD_QUEEN, JOKER, KINDS

_ONES: Final = np.array([mask.bit_count() for mask in range(1 << KINDS)], np.int64)
"""How many bits of a mask are set."""


class Narrow:
    """The cells of a task's lattice; bounds: what ways can't cost more than; rests: which scarce cards
    suffice, all of them counted by the search."""

    def __init__(self, task: Task, bounds: Sequence[Bound], faults: int, rests: Sequence[Rests] = ()) -> None:
        self.task, self.bounds, self.rests = task, bounds, rests
        self.prices = [bound.least.prices for bound in bounds]
        self.start = task.grid.cells - 1
        self._tables = [[bound.least.table(f) for f in range(faults + 1)] for bound in bounds]

    def heights(self, cell: Ints) -> Ints:
        return self.task.grid.digits.take(cell, axis=1).astype(np.int64)

    def below(self, column: Ints, cell: Ints) -> Ints:
        grid = self.task.grid
        return grid.below.reshape(-1).take(column * grid.cells + cell).astype(np.int64)

    def playable(self, cell: Ints) -> Ints:
        mask: Ints = self.task.playable[cell].astype(np.int64)
        return mask

    def near(self, cell: Ints, top: Ints, left: Ints, cost: Costs, draws: int) -> NDArray[np.bool_]:
        ok: NDArray[np.bool_] = np.ones(len(cell), np.bool_)
        for number, bound in enumerate(self.bounds):
            ok &= cost[number] + self._rest(cell, top, left, number) <= bound.budget(draws)
        return ok

    def within(self, labels: Labels, draws: int) -> NDArray[np.bool_]:
        ok = np.ones(len(labels), np.bool_)
        for rests in self.rests:
            at = np.flatnonzero(ok)
            if len(at):
                ok[at] = rests.suffices(labels.take(at))
        return ok

    def promise(self, labels: Labels) -> Ints:
        dearest = len(self.bounds) - 1
        rest = self._rest(labels.cell, labels.top, labels.left, dearest)
        cost: Ints = (labels.cost[dearest] + rest).astype(np.int64)
        return cost

    def _rest(self, cell: Ints, top: Ints, left: Ints, number: int) -> NDArray[np.int32]:
        """What it costs at least from each label on."""
        at = top * self.task.grid.cells + cell
        tables = [table.reshape(-1) for table in self._tables[number]]
        rest: Any = tables[0].take(at)
        for faults, table in enumerate(tables[1:], 1):
            rest = np.where(left == faults, table.take(at), rest)
        cost: NDArray[np.int32] = rest.astype(np.int32)
        return cost


class Wide:
    """Heights in mixed radix; which cards can lie on which bounds a way.

    Every card that leaves a column lies on another one, and on each card lies at most one.  So where ranks
    have more cards left than there are cards to put them on, cards must be drawn, of what the stock holds.

    taste: what makes a label likely besides: `open`, that many ranks are exposed, with their neighbours;
    `level`, that the columns are of equal height; `even`, that there are as many cards of each rank left
    as of its neighbours.
    """

    def __init__(self, task: Task, taste: str = "level") -> None:
        self.task, self.taste = task, taste
        self.prices: list[tuple[int, ...]] = [(1,) * KINDS]
        self._strides, self._sizes = strides(task.heights), [height + 1 for height in task.heights]
        self.start = sum(h * stride for h, stride in zip(task.heights, self._strides, strict=True))
        # A card that may be several things can lie on any, and any on it, as a joker.
        kinds = [[card[0] if len(card) == 1 else JOKER for card in column] for column in task.columns]
        self._bounded = sum(column.count(JOKER) for column in kinds) < 16
        # left[i][h]: the cards of each kind among the h that have still to leave column i, packed.
        self._left = [
            np.cumsum([0, *(1 << 4 * kind for kind in column)], dtype=np.uint64) for column in kinds
        ]
        exposed = task.exposed_before(0)
        self._follow = [
            np.array([task.certain(card) for card in (exposed[i], *column)], np.int64)
            for i, column in enumerate(task.columns)
        ]
        self._shown = [np.array([0, *(1 << kind for kind in column)], np.int64) for column in kinds]
        self._idle = task.follow_idle()
        self._last = _Last.of(task)

    def height(self, column: int, cell: Ints) -> Ints:
        height: Ints = cell // self._strides[column] % self._sizes[column]
        return height

    def heights(self, cell: Ints) -> Ints:
        strides, sizes = (np.array(of)[:, None] for of in (self._strides, self._sizes))
        heights: Ints = cell // strides % sizes
        return heights

    def below(self, column: Ints, cell: Ints) -> Ints:
        below: Ints = cell - np.array(self._strides).take(column)
        return below

    def playable(self, cell: Ints) -> Ints:
        mask = np.full(len(cell), self._idle, np.int64)
        for column, follow in enumerate(self._follow):
            mask |= follow[self.height(column, cell)]
        return mask

    def near(self, cell: Ints, top: Ints, left: Ints, cost: Costs, draws: int) -> NDArray[np.bool_]:
        few: NDArray[np.bool_] = cost[0] <= draws
        return few

    def within(self, labels: Labels, draws: int) -> NDArray[np.bool_]:
        spent: Ints = labels.cost[0].astype(np.int64)
        if not self._bounded or not len(labels):
            return np.ones(len(labels), np.bool_)
        counts = self._counts(labels.cell)
        room = self._room(counts, labels.top)
        free = self._free(counts, labels.top) + labels.left
        ok: NDArray[np.bool_] = spent + self._unmet(counts, room) <= draws + free
        supply = self._supply(labels)
        free += supply[13]
        at = np.flatnonzero(ok)
        if len(at):
            room = [(have + more)[at] for have, more in zip(room, supply, strict=False)]
            ok[at] = self._unmet([count[at] for count in counts], room) <= free[at]
        return ok

    def promise(self, labels: Labels) -> Ints:
        counts = self._counts(labels.cell)
        likely: Ints = np.zeros(len(labels), np.int64)
        if self.taste == "level":
            for column in range(len(self._left)):
                likely = likely + self.height(column, labels.cell) ** 2
        elif self.taste == "open":
            likely = 100 - self._open(labels.cell)
        else:
            for rank in range(13):
                likely = likely + (counts[rank] - counts[rank - 1]).astype(np.int64) ** 2
        draws = self._unmet(counts, self._room(counts, labels.top)) - self._free(counts, labels.top)
        spent = labels.cost[0].astype(np.int64)
        promise: Ints = 1000 * (spent + np.maximum(0, draws)) + likely
        return promise

    def _open(self, cell: Ints) -> Ints:
        """How many ranks are exposed, and how many of those beside another one."""
        shown: Ints = np.zeros(len(cell), np.int64)
        empty: Ints = np.zeros(len(cell), np.int64)
        for column, masks in enumerate(self._shown):
            mask = masks[self.height(column, cell)]
            shown = shown | mask
            empty = empty + (mask == 0)
        ranks = shown & 0x1FFF
        beside = ranks << 1 | ranks >> 1
        if self.task.steps.follow[0] >> 12 & 1:
            beside |= ranks >> 12 | ranks << 12
        count: Ints = 2 * _ONES[shown] + 2 * _ONES[ranks & beside] - empty
        return count

    def _counts(self, cell: Ints) -> list[Few]:
        """For each kind how many of it have still to leave the columns; ranks, then jokers."""
        packed = np.zeros(len(cell), np.uint64)
        for column, left in enumerate(self._left):
            packed += left[self.height(column, cell)]
        return counted(packed)

    def _supply(self, labels: Labels) -> list[Few]:
        """For each kind how many cards can still be drawn."""
        task = self.task
        if task.stock is None:
            return [had - used for had, used in zip(task.supply, counted(labels.used), strict=True)]
        turned = np.minimum(labels.vain, len(task.stock))
        left = []
        for kind in range(KINDS):
            after = [task.stock[n:].count(kind) for n in range(len(task.stock) + 1)]
            left.append(np.array(after, np.int8)[turned])
        return left

    def _room(self, counts: list[Few], top: Ints) -> list[Few]:
        """On how many cards of each rank another one can be put, without any draw."""
        return [counts[rank] + (top == rank) + self._last.room[rank] for rank in range(13)]

    def _free(self, counts: list[Few], top: Ints) -> Few:
        """How many cards can lie on one that may be anything."""
        free: Few = counts[13] + self._last.free + (top > DEAD_QUEEN)
        return free

    def _unmet(self, counts: list[Few], room: list[Few]) -> Few:
        """So many cards of the columns find no card to lie on, where as many as possible do."""
        need = [counts[rank] + self._last.need[rank] for rank in range(13)]
        return unmet(self.task.steps.follow, need, room)


@dataclass(frozen=True, slots=True)
class _Last:
    """What the last moves need and offer: need, room: cards of each rank, (13,); free: cards that may be
    anything."""

    need: tuple[int, ...]
    room: tuple[int, ...]
    free: int

    @classmethod
    def of(cls, task: Task) -> _Last:
        need, room, free = [0] * 13, [0] * 13, 0
        for number, last in enumerate(task.last):
            rank = last.kinds[0] if len(last.kinds) == 1 else JOKER
            if last.column != DRAW and rank != JOKER:
                need[rank] += 1
            if number + 1 < len(task.last):
                if rank == JOKER:
                    free += 1
                else:
                    room[rank] += 1
        return cls(tuple(need), tuple(room), free)
