"""With how many draws the end can be reached from every state, if each unseen rank could be drawn for ever.

A state is how many cards have gone from each column, and the top of the discard.  One pass over the
lattice of heights, from the end to the start, gives every state a set: bit n says that the end can be
reached with n draws.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.tops import NONE, TOPS

HIGHEST: Final = 63
"""The highest cost a set can hold."""

Sets = Any
"""Arrays of sets of numbers of draws, uint32 or uint64."""


class Costs:
    """The numbers of draws from every state of a task.

    most: the most draws that matter, at most `HIGHEST`.
    """

    def __init__(self, task: Task, most: int) -> None:
        self.task = task
        self.most = min(most, HIGHEST)
        self.kind: Any = np.uint32 if self.most < 32 else np.uint64
        self.full = (1 << (self.most + 1)) - 1
        self._tables: list[Sets] = []
        self._goals: list[list[list[int]]] = []

    def table(self, faults: int = 0) -> Sets:
        """(TOPS, cells): the costs from each state, rules broken `faults` times at most."""
        while len(self._tables) <= faults:
            self._tables.append(self._sweep(len(self._tables)))
        return self._tables[faults]

    def goal(self, faults: int = 0) -> list[list[int]]:
        """For each of the last moves, and the end, by top: the costs from there."""
        while len(self._goals) <= faults:
            self._goals.append(self._goal_of(len(self._goals)))
        return self._goals[faults]

    def start(self, faults: int = 0) -> int:
        """The set of costs of the whole way."""
        table, result = self.table(faults), 0
        for top in bits(self.task.start):
            result |= int(table[top, -1])
        return result & self.full

    def _sweep(self, faults: int) -> Sets:
        task, grid = self.task, self.task.grid
        cells, edges = grid.cells, task.edges
        table = np.zeros((TOPS, cells), self.kind)
        flat = table.reshape(-1)
        before = self._tables[faults - 1] if faults else None
        layers = list(zip(grid.starts, grid.starts[1:], strict=False))
        # played[e]: the costs after the plays along edge e, in the layer in hand; the last row: for nothing.
        played = np.zeros((len(edges) + 1, max(end - start for start, end in layers)), self.kind)
        for start, end in layers:
            now = played[:, : end - start]
            now[:] = 0
            wrong = np.zeros(end - start, self.kind)
            for i in range(len(task.columns)):
                height = grid.digits[i, start:end]
                live = np.flatnonzero(height)
                tall = height[live]
                at = task.first_result[i][tall] * cells + grid.below[i, start:end][live]
                now[task.first_edge[i][tall], live] |= flat[at]
                if before is not None:
                    wrong[live] |= before.reshape(-1)[at]
            for i, h, edge in task.other_edges:
                here = np.flatnonzero(grid.digits[i, start:end] == h)
                below = grid.below[i, start + here]
                now[edge, here] |= table[edges[edge].result, below]
                if before is not None:
                    wrong[here] |= before[edges[edge].result, below]
            part = table[:, start:end]
            for number, edge_ in enumerate(edges):
                if now[number].any():
                    for top in bits(edge_.sources):
                        part[top] |= now[number]
            if start == 0:
                part[:, 0] |= np.array([mask & self.full for mask in self.goal(faults)[0]], self.kind)
            if before is not None:
                part |= wrong
            if start > 0 or not task.over():
                self._draw(part, start, end, before)
        return table

    def _draw(self, part: Sets, start: int, end: int, before: Sets | None) -> None:
        """Adds to the states of a layer what draws make of them."""
        task = self.task
        allowed = [top for top in range(TOPS) if top != NONE or task.draw_first]
        came = self._drawn(part)
        if not task.when_stuck:
            came = self._chained(came, None)
            for top in allowed:
                part[top] |= came
            return
        playable = task.playable[start:end]
        stuck = {top: playable >> np.uint32(top) & np.uint32(1) == 0 for top in range(TOPS)}
        came = self._chained(came, stuck)
        for top in allowed:
            part[top] |= np.where(stuck[top], came, 0).astype(self.kind)
        if before is not None:
            came = self._drawn(before[:, start:end])
            for top in allowed:
                part[top] |= came

    def _drawn(self, part: Sets) -> Sets:
        """The costs of drawing a card, whichever serves best, and going on from it."""
        came = np.zeros(part.shape[1], self.kind)
        for top in {top for _, top in self.task.drawable}:
            came |= part[top] << self.kind(1)
        return came & self.kind(self.full)

    def _chained(self, came: Sets, stuck: dict[int, NDArray[np.bool_]] | None) -> Sets:
        """The costs of drawing once or more; stuck: for each top the cells where it lets a card be drawn."""
        again = _upwards(came) & self.kind(self.full)
        if stuck is None:
            return again
        chain = np.zeros(len(came), bool)
        for _, top in self.task.drawable:
            chain |= stuck[top]
        return np.where(chain, again, came).astype(self.kind)

    def _end(self) -> int:
        """The set of costs at the end."""
        return 1

    def _before_last(self, after: int, kind: int) -> int:
        """The costs before a draw of the last moves."""
        return after << 1

    def _goal_of(self, faults: int) -> list[list[int]]:
        rows = [[self._end()] * TOPS]
        before = self._goals[faults - 1] if faults else None
        for number in range(len(self.task.last) - 1, -1, -1):
            row = [0] * TOPS
            for top in range(TOPS):
                for step in self.task.last_moves(number, top, before is not None):
                    after = before[number + 1] if step.fault and before else rows[0]
                    left = after[step.top]
                    row[top] |= self._before_last(left, step.kind) if step.column == DRAW else left
            rows.insert(0, row)
        return rows


class Stages(Costs):
    """Where the order of the stock is known: bit n now says that the end can be reached after n draws.

    ends: the set of numbers of draws that are right at the end.
    """

    def __init__(self, task: Task, ends: int) -> None:
        assert task.stock is not None
        super().__init__(task, len(task.stock))
        self.ends = ends & self.full
        self.turned = {
            kind: sum(1 << n for n, card in enumerate(task.stock) if card == kind) for kind in set(task.stock)
        }
        self.drawable = [(kind, top) for kind in self.turned for top in task.steps.draws[kind]]

    def _end(self) -> int:
        return self.ends

    def _before_last(self, after: int, kind: int) -> int:
        return after >> 1 & self.turned.get(kind, 0)

    def _drawn(self, part: Sets) -> Sets:
        came = np.zeros(part.shape[1], self.kind)
        for kind, top in self.drawable:
            came |= part[top] >> self.kind(1) & self.kind(self.turned[kind])
        return came

    def _chained(self, came: Sets, stuck: dict[int, NDArray[np.bool_]] | None) -> Sets:
        # passing: bit n where the n-th card of the stock, turned, lets the next be drawn.
        passing = np.zeros(len(came), self.kind)
        for kind, top in self.drawable:
            here = self.kind(self.turned[kind])
            passing |= here if stuck is None else np.where(stuck[top], here, 0).astype(self.kind)
        for shift in (1, 2, 4, 8, 16, 32)[: self.most.bit_length()]:
            came = came | came >> self.kind(shift) & passing
            passing &= passing >> self.kind(shift)
        return came

    def way(self, faults: int = 0) -> tuple[Step, ...]:
        """The way that the stages lead along, where there is one."""
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
        fault = not task.may_draw(top, int(task.playable[cell]))
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


def _upwards(sets: Sets) -> Sets:
    """Each set with all numbers above its least: a card more can be drawn before any draw."""
    one = sets.dtype.type(1)
    lowest = sets & (~sets + one)
    return np.where(sets > 0, ~(lowest - one), 0).astype(sets.dtype)
