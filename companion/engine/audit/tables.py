"""A table as it was seen: cards, and how sure each of them is.

A scan is not the truth.  A card that was read for sure is that card; one that was not may be another, and
one that was not read at all may be any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.engine.audit.words import Reason
from companion.engine.errors import EngineError
from companion.game import UNKNOWN, Card, CardError, Position, Rules, full_deck

SURE: Final = 0.999
"""The share of an unsure card's readings that must be listed for it to be one of those."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A card as it was read, and what else it may be."""

    card: Card
    others: tuple[Card, ...] | None = ()
    """Empty for a card read for sure; None when it may be any card."""

    @classmethod
    def from_scan(cls, card: Mapping[str, Any]) -> Seen:
        """A card of a scan's JSON document.  Raises `CardError`, `KeyError`."""
        read = Card.parse(card["card"])
        if card.get("sure"):
            return cls(read)
        names = [(Card.parse(name), float(share)) for name, share in card.get("alternatives", ())]
        listed = float(card.get("confidence", 0)) + sum(share for _, share in names)
        whole = bool(names) and listed >= SURE and read is not UNKNOWN
        return cls(read, tuple(name for name, _ in names if name is not read) if whole else None)

    @property
    def sure(self) -> bool:
        return self.others == () and self.card is not UNKNOWN

    def may_be(self, card: Card) -> bool:
        """Whether it can be a card."""
        return self.others is None or self.card.plain is card.plain or card.plain in self.others

    def agrees(self, other: Seen) -> bool:
        """Whether both can be one and the same card."""
        if self.others is None or other.others is None:
            return True
        return any(other.may_be(card) for card in (self.card, *self.others))

    def merged(self, other: Seen) -> Seen:
        """What is known of one card that was seen twice."""
        if self.sure or other.others is None:
            return self if not (other.sure and self.others is None) else other
        if other.sure or self.others is None:
            return other
        both = [card for card in (self.card, *self.others) if other.may_be(card)]
        return Seen(both[0], tuple(both[1:])) if both else self

    def as_read(self) -> Seen:
        """Taken for what was read."""
        return self if self.card is UNKNOWN else Seen(self.card)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: in a column, `column` and `row` from 0, or in the discard, `column` None."""

    table: int
    """The number of the table, from 0; -1 for the whole discard, fanned out."""
    column: int | None
    row: int

    @property
    def reason(self) -> Reason:
        """The place in words; row -1 of the discard is what lies under its top."""
        code = "place.under" if self.row < 0 else "place.pile" if self.table < 0 else "place.discard"
        if self.column is not None:
            code = "place.column"
        return Reason.of(code, table=self.table + 1, column=(self.column or 0) + 1, row=self.row + 1)

    def __str__(self) -> str:
        return str(self.reason)


@dataclass(frozen=True)
class Table:
    """What was seen of a table at one moment.

    columns: buried card first; discard: the top last, only the last cards may be known; stock: the next
    card first, None when it lies face down; stock_count: None when it isn't known; top_drawn: whether the
    top of the discard is known to be drawn, not played; scanned: it was read from a photo, where a card may
    lie hidden under the next one.
    """

    rules: Rules
    columns: tuple[tuple[Seen, ...], ...]
    discard: tuple[Seen, ...]
    stock: tuple[Card, ...] | None = None
    stock_count: int | None = None
    top_drawn: bool = False
    scanned: bool = False

    @classmethod
    def of(
        cls,
        position: Position,
        doubts: Mapping[tuple[int | None, int], Iterable[Card] | None] | None = None,
        *,
        count_known: bool = True,
    ) -> Table:
        """The table of a position.

        doubts: for the cards that were not read for sure, by column (None: the discard) and row, what
        else they may be, or None for any card; count_known: whether the stock's count was seen or
        tracked, not taken for granted.
        """
        doubts = doubts or {}

        def seen(column: int | None, row: int, card: Card) -> Seen:
            others = doubts.get((column, row), ())
            if card is UNKNOWN or others is None:
                return Seen(card.plain, None)
            return Seen(card, tuple(other.plain for other in others if other.plain is not card.plain))

        return cls(
            position.rules,
            tuple(
                tuple(seen(number, row, card) for row, card in enumerate(column))
                for number, column in enumerate(position.columns)
            ),
            tuple(seen(None, row, card) for row, card in enumerate(position.discard)),
            position.stock,
            position.stock_count if count_known or position.stock is not None else None,
            position.drawn,
        )

    @classmethod
    def from_scan(cls, document: Mapping[str, Any], rules: Rules, *, stock_count: int | None = None) -> Table:
        """The table of a scan's JSON document (`companion.scan/1`).  Raises `EngineError`."""
        try:
            names = [[Card.parse(name) for name in column] for column in document["columns"]]
            top = document.get("discard")
            count = stock_count if stock_count is not None else (document.get("stock") or {}).get("count")
            doubts = dict(_doubts(document.get("cards", ())))
            discard = [Card.parse(top)] if top else [UNKNOWN]
        except (KeyError, TypeError, AttributeError, CardError) as error:
            raise EngineError(f"a scan has columns, a discard and cards: {error!r}") from None
        if top is None and sum(map(len, names)) >= rules.tableau_size and rules.start == "free":
            discard = []
        table = cls.of(Position(rules, tuple(map(tuple, names)), tuple(discard)), doubts, count_known=False)
        if count is None and table.tableau_count == rules.tableau_size:
            count = rules.stock_size
        return replace(table, stock_count=count, scanned=True)

    @property
    def tableau_count(self) -> int:
        return sum(map(len, self.columns))

    def whole(self) -> bool:
        """Whether the discard is known from its bottom."""
        if self.stock_count is None:
            return False
        return self.rules.cards == self.tableau_count + self.stock_count + len(self.discard)

    @property
    def exposed(self) -> list[Seen]:
        return [column[-1] for column in self.columns if column]

    def places(self, number: int) -> Iterator[tuple[Place, Seen]]:
        """Every card with its place; number: that of the table."""
        for column, cards in enumerate(self.columns):
            for row, seen in enumerate(cards):
                yield Place(number, column, row), seen
        for row, seen in enumerate(self.discard):
            yield Place(number, None, row), seen

    def changed(self, place: Place, seen: Seen) -> Table:
        """The table with another card at a place."""
        if place.column is None:
            return replace(self, discard=_with(self.discard, place.row, seen))
        return replace(
            self,
            columns=tuple(
                _with(cards, place.row, seen) if column == place.column else cards
                for column, cards in enumerate(self.columns)
            ),
        )

    def as_read(self) -> Table:
        """Every card taken for what was read."""
        return replace(
            self,
            columns=tuple(tuple(seen.as_read() for seen in column) for column in self.columns),
            discard=tuple(seen.as_read() for seen in self.discard),
        )

    def doubtful(self) -> bool:
        return any(not seen.sure for _, seen in self.places(0))

    def position(self, stock_count: int | None = None) -> Position:
        """The position as it was read, the stock as far as it is known."""
        columns = tuple(tuple(seen.card for seen in column) for column in self.columns)
        discard = tuple(seen.card for seen in self.discard)
        if self.stock is not None:
            return Position(self.rules, columns, discard, self.stock)
        count = self.stock_count if self.stock_count is not None else stock_count
        if count is None:
            count = max(0, min(self.rules.stock_size, self.rules.cards - self.tableau_count - len(discard)))
        return Position(self.rules, columns, discard, None, count)


def sharpened(old: Table, new: Table) -> tuple[Table, Table]:
    """Two tables in turn, where each card that stayed in its place is what both photos of it say."""
    if len(old.columns) == len(new.columns):
        pairs = list(zip(old.columns, new.columns, strict=True))
        if all(len(now) <= len(was) and all(map(Seen.agrees, was, now)) for was, now in pairs):
            both = [tuple(map(Seen.merged, was, now)) for was, now in pairs]
            columns = tuple(kept + was[len(kept) :] for kept, (was, _) in zip(both, pairs, strict=True))
            old, new = replace(old, columns=columns), replace(new, columns=tuple(both))
    common = len(old.discard)
    whole = common <= len(new.discard) and old.whole() and new.whole()
    if whole and all(map(Seen.agrees, old.discard, new.discard)):
        pile = tuple(map(Seen.merged, old.discard, new.discard))
        old, new = replace(old, discard=pile), replace(new, discard=pile + new.discard[common:])
    return old, new


def spare(rules: Rules, known: Iterable[Card]) -> Counter[Card]:
    """The cards of the deck that are not among the known ones, jokers plain.

    Where a card is known once too often its suit was misread somewhere; then another of its rank is gone.
    """
    rest = Counter(full_deck(rules))
    rest.subtract(card.plain for card in known if card is not UNKNOWN)
    for card in [card for card, count in rest.items() if count < 0]:
        for other in [other for other in rest if other.rank == card.rank and other is not card]:
            taken = min(-rest[card], max(0, rest[other]))
            rest[card] += taken
            rest[other] -= taken
    return +rest


def _with(cards: tuple[Seen, ...], row: int, seen: Seen) -> tuple[Seen, ...]:
    return (*cards[:row], seen, *cards[row + 1 :])


def _doubts(
    cards: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[tuple[int | None, int], tuple[Card, ...] | None]]:
    for card in cards:
        if card.get("sure") or card.get("where") == "loose":
            continue
        others = Seen.from_scan(card).others
        if card.get("where") == "column":
            yield (int(card["column"]), int(card["row"])), others
        else:
            yield (None, 0), others
