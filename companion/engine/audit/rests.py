"""Which cards of a few scarce kinds suffice to reach the end from a state, the other kinds being plenty.

A bit stands for each number of cards of the scarce kinds that may be left to draw.  The bound is exact for
these kinds, where prices only weigh them against each other.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import Labels, drawn
from companion.engine.audit.task import Task
from companion.engine.audit.walk import Walk, Worths

WIDTH = 64
"""Bits of a set."""


class Rests(Walk):
    """The sets of a task.  kinds: the scarce ones, the scarcest first; as many are followed as there are
    bits for."""

    kind: Any = np.uint64
    none: ClassVar[int] = 0
    better: Any = np.bitwise_or

    def __init__(self, task: Task, kinds: list[int]) -> None:
        super().__init__(task)
        self.strides: dict[int, int] = {}
        self.size = 1
        for kind in kinds:
            if task.supply[kind] and self.size * (task.supply[kind] + 1) <= WIDTH:
                self.strides[kind] = self.size
                self.size *= task.supply[kind] + 1
        # once[kind]: the sets of which one card of a kind more is still one that there is.
        self._once = {
            kind: sum(
                1 << n for n in range(self.size) if n // stride % (task.supply[kind] + 1) < task.supply[kind]
            )
            for kind, stride in self.strides.items()
        }

    def suffices(self, labels: Labels) -> NDArray[np.bool_]:
        """For which labels the scarce cards that they have left suffice."""
        supply = self.task.supply
        left = np.zeros(len(labels), np.int64)
        for kind, stride in self.strides.items():
            left += stride * (supply[kind] - drawn(labels.used, kind))
        faults = int(labels.left.max(initial=0))
        sets: Any = self.table(0)[labels.top, labels.cell]
        if faults:
            each: list[Any] = [self.table(f)[labels.top, labels.cell] for f in range(faults + 1)]
            sets = np.choose(labels.left, each)
        enough: NDArray[np.bool_] = sets >> left.astype(np.uint64) & np.uint64(1) == 1
        return enough

    def _end(self) -> int:
        return (1 << self.size) - 1

    def _before_last(self, after: int, kind: int) -> int:
        return after

    def _drawn(self, part: Worths) -> Worths:
        came = np.zeros(part.shape[1], np.uint64)
        for kind, top in self.task.drawable:
            if kind in self.strides:
                came |= (part[top] & np.uint64(self._once[kind])) << np.uint64(self.strides[kind])
            else:
                came |= part[top]
        return came
