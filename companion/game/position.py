"""A table of Golf Patience at one moment, right or wrong: what lies where, and what can't be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

from companion.game import scoring
from companion.game.cards import FULL_DECK, JOKERS, Card
from companion.game.errors import PositionError
from companion.game.rules import Rules

HARMLESS: Final = frozenset({"card-twice"})
"""The problems that don't hinder play: a wrong suit never matters while every rank is right."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a position."""

    code: str
    """`card-twice`, `rank-too-often`, `joker-not-in-deck`, `too-many-cards`, `too-many-columns`,
    `column-too-long`, `unread-card`, `stock-count`, `discard-empty`, `queen-below`."""
    cards: tuple[Card, ...]
    message: str


@dataclass(frozen=True)
class Position:
    """A table of Golf Patience; immutable.

    A position can be wrong, as a scan of a table can: `problems` says how, and moves are for
    positions that are `playable`.
    """

    rules: Rules
    columns: tuple[tuple[Card, ...], ...]
    """From left to right, the buried card first and the exposed card last; an empty column is `()`."""
    discard: tuple[Card, ...] = ()
    """From the bottom to the top.  In a game joined half-way only the last cards may be known: then
    the others, `buried` of them, lie below."""
    stock: tuple[Card, ...] | None = None
    """The next card first, or None when it is face down."""
    stock_count: int = -1
    """The cards left in the stock; left out, it is what the stock holds, or a fresh deal's stock."""
    drawn: bool = False
    """The top of the discard is a queen that came from the stock and lies on a king: `queen_only` binds
    only a queen that was played onto one.  Set by a draw where that matters, False everywhere else."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(tuple(column) for column in self.columns))
        object.__setattr__(self, "discard", tuple(self.discard))
        if self.stock is not None:
            object.__setattr__(self, "stock", tuple(self.stock))
            if self.stock_count not in (-1, len(self.stock)):
                raise PositionError(f"the stock holds {len(self.stock)} cards, not: {self.stock_count!r}")
            object.__setattr__(self, "stock_count", len(self.stock))
        elif self.stock_count == -1:
            object.__setattr__(self, "stock_count", self.rules.stock_size)

    @classmethod
    def deal(cls, rules: Rules, cards: Iterable[Card], *, by: str = "rows") -> Position:
        """The fresh deal of a shuffled deck, stock known.

        cards: all of the deck, the first dealt first; by: `rows` deals as people do, a row across
        the columns at a time; `columns` fills a column after the other.  Then comes the card that
        opens the discard, if one is turned, then the stock.  Where the opener is fixed (Black Hole's
        ace of spades) it is taken out of the cards first.  Raises `PositionError`.
        """
        deck = list(cards)
        if sorted(deck) != list(full_deck(rules)):
            raise PositionError(
                f"a deal needs the whole deck of {rules.cards} cards, each once: {len(deck)!r}"
            )
        discard: tuple[Card, ...] = ()
        if rules.opener:
            deck.remove(rules.opener)
            discard = (rules.opener,)
        size = rules.tableau_size
        if by == "rows":
            columns = tuple(tuple(deck[column : size : rules.columns]) for column in range(rules.columns))
        elif by == "columns":
            columns = tuple(tuple(deck[at : at + rules.depth]) for at in range(0, size, rules.depth))
        else:
            raise PositionError(f"cards are dealt by rows or by columns: {by!r}")
        rest = deck[size:]
        if rules.start == "turned" and not discard:
            discard = (rest.pop(0),)
        return cls(rules, columns, discard, tuple(rest))

    @property
    def top(self) -> Card | None:
        """The card that is built on, None when the discard is empty."""
        return self.discard[-1] if self.discard else None

    @property
    def under(self) -> Card | None:
        """The card below the top of the discard, as far as it is known."""
        return self.discard[-2] if len(self.discard) > 1 else None

    @property
    def exposed(self) -> tuple[Card | None, ...]:
        """For each column its exposed card, None when the column is empty."""
        return tuple(column[-1] if column else None for column in self.columns)

    @cached_property
    def tableau_count(self) -> int:
        """The cards left in the columns."""
        return sum(map(len, self.columns))

    @property
    def buried(self) -> int:
        """The cards that must lie in the discard below those that are known."""
        return self.rules.cards - self.tableau_count - self.stock_count - len(self.discard)

    @cached_property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that are neither in the columns nor among the known discard, sorted.

        What the stock holds, and `buried` more.  The order of a known stock has no part in it.
        Where a card is seen twice its suit was misread somewhere, so one missing card of that rank
        counts as seen: the ranks are right even when the suits are not.
        """
        seen = Counter(card.plain for column in (*self.columns, self.discard) for card in column)
        missing = Counter(full_deck(self.rules))
        missing.subtract(seen)
        for card, count in list(missing.items()):
            for _ in range(-count):
                alike = (other for other in missing if other.rank == card.rank and missing[other] > 0)
                if (other := next(alike, None)) is not None:
                    missing[other] -= 1
        return tuple(sorted((+missing).elements()))

    @property
    def cleared(self) -> bool:
        return self.tableau_count == 0

    @property
    def strokes(self) -> int:
        """The score of the hole if it ended now."""
        return scoring.hole(self.tableau_count, self.stock_count)

    @property
    def finished(self) -> bool:
        """Nothing more can be done: the tableau is cleared, or nothing can be played or drawn."""
        from companion.game.moves import legal_moves

        return self.cleared or not legal_moves(self)

    @property
    def playable(self) -> bool:
        """No problem hinders play; a card seen twice, a misread suit, doesn't."""
        return all(problem.code in HARMLESS for problem in self.problems())

    def hidden(self) -> Position:
        """The same table with the stock face down."""
        return replace(self, stock=None, stock_count=self.stock_count)

    def with_stock(self, stock: Sequence[Card]) -> Position:
        """The same table with a known stock, next card first."""
        return replace(self, stock=tuple(stock), stock_count=-1)

    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong with the position; none for one that can be played."""
        from companion.game.problems import find

        return find(self)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Position, (self.rules, self.columns, self.discard, self.stock, self.stock_count, self.drawn)


@cache
def full_deck(rules: Rules) -> tuple[Card, ...]:
    """All cards of a game, sorted: each card once a deck, and the jokers."""
    return tuple(sorted(FULL_DECK * rules.decks + JOKERS[: rules.jokers]))
