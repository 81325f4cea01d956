"""The states that a search goes through, and how far from each of them the end is at least.

`Narrow`: a full table of one deck and smaller ones; costs are worked out for every state beforehand.
`Wide`: Double Golf and Black Hole; a count of ranks stands in for costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import Ints, Labels, drawn
from companion.engine.audit.least import Bound
from companion.engine.audit.rests import Rests
from companion.engine.audit.task import Task
from companion.engine.lattice import strides
from companion.engine.tops import DEAD_QUEEN, JOKER, KINDS


class Narrow:
    """The cells of a task's lattice; bounds: what ways can't cost more than; rests: which scarce cards
    suffice, all of them counted by the search."""

    def __init__(self, task: Task, bounds: Sequence[Bound], faults: int, rests: Sequence[Rests] = ()) -> None:
        self.task, self.bounds, self.rests = task, bounds, rests
        self.prices = [bound.least.prices for bound in bounds]
        self.start = task.grid.cells - 1
        self._tables = [[bound.least.table(f) for f in range(faults + 1)] for bound in bounds]

    def height(self, column: int, cell: Ints) -> Ints:
        height: Ints = self.task.grid.digits[column, cell].astype(np.int64)
        return height

    def below(self, column: int, cell: Ints) -> Ints:
        below: Ints = self.task.grid.below[column, cell].astype(np.int64)
        return below

    def playable(self, cell: Ints) -> Ints:
        mask: Ints = self.task.playable[cell].astype(np.int64)
        return mask

    def within(self, labels: Labels, draws: int) -> NDArray[np.bool_]:
        ok = np.ones(len(labels), np.bool_)
        for number, bound in enumerate(self.bounds):
            ok &= labels.cost[number] + self._rest(labels, number) <= bound.budget(draws)
        for rests in self.rests:
            at = np.flatnonzero(ok)
            ok[at] = rests.suffices(labels.take(at))
        return ok

    def promise(self, labels: Labels) -> Ints:
        dearest = len(self.bounds) - 1
        cost: Ints = (labels.cost[dearest] + self._rest(labels, dearest)).astype(np.int64)
        return cost

    def _rest(self, labels: Labels, number: int) -> NDArray[np.int32]:
        """What it costs at least from each label on."""
        tables = self._tables[number]
        if len(tables) == 1:
            rest: Any = tables[0][labels.top, labels.cell]
        else:
            each: list[Any] = [table[labels.top, labels.cell] for table in tables]
            rest = np.choose(labels.left, each)
        cost: NDArray[np.int32] = rest.astype(np.int32)
        return cost


class Wide:
    """Heights in mixed radix; how few runs the cards that are left can be strung into bounds a way.

    taste: what makes a label likely besides: `level`, that the columns are of equal height; `even`, that
    there are as many cards of each rank left as of its neighbours.
    """

    def __init__(self, task: Task, taste: str = "level") -> None:
        self.task, self.taste = task, taste
        self.prices: list[tuple[int, ...]] = [(1,) * KINDS]
        self._strides, self._sizes = strides(task.heights), [height + 1 for height in task.heights]
        self.start = sum(h * stride for h, stride in zip(task.heights, self._strides, strict=True))
        self._sure = all(len(card) == 1 for column in task.columns for card in column)
        # left[i][h]: the cards of each kind among the h that have still to leave column i, packed.
        self._left = [
            np.cumsum([0, *(1 << 4 * card[0] for card in column)], dtype=np.uint64) for column in task.columns
        ]
        exposed = task.exposed_before(0)
        self._follow = [
            np.array([task.certain(card) for card in (exposed[i], *column)], np.int64)
            for i, column in enumerate(task.columns)
        ]
        self._idle = task.follow_idle()

    def height(self, column: int, cell: Ints) -> Ints:
        height: Ints = cell // self._strides[column] % self._sizes[column]
        return height

    def below(self, column: int, cell: Ints) -> Ints:
        return cell - self._strides[column]

    def playable(self, cell: Ints) -> Ints:
        mask = np.full(len(cell), self._idle, np.int64)
        for column, follow in enumerate(self._follow):
            mask |= follow[self.height(column, cell)]
        return mask

    def within(self, labels: Labels, draws: int) -> NDArray[np.bool_]:
        spent: Ints = labels.cost[0].astype(np.int64)
        if self._sure and len(labels):
            spent = spent + self._fewest(self._counts(labels.cell), labels.top)
        ok: NDArray[np.bool_] = spent <= draws + 2 * labels.left
        return ok

    def promise(self, labels: Labels) -> Ints:
        counts = self._counts(labels.cell)
        likely: Ints = np.zeros(len(labels), np.int64)
        if self.taste == "level":
            for column in range(len(self._left)):
                likely = likely + self.height(column, labels.cell) ** 2
        else:
            for rank in range(13):
                likely = likely + (counts[rank] - counts[rank - 1]) ** 2
        spent = labels.cost[0].astype(np.int64)
        promise: Ints = 1000 * (spent + self._fewest(counts, labels.top)) + likely
        return promise

    def _counts(self, cell: Ints) -> list[Ints]:
        """For each kind how many of it have still to leave the columns; ranks, then jokers."""
        packed = np.zeros(len(cell), np.uint64)
        for column, left in enumerate(self._left):
            packed += left[self.height(column, cell)]
        return [drawn(packed, kind) for kind in (*range(13), JOKER)]

    def _fewest(self, counts: list[Ints], top: Ints) -> Ints:
        """So many cards of each kind can't be played on a top with fewer draws.

        Each card joins at most two others of its run; as many joints as ranks allow are counted.
        """
        follow = self.task.steps.follow
        ends = not follow[11] >> 12 & 1  # nothing follows a king, so a king ends its run
        room = [2 * counts[rank] + (top == rank) for rank in range(12)]
        room.append(counts[12] if ends else 2 * counts[12] + (top == 12))
        total = sum(counts[:13], np.zeros(len(top), np.int64))
        best = _joints(room, 0)
        if follow[0] >> 12 & 1:
            most = np.minimum(room[0], room[12])
            for across in range(1, int(most.max(initial=0)) + 1):
                best = np.where(most >= across, np.maximum(best, _joints(room, across)), best)
        fewest = np.maximum(0, total - best - 2 * counts[13])
        # On a joker or an empty discard anything may be played.
        bound: Ints = np.where(top <= DEAD_QUEEN, fewest, np.maximum(0, fewest - 1))
        return bound


def _joints(room: list[Ints], across: int) -> Ints:
    """The most neighbours that ranks with so much room can have, so many of them from ace to king."""
    joints: Ints = np.full(len(room[0]), across, np.int64)
    left = room[0] - across
    for rank in range(1, 13):
        here = room[rank] - (across if rank == 12 else 0)
        joined = np.minimum(left, here)
        joints = joints + joined
        left = here - joined
    return joints
