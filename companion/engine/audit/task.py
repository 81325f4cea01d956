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

    @cached_property
    def one_result(self) -> list[NDArray[np.bool_]]:
        """For each column, by height, whether its exposed card has only one edge."""
        several = {(i, h) for i, h, _ in self.other_edges}
        return [
            np.array([(i, h) not in several for h in range(len(column) + 1)], np.bool_)
            for i, column in enumerate(self.columns)
        ]

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
        mask = np.full(self.grid.cells, self.follow_idle(), np.uint32)
        exposed = self.exposed_before(0)
        for i, column in enumerate(self.columns):
            cards = [exposed[i], *column]
            mask |= np.array([self.certain(card) for card in cards], np.uint32)[self.grid.digits[i]]
        return mask

    def playable_at(self, heights: tuple[int, ...]) -> int:
        """The same mask for one vector of heights."""
        exposed = self.exposed_before(0)
        cards = [
            column[height - 1] if height else exposed[i]
            for i, (column, height) in enumerate(zip(self.columns, heights, strict=True))
        ]
        return self.follow_idle() | self._follow(cards)

    def playable_at_last(self, number: int) -> int:
        """The same mask before the move `last[number]`."""
        return self.follow_idle() | self._follow(self.exposed_before(number))

    def exposed_before(self, number: int) -> list[Kinds]:
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

    def follow_idle(self) -> int:
        """Mask of the tops on which an exposed card of a column that nothing left could be played."""
        return self._follow(self.idle)

    def in_vain(self, playable: int) -> int:
        """Mask of the kinds that can be drawn before another draw, where so many tops can be played on."""
        if not self.when_stuck:
            return (1 << KINDS) - 1
        return sum({1 << kind for kind, top in self.drawable if not playable >> top & 1})

    def in_vain_at_last(self) -> int:
        """The same where the first of the last moves is that other draw."""
        return self.in_vain(self.playable_at_last(0))

    def _follow(self, cards: Sequence[Kinds]) -> int:
        mask = 0
        for card in cards:
            mask |= self.certain(card)
        return mask

    def certain(self, card: Kinds) -> int:
        """The tops that a card fits whichever of its kinds it is."""
        mask = (1 << TOPS) - 1 if card else 0
        for kind in card:
            mask &= self.steps.follow[kind]
        return mask


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, rising."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def filled(task: Task, way: tuple[Step, ...], lowest: int) -> tuple[Step, ...] | None:
    """The way with so many draws at least, others being made in vain; None where they don't suffice."""
    own, last = way[: len(way) - len(task.last)], way[len(way) - len(task.last) :]
    spare = _spare(task, way)
    missing = lowest - sum(step.column == DRAW for step in way)
    result: list[Step] = []
    heights = list(task.heights)
    for number, step in enumerate((*own, *last[:1])):
        if step.column != DRAW:
            if number < len(own):
                heights[step.column] -= 1
        elif not step.fault:
            playable = 0
            if task.when_stuck:
                at_last = number == len(own)
                playable = task.playable_at_last(0) if at_last else task.playable_at(tuple(heights))
            for kind, top in task.drawable:
                while missing > 0 and spare[kind] > 0 and not (task.when_stuck and playable >> top & 1):
                    result.append(Step(DRAW, kind, top))
                    spare[kind] -= 1
                    missing -= 1
        result.append(step)
    return None if missing > 0 else (*result, *last[1:])


def short_kinds(task: Task, way: tuple[Step, ...]) -> set[int]:
    """The kinds that a way draws more often than there are cards."""
    return {kind for kind, left in enumerate(_spare(task, way)) if left < 0}


def _spare(task: Task, way: tuple[Step, ...]) -> list[int]:
    """The cards of each kind that a way leaves undrawn, negative where there aren't enough."""
    spare = list(task.supply)
    first = len(way) - len(task.last)
    for number, step in enumerate(way):
        # A card of the last moves that was read for sure is none of the supply.
        if step.column == DRAW and (number < first or len(task.last[number - first].kinds) > 1):
            spare[step.kind] -= 1
    return spare
