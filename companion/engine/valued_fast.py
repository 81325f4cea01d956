"""The pass of the compiled expectation that values what play can reach; see `companion.engine.expect`."""

from __future__ import annotations

import numpy as np
from numba import njit, prange
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.heights_fast import never_on, pointless_on
from companion.engine.reached_fast import U, ones
from companion.engine.tops import TOPS


@njit(cache=True, parallel=True)
def members(sets, first, hands):
    """Lists the members of sets."""
    for n in prange(len(sets)):
        _list_one(sets[n], hands[first[n] : first[n + 1]])


@njit(cache=True)
def _list_one(members, hands):
    at = 0
    for word in range(len(members)):
        waiting = members[word]
        while waiting:
            low = waiting & (~waiting + U(1))
            hands[at] = U(word * 64) + ones(low - U(1))
            at += 1
            waiting ^= low


@njit(cache=True)
def slots(rows, came, first, slot, exposed, follow):
    """Fills in where the values of each top that plays leave at a row begin; how many values there are.

    Tops on which nothing can be played share the values of drawing.
    """
    room = 0
    for n in range(len(rows)):
        playable = 0
        for i in range(exposed.shape[1]):
            playable |= follow[exposed[rows[n], i]]
        drawing = -1
        for top in range(TOPS):
            if (np.int64(came[n]) >> top) & 1:
                if (playable >> top) & 1 or drawing < 0:
                    slot[n, top] = room
                    room += first[n + 1] - first[n]
                    if not (playable >> top) & 1:
                        drawing = slot[n, top]
                else:
                    slot[n, top] = drawing
    return room


@njit(cache=True)
def _lower(space, base, fresh, hands, begin, end, values, at):
    """Takes the values of a play where they are less than what is there, or where nothing is there yet."""
    base, at = U(base), U(at - begin)
    for p in range(U(begin), U(end)):
        spot = base + hands[p]
        x, y = space[spot], values[at + p]
        space[spot] = y if fresh or y < x else x


@njit(cache=True)
def _draw(space, drawing, naming, named, active, hands, begin, end, over, ways, source, base, free, tied):
    """Values of drawing at some heights, the hands with most cards first, and of the best there at each top.

    drawing: where they go; naming: where the best of the tops of the mask `named` goes.
    active: mask of the tops that something can be played on.
    base: where the values of plays lie, of tops that may be drawn on (`free`), then of others (`tied`).
    source: where the values of what a card of a kind makes lie.
    """
    first_way, to, kind, weight = ways
    drawing = U(drawing)
    for p in range(end - 1, begin - 1, -1):
        hand = U(hands[U(p)])
        at, last = U(first_way[hand]), U(first_way[hand + U(1)])
        is_over = at == last
        stay = over if is_over else 0.0
        for w in range(at, last):
            stay += weight[w] * space[source[kind[w]] + to[w]]
        space[drawing + hand] = stay
        for j in range(free + tied if is_over else free):
            x = space[base[j] + hand]
            space[base[j] + hand] = x if x < stay else stay
        if named:
            best = stay if named & ~active else np.inf
            for j in range(free + tied):
                if (named >> np.int64(base[j] // U(len(first_way) - 1))) & 1:
                    best = min(best, space[base[j] + hand])
            space[naming + hand] = best


@njit(cache=True, parallel=True)
def value(
    rows, came, tops, here, below, place, plays, edges, when, total, ways, stuck, scratch, at_root,
    play, draw,
):  # fmt: skip
    """Values of a layer.

    here, below: first pair of each row, its hands, place of the values of each top, these values.
    The values with nothing drawn go to `play` by top, and to `draw`, at the places that `at_root` names.
    """
    for n in prange(len(rows)):
        _value_one(
            n, np.int64(rows[n]), np.int64(came[n]), np.int64(tops[n]), here, below, place, plays, edges,
            when, stuck[total[rows[n]]], ways, scratch[get_thread_id()], at_root[n], play, draw,
        )  # fmt: skip


@njit(cache=True)
def _value_one(
    n, index, arrived, have, here, below, place, plays, edges, when, over, ways, space, at_root, play, draw,
):  # fmt: skip
    exposed, stride, starts, masks, results, follow = plays
    counts, sources = edges
    first_way, to, kind, weight, single, named, cleared = ways
    first, hands, slot, values = here
    b_first, b_hands, b_slot, b_values = below
    count = len(first_way) - 1
    drawing, naming = TOPS * count, (TOPS + 1) * count
    begin, end = first[n], first[n + 1]
    if index == 0:
        for top in range(TOPS):
            if (arrived >> top) & 1:
                for p in range(begin, end):
                    values[slot[n, top] + p - begin] = cleared[hands[p]]
        if at_root >= 0:
            draw[at_root] = cleared[0]
            play[at_root] = cleared[0]
        return
    # Some of what is read here was written for other heights, but it is for hands that no play
    # brings to this top.
    active = 0
    for i in range(len(stride)):
        k = exposed[index, i]
        if not follow[k] & have:
            continue
        child = place[index - stride[i]]
        for e in range(starts[k], starts[k + 1]):
            if not masks[e] & have:
                continue
            for s in range(counts[e]):
                top = sources[e, s]
                if (have >> top) & 1:
                    _lower(
                        space, top * count, not (active >> top) & 1, b_hands, b_first[child],
                        b_first[child + 1], b_values, b_slot[child, results[e]],
                    )  # fmt: skip
                    active |= 1 << top
    skip = never_on(index, exposed, follow, when[1], when[2]) | pointless_on(index, plays, when)
    source = np.empty(len(single), np.uint64)
    for q in range(len(single)):
        if single[q] == TOPS:
            source[q] = naming
        else:
            source[q] = single[q] * count if (active >> single[q]) & 1 else drawing
    base = np.empty(TOPS, np.uint64)
    free = tied = 0
    for top in range(TOPS):
        if (active & ~skip) >> top & 1:
            base[free] = top * count
            free += 1
    for top in range(TOPS):
        if (active & skip) >> top & 1:
            base[free + tied] = top * count
            tied += 1
    _draw(
        space, drawing, naming, named, active, hands, begin, end, over,
        (first_way, to, kind, weight), source, base, free, tied,
    )  # fmt: skip
    written = False
    for top in range(TOPS):
        if (arrived >> top) & 1:
            playable = (active >> top) & 1
            if playable or not written:
                written |= not playable
                start, at = U(top * count if playable else drawing), U(slot[n, top] - begin)
                for p in range(U(begin), U(end)):
                    values[at + p] = space[start + hands[p]]
    if at_root >= 0:
        draw[at_root] = space[drawing]
        for top in range(TOPS):
            play[at_root, top] = space[top * count if (active >> top) & 1 else drawing]
