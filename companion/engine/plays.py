"""The plays from many heights at once, for the exact expectation in numpy; see `companion.engine.expect`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.drawn import Integers
from companion.engine.tops import BLANK, TOPS


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play the exposed card of a column, by the height of the column.

    result: the top it makes, `TOPS` for none; sources: mask of the tops it may be played on.
    on: these tops one by one, `TOPS` for no more, shape (most, heights).
    """

    column: int
    result: Integers
    sources: Integers
    on: Integers


@dataclass(frozen=True, slots=True)
class Turn:
    """What one way comes to at each of some heights.

    column: whose card is played; made: the top it makes, `TOPS` where it can't be played.
    first, again: tops that it is the first play on, or one more, `TOPS` for none, shape (most, cells).
    """

    column: int
    made: Integers
    first: Integers
    again: Integers


def ways(board: Board) -> list[Way]:
    """The ways to play the cards of a board, column by column."""
    plays, ever = board.steps.plays, board.tops()
    found = []
    for i, column in enumerate(board.columns):
        kinds = (BLANK, *column)
        for n in range(max(len(plays[kind]) for kind in kinds)):
            edges = [plays[kind][n] if n < len(plays[kind]) else None for kind in kinds]
            sources = [0 if edge is None else edge.sources & ever for edge in edges]
            tops = [[top for top in range(TOPS) if mask >> top & 1] for mask in sources]
            most = max(map(len, tops))
            on = [own + [TOPS] * (most - len(own)) for own in tops]
            result = [TOPS if edge is None else edge.result for edge in edges]
            found.append(Way(i, np.array(result), np.array(sources), np.array(on).T))
    return found


def turns(
    found: list[Way], digits: NDArray[np.uint8], tops: Integers, results: int
) -> tuple[list[Turn], NDArray[np.bool_]]:
    """The ways from heights, and on which tops something is played there, shape (TOPS + 1, cells).

    digits: heights of each column, shape (columns, cells); tops: mask of those that are there.
    results: mask of the tops that a play may make.
    """
    cells = len(tops)
    played = np.zeros((TOPS + 1, cells), np.bool_)
    flat, numbers = played.reshape(-1), np.arange(cells)
    listed = []
    for way in found:
        height = digits[way.column]
        made = way.result.take(height)
        made[(results >> made & 1 == 0) | (way.sources.take(height) & tops == 0)] = TOPS
        if (made == TOPS).all():
            continue
        first = way.on.take(height, axis=1)
        first[(tops >> first & 1 == 0) | (made == TOPS)] = TOPS
        again = np.full_like(first, TOPS)
        for one, more in zip(first, again, strict=True):
            spots = one * cells + numbers
            before = flat.take(spots) & (one < TOPS)
            more[before], one[before] = one[before], TOPS
            flat[spots] = True
        listed.append(Turn(way.column, made, first, again))
    played[TOPS] = False
    return listed, played


def others(again: Integers, cell: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Rows that one more play comes to, and its tops.  cell: of each row."""
    for tops in again:
        if (tops < TOPS).any():
            all_tops = tops.take(cell)
            some = np.flatnonzero(all_tops < TOPS)
            yield some, all_tops.take(some)
