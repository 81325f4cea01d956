"""Columns in groups: one look-up tells of up to four columns at once what they show at their heights.

Of masks of 16 bits four lie side by side in a number of 64 bits, one *lane* a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import Ints, Packed

LANES: Final = 4
_ROWS: Final = 1 << 13
"""The most heights of a group: a table of them stays in the processor's cache."""
_FOURFOLD: Final = np.uint64(0x0001000100010001)

Masks = NDArray[np.uint16]
ALL: Final = np.uint16(0xFFFF)


class Group:
    """Neighbouring columns.

    columns: their numbers; sizes: by column of the table, how many heights its digit of a cell can tell, one
    more than it has cards at least; tall: how many cards it has.
    """

    def __init__(self, columns: range, sizes: Sequence[int], tall: Sequence[int]) -> None:
        self.columns = columns
        self._rows = prod(sizes[i] for i in columns)
        self._stride = prod(sizes[: columns.start])
        both = self._rows | self._stride
        self._shift = self._stride.bit_length() - 1 if both.bit_count() <= 2 and _power(self._rows) else None
        number = np.arange(self._rows)
        self._heights = [
            np.minimum(number // prod(sizes[columns.start : i]) % sizes[i], tall[i]) for i in columns
        ]

    def rows(self, cell: Ints) -> Ints:
        """The rows of tables that cells stand for."""
        if self._shift is None:
            digits: Ints = cell // self._stride % self._rows
            return digits
        bits: Ints = cell >> self._shift & self._rows - 1
        return bits

    def each(self, values: Sequence[Any], dtype: Any) -> NDArray[Any]:
        """A table (rows, columns) of values that are given by column and by height."""
        pairs = zip(self.columns, self._heights, strict=True)
        return np.stack([np.asarray(values[i], dtype)[height] for i, height in pairs], axis=1)

    def united(self, values: Sequence[Any]) -> Masks:
        """A table (rows,) of the masks of all columns in one."""
        union: Masks = np.bitwise_or.reduce(self.each(values, np.uint16), axis=1)
        return union


def groups(sizes: Sequence[int], tall: Sequence[int]) -> list[Group]:
    """All columns in groups, as even as may be."""
    fewest, result, first = -(-len(sizes) // LANES), list[Group](), 0
    each = -(-len(sizes) // max(fewest, 1))
    while first < len(sizes):
        end = first + 1
        while end < min(first + each, len(sizes)) and prod(sizes[first : end + 1]) <= _ROWS:
            end += 1
        result.append(Group(range(first, end), sizes, tall))
        first = end
    return result


def lanes(masks: Masks) -> Packed:
    """A table of masks (rows, columns) with the columns side by side in one number."""
    wide = np.zeros((len(masks), LANES), np.uint16)
    wide[:, : masks.shape[1]] = masks
    return wide.view(np.uint64)[:, 0]


def apart(packed: Packed) -> Masks:
    """The masks of lanes, (n * LANES,)."""
    return packed.view(np.uint16)


def fourfold(masks: Masks) -> Packed:
    """The same mask in each lane."""
    spread: Packed = masks.astype(np.uint64) * _FOURFOLD
    return spread


def union(tables: Sequence[Masks], rows: Sequence[Ints]) -> Masks:
    """Of each group's mask."""
    return _joined(np.bitwise_or, tables, rows)


def total(tables: Sequence[Packed], rows: Sequence[Ints]) -> Packed:
    """Of each group's number the sum."""
    return _joined(np.add, tables, rows)


def _joined(join: Callable[..., Any], tables: Sequence[NDArray[Any]], rows: Sequence[Ints]) -> NDArray[Any]:
    result = tables[0].take(rows[0])
    for table, row in zip(tables[1:], rows[1:], strict=True):
        join(result, table.take(row), out=result)
    return result


def _power(number: int) -> bool:
    return number.bit_count() == 1


__all__ = ["ALL", "LANES", "Group", "Masks", "apart", "fourfold", "groups", "lanes", "total", "union"]
