"""One pass over the lattice of heights, from the end of a step to its start.

A state is how many cards have still to leave each column, and the top of the discard.  What a state is
worth follows from the states after it, so a layer of the lattice at a time is worked out whole.  What a
worth is, and which of two is better, the children say: `Least` and `Stages`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.task import DRAW, Layer, Task, bits
from companion.engine.tops import NONE, TOPS

Worths = Any
"""Arrays of worths, of the unsigned type of the walk."""
Stuck = dict[int, NDArray[np.bool_]] | None
"""For each top the cells where it lets a card be drawn; None where every top does."""


class Walk(ABC):
    """The worth of every state of a task, whose lattice must fit `companion.engine.lattice.LIMIT`."""

    kind: Any
    """The type of a worth."""
    none: ClassVar[int]
    """The worth of a state from which the end can't be reached."""
    better: Any
    """The better of two worths, or both in one: a binary function of numpy."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._tables: list[Worths] = []
        self._goals: list[list[list[int]]] = []

    def table(self, faults: int = 0) -> Worths:
        """(TOPS, cells): the worth of each state, rules broken `faults` times at most."""
        while len(self._tables) <= faults:
            self._tables.append(self._sweep(len(self._tables)))
        return self._tables[faults]

    @property
    def sweeps(self) -> int:
        """How many tables were worked out: for no wrong move, for one, and so on."""
        return len(self._tables)

    def goal(self, faults: int = 0) -> list[list[int]]:
        """For each of the last moves, and the end, by top: the worth there."""
        while len(self._goals) <= faults:
            self._goals.append(self._goal_of(len(self._goals)))
        return self._goals[faults]

    @abstractmethod
    def _end(self) -> int:
        """The worth of the end."""

    @abstractmethod
    def _before_last(self, after: int, kind: int) -> int:
        """The worth before a draw of the last moves."""

    @abstractmethod
    def _drawn(self, part: Worths) -> Worths:
        """(cells,): the worth of drawing a card, whichever serves best, and going on from it."""

    def _chained(self, came: Worths, stuck: Stuck) -> Worths:
        """The same for one card or several in a row; several are no better where the fewest are wanted."""
        return came

    def _sweep(self, faults: int) -> Worths:
        task, cells = self.task, self.task.grid.cells
        edges, better = task.edges, self.better
        table = np.full((TOPS, cells), self.none, self.kind)
        flat = table.reshape(-1)
        before = self._tables[faults - 1] if faults else None
        widest = max(layer.end - layer.start for layer in task.layers)
        # played[e]: the worth of playing along edge e, in the layer in hand.
        played = np.empty(len(edges) * widest, self.kind)
        for layer in task.layers:
            start, end = layer.start, layer.end
            each, part = played[: len(edges) * (end - start)], table[:, start:end]
            each[:] = self.none
            for plays in layer.plays:
                each[plays.edge] = better(each.take(plays.edge), flat.take(plays.at))
            now = each.reshape(len(edges), -1)
            for other in layer.others:
                for way in other.edges:
                    after = table[edges[way].result, other.below]
                    now[way, other.here] = better(now[way, other.here], after)
            for number, edge in enumerate(edges):
                for top in bits(edge.sources):
                    better(part[top], now[number], out=part[top])
            if start == 0:
                part[:, 0] = better(part[:, 0], np.array(self.goal(faults)[0], self.kind))
            if before is not None:
                self._misplay(part, layer, before)
            self._draw(part, start, end, before)
        return table

    def _misplay(self, part: Worths, layer: Layer, before: Worths) -> None:
        """Adds what follows when cards are put where they don't fit."""
        task, flat = self.task, before.reshape(-1)
        wrong = np.full(layer.end - layer.start, self.none, self.kind)
        for plays in layer.plays:
            # Where the card fits after all, the play that is allowed is as good; one edge, one result.
            here, at = plays.here[plays.only], plays.at[plays.only]
            wrong[here] = self.better(wrong[here], flat[at])
        self.better(part, wrong, out=part)
        for other in layer.others:
            for kind in other.card:
                for tops, result in task.misfits(kind):
                    after = before[result, other.below]
                    for top in bits(tops):
                        part[top, other.here] = self.better(part[top, other.here], after)

    def _draw(self, part: Worths, start: int, end: int, before: Worths | None) -> None:
        """Adds to the states of a layer what draws make of them."""
        task, better = self.task, self.better
        over = start == 0 and task.over()
        allowed = [top for top in range(TOPS) if not over and (top != NONE or task.draw_first)]
        stuck: Stuck = None
        if task.when_stuck:
            playable = task.playable[start:end]
            stuck = {top: playable >> np.uint32(top) & np.uint32(1) == 0 for top in range(TOPS)}
        came = self._chained(self._drawn(part), stuck) if allowed else part[0]
        for top in allowed:
            here = came if stuck is None else np.where(stuck[top], came, self.none).astype(self.kind)
            better(part[top], here, out=part[top])
        wrong = range(TOPS) if task.when_stuck or over else () if task.draw_first else (NONE,)
        if wrong and before is not None:
            came = self._drawn(before[:, start:end])
            for top in wrong:
                better(part[top], came, out=part[top])

    def _goal_of(self, faults: int) -> list[list[int]]:
        rows = [[self._end()] * TOPS]
        before = self._goals[faults - 1] if faults else None
        for number in range(len(self.task.last) - 1, -1, -1):
            row = [self.none] * TOPS
            for top in range(TOPS):
                for step in self.task.last_moves(number, top, before is not None):
                    after = (before[number + 1] if step.fault and before else rows[0])[step.top]
                    worth = self._before_last(after, step.kind) if step.column == DRAW else after
                    row[top] = int(self.better(self.kind(row[top]), self.kind(worth)))
            rows.insert(0, row)
        return rows
