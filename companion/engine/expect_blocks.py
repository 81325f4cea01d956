"""The pass of the exact expectation in numpy that values what can be reached; see `companion.engine.expect`.

Numpy is quick where it meets many numbers side by side.  So hands come in *blocks*: those that differ only
by the *near* kinds, a row of values, with a *lane* for each combination of these.  A draw of a near kind
leads from lane to lane, a draw of any other, *far*, kind from row to row.  Near kinds are those that matter
least to where play can lead, so that mostly all hands of a block are reached, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.drawn import Drawn
from companion.engine.reached import THREADS, Indices, Layer, Table, bits
from companion.engine.tops import TOPS
from companion.engine.values import NEVER, Ends, Root

Values = NDArray[np.float64]

_LANES: Final = 12
"""At most; more leave more hands that aren't reached."""
_SAMPLE: Final = 256
"""Height vectors that the near kinds are chosen by."""
_CHUNK: Final = 20_000
"""Blocks that are worked on at a time; fewer spend their time in Python, more outgrow the caches."""
_ALONE: Final = 4_000
"""Blocks of a layer that one thread works on."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Hands in blocks, those with fewest far cards first.

    near, far: places of the kinds in `Drawn.kinds`.
    hand: of each block and lane, `Drawn.hands` where there is none, shape (blocks, lanes).
    after: the block after a draw of each far kind, `blocks` where there is none, shape (blocks, far).
    weight: how often such a draw counts, shape (blocks, far).
    starts: first block with each number of far cards, and the end.
    steps: (lane, near kind, lane after it, how often it counts), the last lane first.
    last: whether the stock is used up, shape (blocks, lanes).
    """

    near: tuple[int, ...]
    far: tuple[int, ...]
    hand: Indices
    after: Indices
    weight: Values
    starts: Indices
    steps: tuple[tuple[int, int, int, float], ...]
    last: NDArray[np.bool_]


def in_blocks(drawn: Drawn, near: tuple[int, ...], left: int) -> Blocks:
    """The hands of `drawn` in blocks.  left: cards in the stock."""
    far = tuple(q for q in range(len(drawn.kinds)) if q not in near)
    radix = [int(drawn.copies[q]) + 1 for q in near]
    strides = [prod(radix[:j]) for j in range(len(near))]
    lane = drawn.counts[:, near] @ np.array(strides, np.int64)
    cards = drawn.counts[:, far].sum(axis=1)
    wide = [prod(int(drawn.copies[q]) + 1 for q in far[:j]) for j in range(len(far))]
    most = prod(int(drawn.copies[q]) + 1 for q in far)
    key = cards * most + drawn.counts[:, far] @ np.array(wide, np.int64)
    keys, block = np.unique(key, return_inverse=True)
    hand = np.full((len(keys), prod(radix)), drawn.hands)
    hand[block, lane] = np.arange(drawn.hands)
    after = drawn.after[hand[:, 0]][:, far]
    steps = [
        (at, j, at + strides[j], 1.0 if drawn.whole else float(radix[j] - 1 - at // strides[j] % radix[j]))
        for at in reversed(range(hand.shape[1]))
        for j in range(len(near))
        if at // strides[j] % radix[j] < radix[j] - 1
    ]
    return Blocks(
        near,
        far,
        hand,
        np.where(after >= 0, block[after], len(keys)),
        drawn.weight[hand[:, 0]][:, far],
        np.searchsorted(cards[hand[:, 0]], np.arange(left + 2)),
        tuple(steps),
        np.append(drawn.stage == left, False)[hand],
    )


def near_kinds(drawn: Drawn, layers: Sequence[Layer]) -> tuple[int, ...]:
    """The kinds of which it matters least whether they are drawn: mostly the hand without is reached, too."""
    ends = np.cumsum(np.concatenate([layer.counts for layer in layers]))
    rows = np.unique(np.searchsorted(ends, np.linspace(0, ends[-1], _SAMPLE, endpoint=False), side="right"))
    sets = np.concatenate([layer.sets for layer in layers])[rows]
    reached = bits(sets, drawn.hands)
    matters = []
    for q in range(len(drawn.kinds)):
        some = np.flatnonzero(drawn.after[:, q] >= 0)
        there = reached[:, drawn.after[some, q]]
        without = (there & reached[:, some]).sum()
        matters.append((1 - without / max(int(there.sum()), 1), q))
    near: list[int] = []
    for _, q in sorted(matters):
        if prod(int(drawn.copies[p]) + 1 for p in [*near, q]) <= _LANES:
            near.append(q)
    return tuple(near)


@dataclass(slots=True)
class _Valued:
    """The values of a layer.

    at: row of each block and cell, `rows` where there is none, shape (blocks, cells + 1).
    best: of each top, of some use where it is reached, shape (tops, rows + 2, lanes); the last but one row is
    NEVER, the last one is 0.
    slot: place in `best` of each top, -1 where there is none.
    """

    at: NDArray[np.int32]
    best: Values
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
        self, layer: Layer, below: _Valued, place: Indices, pool: ThreadPoolExecutor, play: Any, draw: Any
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
        now = _Valued(
            np.full((blocks, cells + 1), rows, np.int32), np.empty((len(names), rows + 2, lanes)), slot
        )
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
        # Tops that something can be played on, and cells of each where that is so.
        self.played: dict[int, NDArray[np.bool_]] = {}

    def plays(self, below: _Valued, place: Indices) -> None:
        """Fills in for each top that something is played on the best that follows, or NEVER."""
        table = self.passing.table
        rows, lanes = below.best.shape[1:]
        flat, width = below.at.reshape(-1), below.at.shape[1]
        line = self.block * width
        # The cells that plays lead to, and which rows their values begin at: of each top once for all
        # cells that have a play, then for those that have a second one, and so on.
        ways: dict[int, list[tuple[Indices, Indices]]] = {}
        for i, _, kind, some in table.exposed(self.cells):
            for edge in table.board.steps.plays[kind]:
                if not edge.sources & self.here or below.slot[edge.result] < 0:
                    continue
                child, begin = place[table.grid.below[i, self.cells[some]]], below.slot[edge.result] * rows
                for top in range(TOPS):
                    if (edge.sources & self.here) >> top & 1:
                        mine = self.tops[some] >> top & 1 == 1
                        self._add(ways.setdefault(top, []), some[mine], child[mine], begin, width - 1)
        values = below.best.reshape(-1, lanes)
        end = self.base + len(self.block)
        for top, turns in ways.items():
            if not turns:
                continue
            into = self.now.best[self.now.slot[top], self.base : end]
            for n, (to, begins) in enumerate(turns):
                spots = flat.take(line + to.take(self.cell)) + begins.take(self.cell)
                if n:
                    np.minimum(into, values.take(spots, axis=0), out=into)
                else:
                    values.take(spots, axis=0, out=into, mode="clip")
                    self.played[top] = to < width - 1

    def _add(
        self, turns: list[tuple[Indices, Indices]], some: Indices, child: Indices, begin: int, none: int
    ) -> None:
        """Adds a play from some cells, to the first turn in which they have none yet."""
        for to, begins in turns:
            free = to[some] == none
            to[some[free]], begins[some[free]] = child[free], begin
            some, child = some[~free], child[~free]
        if len(some):
            to, begins = np.full(len(self.cells), none), np.zeros(len(self.cells), np.int64)
            to[some], begins[some] = child, begin
            turns.append((to, begins))

    def stays(self) -> tuple[dict[tuple[int, int], float], dict[int, float]]:
        """Values drawing; makes the best of plays the best there is.  Gives the values with nothing drawn."""
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
            played = self.played.get(top)
            if played is None:
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
                stage = _Stage(
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

    def _far(self, part: slice, total: Values) -> None:
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


@dataclass(slots=True)
class _Stage:
    """The rows of a piece with the same number of far cards drawn.

    stay: what drawing is worth, of far kinds at first; best: of each top what plays lead to, None for none.
    shut: rows where a draw isn't possible on a top, or is better left.
    last: where the stock is used up, if anywhere; over: what that is worth.
    """

    stay: Values
    best: dict[int, Values | None]
    shut: dict[int, Indices]
    last: NDArray[np.bool_] | None
    over: Values

    def near(self, kinds: list[tuple[int, ...]], steps: dict[int, list[tuple[int, int, float]]]) -> None:
        """Adds what draws of near kinds lead to, lane by lane; the stock used up, a hole is over."""
        made: dict[tuple[int, int], Values] = {}
        for lane in reversed(range(self.stay.shape[1])):
            value = self.stay[:, lane]
            for j, after, weight in steps.get(lane, ()):
                came = made.get((j, after))
                if came is None:
                    came = made[j, after] = self._made(kinds[j], after)
                value += came if weight == 1 else came * weight
            if self.last is not None and self.last[:, lane].any():
                np.copyto(value, self.over, where=self.last[:, lane])

    def _made(self, tops: tuple[int, ...], lane: int) -> Values:
        """What a drawn card is worth that makes one of these tops, in a lane of which drawing is known."""
        least: Values | None = None
        for top in tops:
            found, plays = self.stay[:, lane], self.best.get(top)
            if plays is not None:
                some = self.shut.get(top)
                found = np.minimum(plays[:, lane], found)
                if some is not None:
                    if self.last is not None:
                        some = some[~self.last[some, lane]]
                    found[some] = plays[some, lane]
            least = found if least is None else np.minimum(least, found)
        assert least is not None
        return least

    def finish(self) -> None:
        """Makes the best of plays the best there is."""
        for top, plays in self.best.items():
            if plays is None:
                continue
            some = self.shut.get(top)
            kept = None if some is None else plays.take(some, axis=0)
            np.minimum(plays, self.stay, out=plays)
            if some is not None and kept is not None:
                if self.last is not None:
                    kept = np.where(self.last[some], plays[some], kept)
                plays[some] = kept
