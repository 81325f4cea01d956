"""The plays from many heights at once, for the exact expectation in numpy; see `companion.engine.expect`.

What can be played on two tops is often the same: with one nine in reach, on an eight and on a ten.  Heights
with the tops on which the same can be done are a *case*; it is valued once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.drawn import Integers
from companion.engine.tops import BLANK, TOPS

_SHUT: Final = 1 << TOPS
"""Marks a case in which nothing may be drawn, or had better not be."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to play the cards of a board.

    column: of each way; result: the top it makes, by the height of the column, `TOPS` for none.
    into: mask of the tops that a play on each top can make.
    """

    column: tuple[int, ...]
    result: tuple[Integers, ...]
    into: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The cases of some heights, which lie side by side.

    first, end: of all cases; plays: the first one in which something can be played; shut: the first one of
    these in which nothing is drawn.
    """

    first: int
    plays: int
    shut: int
    end: int


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of a layer of heights, part by part.

    In a part those in which nothing can be played come first, one for each of the heights in their order,
    then those in which one may draw, too, by the number of plays, then the others, most plays first.

    cell: place of the heights of each case.
    of: the case of each top, and at `TOPS` the one in which nothing can be played, shape (TOPS + 1, cells).
    shut: mask of the tops on which something can be played, but nothing is drawn, shape (cells,).
    number: of plays in each case; column, made: of each play the column and the top it makes, shape
    (most, cases).
    """

    cell: Integers
    of: Integers
    shut: Integers
    number: Integers
    column: Integers
    made: Integers
    parts: list[Part]

    def turns(self, part: Part) -> list[tuple[int, int]]:
        """First and end of the cases of a part that have one play at least, two, and so on."""
        number, found = self.number[part.plays : part.end], []
        for n in range(int(number.max(initial=0))):
            some = np.flatnonzero(number > n)
            found.append((part.plays + int(some[0]), part.plays + int(some[-1]) + 1))
        return found


def ways(board: Board) -> Ways:
    """The ways to play the cards of a board, column by column."""
    plays, columns, results = board.steps.plays, [], []
    into = [0] * TOPS
    for i, column in enumerate(board.columns):
        kinds = (BLANK, *column)
        for n in range(max(len(plays[kind]) for kind in kinds)):
            edges = [plays[kind][n] if n < len(plays[kind]) else None for kind in kinds]
            columns.append(i)
            results.append(np.array([TOPS if edge is None else edge.result for edge in edges]))
            # Whatever card makes a top, it is made from the same tops.
            for edge in filter(None, edges):
                for top in range(TOPS):
                    into[top] |= (edge.sources >> top & 1) << edge.result
    return Ways(tuple(columns), tuple(results), tuple(into))


def cases(found: Ways, digits: NDArray[np.uint8], tops: Integers, skip: Integers, cuts: list[int]) -> Cases:
    """The cases of a layer of heights.

    digits: heights of each column, shape (columns, cells); tops: mask of those that are there.
    skip: mask of the tops on which nothing is drawn; cuts: first cell of each part, and the end.
    """
    cells = np.arange(len(tops))
    results = [result.take(digits[i]) for i, result in zip(found.column, found.result, strict=True)]
    made = np.zeros(len(cells), np.int64)
    for result in results:
        made |= np.left_shift(1, result)
    able, like = _alike(found.into, made, tops, skip)
    some = [np.flatnonzero((key > 0) & (like[top] == top)) for top, key in able.items()]
    cell = np.concatenate([cells, *some])
    key = np.concatenate([0 * cells, *(able[top].take(own) for top, own in zip(able, some, strict=True))])
    can = np.array([(key & _SHUT - 1) >> result.take(cell) & 1 for result in results], np.int8)
    number = can.sum(axis=0, dtype=np.int64)
    most = int(number.max(initial=0))
    shut = key & _SHUT > 0
    part = np.searchsorted(cuts, cell, side="right") - 1
    group = np.where(shut, 2 * most + 1 - number, number) + part * (2 * most + 1)
    # Numbers so small are sorted in one pass.
    order = np.argsort(group.astype(np.min_scalar_type(int(group.max()))), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    of = np.tile(place[: len(cells)], (TOPS + 1, 1))
    begin, first = len(cells), {}
    for top, own in zip(able, some, strict=True):
        first[top] = of[top].copy()
        first[top][own] = place[begin : begin + len(own)]
        begin += len(own)
    for top, mine in like.items():
        for other in first:
            if other <= top and found.into[other] & found.into[top]:
                np.copyto(of[top], first[other], where=(mine == other) & (able[top] > 0))
    edges = np.searchsorted(group[order], np.arange(len(cuts)) * (2 * most + 1)).tolist()
    starts = [begin + b - a for begin, (a, b) in zip(edges[:-1], pairwise(cuts), strict=True)]
    closed = np.append(0, np.cumsum(shut[order]))
    parts = [
        Part(begin, plays, end - int(closed[end] - closed[begin]), end)
        for (begin, end), plays in zip(pairwise(edges), starts, strict=True)
    ]
    cell, can = cell[order], can[:, order]
    turn = np.cumsum(can, axis=0, dtype=np.int8) - 1
    columns, tops_made = (np.zeros((most, len(order)), np.int64) for _ in range(2))
    for n, (i, result) in enumerate(zip(found.column, results, strict=True)):
        own = np.flatnonzero(can[n])
        columns[turn[n, own], own] = i
        tops_made[turn[n, own], own] = result.take(cell.take(own))
    closed_tops = np.zeros(len(cells), np.int64)
    for top, key in able.items():
        closed_tops |= (key >> TOPS) << top
    return Cases(cell, of, closed_tops, number[order], columns, tops_made, parts)


def _alike(
    into: tuple[int, ...], made: Integers, tops: Integers, skip: Integers
) -> tuple[dict[int, Integers], dict[int, Integers]]:
    """For each top what can be done there, 0 for nothing to play, and the first top where it is the same.

    into: see `Ways`; made: mask of the tops that some play makes, of each cell.
    """
    there = int(np.bitwise_or.reduce(tops))
    able: dict[int, Integers] = {}
    like: dict[int, Integers] = {}
    for top in range(TOPS):
        if there >> top & 1 and into[top]:
            key = made & into[top]
            key *= tops >> top & 1
            key |= np.where(key, skip & 1 << top, 0) << (TOPS - top)
            first = np.full(len(made), top)
            for other in able:
                if into[other] & into[top]:
                    np.copyto(first, like[other], where=able[other] == key)
            able[top], like[top] = key, first
    return able, like
