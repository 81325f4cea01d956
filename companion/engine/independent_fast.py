"""The expectation where draws are independent of each other, compiled by Numba (extra `fast`).

With one class of knowledge a stage there is nothing to look up between classes, so the heights are simply
swept from the cleared tableau up, once a stage.  Same values as `companion.engine.expect`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from companion.engine.board import Board
from companion.engine.expect_fast import exposed_kinds
from companion.engine.knowledge import Knowledge
from companion.engine.lattice import strides
from companion.engine.sweep import drawable
from companion.engine.sweep_fast import edge_tables, stage_sets
from companion.engine.tops import TOPS
from companion.engine.values import Ends, Root


def evaluate(board: Board, knowledge: Knowledge, ends: Ends) -> Root:
    """The values at the root; the knowledge has one class a stage."""
    sets, _, _ = stage_sets(board, drawable(board))
    anywhere = np.bitwise_or.reduce(sets, axis=1)
    exposed, total = exposed_kinds(board)
    starts, counts, sources, results = edge_tables(board)
    # The chance of each kind is the same at every stage.
    ways = slice(int(knowledge.start[1]), int(knowledge.start[2])) if board.left else slice(0, 0)
    drawn = [list(board.steps.draws[kind]) for kind in knowledge.kind[ways]]
    width = max(map(len, drawn), default=1)
    values = np.empty((len(exposed), TOPS))
    waiting = np.zeros(len(exposed))
    tops = np.array([row + row[:1] * (width - len(row)) for row in drawn], np.int64).reshape(
        len(drawn), width
    )
    _values(
        anywhere, exposed, total, np.array(strides(board.heights), np.int64), starts, counts, sources,
        results, tops, knowledge.weight[ways], np.array([*board.steps.follow, 0], np.int64),
        board.draw_when_stuck, board.no_draw(), ends.stuck, ends.cleared, values, waiting,
    )  # fmt: skip
    return Root(
        lambda top, index: float(values[index, top]),
        lambda index: float(waiting[index]),
        sum(int(np.count_nonzero(anywhere & np.uint32(1 << stage))) for stage in range(board.left + 1)),
    )


@njit(cache=True)
def _values(
    anywhere: Any, exposed, total, stride, starts, counts, sources, results,
    drawn, weight, follow, when_stuck, no_draw, stuck, cleared, values, waiting,
):  # fmt: skip
    """Fills in `values`, by index and top, and `waiting`, by index, for the first stage."""
    columns = exposed.shape[1]
    last = len(cleared) - 1
    for stage in range(last, -1, -1):
        bit = np.uint32(1) << np.uint32(stage)
        for index in range(len(anywhere)):
            if not anywhere[index] & bit:
                continue
            never = 0
            if index == 0:
                stay = cleared[stage]
            elif stage == last:
                stay = stuck[total[index]]
            else:
                stay = waiting[index]
                never = no_draw
                if when_stuck:
                    for i in range(columns):
                        never |= follow[exposed[index, i]]
            for top in range(TOPS):
                values[index, top] = stay
            if never:
                for top in range(TOPS):
                    if (never >> top) & 1:
                        values[index, top] = np.inf
            for i in range(columns):
                k = exposed[index, i]
                below = index - stride[i]
                for e in range(starts[k], starts[k + 1]):
                    # Values of what can't be reached are as wrong as they are unused.
                    after = values[below, results[e]]
                    for s in range(counts[e]):
                        if after < values[index, sources[e, s]]:
                            values[index, sources[e, s]] = after
            if stage:
                whole, part = 0.0, 0.0
                for d in range(len(weight)):
                    got = values[index, drawn[d, 0]]
                    for n in range(1, drawn.shape[1]):
                        got = min(got, values[index, drawn[d, n]])
                    floor = np.floor(got + 0.25)
                    whole += weight[d] * floor
                    part += weight[d] * (got - floor)
                if index:
                    waiting[index] = np.rint(whole) + part
