"""What can have been drawn, laid out in blocks of lanes for the compiled kernel (`expect_fast`).

What has been drawn is a count of each kind.  The counts of a few kinds, the *inner* ones, make the lanes of
a *block*, those of the others, the *outer* ones, tell the blocks apart.  Blocks come in layers by the sum
of their counts: a card of an outer kind leads to a block of the next layer, same lane, one of an inner kind
to another lane of the same block.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.knowledge import orderings

LANES: Final = 16
"""The most lanes of a block."""
_SAMPLES: Final = 6
"""Sets of kinds from which it is guessed how much each kind adds to what can be reached."""
_LOOK: Final = 8
"""Blocks that are looked at for each that is worked on side by side."""
_ROW: Final = 8
"""Lanes that could be worked on in the time that a row of lanes takes whatever their number."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks and the draws between them.

    inner, outer: the kinds.
    layers: first block of each layer and the end.
    before: for each block the block with one card less of each outer kind, or -1, shape (blocks, outer).
    weight: what a draw from there counts, shape (blocks, outer).
    moves: the draws of inner kinds, later lanes first: lane, lane after it, place of the kind, weight.
    stage: how many cards are drawn, shape (blocks, lanes).
    many: the total weight of all that can follow, shape (blocks, lanes).
    """

    inner: tuple[int, ...]
    outer: tuple[int, ...]
    layers: Integers
    before: Integers
    weight: Floats
    moves: Integers
    stage: Integers
    many: Floats

    @property
    def lanes(self) -> int:
        return int(self.stage.shape[1])

    @property
    def scale(self) -> float:
        """The total weight at the start: how many orders of the draws values are summed over."""
        return float(self.many[0, 0])

    def groups(self, layer: int, length: Integers, size: int) -> tuple[Integers, Integers]:
        """The blocks of a layer in groups of up to `size` that come from no block in common, and their ends.

        length: the work that each block is; what is worked on side by side is about as much.
        """
        begin, end = self.layers[layer : layer + 2]
        waiting = [int(b) for b in begin + np.argsort(-length[begin:end], kind="stable")]
        come_from = {b: {int(c) for c in self.before[b] if c >= 0} for b in waiting}
        order: list[int] = []
        cuts = [0]
        while waiting:
            used: set[int] = set()
            chosen: list[int] = []
            # Blocks of a like length lie near each other: it isn't worth while to look far.
            for n, b in enumerate(waiting[: size * _LOOK]):
                if len(chosen) < size and not used & come_from[b]:
                    chosen.append(n)
                    used |= come_from[b]
            order += [waiting[n] for n in chosen]
            for n in reversed(chosen):
                del waiting[n]
            cuts.append(len(order))
        return np.array(order, np.int64), np.array(cuts, np.int64)


def choose_inner(board: Board, reached: Callable[[Iterable[int]], int]) -> tuple[int, ...]:
    """The inner kinds that waste least.

    A block lists what any of its lanes can reach, so inner kinds had better be such that it matters little
    whether they have been drawn.  reached(kinds): how many heights can be reached with draws of some kinds.
    """
    kinds = [k for k, copies in enumerate(board.unseen) if copies]
    single = [k for k in kinds if len(board.steps.draws[k]) == 1 and board.unseen[k] < LANES]
    source = random.Random(0)
    listed, true = dict.fromkeys(single, 0), dict.fromkeys(single, 0)
    for _ in range(_SAMPLES):
        some = set(source.sample(kinds, (len(kinds) + 1) // 2))
        without_change = reached(some)
        for k in single:
            changed = reached(some ^ {k})
            without, with_kind = (changed, without_change) if k in some else (without_change, changed)
            listed[k] += (board.unseen[k] + 1) * with_kind
            true[k] += without + board.unseen[k] * with_kind
    best = float("inf")
    found: tuple[int, ...] = ()
    for number in range(5):
        for inner in combinations(single, number):
            lanes = prod(board.unseen[k] + 1 for k in inner)
            if lanes <= LANES:
                waste = prod(listed[k] / true[k] for k in inner)
                if (cost := waste * (1 + _ROW / lanes)) < best:
                    best, found = cost, inner
    return found


def split(board: Board, inner: tuple[int, ...]) -> Blocks:
    """The blocks of a board whose stock is hidden, with these inner kinds."""
    unseen, left = board.unseen, board.left
    outer = tuple(k for k, copies in enumerate(unseen) if copies and k not in inner)
    # Where all unseen cards are drawn, equal cards needn't be told apart: each order of kinds counts once.
    all_drawn = left == sum(unseen)
    lane = _counts([unseen[k] for k in inner], sum(unseen))
    lane_sum = lane.sum(axis=1)
    step = [prod(unseen[k] + 1 for k in inner[:i]) for i in range(len(inner))]
    moves = [
        (n, n + step[i], i, 1 if all_drawn else unseen[k] - lane[n, i])
        for n in np.argsort(-lane_sum, kind="stable")
        for i, k in enumerate(inner)
        if lane[n, i] < unseen[k]
    ]
    counts = _counts([unseen[k] for k in outer], left)
    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    sums = counts.sum(axis=1)
    # A block is found by its counts written as one number.
    step_of = [prod(unseen[k] + 1 for k in outer[:q]) for q in range(len(outer))]
    numbers = counts @ np.array(step_of, np.int64)
    place = np.argsort(numbers)
    before = np.full(counts.shape, -1, np.int64)
    weight = np.zeros(counts.shape)
    for q, k in enumerate(outer):
        some = np.flatnonzero(counts[:, q])
        before[some, q] = place[np.searchsorted(numbers, numbers[some] - step_of[q], sorter=place)]
        weight[some, q] = 1 if all_drawn else unseen[k] + 1 - counts[some, q]
    stage = sums[:, None] + lane_sum
    rest = left - np.minimum(stage, left)
    if all_drawn:
        fact = np.array([float(factorial(n)) for n in range(max(left, *unseen) + 1)])
        per_block = fact[np.array([unseen[k] for k in outer], np.int64) - counts].prod(axis=1)
        per_lane = fact[np.array([unseen[k] for k in inner], np.int64) - lane].prod(axis=1)
        many = np.rint(fact[rest] / (per_block[:, None] * per_lane))
    else:
        many = np.array([float(orderings(sum(unseen) - left + n, n)) for n in range(left + 1)])[rest]
    return Blocks(
        inner,
        outer,
        np.searchsorted(sums, np.arange(sums[-1] + 2)),
        before,
        weight,
        np.array(moves, np.int64).reshape(-1, 4),
        stage,
        many,
    )


def _counts(copies: list[int], most: int) -> Integers:
    """All counts up to some copies and `most` cards, the first kind's running fastest, (counts, kinds)."""
    found = np.zeros((1, 0), np.int64)
    for n in copies:
        found = np.column_stack([np.tile(found, (n + 1, 1)), np.repeat(np.arange(n + 1), len(found))])
        found = found[found.sum(axis=1) <= most]
    return found
