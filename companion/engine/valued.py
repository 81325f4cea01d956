"""The pass of the expectation in numpy that values what is reached; see `companion.engine.expect`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.blocks import in_blocks, near_kinds
from companion.engine.drawing import Stage
from companion.engine.drawn import Floats, Integers
from companion.engine.plays import others, turns, ways
from companion.engine.reached import THREADS, Layer, Table, bits
from companion.engine.tops import TOPS
from companion.engine.values import NEVER, Ends, Root

_CHUNK: Final = 20_000
"""Blocks that are worked on at a time; fewer spend their time in Python, more outgrow the caches."""
_AT_ONCE: Final = 4_000
"""Blocks whose plays are looked up at a time: what they lead to stays in the caches."""
_ALONE: Final = 4_000
"""Blocks of a layer that one thread works on."""


@dataclass(slots=True)
class _Valued:
    """The values of a layer.

    at: row of each block and cell, `rows` where there is none, shape (blocks, cells + 1).
    best: of each top, of some use where it is reached, shape (tops, rows + 2, lanes); the last but one row is
    NEVER, the last one is 0.
    slot: place in `best` of each top, -1 where there is none.
    """

    at: NDArray[np.int32]
    best: Floats
    slot: list[int]


def values(table: Table, layers: list[Layer], ends: Ends) -> Root:
    """The values of all that is reached.  ends: of a single order of the draws."""
    return _Backward(table, layers, ends).run(layers)


class _Backward:
    def __init__(self, table: Table, layers: list[Layer], ends: Ends) -> None:
        self.table, self.ends = table, ends
        drawn = table.drawn
        self.blocks = in_blocks(drawn, near_kinds(drawn, layers), table.board.left)
        self.cleared = np.append(ends.cleared[drawn.stage] * drawn.many, 0.0)[self.blocks.hand]
        # Whether the stock may be used up in a block, or one before with as many far cards; and from which
        # blocks on none has a draw of a far kind.
        self.ends_in: NDArray[np.bool_] = np.any(self.blocks.last, axis=1)
        for begin, end in pairwise(self.blocks.starts.tolist()):
            self.ends_in[begin:end] |= self.ends_in[begin:end].any()
        can = self.blocks.after < len(self.blocks.hand)
        self.bound = [int(np.flatnonzero(column).max(initial=-1)) + 1 for column in can.T]
        self.near = [table.draws[q] for q in self.blocks.near]
        self.far = [table.draws[q] for q in self.blocks.far]
        self.ways = ways(table.board)
        self.room: list[Floats] = [np.empty(0), np.empty(0)]
        self.steps: dict[int, list[tuple[int, int, float]]] = {}
        for lane, j, after, weight in self.blocks.steps:
            self.steps.setdefault(lane, []).append((j, after, weight))

    def run(self, layers: list[Layer]) -> Root:
        grid, board = self.table.grid, self.table.board
        blocks, lanes = self.blocks.hand.shape
        place = np.full(grid.cells + 1, -1)
        below = _Valued(np.zeros((blocks, 1), np.int32), np.full((0, 2, lanes), NEVER), [-1] * TOPS)
        play: dict[tuple[int, int], float] = {}
        draw: dict[int, float] = {}
        with ThreadPoolExecutor(THREADS) as pool:
            for layer in reversed(layers):
                below = self._layer(layer, below, place, pool, play, draw)
                place[layer.cells] = np.arange(len(layer.cells))
        return Root(
            lambda top, index: play[top, int(grid.cell[index])],
            lambda index: draw[int(grid.cell[index])] if board.left else float("inf"),
            sum(int(layer.counts.sum()) for layer in layers),
        )

    def _layer(
        self, layer: Layer, below: _Valued, place: Integers, pool: ThreadPoolExecutor, play: Any, draw: Any
    ) -> _Valued:
        """The values of a layer; those with nothing drawn go to `play` and `draw`."""
        blocks, lanes = self.blocks.hand.shape
        cells = len(layer.cells)
        reached = np.zeros((self.table.drawn.hands + 1, cells), np.bool_)
        reached[:-1] = bits(layer.sets, self.table.drawn.hands).T
        live = np.zeros((blocks, cells), np.bool_)
        for lane in range(lanes):
            live |= reached[self.blocks.hand[:, lane]]
        ends = np.cumsum(live.sum(axis=0))
        rows = int(ends[-1])
        here = int(np.bitwise_or.reduce(layer.tops))
        names = [top for top in range(TOPS) if here >> top & 1]
        slot = [names.index(top) if top in names else -1 for top in range(TOPS)]
        # The room of the layer before last is free again; to get more of it costs as long as to fill it.
        shape = len(names), rows + 2, lanes
        if prod(shape) > len(self.room[0]):
            self.room[0] = np.empty(prod(shape) * 2)
        best = self.room[0][: prod(shape)].reshape(shape)
        self.room.reverse()
        now = _Valued(np.full((blocks, cells + 1), rows, np.int32), best, slot)
        now.best[:, -2], now.best[:, -1] = NEVER, 0
        # Cells in pieces of about as many blocks.
        pieces = min(cells, max(rows // _CHUNK, THREADS)) if rows > _ALONE else 1
        inside = np.searchsorted(ends, rows * np.arange(1, pieces) / pieces, side="right")
        cuts = [0, *inside.tolist(), cells]
        jobs = [(a, b, int(ends[a - 1]) if a else 0) for a, b in pairwise(cuts) if a < b]

        def work(job: tuple[int, int, int]) -> tuple[dict[tuple[int, int], float], dict[int, float]]:
            begin, end, base = job
            piece = _Piece(self, layer, slice(begin, end), live[:, begin:end], base, now)
            piece.plays(below, place)
            return piece.stays()

        for found in pool.map(work, jobs):
            play |= found[0]
            draw |= found[1]
        return now


class _Piece:
    """Some cells of a layer, whose rows lie side by side."""

    def __init__(
        self, passing: _Backward, layer: Layer, part: slice, live: NDArray[np.bool_], base: int, now: _Valued
    ) -> None:
        self.passing, self.now, self.base = passing, now, base
        self.cells, self.tops = layer.cells[part], layer.tops[part]
        self.undrawn = layer.sets[part, 0] & np.uint64(1)
        self.block, self.cell = np.nonzero(live)
        rows = len(self.block)
        now.at[self.block, part.start + self.cell] = np.arange(base, base + rows, dtype=np.int32)
        # Rows of each block and cell; what can't be drawn leads to the last of all.
        none = now.best.shape[1] - 2
        self.where = np.full((len(live) + 1, len(self.cells)), none)
        self.where[self.block, self.cell] = np.arange(base, base + rows)
        self.where[-1] = none + 1
        self.here = int(np.bitwise_or.reduce(self.tops))
        for top, slot in enumerate(now.slot):
            if slot >= 0 and not self.here >> top & 1:
                now.best[slot, base : base + rows] = NEVER

    def plays(self, below: _Valued, place: Integers) -> None:
        """Fills in for each top that something is played on the best that follows, or NEVER."""
        table, cell, count = self.passing.table, self.cell, len(self.block)
        (_, rows, lanes), width = below.best.shape, below.at.shape[1]
        at, line, numbers = below.at.reshape(-1), self.block * width, np.arange(count)
        # Where values begin, by the top a play makes; places here, by the top it is made on.
        begins = np.array([slot * rows for slot in below.slot] + [0])
        slots = np.array([*self.now.slot, len(self.now.best)])
        results = sum(1 << top for top, slot in enumerate(below.slot) if slot >= 0)
        found, self.played = turns(self.passing.ways, table.grid.digits[:, self.cells], self.tops, results)
        # Rows of `below` that the first play on a top leads to; one place more for those on none.
        first = np.full((len(self.now.best) + 1) * count, rows - 2)
        more = []
        for turn in found:
            child = place[table.grid.below[turn.column, self.cells]]
            child[turn.made == TOPS] = width - 1
            spots = at.take(line + child.take(cell)) + begins.take(turn.made).take(cell)
            for on in turn.first:
                first[(slots.take(on) * count).take(cell) + numbers] = spots
            for some, on in others(turn.again, cell):
                into = slots.take(on) * self.now.best.shape[1] + (self.base + some)
                more.append((some, into, spots.take(some)))
        values, mine = below.best.reshape(-1, lanes), self.now.best.reshape(-1, lanes)
        # Numpy puts single things faster than rows.
        puts = mine.view(f"V{mine.itemsize * lanes}").reshape(-1)
        cuts = [np.searchsorted(some, range(0, count + _AT_ONCE, _AT_ONCE)).tolist() for some, *_ in more]
        for n, begin in enumerate(range(0, count, _AT_ONCE)):
            end = min(begin + _AT_ONCE, count)
            for top in np.flatnonzero(self.played.any(axis=1)).tolist():
                slot = self.now.slot[top]
                into = self.now.best[slot, self.base + begin : self.base + end]
                values.take(first[slot * count + begin : slot * count + end], axis=0, out=into, mode="clip")
            for (_, into, spots), cut in zip(more, cuts, strict=True):
                part = slice(cut[n], cut[n + 1])
                least = values.take(spots[part], axis=0)
                np.minimum(least, mine.take(into[part], axis=0), out=least)
                puts[into[part]] = least.view(puts.dtype).reshape(-1)

    def stays(self) -> tuple[dict[tuple[int, int], float], dict[int, float]]:
        """Floats drawing; makes the best of plays the best there is.  Gives the values with nothing drawn."""
        passing, table, block, cell = self.passing, self.passing.table, self.block, self.cell
        best, slot, base, rows = self.now.best, self.now.slot, self.base, len(block)
        tops = [top for top in range(TOPS) if self.here >> top & 1]
        if self.cells[0] == 0:
            best[:, base : base + rows] = passing.cleared[block]
            value = float(passing.cleared[0, 0])
            return {(top, 0): value for top in range(TOPS)} if self.undrawn[0] else {}, {0: value}
        cards = table.grid.digits[:, self.cells].sum(axis=0, dtype=np.int64)
        over = passing.ends.stuck[cards][cell]
        skip = table.never(self.cells) | table.pointless(self.cells)
        stay = np.empty((rows, best.shape[2]))
        ways = {top: best[slot[top], base : base + rows] for top in tops}
        # Rows where plays are all that can be done on a top, and where nothing can be played on it.
        shut: dict[int, NDArray[np.bool_]] = {}
        bare: set[int] = set()
        for top in tops:
            played = self.played[top]
            if not played.any():
                bare.add(top)
                continue
            barred = played & (skip >> top & 1 == 1)
            if barred.any():
                shut[top] = barred.take(cell)
        last, ends = passing.blocks.last, passing.ends_in
        edges = np.searchsorted(block, passing.blocks.starts).tolist()
        for begin, end in reversed(list(pairwise(edges))):
            if begin < end:
                part = slice(begin, end)
                self._far(part, stay[part])
                over_there = last[block[part]] if ends[block[end - 1]] else None
                stage = Stage(
                    stay[part],
                    {top: None if top in bare else ways[top][part] for top in tops},
                    {top: np.flatnonzero(rows_there[part]) for top, rows_there in shut.items()},
                    over_there,
                    over[part],
                )
                stage.near(passing.near, passing.steps)
                stage.finish()
                for top in bare:
                    ways[top][part] = stay[part]
        play: dict[tuple[int, int], float] = {}
        draw: dict[int, float] = {}
        for n in np.flatnonzero(self.undrawn).tolist():
            row, number = int(self.where[0, n]) - base, int(self.cells[n])
            draw[number] = float(stay[row, 0])
            for top in tops:
                if self.tops[n] >> top & 1:
                    play[top, number] = float(ways[top][row, 0])
        return play, draw

    def _far(self, part: slice, total: Floats) -> None:
        """What draws of far kinds lead to."""
        passing, blocks, best = self.passing, self.passing.blocks, self.now.best
        flat, width = self.where.reshape(-1), self.where.shape[1]
        there, mine = self.block[part], self.cell[part]
        total[:] = 0
        room = np.empty_like(total)
        for q, tops in enumerate(passing.far):
            if there[0] >= passing.bound[q]:
                continue
            spots = flat.take(blocks.after[:, q].take(there) * width + mine)
            # A top that is nowhere here is of no hand that is reached.
            slots = [self.now.slot[top] for top in tops if self.here >> top & 1]
            for n, slot in enumerate(slots):
                if n:
                    np.minimum(room, best[slot].take(spots, axis=0), out=room)
                else:
                    best[slot].take(spots, axis=0, out=room, mode="clip")
            if slots:
                if not passing.table.drawn.whole:
                    room *= blocks.weight[there, q, None]
                total += room
