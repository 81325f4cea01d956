"""A position as numbers, the form every algorithm of the engine works on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from companion.engine.errors import EngineError
from companion.engine.tops import BLANK, DEAD_QUEEN, JOKER, KINDS, NONE, WILD, Steps, steps
from companion.game import Card, Position


@dataclass(frozen=True, slots=True)
class Board:
    """A tableau and what is known of the rest.

    columns: kinds, buried card first, shape (columns, height of each).
    top: what lies on the discard; see `companion.engine.tops`.
    stock: kinds of the stock, next card first; None when its order is not known.
    unseen: how many cards of each kind are unseen, shape (KINDS,).
    left: cards in the stock.
    draw_when_stuck: a card may be drawn only when none can be played.
    draw_first: a card may be drawn while the discard is empty.
    """

    columns: tuple[tuple[int, ...], ...]
    top: int
    stock: tuple[int, ...] | None
    unseen: tuple[int, ...]
    left: int
    steps: Steps
    draw_when_stuck: bool = False
    draw_first: bool = False

    @property
    def heights(self) -> tuple[int, ...]:
        return tuple(len(column) for column in self.columns)

    @property
    def count(self) -> int:
        """Cards in the tableau."""
        return sum(self.heights)

    def with_stock(self, stock: tuple[int, ...]) -> Board:
        """The same table with a known stock, next card first."""
        return replace(self, stock=stock, left=len(stock))

    def with_hidden_stock(self) -> Board:
        """The same table with the stock face down."""
        return replace(self, stock=None)

    def may_draw(self, heights: tuple[int, ...], top: int) -> bool:
        """Whether the rules allow a draw from these heights with this top; the stock isn't used up."""
        never = self.no_draw() | (self.follow(heights) if self.draw_when_stuck else 0)
        return self.left > 0 and any(heights) and not never >> top & 1

    def no_draw(self) -> int:
        """Mask of the tops on which a card may never be drawn."""
        return 0 if self.draw_first else 1 << NONE

    def tops(self) -> int:
        """Mask of the tops that can ever lie on the discard."""
        mask = 1 << self.top
        kinds = {k for column in self.columns for k in column} | set(self.stock or ())
        for kind in kinds | {k for k, count in enumerate(self.unseen) if count}:
            for top in (*self.steps.draws[kind], *(edge.result for edge in self.steps.plays[kind])):
                mask |= 1 << top
        return mask

    def padded(self) -> list[list[int]]:
        """kind[i][h]: the card that leaves column i as its height falls from h + 1 to h, padded with `BLANK`.

        One row longer than the highest column, so that a full column reads `BLANK` too.
        """
        rows = max(self.heights, default=0) + 1
        return [[*column, *[BLANK] * (rows - len(column))] for column in self.columns]

    def follow(self, heights: tuple[int, ...]) -> int:
        """Mask of the tops on which some exposed card can be played."""
        mask = 0
        for column, height in zip(self.columns, heights, strict=True):
            if height:
                mask |= self.steps.follow[column[height - 1]]
        return mask


def board(position: Position) -> Board:
    """The board of a position.  Raises `EngineError` for one with problems that hinder play."""
    if not position.playable:
        problem = next(p for p in position.problems() if p.code != "card-twice")
        raise EngineError(f"a table with problems can't be played: {problem.message}: {problem.code!r}")
    unseen = Counter(kind(card) for card in position.unseen)
    return Board(
        columns=tuple(tuple(kind(card) for card in column) for column in position.columns),
        top=top(position),
        stock=None if position.stock is None else tuple(kind(card) for card in position.stock),
        unseen=tuple(unseen[k] for k in range(KINDS)),
        left=position.stock_count,
        steps=steps(position.rules),
        draw_when_stuck=position.rules.draw == "when_stuck",
        draw_first=position.rules.start != "free",
    )


def kind(card: Card) -> int:
    """The kind of a card: its rank from 0, or `JOKER`."""
    if card.rank is None:
        raise EngineError(f"a card that is not read can't be played: {str(card)!r}")
    return JOKER if card.rank == 0 else card.rank - 1


def top(position: Position) -> int:
    """The top of a position's discard.  A joker that stands for nothing yet takes any card: `WILD`."""
    if position.top is None:
        return NONE
    if position.top.rank is None:
        raise EngineError(f"the top of the discard is not read: {str(position.top)!r}")
    value, under = position.top.value, None if position.drawn else position.under
    if value == 0:
        return WILD
    on_king = under is not None and under.rank is not None and under.value == 13
    return DEAD_QUEEN if value == 12 and on_king and position.rules.on_king == "queen_only" else value - 1
