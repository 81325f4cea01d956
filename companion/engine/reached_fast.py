"""The pass of the compiled expectation that finds what play can reach; see `companion.engine.expect`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.heights_fast import never_on, pointless_on
from companion.engine.tops import TOPS

U: Final[Any] = np.uint64
"""Unsigned numbers can't count from the end of an array, which is one question less a look."""


@njit(cache=True, parallel=True)
def arrive(rows, came, place, above_tops, heights, exposed, stride, starts, masks, results, follow):
    """Fills in the tops that plays from the layer above can leave at heights."""
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
                        found |= 1 << results[e]
        came[n] = found


@njit(cache=True)
def places(rows, slot, exposed, starts):
    """Fills in the place of the sets that go down from each row by each column; how many there are."""
    room = 0
    for n in range(len(rows)):
        for i in range(exposed.shape[1]):
            k = exposed[rows[n], i]
            if starts[k + 1] > starts[k]:
                slot[n, i] = room
                room += starts[k + 1] - starts[k]
    return room


@njit(cache=True, parallel=True)
def spread(rows, root_top, place, heights, above, here, hands, count, plays, when, table, scratch):
    """The hands that each height vector of a layer is reached with, and how many.

    above, here: tops of each row, place of the sets that go down by each column, these sets.
    """
    for n in prange(len(rows)):
        count[n] = _spread_one(
            n, np.int64(rows[n]), root_top, place, heights, above, here, hands[n], plays, when, table,
            scratch[get_thread_id()],
        )  # fmt: skip


@njit(cache=True)
def _spread_one(n, index, root_top, place, heights, above, here, all_hands, plays, when, table, space):
    exposed, stride, starts, masks, results, follow = plays
    whole, able, step, copies, first_way, to, kind, draws = table
    above_slot, above_sets = above[1], above[2]
    tops, slot, sets = here
    reached, stops = space[:TOPS], space[TOPS]
    reached[:] = 0
    if root_top >= 0:
        reached[root_top, 0] = 1
    for i in range(len(stride)):
        if index // stride[i] % (heights[i] + 1) == heights[i]:
            continue
        up = index + stride[i]
        if place[up] < 0 or above_slot[place[up], i] < 0:
            continue
        k = exposed[up, i]
        for e in range(starts[k], starts[k + 1]):
            _join(reached[results[e]], above_sets[above_slot[place[up], i] + e - starts[k]])
    stops[:] = 0
    if index:
        never = never_on(index, exposed, follow, when[1], when[2])
        skip = never | pointless_on(index, plays, when)
        for top in range(TOPS):
            if not (skip >> top) & 1:
                _join(stops, reached[top])
            elif not (never >> top) & 1:
                # Where a decision is due all that is legal is valued.
                stops[0] |= reached[top, 0] & U(1)
        if whole:
            _draw_whole(stops, reached, skip, able, step, copies, draws)
        else:
            _draw_part(stops, reached, skip, first_way, to, kind, draws)
    found = 0
    all_hands[:] = stops
    for top in range(TOPS):
        some = U(0)
        for w in range(len(stops)):
            some |= reached[top, w]
        if some:
            found |= 1 << top
            _join(all_hands, reached[top])
    tops[n] = found
    for i in range(len(stride)):
        if slot[n, i] >= 0:
            k = exposed[index, i]
            for e in range(starts[k], starts[k + 1]):
                down = sets[slot[n, i] + e - starts[k]]
                down[:] = 0
                for top in range(TOPS):
                    if (masks[e] & found) >> top & 1:
                        _join(down, reached[top])
    number = U(0)
    for w in range(len(stops)):
        number += ones(all_hands[w])
    return number


@njit(cache=True)
def _draw_whole(stops, reached, skip, able, step, copies, draws):
    """Adds what draws lead to, to the hands at each top and to those that more can be drawn from."""
    for q in range(len(step)):
        if draws[q] & ~skip:
            for _ in range(copies[q]):
                _shift(stops, stops, able[q], step[q])
    for q in range(len(step)):
        for top in range(TOPS):
            if (draws[q] >> top) & 1:
                _shift(reached[top], stops, able[q], step[q])


@njit(cache=True)
def _draw_part(stops, reached, skip, first_way, to, kind, draws):
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
                    if (came >> top) & 1:
                        reached[top, at] |= bit


@njit(cache=True)
def _join(to, source):
    for w in range(len(to)):
        to[w] |= source[w]


@njit(cache=True)
def _shift(to, source, able, step):
    """Adds to a set the able members of another, so many places up; both may be the same."""
    words, bits = step >> 6, U(step & 63)
    if bits:
        for w in range(len(to) - 1, words, -1):
            low = (source[w - words - 1] & able[w - words - 1]) >> (U(64) - bits)
            to[w] |= ((source[w - words] & able[w - words]) << bits) | low
        to[words] |= (source[0] & able[0]) << bits
    else:
        for w in range(len(to) - 1, words - 1, -1):
            to[w] |= source[w - words] & able[w - words]


@njit(cache=True)
def ones(x):
    """How many bits are set."""
    x = x - ((x >> U(1)) & U(0x5555555555555555))
    x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
    x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return (x * U(0x0101010101010101)) >> U(56)
