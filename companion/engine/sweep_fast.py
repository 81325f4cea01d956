"""The same sweep as `companion.engine.sweep`, compiled by Numba (extra `fast`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from companion.engine.board import Board
from companion.engine.lattice import size, strides
from companion.engine.sweep import Reached, turned
from companion.engine.tops import BLANK, TOPS


def reach(board: Board) -> Reached:
    """Everything that can be reached from a board with a known stock; see `companion.engine.sweep.reach`."""
    stages, best, states = stage_sets(board, turned(board))
    return Reached(lambda top, index: int(stages[index, top]), best, states)


def stage_sets(board: Board, drawn: list[int]) -> tuple[Any, int, int]:
    """The stage set of each height vector and top, uint32, shape (cells, TOPS), by mixed-radix index.

    drawn: for each top the stages whose draw can put it on the discard.
    Also returns the index of the best vector, and how many states (heights, top, stage) are reached.
    """
    stages = np.zeros((size(board.heights), TOPS), np.uint32)
    stages[-1, board.top] = 1
    starts, counts, sources, results = edge_tables(board)
    best, states = _sweep(
        stages,
        np.array(board.heights, np.int64),
        np.array(strides(board.heights), np.int64),
        np.array(board.padded(), np.int64).reshape(len(board.columns), -1),
        starts,
        counts,
        sources,
        results,
        np.array([*board.steps.follow, 0][: BLANK + 1], np.int64),
        np.array(drawn, np.uint32),
        board.no_draw(),
        (1 << (board.left + 1)) - 1,
        board.draw_when_stuck,
    )
    return stages, int(best), int(states)


def edge_tables(board: Board) -> tuple[Any, Any, Any, Any]:
    """The ways to play each kind as arrays.

    starts[kind]: its first way (and, for the next kind, the end); counts[way]: how many tops it may be
    played on; sources[way]: those tops, padded with 0; results[way]: the top it becomes.
    """
    possible = board.tops()
    starts, sources, results = [0], [], []
    for edges in board.steps.plays:
        for edge in edges:
            sources.append([top for top in range(TOPS) if (edge.sources & possible) >> top & 1])
            results.append(edge.result)
        starts.append(len(results))
    width = max(map(len, sources))
    padded = [row + [0] * (width - len(row)) for row in sources]
    counts = np.array([len(row) for row in sources], np.int64)
    return np.array(starts, np.int64), counts, np.array(padded, np.int64), np.array(results, np.int64)


@njit(cache=True)
def _sweep(
    stages,
    heights,
    stride,
    padded,
    starts,
    counts,
    sources,
    results,
    follow,
    turned,
    no_draw,
    full,
    when_stuck,
):
    columns = len(heights)
    height = heights.copy()
    cards = heights.sum()
    best, fewest, states = len(stages) - 1, cards, 0
    drawn = np.flatnonzero(turned)
    for index in range(len(stages) - 1, -1, -1):
        ready = np.uint32(0)
        if no_draw == 0:
            for top in range(TOPS):
                ready |= stages[index, top]
        else:
            for top in range(TOPS):
                if not (no_draw >> top) & 1:
                    ready |= stages[index, top]
        reached = ready
        if no_draw:
            for top in range(TOPS):
                reached |= stages[index, top]
        if reached:
            if cards < fewest:
                best, fewest = index, cards
            came = np.uint32(0)
            if when_stuck:
                playable = 0
                for i in range(columns):
                    if height[i]:
                        playable |= follow[padded[i, height[i] - 1]]
                ready = np.uint32(0)
                for top in range(TOPS):
                    if not ((playable | no_draw) >> top) & 1:
                        ready |= stages[index, top]
                passing = np.uint32(0)
                for top in drawn:
                    if not (playable >> top) & 1:
                        passing |= turned[top]
                fresh = ready << np.uint32(1)
                while fresh:
                    came |= fresh
                    fresh = ((fresh & passing) << np.uint32(1)) & ~came
            elif ready:
                lowest = ready & (~ready + np.uint32(1))
                came = ~(lowest | (lowest - np.uint32(1)))
            came &= np.uint32(full)
            if came:
                for top in drawn:
                    stages[index, top] |= came & turned[top]
            for i in range(columns):
                if height[i]:
                    kind = padded[i, height[i] - 1]
                    below = index - stride[i]
                    for way in range(starts[kind], starts[kind + 1]):
                        played = np.uint32(0)
                        for n in range(counts[way]):
                            played |= stages[index, sources[way, n]]
                        stages[below, results[way]] |= played
            for top in range(TOPS):
                states += _ones(stages[index, top])
        for i in range(columns):
            if height[i]:
                height[i] -= 1
                cards -= 1
                break
            height[i] = heights[i]
            cards += heights[i]
    return best, states


@njit(cache=True, inline="always")
def _ones(bits):
    """How many bits of a 32-bit number are set."""
    bits = bits - ((bits >> np.uint32(1)) & np.uint32(0x55555555))
    bits = (bits & np.uint32(0x33333333)) + ((bits >> np.uint32(2)) & np.uint32(0x33333333))
    bits = (bits + (bits >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    return np.uint32(bits * np.uint32(0x01010101)) >> np.uint32(24)
