"""Whether a step can be explained with so many draws, none of them of a card that there isn't: exactly.

The search goes from the table before to the one after, a card of the columns at a time, with all labels of
as many cards at once.  A label goes on only if the end is in reach for what it may still draw, by every
bound of the space; of two labels for one state the worse one is dropped.  Nothing else is, so what isn't
found doesn't exist.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    unlike,
    unpacked,
)
from companion.engine.audit.slots import Slot, slots
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

    def heights(self, cell: Ints) -> Ints:
        """The cards that have still to leave each column, (columns, n)."""
        ...

    def below(self, column: Ints, cell: Ints) -> Ints:
        """The cells with one card less, each in a column of its own."""
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
        self._plays = self._ways()
        drawable = np.array(self.task.drawable, np.int64).reshape(-1, 2)
        self._kinds, self._tops = drawable[:, :1], drawable[:, 1:]
        self._prices = np.array(self.space.prices, np.int32)
        self._cards = np.array([one(k) if k in counted else OTHER for k in range(KINDS)], np.uint64)
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

    def ends(self, before: Packed, vain: int, draws: int, most: int = 0) -> tuple[Packed, Ints, Ints]:
        """What can have been drawn at the end, where it was one of `before` at the start: for use, packed;
        the mask of the kinds that can have been drawn in vain; the drawn cards of the last moves, which are
        none of the supply.

        Of what is no better than another nothing is said.  No rule is broken, all kinds must be counted, and
        `lowest` be something.  vain: those kinds at the start; draws: the most that are made on the way;
        most: labels that may be looked at, 0 for any number.  Raises `Undecided`.
        """
        self._draws, self._most, self.seen = draws, most, 0
        labels = self._begun(before, vain)
        for cards in range(sum(self.task.heights), 0, -1):
            labels = self._played(self._with_draws(labels, cards))
        labels = self._with_draws(labels, 0)
        parts = [(labels.used[:0], labels.vain[:0], labels.vain[:0])]
        for top in range(TOPS):
            here = np.flatnonzero(labels.top == top)
            for idle, cards_of_supply, seen in set(self._closings(0, top)) if len(here) else ():
                used = labels.used[here] + np.uint64(cards_of_supply)
                parts.append((used, labels.vain[here] | idle, np.full(len(here), seen)))
        used, idle_kinds, seen_cards = (np.concatenate(column) for column in zip(*parts, strict=True))
        return used, idle_kinds, seen_cards

    def _closings(self, number: int, top: int) -> Iterator[tuple[int, int, int]]:
        """The last moves from a top: the kinds that can be drawn in vain before them, what they draw of the
        supply, packed, and how many other cards they draw."""
        if number == len(self.task.last):
            yield 0, 0, 0
            return
        for step in self.task.last_moves(number, top):
            vain = used = seen = 0
            if step.column == DRAW:
                vain = self.task.in_vain_at_last() if number == 0 else 0
                doubtful = len(self.task.last[number].kinds) > 1
                used, seen = (int(one(step.kind)), 0) if doubtful else (0, 1)
            for more in self._closings(number + 1, step.top):
                yield vain | more[0], used + more[1], seen + more[2]

    def _begun(self, used: Packed, vain: int = 0) -> Labels:
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
                np.full(count, vain, np.int64),
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

    def _ways(self) -> list[Slot]:
        """How the cards can be played, by the rules and, where there are wrong moves, against them."""
        task = self.task
        ways = [
            [[(edge.sources, edge.result, kind) for kind in card for edge in task.steps.plays[kind]]
             for card in column]
            for column in task.columns
        ]  # fmt: skip
        plays = slots(ways)
        if self.faults:
            ways = [
                [[(tops, result, kind) for kind in card for tops, result in task.misfits(kind)]
                 for card in column]
                for column in task.columns
            ]  # fmt: skip
            plays += slots(ways, fault=True)
        return plays

    def _played(self, labels: Labels) -> Labels:
        if not len(labels):
            return labels
        parts = []
        heights, count = self.space.heights(labels.cell), len(labels)
        for plays in self._plays:
            number = plays.numbers(heights).reshape(-1)
            fits = plays.sources.take(number).reshape(-1, count) >> labels.top & 1 == 1
            if plays.fault:
                fits &= labels.left > 0
            found = np.flatnonzero(fits)
            if not len(found):
                continue
            row, at = np.divmod(found, count)
            number, column = number.take(found), plays.columns.take(row)
            cell, top = self.space.below(column, labels.cell.take(at)), plays.result.take(number)
            left, cost = labels.left.take(at) - plays.fault, labels.cost.take(at, axis=1)
            near = self._near(cell, top, left, cost)
            at = at.take(near)
            parts.append(
                Labels(
                    cell.take(near),
                    top.take(near),
                    left.take(near),
                    labels.used.take(at),
                    labels.vain.take(at),
                    cost.take(near, axis=1),
                    at,
                    column.take(near),
                    plays.kind.take(number.take(near)),
                    np.full(len(at), plays.fault),
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
        over = not cards and self.over
        if over and not (self.faults and (self.lowest or self.task.stock is not None)):
            # Of the cards drawn after the hole was over only the last is of use.
            return labels
        parts, first = [labels], 0
        while len(last := parts[-1]):
            new = self._drawn(last, first, after_draw=len(parts) > 1, over=over)
            first += len(last)
            parts.append(new)
            again = self.lowest and self.faults and (self.task.when_stuck or over)
            if self.task.stock is None and not again:
                break
        return Labels.joined(parts)

    def _drawn(self, labels: Labels, first: int, *, after_draw: bool, over: bool) -> Labels:
        """The labels after a draw; first: the number of the first label before; over: the hole was over."""
        task, known = self.task, self.task.stock is not None
        fault: Ints = np.full(len(labels), over, np.int64)
        playable = None
        if task.when_stuck:
            playable = self.space.playable(labels.cell)
            fault = fault | playable >> labels.top & 1
        if not task.draw_first:
            fault = fault | (labels.top == NONE)
        left, vain = labels.left - fault, labels.vain
        may = left >= 0
        if known:
            vain = vain + 1
        else:
            if after_draw:
                # After a draw in vain only a wrong one tells more.
                may &= fault == 1
            if self.lowest and not over:
                vain = vain | self._in_vain(playable)
        at = np.flatnonzero(may)
        # What was on top before no longer matters.
        at = at.take(unlike(labels.cell.take(at) * LEFTS + left.take(at), labels.used.take(at), vain.take(at),
                            exact=self._exact))  # fmt: skip
        if not len(at) or not len(self._kinds):
            return labels.take(slice(0, 0))
        found = np.flatnonzero(self._drawable(labels.used.take(at), vain.take(at)))
        row, here = np.divmod(found, len(at))
        at, kind, top = at.take(here), self._kinds.take(row), self._tops.take(row)
        cost = labels.cost.take(at, axis=1) + self._prices.take(kind, axis=1)
        near = self._near(labels.cell.take(at), top, left.take(at), cost)
        at, kind = at.take(near), kind.take(near)
        return self._kept(
            Labels(
                labels.cell.take(at),
                top.take(near),
                left.take(at),
                labels.used.take(at) + (np.uint64(0) if known else self._cards.take(kind)),
                vain.take(at),
                cost.take(near, axis=1),
                first + at,
                np.full(len(at), DRAW),
                kind,
                fault.take(at) == 1,
            )
        )

    def _drawable(self, used: Packed, vain: Ints) -> NDArray[np.bool_]:
        """Which of the drawable cards may be drawn, (drawable, n)."""
        task = self.task
        if task.stock is not None:
            stock = np.array([*task.stock, BLANK])
            turned: NDArray[np.bool_] = stock[np.minimum(vain - 1, len(task.stock))] == self._kinds
            return turned
        limits = np.array([self.supply[kind] if kind in self.counted else 16 for kind in range(KINDS)])
        left: NDArray[np.bool_] = drawn(used, self._kinds) < limits[self._kinds]
        return left

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


def _step(labels: Labels, number: int) -> Step:
    return Step(
        int(labels.column[number]),
        int(labels.kind[number]),
        int(labels.top[number]),
        bool(labels.fault[number]),
    )
