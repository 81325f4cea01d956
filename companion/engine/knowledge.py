"""What a player can know of the stock, stage by stage.

After k draws a player knows which cards were drawn, so which are unseen: a *class* of stage k.  A draw
leads from a class to one of the next stage, with a weight for each kind of card.  With every kind
*tracked* the classes are all multisets that can have been drawn, the weights are the counts that are
left, and what is computed over the classes is exact.  Kinds that are not tracked are pooled: their cards
are drawn in the proportions of the start, whichever of them have been drawn already.  With none tracked
there is one class a stage and the draws are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The classes and the draws between them.

    stages: first class of each stage and the end, shape (left + 2,).
    start: for each class its first way in, and the end, shape (classes + 1,).
    source, kind, weight: of each way in: the class before, the kind drawn, its weight.
    scale: for each stage the total weight of all that can follow, shape (left + 1,).
    exact: every kind is tracked, so weights are counts.
    """

    stages: tuple[int, ...]
    start: NDArray[np.int64]
    source: NDArray[np.int64]
    kind: NDArray[np.int64]
    weight: NDArray[np.float64]
    scale: tuple[float, ...]
    exact: bool

    @property
    def classes(self) -> int:
        return self.stages[-1]


def count(unseen: tuple[int, ...], draws: int) -> int:
    """How many multisets can have been drawn in up to some draws."""
    ways = [1] + [0] * draws
    for copies in unseen:
        ways = [sum(ways[max(0, total - copies) : total + 1]) for total in range(draws + 1)]
    return sum(ways)


def classes(unseen: tuple[int, ...], tracked: tuple[int, ...], draws: int) -> list[int]:
    """How many classes `track` makes of each stage, shape (draws + 1,)."""
    pool = sum(copies for kind, copies in enumerate(unseen) if kind not in tracked)
    ways = [1] + [0] * draws
    for kind in tracked:
        copies = unseen[kind]
        ways = [sum(ways[max(0, total - copies) : total + 1]) for total in range(draws + 1)]
    return [sum(ways[max(0, stage - pool) : stage + 1]) for stage in range(draws + 1)]


def orderings(total: int, draws: int) -> int:
    """In how many orders cards can be drawn from so many."""
    return prod(range(total - draws + 1, total + 1))


def track(board: Board, tracked: tuple[int, ...] | None = None) -> Knowledge:
    """The classes for a board.  tracked: kinds whose counts are followed; left out, all of them."""
    kinds = [k for k, copies in enumerate(board.unseen) if copies]
    followed = kinds if tracked is None else [k for k in kinds if k in tracked]
    pooled = [k for k in kinds if k not in followed]
    copies = np.array([board.unseen[k] for k in followed], np.int64)
    total, pool = sum(board.unseen), sum(board.unseen[k] for k in pooled)
    exact = not pooled
    # A class is written as one number, a digit a followed kind; it stands for the cards drawn so far.
    base = np.int64(max(board.unseen, default=0) + 1)
    digit = base ** np.arange(len(followed))[::-1]
    layer = np.zeros((1, len(followed)), np.int64)
    stages, ways = [0, 1], [np.zeros((0, 4))]
    counts = [np.zeros(1, np.int64)]
    for stage in range(board.left):
        share = 1 if exact else 1 / (total - stage)
        numbers = np.arange(stages[stage], stages[stage + 1])
        # Of each way: the number of the class after it, the class before, the kind, the weight.
        found = []
        for place, k in enumerate(followed):
            left = copies[place] - layer[:, place]
            able = np.flatnonzero(left)
            after = layer[able] @ digit + digit[place]
            found.append((after, numbers[able], np.full(len(able), k), left[able] * share))
        left = pool - (stage - layer.sum(axis=1))
        able = np.flatnonzero(left > 0)
        for k in pooled:
            weight = left[able] * share * board.unseen[k] / pool
            found.append((layer[able] @ digit, numbers[able], np.full(len(able), k), weight))
        after, before, kind, weight = (np.concatenate(part) for part in zip(*found, strict=True))
        keys, place_of = np.unique(after, return_inverse=True)
        used = keys[:, None] // digit % base
        to = place_of.reshape(-1)
        by = np.lexsort((before, to))
        ways.append(np.column_stack([before[by], kind[by], weight[by], to[by]]))
        counts.append(np.bincount(to, minlength=len(keys)))
        layer = used
        stages.append(stages[-1] + len(keys))
    table = np.concatenate(ways)
    scale = tuple(
        float(orderings(total - stage, board.left - stage)) if exact else 1.0
        for stage in range(board.left + 1)
    )
    return Knowledge(
        tuple(stages),
        np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64),
        table[:, 0].astype(np.int64),
        table[:, 1].astype(np.int64),
        np.ascontiguousarray(table[:, 2]),
        scale,
        exact,
    )
