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
    colour: of each class; two classes of a stage and a colour never come from one class.
    scale: for each stage the total weight of all that can follow, shape (left + 1,).
    exact: every kind is tracked, so weights are counts.
    """

    stages: tuple[int, ...]
    start: NDArray[np.int64]
    source: NDArray[np.int64]
    kind: NDArray[np.int64]
    weight: NDArray[np.float64]
    colour: NDArray[np.int64]
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
    total, pool = sum(board.unseen), sum(board.unseen[k] for k in pooled)
    exact = not pooled
    layer: dict[tuple[int, ...], int] = {(0,) * len(followed): 0}
    stages = [0, 1]
    start, source, kind, weight, colour = [0, 0], [], [], [], [0]
    for stage in range(board.left):
        ways: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
        share = 1 if exact else 1 / (total - stage)
        for used, number in layer.items():
            for place, k in enumerate(followed):
                if left := board.unseen[k] - used[place]:
                    after = (*used[:place], used[place] + 1, *used[place + 1 :])
                    ways.setdefault(after, []).append((number, k, left * share))
            if left := pool - (stage - sum(used)):
                ways.setdefault(used, []).extend(
                    (number, k, left * share * board.unseen[k] / pool) for k in pooled
                )
        # Classes of one colour lie side by side.
        order = sorted(ways, key=lambda used: (_colour(used), used))
        layer = {used: stages[-1] + n for n, used in enumerate(order)}
        for used in order:
            for before, k, w in ways[used]:
                source.append(before)
                kind.append(k)
                weight.append(w)
            start.append(len(source))
            colour.append(_colour(used))
        stages.append(stages[-1] + len(order))
    scale = tuple(
        float(orderings(total - stage, board.left - stage)) if exact else 1.0
        for stage in range(board.left + 1)
    )
    return Knowledge(
        tuple(stages),
        np.array(start, np.int64),
        np.array(source, np.int64),
        np.array(kind, np.int64),
        np.array(weight, np.float64),
        np.array(colour, np.int64),
        scale,
        exact,
    )


def _colour(used: tuple[int, ...]) -> int:
    # Classes with one source differ by one card more of one kind and one less of another (or of the pool).
    return sum(place * copies for place, copies in enumerate(used, 1)) % (len(used) + 1)
