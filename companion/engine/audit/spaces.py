"""The states that a search goes through, and how far from each of them the end is at least.

`Narrow`: a full table of one deck and smaller ones; costs are worked out for every state beforehand.
`Wide`: Double Golf and Black Hole; a count of ranks stands in for costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import Ints, Labels
from companion.engine.audit.least import Bound
from companion.engine.audit.rests import Rests
from companion.engine.audit.task import Task
from companion.engine.lattice import strides
from companion.engine.tops import JOKER, KINDS


class Narrow:
    """The cells of a task's lattice; bounds: what ways can't cost more than; rests: which scarce cards
    suffice, all of them counted by the search."""

    def __init__(self, task: Task, bounds: Sequence[Bound], faults: int, rests: Rests | None = None) -> None:
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
        if self.rests is not None:
            at = np.flatnonzero(ok)
            ok[at] = self.rests.suffices(labels.take(at))
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
    """Heights in mixed radix; how few runs the cards that are left can be strung into bounds a way."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.prices: list[tuple[int, ...]] = [(1,) * KINDS]
        self._strides, self._sizes = strides(task.heights), [height + 1 for height in task.heights]
        self.start = sum(h * stride for h, stride in zip(task.heights, self._strides, strict=True))
        self._sure = all(len(card) == 1 for column in task.columns for card in column)
        # left[i][h, k]: the cards of a kind among the h that have still to leave column i.
        self._left = [
            np.array([[sum(card[0] == k for card in column[:h]) for k in range(KINDS)]
                      for h in range(len(column) + 1)], np.int16)
            for column in task.columns
        ]  # fmt: skip
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
        ok: NDArray[np.bool_] = self.promise(labels) <= draws + 2 * labels.left
        return ok

    def promise(self, labels: Labels) -> Ints:
        spent: Ints = labels.cost[0].astype(np.int64)
        if not self._sure or not len(labels):
            return spent
        counts = sum(
            self._left[i][self.height(i, labels.cell)].astype(np.int32) for i in range(len(self._left))
        )
        return spent + self._fewest(counts, labels.top)

    def _fewest(self, counts: Any, top: Ints) -> Ints:
        """So many cards of each kind, (n, KINDS), can't be played on a top with fewer draws.

        Each card joins at most two others of its run; as many joints as ranks allow are counted.
        """
        follow = self.task.steps.follow
        ends = not follow[11] >> 12 & 1  # nothing follows a king, so a king ends its run
        room = 2 * counts[:, :13]
        if ends:
            room[:, 12] = counts[:, 12]
        plain = top < 13
        here = np.flatnonzero(plain & ~(ends & (top == 12)))
        room[here, top[here]] += 1
        total, jokers = counts[:, :13].sum(1), counts[:, JOKER]
        best = _joints(room, np.zeros(len(top), np.int64))
        if follow[0] >> 12 & 1:
            for across in range(1, int(np.minimum(room[:, 0], room[:, 12]).max(initial=0)) + 1):
                can = np.minimum(room[:, 0], room[:, 12]) >= across
                joints = _joints(room, np.full(len(top), across, np.int64))
                best = np.where(can, np.maximum(best, joints), best)
        fewest = np.maximum(0, total - best - 2 * jokers)
        # On a joker or an empty discard anything may be played.
        bound: Ints = np.where(plain | (top == 13), fewest, np.maximum(0, fewest - 1))
        return bound


def _joints(room: Any, across: Ints) -> Ints:
    """The most neighbours that ranks with so much room can have, so many of them from ace to king."""
    joints, left = across.copy(), room[:, 0] - across
    for rank in range(1, 13):
        here = room[:, rank] - (across if rank == 12 else 0)
        joined = np.minimum(left, here)
        joints = joints + joined
        left = here - joined
    return joints
