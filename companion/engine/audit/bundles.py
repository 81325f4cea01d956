"""Ways between tables too big for sweeps: all tops that a vector of heights can have are looked at at once.

A break is a draw, or a move against the rules: with one more the top may be anything.  So of each vector of
heights it takes two things to know all: the fewest breaks that lead to it, and the tops it can have then;
each other top takes one break more.  That holds as long as any rank can be drawn; where one is scarce the
number of breaks is a lower bound.

The search comes from both ends, from the side where there is less to be looked at.  Dropped is what takes too
many breaks by `match`; a play of a column's last card where an equal one lies on others, as to play that one
instead leaves no less; and a break for another card where one is exposed that fits nothing that is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.frontier import Undecided
from companion.engine.audit.groups import ALL, Masks
from companion.engine.audit.labels import Few, Ints
from companion.engine.audit.match import ends_on_ring, lone_ranks, unmet, unmet_ranks
from companion.engine.audit.shown import Shown
from companion.engine.audit.task import DRAW, Task, bits
from companion.engine.tops import DEAD_QUEEN, JOKER, QUEEN, TOPS

NEVER: Final = 60
"""Breaks where the end is out of reach; the most are fewer."""


_COST: Final = 6
_LABEL: Final = 4
"""Bits of a key for breaks, and for what tells the tops."""
_PART: Final = 16_384
_EACH_TOP: Final = (1 << np.arange(TOPS)).astype(np.uint16)
_NO: Final = np.uint16(0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """States in arrays of one length, the cells rising.

    cell: heights, packed; cost: the fewest breaks, from the start or to the end; tops: mask of those that
    take no more; onward: mask of the ranks that may follow or lead here by a break, `ALL` for any card.
    """

    cell: Ints
    cost: Ints
    tops: Masks
    onward: Masks

    def __len__(self) -> int:
        return len(self.cell)

    @classmethod
    def joined(cls, parts: list[Bundle]) -> Bundle:
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, of) for part in parts]) for of in cls.__slots__))

    def take(self, where: Any) -> Bundle:
        return Bundle(self.cell[where], self.cost[where], self.tops[where], self.onward[where])

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
        # Heights are packed as bits, or as digits of a number where that takes fewer bits than a key has.
        bits_fit = sum(widths) <= 63 - _COST - _LABEL
        self._size = [
            1 << width if bits_fit else h + 1 for width, h in zip(widths, task.heights, strict=True)
        ]
        self._stride = [prod(self._size[:i]) for i in range(len(widths))]
        self.full = sum(h * stride for h, stride in zip(task.heights, self._stride, strict=True))
        self.ends = _ends(task, wrong)
        # The fewest breaks of the last moves, and the tops before them that take no more.
        least = min(self.ends[0])
        self.end = least, sum(1 << top for top, breaks in enumerate(self.ends[0]) if breaks == least)
        kinds = [[card[0] if len(card) == 1 else JOKER for card in column] for column in task.columns]
        # ways[i][h]: how the card that leaves column i at height h can be played: sources, top, kind.
        self.ways = [
            [[], *([(e.sources, e.result, k) for k in card for e in task.steps.plays[k]] for card in column)]
            for column in task.columns
        ]
        # What labels of keys stand for on the way up; a key has room for so many bits of a cell.
        self._masks = np.array(sorted({w[0] for ways in self.ways for card in ways for w in card}), np.uint16)
        self._bounded = sum(column.count(JOKER) for column in kinds) < 16 and all(
            sum(column.count(kind) for column in kinds) < 16 for kind in range(13)
        )
        self._shown = Shown(self._size, kinds, self.ways, self._masks)
        self._total = self._shown.counts(self._shown.rows(np.array([self.full], np.int64)))
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
        self._alone = None
        jokers = self._free + int(self._total[13][0])
        if self._bounded and not jokers and not (last and last[0].column == DRAW and task.when_stuck):
            self._alone = lone_ranks(task.steps.follow, self._need, self._room)
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
        start = self._state(self.full, 0, self.task.start)
        cost, tops = self.end
        if cost > breaks:
            return None
        end = self._state(0, cost, tops)
        down, up = self._down_side, self._up_side = [self._down_kept(start)], [self._up_kept(end)]
        for _ in range(sum(self.task.heights)):
            if not len(down[-1]) or not len(up[-1]):
                return None
            # A step back is made to more tables.
            if beam or len(down[-1]) <= 2 * len(up[-1]):
                down.append(self._down(down[-1]))
            else:
                up.append(self._up(up[-1]))
        cost = int(self._meeting()[2].min(initial=NEVER))
        return cost if cost <= breaks else None

    # -- one card on ---------------------------------------------------------------------------------

    def _down(self, old: Bundle) -> Bundle:
        """The states after one card more was played."""
        parts = [key for some in _in_parts(old) for key in self._played(some)]
        return self._down_kept(self._merged(parts, _EACH_TOP))

    def _played(self, old: Bundle) -> Iterator[Ints]:
        """The states after one card more, as keys."""
        state = old.cell << _COST | old.cost
        for found in self._shown.plays(old.cell, old.tops, old.onward, self._alone):
            after = state.take(found.at) - (found.cell << _COST) + ~found.fits
            yield after << _LABEL | found.label

    def _up(self, old: Bundle) -> Bundle:
        """The states before one card more was played."""
        parts = [key for some in _in_parts(old) for key in self._taken_back(some)]
        return self._up_kept(self._merged(parts, self._masks))

    def _taken_back(self, old: Bundle) -> Iterator[Ints]:
        """The states before one card more, as keys."""
        state = old.cell << _COST | old.cost
        for found in self._shown.taken_back(old.cell, old.tops, old.onward != 0):
            before = state.take(found.at) + (found.cell << _COST) + ~found.fits
            yield before << _LABEL | found.label

    def _height(self, cell: int, column: int) -> int:
        return cell // self._stride[column] % self._size[column]

    def _merged(self, parts: list[Ints], masks: Masks) -> Bundle:
        """Each cell once, with the fewest breaks and all tops that take no more.

        parts: cells, breaks and labels in one number each; masks: the tops that a label stands for.
        """
        key = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        self.seen += len(key)
        if self._most and self.seen > self._most:
            raise Undecided
        key.sort()
        state = key >> _LABEL
        first = _firsts(state)
        tops = np.bitwise_or.reduceat(masks.take(key & (1 << _LABEL) - 1), first) if len(key) else masks[:0]
        state = state.take(first)
        best = _firsts(state >> _COST)
        state = state.take(best)
        return self._states(state >> _COST, state & (1 << _COST) - 1, tops.take(best))

    def _state(self, cell: int, cost: int, tops: int) -> Bundle:
        return self._states(np.array([cell]), np.array([cost]), np.array([tops], np.uint16))

    def _states(self, cell: Ints, cost: Ints, tops: Masks) -> Bundle:
        return Bundle(cell, cost, tops, np.where(cost < self._breaks, ALL, _NO))

    # -- what is dropped -----------------------------------------------------------------------------

    def _down_kept(self, states: Bundle) -> Bundle:
        """Those from which the end may be in reach."""
        if not self._bounded or not len(states):
            return states
        parts = [self._in_reach(some) for some in _in_parts(states)]
        kept = Bundle.joined([part for part, _ in parts])
        return self._likeliest(kept, np.concatenate([rest for _, rest in parts]))

    def _in_reach(self, states: Bundle) -> tuple[Bundle, Ints]:
        """The same, with the breaks each takes at least in all."""
        rows = self._shown.rows(states.cell)
        counts = self._shown.counts(rows)
        need = [counts[rank] + self._need[rank] for rank in range(13)]
        if self._breaks == 0 and self._final >= 0:
            kept = _with(states, ends_on_ring(self._walked(need), self._final, gone=False))
            return kept, kept.cost
        room = [counts[rank] + self._room[rank] for rank in range(13)]
        free = counts[13] + self._free
        without, ranks = unmet_ranks(self.task.steps.follow, need, room)
        before = states.cost + self._drawn
        rest = before + np.maximum(0, without - free)
        spare = self._breaks - rest
        onward = np.where(spare > 0, ALL, np.where(spare < 0, _NO, np.where(free > 0, ALL, ranks)))
        # What can be put on the top is less by two at most, by a joker on top, too.
        some = np.flatnonzero(spare >= -2) if self._beam else np.flatnonzero((spare < 0) & (spare >= -2))
        # Of use is only a top that a card can be put on now.
        of_use = np.where(states.cell[some] == 0, ALL, self._shown.fits([row[some] for row in rows]))
        tops, short = states.tops[some] & of_use, without[some]
        need, room = ([count[some] for count in of] for of in (need, room))
        missing = np.maximum(0, short - self._saved(need, room, short, tops) - free[some])
        rest[some] = before[some] + missing - ((missing > 0) & (tops >> DEAD_QUEEN + 1 != 0))
        ok = np.flatnonzero(rest <= self._breaks)
        return Bundle(states.cell, states.cost, states.tops, onward).take(ok), rest[ok]

    def _likeliest(self, states: Bundle, rest: Ints) -> Bundle:
        """As many of the states as go on, those first that take the fewest breaks by what is known."""
        if not self._beam or len(states) <= self._beam:
            return states
        self.whole = False
        promise = 1000 * rest - self._shown.open(self._shown.rows(states.cell))
        return states.take(np.sort(np.argsort(promise, kind="stable")[: self._beam]))

    def _up_kept(self, states: Bundle) -> Bundle:
        """Those that may be in reach from the start."""
        if not self._bounded or not len(states):
            return states
        rows = self._shown.rows(states.cell)
        gone = [all_of - left for all_of, left in zip(self._total, self._shown.counts(rows), strict=True)]
        start = self.task.start
        if self._breaks == 0 and self._final >= 0 and start.bit_count() == 1 and start < 1 << 13:
            there = np.zeros(len(states), np.uint16)
            for rank, count in enumerate(gone[:13]):
                there |= (count > 0).astype(np.uint16) << rank
            there &= ends_on_ring(gone, start.bit_length() - 1, gone=True)
            return _with(states, np.where(states.cell == self.full, np.uint16(start), there))
        room = [gone[rank] + (start >> rank & 1) for rank in range(13)]
        free = gone[13] + (start >> DEAD_QUEEN + 1 != 0)
        # Of use is only a top that the last card played can have become.
        made = self._shown.makes(rows)
        tops = states.tops & np.where(states.cell == self.full, np.uint16(start), made)
        missing = np.maximum(0, unmet(self.task.steps.follow, gone[:13], room) - free)
        spare = self._breaks - states.cost - missing
        onward = np.where(spare > 0, ALL, _NO)
        return Bundle(states.cell, states.cost, states.tops, onward).take(spare >= (tops == 0))

    def _walked(self, counts: list[Few]) -> list[Few]:
        """The cards of the walk to the first of the last moves: those after it are none of it."""
        later = [0] * 13
        for move in self.task.last[1:]:
            if move.column != DRAW and len(move.kinds) == 1 and move.kinds[0] != JOKER:
                later[move.kinds[0]] += 1
        return [count - more for count, more in zip(counts, later, strict=True)]

    def _saved(self, need: list[Few], room: list[Few], without: Few, tops: Masks) -> NDArray[np.bool_]:
        """Whether the best of the tops takes a card that finds none to lie on else."""
        is_top = (tops >> np.arange(13, dtype=np.uint16)[:, None] & 1).astype(np.int8)
        with_any = unmet(
            self.task.steps.follow, need, [have + top for have, top in zip(room, is_top, strict=True)]
        )
        return with_any < without

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
            cell, top = cell - self._stride[move.column], move.top
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
            cell += self._stride[move.column]
        return way[::-1]

    def _step_back(self, before: Bundle, cell: int, cost: int, tops: int) -> tuple[Played, int]:
        """The card played before a state, and the tops it may have lain on."""
        for i in self._order:
            ways = self.ways[i]
            height = self._height(cell, i) + 1
            at = before.find(cell + self._stride[i]) if height < len(ways) else None
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
            height = self._height(cell, i)
            below = after.find(cell - self._stride[i]) if height else None
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


def _firsts(rising: Ints) -> Ints:
    """Where each number of a rising row stands first."""
    new = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    return np.flatnonzero(new)


def _in_parts(states: Bundle) -> Iterator[Bundle]:
    """So many at a time as stay in the processor's cache."""
    for first in range(0, len(states), _PART):
        yield states.take(slice(first, first + _PART))


def _with(states: Bundle, tops: Masks) -> Bundle:
    """The states with those of their tops that are in a mask, if there are any."""
    kept = Bundle(states.cell, states.cost, states.tops & tops, states.onward)
    return kept.take(kept.tops != 0)


__all__ = ["NEVER", "Bundle", "Bundles", "Played"]
