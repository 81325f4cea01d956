"""The pass of the expectation in numpy that values what is reached; see `companion.engine.expect`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from companion.engine.blocks import in_blocks, near_kinds
from companion.engine.drawing import Stage
from companion.engine.drawn import Floats, Integers
from companion.engine.reached import THREADS, Layer, Table
from companion.engine.rows import FAR, Rows, lay_out
from companion.engine.tops import TOPS
from companion.engine.values import NEVER, Ends, Root


@dataclass(frozen=True, slots=True)
class _Valued:
    """A layer, its rows and their values, shape (rows, lanes); the first row is NEVER, the last one is 0."""

    layer: Layer
    rows: Rows
    best: Floats


def values(table: Table, layers: list[Layer], ends: Ends) -> Root:
    """The values of all that is reached.  ends: of a single order of the draws."""
    return _Backward(table, layers, ends).run(layers)


class _Backward:
    def __init__(self, table: Table, layers: list[Layer], ends: Ends) -> None:
        self.table, self.ends = table, ends
        drawn = table.drawn
        self.blocks = in_blocks(drawn, near_kinds(drawn, layers), table.board.left)
        self.cleared = np.append(ends.cleared[drawn.stage] * drawn.many, 0.0)[self.blocks.hand]
        self.stages = list(pairwise(self.blocks.starts.tolist()))
        # Whether the stock may be used up in a stage, and which far kinds can be drawn.
        self.ends_in = [bool(self.blocks.last[begin:end].any()) for begin, end in self.stages]
        can = self.blocks.after < len(self.blocks.hand)
        self.goes_on = [np.flatnonzero(can[:, begin:end].any(axis=1)).tolist() for begin, end in self.stages]
        self.near = [table.draws[q] for q in self.blocks.near]
        self.far = [table.draws[q] for q in self.blocks.far]
        self.place = np.full(table.grid.cells + 1, -1)
        for layer in layers:
            self.place[layer.cells] = np.arange(len(layer.cells))
        self.room: list[Floats] = [np.empty(0), np.empty(0)]
        self.steps: dict[int, list[tuple[int, int, float]]] = {}
        for lane, j, after, weight in self.blocks.steps:
            self.steps.setdefault(lane, []).append((j, after, weight))

    def run(self, layers: list[Layer]) -> Root:
        grid, board, upwards = self.table.grid, self.table.board, layers[::-1]
        play: dict[tuple[int, int], float] = {}
        draw: dict[int, float] = {}
        below: _Valued | None = None
        with ThreadPoolExecutor(THREADS) as pool:
            laid_out = pool.map(partial(lay_out, self.table, self.blocks), upwards)
            for layer, rows in zip(upwards, laid_out, strict=True):
                now = _Valued(layer, rows, self._room(rows.size))
                if layer.cells[0] == 0:
                    now.best[1:-1] = self.cleared[rows.live[0]]
                else:
                    # Each thread changes its own rows.
                    jobs = [_Part(self, now, below, number) for number in range(len(rows.cases.parts))]
                    list(pool.map(_Part.run, jobs))
                self._tell(now, play, draw)
                below = now
        return Root(
            lambda top, index: play[top, int(grid.cell[index])],
            lambda index: draw[int(grid.cell[index])] if board.left else float("inf"),
            sum(int(layer.counts.sum()) for layer in layers),
        )

    def _room(self, rows: int) -> Floats:
        """The room of the layer before last is free again; to get more of it costs as long as to fill it."""
        lanes = self.blocks.hand.shape[1]
        if rows * lanes > len(self.room[0]):
            self.room[0] = np.empty(rows * lanes * 2)
        best: Floats = self.room[0][: rows * lanes].reshape(rows, lanes)
        self.room.reverse()
        best[0], best[-1] = NEVER, 0
        return best

    def _tell(self, now: _Valued, play: dict[tuple[int, int], float], draw: dict[int, float]) -> None:
        """Adds the values with nothing drawn."""
        layer, rows = now.layer, now.rows
        for n in np.flatnonzero(layer.sets[:, 0] & np.uint64(1)).tolist():
            rank = rows.rank[n * (len(self.blocks.hand) + 1)]
            found = now.best[rows.at[0, rows.cases.of[:, n]] + rank, 0].tolist()
            cell = int(layer.cells[n])
            draw[cell] = found[TOPS]
            for top in range(TOPS):
                if layer.tops[n] >> top & 1:
                    play[top, cell] = found[top]


class _Part:
    """A part of a layer.

    listed: the cases that have a first play, a second one, and so on.
    turns: of all plays, turn by turn, the first one of each turn, and the end.
    source: the cell of each play; child: where the ranks of the cell it leads to begin.
    follows: the case it leads to.
    """

    def __init__(self, passing: _Backward, now: _Valued, below: _Valued | None, number: int) -> None:
        self.passing, self.now, self.below = passing, now, below
        table, cases = passing.table, now.rows.cases
        self.begin, self.end = now.rows.cuts[number : number + 2]
        self.part = cases.parts[number]
        self.cells = now.layer.cells[self.begin : self.end]
        self.of = cases.of[:, self.begin : self.end]
        self.here = int(np.bitwise_or.reduce(now.layer.tops[self.begin : self.end]))
        self.over = passing.ends.stuck[table.grid.digits[:, self.cells].sum(axis=0, dtype=np.int64)]
        self.width = len(passing.blocks.hand) + 1
        self.lines = np.arange(self.begin, self.end) * self.width
        self.listed = cases.turns(self.part) if below else []
        self.turns = np.cumsum([0, *(end - begin for begin, end in self.listed)]).tolist()
        case = np.concatenate([np.arange(0), *(np.arange(begin, end) for begin, end in self.listed)])
        turn = np.repeat(np.arange(len(self.listed)), np.diff(self.turns))
        column, made = cases.column[turn, case], cases.made[turn, case]
        self.source = cases.cell.take(case) - self.begin
        self.child = passing.place.take(table.grid.below[column, self.cells.take(self.source)])
        self.follows = below.rows.cases.of[made, self.child] if below else made
        self.child *= self.width
        # Tops of near kinds on which something can be played; their values begin at FAR where nothing can.
        tops = sorted({top for tops in passing.near for top in tops if self.here >> top & 1})
        self.tops = [top for top in tops if (self.of[top] != self.of[TOPS]).any()]
        self.bare = np.where(self.of[self.tops] == self.of[TOPS], -FAR, 0)
        shut = {top: cases.shut[self.begin : self.end] >> top & 1 == 1 for top in self.tops}
        self.shut = {top: flags for top, flags in shut.items() if flags.any()}

    def run(self) -> None:
        """Values the part, those blocks with most far cards first."""
        for stage in reversed(range(len(self.passing.stages))):
            if self.now.rows.many[stage, self.begin : self.end].any():
                self._stage(stage)

    def _stage(self, stage: int) -> None:
        rows, best, blocks = self.now.rows, self.now.best, self.passing.blocks
        counts = rows.many[stage, self.begin : self.end]
        low, high = self.passing.stages[stage]
        # For each pair of cell and block: the cell, the block, where ranks begin, the rank.
        line = np.repeat(np.arange(len(counts)), counts)
        block = np.flatnonzero(rows.live[self.begin : self.end, low:high])
        block += low - line * (high - low)
        starts = self.lines.take(line)
        ranks = rows.rank.take(starts + block)
        first = int(rows.at[stage, self.part.first + line[0]] + ranks[0])
        plays, pair = self._plays(stage, counts, block, first + len(line))
        stay = self._far(stage, counts, block, starts)
        spots = np.repeat(rows.at[stage].take(self.of[self.tops]) + self.bare, counts, axis=1)
        spots += ranks
        found = dict(zip(self.tops, best.take(spots, axis=0, mode="clip"), strict=True))
        last = blocks.last[block] if self.passing.ends_in[stage] else None
        shut = {top: np.flatnonzero(flags.take(line)) for top, flags in self.shut.items()}
        Stage(stay, found, shut, last, self.over.take(line)).near(self.passing.near, self.passing.steps)
        best[first : first + len(line)] = stay
        # Cases in which one may draw, and others, in which a hole may be over.
        cut = int(counts.take(rows.cases.cell[self.part.plays : self.part.shut] - self.begin).sum())
        np.minimum(plays[:cut], stay.take(pair[:cut], axis=0), out=plays[:cut])
        if cut < len(plays) and last is not None:
            least = np.minimum(plays[cut:], stay.take(pair[cut:], axis=0))
            np.copyto(plays[cut:], least, where=last.take(pair[cut:], axis=0))

    def _plays(self, stage: int, counts: Integers, block: Integers, first: int) -> tuple[Floats, Integers]:
        """The best of the plays: rows of the cases, and the pair of cell and block that each one is of."""
        if not self.listed:
            return self.now.best[:0], self.source
        assert self.below
        rows, values = self.below.rows, self.below.best
        taken = counts.take(self.source)
        ends = np.cumsum(taken)
        pair = np.repeat((np.cumsum(counts) - counts).take(self.source) - (ends - taken), taken)
        pair += np.arange(len(pair))
        spots = np.repeat(self.child, taken)
        spots += block.take(pair)
        spots = rows.rank.take(spots)
        spots += np.repeat(rows.at[stage].take(self.follows), taken)
        edges = [0, *ends.tolist()]
        cuts = [edges[turn] for turn in self.turns]
        plays = self.now.best[first : first + cuts[1]]
        values.take(spots[: cuts[1]], axis=0, out=plays, mode="clip")
        for (begin, end), part in zip(self.listed[1:], pairwise(cuts[1:]), strict=True):
            mine = plays[edges[begin - self.part.plays] : edges[end - self.part.plays]]
            np.minimum(mine, values.take(spots[slice(*part)], axis=0, mode="clip"), out=mine)
        return plays, pair[: cuts[1]]

    def _far(self, stage: int, counts: Integers, block: Integers, starts: Integers) -> Floats:
        """What draws of far kinds lead to, for each pair of cell and block."""
        passing, rows, best = self.passing, self.now.rows, self.now.best
        total = np.zeros((len(block), best.shape[1]))
        room = np.empty_like(total)
        for q in passing.goes_on[stage]:
            # A top that is nowhere here is of no hand that is reached.
            tops = [top for top in passing.far[q] if self.here >> top & 1]
            ranks = rows.rank.take(passing.blocks.after[q].take(block) + starts) if tops else block
            for n, top in enumerate(tops):
                spots = np.repeat(rows.at[stage + 1].take(self.of[top]), counts)
                spots += ranks
                if n:
                    np.minimum(room, best.take(spots, axis=0, mode="clip"), out=room)
                else:
                    best.take(spots, axis=0, out=room, mode="clip")
            if tops:
                if not passing.table.drawn.whole:
                    room *= passing.blocks.weight[q].take(block)[:, None]
                total += room
        return total
