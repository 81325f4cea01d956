"""Whether a step can be explained with so many draws, none of them of a card that there isn't: exactly.

The search goes from the table before to the one after, a card of the columns at a time, with all labels of
as many cards at once.  A label goes on only if the end is in reach for what it may still draw, by every
bound of the space; of two labels for one state the worse one is dropped.  Nothing else is, so what isn't
found doesn't exist.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.labels import (
    ALL_KINDS,
    LEFTS,
    OTHER,
    Costs,
    Ints,
    Labels,
    Packed,
    drawn,
    one,
    unpacked,
)
from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.tops import BLANK, KINDS, NONE, TOPS

EVERY_KIND: Final = frozenset(range(KINDS))
PART: Final = 400_000
"""Labels that are carried on at once; more are split, for the memory's sake."""


class Space(Protocol):
    """The states of a task, and what is known of the way from them to the end."""

    task: Task
    prices: list[tuple[int, ...]]
    """For each bound what a draw of each kind costs, (KINDS,); by the first one each costs 1."""
    start: int
    """The cell of the table before; 0 is the one of the table after, but for the last moves."""

    def height(self, column: int, cell: Ints) -> Ints:
        """The cards that have still to leave a column."""
        ...

    def below(self, column: int, cell: Ints) -> Ints:
        """The cells with one card less in a column."""
        ...

    def playable(self, cell: Ints) -> Ints:
        """For each cell the mask of the tops on which a card could certainly be played."""
        ...

    def near(self, cell: Ints, top: Ints, left: Ints, cost: Costs, draws: int) -> NDArray[np.bool_]:
        """A quick look at labels to be: which of them may still reach the end with so many draws in all."""
        ...

    def within(self, labels: Labels, draws: int) -> NDArray[np.bool_]:
        """Which of the labels near enough may reach it after a closer look."""
        ...

    def promise(self, labels: Labels) -> Ints:
        """How many draws it will take at least; the less the likelier it is that they do."""
        ...


class Undecided(Exception):
    """A search met its limit: neither a way nor a proof that there is none."""


class Frontier:
    """The search for one number of faults.

    lowest: the draws that must have been made; where that is more than are of use, others were made in
    vain, which `task.filled` adds.  beam: the labels that go on from each number of cards, 0 for all; with
    fewer than all a way may be missed.  counted: the kinds of which no more are drawn than there are; with
    `lowest` all must be.  Where the order of the stock is known, `vain` of a label counts the cards drawn,
    and nothing else is told of them.
    """

    def __init__(
        self,
        space: Space,
        faults: int,
        lowest: int = 0,
        beam: int = 0,
        counted: frozenset[int] = EVERY_KIND,
    ) -> None:
        self.space, self.task, self.faults, self.lowest = space, space.task, faults, lowest
        self.beam, self.whole, self.counted = beam, True, counted
        self.supply = self.task.supply
        self._exact = lowest > 0 and self.task.stock is None
        """Draws in vain are made up for."""
        self.over = self.task.over()
        self._plays = [self._of_column(i) for i in range(len(self.task.columns))]
        self._wrong = [self._wrong_of_column(i) for i in range(len(self.task.columns))] if faults else []
        self._draws, self._most = 0, 0
        self.seen = 0
        """Labels looked at."""

    def way(self, draws: int, most: int = 0) -> tuple[Step, ...] | None:
        """A way with at most so many draws of use, None if there is none.

        most: labels that may be looked at, 0 for any number.  Raises `Undecided`.
        """
        self._draws, self._most, self.seen = draws, most, 0
        found = self._on(self._begun(np.zeros(1, np.uint64)), sum(self.task.heights))
        return None if found is None else tuple(found[1])

    def used(self, before: Packed, draws: int, most: int = 0) -> Packed:
        """What can have been drawn at the end, packed, where it was one of `before` at the start.

        Of what is no better than another nothing is said, nor of cards drawn in vain.  All kinds must be
        counted.  draws: the most that are made on the way; most: labels that may be looked at, 0 for any
        number.  Raises `Undecided`.
        """
        self._draws, self._most, self.seen = draws, most, 0
        labels = self._begun(before)
        for cards in range(sum(self.task.heights), 0, -1):
            labels = self._played(self._with_draws(labels, cards))
        labels = self._with_draws(labels, 0)
        ends = [n for n in range(len(labels)) if self._last_of(labels, n) is not None]
        return np.unique(labels.used[ends])

    def _begun(self, used: Packed) -> Labels:
        """The labels of the table before."""
        tops = bits(self.task.start)
        count = len(tops) * len(used)
        zeros = np.zeros(count, np.int64)
        packed = np.tile(used, len(tops))
        costs = np.zeros((len(self.space.prices), count), np.int32)
        return self._kept(
            Labels(
                np.full(count, self.space.start, np.int64),
                np.repeat(np.array(tops, np.int64), len(used)),
                np.full(count, self.faults, np.int64),
                packed,
                zeros,
                costs,
                zeros,
                zeros,
                zeros,
                np.zeros(count, np.bool_),
            )
        )

    def _on(self, arrived: Labels, cards: int) -> tuple[int, list[Step]] | None:
        """The number of a label from which the end is reached, and the steps from there.

        cards: those that have still to leave the columns.
        """
        for first in range(0, len(arrived), PART):
            labels = arrived.take(slice(first, first + PART))
            known = self._with_draws(labels, cards)
            if cards:
                after = self._played(known)
                found = self._on(after, cards - 1) if len(after) else None
                if found is None:
                    continue
                number, steps = found
                steps = [_step(after, number), *steps]
                number = int(after.parent[number])
            else:
                last = self._finished(known)
                if last is None:
                    continue
                number, steps = last
            while number >= len(labels):
                steps = [_step(known, number), *steps]
                number = int(known.parent[number])
            return first + number, steps
        return None

    def _all_kept(self, parts: list[Labels]) -> Labels:
        """Those of all parts that may still reach the end: few of them at once, many part by part."""
        if sum(map(len, parts)) <= PART // 4:
            return self._kept(Labels.joined(parts))
        return Labels.joined([self._kept(part) for part in parts])

    def _kept(self, labels: Labels) -> Labels:
        return labels.take(self.space.within(labels, self._draws))

    def _near(self, cell: Ints, top: Ints, left: Ints, cost: Costs) -> Ints:
        """The numbers of the labels to be that are near enough.  Raises `Undecided`."""
        self.seen += len(cell)
        if self._most and self.seen > self._most:
            raise Undecided
        return np.flatnonzero(self.space.near(cell, top, left, cost, self._draws))

    # -- plays -------------------------------------------------------------------------------------

    def _of_column(self, column: int) -> list[tuple[Ints, Ints, Ints]]:
        """By height the tops that the exposed card may be put on, the top it makes, its kind; in turn the
        ways there are."""
        task = self.task
        ways = [
            [(edge.sources, edge.result, kind) for kind in card for edge in task.steps.plays[kind]]
            for card in task.columns[column]
        ]
        return _by_height(ways)

    def _wrong_of_column(self, column: int) -> list[tuple[Ints, Ints, Ints]]:
        """The same against the rules."""
        task = self.task
        ways = [
            [(tops, result, kind) for kind in card for tops, result in task.misfits(kind)]
            for card in task.columns[column]
        ]
        return _by_height(ways)

    def _played(self, labels: Labels) -> Labels:
        parts = []
        for column, ways in enumerate(self._plays):
            height = self.space.height(column, labels.cell)
            for fault, slots in ((False, ways), (True, self._wrong[column] if self.faults else [])):
                for sources, result, kind in slots:
                    fits = sources[height] >> labels.top & 1 == 1
                    if fault:
                        fits &= labels.left > 0
                    at = np.flatnonzero(fits)
                    if not len(at):
                        continue
                    cell, top = self.space.below(column, labels.cell[at]), result[height[at]]
                    left, cost = labels.left[at] - fault, labels.cost[:, at]
                    near = self._near(cell, top, left, cost)
                    at = at[near]
                    parts.append(
                        Labels(
                            cell[near],
                            top[near],
                            left[near],
                            labels.used[at],
                            labels.vain[at],
                            cost[:, near],
                            at,
                            np.full(len(at), column),
                            kind[height[at]],
                            np.full(len(at), fault),
                        )
                    )
        if not parts:
            return labels.take(slice(0, 0))
        after = self._all_kept(parts).best(exact=self._exact)
        if not self.beam or len(after) <= self.beam:
            return after
        self.whole = False
        order = np.argsort(self.space.promise(after), kind="stable")
        # One label a state, for that the others are not crowded out by those that drew other cards.
        state = (after.cell[order] * TOPS + after.top[order]) * LEFTS + after.left[order]
        _, first = np.unique(state, return_index=True)
        return after.take(order[np.sort(first)[: self.beam]])

    # -- draws -------------------------------------------------------------------------------------

    def _with_draws(self, labels: Labels, cards: int) -> Labels:
        """The labels and, behind them, those that one draw leads to, or a wrong draw after another."""
        if not cards and self.over:
            return labels
        parts, first = [labels], 0
        while len(last := parts[-1]):
            new = self._drawn(last, first, after_draw=len(parts) > 1)
            first += len(last)
            parts.append(new)
            again = self.lowest and self.faults and self.task.when_stuck
            if self.task.stock is None and not again:
                break
        return Labels.joined(parts)

    def _drawn(self, labels: Labels, first: int, *, after_draw: bool) -> Labels:
        """The labels after a draw; first: the number of the first label before."""
        task = self.task
        fault: Ints = np.zeros(len(labels), np.int64)
        playable = None
        if task.when_stuck:
            playable = self.space.playable(labels.cell)
            fault = playable >> labels.top & 1
        if not task.draw_first:
            fault = fault | (labels.top == NONE)
        left = labels.left - fault
        may = left >= 0
        if after_draw and task.stock is None:
            # After a draw in vain only a wrong one tells more.
            may &= fault == 1
        stock, vain, parts = None, labels.vain, []
        if task.stock is not None:
            stock = np.array([*task.stock, BLANK])[np.minimum(labels.vain, len(task.stock))]
            vain = vain + 1
        elif self.lowest:
            vain = vain | self._in_vain(playable)
        for kind, top in task.drawable:
            here = may
            if stock is not None:
                here = may & (stock == kind)
            elif kind in self.counted:
                here = may & (drawn(labels.used, kind) < self.supply[kind])
            at = np.flatnonzero(here)
            if not len(at):
                continue
            price = np.array([prices[kind] for prices in self.space.prices], np.int32)
            cost = labels.cost[:, at] + price[:, None]
            near = self._near(labels.cell[at], np.full(len(at), top), left[at], cost)
            at = at[near]
            card = one(kind) if kind in self.counted else OTHER
            parts.append(
                Labels(
                    labels.cell[at],
                    np.full(len(at), top),
                    left[at],
                    labels.used[at] + (card if stock is None else np.uint64(0)),
                    vain[at],
                    cost[:, near],
                    first + at,
                    np.full(len(at), DRAW),
                    np.full(len(at), kind),
                    fault[at] == 1,
                )
            )
        return self._all_kept(parts).best(exact=self._exact) if parts else labels.take(slice(0, 0))

    def _in_vain(self, playable: Ints | None) -> Ints | int:
        """The kinds that can be drawn before another draw."""
        if playable is None:
            return ALL_KINDS
        mask = np.zeros(len(playable), np.int64)
        for kind, top in self.task.drawable:
            mask |= (1 - (playable >> top & 1)) << kind
        return mask

    # -- the end -----------------------------------------------------------------------------------

    def _finished(self, labels: Labels) -> tuple[int, list[Step]] | None:
        """The label that reaches the end with the fewest draws, and the last moves from it."""
        for number in np.argsort(labels.cost[0], kind="stable"):
            steps = self._last_of(labels, int(number))
            if steps is not None:
                return int(number), steps
        return None

    def _last_of(self, labels: Labels, number: int) -> list[Step] | None:
        """The last moves from one label."""
        vain = 0 if self.task.stock is not None else int(labels.vain[number])
        top, left, made = int(labels.top[number]), int(labels.left[number]), int(labels.cost[0, number])
        return self._last(0, top, left, unpacked(int(labels.used[number])), vain, made)

    def _last(
        self, number: int, top: int, left: int, used: list[int], vain: int, draws: int
    ) -> list[Step] | None:
        if draws > self._draws:
            return None
        if number == len(self.task.last):
            more = sum(had - count for k, (had, count) in enumerate(zip(self.supply, used, strict=True))
                       if vain >> k & 1)  # fmt: skip
            return [] if draws + more >= self.lowest else None
        last = self.task.last[number]
        for step in self.task.last_moves(number, top, left > 0):
            now, counted = vain, used
            if step.column == DRAW:
                stock = self.task.stock
                if stock is not None and (draws >= len(stock) or stock[draws] != step.kind):
                    continue
                if number == 0 and self.lowest and stock is None:
                    now |= self.task.in_vain_at_last() if not step.fault else 0
                if len(last.kinds) > 1 and stock is None and step.kind in self.counted:
                    if used[step.kind] >= self.supply[step.kind]:
                        continue
                    counted = [count + (k == step.kind) for k, count in enumerate(used)]
            drawn_now = draws + (step.column == DRAW)
            rest = self._last(number + 1, step.top, left - step.fault, counted, now, drawn_now)
            if left >= step.fault and rest is not None:
                return [step, *rest]
        return None


def _by_height(ways: list[list[tuple[int, int, int]]]) -> list[tuple[Ints, Ints, Ints]]:
    """Ways of each card as arrays by height, as many as the card with the most ways has."""
    slots = max(map(len, ways), default=0)
    result = []
    for slot in range(slots):
        rows = [(0, 0, 0), *(way[slot] if slot < len(way) else (0, 0, 0) for way in ways)]
        sources, tops, kinds = (np.array(row, np.int64) for row in zip(*rows, strict=True))
        result.append((sources, tops, kinds))
    return result


def _step(labels: Labels, number: int) -> Step:
    return Step(
        int(labels.column[number]),
        int(labels.kind[number]),
        int(labels.top[number]),
        bool(labels.fault[number]),
    )
