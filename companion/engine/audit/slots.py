"""The ways to play the cards of some columns, in arrays: one look-up tells them for all states at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.engine.audit.labels import Ints

Way = tuple[int, int, int]
"""One way to play a card: mask of the tops it may be put on, the top it makes, its kind."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One way to play each card of some columns.

    columns: their numbers, (rows,); first: where the numbers of each one's cards begin, by height, (rows, 1);
    sources, result, kind: by number: the mask of the tops that the card may be put on, the top it makes, its
    kind; fault: whether that breaks a rule.
    """

    columns: Ints
    first: Ints
    sources: Ints
    result: Ints
    kind: Ints
    fault: bool

    def numbers(self, heights: Ints) -> Ints:
        """The number of the exposed card of each column, (rows, n); heights: of all columns, (columns, n)."""
        own = heights if len(self.columns) == len(heights) else heights[self.columns]
        return own + self.first


def slots(ways: Sequence[Sequence[Sequence[Way]]], *, fault: bool = False) -> list[Slot]:
    """From the ways of each card of each column, the buried one first; as many as the most a card has."""
    most = max((len(way) for column in ways for way in column), default=0)
    result = []
    for slot in range(most):
        columns = [i for i, column in enumerate(ways) if any(len(way) > slot for way in column)]
        rows, first = list[Way](), []
        for i in columns:
            first.append([len(rows)])
            rows += [(0, 0, 0), *(way[slot] if slot < len(way) else (0, 0, 0) for way in ways[i])]
        sources, tops, kinds = (np.array(row, np.int64) for row in zip(*rows, strict=True))
        result.append(Slot(np.array(columns), np.array(first), sources, tops, kinds, fault))
    return result


__all__ = ["Slot", "Way", "slots"]
