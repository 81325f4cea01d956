"""What can have been drawn from a stock that lies face down, for the exact kernels.

What has been drawn is a count of each kind, a *hand*.  Hands are numbered in mixed radix, the first kind's
count running fastest, so a draw leads from a hand to one with a greater number.  Where the whole stock is
drawn from all that is unseen every number is a hand, and a card of a kind always leads equally far: sets
of hands, a bit each, can be shifted.  In a game joined half-way the hands of more cards than the stock
holds are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial, prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.knowledge import orderings

WORD: Final = 64
"""Hands in a word of a set."""

LANES: Final = 8
"""Hands that the compiled kernel works on at once, those of a *block*."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Sets = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The hands and the draws between them.

    kinds: those of which a card is unseen; copies: how many, shape (kinds,).
    counts: how many of each kind are drawn, shape (hands, kinds).
    after: the hand after a draw of each kind, -1 where there is none, shape (hands, kinds).
    weight: how often such a draw counts, shape (hands, kinds).
    stage: how many cards are drawn, shape (hands,).
    many: the total weight of all that can follow, shape (hands,).
    step: how far a card of each kind leads, shape (kinds,); only where `whole`.
    whole: all unseen cards are in the stock.
    """

    kinds: tuple[int, ...]
    copies: Integers
    counts: Integers
    after: Integers
    weight: Floats
    stage: Integers
    many: Floats
    step: Integers
    whole: bool

    @property
    def hands(self) -> int:
        return len(self.stage)

    @property
    def words(self) -> int:
        """Words of a set of hands."""
        return -(-self.hands // WORD)

    @property
    def scale(self) -> float:
        """The total weight at the start: how many orders of the draws values are summed over."""
        return float(self.many[0])

    def able(self) -> Sets:
        """The set of hands that a card of each kind can be added to, shape (kinds, words)."""
        bits = np.zeros((len(self.kinds), self.words * WORD), np.uint8)
        bits[:, : self.hands] = (self.after >= 0).T
        return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def drawn(board: Board) -> Drawn:
    """The hands of a board whose stock is hidden."""
    left, unseen = board.left, told_apart(board)
    kinds = tuple(k for k, copies in enumerate(unseen) if copies)
    copies = [unseen[k] for k in kinds]
    # Where all unseen cards are drawn, equal cards needn't be told apart: each order of kinds counts once.
    whole = left == sum(copies)
    counts = np.zeros((1, 0), np.int64)
    for n in copies:
        counts = np.column_stack([np.tile(counts, (n + 1, 1)), np.repeat(np.arange(n + 1), len(counts))])
        counts = counts[counts.sum(axis=1) <= left]
    stage = counts.sum(axis=1)
    step = np.array([prod(n + 1 for n in copies[:q]) for q in range(len(copies))], np.int64)
    numbers = counts @ step
    after = np.full(counts.shape, -1, np.int64)
    for q, n in enumerate(copies):
        some = np.flatnonzero((counts[:, q] < n) & (stage < left))
        after[some, q] = np.searchsorted(numbers, numbers[some] + step[q])
    held = np.array(copies, np.int64)
    if whole:
        weight = (after >= 0).astype(np.float64)
        fact = np.array([float(factorial(n)) for n in range(left + 1)])
        many = np.rint(fact[left - stage] / fact[held - counts].prod(axis=1))
    else:
        weight = np.where(after >= 0, held - counts, 0).astype(np.float64)
        many = np.array([float(orderings(sum(copies) - left + n, n)) for n in range(left + 1)])[left - stage]
    return Drawn(kinds, held, counts, after, weight, stage, many, step, whole)


def told_apart(board: Board) -> tuple[int, ...]:
    """How many cards of each kind are unseen, shape (KINDS,).

    Kinds that no card of the tableau can ever follow are as good as each other: they count as the first one.
    """
    follow = 0
    for column in board.columns:
        for kind in column:
            follow |= board.steps.follow[kind]
    unseen = list(board.unseen)
    dead = [
        k
        for k, copies in enumerate(unseen)
        if copies and not any(follow >> top & 1 for top in board.steps.draws[k])
    ]
    for kind in dead[1:]:
        unseen[dead[0]] += unseen[kind]
        unseen[kind] = 0
    return tuple(unseen)


@dataclass(frozen=True, slots=True)
class Lanes:
    """Hands numbered so that those that differ only by a few *near* kinds lie side by side, in a block.

    drawn: the hands; a number that is none of them has no draws and weighs nothing.
    number: of each hand, as it was numbered before.
    near: place of the near kind whose card leads 1, 2 and 4 hands on, -1 for none; far: of the others.
    """

    drawn: Drawn
    number: Integers
    near: tuple[int, int, int]
    far: tuple[int, ...]


def in_lanes(drawn: Drawn, near: tuple[int, int, int]) -> Lanes:
    """The hands in blocks of `LANES`."""
    far = tuple(q for q in range(len(drawn.kinds)) if q not in near)
    wide = [prod(int(drawn.copies[q]) + 1 for q in far[:j]) for j in range(len(far))]
    keys, block = np.unique(drawn.counts[:, far] @ np.array(wide, np.int64), return_inverse=True)
    step = np.zeros(len(drawn.kinds), np.int64)
    for j, q in enumerate(near):
        if q >= 0:
            step[q] = 1 << j
    number = LANES * block + drawn.counts @ step
    step[list(far)] = LANES * np.array(wide, np.int64)

    def moved(plain: NDArray[Any], empty: float) -> NDArray[Any]:
        found = np.full((LANES * len(keys), *plain.shape[1:]), empty, plain.dtype)
        found[number] = plain
        return found

    after = np.where(drawn.after >= 0, number[drawn.after], -1)
    lanes = replace(
        drawn,
        counts=moved(drawn.counts, 0),
        after=moved(after, -1),
        weight=moved(drawn.weight, 0),
        stage=moved(drawn.stage, 0),
        many=moved(drawn.many, 0),
        step=step,
    )
    return Lanes(lanes, number, near, far)
