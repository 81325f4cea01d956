"""The expectation where draws are independent of each other, compiled by Numba (extra `fast`).

With nothing to look up between classes of knowledge the heights are simply swept from the cleared tableau
up, once a stage.  It expects too much of bad luck, but it ranks heights well: `shortlist_fast` takes its
word for which of them are worth a draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from companion.engine.board import Board
from companion.engine.lattice import size, strides
from companion.engine.sweep import drawable
from companion.engine.sweep_fast import edge_tables, stage_sets
from companion.engine.tops import TOPS

_NEVER = np.float32(1e30)
"""What can't be done: worse than everything, and still a number, as it may be weighed by 0."""


def values(board: Board, exposed: Any, total: Any, stuck: Any, cleared: Any) -> Any:
    """What stopping at each height vector is worth at each stage, float32, shape (left + 1, cells).

    exposed, total: as `heights_fast.exposed_kinds` gives them.  stuck: by the cards left once the stock is
    used up; cleared: by stage.  Only heights that can be reached at a stage have a value there.
    """
    sets, _, _ = stage_sets(board, drawable(board))
    anywhere = np.bitwise_or.reduce(sets, axis=1)
    starts, counts, sources, results = edge_tables(board)
    chance = np.zeros(TOPS + 1, np.float32)
    unseen = sum(board.unseen)
    several: tuple[int, ...] = ()
    for kind, copies in enumerate(board.unseen):
        tops = board.steps.draws[kind]
        if copies and len(tops) == 1:
            chance[tops[0]] += copies / unseen
        elif copies:
            # Only a joker becomes what its player says; it goes into a place of its own.
            several = tops
            chance[TOPS] = copies / unseen
    store = np.zeros((board.left + 1, size(board.heights)), np.float32)
    _values(
        anywhere, exposed, total, np.array(strides(board.heights), np.int64), starts, counts, sources,
        results, np.array(several, np.int64), chance, np.array([*board.steps.follow, 0], np.int64),
        board.draw_when_stuck, board.no_draw(), stuck, cleared, store,
    )  # fmt: skip
    return store


@njit(cache=True, fastmath={"reassoc", "contract"})
def _values(
    anywhere: Any, exposed, total, stride, starts, counts, sources, results,
    several, chance, follow, when_stuck, no_draw, stuck, cleared, store,
):  # fmt: skip
    """Fills in `store`."""
    columns = exposed.shape[1]
    last = len(cleared) - 1
    value = np.zeros((len(anywhere), TOPS), np.float32)
    for stage in range(last, -1, -1):
        bit = np.uint32(1) << np.uint32(stage)
        for index in range(len(anywhere)):
            if not anywhere[index] & bit:
                continue
            never = 0
            if index == 0:
                stay = np.float32(cleared[stage])
                store[stage, 0] = stay
            elif stage == last:
                stay = np.float32(stuck[total[index]])
                store[stage, index] = stay
            else:
                stay = store[stage, index]
                never = no_draw
                if when_stuck:
                    for i in range(columns):
                        never |= follow[exposed[index, i]]
            for top in range(TOPS):
                value[index, top] = stay
            if never:
                for top in range(TOPS):
                    if (never >> top) & 1:
                        value[index, top] = _NEVER
            for i in range(columns):
                k = exposed[index, i]
                for e in range(starts[k], starts[k + 1]):
                    # Values of what can't be reached are as wrong as they are unused.
                    after = value[index - stride[i], results[e]]
                    for s in range(counts[e]):
                        value[index, sources[e, s]] = min(value[index, sources[e, s]], after)
            if stage and index:
                mean = np.float32(0)
                for top in range(TOPS):
                    mean += chance[top] * value[index, top]
                if len(several):
                    got = value[index, several[0]]
                    for n in range(1, len(several)):
                        got = min(got, value[index, several[n]])
                    mean += chance[TOPS] * got
                store[stage - 1, index] = mean
