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
from numba import get_num_threads, njit, prange, set_num_threads
from numba.np.ufunc.parallel import get_thread_id

from companion.engine.board import Board
from companion.engine.drawn import Drawn
from companion.engine.lattice import size, strides
from companion.engine.sweep_fast import edge_tables
from companion.engine.tops import BLANK, TOPS
from companion.engine.values import Ends, Root

ONE_AT_A_TIME = Lock()
"""Numba's own thread layer ends the process when two threads start parallel loops at once."""

_ALONE: Final = 500_000
"""Pairs of hand and heights, reached or not, that threads would wait for each other longer than they take."""

_U = np.uint64
"""Unsigned numbers can't count from the end of an array, which is one question less a look."""


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
        _rest(heights, self.exposed, stride, follow, rest)
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
                _arrive(rows, came, place, above[0], *self.lattice[:1], *self.plays)
                some = np.flatnonzero(came)
                # Threads take rows in one piece each; dealt out like this, pieces are about as much work.
                some = np.concatenate([some[n::threads] for n in range(threads)])
                rows, came = rows[some], came[some]
            if not len(rows):
                break
            place[rows] = np.arange(len(rows), dtype=np.int32)
            slot = np.full((len(rows), columns), -1)
            sets = np.empty((_places(rows, slot, self.exposed, self.plays[2]), words), np.uint64)
            hands, tops = np.empty((len(rows), words), np.uint64), np.zeros(len(rows), np.uint16)
            count = np.zeros(len(rows), np.int64)
            _spread(
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
            _list(layer.hands, layer.first, hands)
            slot = np.full((len(layer.rows), TOPS), -1)
            room = _slots(layer.rows, layer.came, layer.first, slot, self.exposed, self.plays[5])
            here = (layer.first, hands, slot, np.empty(room))
            now = np.flatnonzero(layer.hands[:, 0] & np.uint64(1))
            at = np.full(len(layer.rows), -1)
            at[now] = np.arange(len(now))
            play, draw = np.full((len(now), TOPS), np.inf), np.full(len(now), np.inf)
            _value(
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
def _rest(heights, exposed, stride, follow, rest):
    """Fills in the mask of tops that some card left in the tableau can be played on, by index."""
    for index in range(1, len(rest)):
        mask = 0
        for i in range(len(heights)):
            if index // stride[i] % (heights[i] + 1):
                mask |= follow[exposed[index, i]] | rest[index - stride[i]]
        rest[index] = mask


@njit(cache=True)
def _never(index, exposed, follow, when_stuck, no_draw):
    """Mask of the tops on which nothing may be drawn at some heights."""
    never = no_draw
    if when_stuck:
        for i in range(exposed.shape[1]):
            never |= follow[exposed[index, i]]
    return never


@njit(cache=True)
def _pointless(index, plays, when):
    """Mask of the tops on which it is better not to draw yet; see `companion.engine.expect`."""
    exposed, _, starts, _, results, follow = plays
    found = 0
    if not when[1]:
        for i in range(exposed.shape[1]):
            k = exposed[index, i]
            leads = 0
            for e in range(starts[k], starts[k + 1]):
                leads |= (np.int64(when[0][index]) >> results[e]) & 1
            if not leads:
                found |= follow[k]
    return found


@njit(cache=True)
def _ones(x):
    """How many bits are set."""
    x = x - ((x >> _U(1)) & _U(0x5555555555555555))
    x = (x & _U(0x3333333333333333)) + ((x >> _U(2)) & _U(0x3333333333333333))
    x = (x + (x >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return (x * _U(0x0101010101010101)) >> _U(56)


@njit(cache=True)
def _join(to, source):
    for w in range(len(to)):
        to[w] |= source[w]


@njit(cache=True)
def _shift(to, source, able, step):
    """Adds to a set the able members of another, so many places up; both may be the same."""
    words, bits = step >> 6, _U(step & 63)
    if bits:
        for w in range(len(to) - 1, words, -1):
            low = (source[w - words - 1] & able[w - words - 1]) >> (_U(64) - bits)
            to[w] |= ((source[w - words] & able[w - words]) << bits) | low
        to[words] |= (source[0] & able[0]) << bits
    else:
        for w in range(len(to) - 1, words - 1, -1):
            to[w] |= source[w - words] & able[w - words]


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
        done = _U(0)
        while stops[word] & ~done:
            waiting = stops[word] & ~done
            low = waiting & (~waiting + _U(1))
            done |= low
            hand = _U(word * 64) + _ones(low - _U(1))
            for w in range(first_way[hand], first_way[hand + _U(1)]):
                at, bit = to[w] >> 6, _U(1) << (_U(to[w]) & _U(63))
                came = draws[kind[w]]
                if came & ~skip:
                    stops[at] |= bit
                for top in range(TOPS):
                    if (came >> top) & 1:
                        reached[top, at] |= bit


@njit(cache=True, parallel=True)
def _arrive(rows, came, place, above_tops, heights, exposed, stride, starts, masks, results, follow):
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
def _places(rows, slot, exposed, starts):
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
def _spread(rows, root_top, place, heights, above, here, hands, count, plays, when, table, scratch):
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
        never = _never(index, exposed, follow, when[1], when[2])
        skip = never | _pointless(index, plays, when)
        for top in range(TOPS):
            if not (skip >> top) & 1:
                _join(stops, reached[top])
            elif not (never >> top) & 1:
                # Where a decision is due all that is legal is valued.
                stops[0] |= reached[top, 0] & _U(1)
        if whole:
            _draw_whole(stops, reached, skip, able, step, copies, draws)
        else:
            _draw_part(stops, reached, skip, first_way, to, kind, draws)
    found = 0
    all_hands[:] = stops
    for top in range(TOPS):
        some = _U(0)
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
    number = _U(0)
    for w in range(len(stops)):
        number += _ones(all_hands[w])
    return number


@njit(cache=True, parallel=True)
def _list(sets, first, hands):
    """Lists the members of sets."""
    for n in prange(len(sets)):
        _list_one(sets[n], hands[first[n] : first[n + 1]])


@njit(cache=True)
def _list_one(members, hands):
    at = 0
    for word in range(len(members)):
        waiting = members[word]
        while waiting:
            low = waiting & (~waiting + _U(1))
            hands[at] = _U(word * 64) + _ones(low - _U(1))
            at += 1
            waiting ^= low


@njit(cache=True)
def _slots(rows, came, first, slot, exposed, follow):
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
    base, at = _U(base), _U(at - begin)
    for p in range(_U(begin), _U(end)):
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
    drawing = _U(drawing)
    for p in range(end - 1, begin - 1, -1):
        hand = _U(hands[_U(p)])
        at, last = _U(first_way[hand]), _U(first_way[hand + _U(1)])
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
                if (named >> np.int64(base[j] // _U(len(first_way) - 1))) & 1:
                    best = min(best, space[base[j] + hand])
            space[naming + hand] = best


@njit(cache=True, parallel=True)
def _value(
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
    skip = _never(index, exposed, follow, when[1], when[2]) | _pointless(index, plays, when)
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
                start, at = _U(top * count if playable else drawing), _U(slot[n, top] - begin)
                for p in range(_U(begin), _U(end)):
                    values[at + p] = space[start + hands[p]]
    if at_root >= 0:
        draw[at_root] = space[drawing]
        for top in range(TOPS):
            play[at_root, top] = space[top * count if (active >> top) & 1 else drawing]
