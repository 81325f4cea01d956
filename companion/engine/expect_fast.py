"""The exact expectation compiled by Numba (extra `fast`); what it computes says `companion.engine.expect`.

The work follows the pairs of hand (`companion.engine.drawn`) and heights that play can reach, heights by
layers of equal sum.  Forward, from the full tableau down: for each height vector the set of hands with
which it can be reached.  Backward, up again: the value of each of these pairs, all hands of a height vector
in turn.  Heights of a layer run in parallel, and only two layers of values are kept at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
from numba import get_num_threads, set_num_threads

from companion.engine.board import Board
from companion.engine.drawn import Drawn
from companion.engine.heights_fast import exposed_kinds, rest_of
from companion.engine.lattice import strides
from companion.engine.reached_fast import arrive, places, spread
from companion.engine.sweep_fast import edge_tables
from companion.engine.tops import BLANK, TOPS
from companion.engine.valued_fast import members, slots, value
from companion.engine.values import Ends, Root

ONE_AT_A_TIME = Lock()
"""Numba's own thread layer ends the process when two threads start parallel loops at once."""

_ALONE: Final = 500_000
"""Pairs of hand and heights, reached or not, that threads would wait for each other longer than they take."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """The heights of equal sum that are reached.

    rows: their indices; came: mask of the tops that a play left there; tops: of all tops there.
    first: of each row's pairs, and the end; hands: set of hands of each row, shape (rows, words).
    """

    rows: Any
    came: Any
    tops: Any
    first: Any
    hands: Any


class Exact:
    """The exact values of a board with its hands."""

    def __init__(self, board: Board, drawn: Drawn) -> None:
        self.board, self.drawn = board, drawn
        self.exposed, self.total = exposed_kinds(board)
        starts, counts, sources, results = edge_tables(board)
        masks = np.array([edge.sources for edges in board.steps.plays for edge in edges], np.int64)
        follow = np.array([*board.steps.follow, 0][: BLANK + 1], np.int64)
        heights, stride = np.array(board.heights, np.int64), np.array(strides(board.heights), np.int64)
        rest = np.zeros(len(self.exposed), np.uint16)
        rest_of(heights, self.exposed, stride, follow, rest)
        self.plays = (self.exposed, stride, starts, masks, results, follow)
        self.edges = (counts, sources)
        self.when = (rest, board.draw_when_stuck, board.no_draw())
        self.lattice = (heights, np.full(len(self.exposed), -1, np.int32))

    def evaluate(self, ends: Ends, limit: int) -> Root | None:
        """The values at the root, or None when more than `limit` pairs (hand, heights) would be valued.

        ends: of a single order of the draws.
        """
        with ONE_AT_A_TIME:
            threads = get_num_threads()
            try:
                layers = self._forward(limit, threads)
                return None if layers is None else self._backward(layers, ends, threads)
            finally:
                set_num_threads(threads)

    def _share(self, rows: int, threads: int) -> None:
        """Sets how many threads work on a layer."""
        set_num_threads(threads if rows * self.drawn.hands > _ALONE else 1)

    def _ways(self) -> tuple[Any, Any, Any, Any]:
        """The draws from each hand: first of them and the end; hand after it, place of the kind, weight."""
        can = self.drawn.after >= 0
        first = np.concatenate([[0], np.cumsum(can.sum(axis=1))]).astype(np.uint32)
        kind = np.nonzero(can)[1].astype(np.uint32)
        return first, self.drawn.after[can].astype(np.uint32), kind, self.drawn.weight[can]

    def _forward(self, limit: int, threads: int) -> list[_Layer] | None:
        """What can be reached, the full tableau first; None for too many pairs."""
        board, drawn, place = self.board, self.drawn, self.lattice[1]
        words, columns = drawn.words, len(board.columns)
        draws = np.array([sum(1 << top for top in board.steps.draws[k]) for k in drawn.kinds], np.int64)
        table = (drawn.whole, drawn.able(), drawn.step, drawn.copies, *self._ways()[:3], draws)
        order = np.argsort(self.total, kind="stable").astype(np.int32)
        cuts = np.searchsorted(self.total[order], np.arange(board.count + 2))
        scratch = np.zeros((threads, TOPS + 1, words), np.uint64)
        layers: list[_Layer] = []
        tops = np.zeros(1, np.uint16)
        above = (tops, np.full((1, columns), -1), np.zeros((1, words), np.uint64))
        pairs = 0
        for cards in range(board.count, -1, -1):
            rows = order[cuts[cards] : cuts[cards + 1]]
            came = np.zeros(len(rows), np.uint16)
            self._share(len(rows), threads)
            if layers:
                arrive(rows, came, place, above[0], *self.lattice[:1], *self.plays)
                some = np.flatnonzero(came)
                # Threads take rows in one piece each; dealt out like this, pieces are about as much work.
                some = np.concatenate([some[n::threads] for n in range(threads)])
                rows, came = rows[some], came[some]
            if not len(rows):
                break
            place[rows] = np.arange(len(rows), dtype=np.int32)
            slot = np.full((len(rows), columns), -1)
            sets = np.empty((places(rows, slot, self.exposed, self.plays[2]), words), np.uint64)
            hands, tops = np.empty((len(rows), words), np.uint64), np.zeros(len(rows), np.uint16)
            count = np.zeros(len(rows), np.int64)
            spread(
                rows, -1 if layers else board.top, place, self.lattice[0], above, (tops, slot, sets), hands,
                count, self.plays, self.when, table, scratch,
            )  # fmt: skip
            first = np.concatenate([[0], np.cumsum(count)])
            pairs += int(first[-1])
            if pairs > limit:
                return None
            layers.append(_Layer(rows, came, tops, first, hands))
            above = (tops, slot, sets)
        return layers

    def _backward(self, layers: list[_Layer], ends: Ends, threads: int) -> Root:
        board, drawn = self.board, self.drawn
        first_way, to, kind, weight = self._ways()
        draws = [board.steps.draws[k] for k in drawn.kinds]
        # A drawn joker becomes what its player says; that is worked out once for all.
        single = np.array([tops[0] if len(tops) == 1 else TOPS for tops in draws], np.int64)
        named = sum(1 << top for top in {top for tops in draws if len(tops) > 1 for top in tops})
        cleared = ends.cleared[drawn.stage] * drawn.many
        ways = (first_way, to, kind, weight, single, named, cleared)
        scratch = np.zeros((threads, (TOPS + 2) * drawn.hands))
        below = (np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros((1, TOPS), np.int64), np.zeros(0))
        found: dict[int, int] = {}
        plays, stays = [], []
        for layer in reversed(layers):
            self._share(len(layer.rows), threads)
            hands = np.empty(int(layer.first[-1]), np.uint32)
            members(layer.hands, layer.first, hands)
            slot = np.full((len(layer.rows), TOPS), -1)
            room = slots(layer.rows, layer.came, layer.first, slot, self.exposed, self.plays[5])
            here = (layer.first, hands, slot, np.empty(room))
            now = np.flatnonzero(layer.hands[:, 0] & np.uint64(1))
            at = np.full(len(layer.rows), -1)
            at[now] = np.arange(len(now))
            play, draw = np.full((len(now), TOPS), np.inf), np.full(len(now), np.inf)
            value(
                layer.rows, layer.came, layer.tops, here, below, self.lattice[1], self.plays, self.edges,
                self.when, self.total, ways, ends.stuck, scratch, at, play, draw,
            )  # fmt: skip
            found |= {int(index): len(found) + n for n, index in enumerate(layer.rows[now])}
            plays.append(play)
            stays.append(draw)
            below = here
        best, stay = np.concatenate(plays), np.concatenate(stays)
        if not board.left:
            stay[:] = np.inf
        return Root(
            lambda top, index: float(best[found[index], top]),
            lambda index: float(stay[found[index]]),
            sum(int(layer.first[-1]) for layer in layers),
        )
