"""What play can reach, for the exact expectation in numpy; see `companion.engine.expect`."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.drawn import Drawn, Integers, Sets
from companion.engine.lattice import lattice
from companion.engine.plays import ways
from companion.engine.tops import TOPS

THREADS: Final = min(4, os.cpu_count() or 1)
_ALONE: Final = 500_000
"""Words of sets of a layer that one thread works on."""


@dataclass(slots=True)
class Layer:
    """The heights of equal sum that are reached.

    cells: of the lattice; sets: hands of each, shape (cells, words); tops: mask of the tops there.
    came: mask of the tops that plays leave there; counts: hands of each.
    """

    cells: Integers
    sets: Sets
    tops: Integers
    came: Integers
    counts: Integers


@dataclass(frozen=True, slots=True)
class _Arrival:
    """The plays of one column that lead to a layer: to which cells, from which places, what tops."""

    cells: Integers
    parents: Integers
    made: Integers


class Table:
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
        self.ways = ways(board)
        # Tops that can be, the place of each, and the tops that each one is made from by a play.
        self.tops = [top for top in range(TOPS) if board.tops() >> top & 1]
        self.slot = np.array([self.tops.index(top) if top in self.tops else 0 for top in range(TOPS)])
        into = self.ways.into
        self.sources = np.array(
            [sum((into[top] >> made & 1) << top for top in self.tops) for made in range(TOPS + 1)]
        )

    def never(self, cells: Integers) -> Integers:
        """Mask of the tops on which nothing may be drawn."""
        never = np.full(len(cells), self.board.no_draw())
        if self.board.draw_when_stuck:
            for row, height in zip(self.follow, self.grid.digits[:, cells], strict=True):
                never |= row[height]
        return never

    def pointless(self, cells: Integers) -> Integers:
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


def reach(table: Table, limit: int) -> list[Layer] | None:
    """What can be reached, the full tableau first; None for too many pairs."""
    with ThreadPoolExecutor(THREADS) as pool:
        return _reach(table, limit, pool)


def _reach(table: Table, limit: int, pool: ThreadPoolExecutor) -> list[Layer] | None:
    grid, words = table.grid, table.drawn.words
    layers: list[Layer] = []
    made = np.zeros((words, len(table.tops), 1), np.uint64)
    place = np.full(grid.cells + 1, -1)
    pairs = 0
    for layer in range(len(grid.starts) - 2, -1, -1):
        cells = np.arange(grid.starts[layer], grid.starts[layer + 1])
        if layers:
            came, arrivals = _arrive(table, layers[-1], place, cells)
            some = np.flatnonzero(came)
            if not len(some):
                break
            cells, came = cells[some], came[some]
        else:
            came, arrivals = np.array([1 << table.board.top]), []
        place[cells] = np.arange(len(cells))
        pieces = min(len(cells), THREADS) if len(cells) * words * len(table.tops) > _ALONE else 1
        cuts = [n * len(cells) // pieces for n in range(pieces + 1)]
        above, made = made, np.empty((words, len(table.tops), len(cells)), np.uint64)
        # Each thread fills in its own part of `made`.
        jobs = [_Part(table, cells, came, arrivals, place, above, made, a, b) for a, b in pairwise(cuts)]
        sets, tops, counts = (
            np.concatenate(column) for column in zip(*pool.map(_Part.settle, jobs), strict=True)
        )
        pairs += int(counts.sum())
        if pairs > limit:
            return None
        layers.append(Layer(cells, sets, tops, came, counts))
    return layers


def _arrive(table: Table, last: Layer, place: Integers, cells: Integers) -> tuple[Integers, list[_Arrival]]:
    """Mask of the tops that plays from the layer above leave at cells, and these plays, column by column."""
    tops, found = np.append(last.tops, 0), []
    came = np.zeros(len(cells), np.int64)
    for column, result in zip(table.ways.column, table.ways.result, strict=True):
        parent = place.take(table.grid.above[column].take(cells))
        made = np.append(result[1:], TOPS).take(table.grid.digits[column].take(cells))
        # Of no parent the place is -1, and there are no tops.
        some = np.flatnonzero(tops.take(parent) & table.sources.take(made))
        if len(some):
            own = made.take(some)
            came[some] |= np.left_shift(1, own)
            found.append(_Arrival(cells.take(some), parent.take(some), own))
    return came, found


@dataclass(slots=True)
class _Part:
    """Some cells of a layer, from place `begin` to `end`.

    above, made: hands that plays making each top lead on from the layer before and from this one, shape
    (words, tops, cells): word by word, so that numpy meets many side by side.
    """

    table: Table
    cells: Integers
    came: Integers
    arrivals: list[_Arrival]
    place: Integers
    above: Sets
    made: Sets
    begin: int
    end: int

    def settle(self) -> tuple[Sets, Integers, Integers]:
        """Sets, tops and counts; fills in what plays lead on."""
        table, cells = self.table, self.cells[self.begin : self.end]
        reached = np.zeros((len(self.above), len(table.tops), len(cells)), np.uint64)
        if self.arrivals:
            self._play(reached)
        else:
            reached[0, table.tops.index(table.board.top), 0] = 1
        came = self.came[self.begin : self.end]
        sets = _draw(table, cells, came, reached)
        sets |= np.bitwise_or.reduce(reached, axis=1)
        tops = np.zeros(len(cells), np.int64)
        for n, top in enumerate(table.tops):
            tops |= (np.bitwise_or.reduce(reached[:, n], axis=0) != 0) * np.int64(1 << top)
        for n, top in enumerate(table.tops):
            out, first = self.made[:, n, self.begin : self.end], True
            for m, source in enumerate(table.tops):
                if int(table.sources[top]) >> source & 1:
                    if first:
                        out[:] = reached[:, m]
                    else:
                        out |= reached[:, m]
                    first = False
        counts = _ones(sets)
        return np.ascontiguousarray(sets.T), tops, counts

    def _play(self, reached: Sets) -> None:
        """Adds what plays lead to from the layer above."""
        words, _, count = reached.shape
        above, flat = self.above.reshape(words, -1), reached.reshape(words, -1)
        wide = self.above.shape[2]
        for arrival in self.arrivals:
            child = self.place.take(arrival.cells)
            part = slice(*np.searchsorted(child, (self.begin, self.end)).tolist())
            made = self.table.slot.take(arrival.made[part])
            came = above.take(made * wide + arrival.parents[part], axis=1)
            spots = made * count + (child[part] - self.begin)
            came |= flat.take(spots, axis=1)
            for word, more in zip(flat, came, strict=True):
                word[spots] = more


def _draw(table: Table, cells: Integers, came: Integers, reached: Sets) -> Sets:
    """Adds what draws lead to; gives the hands that more can be drawn from, shape (words, cells)."""
    drawn = table.drawn
    never = table.never(cells)
    skip = never | table.pointless(cells)
    if cells[0] == 0:
        # The tableau is cleared: nothing is drawn any more.
        never[0] = skip[0] = -1
    stops = np.zeros((drawn.words, len(cells)), np.uint64)
    there = int(np.bitwise_or.reduce(came))
    for n, top in enumerate(table.tops):
        if there >> top & 1:
            stops |= reached[:, n] & _everywhere(skip >> top & 1 == 0)
    # Where a decision is due all that is legal is valued.
    for cell in np.flatnonzero(np.bitwise_or.reduce(reached[0], axis=0) & np.uint64(1)).tolist():
        for n, top in enumerate(table.tops):
            if not never[cell] >> top & 1:
                stops[0, cell] |= reached[0, n, cell] & np.uint64(1)
    goes_on = [np.any([skip >> top & 1 == 0 for top in tops], axis=0) for tops in table.draws]
    if drawn.whole:
        steps = drawn.step.tolist()
        for q, free in enumerate(goes_on):
            able = table.able[q][:, None] & _everywhere(free)
            for _ in range(int(drawn.copies[q])):
                _shift(stops & able, steps[q], stops)
        for q, tops in enumerate(table.draws):
            able_stops = stops & table.able[q][:, None]
            for top in tops:
                _shift(able_stops, steps[q], reached[:, table.tops.index(top)])
        return stops
    able_bits = bits(np.ascontiguousarray(stops.T), drawn.hands)
    for stage in range(table.board.left):
        hands = np.flatnonzero(drawn.stage == stage)
        for q, free in enumerate(goes_on):
            some = hands[drawn.after[hands, q] >= 0]
            able_bits[:, drawn.after[some, q]] |= able_bits[:, some] & free[:, None]
    for q, tops in enumerate(table.draws):
        some = np.flatnonzero(drawn.after[:, q] >= 0)
        came_bits = np.zeros((len(cells), drawn.words * 64), np.bool_)
        came_bits[:, drawn.after[some, q]] = able_bits[:, some]
        for top in tops:
            reached[:, table.tops.index(top)] |= _packed(came_bits)
    padded = np.zeros((len(cells), drawn.words * 64), np.bool_)
    padded[:, : drawn.hands] = able_bits
    return _packed(padded).copy()


def _packed(places: NDArray[np.bool_]) -> Sets:
    """Sets of the places that hold, shape (words, cells)."""
    return np.packbits(places, axis=1, bitorder="little").view(np.uint64).T


def _everywhere(some: NDArray[np.bool_]) -> Sets:
    """The set of all hands where `some` holds, else none."""
    return np.uint64(0) - some.astype(np.uint64)


def _shift(sets: Sets, step: int, into: Sets) -> None:
    """Adds to sets those with each member so many places up, shape (words, cells)."""
    words, low = divmod(step, 64)
    count = len(sets)
    if low == 0:
        into[words:] |= sets[: count - words]
        return
    into[words:] |= sets[: count - words] << np.uint64(low)
    into[words + 1 :] |= sets[: count - words - 1] >> np.uint64(64 - low)


def less(sets: Sets, step: int, able: Sets) -> None:
    """Adds to sets those with each member so many places down, where that is `able`, shape (words, cells)."""
    words, low = divmod(step, 64)
    moved = np.zeros_like(sets)
    moved[: len(sets) - words] = sets[words:] >> np.uint64(low)
    if low:
        moved[: len(sets) - words - 1] |= sets[words + 1 :] << np.uint64(64 - low)
    moved &= able
    sets |= moved


def bits(sets: Sets, hands: int) -> NDArray[np.bool_]:
    """Sets with a place for each hand, shape (sets, hands)."""
    return np.unpackbits(sets.view(np.uint8), axis=1, count=hands, bitorder="little").view(np.bool_)


def _ones(sets: Sets) -> Integers:
    """How many members each set has, shape (words, cells)."""
    # np.bitwise_count came with numpy 2.
    count = getattr(np, "bitwise_count", None)
    if count is None:
        found: Integers = np.unpackbits(np.ascontiguousarray(sets.T).view(np.uint8), axis=1).sum(axis=1)
    else:
        found = count(sets).sum(axis=0, dtype=np.int64)
    return found.astype(np.int64)
