"""The exact expectation compiled by Numba (extra `fast`); what it computes says `companion.engine.expect`.

The work follows the heights that play can reach, by layers of equal sum, and the hands
(`companion.engine.drawn`) they are reached with.  Forward, from the full tableau down: for each height
vector the set of hands.  Backward, up again: the values, block of hands by block, eight hands at once.
The heights of one column are gone through slowest, so that the values of two layers of the others are kept
at a time, and what plays of that column lead to.  Heights of a layer run in parallel.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from threading import Lock
from typing import Any, Final

import numpy as np
from numba import get_num_threads, set_num_threads

from companion.engine.board import Board
from companion.engine.drawn import LANES, WORD, Drawn, in_lanes
from companion.engine.heights_fast import exposed_kinds, rest_of
from companion.engine.lanes_fast import room
from companion.engine.lattice import strides
from companion.engine.reached_fast import arrive, places, slots, spread
from companion.engine.sweep_fast import edge_tables
from companion.engine.tops import BLANK, TOPS
from companion.engine.valued_fast import NOTHING, ROWS, value
from companion.engine.values import NEVER, Ends, Root

ONE_AT_A_TIME = Lock()
"""Numba's own thread layer ends the process when two threads start parallel loops at once."""

_ALONE: Final = 500_000
"""Pairs of hand and heights, reached or not, that threads would wait for each other longer than they take."""
_FEW: Final = 3_000_000
"""Pairs that are valued sooner than found out what the hands had better be ordered by."""
_SAMPLE: Final = 128
"""Height vectors of a layer, and four times the sets of hands in all, that this is found out from."""
_MOST_BLOCKS: Final = 290 << 20 >> 6
"""Blocks of values that are kept at a time; more would take more than 600 MB with all else."""


@dataclass(slots=True)
class _Layer:
    """The heights of equal sum that are reached, by the height of the column that is gone through slowest.

    cuts: first row of each of its heights, and the end; rows: indices of the height vectors.
    tops: on which something can be played; live: blocks of hands; due: whether the decision is due there.
    slot: numbers of what plays leave, by top, from this column after those from others, shape (rows, 2 TOPS).
    came: blocks of each of these; many: how many; crosses: whether this column's plays leave it.
    ends: the number after those of each row.
    first: first of the blocks of each number, and the end, where values are kept.
    """

    cuts: list[int]
    rows: Any
    tops: Any
    live: Any
    due: Any
    slot: Any
    came: Any
    many: Any
    crosses: Any
    ends: Any
    first: Any


class Exact:
    """The exact values of a board with its hands."""

    def __init__(self, board: Board, drawn: Drawn) -> None:
        self.board, self.drawn = board, drawn
        self.lanes = in_lanes(drawn, near_kinds(board, drawn, None))
        self.exposed, self.total = exposed_kinds(board)
        starts, _, _, results = edge_tables(board)
        masks = np.array([edge.sources for edges in board.steps.plays for edge in edges], np.int64)
        follow = np.array([*board.steps.follow, 0][: BLANK + 1], np.int64)
        heights, stride = np.array(board.heights, np.int64), np.array(strides(board.heights), np.int64)
        rest = np.zeros(len(self.exposed), np.uint16)
        rest_of(heights, self.exposed, stride, follow, rest)
        self.plays = (self.exposed, stride, starts, masks, results, follow)
        self.when = (rest, board.draw_when_stuck, board.no_draw())
        self.heights, self.place = heights, np.full(len(self.exposed), -1, np.int32)
        self.across = int(np.argmax(heights))

    def evaluate(self, ends: Ends, limit: int) -> Root | None:
        """The values at the root, or None when more than `limit` pairs (hand, heights) would be valued.

        ends: of a single order of the draws.
        """
        with ONE_AT_A_TIME:
            threads = get_num_threads()
            try:
                found = self._forward(min(limit, _FEW), threads)
                if found is None and limit > _FEW:
                    self.place[:] = -1
                    samples: list[Any] = []
                    self._forward(limit, threads, samples)
                    near = near_kinds(self.board, self.drawn, self._hands(samples))
                    self.lanes = in_lanes(self.drawn, near)
                    self.place[:] = -1
                    found = self._forward(limit, threads)
                return None if found is None else self._backward(*found, ends, threads)
            finally:
                set_num_threads(threads)

    def _hands(self, samples: list[Any]) -> Any:
        """The hands of `drawn` in sets, shape (sets, hands)."""
        bits = np.unpackbits(np.concatenate(samples).view(np.uint8), axis=1, bitorder="little")
        return bits[:, self.lanes.number].astype(np.bool_)

    def _share(self, rows: int, threads: int) -> None:
        """Sets how many threads work on a layer."""
        set_num_threads(threads if rows * self.lanes.drawn.hands > _ALONE else 1)

    def _forward(
        self, limit: int, threads: int, samples: list[Any] | None = None
    ) -> tuple[dict[int, _Layer], int] | None:
        """What can be reached, by the cards left, and how many pairs that is; None for too many.

        samples: where to put some sets of hands; then only some of the heights are looked at.
        """
        board, drawn, place, exposed = self.board, self.lanes.drawn, self.place, self.exposed
        words, columns = drawn.words, len(board.columns)
        blocks = -(-drawn.hands // LANES // WORD)
        digit = np.arange(len(exposed)) // self.plays[1][self.across] % (self.heights[self.across] + 1)
        sizes = int(self.heights[self.across]) + 1
        order = np.argsort(self.total * np.int64(sizes) + digit, kind="stable").astype(np.int32)
        cuts = np.searchsorted(self.total[order], np.arange(board.count + 2))
        able = drawn.after >= 0
        draws = np.array([sum(1 << top for top in board.steps.draws[k]) for k in drawn.kinds], np.int64)
        ways = np.concatenate([[0], np.cumsum(able.sum(axis=1))]).astype(np.uint32)
        table = (
            drawn.whole, drawn.able(), drawn.step, drawn.copies, ways, drawn.after[able].astype(np.uint32),
            np.nonzero(able)[1].astype(np.uint32), draws,
        )  # fmt: skip
        scratch = np.zeros((threads, TOPS + 3, words), np.uint64)
        layers: dict[int, _Layer] = {}
        tops = np.zeros(1, np.uint16)
        above = (np.full((1, columns), -1), np.zeros((1, words), np.uint64))
        pairs = 0
        for cards in range(board.count, -1, -1):
            rows = order[cuts[cards] : cuts[cards + 1]]
            came = np.zeros(len(rows), np.int64)
            self._share(len(rows), threads)
            if layers:
                arrive(rows, came, place, tops, self.heights, self.across, self.plays)
                some = np.flatnonzero(came)
                if samples is not None:
                    some = some[:: -(-len(some) // _SAMPLE) or 1]
                parts = np.searchsorted(digit[rows[some]], np.arange(sizes + 1))
                # Threads take rows in one piece each; dealt out like this, pieces are about as much work.
                turns = [(v, n) for v in range(sizes) for n in range(threads)]
                some = np.concatenate([some[parts[v] + n : parts[v + 1] : threads] for v, n in turns])
                rows, came = rows[some], came[some]
            else:
                parts = np.array([0] * sizes + [1])
            if not len(rows):
                break
            count = len(rows)
            place[rows] = np.arange(count, dtype=np.int32)
            slot, ends = np.full((count, 2 * TOPS), -1, np.int32), np.zeros(count + 1, np.int64)
            crosses = np.zeros(count * 2 * TOPS, np.bool_)
            number = slots(rows, came, slot, ends, crosses, exposed, self.plays[5])
            down = np.full((count, columns), -1)
            sets = np.empty((places(rows, down, exposed, self.plays[2]), words), np.uint64)
            layer = _Layer(
                [int(part) for part in parts], rows, np.zeros(count, np.uint16),
                np.empty((count, blocks), np.uint64), np.zeros(count, np.bool_), slot,
                np.empty((number, blocks), np.uint64), np.zeros(number, np.int64),
                crosses[:number].copy(), ends, np.zeros((number, 2), np.int64),
            )  # fmt: skip
            hands = np.zeros(count, np.int64)
            here = (layer.tops, down, sets, slot, layer.came, layer.many, layer.live, hands, layer.due)
            spread(
                rows, -1 if layers else board.top, place, self.heights, self.across, above, here, self.plays,
                self.when, table, scratch,
            )  # fmt: skip
            pairs += int(hands.sum())
            if pairs > limit:
                return None
            if samples is not None:
                samples.append(sets[:: -(-len(sets) // (4 * _SAMPLE // 31)) or 1].copy())
            layers[cards] = layer
            tops, above = layer.tops, (down, sets)
        return layers, pairs

    def _ways(self, ends: Ends) -> tuple[Any, ...]:
        """The draws from each block, for `valued_fast`."""
        drawn, steps = self.lanes.drawn, self.board.steps.draws
        near, far = self.lanes.near, list(self.lanes.far)
        first = np.arange(0, drawn.hands, LANES)
        after = drawn.after[first][:, far]
        to = np.where(after >= 0, after // LANES * LANES, drawn.hands).astype(np.uint32)
        held = (drawn.copies - drawn.counts[first])[:, far].astype(np.float64)
        weights = np.zeros((3, LANES))
        for j, q in enumerate(near):
            if q >= 0:
                copies = int(drawn.copies[q])
                count = np.arange(LANES) >> j & (1 << copies.bit_length()) - 1
                able = np.maximum(copies - count, 0)
                weights[j] = able > 0 if drawn.whole else able
        rounds = sum(int(drawn.copies[q]) for q in near if q >= 0)
        over = (drawn.stage == self.board.left) & (drawn.many > 0)
        last = over.reshape(-1, LANES).any(axis=1)
        # A drawn joker becomes what its player says; that is worked out once for all.
        tops = [steps[drawn.kinds[q]] for q in far]
        far_kind = np.array([kind[0] if len(kind) == 1 else TOPS for kind in tops], np.int64)
        near_kind = np.array([steps[drawn.kinds[q]][0] if q >= 0 else -1 for q in near], np.int64)
        named = sum(1 << top for top in {top for kind in tops if len(kind) > 1 for top in kind})
        cleared = ends.cleared[drawn.stage] * drawn.many
        return (
            drawn.whole, to.ravel(), held.ravel(), weights.ravel(), rounds, last, 1.0 - over,
            near_kind, far_kind, named, cleared,
        )  # fmt: skip

    def _backward(self, layers: dict[int, _Layer], pairs: int, ends: Ends, threads: int) -> Root | None:
        board, hands = self.board, self.lanes.drawn.hands
        groups = [
            (v, cards, layers[cards])
            for v in range(int(self.heights[self.across]) + 1)
            for cards in sorted(layers)
            if layers[cards].cuts[v] < layers[cards].cuts[v + 1]
        ]
        inner, crossing, crossings = _rooms(groups)
        if 2 * inner + crossing > _MOST_BLOCKS:
            return None
        ways = self._ways(ends)
        space = room(threads * ROWS * (hands + LANES)).reshape(threads, ROWS, hands + LANES)
        space[:] = 0
        space[:, NOTHING] = NEVER
        scratch = (space.reshape(threads, -1), np.zeros((threads, hands // LANES), np.uint32))
        kept = [(np.zeros(inner, np.uint32), room(inner * LANES)) for _ in range(2)]
        across = (np.zeros(crossing, np.uint32), room(crossing * LANES))
        found: dict[int, int] = {}
        plays, stays = [], []
        for (v, cards, layer), start in zip(groups, crossings, strict=True):
            low, high = layer.cuts[v], layer.cuts[v + 1]
            self._share(high - low, threads)
            a, b = layer.ends[low], layer.ends[high]
            many, crosses = layer.many[a:b], layer.crosses[a:b]
            end = np.where(crosses, start + np.cumsum(many * crosses), np.cumsum(many * ~crosses))
            layer.first[a:b] = np.stack([end - many, end], axis=1)
            now = np.flatnonzero(layer.due[low:high])
            at = np.full(high - low, -1)
            at[now] = np.arange(len(now))
            play, draw = np.full((len(now), TOPS), np.inf), np.full(len(now), np.inf)
            lower = layers.get(cards - 1, layer)
            value(
                low, high, layer.rows, (layer.tops, layer.live, layer.slot, layer.came), lower.slot,
                (lower.first, *kept[1 - cards % 2], *across), (layer.first, *kept[cards % 2], *across),
                self.place, self.plays, self.across, self.when, self.total, ways, ends.stuck, scratch, at,
                play, draw,
            )  # fmt: skip
            found |= {int(index): len(found) + n for n, index in enumerate(layer.rows[low:high][now])}
            plays.append(play)
            stays.append(draw)
        best, stay = np.concatenate(plays), np.concatenate(stays)
        if not board.left:
            stay[:] = np.inf
        return Root(
            lambda top, index: float(best[found[index], top]), lambda index: float(stay[found[index]]), pairs
        )


def _rooms(groups: list[tuple[int, int, _Layer]]) -> tuple[int, int, list[int]]:
    """Blocks that a group of rows keeps at most, that cross at a time, and where those of each group begin.

    What crosses is kept until the same heights of the others have had their turn with a card more.
    """
    place = {(v, cards): n for n, (v, cards, _) in enumerate(groups)}
    inner, sizes = 1, [0]
    for v, _, layer in groups:
        a, b = layer.ends[layer.cuts[v]], layer.ends[layer.cuts[v + 1]]
        crosses = int(layer.many[a:b][layer.crosses[a:b]].sum())
        inner = max(inner, int(layer.many[a:b].sum()) - crosses)
        sizes.append(sizes[-1] + crosses)
    most = max(after - before for before, after in pairwise(sizes))
    reach = max(sizes[n + 1] - sizes[place.get((v - 1, cards - 1), n)] for (v, cards), n in place.items())
    starts, at = [], 0
    for before, after in pairwise(sizes):
        size = after - before
        if at + size > most + reach:
            at = 0
        starts.append(at)
        at += size
    return inner, most + reach + 1, starts


def near_kinds(board: Board, drawn: Drawn, sample: Any) -> tuple[int, int, int]:
    """The near kinds: those of which it matters least whether they are drawn.

    sample: sets of hands that are reached, shape (sets, hands); None where there are none yet: then it's
    those that few cards can follow.
    """
    matters = []
    for q, kind in enumerate(drawn.kinds):
        tops = board.steps.draws[kind]
        if len(tops) > 1:
            continue
        if sample is None:
            cards = [k for column in board.columns for k in column if board.steps.follow[k] >> tops[0] & 1]
            matters.append((len(cards) / max(1, board.count), q))
        else:
            some = np.flatnonzero(drawn.after[:, q] >= 0)
            there = sample[:, drawn.after[some, q]]
            matters.append((1 - (there & sample[:, some]).sum() / max(1, int(there.sum())), q))
    matters.sort()
    one = [q for _, q in matters if drawn.copies[q] == 1]
    two = [q for _, q in matters if drawn.copies[q] in (2, 3)]
    many = [q for _, q in matters if 4 <= drawn.copies[q] <= 7]
    # A kind of two or three cards takes two of the three places, one of more takes all.
    threes = combinations((*one[:5], *[-1] * (3 - len(one))), 3)
    choices: list[tuple[int, int, int]] = [(a, b, c) for a, b, c in threes]
    choices += [(q, -1, other) for q in two[:2] for other in one[:2] or [-1]]
    choices += [(q, -1, -1) for q in many[:1]]
    if sample is None or not drawn.whole:
        return choices[0 if one else -1]
    sizes = tuple(int(copies) + 1 for copies in reversed(drawn.copies))
    grid = sample.reshape(len(sample), *sizes)
    blocks = [grid.any(axis=tuple(len(sizes) - q for q in choice if q >= 0)).sum() for choice in choices]
    return choices[int(np.argmin(blocks))]
