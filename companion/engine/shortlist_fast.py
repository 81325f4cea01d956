"""Values where knowledge is too much to follow everywhere: over a short list of heights worth a draw.

After each drawn card only a few of the heights that can be reached are worth stopping at.  Values under
independent draws (`independent_fast`) say which; over those lists, and what follows from them, what is
known of the stock is tracked as exactly as the room allows.  So the values are those of real play that
is restricted to the lists: never too rosy where every kind is tracked, and mostly a few tenths of a
stroke too high.

Stage by stage, options[row, kind] names the rows of the next stage to choose from when a card of that
kind is drawn at the heights of a row.  Backward, all classes of knowledge of a row are worked on at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba import njit, prange

from companion.engine.board import Board
from companion.engine.expect_fast import ONE_AT_A_TIME
from companion.engine.heights_fast import exposed_kinds
from companion.engine.independent_fast import values
from companion.engine.knowledge import Knowledge, classes, track
from companion.engine.lattice import size, strides
from companion.engine.sweep_fast import edge_tables
from companion.engine.tops import BLANK, TOPS
from companion.engine.values import Ends

_LISTS: Final = ((1.0, 4, 20), (0.6, 4, 8), (0.3, 3, 3.5), (0.3, 2, 2.5))
"""From wide to narrow: strokes a stop may be worse than the best, stops in a list, and the pairs this takes
where a list of the best stop alone takes one."""
_ROOT: Final = 24
"""Stops that are valued where the decision is due, beside the best one after each legal move."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Values of the stops where the decision is due.

    stops: first and second figure of drawing at the heights of an index (of the end, where cleared).
    independent: the first figure of the best of them were draws independent.
    width: strokes a stop could be worse than the best of its list; 0 where a list holds one stop.
    tracked: share of the unseen cards whose kinds were tracked.
    pairs: pairs of knowledge and heights that were valued.
    """

    stops: dict[int, tuple[float, float]]
    independent: float
    width: float
    tracked: float
    pairs: int


def evaluate(board: Board, first: Ends, second: Ends, limit: int) -> Shortlist:
    """The values at the root.  first, second: figures of holes that are over; limit: pairs to value.

    The stock must hold a card.
    """
    with ONE_AT_A_TIME:
        return _Lists(board, first, second).evaluate(limit)


def reachable(board: Board, index: int, top: int) -> Iterator[tuple[int, int]]:
    """Heights and tops that plays alone lead to from heights and a top, with where they start."""
    step = strides(board.heights)
    seen = {(index, top)}
    waiting = [(index, top)]
    while waiting:
        at, now = waiting.pop()
        yield at, now
        for i, (s, full) in enumerate(zip(step, board.heights, strict=True)):
            height = at // s % (full + 1)
            for edge in board.steps.plays[board.columns[i][height - 1]] if height else ():
                after = (at - s, edge.result)
                if edge.sources >> now & 1 and after not in seen:
                    seen.add(after)
                    waiting.append(after)


def stops(board: Board, index: int, top: int) -> set[int]:
    """The heights that can be drawn from, or that clear the tableau, after plays from heights and a top."""
    step = strides(board.heights)
    found = set()
    for at, now in reachable(board, index, top):
        heights = tuple(at // s % (h + 1) for s, h in zip(step, board.heights, strict=True))
        if not at or board.may_draw(heights, now):
            found.add(at)
    return found


class _Lists:
    def __init__(self, board: Board, first: Ends, second: Ends) -> None:
        self.board, self.first, self.second = board, first, second
        self.exposed, self.total = exposed_kinds(board)
        self.store = values(board, self.exposed, self.total, first.stuck, first.cleared)
        starts, _, _, results = edge_tables(board)
        masks = np.array([edge.sources for edges in board.steps.plays for edge in edges], np.int64)
        self.tables = (
            self.exposed, np.array(strides(board.heights), np.int64), starts, masks, results,
            np.array([*board.steps.follow, 0], np.int64), board.draw_when_stuck, board.no_draw(),
        )  # fmt: skip
        self.kinds = [kind for kind, copies in enumerate(board.unseen) if copies]
        self.tops = np.array([sum(1 << top for top in board.steps.draws[kind]) for kind in self.kinds])
        self.root = np.array(self._root(), np.int32)

    def _root(self) -> list[int]:
        """The stops to value where the decision is due."""
        board, worth = self.board, self.store[0]
        index, step = size(board.heights) - 1, strides(board.heights)
        chosen = set()
        for column, kinds in enumerate(board.columns):
            for edge in board.steps.plays[kinds[-1]] if kinds else ():
                if edge.sources >> board.top & 1:
                    after = stops(board, index - step[column], edge.result)
                    chosen.add(min(after, key=lambda at: (worth[at], at)))
        everything = sorted(stops(board, index, board.top), key=lambda at: (worth[at], at))
        chosen |= {at for at in everything[:_ROOT] if worth[at] <= worth[everything[0]] + 1}
        if index in everything:
            chosen.add(index)
        return sorted(chosen)

    def evaluate(self, limit: int) -> Shortlist:
        plain, base = self._forward(0.0, 1, None, 0)
        assert plain is not None
        # Tracking more kinds is worth more than wider lists.
        order = sorted(self.kinds, key=lambda kind: (-self.board.unseen[kind], abs(kind - 6), kind))
        followed = len(order)
        rows = np.array([len(stage) for stage, _, _ in plain])
        while followed and (base := int(rows @ self._classes(order[:followed]))) > limit:
            followed -= 1
        sizes = self._classes(order[:followed])
        lists, width, pairs = plain, 0.0, base
        for margin, most, times in _LISTS:
            if followed == len(order) and base * times <= limit:
                wider, many = self._forward(margin, most, sizes, limit)
                if wider is not None:
                    lists, width, pairs = wider, margin, many
                    break
        tracked = order[:followed]
        knowledge = track(self.board, None if followed == len(order) else tuple(tracked))
        worths = self._backward(knowledge, lists)
        worth = self.store[0][self.root]
        share = sum(self.board.unseen[kind] for kind in tracked) / sum(self.board.unseen)
        found = {int(at): (float(a), float(b)) for at, (a, b) in zip(self.root, worths, strict=True)}
        return Shortlist(found, float(worth.min()), width, share, pairs)

    def _classes(self, tracked: list[int]) -> Any:
        """How many classes of knowledge each stage has where some kinds are tracked."""
        return np.array(classes(self.board.unseen, tuple(tracked), self.board.left), np.int64)

    def _forward(self, margin: float, most: int, sizes: Any, limit: int) -> tuple[list[Any] | None, int]:
        """Rows, and options of each row and kind, of each stage; and the pairs.  None for too many pairs.

        Stage by stage (rows, first option of each row and kind and the end, options).
        """
        cells = len(self.exposed)
        number, fresh = np.empty((2, cells), np.int32)
        rows = self.root
        pairs = len(rows)
        stages: list[Any] = []
        left = self.board.left
        for stage in range(1, left + 1):
            number[:] = -1
            start = np.empty(len(rows) * len(self.kinds) + 1, np.int64)
            room = np.empty(len(rows) * len(self.kinds) * most, np.int32)
            made, count = _options(
                rows, self.tops, stage == left, self.store[stage], *self.tables, margin, most, number,
                start, room, fresh,
            )  # fmt: skip
            stages.append((rows, start, room[:made].copy()))
            rows = fresh[:count].copy()
            if sizes is not None:
                pairs += count * int(sizes[stage])
                if pairs > limit:
                    return None, pairs
        stages.append((rows, None, None))
        return stages, pairs

    def _backward(self, knowledge: Knowledge, lists: list[Any]) -> Any:
        """Both figures of the rows of the first stage, shape (rows, 2)."""
        left, unseen = self.board.left, sum(self.board.unseen)
        sizes = np.diff(knowledge.stages)
        rows = lists[left][0]
        ends = np.stack([self.first.stuck, self.second.stuck], axis=1).astype(np.float32)
        values = np.repeat(ends[self.total[rows]][:, None], sizes[left], axis=1)
        for stage in range(left, 0, -1):
            values[lists[stage][0] == 0] = self.first.cleared[stage], self.second.cleared[stage]
            rows, start, options = lists[stage - 1]
            low, high = knowledge.stages[stage], knowledge.stages[stage + 1]
            ways = slice(int(knowledge.start[low]), int(knowledge.start[high]))
            after = np.repeat(np.arange(high - low, dtype=np.int32), np.diff(knowledge.start[low : high + 1]))
            kind = knowledge.kind[ways]
            order = np.argsort(kind, kind="stable")
            cut = np.searchsorted(kind[order], [*self.kinds, BLANK])
            before = (knowledge.source[ways] - knowledge.stages[stage - 1]).astype(np.int32)
            # Counts become chances.
            total = unseen - stage + 1 if knowledge.exact else 1
            weight = (knowledge.weight[ways] / total).astype(np.float32)
            earlier = np.zeros((len(rows), int(sizes[stage - 1]), 2), np.float32)
            _choose(
                rows, len(self.kinds), start, options, values, cut, before[order], after[order],
                weight[order], earlier,
            )  # fmt: skip
            values = earlier
        values[self.root == 0] = self.first.cleared[0], self.second.cleared[0]
        return values[:, 0]


@njit(cache=True)
def _options(
    rows, tops, is_last, worth, exposed, stride, starts, masks, results, follow, when_stuck, no_draw,
    margin, most, number, start, room, fresh,
):  # fmt: skip
    """Fills in the options of each row and kind; numbers the rows they lead to, in `fresh`.

    Returns how many options and rows there are.
    """
    seen_at, seen_top = np.empty(256, np.int32), np.empty(256, np.int8)
    best_at, best_worth = np.empty(most, np.int32), np.empty(most, np.float32)
    made = count = place = 0
    for row in range(len(rows)):
        playable = 0
        for i in range(exposed.shape[1]):
            playable |= follow[exposed[rows[row], i]]
        for kind in range(len(tops)):
            start[place] = made
            place += 1
            if rows[row] == 0:
                continue
            if playable & tops[kind]:
                found = _stops(
                    rows[row], tops[kind], is_last, worth, exposed, stride, starts, masks, results, follow,
                    when_stuck, no_draw, margin, seen_at, seen_top, best_at, best_worth,
                )  # fmt: skip
            else:  # nothing can be done with the card but draw the next
                best_at[0], found = rows[row], 1
            for n in range(found):
                at = best_at[n]
                if number[at] < 0:
                    number[at] = count
                    fresh[count] = at
                    count += 1
                room[made] = number[at]
                made += 1
    start[place] = made
    return made, count


@njit(cache=True)
def _stops(
    index, tops, is_last, worth, exposed, stride, starts, masks, results, follow, when_stuck, no_draw,
    margin, seen_at, seen_top, best_at, best_worth,
):  # fmt: skip
    """The stops worth most after plays from heights with one of the tops; how many there are, at least one.

    What a very long list of plays leads to is left out.
    """
    columns = exposed.shape[1]
    seen = 0
    for top in range(TOPS):
        if (tops >> top) & 1:
            seen_at[seen], seen_top[seen] = index, top
            seen += 1
    found = at = 0
    while at < seen:
        here, top = seen_at[at], seen_top[at]
        at += 1
        playable = False
        for i in range(columns):
            k = exposed[here, i]
            if k == BLANK or not (follow[k] >> top) & 1:
                continue
            playable = True
            for e in range(starts[k], starts[k + 1]):
                if (masks[e] >> top) & 1:
                    below, result = here - stride[i], results[e]
                    new = seen < len(seen_at)
                    for n in range(seen):
                        if seen_at[n] == below and seen_top[n] == result:
                            new = False
                            break
                    if new:
                        seen_at[seen], seen_top[seen] = below, result
                        seen += 1
        if here == 0 or is_last or not ((no_draw >> top) & 1 or (when_stuck and playable)):
            found = _insert(here, worth[here], best_at, best_worth, found)
    if found == 0:
        # The list of plays was too long to find one of its ends: go straight for one.
        here, top = seen_at[0], seen_top[0]
        i = 0
        while i < columns:
            k = exposed[here, i]
            i += 1
            if k != BLANK and (follow[k] >> top) & 1:
                for e in range(starts[k], starts[k + 1]):
                    if (masks[e] >> top) & 1:
                        here, top = here - stride[i - 1], results[e]
                        break
                i = 0
        found = _insert(here, worth[here], best_at, best_worth, 0)
    while best_worth[found - 1] > best_worth[0] + margin:
        found -= 1
    return found


@njit(cache=True)
def _insert(here, worth, best_at, best_worth, found):
    """Puts a stop into its place in the list, best first; how many there are then."""
    for n in range(found):
        if best_at[n] == here:
            return found
    if found < len(best_at):
        found += 1
    elif worth >= best_worth[found - 1]:
        return found
    n = found - 1
    while n and best_worth[n - 1] > worth:
        best_at[n], best_worth[n] = best_at[n - 1], best_worth[n - 1]
        n -= 1
    best_at[n], best_worth[n] = here, worth
    return found


@njit(cache=True, parallel=True)
def _choose(rows, kinds, start, options, values, cut, before, after, weight, result):
    """For all classes of a row at once: the best option for each kind, weighed by its chance.

    values, result: both figures side by side, shape (rows, classes, 2).
    """
    classes = values.shape[1]
    for row in prange(len(rows)):
        if rows[row]:
            best = np.empty((classes, 2), np.float32)
            to = result[row]
            for k in range(kinds):
                begin, end = start[row * kinds + k], start[row * kinds + k + 1]
                here = values[options[begin]]
                if end - begin > 1:
                    best[:] = here
                    for n in range(begin + 1, end):
                        here = values[options[n]]
                        for c in range(classes):
                            better = here[c, 0] < best[c, 0]
                            best[c, 0] = here[c, 0] if better else best[c, 0]
                            best[c, 1] = here[c, 1] if better else best[c, 1]
                    here = best
                for way in range(cut[k], cut[k + 1]):
                    b, c, w = before[way], after[way], weight[way]
                    to[b, 0] += w * here[c, 0]
                    to[b, 1] += w * here[c, 1]
