"""The lattice of column heights that a tableau passes through.

A tableau during play is a vector of heights, one a column, so it is one of (height + 1) x ... vectors,
numbered in mixed radix: index = sum of height[i] * stride[i], 0 is the cleared tableau.  Every play goes
from an index to a smaller one.  `Lattice` groups the vectors into layers of equal sum, so that numpy can
work on a whole layer at once: cell c holds vector `index[c]`, layers follow each other from the cleared
tableau (layer 0) up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

LIMIT: Final = 600_000
"""The most vectors that are worked on whole; a full tableau of 7 columns of 5 has 279,936."""

IntArray = NDArray[np.int32]


def strides(heights: tuple[int, ...]) -> tuple[int, ...]:
    """The stride of each column: the first column's is 1."""
    return tuple(prod(h + 1 for h in heights[:i]) for i in range(len(heights)))


def size(heights: tuple[int, ...]) -> int:
    """How many vectors lie between a tableau and the cleared one."""
    return prod(h + 1 for h in heights)


@dataclass(frozen=True, slots=True)
class Lattice:
    """Height vectors in layers.

    heights: of the full tableau, shape (columns,).
    starts: first cell of each layer, and the end; layer s is cells starts[s] to starts[s + 1].
    index: mixed-radix index of each cell, shape (cells,).
    cell: the inverse, shape (cells,).
    digits: height of each column in each cell, uint8, shape (columns, cells).
    above: cell with one card more in the column, or `cells` where the column is full, (columns, cells).
    below: cell with one card less in the column, or `cells` where it is empty, (columns, cells).
    """

    heights: tuple[int, ...]
    starts: tuple[int, ...]
    index: IntArray
    cell: IntArray
    digits: NDArray[np.uint8]
    above: IntArray
    below: IntArray

    @property
    def cells(self) -> int:
        return len(self.index)


@lru_cache(maxsize=4)
def lattice(heights: tuple[int, ...]) -> Lattice:
    """The lattice below a tableau of these heights."""
    total = size(heights)
    numbers = np.arange(total, dtype=np.int32)
    steps = strides(heights)
    plain, sums = np.empty((len(heights), total), np.uint8), np.zeros(total, np.uint16)
    for i, (step, height) in enumerate(zip(steps, heights, strict=True)):
        own = np.repeat(np.arange(height + 1, dtype=np.uint8), step)
        plain[i] = np.tile(own, total // len(own))
        sums += plain[i]
    # Numbers so small are sorted in one pass.
    index = np.argsort(sums, kind="stable").astype(np.int32)
    starts = np.searchsorted(sums[index], np.arange(sum(heights) + 2))
    cell = np.empty(total, np.int32)
    cell[index] = numbers
    digits = np.take(plain, index, axis=1)
    above, below = (np.empty((len(heights), total), np.int32) for _ in range(2))
    for i, (step, height) in enumerate(zip(steps, heights, strict=True)):
        above[i] = np.where(digits[i] < height, cell[(index + step) % total], total)
        below[i] = np.where(digits[i] > 0, cell[index - step], total)
    return Lattice(heights, tuple(int(s) for s in starts), index, cell, digits, above, below)
