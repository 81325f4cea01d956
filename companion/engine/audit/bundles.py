"""Ways between tables too big for sweeps: all tops that a vector of heights can have are looked at at once.

A break is a draw, or a move against the rules: with one more the top may be anything.  So of each vector of
heights it takes two things to know all: the fewest breaks that lead to it, and the tops it can have then;
each other top takes one break more.  That holds as long as any rank can be drawn; where one is scarce the
number of breaks is a lower bound.

The search comes from both ends, from the side where there is less to be looked at.  Dropped is what takes too
many breaks by `match`, and a play of a column's last card where an equal one lies on others: to play that one
instead leaves no less.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from companion.engine.audit.frontier import Undecided
from companion.engine.audit.labels import Few, Ints, counted
from companion.engine.audit.match import ends_on_ring, unmet
from companion.engine.audit.slots import slots
from companion.engine.audit.task import DRAW, Task, bits
from companion.engine.tops import DEAD_QUEEN, JOKER, QUEEN, TOPS

NEVER: Final = 60
"""Breaks where the end is out of reach; the most are fewer."""


_ONES: Final = np.array([mask.bit_count() for mask in range(1 << 13)], np.int64)
"""How many bits of a mask of ranks are set."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """States in arrays of one length, the cells rising.

    cell: heights, packed; cost: the fewest breaks, from the start or to the end; tops: mask of those that
    take no more.
    """

    cell: Ints
    cost: Ints
    tops: Ints

    def __len__(self) -> int:
        return len(self.cell)

    def take(self, where: Any) -> Bundle:
        return Bundle(self.cell[where], self.cost[where], self.tops[where])

    def find(self, cell: int) -> int | None:
        """The number of a cell."""
        at = int(np.searchsorted(self.cell, cell))
        return at if at < len(self) and int(self.cell[at]) == cell else None


@dataclass(frozen=True, slots=True)
class Played:
    """A card of the columns on the way.

    broken: there is a break before it; sources: the tops it may lie on.
    """

    column: int
    kind: int
    top: int
    sources: int
    broken: bool


class Bundles:
    """The search of a task.  wrong: breaks may be moves against the rules, else only draws."""

    def __init__(self, task: Task, *, wrong: bool) -> None:
        self.task, self.wrong = task, wrong
        widths = [height.bit_length() for height in task.heights]
        self._shift = [sum(widths[:i]) for i in range(len(widths))]
        self._mask = [(1 << width) - 1 for width in widths]
        self._shifts, self._masks = (np.array(of, np.int64)[:, None] for of in (self._shift, self._mask))
        self._one = 1 << self._shifts[:, 0]
        self._full = np.array(task.heights, np.int64)[:, None]
        self.full = sum(h << s for h, s in zip(task.heights, self._shift, strict=True))
        self.ends = _ends(task, wrong)
        kinds = [[card[0] if len(card) == 1 else JOKER for card in column] for column in task.columns]
        # ways[i][h]: how the card that leaves column i at height h can be played: sources, top, kind.
        self.ways = [
            [[], *([(e.sources, e.result, k) for k in card for e in task.steps.plays[k]] for card in column)]
            for column in task.columns
        ]
        self._slots = slots([ways[1:] for ways in self.ways])
        # single, left: by column and height, in a row: what card is exposed, as a mask, and how many of each
        # kind have still to leave the column.
        first = np.cumsum([0, *(len(column) + 1 for column in kinds)][:-1])
        self._first = first.astype(np.int64)[:, None]
        shown = [(0, *(1 << k if k != JOKER else 0 for k in column)) for column in kinds]
        self._single = np.array([mask for column in shown for mask in column], np.int64)
        self._bounded = sum(column.count(JOKER) for column in kinds) < 16 and all(
            sum(column.count(kind) for column in kinds) < 16 for kind in range(13)
        )
        left = [np.cumsum([0, *(1 << 4 * k for k in column)], dtype=np.uint64) for column in kinds]
        self._left = np.array([packed for column in left for packed in column], np.uint64)
        self._total = self._counts(np.array([self.full], np.int64))
        last = task.last
        self._need, self._room, self._free = [0] * 13, [0] * 13, 0
        for number, move in enumerate(last):
            rank = move.kinds[0] if len(move.kinds) == 1 else JOKER
            if move.column != DRAW and rank != JOKER:
                self._need[rank] += 1
            if number + 1 < len(last):
                if rank == JOKER:
                    self._free += 1
                else:
                    self._room[rank] += 1
        # Where ranks go round from king to ace: that of the card that the walk over the columns leads to.
        self._final = -1
        self._drawn = sum(move.column == DRAW for move in last)
        follow, plays = task.steps.follow, task.steps.plays
        goes_round = all(follow[r] >> (r + s) % 13 & 1 for r in range(13) for s in (1, 12))
        ranks_only = task.start < 1 << 13 and len(plays[QUEEN]) == 1 and not int(self._total[13][0])
        if goes_round and ranks_only and last and last[0].column != DRAW and len(last[0].kinds) == 1:
            self._final = last[0].kinds[0] if last[0].kinds[0] != JOKER else -1
        self.seen, self._most, self._breaks, self._beam = 0, 0, 0, 0
        self.whole = True
        """Whether the last search dropped nothing that could have been of use."""

    def least(self, breaks: int, most: int = 0, beam: int = 0) -> int | None:
        """The fewest breaks that lead to the end, at most so many; None if that can't be done.  `way` then
        tells how.

        most: cells that may be looked at, 0 for any number; raises `Undecided`.  beam: cells that go on from
        each number of cards, 0 for all; with fewer than all a better way may be missed.
        """
        self.seen, self._most, self._breaks, self._beam, self.whole = 0, most, breaks, beam, True
        start = Bundle(*(np.array([n], np.int64) for n in (self.full, 0, self.task.start)))
        cost = min(self.ends[0])
        if cost > breaks:
            return None
        tops = sum(1 << top for top, least in enumerate(self.ends[0]) if least == cost)
        end = Bundle(*(np.array([n], np.int64) for n in (0, cost, tops)))
        down, up = self._down_side, self._up_side = [self._down_kept(start)], [self._up_kept(end)]
        for _ in range(sum(self.task.heights)):
            if not len(down[-1]) or not len(up[-1]):
                return None
            if beam or len(down[-1]) <= len(up[-1]):
                down.append(self._down(down[-1]))
            else:
                up.append(self._up(up[-1]))
        cost = int(self._meeting()[2].min(initial=NEVER))
        return cost if cost <= breaks else None

    # -- one card on ---------------------------------------------------------------------------------

    def _down(self, old: Bundle) -> Bundle:
        """The states after one card more was played."""
        parts, count = [], len(old)
        heights = self._heights(old.cell)
        single = self._single.take(heights + self._first)
        lone = np.where(heights == 1, single, 0)
        # before[i]: the ranks that lie on others, or alone in a column before the i-th.
        before = np.empty_like(lone)
        before[0] = np.bitwise_or.reduce(np.where(heights > 1, single, 0), axis=0)
        np.bitwise_or(np.bitwise_or.accumulate(lone[:-1], axis=0), before[0], out=before[1:])
        may = (heights > 0) & (lone & before == 0)
        more = old.cost < self._breaks
        for slot in self._slots:
            number = slot.numbers(heights).reshape(-1)
            sources = slot.sources.take(number).reshape(-1, count)
            fits = old.tops & sources != 0
            ok = may[slot.columns] & (fits | more) & (sources != 0)
            found = np.flatnonzero(ok)
            row, at = np.divmod(found, count)
            below = old.cell.take(at) - self._one.take(slot.columns.take(row))
            top = slot.result.take(number.take(found))
            parts.append(Bundle(below, old.cost.take(at) + ~fits.reshape(-1).take(found), 1 << top))
        return self._down_kept(self._merged(parts))

    def _up(self, old: Bundle) -> Bundle:
        """The states before one card more was played."""
        parts, count = [], len(old)
        heights = self._heights(old.cell) + 1
        # Above a full column there is no card.
        heights = np.where(heights <= self._full, heights, 0)
        more = old.cost < self._breaks
        for slot in self._slots:
            number = slot.numbers(heights).reshape(-1)
            sources = slot.sources.take(number).reshape(-1, count)
            fits = old.tops >> slot.result.take(number).reshape(-1, count) & 1 == 1
            found = np.flatnonzero((fits | more) & (sources != 0))
            row, at = np.divmod(found, count)
            above = old.cell.take(at) + self._one.take(slot.columns.take(row))
            broken = ~fits.reshape(-1).take(found)
            parts.append(Bundle(above, old.cost.take(at) + broken, sources.reshape(-1).take(found)))
        return self._up_kept(self._merged(parts))

    def _heights(self, cell: Ints) -> Ints:
        """The cards that have still to leave each column, (columns, n)."""
        heights: Ints = cell >> self._shifts & self._masks
        return heights

    def _merged(self, parts: list[Bundle]) -> Bundle:
        """Each cell once, with the fewest breaks and all tops that take no more."""
        if not parts:
            return Bundle(*(np.zeros(0, np.int64) for _ in range(3)))
        cell = np.concatenate([part.cell for part in parts])
        self.seen += len(cell)
        if self._most and self.seen > self._most:
            raise Undecided
        key = cell << 6 | np.concatenate([part.cost for part in parts])
        order = np.argsort(key)
        key, tops = key[order], np.concatenate([part.tops for part in parts])[order]
        first = np.flatnonzero(np.diff(key >> 6, prepend=-1))
        cost = key[first] & 63
        sizes = np.diff(first, append=len(key))
        tops = np.where(key & 63 == np.repeat(cost, sizes), tops, 0)
        return Bundle(key[first] >> 6, cost, np.bitwise_or.reduceat(tops, first))

    # -- what is dropped -----------------------------------------------------------------------------

    def _down_kept(self, states: Bundle) -> Bundle:
        """Those from which the end may be in reach."""
        if not self._bounded or not len(states):
            return states
        counts = self._counts(states.cell)
        need = [counts[rank] + self._need[rank] for rank in range(13)]
        if self._breaks == 0 and self._final >= 0:
            kept = _with(states, ends_on_ring(self._walked(need), self._final, gone=False))
            return self._likeliest(kept, kept.cost)
        room = [counts[rank] + self._room[rank] for rank in range(13)]
        free = counts[13] + self._free
        missing = np.maximum(0, self._missing(need, room, states.tops) - free)
        missing -= (missing > 0) & (states.tops >> DEAD_QUEEN + 1 != 0)
        rest = states.cost + missing + self._drawn
        ok = rest <= self._breaks
        return self._likeliest(states.take(ok), rest[ok])

    def _likeliest(self, states: Bundle, rest: Ints) -> Bundle:
        """As many of the states as go on, those first that take the fewest breaks by what is known."""
        if not self._beam or len(states) <= self._beam:
            return states
        self.whole = False
        promise = 1000 * rest - self._open(states.cell)
        return states.take(np.sort(np.argsort(promise, kind="stable")[: self._beam]))

    def _up_kept(self, states: Bundle) -> Bundle:
        """Those that may be in reach from the start."""
        if not self._bounded or not len(states):
            return states
        gone = [all_of - left for all_of, left in zip(self._total, self._counts(states.cell), strict=True)]
        start = self.task.start
        if self._breaks == 0 and self._final >= 0 and start.bit_count() == 1 and start < 1 << 13:
            there = sum((((count > 0).astype(np.int64)) << rank for rank, count in enumerate(gone[:13])),
                        np.int64(0))  # fmt: skip
            there = np.where(states.cell == self.full, start, there)
            ends = ends_on_ring(gone, start.bit_length() - 1, gone=True)
            return _with(states, np.where(states.cell == self.full, there, ends & there))
        room = [gone[rank] + (start >> rank & 1) for rank in range(13)]
        free = gone[13] + (start >> DEAD_QUEEN + 1 != 0)
        missing = np.maximum(0, unmet(self.task.steps.follow, gone[:13], room) - free)
        return states.take(states.cost + missing <= self._breaks)

    def _walked(self, counts: list[Few]) -> list[Few]:
        """The cards of the walk to the first of the last moves: those after it are none of it."""
        later = [0] * 13
        for move in self.task.last[1:]:
            if move.column != DRAW and len(move.kinds) == 1 and move.kinds[0] != JOKER:
                later[move.kinds[0]] += 1
        return [count - more for count, more in zip(counts, later, strict=True)]

    def _missing(self, need: list[Few], room: list[Few], tops: Ints) -> Few:
        """How many cards find none to lie on, with the best of the tops."""
        follow = self.task.steps.follow
        without = unmet(follow, need, room)
        is_top = (tops >> np.arange(13)[:, None] & 1).astype(np.int8)
        with_any = unmet(follow, need, [have + top for have, top in zip(room, is_top, strict=True)])
        return without - (with_any < without)

    def _open(self, cell: Ints) -> Ints:
        """How many ranks are exposed."""
        shown = np.bitwise_or.reduce(self._single.take(self._heights(cell) + self._first), axis=0)
        count: Ints = _ONES[shown]
        return count

    def _counts(self, cell: Ints) -> list[Few]:
        """For each kind how many of it have still to leave the columns; ranks, then jokers."""
        return counted(self._left.take(self._heights(cell) + self._first).sum(axis=0, dtype=np.uint64))

    # -- a way ---------------------------------------------------------------------------------------

    def way(self, number: int = 0) -> tuple[list[Played], int]:
        """One of the ways with the fewest breaks that were found last: the cards played, and the tops at the
        end of which one must be had, by one more break if need be.

        number: the same way again, or another one.
        """
        here, there = self._down_side[-1], self._up_side[-1]
        a, b, cost = self._meeting()
        best = np.flatnonzero(cost == cost.min())
        at = int(best[number % len(best)])
        self._order = list(range(len(self.ways)))
        Random(number).shuffle(self._order)
        cell = int(here.cell[a[at]])
        both = int(here.tops[a[at]]) & int(there.tops[b[at]])
        tops, wanted = both or int(here.tops[a[at]]), int(there.tops[b[at]])
        way = self._back(self._down_side, cell, tops)
        top, up = way[-1].top if way else bits(tops)[0], self._up_side
        for layer in range(len(up) - 2, -1, -1):
            broken = not wanted >> top & 1
            move, wanted = self._forth(up[layer + 1], up[layer], cell, None if broken else top, broken)
            way.append(move)
            cell, top = cell - (1 << self._shift[move.column]), move.top
        return way, wanted

    def _meeting(self) -> tuple[Ints, Ints, Ints]:
        """The cells that were reached from both ends: their numbers from above, from below, their breaks."""
        here, there = self._down_side[-1], self._up_side[-1]
        _, a, b = np.intersect1d(here.cell, there.cell, assume_unique=True, return_indices=True)
        return a, b, here.cost[a] + there.cost[b] + (here.tops[a] & there.tops[b] == 0)

    def _back(self, down: list[Bundle], cell: int, tops: int) -> list[Played]:
        """The cards played from the start to a cell, so that one of the tops is had."""
        way: list[Played] = []
        for layer in range(len(down) - 1, 0, -1):
            at = down[layer].find(cell)
            assert at is not None
            cost, before = int(down[layer].cost[at]), down[layer - 1]
            move, tops = self._step_back(before, cell, cost, tops & int(down[layer].tops[at]))
            way.append(move)
            cell += 1 << self._shift[move.column]
        return way[::-1]

    def _step_back(self, before: Bundle, cell: int, cost: int, tops: int) -> tuple[Played, int]:
        """The card played before a state, and the tops it may have lain on."""
        for i in self._order:
            ways = self.ways[i]
            height = (cell >> self._shift[i] & self._mask[i]) + 1
            at = before.find(cell + (1 << self._shift[i])) if height < len(ways) else None
            if at is None:
                continue
            for sources, top, kind in ways[height]:
                common = int(before.tops[at]) & sources
                if tops >> top & 1 and int(before.cost[at]) + (not common) == cost:
                    return Played(i, kind, top, sources, not common), common or int(before.tops[at])
        raise AssertionError("the states lead nowhere")

    def _forth(
        self, here: Bundle, after: Bundle, cell: int, top: int | None, broken: bool
    ) -> tuple[Played, int]:
        """The card played from a state on a top, or on any after a break; the tops wanted after it."""
        at = here.find(cell)
        assert at is not None
        cost = int(here.cost[at])
        for i in self._order:
            ways = self.ways[i]
            height = cell >> self._shift[i] & self._mask[i]
            below = after.find(cell - (1 << self._shift[i])) if height else None
            if below is None:
                continue
            for sources, result, kind in ways[height]:
                fits = top is None or sources >> top & 1
                apart = not int(after.tops[below]) >> result & 1
                if fits and int(after.cost[below]) + apart == cost:
                    return Played(i, kind, result, sources, broken), int(after.tops[below])
        raise AssertionError("the states lead nowhere")


def _ends(task: Task, wrong: bool) -> list[list[int]]:
    """For each of the last moves, and the end, by top: the breaks from there."""
    rows = [[0] * TOPS]
    for number in range(len(task.last) - 1, -1, -1):
        before = [NEVER] * TOPS
        for top in range(TOPS):
            for step in task.last_moves(number, top, wrong):
                cost = rows[0][step.top] + (step.column == DRAW) + step.fault
                before[top] = min(before[top], cost)
        rows.insert(0, before)
    return rows


def _with(states: Bundle, tops: Ints) -> Bundle:
    """The states with those of their tops that are in a mask, if there are any."""
    kept = Bundle(states.cell, states.cost, states.tops & tops)
    return kept.take(kept.tops != 0)


__all__ = ["NEVER", "Bundle", "Bundles", "Played"]
