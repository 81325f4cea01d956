"""What columns show at their heights, and what can be played from there: looked up, a group at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.groups import (
    ALL,
    LANES,
    Group,
    Masks,
    apart,
    fourfold,
    groups,
    lanes,
    total,
    union,
)
from companion.engine.audit.labels import Few, Ints, Packed, counted
from companion.engine.tops import JOKER

_ONES: Final = np.array([mask.bit_count() for mask in range(1 << 13)], np.int64)
"""How many bits of a mask of ranks are set."""
_LANE: Final = LANES.bit_length() - 1

Ways = Sequence[Sequence[Sequence[tuple[int, int, int]]]]
"""By column and height, 0 for an empty one: the ways to play the exposed card: sources, top, kind."""


@dataclass(frozen=True, slots=True)
class Found:
    """Cards played, or taken back.

    at: from which states; cell: what is taken from the cell, or added; label: the top, or the number of the
    sources; fits: whether it takes no break.
    """

    at: Ints
    cell: Ints
    label: NDArray[np.uint8]
    fits: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Slot:
    """One way to play each card of a group, by row; of masks and labels a lane a column.

    sources: the tops that the exposed card may be put on; cards: its rank, all bits where it may be several;
    result: the top it makes.  made: that of the card that left last, as a mask; label: that of its sources.
    """

    sources: Packed
    cards: Packed
    result: NDArray[np.uint32]
    made: Packed
    label: NDArray[np.uint32]


class Shown:
    """Columns of a task; cells are packed as `sizes` tells, from the digit of the first column up.

    kinds: by column the kind of each card, the buried one first; sources: those that cards have, in order.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        kinds: Sequence[Sequence[int]],
        ways: Ways,
        sources: Masks,
    ) -> None:
        if not sizes:
            sizes, kinds, ways = [1], [[]], [[[]]]
        self._groups = groups(sizes, [len(column) for column in kinds])
        single = [(0, *(1 << kind if kind != JOKER else 0 for kind in column)) for column in kinds]
        self._single = [group.united(single) for group in self._groups]
        every = [np.bitwise_or.accumulate(column) for column in single]
        self._ranks = [group.united(every) for group in self._groups]
        left = [np.cumsum([0, *(1 << 4 * kind for kind in column)], dtype=np.uint64) for column in kinds]
        self._left = [group.each(left, np.uint64).sum(axis=1, dtype=np.uint64) for group in self._groups]
        self._fits = [group.united(_sources(ways)) for group in self._groups]
        self._makes = [group.united(_left_last(_tops(ways))) for group in self._groups]
        self._buried = [
            group.united([(0, 0, *column[2:])[: len(column)] for column in single]) for group in self._groups
        ]
        alone = [(0, *column[1:2], *([0] * len(column[2:]))) for column in single]
        self._lone = [group.united(alone) for group in self._groups]
        self._lone_lanes = [lanes(group.each(alone, np.uint16)) for group in self._groups]
        self._slots = [list(_slots(group, single, alone, ways, sources)) for group in self._groups]
        stride = [prod(sizes[:i]) for i in range(len(sizes))]
        self._steps = [
            np.array([stride[i] for i in group.columns] + [0] * (LANES - len(group.columns)), np.int64)
            for group in self._groups
        ]

    def rows(self, cell: Ints) -> list[Ints]:
        """Where the tables of each group tell of cells."""
        return [group.rows(cell) for group in self._groups]

    def counts(self, rows: Sequence[Ints]) -> list[Few]:
        """For each kind how many of it have still to leave the columns; ranks, then jokers."""
        return counted(total(self._left, rows))

    def fits(self, rows: Sequence[Ints]) -> Masks:
        """The tops that an exposed card can be put on."""
        return union(self._fits, rows)

    def makes(self, rows: Sequence[Ints]) -> Masks:
        """The tops that the last card played can have become."""
        return union(self._makes, rows)

    def open(self, rows: Sequence[Ints]) -> Ints:
        """How many ranks are exposed."""
        count: Ints = _ONES[union(self._single, rows)]
        return count

    def plays(self, cell: Ints, tops: Masks, onward: Masks, alone: Masks | None) -> Iterator[Found]:
        """The cards that can be played: on one of the tops, or after a break where their ranks are `onward`.

        Not a column's last card where an equal one lies on others, or alone in a column before.  alone: by
        mask of the ranks that are left those that fit no other card: of these the least one is enough.
        """
        rows = self.rows(cell)
        if alone is not None:
            ranks = alone.take(union(self._ranks, rows)) & union(self._single, rows)
            least = ranks & (~ranks + np.uint16(1))
            onward = np.where(ranks != 0, onward & least, onward)
        before = union(self._buried, rows)
        tops_of, onward_of = fourfold(tops), fourfold(onward)
        for number, row in enumerate(rows):
            lone = self._lone[number].take(row)
            again = (
                apart(self._lone_lanes[number].take(row) & fourfold(before))
                if (lone & before).any()
                else None
            )
            before |= lone
            for slot in self._slots[number]:
                fits = slot.sources.take(row) & tops_of
                free = apart(fits | slot.cards.take(row) & onward_of) != 0
                if again is not None:
                    free &= again == 0
                yield self._found(number, free, apart(fits), slot.result.take(row))

    def taken_back(self, cell: Ints, tops: Masks, more: NDArray[np.bool_]) -> Iterator[Found]:
        """The cards that can have been played last: those that made one of the tops; others where `more`."""
        rows = self.rows(cell)
        tops_of, any_of = fourfold(tops), fourfold(np.where(more, ALL, tops))
        for number, row in enumerate(rows):
            for slot in self._slots[number]:
                made = slot.made.take(row)
                yield self._found(
                    number, apart(made & any_of) != 0, apart(made & tops_of), slot.label.take(row)
                )

    def _found(self, number: int, free: NDArray[np.bool_], fits: Masks, label: NDArray[np.uint32]) -> Found:
        found = np.flatnonzero(free)
        step = self._steps[number].take(found & LANES - 1)
        return Found(found >> _LANE, step, label.view(np.uint8).take(found), fits.take(found) != 0)


def _slots(
    group: Group,
    single: Sequence[Sequence[int]],
    alone: Sequence[Sequence[int]],
    ways: Ways,
    sources: Masks,
) -> Iterator[_Slot]:
    """As many as a card of the group has ways to be played."""
    own, last = group.each(single, np.uint16), group.each(alone, np.uint16)
    drop = np.zeros(own.shape, np.bool_)
    before = np.bitwise_or.reduce(np.where(last == 0, own, 0), axis=1)
    for i in range(own.shape[1]):
        drop[:, i] = last[:, i] & before != 0
        before |= last[:, i]
    most = max((len(card) for i in group.columns for card in ways[i]), default=0)
    for number in range(most):
        part = [[card[number : number + 1] for card in column] for column in ways]
        put_on = group.each(_sources(part), np.uint16)
        put_on[drop] = 0
        rank = np.where(put_on != 0, np.where(own == 0, ALL, own), 0).astype(np.uint16)
        made = _left_last(_tops(part))
        labels = [[int(np.searchsorted(sources, mask)) for mask in row] for row in _left_last(_sources(part))]
        yield _Slot(
            lanes(put_on),
            lanes(rank),
            _bytes(group.each([[way[0][1] if way else 0 for way in column] for column in part], np.uint8)),
            lanes(group.each(made, np.uint16)),
            _bytes(group.each(labels, np.uint8)),
        )


def _sources(ways: Ways) -> list[list[int]]:
    """By column and height the tops that the exposed card can be put on."""
    return [[_union(mask for mask, _, _ in card) for card in column] for column in ways]


def _tops(ways: Ways) -> list[list[int]]:
    """By column and height the tops that the exposed card can become."""
    return [[_union(1 << top for _, top, _ in card) for card in column] for column in ways]


def _left_last(values: Sequence[Sequence[int]]) -> list[list[int]]:
    """Of the card that left last instead of the one that is exposed."""
    return [[*column[1:], 0] for column in values]


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _bytes(values: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """A table of small numbers (rows, columns) with the columns side by side in one number."""
    wide = np.zeros((len(values), LANES), np.uint8)
    wide[:, : values.shape[1]] = values
    return wide.view(np.uint32)[:, 0]


__all__ = ["Found", "Shown"]
