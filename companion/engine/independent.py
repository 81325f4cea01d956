"""The expected outcome of the best play where draws are independent of each other, in numpy.

Knowledge has one class a stage, and both parts of a value (`Packing`) are added apart.  With heights h, the
top t and a class c at stage k, the best play is worth

    best(h, t, c) = min(draw(h, c), best(h - e_i, u, c) over the plays of a card that makes the top u)
    draw(h, c)    = sum over the ways w from c to a class d of weight(w) * min over tops of best(h, top, d)

and a hole that is over is worth what `Ends` says.  Stages are worked through from the last to the first,
within a stage the lattice's layers from the cleared tableau up, all heights of a layer, all tops and all
classes at a time.  Heights that no order of the draws can reach at a stage are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.knowledge import Knowledge
from companion.engine.lattice import lattice
from companion.engine.sweep import STAGES, drawable, stage_sets
from companion.engine.tops import BLANK, KINDS, TOPS
from companion.engine.values import NEVER, Ends, Root

Values = NDArray[np.float64]
Indices = NDArray[np.int64]


def evaluate(board: Board, knowledge: Knowledge, ends: Ends, limit: int) -> Root | None:
    """The values at the root, or None when more than `limit` pairs (class, heights) would be valued."""
    if board.left >= STAGES:
        return None
    sets = stage_sets(board, drawable(board))
    anywhere = np.bitwise_or.reduce(sets[:, :-1], axis=0)
    rows = [np.flatnonzero(anywhere >> np.uint32(stage) & np.uint32(1)) for stage in range(board.left + 1)]
    sizes = np.diff(knowledge.stages)
    pairs = sum(len(row) * int(size) for row, size in zip(rows, sizes, strict=True))
    if pairs > limit:
        return None
    tops = [top for top in range(TOPS) if sets[top].any()]
    return _Backward(board, knowledge, ends, rows, tops).run(pairs)


@dataclass(frozen=True, slots=True)
class _Draws:
    """The draws of one kind from the classes of a stage.

    tops: what the drawn card can become; after: the class it leads to, from 0 within its stage (0 where
    there is no such card); weight: 0 where there is no such card.
    """

    tops: list[int]
    after: Indices
    weight: Values


class _Backward:
    """Values stage by stage.  Tops and kinds are numbered as `tops` and `kinds` list them."""

    def __init__(
        self, board: Board, knowledge: Knowledge, ends: Ends, rows: list[Indices], tops: list[int]
    ) -> None:
        self.board, self.knowledge, self.ends, self.rows = board, knowledge, ends, rows
        self.grid = lattice(board.heights)
        self.top_at = {top: n for n, top in enumerate(tops)}
        self.tops = tops
        plays = board.steps.plays
        # Kinds that become one top only; those that can become several are few, and handled apart.
        self.kinds = [
            kind
            for kind in sorted({kind for column in board.columns for kind in column})
            if len(plays[kind]) == 1 and plays[kind][0].result in self.top_at
        ]
        spare = len(self.kinds)
        kind_at = {kind: n for n, kind in enumerate(self.kinds)}
        exposed = [[BLANK, *column] for column in board.columns]
        self.kind_of = [np.array([kind_at.get(k, spare) for k in column]) for column in exposed]
        self.top_of = [
            np.array([self.top_at[plays[k][0].result] if k in kind_at else 0 for k in column])
            for column in exposed
        ]
        self.several = [
            (i, h, [n for top, n in self.top_at.items() if edge.sources >> top & 1], self.top_at[edge.result])
            for i, column in enumerate(exposed)
            for h, kind in enumerate(column)
            if kind < KINDS and kind not in kind_at
            for edge in plays[kind]
            if edge.result in self.top_at
        ]
        self.fits = [[n for n, k in enumerate(self.kinds) if plays[k][0].sources >> top & 1] for top in tops]
        self.follow = [np.array([0, *(board.steps.follow[k] for k in column)]) for column in board.columns]

    def run(self, pairs: int) -> Root:
        last = self.board.left
        waiting = np.full((len(self.rows[last]), self._classes(last)), NEVER)
        for stage in range(last, -1, -1):
            stay = self._stay(stage, waiting)
            best, waiting = self._stage(stage, stay)
        cell = self.grid.cell
        place = {int(c): n for n, c in enumerate(self.rows[0])}
        return Root(
            lambda top, index: float(best[self.top_at[top], place[int(cell[index])]]),
            lambda index: float(stay[place[int(cell[index])], 0]),
            pairs,
        )

    def _classes(self, stage: int) -> int:
        return self.knowledge.stages[stage + 1] - self.knowledge.stages[stage]

    def _stay(self, stage: int, waiting: Values) -> Values:
        """What drawing is worth, or the end where there is nothing to draw, shape (rows, classes)."""
        rows = self.rows[stage]
        if stage == self.board.left:
            waiting = np.repeat(self.ends.stuck[self._counts(rows)][:, None], self._classes(stage), axis=1)
        if len(rows) and rows[0] == 0:
            waiting[0] = self.ends.cleared[stage]
        return waiting

    def _counts(self, rows: Indices) -> Indices:
        return np.searchsorted(self.grid.starts, rows, side="right") - 1

    def _stage(self, stage: int, stay: Values) -> tuple[Values, Values]:
        """The values of a stage, (tops, rows) of its first class, and of drawing in the stage before."""
        rows = self.rows[stage]
        earlier = self.rows[stage - 1] if stage else rows[:0]
        place, back = np.full((2, self.grid.cells + 1), -1)
        place[rows] = np.arange(len(rows))
        back[earlier] = np.arange(len(earlier))
        whole = np.zeros((len(earlier), self._classes(stage - 1) if stage else 0))
        draws = self._draws(stage) if stage else []
        never = self._never(rows) if stage < self.board.left else None
        first_class = np.empty((len(self.tops), len(rows)))
        bounds = np.searchsorted(rows, self.grid.starts)
        nothing = np.full((len(self.tops), 1, stay.shape[1]), NEVER)
        below, base = nothing, 0
        for layer, (begin, end) in enumerate(pairwise(bounds)):
            part_of = slice(int(begin), int(end))
            here = rows[part_of]
            best = self._layer(
                here, stay[part_of], None if never is None else never[part_of], below, place, base
            )
            first_class[:, part_of] = best[:, :-1, 0]
            target = back[here]
            able = target >= 0
            if layer and able.any():
                # Mostly all heights of a layer were there in the stage before; a slice saves a copy.
                chosen = slice(0, len(here)) if able.all() else np.flatnonzero(able)
                total = np.zeros((int(able.sum()), whole.shape[1]))
                rest = np.zeros_like(total)
                for draw in draws:
                    got = best[draw.tops[0], :-1][chosen]
                    for top in draw.tops[1:]:
                        got = np.minimum(got, best[top, :-1][chosen])
                    floor = np.floor(got + 0.25)
                    total += draw.weight * floor
                    rest += draw.weight * (got - floor)
                whole[target[able]] = np.rint(total) + rest
            below, base = best, int(begin)
        return first_class, whole

    def _layer(
        self, here: Indices, stay: Values, never: Indices | None, below: Values, place: Indices, base: int
    ) -> Values:
        """Values of the heights of a layer, shape (tops, heights + 1, classes), the last place infinite.

        below: the same for the layer below, whose heights start at `base` in `place`.
        """
        count, classes = stay.shape
        best = np.full((len(self.tops), count + 1, classes), NEVER)
        best[:, :-1] = stay
        if never is not None:
            for n, top in enumerate(self.tops):
                best[n, :-1][never >> top & 1 > 0] = NEVER
        width = below.shape[1]
        flat = below.reshape(-1, classes)
        reached = np.full(((len(self.kinds) + 1) * count, classes), NEVER)
        offset = np.arange(count)
        for i in range(len(self.follow)):
            height = self.grid.digits[i, here]
            under = place[self.grid.below[i, here]] - base
            # Empty columns, and heights that can't be reached, lead to the infinite last place.
            under[(under < 0) | (under >= width - 1)] = width - 1
            got = flat[self.top_of[i][height] * width + under]
            at = self.kind_of[i][height] * count + offset
            reached[at] = np.minimum(reached[at], got)
            for column, high, sources, result in self.several:
                if column == i:
                    which = np.flatnonzero(height == high)
                    got = below[result, under[which]]
                    for top in sources:
                        best[top, which] = np.minimum(best[top, which], got)
        reached = reached.reshape(len(self.kinds) + 1, count, classes)
        for n, kinds in enumerate(self.fits):
            for kind in kinds:
                np.minimum(best[n, :-1], reached[kind], out=best[n, :-1])
        return best

    def _never(self, rows: Indices) -> Indices | None:
        """For each height the mask of tops on which nothing may be drawn, None where there is no such top."""
        masks = np.full(len(rows), self.board.no_draw() & sum(1 << top for top in self.tops))
        if self.board.draw_when_stuck:
            for i, follow in enumerate(self.follow):
                masks |= follow[self.grid.digits[i, rows]]
        return masks if masks.any() else None

    def _draws(self, stage: int) -> list[_Draws]:
        """The draws that lead to the classes of a stage, by kind."""
        know = self.knowledge
        low, high = know.stages[stage], know.stages[stage + 1]
        before, count = know.stages[stage - 1], self._classes(stage - 1)
        after = np.repeat(np.arange(high - low), np.diff(know.start[low : high + 1]))
        ways = slice(int(know.start[low]), int(know.start[high]))
        source, kind, weight = know.source[ways] - before, know.kind[ways], know.weight[ways]
        draws = []
        for k in np.unique(kind):
            of_kind = kind == k
            to, weights = np.zeros(count, np.int64), np.zeros(count)
            to[source[of_kind]] = after[of_kind]
            weights[source[of_kind]] = weight[of_kind]
            draws.append(_Draws([self.top_at[top] for top in self.board.steps.draws[k]], to, weights))
        return draws
