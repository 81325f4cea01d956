"""A step between two tables as numbers: what left the columns, what could be drawn, where it ends.

Kinds and tops are those of `companion.engine.tops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.lattice import Lattice, lattice
from companion.engine.tops import DEAD_QUEEN, KINDS, NONE, QUEEN, TOPS, Edge, Steps

DRAW: Final = -1
"""The column of a step that draws."""

ALL_TOPS: Final = (1 << TOPS) - 1

Ints = NDArray[np.int64]
Kinds = tuple[int, ...]
"""What a card may be: one kind, or several when it was not read for sure."""


@dataclass(frozen=True, slots=True)
class Last:
    """A known move at the end: the last cards of the discard can be seen."""

    column: int
    """The task's column that the card left, or `DRAW`."""
    kinds: Kinds
    tops: int = ALL_TOPS
    """Mask of the tops it may have become: a joker may have been seen with its rank."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move on the way: the column it plays from, or `DRAW`, the kind of the card, the top it becomes."""

    column: int
    kind: int
    top: int
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Plays:
    """The plays of one column's exposed cards in a layer, each along its first edge.

    here: cells from the layer's first; at: the state after, top * cells + cell; edge: numbers of edges, times
    the cells of the layer, and `here`; only: whether the card has but one edge.
    """

    here: Ints
    at: Ints
    edge: Ints
    only: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OtherPlays:
    """The plays of a card that can become several tops, along its other edges.

    here: cells from the layer's first; below: the cells after; edges: numbers of edges.
    """

    card: Kinds
    here: Ints
    below: Ints
    edges: list[int]


@dataclass(frozen=True, slots=True)
class Layer:
    """The cells `start` to `end` of a lattice: as many cards have still to leave the columns."""

    start: int
    end: int
    plays: list[Plays]
    others: list[OtherPlays]


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
    def layers(self) -> list[Layer]:
        """The plays from the cells of each layer of the lattice, the cleared tableau first."""
        grid, cells = self.grid, self.grid.cells
        ways = [[self.edges.index(edge) for edge in edges] for edges in self.steps.plays[:KINDS]]
        columns = []
        several: dict[tuple[int, int], list[int]] = {}
        for i, column in enumerate(self.columns):
            edges, tops, one = [len(self.edges)], [0], [True]
            for h, card in enumerate(column, 1):
                along = list(dict.fromkeys(way for kind in card for way in ways[kind]))
                edges.append(along[0])
                tops.append(self.edges[along[0]].result)
                one.append(len(along) == 1)
                if len(along) > 1:
                    several[i, h] = along[1:]
            live = np.flatnonzero(grid.digits[i])
            tall = grid.digits[i].take(live)
            at = (np.array(tops, np.int64) * cells).take(tall) + grid.below[i].take(live)
            columns.append((live, at, np.array(edges, np.int64).take(tall), np.array(one).take(tall)))
        layers = []
        for start, end in zip(grid.starts, grid.starts[1:], strict=False):
            firsts, others = [], []
            for live, at, edge, only in columns:
                own = slice(*np.searchsorted(live, (start, end)))
                here = live[own] - start
                firsts.append(Plays(here, at[own], edge[own] * (end - start) + here, only[own]))
            for (i, h), edges in several.items():
                here = np.flatnonzero(grid.digits[i, start:end] == h)
                if len(here):
                    others.append(
                        OtherPlays(self.columns[i][h - 1], here, grid.below[i, start + here], edges)
                    )
            layers.append(Layer(start, end, firsts, others))
        return layers

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

    def draw_is_wrong(self, top: int, cell: int) -> bool:
        """Whether a draw on a top breaks a rule, at a cell before the last moves."""
        if cell == 0 and self.over():
            return True
        return not self.may_draw(top, int(self.playable[cell]) if self.when_stuck else 0)

    def plays(self, column: int, card: Kinds, top: int, wrong: bool = False) -> Iterator[Step]:
        """The ways to play a card on a top, the allowed ones first; `wrong`: those against the rules too."""
        for kind in card:
            for edge in self.steps.plays[kind]:
                if edge.sources >> top & 1:
                    yield Step(column, kind, edge.result)
        if wrong:
            for kind in card:
                for tops, result in self.misfits(kind):
                    if tops >> top & 1:
                        yield Step(column, kind, result, True)

    def misfits(self, kind: int) -> list[tuple[int, int]]:
        """The tops that a card is put on against the rules, as masks, each with a top that it becomes.

        A declared joker fits almost anywhere, but not with every rank.
        """
        fits: dict[int, int] = {}
        for edge in self.steps.plays[kind]:
            result = QUEEN if edge.result == DEAD_QUEEN else edge.result
            fits[result] = fits.get(result, 0) | edge.sources
        return [(ALL_TOPS & ~sources, result) for result, sources in sorted(fits.items())]

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
        mask = ALL_TOPS if card else 0
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
    heights, over = list(task.heights), task.over()
    for number, step in enumerate((*own, *last[:1])):
        at_last = number == len(own)
        if step.column != DRAW:
            if not at_last:
                heights[step.column] -= 1
        elif not (at_last and step.fault) and (any(heights) or not over):
            playable = 0
            if task.when_stuck:
                playable = task.playable_at_last(0) if at_last else task.playable_at(tuple(heights))
            for kind, top in task.drawable:
                while missing > 0 and spare[kind] > 0 and not (task.when_stuck and playable >> top & 1):
                    # Before a wrong draw the first of them is the wrong one, and all others are right.
                    result.append(Step(DRAW, kind, top, step.fault))
                    step = replace(step, fault=False)
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
