"""Whether several steps can have happened one after the other with the cards there are.

Each step alone may be legal, and yet all together draw some rank more often than it exists, or fewer cards
than the stock went down by.  So all that can have been drawn is followed from step to step: the cards drawn
for use, and how many of which ranks were drawn in vain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.audit.frontier import Frontier, Space, Undecided
from companion.engine.audit.labels import Ints, Packed, counted
from companion.engine.audit.least import Bound
from companion.engine.audit.spaces import Narrow, Wide
from companion.engine.audit.task import Task
from companion.engine.audit.ways import Question
from companion.engine.board import kind
from companion.engine.lattice import LIMIT, size
from companion.engine.tops import KINDS
from companion.game import Card

LABELS: Final = 500_000
"""Labels looked at for all steps; where more are needed nobody is accused."""
HISTORIES: Final = 200
"""The same for the ways in which cards can have been drawn in vain."""
OWED: Final = 6
"""The same for the times that cards were drawn in vain."""


@dataclass(frozen=True)
class Explained:
    """A step that is legal alone.

    before, after: the cards in the stock, None where they weren't counted; follows: the step before it was
    legal, too.
    """

    question: Question
    before: int | None
    after: int | None
    follows: bool


@dataclass(frozen=True, slots=True)
class _History:
    """What was drawn besides the cards that were of use.

    owed: masks of kinds, each with how many cards of them were drawn in vain; vain: the kinds that can have
    been drawn in vain since the stock was counted; began: the draws before that; seen: drawn cards that lie
    on a table.
    """

    owed: tuple[tuple[int, int], ...] = ()
    vain: int = 0
    began: int = 0
    seen: int = 0


def possible(steps: Sequence[Explained], pool: Counter[Card], most: int, *, totals: bool = True) -> bool:
    """Whether ways that answer all questions, in order, can share one supply; True if that can't be told.

    pool: the cards that no table shows; most: the draws of all steps together; totals: between two counts of
    the stock as many cards must be drawn as they say.
    """
    counts = Counter(kind(card) for card in pool.elements())
    supply = tuple(counts[k] for k in range(KINDS))
    try:
        return _Joint(supply, most, totals).possible(steps)
    except Undecided:
        return True


class _Joint:
    def __init__(self, supply: tuple[int, ...], most: int, totals: bool) -> None:
        self.supply, self.most, self.totals = supply, most, totals
        self._left = LABELS

    def possible(self, steps: Sequence[Explained]) -> bool:
        now = {_History(): np.zeros(1, np.uint64)}
        start: int | None = None
        for step in steps:
            if step.before is not None or not step.follows:
                start = step.before if self.totals else None
                now = _grouped(
                    (_History(h.owed, 0, int(made), h.seen), used[_made(h, used) == made])
                    for h, used in now.items()
                    for made in np.unique(_made(h, used))
                )
            drawn = None if start is None or step.after is None else start - step.after
            now = _grouped(
                pair
                for history, used in now.items()
                for pair in self._after(step, history, used, start, drawn)
            )
            if not now:
                return False
            if len(now) > HISTORIES:
                raise Undecided
        return True

    def _after(
        self, step: Explained, history: _History, before: Packed, start: int | None, drawn: int | None
    ) -> Iterator[tuple[_History, Packed]]:
        """What can have been drawn after a step; drawn: since the stock was counted at `start`."""
        for task, _ in step.question.tasks():
            used, vain, seen = before, np.full(len(before), history.vain), np.zeros(len(before), np.int64)
            if any(task.heights) or task.last:
                search = Frontier(_space(replace(task, supply=self.supply)), 0, 1)
                most = self.most if drawn is None else drawn
                used, vain, seen = search.ends(before, history.vain, most, self._left)
                self._left = max(1, self._left - search.seen)
            made = _made(history, used) + seen
            owed = np.zeros(len(used), np.int64) if drawn is None else drawn - (made - history.began)
            if start is None or drawn is not None:
                vain = np.where(owed > 0, vain, 0)
            for row in np.unique(np.stack([vain, owed, seen]), axis=1).T.tolist():
                here = (vain == row[0]) & (owed == row[1]) & (seen == row[2])
                debts, idle = history.owed, row[0]
                if drawn is not None:
                    debts, idle = _sum(debts, row[0], row[1]), 0
                after = _History(debts, idle, history.began, history.seen + row[2])
                yield after, used[here][self._suffices(after, used[here])] if row[1] >= 0 else used[:0]

    def _suffices(self, history: _History, used: Packed) -> NDArray[np.bool_]:
        """For which of the cards that were of use there were enough for those in vain besides."""
        left = [had - used for had, used in zip(self.supply, counted(used), strict=True)]
        ok: NDArray[np.bool_] = np.all([count >= 0 for count in left], axis=0)
        vain = sum(count for _, count in history.owed)
        ok &= _made(history, used) + vain <= self.most
        if len(history.owed) > OWED:
            raise Undecided
        for some in chain.from_iterable(combinations(history.owed, n + 1) for n in range(len(history.owed))):
            mask, count = 0, 0
            for kinds, owed in some:
                mask, count = mask | kinds, count + owed
            there = [left[k] for k in range(KINDS) if mask >> k & 1] or [np.zeros(len(used), np.int8)]
            ok &= np.sum(there, axis=0, dtype=np.int64) >= count
        return ok


def _made(history: _History, used: Packed) -> Ints:
    """How many cards were drawn that were of use, or lie on a table."""
    made: Ints = np.asarray(np.sum(counted(used), axis=0, dtype=np.int64)) + history.seen
    return made


def _sum(owed: tuple[tuple[int, int], ...], mask: int, count: int) -> tuple[tuple[int, int], ...]:
    """The cards drawn in vain with others."""
    total = Counter(dict(owed))
    total[mask] += count
    return tuple(sorted((+total).items()))


def _grouped(pairs: Iterator[tuple[_History, Packed]]) -> dict[_History, Packed]:
    """All that was drawn, by history."""
    parts: dict[_History, list[Packed]] = {}
    for history, used in pairs:
        if len(used):
            parts.setdefault(history, []).append(used)
    return {history: np.unique(np.concatenate(each)) for history, each in parts.items()}


def _space(task: Task) -> Space:
    if size(task.heights) > LIMIT:
        return Wide(task)
    return Narrow(task, [Bound.of(task, 1, (0,) * KINDS)], 0)


__all__ = ["Explained", "possible"]
