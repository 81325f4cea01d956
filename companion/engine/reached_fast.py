"""The pass of the compiled expectation that finds what play can reach; see `companion.engine.expect`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.heights_fast import never_on, pointless_on
from companion.engine.lanes_fast import ones
from companion.engine.tops import TOPS

U: Final[Any] = np.uint64
"""Unsigned numbers can't count from the end of an array, which is one question less a look."""


@njit(cache=True, parallel=True)
def arrive(rows, came, place, above_tops, heights, across, plays):
    """Fills in the tops that plays from the layer above can leave at heights.

    Those of the column `across` are shifted by `TOPS`.
    """
    exposed, stride, starts, masks, results, follow = plays
    for n in prange(len(rows)):
        index = np.int64(rows[n])
        found = 0
        for i in range(len(stride)):
            if index // stride[i] % (heights[i] + 1) == heights[i]:
                continue
            up = index + stride[i]
            if place[up] < 0:
                continue
            k = exposed[up, i]
            tops = np.int64(above_tops[place[up]])
            if follow[k] & tops:
                for e in range(starts[k], starts[k + 1]):
                    if masks[e] & tops:
                        found |= 1 << (results[e] + (TOPS if i == across else 0))
        came[n] = found


@njit(cache=True)
def slots(rows, came, slot, ends, crosses, exposed, follow):
    """Numbers what plays leave at each row, by top; how many there are.

    Fills in the number after those of each row, and which are left by plays of the column `across`.

    Tops on which nothing can be played share a number: they share the values of drawing.
    """
    number = 0
    for n in range(len(rows)):
        playable = 0
        for i in range(exposed.shape[1]):
            playable |= follow[exposed[rows[n], i]]
        shared = -1
        for top in range(2 * TOPS):
            if top == TOPS:
                shared = -1
            if (np.int64(came[n]) >> top) & 1:
                if (playable >> (top & (TOPS - 1))) & 1 or shared < 0:
                    slot[n, top] = number
                    if not (playable >> (top & (TOPS - 1))) & 1:
                        shared = number
                    crosses[number] = top >= TOPS
                    number += 1
                else:
                    slot[n, top] = shared
        ends[n + 1] = number
    return number


@njit(cache=True)
def places(rows, slot, exposed, starts):
    """Fills in the place of the sets that go down from each row by each column; how many there are."""
    number = 0
    for n in range(len(rows)):
        for i in range(exposed.shape[1]):
            k = exposed[rows[n], i]
            if starts[k + 1] > starts[k]:
                slot[n, i] = number
                number += starts[k + 1] - starts[k]
    return number


@njit(cache=True, parallel=True)
def spread(rows, root_top, place, heights, across, above, here, plays, when, table, scratch):
    """The hands that each height vector of a layer is reached with.

    above: of the layer above the place of the sets that go down by each column, and these sets.
    here: to fill in; see `_spread_one`.
    """
    for n in prange(len(rows)):
        _spread_one(
            n, np.int64(rows[n]), root_top, place, heights, across, above, here, plays, when, table,
            scratch[get_thread_id()],
        )  # fmt: skip


@njit(cache=True)
def _spread_one(n, index, root_top, place, heights, across, above, here, plays, when, table, space):
    """Fills in what is reached at heights.

    here: tops; place of the sets that go down, these; numbers of what plays leave; blocks of each of these
    and how many; blocks of all hands, how many hands, whether the decision is due here.
    """
    exposed, stride, starts, masks, results, follow = plays
    whole, able, step, copies, first_way, to, kind, draws = table
    above_slot, above_sets = above
    tops, down_slot, down_sets, slot, came, many, live, count, due = here
    reached, rest, stops, moved = space[:TOPS], space[TOPS], space[TOPS + 1], space[TOPS + 2]
    active = 0
    for i in range(len(stride)):
        active |= follow[exposed[index, i]]
    for top in range(TOPS):
        if (active >> top) & 1:
            reached[top][:] = 0
    rest[:] = 0
    if root_top >= 0:
        if (active >> root_top) & 1:
            reached[root_top, 0] = 1
        else:
            rest[0] = 1
    for crossing in range(2):
        moved[:] = 0
        shared = -1
        for i in range(len(stride)):
            if (i == across) != (crossing == 1) or index // stride[i] % (heights[i] + 1) == heights[i]:
                continue
            up = index + stride[i]
            if place[up] < 0 or above_slot[place[up], i] < 0:
                continue
            k = exposed[up, i]
            for e in range(starts[k], starts[k + 1]):
                number = slot[n, TOPS * crossing + results[e]]
                if number < 0:
                    continue
                coming = above_sets[above_slot[place[up], i] + e - starts[k]]
                if (active >> results[e]) & 1:
                    _join(reached[results[e]], coming)
                    if crossing:
                        many[number] = _blocks(coming, came[number])
                else:
                    _join(moved, coming)
                    shared = number
        if shared >= 0:
            many[shared] = _blocks(moved, came[shared])
            _join(rest, moved)
        if not crossing:
            for top in range(TOPS):
                if (active >> top) & 1 and slot[n, top] >= 0:
                    many[slot[n, top]] = _blocks(reached[top], came[slot[n, top]])
    stops[:] = rest
    if index:
        never = never_on(index, exposed, follow, when[1], when[2])
        skip = active & (never | pointless_on(index, plays, when))
        for top in range(TOPS):
            if (active & ~skip) >> top & 1:
                _join(stops, reached[top])
            elif (skip & ~never) >> top & 1:
                # Where a decision is due all that is legal is valued.
                stops[0] |= reached[top, 0] & U(1)
        if whole:
            _draw_whole(stops, reached, moved, active, skip, able, step, copies, draws)
        else:
            _draw_part(stops, reached, active, skip, first_way, to, kind, draws)
    found = 0
    for top in range(TOPS):
        if (active >> top) & 1:
            some = U(0)
            for w in range(len(stops)):
                some |= reached[top, w]
            if some:
                found |= 1 << top
    tops[n] = found
    for i in range(len(stride)):
        if down_slot[n, i] >= 0:
            k = exposed[index, i]
            for e in range(starts[k], starts[k + 1]):
                down = down_sets[down_slot[n, i] + e - starts[k]]
                fresh = True
                for top in range(TOPS):
                    if (masks[e] & found) >> top & 1:
                        if fresh:
                            down[:] = reached[top]
                            fresh = False
                        else:
                            _join(down, reached[top])
                if fresh:
                    down[:] = 0
    for top in range(TOPS):
        if (found >> top) & 1:
            _join(stops, reached[top])
    number = U(0)
    for w in range(len(stops)):
        number += ones(stops[w])
    count[n] = number
    due[n] = stops[0] & U(1)
    _blocks(stops, live[n])


@njit(cache=True)
def _draw_whole(stops, reached, moved, active, skip, able, step, copies, draws):
    """Adds what draws lead to, to the hands at each top and to those that more can be drawn from."""
    for q in range(len(step)):
        if draws[q] & ~skip:
            for _ in range(copies[q]):
                moved[:] = stops
                _shift(stops, moved, able[q], step[q])
    for q in range(len(step)):
        for top in range(TOPS):
            if (draws[q] & active) >> top & 1:
                _shift(reached[top], stops, able[q], step[q])


@njit(cache=True)
def _draw_part(stops, reached, active, skip, first_way, to, kind, draws):
    """The same, hand by hand."""
    for word in range(len(stops)):
        done = U(0)
        while stops[word] & ~done:
            waiting = stops[word] & ~done
            low = waiting & (~waiting + U(1))
            done |= low
            hand = U(word * 64) + ones(low - U(1))
            for w in range(first_way[hand], first_way[hand + U(1)]):
                at, bit = to[w] >> 6, U(1) << (U(to[w]) & U(63))
                came = draws[kind[w]]
                if came & ~skip:
                    stops[at] |= bit
                for top in range(TOPS):
                    if (came & active) >> top & 1:
                        reached[top, at] |= bit


@njit(cache=True)
def _join(to, source):
    for w in range(len(to)):
        to[w] |= source[w]


@njit(cache=True)
def _shift(to, source, able, step):
    """Adds to a set the able members of another, so many places up."""
    words, bits = U(step) >> U(6), U(step) & U(63)
    size = U(len(to)) - words
    up = to[np.int64(words) :]
    if bits:
        left = U(64) - bits
        up[0] |= (source[0] & able[0]) << bits
        for w in range(U(1), size):
            up[w] |= ((source[w] & able[w]) << bits) | ((source[w - U(1)] & able[w - U(1)]) >> left)
    else:
        for w in range(size):
            up[w] |= source[w] & able[w]


@njit(cache=True)
def _blocks(members, into):
    """Fills in the set of the blocks of which some hand is a member; how many there are."""
    number = U(0)
    into[:] = 0
    for w in range(len(members)):
        some = members[w]
        some |= some >> U(4)
        some |= some >> U(2)
        some |= some >> U(1)
        some = ((some & U(0x0101010101010101)) * U(0x0102040810204080)) >> U(56)
        into[w >> 3] |= some << U(8 * (w & 7))
        number += ones(some)
    return number
