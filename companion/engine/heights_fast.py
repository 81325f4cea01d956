"""What lies open at each height vector, compiled by Numba; see `companion.engine.expect`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from companion.engine.board import Board
from companion.engine.lattice import size
from companion.engine.tops import BLANK


def exposed_kinds(board: Board) -> tuple[Any, Any]:
    """By index: the kind of the exposed card of each column, and the cards left."""
    cells = size(board.heights)
    exposed = np.full((cells, len(board.columns)), BLANK, np.uint8)
    total = np.zeros(cells, np.int16)
    padded = np.array(board.padded(), np.uint8).reshape(len(board.columns), -1)
    _tables(np.array(board.heights, np.int64), padded, exposed, total)
    return exposed, total


@njit(cache=True)
def _tables(heights, padded, exposed, total):
    """Fills in the kind of each exposed card, and the cards left, by index."""
    height = np.zeros(len(heights), np.int64)
    for index in range(len(total)):
        for i in range(len(heights)):
            if height[i]:
                exposed[index, i] = padded[i, height[i] - 1]
            total[index] += height[i]
        for i in range(len(heights)):
            if height[i] < heights[i]:
                height[i] += 1
                break
            height[i] = 0


@njit(cache=True)
def rest_of(heights, exposed, stride, follow, rest):
    """Fills in the mask of tops that some card left in the tableau can be played on, by index."""
    for index in range(1, len(rest)):
        mask = 0
        for i in range(len(heights)):
            if index // stride[i] % (heights[i] + 1):
                mask |= follow[exposed[index, i]] | rest[index - stride[i]]
        rest[index] = mask


@njit(cache=True)
def never_on(index, exposed, follow, when_stuck, no_draw):
    """Mask of the tops on which nothing may be drawn at some heights."""
    never = no_draw
    if when_stuck:
        for i in range(exposed.shape[1]):
            never |= follow[exposed[index, i]]
    return never


@njit(cache=True)
def pointless_on(index, plays, when):
    """Mask of the tops on which it is better not to draw yet; see `companion.engine.expect`."""
    exposed, _, starts, _, results, follow = plays
    found = 0
    if not when[1]:
        for i in range(exposed.shape[1]):
            k = exposed[index, i]
            leads = 0
            for e in range(starts[k], starts[k + 1]):
                leads |= (np.int64(when[0][index]) >> results[e]) & 1
            if not leads:
                found |= follow[k]
    return found
