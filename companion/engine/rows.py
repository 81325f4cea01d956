"""Where values lie for the exact expectation in numpy; see `companion.engine.expect`.

A *row* is the values of the hands of a block (`companion.engine.blocks`) in one case of some heights
(`companion.engine.plays`).  Only blocks that heights are reached with have rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.blocks import Blocks
from companion.engine.drawn import Integers
from companion.engine.plays import Cases, cases
from companion.engine.reached import THREADS, Layer, Table, bits, less

FAR: Final = 1 << 40
"""No row has such a number: with mode="clip", numpy takes the last row for it, and the first for -FAR."""
_CHUNK: Final = 40_000
"""Pairs of cells and blocks that are worked on at a time: fewer spend their time in Python, more outgrow the
caches."""
_ALONE: Final = 4_000
"""Pairs of a layer that one thread works on."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a layer.  Those of a part lie together, in it those of a stage, in it those of a case.

    The row of a case and a block is at[stage of the block, case] + rank[cell * (blocks + 1) + block].  For a
    block that the cell isn't reached with that is the first row of all, and for the block number `blocks`,
    which stands for what can't be drawn, the last one.

    cuts: first cell of each part, and the end.
    live: the blocks that each cell is reached with, shape (cells, blocks).
    rank: shape (cells * (blocks + 1),); at: shape (stages, cases).
    many: rows of each stage and cell in one case, shape (stages, cells); size: rows in all.
    """

    cases: Cases
    cuts: list[int]
    live: NDArray[np.bool_]
    rank: Integers
    at: Integers
    many: Integers
    size: int


def lay_out(table: Table, blocks: Blocks, layer: Layer) -> Rows:
    """The rows of a layer."""
    live = _live(table, blocks, layer)
    cells, width = live.shape
    before = np.zeros((cells, width + 1), np.int64)
    np.cumsum(live, axis=1, out=before[:, 1:])
    ends = before[:, -1].cumsum()
    starts = before[:, blocks.starts].T
    many = np.ascontiguousarray(np.diff(starts, axis=0))
    rank = before
    rank[:, :-1][~live] = -FAR
    rank[:, -1] = FAR
    # Cells in parts of about as many rows, as many for each thread.
    all_rows = int(ends[-1])
    parts = min(cells, -(-all_rows // (_CHUNK * THREADS)) * THREADS) if all_rows > _ALONE else 1
    inside = np.searchsorted(ends, all_rows * np.arange(1, parts) / parts, side="right")
    cuts = [a for a, b in pairwise([0, *inside.tolist(), cells]) if a < b] + [cells]
    skip = table.never(layer.cells) | table.pointless(layer.cells)
    found = cases(table.ways, table.grid.digits[:, layer.cells], layer.tops, skip, cuts)
    taken = many.take(found.cell, axis=1)
    at = -taken - starts[:-1].take(found.cell, axis=1)
    size = 1
    for part in found.parts:
        some = taken[:, part.first : part.end]
        follows = size + np.cumsum(some)
        at[:, part.first : part.end] += follows.reshape(some.shape)
        size = int(follows[-1])
    return Rows(found, cuts, live, rank.reshape(-1), at, many, size + 1)


def _live(table: Table, blocks: Blocks, layer: Layer) -> NDArray[np.bool_]:
    """The blocks that each cell is reached with, shape (cells, blocks)."""
    drawn = table.drawn
    if drawn.whole:
        # The hand without near cards comes to stand for all of its block.
        sets = layer.sets.T.copy()
        for q in blocks.near:
            for _ in range(int(drawn.copies[q])):
                less(sets, int(drawn.step[q]), table.able[q][:, None])
        return bits(np.ascontiguousarray(sets.T), drawn.hands).take(blocks.hand[:, 0], axis=1)
    reached = np.zeros((drawn.hands + 1, len(layer.cells)), np.bool_)
    reached[:-1] = bits(layer.sets, drawn.hands).T
    live = np.zeros((len(blocks.hand), len(layer.cells)), np.bool_)
    for lane in blocks.hand.T:
        live |= reached[lane]
    return np.ascontiguousarray(live.T)
