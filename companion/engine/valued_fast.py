"""The pass of the compiled expectation that values what play can reach; see `companion.engine.expect`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.drawn import LANES
from companion.engine.heights_fast import never_on, pointless_on
from companion.engine.lanes_fast import add, from_1, from_2, from_4, less, load, lowest, same, store, times
from companion.engine.reached_fast import U
from companion.engine.tops import TOPS
from companion.engine.values import NEVER

DRAWING: Final = TOPS
"""Row of the values of drawing, after those of each top."""
_NAMING: Final = TOPS + 1
NOTHING: Final = TOPS + 2
"""Row that holds `NEVER` throughout."""
ROWS: Final = TOPS + 3

_L: Final = U(LANES)


@njit(cache=True)
def _list(members, into):
    """Lists the members of a set; how many there are."""
    at = U(0)
    for word in range(len(members)):
        waiting = members[word]
        while waiting:
            into[at] = U(word * 64) + lowest(waiting)
            at += U(1)
            waiting &= waiting - U(1)
    return at


@njit(cache=True)
def _lower(space, base, fresh, listed, values, begin, end):
    """Takes the values of a play where they are less than what is there, or where nothing is there yet."""
    if fresh:
        for p in range(begin, end):
            store(space, base + U(listed[p]) * _L, load(values, p * _L))
    else:
        for p in range(begin, end):
            at = base + U(listed[p]) * _L
            store(space, at, less(load(values, p * _L), load(space, at)))


@njit(cache=True)
def _draw(space, listed, count, ways, near, far_at, over, base, free, tied, named):
    """Values of drawing at some heights, blocks with most cards first, and of the best there at each top.

    near: of each near kind where the values of plays lie, and whether drawing is out of question on it.
    far_at: where the values of what a far card makes lie.
    base: where the values of plays lie, of tops that may be drawn on (`free`), then of others (`tied`).
    named: where the best of all that a joker may be named for begins.
    """
    whole, to, weight, lanes, rounds, last, opened, _, _, _, cleared = ways
    near_at, shut = near
    line = len(cleared) + LANES
    drawing, naming = U(DRAWING * line), U(_NAMING * line)
    at_0, at_1, at_2 = near_at[0], near_at[1], near_at[2]
    shut_0, shut_1, shut_2 = same(shut[0]), same(shut[1]), same(shut[2])
    lanes_0, lanes_1, lanes_2 = load(lanes, 0), load(lanes, LANES), load(lanes, 2 * LANES)
    far = U(len(far_at))
    for p in range(count):
        block = U(listed[count - U(1) - p])
        at = block * _L
        total = same(0.0)
        way = block * far
        if whole:
            for f in range(far):
                total = add(total, load(space, far_at[f] + U(to[way + f])))
        else:
            for f in range(far):
                came = load(space, far_at[f] + U(to[way + f]))
                total = add(total, times(came, same(weight[way + f])))
        plays_0, plays_1, plays_2 = load(space, at_0 + at), load(space, at_1 + at), load(space, at_2 + at)
        if last[block]:
            # With the stock used up in some lanes: a hole is over there, and no top is waited on.
            open_there = load(opened, at)
            ended = add(same(1.0), times(open_there, same(-1.0)))
            total = add(times(total, open_there), times(ended, same(over)))
            weight_0, weight_1, weight_2 = (
                times(lanes_0, open_there),
                times(lanes_1, open_there),
                times(lanes_2, open_there),
            )
            wait_0, wait_1, wait_2 = (
                times(shut_0, open_there),
                times(shut_1, open_there),
                times(shut_2, open_there),
            )
        else:
            weight_0, weight_1, weight_2 = lanes_0, lanes_1, lanes_2
            wait_0, wait_1, wait_2 = shut_0, shut_1, shut_2
        stay = total
        for _ in range(rounds):
            # Each time the lanes with one card less are right.
            drawn_0 = times(from_1(less(plays_0, add(stay, wait_0))), weight_0)
            drawn_1 = times(from_2(less(plays_1, add(stay, wait_1))), weight_1)
            drawn_2 = times(from_4(less(plays_2, add(stay, wait_2))), weight_2)
            stay = add(add(total, drawn_0), add(drawn_1, drawn_2))
        store(space, drawing + at, stay)
        for j in range(free):
            spot = base[j] + at
            store(space, spot, less(load(space, spot), stay))
        if last[block]:
            late = add(stay, times(load(opened, at), same(NEVER)))
            for j in range(free, free + tied):
                spot = base[j] + at
                store(space, spot, less(load(space, spot), late))
        if len(named):
            best = same(NEVER)
            for j in range(U(len(named))):
                best = less(load(space, named[j] + at), best)
            store(space, naming + at, best)


@njit(cache=True, parallel=True)
def value(
    begin, end, rows, facts, below_slot, below, here, place, plays, across, when, total, ways, stuck,
    scratch, at_root, play, draw,
):  # fmt: skip
    """Values of some rows of a layer.

    facts: tops, blocks of all hands, numbers of what plays leave, blocks of each of these (`reached_fast`).
    below_slot: the numbers in the layer below; below, here: for plays of any column and of the one that
    leads across, by number the first block, and for all the blocks and their values.
    The values with nothing drawn go to `play` by top, and to `draw`, at the places that `at_root` names.
    """
    for i in prange(end - begin):
        n = begin + i
        _value_one(
            n, np.int64(rows[n]), facts, below_slot, below, here, place, plays, across, when,
            stuck[total[rows[n]]], ways, (scratch[0][get_thread_id()], scratch[1][get_thread_id()]),
            at_root[i], play, draw,
        )  # fmt: skip


@njit(cache=True)
def _value_one(
    n, index, facts, below_slot, below, here, place, plays, across, when, over, ways, thread, at_root,
    play, draw,
):  # fmt: skip
    exposed, stride, starts, masks, results, follow = plays
    tops, live, slot, came = facts
    first, inner_blocks, inner_values, cross_blocks, cross_values = here
    b_first, b_inner_blocks, b_inner_values, b_cross_blocks, b_cross_values = below
    near_kind, far_kind, named_tops, cleared = ways[7:]
    space, listed = thread
    line = len(cleared) + LANES
    have = np.int64(tops[n])
    active = 0
    # Some of what is read here was written for other heights, but it is for hands that no play
    # brings to this top.
    for i in range(len(stride)):
        k = exposed[index, i]
        if not follow[k] & have:
            continue
        child = place[index - stride[i]]
        for e in range(starts[k], starts[k + 1]):
            if not masks[e] & have:
                continue
            number = below_slot[child, results[e] + (TOPS if i == across else 0)]
            if i == across:
                blocks, values = b_cross_blocks, b_cross_values
            else:
                blocks, values = b_inner_blocks, b_inner_values
            begin, end = U(b_first[number, 0]), U(b_first[number, 1])
            for top in range(TOPS):
                if (masks[e] & have) >> top & 1:
                    _lower(space, U(top * line), not (active >> top) & 1, blocks, values, begin, end)
                    active |= 1 << top
    if index:
        skip = never_on(index, exposed, follow, when[1], when[2]) | pointless_on(index, plays, when)
        base = np.empty(2 * TOPS, np.uint64)
        free = tied = 0
        for top in range(TOPS):
            if (active & ~skip) >> top & 1:
                base[free] = top * line
                free += 1
        for top in range(TOPS):
            if (active & skip) >> top & 1:
                base[free + tied] = top * line
                tied += 1
        named = base[free + tied :]
        names = 0
        if named_tops:
            if named_tops & ~active:
                named[0] = DRAWING * line
                names = 1
            for top in range(TOPS):
                if (named_tops & active) >> top & 1:
                    named[names] = top * line
                    names += 1
        far_at = np.empty(len(far_kind), np.uint64)
        for f in range(len(far_kind)):
            if far_kind[f] == TOPS:
                far_at[f] = _NAMING * line
            else:
                far_at[f] = (far_kind[f] if (active >> far_kind[f]) & 1 else DRAWING) * line
        near_at, shut = np.empty(3, np.uint64), np.zeros(3)
        for j in range(3):
            top = near_kind[j]
            is_active = top >= 0 and (active >> top) & 1
            near_at[j] = (top if is_active else NOTHING) * line
            if is_active and (skip >> top) & 1:
                shut[j] = NEVER
        _draw(
            space, listed, _list(live[n], listed), ways, (near_at, shut), far_at, over, base, U(free),
            U(tied), named[:names],
        )  # fmt: skip
    for top in range(2 * TOPS):
        number = slot[n, top]
        if number < 0:
            continue
        playable = (active >> (top & (TOPS - 1))) & 1
        if top >= TOPS:
            blocks, values = cross_blocks, cross_values
        else:
            blocks, values = inner_blocks, inner_values
        begin, end = U(first[number, 0]), U(first[number, 1])
        if not playable:
            # Tops on which nothing can be played share a number: done is done.
            again = False
            for other in range(top & TOPS, top):
                again |= slot[n, other] == number
            if again:
                continue
        _list(came[number], blocks[np.int64(begin) :])
        if index:
            start = U((top & (TOPS - 1) if playable else DRAWING) * line)
            for p in range(begin, end):
                store(values, p * _L, load(space, start + U(blocks[p]) * _L))
        else:
            for p in range(begin, end):
                store(values, p * _L, load(cleared, U(blocks[p]) * _L))
    if at_root >= 0:
        if index:
            draw[at_root] = space[DRAWING * line]
            for top in range(TOPS):
                play[at_root, top] = space[(top if (active >> top) & 1 else DRAWING) * line]
        else:
            draw[at_root] = cleared[0]
            play[at_root] = cleared[0]
