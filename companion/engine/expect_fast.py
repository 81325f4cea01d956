"""The expectation kernel compiled by Numba (extra `fast`); what it computes says `companion.engine.expect`.

Two passes.  Forward: for each class of knowledge, the height vectors that can be reached with it and the
tops that can lie there, as lists, because they are few among all vectors.  Backward: from the last stage
to the first, the value of each of them, pushed on to the classes before.  Classes of one stage and colour
touch nothing in common, so they run in parallel.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from numba import get_num_threads, njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.board import Board
from companion.engine.knowledge import Knowledge
from companion.engine.lattice import size, strides
from companion.engine.sweep import drawable
from companion.engine.sweep_fast import edge_tables, stage_sets
from companion.engine.tops import BLANK, TOPS
from companion.engine.values import Ends, Root

_PARTED = 7
"""A class reaches a third to a sixth of the heights that its stage can reach."""

ONE_AT_A_TIME = Lock()
"""Numba's own thread layer ends the process when two threads start parallel loops at once."""


def evaluate(board: Board, knowledge: Knowledge, ends: Ends, limit: int) -> Root | None:
    """The values at the root, or None when more than `limit` pairs (class, heights) can be reached."""
    with ONE_AT_A_TIME:
        return _evaluate(board, knowledge, ends, limit)


def _evaluate(board: Board, knowledge: Knowledge, ends: Ends, limit: int) -> Root | None:
    if _pairs(board, knowledge) > limit * _PARTED:
        return None
    threads = get_num_threads()
    room = limit if threads == 1 else int(limit * 0.75)
    stride = np.array(strides(board.heights), np.int64)
    cells = size(board.heights)
    exposed, total = exposed_kinds(board)
    starts, counts, sources, results = edge_tables(board)
    masks = np.array([edge.sources for edges in board.steps.plays for edge in edges], np.int64)
    draws = np.array([sum(1 << top for top in tops) for tops in board.steps.draws], np.int64)
    follow = np.array(board.steps.follow, np.int64)
    classes = knowledge.classes
    # Where each class keeps its list: thread, first place, length.
    place = np.zeros((classes, 3), np.int64)
    pool_at = np.empty((threads, room), np.int32)
    pool_tops = np.empty((threads, room), np.uint16)
    taken = np.zeros(threads, np.int64)
    stages = np.array(knowledge.stages, np.int64)
    ways = (knowledge.start, knowledge.source, knowledge.kind)
    when = (board.draw_when_stuck, board.no_draw())
    scratch = np.zeros((threads, cells), np.uint16)
    if not _forward(
        stages, *ways, place, pool_at, pool_tops, taken, scratch, exposed, stride,
        starts, masks, results, draws, follow, board.top, *when,
    ):  # fmt: skip
        return None
    longest = int(place[:, 2].max())
    value = np.zeros((threads, room if classes > 1 else 1))
    small = np.zeros((threads, 1 if knowledge.exact else room))
    rows = np.empty((threads, longest, TOPS))
    where = np.zeros((threads, cells), np.int32)
    root = np.zeros((int(place[0, 2]), TOPS))
    _backward(
        stages, *ways, knowledge.weight, knowledge.colour, place, pool_at, pool_tops, value, small, rows,
        where, exposed, total, stride, starts, counts, sources, results, draws, follow, *when,
        ends.stuck, ends.cleared, not knowledge.exact, root,
    )  # fmt: skip
    thread, first, length = (int(n) for n in place[0])
    reached = pool_at[thread, first : first + length]
    found = {int(index): n for n, index in enumerate(reached)}
    drawn = value[thread, first : first + length].copy() if board.left else np.full(length, np.inf)
    return Root(
        lambda top, index: float(root[found[index], top]),
        lambda index: float(drawn[found[index]]),
        int(place[:, 2].sum()),
    )


def _pairs(board: Board, knowledge: Knowledge) -> int:
    """Pairs (class, heights) if each class reached all heights that its stage can reach."""
    anywhere = np.bitwise_or.reduce(stage_sets(board, drawable(board))[0], axis=1)
    rows = [np.count_nonzero(anywhere & np.uint32(1 << stage)) for stage in range(board.left + 1)]
    return int(np.array(rows) @ np.diff(knowledge.stages))


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


@njit(cache=True, parallel=True)
def _forward(
    stages, way, source, kind, place, pool_at, pool_tops, taken, scratch, exposed, stride,
    starts, masks, results, draws, follow, root_top, when_stuck, no_draw,
):  # fmt: skip
    """Lists what each class can reach, indices falling.  False when the room doesn't do."""
    cells, columns = exposed.shape
    room = pool_at.shape[1]
    full = np.zeros(len(taken), np.bool_)
    for stage in range(len(stages) - 1):
        for c in prange(stages[stage], stages[stage + 1]):
            thread = get_thread_id()
            top_index = -1
            low = cells
            if stage == 0:
                scratch[thread, cells - 1] = 1 << root_top
                top_index = cells - 1
                low = cells - 1
            else:
                for w in range(way[c], way[c + 1]):
                    b = source[w]
                    before, first, length = place[b, 0], place[b, 1], place[b, 2]
                    came = np.uint16(draws[kind[w]])
                    for n in range(first, first + length):
                        index = pool_at[before, n]
                        if index == 0:
                            continue
                        if when_stuck or no_draw:
                            never = no_draw
                            if when_stuck:
                                for i in range(columns):
                                    if exposed[index, i] != BLANK:
                                        never |= follow[exposed[index, i]]
                            if not pool_tops[before, n] & ~never:
                                continue
                        scratch[thread, index] |= came
                        if index > top_index:
                            top_index = index
                        if index < low:
                            low = index
            begin = taken[thread]
            end = begin
            for index in range(top_index, -1, -1):
                if index < low:
                    break
                here = scratch[thread, index]
                if here:
                    scratch[thread, index] = 0
                    if end == room:
                        full[thread] = True
                        continue
                    pool_at[thread, end] = index
                    pool_tops[thread, end] = here
                    end += 1
                    for i in range(columns):
                        k = exposed[index, i]
                        if k != BLANK and follow[k] & here:
                            below = index - stride[i]
                            for e in range(starts[k], starts[k + 1]):
                                if masks[e] & here:
                                    scratch[thread, below] |= np.uint16(1 << results[e])
                            if below < low:
                                low = below
            place[c, 0] = thread
            place[c, 1] = begin
            place[c, 2] = end - begin
            taken[thread] = end
        if full.any():
            return False
    return True


@njit(cache=True, parallel=True)
def _backward(
    stages, way, source, kind, weight, colour, place, pool_at, pool_tops, value, small, rows, where,
    exposed, total, stride, starts, counts, sources, results, draws, follow, when_stuck, no_draw,
    stuck, cleared, means, root,
):  # fmt: skip
    """Values of everything that was listed; the values of the first class by place and top go to `root`."""
    columns = exposed.shape[1]
    last = len(stages) - 2
    for stage in range(last, -1, -1):
        begin = stages[stage]
        while begin < stages[stage + 1]:
            end = begin + 1
            while end < stages[stage + 1] and colour[end] == colour[begin]:
                end += 1
            for c in prange(begin, end):
                thread = get_thread_id()
                home, first, length = place[c, 0], place[c, 1], place[c, 2]
                for n in range(length - 1, -1, -1):
                    index = pool_at[home, first + n]
                    where[thread, index] = n
                    here = pool_tops[home, first + n]
                    never = 0
                    if index == 0:
                        stay = cleared[stage]
                    elif stage == last:
                        stay = stuck[total[index]]
                    else:
                        never = no_draw
                        if when_stuck:
                            for i in range(columns):
                                if exposed[index, i] != BLANK:
                                    never |= follow[exposed[index, i]]
                        if means:
                            value[home, first + n] = np.rint(value[home, first + n]) + small[home, first + n]
                        stay = value[home, first + n]
                    for top in range(TOPS):
                        rows[thread, n, top] = stay
                    if never:
                        for top in range(TOPS):
                            if (never >> top) & 1:
                                rows[thread, n, top] = np.inf
                    for i in range(columns):
                        k = exposed[index, i]
                        if k != BLANK and follow[k] & here:
                            below = where[thread, index - stride[i]]
                            for e in range(starts[k], starts[k + 1]):
                                # Tops that can't be reached here get values as well; nothing asks for them.
                                after = rows[thread, below, results[e]]
                                for s in range(counts[e]):
                                    if after < rows[thread, n, sources[e, s]]:
                                        rows[thread, n, sources[e, s]] = after
                if stage == 0:
                    root[:] = rows[thread, :length]
                for w in range(way[c], way[c + 1]):
                    b = source[w]
                    before, start, count = place[b, 0], place[b, 1], place[b, 2]
                    came, many = draws[kind[w]], weight[w]
                    single = -1
                    for top in range(TOPS):
                        if came == 1 << top:
                            single = top
                    for n in range(start, start + count):
                        index = pool_at[before, n]
                        if index == 0:
                            continue
                        if when_stuck or no_draw:
                            never = no_draw
                            if when_stuck:
                                for i in range(columns):
                                    if exposed[index, i] != BLANK:
                                        never |= follow[exposed[index, i]]
                            if not pool_tops[before, n] & ~never:
                                continue
                        at = where[thread, index]
                        if single >= 0:
                            got = rows[thread, at, single]
                        else:
                            got = np.inf
                            for top in range(TOPS):
                                if (came >> top) & 1 and rows[thread, at, top] < got:
                                    got = rows[thread, at, top]
                        if means:
                            whole = np.floor(got + 0.25)
                            value[before, n] += many * whole
                            small[before, n] += many * (got - whole)
                        else:
                            value[before, n] += many * got
            begin = end
    return
