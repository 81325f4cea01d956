"""A step between two tables as numbers: what left the columns, what could be drawn, where it ends.

Kinds and tops are those of `companion.engine.tops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.lattice import Lattice, lattice
from companion.engine.tops import DEAD_QUEEN, KINDS, NONE, TOPS, Edge, Steps

DRAW: Final = -1
"""The column of a step that draws."""

Ints = NDArray[np.int64]
Kinds = tuple[int, ...]
"""What a card may be: one kind, or several when it was not read for sure."""


@dataclass(frozen=True, slots=True)
class Last:
    """A known move at the end: the last cards of the discard can be seen."""

    column: int
    """The task's column that the card left, or `DRAW`."""
    kinds: Kinds
    tops: int = (1 << TOPS) - 1
    """Mask of the tops it may have become: a joker may have been seen with its rank."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move on the way: the column it plays from, or `DRAW`, the kind of the card, the top it becomes."""

    column: int
    kind: int
    top: int
    fault: bool = False


@dataclass(frozen=True)
class Task:
    """The way to be found.

    columns: for each column the cards that left it, the buried one first, without those in `last`.
    under: for each column the card below those, which is exposed in the end; () for none.
    idle: the exposed cards of the columns that no card left.
    start: mask of the tops the discard may have at the start.
    supply: how many cards of each kind can be drawn, shape (KINDS,), those in `last` not among them.
    stock: the kinds of the cards that are drawn, in order, where they are known; then `supply` is unused.
    most: the most draws possible.
    """

    steps: Steps
    columns: tuple[tuple[Kinds, ...], ...]
    start: int
    supply: tuple[int, ...]
    last: tuple[Last, ...] = ()
    under: tuple[Kinds, ...] = ()
    idle: tuple[Kinds, ...] = ()
    stock: tuple[int, ...] | None = None
    when_stuck: bool = False
    draw_first: bool = True
    most: int = 16

    @property
    def heights(self) -> tuple[int, ...]:
        return tuple(len(column) for column in self.columns)

    @cached_property
    def grid(self) -> Lattice:
        return lattice(self.heights)

    @cached_property
    def edges(self) -> list[Edge]:
        """Every way to play any card, once."""
        return list(dict.fromkeys(edge for ways in self.steps.plays for edge in ways))

    @cached_property
    def _exposed(self) -> tuple[list[Ints], list[Ints], list[tuple[int, int, int]]]:
        ways = [[self.edges.index(edge) for edge in edges] for edges in self.steps.plays[:KINDS]]
        first, result, others = [], [], []
        for i, column in enumerate(self.columns):
            numbers, tops = [len(self.edges)], [0]
            for h, card in enumerate(column, 1):
                own = list(dict.fromkeys(way for kind in card for way in ways[kind]))
                numbers.append(own[0])
                tops.append(self.edges[own[0]].result)
                others += [(i, h, way) for way in own[1:]]
            first.append(np.array(numbers, np.int64))
            result.append(np.array(tops, np.int64))
        return first, result, others

    @property
    def first_edge(self) -> list[Ints]:
        """For each column, by height, its exposed card's first edge, `len(edges)` at height 0."""
        return self._exposed[0]

    @property
    def first_result(self) -> list[Ints]:
        """For each column, by height, the top that this edge makes."""
        return self._exposed[1]

    @property
    def other_edges(self) -> list[tuple[int, int, int]]:
        """The edges of cards that can become several tops: column, height, number of the edge."""
        return self._exposed[2]

    @cached_property
    def drawable(self) -> list[tuple[int, int]]:
        """The kinds that can be drawn with the tops they can become."""
        kinds = [k for k, count in enumerate(self.supply) if count]
        return [(kind, top) for kind in kinds for top in self.steps.draws[kind]]

    @cached_property
    def playable(self) -> NDArray[np.uint32]:
        """For each cell of the lattice the mask of the tops on which a card could certainly be played."""
        mask = np.full(self.grid.cells, self._follow(self.idle), np.uint32)
        exposed = self._exposed_before(0)
        for i, column in enumerate(self.columns):
            cards = [exposed[i], *column]
            mask |= np.array([self._certain(card) for card in cards], np.uint32)[self.grid.digits[i]]
        return mask

    def playable_at(self, heights: tuple[int, ...]) -> int:
        """The same mask for one vector of heights."""
        exposed = self._exposed_before(0)
        cards = [
            column[height - 1] if height else exposed[i]
            for i, (column, height) in enumerate(zip(self.columns, heights, strict=True))
        ]
        return self._follow(self.idle) | self._follow(cards)

    def playable_at_last(self, number: int) -> int:
        """The same mask before the move `last[number]`."""
        return self._follow(self.idle) | self._follow(self._exposed_before(number))

    def _exposed_before(self, number: int) -> list[Kinds]:
        """For each column the card exposed before the move `last[number]`."""
        exposed = list(self.under or ((),) * len(self.columns))
        moved: set[int] = set()
        for last in self.last[number:]:
            if last.column != DRAW and last.column not in moved:
                moved.add(last.column)
                exposed[last.column] = last.kinds
        return exposed

    def over(self, number: int = 0) -> bool:
        """Whether the tableau is cleared, and the hole over, before the move `last[number]`."""
        stays = any(self.under) or bool(self.idle)
        return not stays and all(last.column == DRAW for last in self.last[number:])

    def may_draw(self, top: int, playable: int) -> bool:
        """Whether a card may be drawn on a top, where a card could be played on the tops of a mask."""
        if top == NONE and not self.draw_first:
            return False
        return not (self.when_stuck and playable >> top & 1)

    def plays(self, column: int, card: Kinds, top: int, wrong: bool = False) -> Iterator[Step]:
        """The ways to play a card on a top, the allowed ones first; `wrong`: those against the rules too."""
        for kind in card:
            for edge in self.steps.plays[kind]:
                if edge.sources >> top & 1:
                    yield Step(column, kind, edge.result)
        if wrong:
            for kind in card:
                if not self.steps.follow[kind] >> top & 1:
                    for result in self.forced(kind):
                        yield Step(column, kind, result, True)

    def forced(self, kind: int) -> list[int]:
        """The tops that a card makes which is put where it doesn't fit."""
        return sorted({edge.result for edge in self.steps.plays[kind]} - {DEAD_QUEEN})

    def last_moves(self, number: int, top: int, wrong: bool = False) -> Iterator[Step]:
        """The ways to make the move `last[number]` on a top."""
        last = self.last[number]
        if last.column != DRAW:
            for step in self.plays(last.column, last.kinds, top, wrong):
                if last.tops >> step.top & 1:
                    yield step
            return
        playable = self.playable_at_last(number) if self.when_stuck else 0
        fault = self.over(number) or not self.may_draw(top, playable)
        if fault and not wrong:
            return
        for kind in last.kinds:
            for drawn in self.steps.draws[kind]:
                if last.tops >> drawn & 1:
                    yield Step(DRAW, kind, drawn, fault)

    def _follow(self, cards: Sequence[Kinds]) -> int:
        mask = 0
        for card in cards:
            mask |= self._certain(card)
        return mask

    def _certain(self, card: Kinds) -> int:
        """The tops that a card fits whichever of its kinds it is."""
        mask = (1 << TOPS) - 1 if card else 0
        for kind in card:
            mask &= self.steps.follow[kind]
        return mask


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, rising."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def padded(task: Task, way: tuple[Step, ...], lowest: int) -> tuple[Step, ...]:
    """The way with as many draws as were made: at will, more can be drawn before any draw."""
    used = [0] * KINDS
    for step in way[: len(way) - len(task.last)]:
        used[step.kind] += step.column == DRAW
    spare = [kind for kind, count in enumerate(task.supply) for _ in range(count - used[kind])]
    missing = max(0, lowest - sum(step.column == DRAW for step in way))
    at = next((n for n, step in enumerate(way) if step.column == DRAW), len(way))
    more = [Step(DRAW, kind, task.steps.draws[kind][0]) for kind in spare[:missing]]
    return (*way[:at], *more, *way[at:])
