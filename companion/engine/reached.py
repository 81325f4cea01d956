"""What play can reach, for the exact expectation in numpy; see `companion.engine.expect`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.drawn import Drawn, Integers, Sets
from companion.engine.lattice import lattice
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

    def exposed(self, cells: Integers) -> Iterator[tuple[int, int, int, Integers]]:
        """Column, height of it, kind of its exposed card and the places of the cells that this is true of."""
        for i, column in enumerate(self.board.columns):
            digits = self.grid.digits[i, cells]
            for h, kind in enumerate(column, 1):
                some = np.flatnonzero(digits == h)
                if len(some):
                    yield i, h, kind, some


def reach(table: Table, limit: int) -> list[Layer] | None:
    """What can be reached, the full tableau first; None for too many pairs."""
    with ThreadPoolExecutor(THREADS) as pool:
        return _reach(table, limit, pool)


def _reach(table: Table, limit: int, pool: ThreadPoolExecutor) -> list[Layer] | None:
    board, drawn, grid = table.board, table.drawn, table.grid
    layers: list[Layer] = []
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
        some = np.flatnonzero(np.bitwise_or.reduce(reached, axis=0).any(axis=1))
        if not len(some):
            break
        cells, reached = cells[some], reached[:, some]
        pieces = min(len(cells), THREADS) if reached.size > _ALONE else 1
        parts = [slice(n * len(cells) // pieces, (n + 1) * len(cells) // pieces) for n in range(pieces)]
        # Each thread changes its own part of `reached`.
        jobs = [(table, cells[part], reached[:, part]) for part in parts]
        settled = pool.map(_settle, *zip(*jobs, strict=True))
        columns = zip(*settled, strict=True)
        sets, tops, came, counts = (np.concatenate(column) for column in columns)
        pairs += int(counts.sum())
        if pairs > limit:
            return None
        place[cells] = np.arange(len(cells))
        layers.append(Layer(cells, sets, tops, came, counts))
    return layers


def _settle(table: Table, cells: Integers, reached: Sets) -> tuple[Sets, Integers, Integers, Integers]:
    """Adds what draws lead to: sets, tops, tops that plays left before, and counts of a layer's part."""
    came = _masks(reached)
    sets = _draw(table, cells, reached)
    sets |= np.bitwise_or.reduce(reached, axis=0)
    return sets, _masks(reached), came, _ones(sets)


def _play(table: Table, last: Layer, above: Sets, place: Integers, cells: Integers, reached: Sets) -> None:
    """Adds what plays lead to from the layer above."""
    start = int(cells[0])
    there: list[bool] = np.any(above, axis=(1, 2)).tolist()
    for i, _, kind, some in table.exposed(last.cells):
        below = table.grid.below[i, last.cells[some]] - start
        for edge in table.board.steps.plays[kind]:
            tops = [top for top in range(TOPS) if edge.sources >> top & 1 and there[top]]
            if tops:
                moved = above[tops[0], some]
                for top in tops[1:]:
                    moved |= above[top, some]
                reached[edge.result, below] |= moved


def _draw(table: Table, cells: Integers, reached: Sets) -> Sets:
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
        stops |= reached[top] & _everywhere(free)
        # Where a decision is due all that is legal is valued.
        due = ~free & (never >> top & 1 == 0)
        stops[:, 0] |= np.where(due, reached[top, :, 0] & np.uint64(1), np.uint64(0))
    goes_on = [np.any([skip >> top & 1 == 0 for top in tops], axis=0) for tops in table.draws]
    if drawn.whole:
        steps = drawn.step.tolist()
        for q, free in enumerate(goes_on):
            more = _everywhere(free)
            for _ in range(int(drawn.copies[q])):
                stops |= _shift(stops & table.able[q], steps[q]) & more
        for q, tops in enumerate(table.draws):
            came = _shift(stops & table.able[q], steps[q])
            for top in tops:
                reached[top] |= came
        return stops
    able = bits(stops, drawn.hands)
    for stage in range(table.board.left):
        hands = np.flatnonzero(drawn.stage == stage)
        for q, free in enumerate(goes_on):
            some = hands[drawn.after[hands, q] >= 0]
            able[:, drawn.after[some, q]] |= able[:, some] & free[:, None]
    for q, tops in enumerate(table.draws):
        some = np.flatnonzero(drawn.after[:, q] >= 0)
        came_bits = np.zeros((len(cells), drawn.words * 64), np.bool_)
        came_bits[:, drawn.after[some, q]] = able[:, some]
        for top in tops:
            reached[top] |= np.packbits(came_bits, axis=1, bitorder="little").view(np.uint64)
    padded = np.zeros((len(cells), drawn.words * 64), np.bool_)
    padded[:, : drawn.hands] = able
    packed: Sets = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    return packed


def _everywhere(some: NDArray[np.bool_]) -> Sets:
    """The set of all hands where `some` holds, else none, shape (cells, 1)."""
    return (np.uint64(0) - some.astype(np.uint64))[:, None]


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


def bits(sets: Sets, hands: int) -> NDArray[np.bool_]:
    """Sets with a place for each hand, shape (sets, hands)."""
    return np.unpackbits(sets.view(np.uint8), axis=1, count=hands, bitorder="little").view(np.bool_)


def _ones(sets: Sets) -> Integers:
    """How many members each set has."""
    # np.bitwise_count came with numpy 2.
    count = getattr(np, "bitwise_count", None)
    ones = np.unpackbits(sets.view(np.uint8), axis=1) if count is None else count(sets)
    found: Integers = ones.sum(axis=1, dtype=np.int64)
    return found


def _masks(reached: Sets) -> Integers:
    """Mask of the tops that have a hand."""
    masks = np.zeros(reached.shape[1], np.int64)
    for top, sets in enumerate(reached):
        if sets.any():
            masks |= sets.any(axis=1) * np.int64(1 << top)
    return masks
