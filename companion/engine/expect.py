"""The expected outcome of the best play, over heights, top and what has been drawn, in numpy.

With heights h, the top t and a hand c of drawn cards (`companion.engine.drawn`), the best play is worth

    best(h, t, c) = min(draw(h, c), best(h - e_i, u, c) over the plays of a card that makes the top u)
    draw(h, c)    = sum over the kinds r of weight(c, r) * min over its tops of best(h, top, c + r)

and a hole that is over is worth what `Ends` says.  Only pairs of heights and hand that play can reach are
valued: a pass from the full tableau down finds them, as sets of hands, a pass up again values them, heights
by layers of equal sum.

One kind of draw is left out: with a card in reach that can be played, and on which nothing that is left
could ever follow, it is played before the next draw.  That costs nothing: whoever keeps the card and plays
it later draws next, so the others can do all that without it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.drawn import Drawn
from companion.engine.lattice import lattice
from companion.engine.tops import TOPS
from companion.engine.values import Ends, Root

NEVER: Final = 1e200
"""The value of what can't be done: worse than everything, and still a number, as it may be weighed by 0."""
_CHUNK: Final = 150_000
"""Pairs that are worked on at a time; fewer spend their time in Python, more outgrow the caches."""
_THREADS: Final = min(4, os.cpu_count() or 1)

Values = NDArray[np.float64]
Indices = NDArray[np.int64]
Sets = NDArray[np.uint64]
Masks = NDArray[np.int64]
Played = dict[int, Values | None]
"""By top the best that follows of each pair, and NEVER; None where nothing can be played."""


@dataclass(slots=True)
class _Layer:
    """The heights of equal sum that are reached.

    cells: of the lattice; sets: hands of each, shape (cells, words); tops: mask of the tops there.
    came: mask of the tops that plays leave there; counts: hands of each.
    """

    cells: Indices
    sets: Sets
    tops: Masks
    came: Masks
    counts: Indices


def evaluate(board: Board, drawn: Drawn, ends: Ends, limit: int) -> Root | None:
    """The values at the root, or None when more than `limit` pairs (hand, heights) would be valued.

    ends: of a single order of the draws.
    """
    table = _Table(board, drawn)
    layers = _forward(table, limit)
    return None if layers is None else _Backward(table, ends).run(layers)


class _Table:
    """A board and its hands, as both passes look them up."""

    def __init__(self, board: Board, drawn: Drawn) -> None:
        self.board, self.drawn = board, drawn
        self.grid = lattice(board.heights)
        self.able = drawn.able()
        self.draws = [board.steps.draws[k] for k in drawn.kinds]
        follow = board.steps.follow
        self.follow = [np.array([0, *(follow[k] for k in column)]) for column in board.columns]
        # The tops that each card can make, and by height the tops that some card below can be played on.
        self.results = [
            np.array([0, *(sum({1 << e.result for e in board.steps.plays[k]}) for k in column)])
            for column in board.columns
        ]
        self.rest = [np.bitwise_or.accumulate(row) for row in self.follow]

    def never(self, cells: Indices) -> Masks:
        """Mask of the tops on which nothing may be drawn."""
        never = np.full(len(cells), self.board.no_draw())
        if self.board.draw_when_stuck:
            for row, height in zip(self.follow, self.grid.digits[:, cells], strict=True):
                never |= row[height]
        return never

    def pointless(self, cells: Indices) -> Masks:
        """Mask of the tops on which it is better not to draw yet."""
        found = np.zeros(len(cells), np.int64)
        if self.board.draw_when_stuck:
            return found
        digits = self.grid.digits[:, cells]
        rest = np.zeros(len(cells), np.int64)
        for row, height in zip(self.rest, digits, strict=True):
            rest |= row[height]
        for row, results, height in zip(self.follow, self.results, digits, strict=True):
            found |= np.where(results[height] & rest, 0, row[height])
        return found

    def exposed(self, cells: Indices) -> Iterator[tuple[int, int, int, Indices]]:
        """Column, height of it, kind of its exposed card and the places of the cells that this is true of."""
        for i, column in enumerate(self.board.columns):
            digits = self.grid.digits[i, cells]
            for h, kind in enumerate(column, 1):
                some = np.flatnonzero(digits == h)
                if len(some):
                    yield i, h, kind, some


def _forward(table: _Table, limit: int) -> list[_Layer] | None:
    """What can be reached, the full tableau first; None for too many pairs."""
    board, drawn, grid = table.board, table.drawn, table.grid
    layers: list[_Layer] = []
    reached = np.zeros((TOPS, 1, drawn.words), np.uint64)
    place = np.full(grid.cells + 1, -1)
    pairs = 0
    for layer in range(len(grid.starts) - 2, -1, -1):
        cells = np.arange(grid.starts[layer], grid.starts[layer + 1])
        above, reached = reached, np.zeros((TOPS, len(cells), drawn.words), np.uint64)
        if layers:
            _play(table, layers[-1], above, place, cells, reached)
        else:
            reached[board.top, 0, 0] = 1
        some = np.flatnonzero(reached.any(axis=(0, 2)))
        if not len(some):
            break
        cells, reached = cells[some], reached[:, some]
        came = _masks(reached)
        stops = _draw(table, cells, reached)
        sets = stops | np.bitwise_or.reduce(reached, axis=0)
        counts = _ones(sets)
        pairs += int(counts.sum())
        if pairs > limit:
            return None
        place[cells] = np.arange(len(cells))
        layers.append(_Layer(cells, sets, _masks(reached), came, counts))
    return layers


def _play(table: _Table, last: _Layer, above: Sets, place: Indices, cells: Indices, reached: Sets) -> None:
    """Adds what plays lead to from the layer above."""
    start = int(cells[0])
    for i, _, kind, some in table.exposed(last.cells):
        below = table.grid.below[i, last.cells[some]] - start
        for edge in table.board.steps.plays[kind]:
            tops = [top for top in range(TOPS) if edge.sources >> top & 1 and above[top].any()]
            if tops:
                moved = above[tops[0], some]
                for top in tops[1:]:
                    moved |= above[top, some]
                reached[edge.result, below] |= moved


def _draw(table: _Table, cells: Indices, reached: Sets) -> Sets:
    """Adds what draws lead to; gives the hands that more can be drawn from."""
    drawn = table.drawn
    never = table.never(cells)
    skip = never | table.pointless(cells)
    if cells[0] == 0:
        # The tableau is cleared: nothing is drawn any more.
        never[0] = skip[0] = -1
    stops = np.zeros(reached.shape[1:], np.uint64)
    for top in np.flatnonzero(reached.any(axis=(1, 2))).tolist():
        free = skip >> top & 1 == 0
        stops |= np.where(free[:, None], reached[top], np.uint64(0))
        # Where a decision is due all that is legal is valued.
        due = ~free & (never >> top & 1 == 0)
        stops[:, 0] |= np.where(due, reached[top, :, 0] & np.uint64(1), np.uint64(0))
    goes_on = [np.any([skip >> top & 1 == 0 for top in tops], axis=0) for tops in table.draws]
    if drawn.whole:
        steps = drawn.step.tolist()
        for q, free in enumerate(goes_on):
            for _ in range(int(drawn.copies[q])):
                came = _shift(stops & table.able[q], steps[q])
                stops |= np.where(free[:, None], came, np.uint64(0))
        for q, tops in enumerate(table.draws):
            came = _shift(stops & table.able[q], steps[q])
            for top in tops:
                reached[top] |= came
        return stops
    bits = _bits(stops, drawn.hands)
    for stage in range(table.board.left):
        hands = np.flatnonzero(drawn.stage == stage)
        for q, free in enumerate(goes_on):
            some = hands[drawn.after[hands, q] >= 0]
            bits[:, drawn.after[some, q]] |= bits[:, some] & free[:, None]
    for q, tops in enumerate(table.draws):
        some = np.flatnonzero(drawn.after[:, q] >= 0)
        came_bits = np.zeros((len(cells), drawn.words * 64), np.bool_)
        came_bits[:, drawn.after[some, q]] = bits[:, some]
        for top in tops:
            reached[top] |= np.packbits(came_bits, axis=1, bitorder="little").view(np.uint64)
    padded = np.zeros((len(cells), drawn.words * 64), np.bool_)
    padded[:, : drawn.hands] = bits
    packed: Sets = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    return packed


def _shift(sets: Sets, step: int) -> Sets:
    """Sets with each member so many places up."""
    words, bits = divmod(step, 64)
    moved = np.zeros_like(sets)
    count = sets.shape[1]
    if words < count:
        moved[:, words:] = sets[:, : count - words] << np.uint64(bits)
        if bits:
            moved[:, words + 1 :] |= sets[:, : count - words - 1] >> np.uint64(64 - bits)
    return moved


def _bits(sets: Sets, hands: int) -> NDArray[np.bool_]:
    """Sets with a place for each hand, shape (sets, hands)."""
    return np.unpackbits(sets.view(np.uint8), axis=1, count=hands, bitorder="little").view(np.bool_)


def _ones(sets: Sets) -> Indices:
    """How many members each set has."""
    # np.bitwise_count came with numpy 2.
    count = getattr(np, "bitwise_count", None)
    ones = np.unpackbits(sets.view(np.uint8), axis=1) if count is None else count(sets)
    found: Indices = ones.sum(axis=1, dtype=np.int64)
    return found


def _masks(reached: Sets) -> Masks:
    """Mask of the tops that have a hand."""
    masks: Masks = (reached.any(axis=2) * (1 << np.arange(TOPS))[:, None]).sum(axis=0)
    return masks


@dataclass(slots=True)
class _Valued:
    """The values of a layer.

    at: place of each pair, `pairs` where there is none, shape (hands + 1, cells + 1).
    best: of each top that plays leave there, shape (tops, pairs + 1); the last is NEVER.
    slot: row of `best` of each top, -1 where there is none.
    """

    at: NDArray[np.int32]
    best: Values
    slot: list[int]


class _Backward:
    def __init__(self, table: _Table, ends: Ends) -> None:
        self.table, self.ends = table, ends
        drawn = table.drawn
        # Hands by the cards drawn, so that those of a stage lie side by side.
        self.order = np.argsort(drawn.stage, kind="stable")
        rank = np.empty(drawn.hands + 1, np.int64)
        rank[self.order] = np.arange(drawn.hands)
        rank[-1] = drawn.hands
        self.after = rank[drawn.after[self.order]]
        self.weight = drawn.weight[self.order]
        self.stages = np.searchsorted(drawn.stage[self.order], np.arange(table.board.left + 2))
        self.cleared = (ends.cleared[drawn.stage] * drawn.many)[self.order]

    def run(self, layers: list[_Layer]) -> Root:
        grid, board = self.table.grid, self.table.board
        place = np.full(grid.cells + 1, -1)
        nothing = np.zeros((self.table.drawn.hands + 1, 1), np.int32)
        below = _Valued(nothing, np.full((0, 1), NEVER), [-1] * TOPS)
        play: dict[tuple[int, int], float] = {}
        draw: dict[int, float] = {}
        with ThreadPoolExecutor(_THREADS) as pool:
            for layer in reversed(layers):
                below = self._layer(layer, below, place, pool, play, draw)
                place[layer.cells] = np.arange(len(layer.cells))
        return Root(
            lambda top, index: play[top, int(grid.cell[index])],
            lambda index: draw[int(grid.cell[index])] if board.left else float("inf"),
            sum(int(layer.counts.sum()) for layer in layers),
        )

    def _layer(
        self, layer: _Layer, below: _Valued, place: Indices, pool: ThreadPoolExecutor, play: Any, draw: Any
    ) -> _Valued:
        """The values of a layer; those with nothing drawn go to `play` and `draw`."""
        hands, cells = self.table.drawn.hands, len(layer.cells)
        pairs = int(layer.counts.sum())
        left_there = int(np.bitwise_or.reduce(layer.came))
        names = [top for top in range(TOPS) if left_there >> top & 1]
        slot = [names.index(top) if top in names else -1 for top in range(TOPS)]
        at = np.full((hands + 1, cells + 1), pairs, np.int32)
        best = np.full((len(names), pairs + 1), NEVER)
        # Rows in pieces of about as many pairs, more of them than threads.
        ends = np.cumsum(layer.counts)
        pieces = max(1, min(cells, max(pairs // _CHUNK, 2 * _THREADS if pairs > _CHUNK // 4 else 1)))
        inside = np.searchsorted(ends, pairs * np.arange(1, pieces) / pieces, side="right")
        cuts = [0, *inside.tolist(), cells]
        jobs = [(a, b, int(ends[a - 1]) if a else 0) for a, b in pairwise(cuts) if a < b]
        for found in pool.map(lambda job: self._piece(layer, below, place, names, at, best, *job), jobs):
            play |= found[0]
            draw |= found[1]
        return _Valued(at, best, slot)

    def _piece(
        self, layer: _Layer, below: _Valued, place: Indices, names: list[int], at: Any, best: Any,
        begin: int, end: int, base: int,
    ) -> tuple[dict[tuple[int, int], float], dict[int, float]]:  # fmt: skip
        """Some rows of a layer; fills in their part of `at` and `best`."""
        table, board = self.table, self.table.board
        cells, tops = layer.cells[begin:end], layer.tops[begin:end]
        bits = _bits(layer.sets[begin:end], table.drawn.hands).T[self.order]
        hand, row = np.nonzero(bits)
        pairs = len(hand)
        where = np.full((table.drawn.hands + 1, end - begin), pairs, np.int32)
        where[hand, row] = np.arange(pairs, dtype=np.int32)
        at[:-1, begin:end] = np.where(where[:-1] < pairs, where[:-1] + base, best.shape[1] - 1)
        if cells[0] == 0:
            best[:, base : base + pairs] = self.cleared[hand]
            value = float(self.cleared[0])
            return {(top, 0): value for top in range(TOPS)} if hand[0] == 0 else {}, {0: value}
        here = int(np.bitwise_or.reduce(tops))
        played = self._plays(cells, hand, row, below, place, here)
        skip = table.never(cells) | table.pointless(cells)
        used = [top for top in range(TOPS) if here >> top & 1]
        # The best with each top, of all pairs; where nothing can be played, that is drawing.
        values: Played = {top: played.get(top) for top in used}
        stay = np.full(pairs + 1, NEVER)
        over = self.ends.stuck[self._cards(cells)]
        edges = np.searchsorted(hand, self.stages)
        for stage in range(board.left, -1, -1):
            part = slice(int(edges[stage]), int(edges[stage + 1]))
            if part.start == part.stop:
                continue
            rows = row[part]
            if stage == board.left:
                stay[part] = over[rows]
            else:
                stay[part] = self._drawing(hand[part], rows, where, values, stay)
            for top, best_there in values.items():
                if best_there is not None:
                    drawing = stay[part]
                    if stage < board.left:
                        closed = skip >> top & 1 == 1
                        if closed.any():
                            drawing = np.where(closed[rows], NEVER, drawing)
                    np.minimum(best_there[part], drawing, out=best_there[part])
        for n, top in enumerate(names):
            found = values.get(top)
            best[n, base : base + pairs] = (stay if found is None else found)[:-1]
        play: dict[tuple[int, int], float] = {}
        draw: dict[int, float] = {}
        for n in range(int(np.searchsorted(hand, 1)) if self.order[0] == 0 else 0):
            cell = int(cells[row[n]])
            draw[cell] = float(stay[n])
            for top, found in values.items():
                play[top, cell] = float(stay[n] if found is None else found[n])
        return play, draw

    def _cards(self, cells: Indices) -> Indices:
        cards: Indices = self.table.grid.digits[:, cells].sum(axis=0, dtype=np.int64)
        return cards

    def _plays(
        self, cells: Indices, hand: Indices, row: Indices, below: _Valued, place: Indices, here: int
    ) -> dict[int, Values]:
        """For each top that something is played on the best that follows, of each pair and NEVER."""
        board, grid = self.table.board, self.table.grid
        by_kind: dict[int, dict[int, Values]] = {}
        flat, width = below.at.reshape(-1), below.at.shape[1]
        line = hand * width
        column, spots = -1, line
        for i, _, kind, some in self.table.exposed(cells):
            plays = board.steps.plays[kind]
            edges = [edge for edge in plays if edge.sources & here and below.slot[edge.result] >= 0]
            if not edges:
                continue
            if i != column:
                # Where the pairs with one card less are; those that don't exist come last in their line.
                child = place[grid.below[i, cells]]
                column, spots = i, line + np.where(child < 0, width - 1, child).take(row)
            mine = np.zeros(len(cells), np.bool_)
            mine[some] = True
            which = np.flatnonzero(mine.take(row))
            went = flat.take(spots.take(which))
            found = by_kind.setdefault(kind, {})
            for edge in edges:
                came = below.best[below.slot[edge.result]].take(went)
                into = found.get(edge.result)
                if into is None:
                    into = found[edge.result] = np.full(len(hand) + 1, NEVER)
                    into[which] = came
                else:
                    into[which] = np.minimum(into.take(which), came)
        played: dict[int, Values] = {}
        for kind, found in by_kind.items():
            for edge in board.steps.plays[kind]:
                if edge.result in found:
                    for top in range(TOPS):
                        if (edge.sources & here) >> top & 1:
                            if top in played:
                                np.minimum(played[top], found[edge.result], out=played[top])
                            else:
                                played[top] = found[edge.result].copy()
        return played

    def _drawing(
        self, hand: Indices, row: Indices, where: NDArray[np.int32], values: Played, stay: Values
    ) -> Values:
        """What drawing is worth at pairs of a stage; all later ones are known."""
        total = np.zeros(len(hand))
        flat, width = where.reshape(-1), where.shape[1]
        for q, tops in enumerate(self.table.draws):
            after = self.after[:, q].take(hand)
            some = np.flatnonzero(after < self.table.drawn.hands)
            if not len(some):
                continue
            spots = flat.take(after.take(some) * width + row.take(some))
            came: Values | None = None
            for top in tops:
                best = values.get(top)
                got = (stay if best is None else best).take(spots)
                came = got if came is None else np.minimum(came, got)
            assert came is not None
            total[some] += came if self.table.drawn.whole else came * self.weight[hand[some], q]
        return total
