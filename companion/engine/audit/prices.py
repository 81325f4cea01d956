"""The least a way to the end costs from every state, at a price for each kind of card that is drawn.

`companion.engine.audit.costs` takes it that every rank can be drawn for ever.  Where a rank is scarce that
is too hopeful; a higher price on it shows how much, without following how often it was drawn: if the
cheapest way costs more than all the cards there are, at these prices, there is no way.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.tops import KINDS, NONE, TOPS

NEVER: Final = 30_000
"""The cost where the end is out of reach."""

Least = NDArray[np.uint16]


class Prices:
    """Least costs of a task.

    prices: of a draw of each kind, (KINDS,); last: of a draw in `task.last`.
    """

    def __init__(self, task: Task, prices: tuple[int, ...], last: int) -> None:
        self.task, self.prices, self.last = task, prices, last
        self.offers = _offers(task, prices)
        self._tables: list[Least] = []
        self._goals: list[list[list[int]]] = []

    def table(self, faults: int = 0) -> Least:
        """(TOPS, cells): the least cost from each state, rules broken `faults` times at most."""
        while len(self._tables) <= faults:
            self._tables.append(self._sweep(len(self._tables)))
        return self._tables[faults]

    def goal(self, faults: int = 0) -> list[list[int]]:
        """For each of the last moves, and the end, by top: the least cost from there."""
        while len(self._goals) <= faults:
            self._goals.append(self._goal_of(len(self._goals)))
        return self._goals[faults]

    def start(self, faults: int = 0) -> int:
        """The least cost of the whole way."""
        return min((int(self.table(faults)[top, -1]) for top in bits(self.task.start)), default=NEVER)

    def cheapest(self, faults: int = 0) -> list[int] | None:
        """How many cards of each kind the cheapest way draws before the last moves; None: there is none."""
        task, table = self.task, self.table
        cell, used = task.grid.cells - 1, [0] * KINDS
        top = min(bits(task.start), key=lambda top: int(table(faults)[top, cell]))
        if int(table(faults)[top, cell]) >= NEVER:
            return None
        while True:
            left = int(table(faults)[top, cell])
            if cell == 0 and self.goal(faults)[0][top] == left:
                return used
            step = self._cheap_step(cell, top, left, faults)
            top, faults = step.top, faults - step.fault
            if step.column == DRAW:
                used[step.kind] += 1
            else:
                cell = int(task.grid.below[step.column, cell])

    def _cheap_step(self, cell: int, top: int, left: int, faults: int) -> Step:
        task = self.task
        for column, cards in enumerate(task.columns):
            if height := int(task.grid.digits[column, cell]):
                below = int(task.grid.below[column, cell])
                for step in task.plays(column, cards[height - 1], top, faults > 0):
                    if int(self.table(faults - step.fault)[step.top, below]) == left:
                        return step
        fault = not task.may_draw(top, int(task.playable[cell]) if task.when_stuck else 0)
        for kind, drawn in task.drawable:
            if int(self.table(faults - fault)[drawn, cell]) + self.prices[kind] == left:
                return Step(DRAW, kind, drawn, fault)
        raise AssertionError("the costs lead nowhere")

    def _sweep(self, faults: int) -> Least:
        task, grid = self.task, self.task.grid
        cells, edges = grid.cells, task.edges
        table = np.full((TOPS, cells), NEVER, np.uint16)
        flat = table.reshape(-1)
        before = self._tables[faults - 1] if faults else None
        layers = list(zip(grid.starts, grid.starts[1:], strict=False))
        played = np.empty((len(edges) + 1, max(end - start for start, end in layers)), np.uint16)
        for start, end in layers:
            now, part = played[:, : end - start], table[:, start:end]
            now[:] = NEVER
            wrong = np.full(end - start, NEVER, np.uint16)
            for i in range(len(task.columns)):
                live = np.flatnonzero(grid.digits[i, start:end])
                tall = grid.digits[i, start:end][live]
                at = task.first_result[i][tall] * cells + grid.below[i, start:end][live]
                edge = task.first_edge[i][tall]
                now[edge, live] = np.minimum(now[edge, live], flat[at])
                if before is not None:
                    wrong[live] = np.minimum(wrong[live], before.reshape(-1)[at])
            for i, h, way in task.other_edges:
                here = np.flatnonzero(grid.digits[i, start:end] == h)
                below = grid.below[i, start + here]
                now[way, here] = np.minimum(now[way, here], table[edges[way].result, below])
                if before is not None:
                    wrong[here] = np.minimum(wrong[here], before[edges[way].result, below])
            for number, edge_ in enumerate(edges):
                for top in bits(edge_.sources):
                    np.minimum(part[top], now[number], out=part[top])
            if start == 0:
                part[:, 0] = np.minimum(part[:, 0], self.goal(faults)[0])
            if before is not None:
                np.minimum(part, wrong, out=part)
            if start > 0 or not task.over():
                self._draw(part, start, end, before)
        return table

    def _draw(self, part: Least, start: int, end: int, before: Least | None) -> None:
        task = self.task
        allowed = [top for top in range(TOPS) if top != NONE or task.draw_first]
        came = self._drawn(part)
        for top in allowed:
            if task.when_stuck:
                fits = task.playable[start:end] >> np.uint32(top) & np.uint32(1)
                np.minimum(part[top], np.where(fits, NEVER, came).astype(np.uint16), out=part[top])
            else:
                np.minimum(part[top], came, out=part[top])
        if task.when_stuck and before is not None:
            came = self._drawn(before[:, start:end])
            for top in allowed:
                np.minimum(part[top], came, out=part[top])

    def _drawn(self, part: Least) -> Least:
        """The least cost of drawing a card and going on from it."""
        came = np.full(part.shape[1], NEVER, np.uint16)
        for top, price in self.offers:
            np.minimum(came, part[top] + np.uint16(price), out=came)
        return np.minimum(came, NEVER).astype(np.uint16)

    def _goal_of(self, faults: int) -> list[list[int]]:
        rows = [[0] * TOPS]
        before = self._goals[faults - 1] if faults else None
        for number in range(len(self.task.last) - 1, -1, -1):
            row = [NEVER] * TOPS
            for top in range(TOPS):
                for step in self.task.last_moves(number, top, before is not None):
                    after = before[number + 1] if step.fault and before else rows[0]
                    price = self.last if step.column == DRAW else 0
                    row[top] = min(row[top], after[step.top] + price)
            rows.insert(0, row)
        return rows


def _offers(task: Task, prices: tuple[int, ...]) -> list[tuple[int, int]]:
    """For each top a draw can make, the lowest price."""
    lowest: dict[int, int] = {}
    for kind, top in task.drawable:
        lowest[top] = min(lowest.get(top, NEVER), prices[kind])
    return list(lowest.items())


def refuted(used: list[int], task: Task) -> list[int]:
    """For each kind how many cards more than there are a way draws; negative where some are left."""
    return [count - had for count, had in zip(used, task.supply, strict=True)]


__all__ = ["NEVER", "Any", "Prices", "refuted"]
