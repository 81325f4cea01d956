"""The exact expectation compiled by Numba (extra `fast`); what it computes says `companion.engine.expect`.

Works on blocks of lanes (`companion.engine.blocks`), all lanes of a block at once.  Two passes.  Forward:
for each block the height vectors that can be reached with it and the tops that can lie there, as lists,
because they are few among all vectors.  Backward: from the last layer of blocks to the first, the value
of each of them in each lane, pushed on to the blocks before.  Blocks of a layer that come from no block in
common run in parallel, and only two layers are kept at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

import numpy as np
from numba import get_num_threads, njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.blocks import choose_inner, split
from companion.engine.board import Board
from companion.engine.lattice import size, strides
from companion.engine.sweep_fast import edge_tables
from companion.engine.tops import BLANK, TOPS
from companion.engine.values import Ends, Root

ONE_AT_A_TIME = Lock()
"""Numba's own thread layer ends the process when two threads start parallel loops at once."""

_SMALL: Final = 500_000
"""Pairs (drawn cards, heights) for which it isn't worth while to look for good inner kinds."""

_U = np.uint64
"""Unsigned numbers of rows can't wrap around, so that loops over lanes become vector instructions."""


class Exact:
    """The exact values of a board; `blocks.scale` is needed to pack the ends that `evaluate` takes."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.exposed, self.total = exposed_kinds(board)
        starts, counts, sources, results = edge_tables(board)
        masks = np.array([edge.sources for edges in board.steps.plays for edge in edges], np.int64)
        follow = np.array([*board.steps.follow, 0][: BLANK + 1], np.int64)
        stride = np.array(strides(board.heights), np.int64)
        self.draws = [sum(1 << top for top in tops) for tops in board.steps.draws]
        self.plays = (self.exposed, stride, starts, masks, results, follow)
        self.edges = (self.total, counts, sources)
        self.when = (board.draw_when_stuck, board.no_draw())
        self.blocks = split(board, self._inner())

    def _inner(self) -> tuple[int, ...]:
        """The inner kinds; any that make many lanes will do where there is little to do."""
        board, cells = self.board, size(self.board.heights)
        seen = np.zeros(cells, np.uint16)

        def reached(kinds: Iterable[int]) -> int:
            seen[-1] = 1 << board.top
            came = 0
            for kind in kinds:
                came |= self.draws[kind]
            return int(_reached(seen, came, *self.plays))

        classes = 1
        for copies in board.unseen:
            classes *= copies + 1
        return choose_inner(board, reached if cells * classes > _SMALL else lambda kinds: 1)

    def evaluate(self, ends: Ends, limit: int) -> Root | None:
        """The values at the root, or None when more than `limit` pairs (lane, heights) would be valued.

        ends: of a single order of the draws.
        """
        with ONE_AT_A_TIME:
            return self._evaluate(ends, limit // self.blocks.lanes)

    def _evaluate(self, ends: Ends, limit: int) -> Root | None:
        board, blocks = self.board, self.blocks
        threads, cells = get_num_threads(), len(self.exposed)
        inner_tops = np.array([board.steps.draws[k][0] for k in blocks.inner], np.int64)
        outer_draws = np.array([self.draws[k] for k in blocks.outer], np.int64)
        room = limit if threads == 1 else int(limit * 0.75)
        count = len(blocks.before)
        # Where each block keeps its list: thread, first place, length.
        place, slots = np.zeros((count, 3), np.int64), np.zeros(count, np.int64)
        lists = (place, np.empty((threads, room), np.int32), np.empty((threads, room), np.uint16))
        if not _forward(
            blocks.layers, blocks.before, outer_draws, sum(1 << int(top) for top in inner_tops),
            board.top, self.plays, self.when, lists, slots, np.zeros((threads, cells), np.uint16),
        ):  # fmt: skip
            return None
        length = place[:, 2]
        scratch = (
            np.empty((threads, (int(slots.max()) + 1) * blocks.lanes)),
            np.empty((threads, int(length.max()), TOPS), np.int32),
            np.zeros((threads, cells), np.int32),
        )
        root, drawn = np.full((int(length[0]), TOPS), np.inf), np.full(int(length[0]), np.inf)
        layout = (
            board.left, blocks.before, blocks.weight, blocks.moves, blocks.stage, blocks.many, inner_tops,
            outer_draws,
        )  # fmt: skip
        row = np.zeros(count, np.int64)
        values = np.zeros(0)
        for layer in range(len(blocks.layers) - 2, -1, -1):
            if not len(values):
                values = self._rows(layer, length, row)
            earlier = self._rows(layer - 1, length, row) if layer else np.zeros(0)
            order, cuts = blocks.groups(layer, length, threads)
            run = _side_by_side if threads > 1 else _alone
            run(
                order, cuts, layout, self.plays, self.edges, self.when, lists, row, values, earlier, scratch,
                (ends.stuck, ends.cleared), root, drawn,
            )  # fmt: skip
            values = earlier
        thread, first, many = (int(n) for n in place[0])
        found = {int(index): n for n, index in enumerate(lists[1][thread, first : first + many])}
        if not board.left:
            drawn[:] = np.inf
        return Root(
            lambda top, index: float(root[found[index], top]),
            lambda index: float(drawn[found[index]]),
            int(length.sum()) * blocks.lanes,
        )

    def _rows(self, layer: int, length: Any, row: Any) -> Any:
        """Zeros for the values of a layer; fills in the first row of each of its blocks."""
        begin, end = self.blocks.layers[layer : layer + 2]
        row[begin:end] = np.cumsum(length[begin:end]) - length[begin:end]
        return np.zeros(int(length[begin:end].sum()) * self.blocks.lanes)


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
def _reached(seen, came, exposed, stride, starts, masks, results, follow):
    """How many heights can be reached where cards of the tops `came` can be drawn at any time.

    seen: zeros, but for the top at the start; zeros again afterwards.
    """
    count = 0
    for index in range(len(seen) - 1, -1, -1):
        here = np.int64(seen[index])
        if not here:
            continue
        seen[index] = 0
        count += 1
        here |= came
        for i in range(exposed.shape[1]):
            k = exposed[index, i]
            if follow[k] & here:
                for e in range(starts[k], starts[k + 1]):
                    if masks[e] & here:
                        seen[index - stride[i]] |= np.uint16(1 << results[e])
    return count


@njit(cache=True)
def _never(index, exposed, follow, when_stuck, no_draw):
    """Mask of the tops on which nothing may be drawn at some heights."""
    never = no_draw
    if when_stuck:
        for i in range(exposed.shape[1]):
            never |= follow[exposed[index, i]]
    return never


@njit(cache=True, parallel=True)
def _forward(
    layers, before, outer_draws, inner_draws, root_top, plays, when, lists, slots, scratch,
):  # fmt: skip
    """Lists what each block can reach, indices falling.  False when the room doesn't do.

    slots: how many rows of values each block will need at most.
    """
    exposed, stride, starts, masks, results, follow = plays
    when_stuck, no_draw = when
    place, pool_at, pool_tops = lists
    cells, columns = exposed.shape
    room = pool_at.shape[1]
    taken = np.zeros(len(scratch), np.int64)
    full = np.zeros(len(scratch), np.bool_)
    for layer in range(len(layers) - 1):
        for b in prange(layers[layer], layers[layer + 1]):
            thread = get_thread_id()
            high, low = -1, cells
            if b == 0:
                scratch[thread, cells - 1] = 1 << root_top
                high = low = cells - 1
            for q in range(before.shape[1]):
                c = before[b, q]
                if c < 0:
                    continue
                home, first, length = place[c, 0], place[c, 1], place[c, 2]
                came = np.uint16(outer_draws[q])
                for n in range(first, first + length):
                    index = pool_at[home, n]
                    if index == 0:
                        continue
                    if not pool_tops[home, n] & ~_never(index, exposed, follow, when_stuck, no_draw):
                        continue
                    scratch[thread, index] |= came
                    high = max(high, index)
                    low = min(low, index)
            begin = taken[thread]
            end = begin
            rows = 0
            for index in range(high, -1, -1):
                if index < low:
                    break
                here = np.int64(scratch[thread, index])
                if not here:
                    continue
                scratch[thread, index] = 0
                if end == room:
                    full[thread] = True
                    continue
                if index and here & ~_never(index, exposed, follow, when_stuck, no_draw):
                    here |= inner_draws
                pool_at[thread, end] = index
                pool_tops[thread, end] = here
                end += 1
                rows += 2
                some = 0
                for i in range(columns):
                    k = exposed[index, i]
                    fits = follow[k] & here
                    if fits:
                        some |= fits
                        below = index - stride[i]
                        for e in range(starts[k], starts[k + 1]):
                            if masks[e] & here:
                                scratch[thread, below] |= np.uint16(1 << results[e])
                        low = min(low, below)
                while some:
                    some &= some - 1
                    rows += 1
            place[b, 0], place[b, 1], place[b, 2] = thread, begin, end - begin
            slots[b] = rows
            taken[thread] = end
        if full.any():
            return False
    return True


@njit(cache=True)
def _alone(order, cuts, layout, plays, edges, when, lists, row, values, earlier, scratch, ends, root, drawn):
    space, ref, where = scratch
    for n in range(len(order)):
        _block(
            order[n], layout, plays, edges, when, lists, row, values, earlier, space[0], ref[0], where[0],
            ends, root, drawn,
        )  # fmt: skip


@njit(cache=True, parallel=True)
def _side_by_side(
    order, cuts, layout, plays, edges, when, lists, row, values, earlier, scratch, ends, root, drawn,
):  # fmt: skip
    space, ref, where = scratch
    for group in range(len(cuts) - 1):
        for n in prange(cuts[group], cuts[group + 1]):
            thread = get_thread_id()
            _block(
                order[n], layout, plays, edges, when, lists, row, values, earlier, space[thread],
                ref[thread], where[thread], ends, root, drawn,
            )  # fmt: skip


@njit(cache=True)
def _copy(to, at, source, row, lanes):
    """Copies a row of lanes."""
    at, row = _U(at) * lanes, _U(row) * lanes
    for lane in range(lanes):
        to[at + lane] = source[row + lane]


@njit(cache=True)
def _lower(to, at, source, row, lanes):
    """Takes the smaller value in each lane."""
    at, row = _U(at) * lanes, _U(row) * lanes
    for lane in range(lanes):
        x, y = to[at + lane], source[row + lane]
        to[at + lane] = x if x < y else y


@njit(cache=True)
def _add(to, at, source, row, weight, lanes):
    """Adds so many times the value in each lane."""
    at, row = _U(at) * lanes, _U(row) * lanes
    for lane in range(lanes):
        to[at + lane] += weight * source[row + lane]


@njit(cache=True)
def _block(
    b, layout, plays, edges, when, lists, row, values, earlier, space, ref, where, ends, root, drawn,
):  # fmt: skip
    """Values of everything that a block lists, heights rising.

    values: what was pushed to this layer; earlier: to the layer before.  space: rows of lanes, one for
    drawing at each place of the list, and one for each top there from which something can be played; ref
    says which.
    The values of the first block's first lane go to `root` by place and top, and to `drawn`.
    """
    left, before, weight, moves, stage, many, inner_tops, outer_draws = layout
    exposed, stride, starts, _, results, follow = plays
    total, counts, sources = edges
    when_stuck, no_draw = when
    place, pool_at, pool_tops = lists
    stuck, cleared = ends
    columns, outer = exposed.shape[1], before.shape[1]
    width = stage.shape[1]
    lanes = _U(width)
    home, first, length = place[b, 0], place[b, 1], place[b, 2]
    pointer, single = np.zeros(outer, np.int64), np.full(outer, -1, np.int64)
    for q in range(outer):
        for top in range(TOPS):
            if outer_draws[q] == 1 << top:
                single[q] = top
        if before[b, q] >= 0:
            pointer[q] = place[before[b, q], 2] - 1
    slot = np.zeros(TOPS, np.int64)
    stay, dead, got = np.empty(width), np.empty(width), np.empty(width)
    last = np.empty(width, np.bool_)
    for lane in range(width):
        last[lane] = stage[b, lane] >= left
    over = last.any()
    free = 0
    for n in range(length - 1, -1, -1):
        index, here = np.int64(pool_at[home, first + n]), np.int64(pool_tops[home, first + n])
        where[index] = n
        some = 0
        for i in range(columns):
            k = exposed[index, i]
            if not follow[k] & here:
                continue
            below = where[index - stride[i]]
            for e in range(starts[k], starts[k + 1]):
                after = ref[below, results[e]]
                for s in range(counts[e]):
                    top = sources[e, s]
                    if not (here >> top) & 1:
                        continue
                    if (some >> top) & 1:
                        _lower(space, slot[top], space, after, lanes)
                    else:
                        some |= 1 << top
                        slot[top] = free
                        _copy(space, free, space, after, lanes)
                        free += 1
        never = 0
        if index == 0:
            for lane in range(width):
                stay[lane] = cleared[min(stage[b, lane], left)] * many[b, lane]
        else:
            never = _never(index, exposed, follow, when_stuck, no_draw)
            _copy(stay, 0, values, row[b] + n, lanes)
            if over:
                for lane in range(width):
                    if last[lane]:
                        stay[lane] = stuck[total[index]]
            for m in range(len(moves)):
                lane, after = moves[m, 0], moves[m, 1]
                if over and last[lane]:
                    continue
                top = inner_tops[moves[m, 2]]
                best = np.inf if (never >> top) & 1 and not last[after] else stay[after]
                if (some >> top) & 1:
                    best = min(best, space[slot[top] * width + after])
                stay[lane] += moves[m, 3] * best
        drawing = free
        _copy(space, drawing, stay, 0, lanes)
        free += 1
        hopeless = drawing
        if never:
            for lane in range(width):
                dead[lane] = stay[lane] if last[lane] else np.inf
            hopeless = free
            _copy(space, hopeless, dead, 0, lanes)
            free += 1
        for top in range(TOPS):
            if (here >> top) & 1:
                nothing = hopeless if (never >> top) & 1 else drawing
                if (some >> top) & 1:
                    _lower(space, slot[top], space, nothing, lanes)
                    ref[n, top] = slot[top]
                else:
                    ref[n, top] = nothing
        if b == 0:
            drawn[n] = stay[0]
            for top in range(TOPS):
                if (here >> top) & 1:
                    root[n, top] = space[ref[n, top] * width]
        if index == 0:
            continue
        for q in range(outer):
            c = before[b, q]
            if c < 0:
                continue
            # Both lists fall, so the place of these heights in the other one is near the one found last.
            begin, p = place[c, 1], pointer[q]
            while p >= 0 and pool_at[place[c, 0], begin + p] < index:
                p -= 1
            pointer[q] = p
            if p < 0 or pool_at[place[c, 0], begin + p] != index:
                continue
            if never and not pool_tops[place[c, 0], begin + p] & ~never:
                continue
            came = outer_draws[q]
            if single[q] >= 0:
                _add(earlier, row[c] + p, space, ref[n, single[q]], weight[b, q], lanes)
            else:
                for lane in range(width):
                    got[lane] = np.inf
                for top in range(TOPS):
                    if (came >> top) & 1:
                        _lower(got, 0, space, ref[n, top], lanes)
                _add(earlier, row[c] + p, got, 0, weight[b, q], lanes)
