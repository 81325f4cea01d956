"""Where the order of the stock is known: after how many draws the end can be reached, from every state.

Bit n of a state's set says that the end can be reached from it when n cards have been drawn.  This is
exact, so a way follows from it at once.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np

from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.audit.walk import Stuck, Walk, Worths

HIGHEST: Final = 63
"""The most cards of a stock that a set can hold."""


class Stages(Walk):
    """The stages of a task, whose stock may have `HIGHEST` cards.

    ends: the set of numbers of draws that are right at the end.
    """

    none: ClassVar[int] = 0
    better: Any = np.bitwise_or

    def __init__(self, task: Task, ends: int) -> None:
        assert task.stock is not None
        super().__init__(task)
        self.most = min(len(task.stock), HIGHEST)
        self.kind: Any = np.uint32 if self.most < 32 else np.uint64
        self.ends = ends & ((1 << (self.most + 1)) - 1)
        self.turned = {
            kind: sum(1 << n for n, card in enumerate(task.stock) if card == kind) for kind in set(task.stock)
        }
        self.drawable = [(kind, top) for kind in self.turned for top in task.steps.draws[kind]]

    def start(self, faults: int = 0) -> bool:
        """Whether there is a way."""
        return any(int(self.table(faults)[top, -1]) & 1 for top in bits(self.task.start))

    def way(self, faults: int = 0) -> tuple[Step, ...]:
        """A way, where there is one."""
        task, way, drawn = self.task, list[Step](), 0
        cell = task.grid.cells - 1
        top = next(top for top in bits(task.start) if int(self.table(faults)[top, cell]) & 1)
        while not (cell == 0 and self.goal(faults)[0][top] >> drawn & 1):
            step = self._step(cell, top, drawn, faults)
            way.append(step)
            top, faults = step.top, faults - step.fault
            if step.column == DRAW:
                drawn += 1
            else:
                cell = int(task.grid.below[step.column, cell])
        for number in range(len(task.last)):
            step, drawn = self._last_step(number, top, drawn, faults)
            way.append(step)
            top, faults = step.top, faults - step.fault
        return tuple(way)

    def _step(self, cell: int, top: int, drawn: int, faults: int) -> Step:
        """A step after which the end is still in reach."""
        task = self.task
        for column, cards in enumerate(task.columns):
            if height := int(task.grid.digits[column, cell]):
                below = int(task.grid.below[column, cell])
                for step in task.plays(column, cards[height - 1], top, faults > 0):
                    if int(self.table(faults - step.fault)[step.top, below]) >> drawn & 1:
                        return step
        assert task.stock is not None
        kind = task.stock[drawn]
        fault = task.draw_is_wrong(top, cell)
        for turned in task.steps.draws[kind]:
            if int(self.table(faults - fault)[turned, cell]) >> (drawn + 1) & 1:
                return Step(DRAW, kind, turned, fault)
        raise AssertionError("the stages lead nowhere")

    def _last_step(self, number: int, top: int, drawn: int, faults: int) -> tuple[Step, int]:
        for step in self.task.last_moves(number, top, faults > 0):
            draws = step.column == DRAW
            if draws and not self.turned.get(step.kind, 0) >> drawn & 1:
                continue
            if self.goal(faults - step.fault)[number + 1][step.top] >> (drawn + draws) & 1:
                return step, drawn + draws
        raise AssertionError("the stages lead nowhere")

    def _end(self) -> int:
        return self.ends

    def _before_last(self, after: int, kind: int) -> int:
        return after >> 1 & self.turned.get(kind, 0)

    def _drawn(self, part: Worths) -> Worths:
        came = np.zeros(part.shape[1], self.kind)
        for kind, top in self.drawable:
            came |= part[top] >> self.kind(1) & self.kind(self.turned[kind])
        return came

    def _chained(self, came: Worths, stuck: Stuck) -> Worths:
        # passing: bit n where the n-th card of the stock, turned, lets the next be drawn.
        passing = np.zeros(len(came), self.kind)
        for kind, top in self.drawable:
            here = self.kind(self.turned[kind])
            passing |= here if stuck is None else np.where(stuck[top], here, 0).astype(self.kind)
        for shift in (1, 2, 4, 8, 16, 32)[: self.most.bit_length()]:
            came = came | came >> self.kind(shift) & passing
            passing &= passing >> self.kind(shift)
        return came
