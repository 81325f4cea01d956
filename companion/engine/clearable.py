"""Can any order of the unseen cards clear a table?  The rule `redeal_impossible` asks.

A draw may turn any unseen card.  First the supply of each kind is taken as endless; one sweep then gives
the fewest draws that clear the table, or says that no number does.  A way that uses no kind more often
than there are cards is a real one.  Where there is none among the first that are tried, the kinds that
were used too often are counted from then on: the sweep is repeated for each number of them that can have
been drawn.  With all of them counted the answer is the truth at the latest.

Double Golf and Black Hole are too big for sweeps: a check's search says it, where it stays within its limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from companion.engine.audit.task import DRAW, Task
from companion.engine.audit.wide import Undecided, WidePaths
from companion.engine.audit.words import Ranks, Reason
from companion.engine.board import Board, board
from companion.engine.errors import EngineError
from companion.engine.lattice import LIMIT, Lattice, lattice, size
from companion.engine.sweep import STAGES, Drawing, StageSets, drawable, stage_sets
from companion.engine.tops import TOPS
from companion.game import Position

_LEVELS: Final = 200
"""Sweeps for one question before it is given up; no deal of a preset comes near."""
_TRIES: Final = 5_000
"""Steps of the search for a way that keeps to the supply, before kinds are counted."""

Used = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Clearable:
    """The answer."""

    possible: bool
    why: Reason | None
    """Why not."""
    draws: int
    """The draws of one way to clear the table, were the stock in the right order; -1 where there is none."""

    @property
    def reason(self) -> str:
        """Why not, in English; empty where it is possible."""
        return "" if self.why is None else str(self.why)


def clearable(position: Position) -> Clearable:
    """Whether some order of the unseen cards lets the table be cleared.  Raises `EngineError`."""
    table = board(position).with_hidden_stock()
    if not table.count:
        return Clearable(True, None, 0)
    if size(table.heights) > LIMIT or table.left >= STAGES:
        return _of_big(table)
    counted: tuple[int, ...] = ()
    while True:
        supply = _Supply(table, counted)
        way = supply.way()
        if way is None:
            return Clearable(False, _reason(table, supply), -1)
        over = {k for k in way if way.count(k) > table.unseen[k]}
        if not over:
            return Clearable(True, None, len(way))
        counted = tuple(sorted({*counted, *over}))


def _of_big(table: Board) -> Clearable:
    """The same for a table too big for sweeps.  Raises `EngineError` where the search meets its limit."""
    task = Task(
        steps=table.steps,
        columns=tuple(tuple((kind,) for kind in column) for column in table.columns),
        start=1 << table.top,
        supply=table.unseen,
        under=((),) * len(table.columns),
        when_stuck=table.draw_when_stuck,
        draw_first=table.draw_first,
        most=table.left,
    )
    paths = WidePaths(task)
    try:
        way = paths.fewest(0, table.left)
    except Undecided:
        raise EngineError(
            f"too big a table to say whether it can be cleared, columns: {len(table.columns)!r}"
        ) from None
    if way is not None:
        return Clearable(True, None, sum(step.column == DRAW for step in way))
    if paths.least > table.left:
        return Clearable(False, Reason.of("redeal.draws", fewest=paths.least, held=table.left), -1)
    return Clearable(False, Reason.of("redeal.supply"), -1)


class _Supply:
    """What can be reached when only some kinds are counted.

    levels: for each number of counted cards drawn, the stage sets that are reached then.
    """

    def __init__(self, table: Board, counted: tuple[int, ...]) -> None:
        self.table, self.counted = table, counted
        self.grid: Lattice = lattice(table.heights)
        self.free = drawable(table, counted)
        self.drawing = Drawing(table, self.free)
        levels = list(product(*(range(table.unseen[k] + 1) for k in counted)))
        if len(levels) > _LEVELS:
            raise EngineError(f"whether the table can be cleared takes too long to say, counted: {counted!r}")
        self.levels: dict[Used, StageSets] = {}
        for used in sorted(levels, key=lambda used: (sum(used), used)):
            if sum(used) <= table.left:
                self.levels[used] = stage_sets(table, self.free, self._seeds(used) if any(used) else None)

    def _seeds(self, used: Used) -> StageSets:
        """The states that a draw of a counted kind leads to."""
        seeds = np.zeros((TOPS, self.grid.cells + 1), np.uint32)
        for place, kind in enumerate(self.counted):
            if used[place]:
                before = self.levels[_less(used, place)]
                ready, _ = self.drawing.ready(before[:, :-1], self.grid.digits)
                # Nothing is drawn once the table is cleared.
                ready[0] = 0
                for top in self.table.steps.draws[kind]:
                    seeds[top, :-1] |= ready << np.uint32(1) & self.drawing.full
        return seeds

    def fewest(self) -> int:
        """The cell with the fewest cards left in the tableau."""
        reached = np.zeros(self.grid.cells, np.uint32)
        for sets in self.levels.values():
            reached |= np.bitwise_or.reduce(sets[:, :-1], axis=0)
        return int(np.flatnonzero(reached)[0])

    def way(self) -> list[int] | None:
        """The kinds drawn on a way to clear the table, within the supply if such a way is found; or None."""
        first: list[int] | None = None
        steps = 0
        for used, top, stage in self._cleared():
            # Goes back from the cleared table, the likelier steps first; a step is never tried twice.
            stack: list[tuple[int, int, int, Used, tuple[int, ...]]] = [(0, top, stage, used, ())]
            seen = set()
            while stack and steps < _TRIES:
                cell, top, stage, used, drawn = stack.pop()
                if cell == self.grid.cells - 1 and top == self.table.top and not stage and not any(used):
                    kinds = list(drawn)
                    if all(kinds.count(k) <= self.table.unseen[k] for k in kinds):
                        return kinds
                    first = first or kinds
                    continue
                state = (cell, top, stage, used, tuple(sorted(drawn)))
                if state in seen:
                    continue
                seen.add(state)
                steps += 1
                stack += sorted(
                    self._before(cell, top, stage, used, drawn), key=lambda s: -self._excess(s[4])
                )
        return first

    def _excess(self, drawn: tuple[int, ...]) -> int:
        return sum(max(0, drawn.count(k) - self.table.unseen[k]) for k in set(drawn))

    def _cleared(self) -> Iterator[tuple[Used, int, int]]:
        """The states in which the table is cleared, fewest draws first."""
        found = []
        for used, sets in self.levels.items():
            for top in range(TOPS):
                bits = int(sets[top, 0])
                found += [(stage, used, top) for stage in range(self.table.left + 1) if bits >> stage & 1]
        for stage, used, top in sorted(found):
            yield used, top, stage

    def _before(
        self, cell: int, top: int, stage: int, used: Used, drawn: tuple[int, ...]
    ) -> Iterator[tuple[int, int, int, Used, tuple[int, ...]]]:
        """The states that lead to a state in one move."""
        table, grid = self.table, self.grid
        sets = self.levels[used]
        heights = tuple(int(h) for h in grid.digits[:, cell])
        if stage and cell:
            for kind, count in enumerate(table.unseen):
                if not count or top not in table.steps.draws[kind]:
                    continue
                if kind in self.counted:
                    place = self.counted.index(kind)
                    if not used[place]:
                        continue
                    earlier = _less(used, place)
                else:
                    earlier = used
                for before in range(TOPS):
                    if self.levels[earlier][before, cell] >> (stage - 1) & 1 and table.may_draw(
                        heights, before
                    ):
                        yield cell, before, stage - 1, earlier, (*drawn, kind)
        for i, height in enumerate(heights):
            if height == table.heights[i]:
                continue
            above = int(grid.above[i, cell])
            for edge in table.steps.plays[table.columns[i][height]]:
                if edge.result == top:
                    for before in range(TOPS):
                        if edge.sources >> before & 1 and sets[before, above] >> stage & 1:
                            yield above, before, stage, used, drawn


def _less(used: Used, place: int) -> Used:
    return (*used[:place], used[place] - 1, *used[place + 1 :])


def _reason(table: Board, supply: _Supply) -> Reason:
    """Why no order of the unseen cards clears a table."""
    if not supply.counted:
        longer = stage_sets(replace(table, left=STAGES - 1), drawable(replace(table, left=STAGES - 1)))
        bits = int(np.bitwise_or.reduce(longer[:, 0]))
        if bits:
            fewest = (bits & -bits).bit_length() - 1
            return Reason.of("redeal.draws", fewest=fewest, held=table.left)
    cell = supply.fewest()
    heights = supply.grid.digits[:, cell]
    stay = int(heights.sum())
    if supply.counted:
        short = Ranks(tuple((k, table.unseen[k]) for k in supply.counted))
        return Reason.of("redeal.short", stay=stay, short=short)
    exposed = {column[h - 1] for column, h in zip(table.columns, heights, strict=True) if h}
    needed = sorted({t for k in exposed for t in range(13) if table.steps.follow[k] >> t & 1})
    blocked = Ranks(tuple((k, 0) for k in sorted(exposed)))
    return Reason.of(
        "redeal.blocked", stay=stay, blocked=blocked, needed=Ranks(tuple((t, -1) for t in needed))
    )
