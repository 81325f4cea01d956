"""A table being read or typed: slots that hold cards, and the edits a person makes to them.

A `Table` is frozen; each edit gives a new one. A `Place` is `(column, row)`, the discard is `DISCARD`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.formats.counts import hidden_stock
from companion.formats.errors import FormatError
from companion.game import UNKNOWN, Card, Position, Rules

Place = tuple[int, int]
DISCARD: Final[Place] = (-1, 0)
SCHEMA: Final = "companion.scan/1"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on the table where a card lies.

    `touched`: a person has said what it is, which no later scan may change. `index` are the corners of the
    card's index in the photo, in pixels, if it was read from one.
    """

    card: Card
    sure: bool = True
    touched: bool = False
    confidence: float = 1.0
    index: tuple[tuple[float, float], ...] = ()
    outline: tuple[tuple[float, float], ...] = ()
    alternatives: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of slots, buried card first; the discard's top card; the cards in the stock, if said."""

    columns: tuple[tuple[Slot, ...], ...] = ()
    discard: Slot | None = None
    stock: int | None = None

    # --- looking -------------------------------------------------------------------------------------------

    def places(self) -> Iterator[tuple[Place, Slot]]:
        """All slots with their places, column by column, the discard last."""
        for number, column in enumerate(self.columns):
            for row, slot in enumerate(column):
                yield (number, row), slot
        if self.discard:
            yield DISCARD, self.discard

    def at(self, place: Place) -> Slot | None:
        column, row = place
        if column < 0:
            return self.discard
        return (
            self.columns[column][row]
            if column < len(self.columns) and row < len(self.columns[column])
            else None
        )

    @property
    def count(self) -> int:
        """All cards on the table."""
        return sum(map(len, self.columns)) + (self.discard is not None)

    @property
    def unsure(self) -> tuple[Place, ...]:
        """Places that want a look: not read, or read without being sure; the least sure first."""
        found = [
            (slot.confidence, place) for place, slot in self.places() if not slot.sure and not slot.touched
        ]
        return tuple(place for _, place in sorted(found))

    @property
    def twice(self) -> Mapping[Card, tuple[Place, ...]]:
        """The cards that lie in more than one place."""
        found: dict[Card, list[Place]] = {}
        for place, slot in self.places():
            if slot.card is not UNKNOWN:
                found.setdefault(slot.card.plain, []).append(place)
        return {card: tuple(places) for card, places in found.items() if len(places) > 1}

    def used(self, besides: Place | None = None) -> Counter[Card]:
        """How often each card lies on the table, one place left out."""
        return Counter(
            slot.card.plain for place, slot in self.places() if place != besides and slot.card is not UNKNOWN
        )

    # --- edits ---------------------------------------------------------------------------------------------

    def put(self, place: Place, card: Card) -> Table:
        """Say which card lies in a place; what a person says is sure."""
        slot = self.at(place)
        if slot is None:
            return self.insert(place, card)
        return self._with(place, replace(slot, card=card, sure=True, touched=True))

    def insert(self, place: Place, card: Card = UNKNOWN) -> Table:
        """Add a card before the one in the place; a column after the last one is a new column."""
        column, row = place
        slot = Slot(card, sure=card is not UNKNOWN, touched=card is not UNKNOWN, confidence=0.0)
        if column < 0:
            return replace(self, discard=slot)
        columns = list(self.columns)
        while len(columns) <= column:
            columns.append(())
        columns[column] = (*columns[column][:row], slot, *columns[column][row:])
        return replace(self, columns=tuple(columns))

    def remove(self, place: Place) -> Table:
        """Take a card off the table; a column that was one card long stays as an empty one."""
        column, row = place
        if column < 0:
            return replace(self, discard=None)
        columns = list(self.columns)
        columns[column] = (*columns[column][:row], *columns[column][row + 1 :])
        return replace(self, columns=tuple(columns))

    def move(self, place: Place, to: Place) -> Table:
        """Take a card from one place and put it before another; onto the discard it takes that place."""
        slot = self.at(place)
        if slot is None or place == to:
            return self
        column, row = to
        if column == place[0] and row > place[1]:
            row -= 1
        bare = self.remove(place)
        moved = replace(slot, touched=True)
        if column < 0:
            return replace(bare, discard=moved)
        columns = list(bare.columns)
        while len(columns) <= column:
            columns.append(())
        columns[column] = (*columns[column][:row], moved, *columns[column][row:])
        return replace(bare, columns=tuple(columns))

    def remove_column(self, column: int) -> Table:
        return replace(self, columns=(*self.columns[:column], *self.columns[column + 1 :]))

    def with_stock(self, count: int | None) -> Table:
        return replace(self, stock=count)

    def _with(self, place: Place, slot: Slot) -> Table:
        column, row = place
        if column < 0:
            return replace(self, discard=slot)
        changed = list(self.columns[column])
        changed[row] = slot
        return replace(self, columns=(*self.columns[:column], tuple(changed), *self.columns[column + 1 :]))

    # --- as other values -----------------------------------------------------------------------------------

    def position(self, rules: Rules) -> Position:
        """The table as a position, the stock face down; see `needs_stock` for its count."""
        columns = tuple(tuple(slot.card for slot in column) for column in self.columns)
        columns += ((),) * (rules.columns - len(columns))
        discard = (self.discard.card,) if self.discard else ()
        count = self.stock
        if count is None:
            try:
                count = hidden_stock(rules, sum(map(len, columns)), len(discard))
            except FormatError:
                count = -1
        return Position(rules, columns, discard, None, max(count, 0))

    def needs_stock(self, rules: Rules) -> bool:
        """Whether the table doesn't tell how many cards are in the stock, and nobody has said."""
        if self.stock is not None:
            return False
        try:
            hidden_stock(rules, sum(map(len, self.columns)), int(self.discard is not None))
        except FormatError:
            return True
        return False


def from_scan(document: Mapping[str, Any]) -> Table:
    """The table of a scan (`companion.scan/1`). Raises `FormatError`."""
    if document.get("schema") != SCHEMA:
        raise FormatError(f"not a scan of the schema {SCHEMA}: {document.get('schema')!r}")
    found: dict[tuple[str, int, int], Mapping[str, Any]] = {}
    for card in document.get("cards") or ():
        where = str(card.get("where"))
        found.setdefault((where, int(card.get("column") or 0), int(card.get("row") or 0)), card)
    try:
        columns = tuple(
            tuple(
                _slot(Card.parse(name), found.get(("column", number, row))) for row, name in enumerate(column)
            )
            for number, column in enumerate(document["columns"])
        )
        top = document.get("discard")
        read = next((card for (where, _, _), card in found.items() if where == "discard"), None)
        discard = _slot(Card.parse(top), read) if top else None
        stock = (document.get("stock") or {}).get("count")
    except (KeyError, TypeError) as error:
        raise FormatError(f"a scan has columns and a discard: {error!r}") from None
    return Table(columns, discard, stock)


def to_scan(table: Table, read: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The table as a scan's document; everything else in it is as it was read."""
    cards = []
    for (column, row), slot in table.places():
        cards.append(
            {
                "card": str(slot.card),
                "confidence": round(slot.confidence, 4),
                "sure": slot.sure,
                "where": "discard" if column < 0 else "column",
                "column": None if column < 0 else column,
                "row": None if column < 0 else row,
                "index": [list(point) for point in slot.index] or None,
                "outline": [list(point) for point in slot.outline] or None,
                "alternatives": [[str(card), 0.0] for card in slot.alternatives],
                "corrected": slot.touched,
            }
        )
    loose = [card for card in (read or {}).get("cards", ()) if card.get("where") == "loose"]
    stock = dict((read or {}).get("stock") or {"seen": False})
    return {
        **(read or {"schema": SCHEMA, "image": None, "problems": [], "seconds": {}}),
        "columns": [[str(slot.card) for slot in column] for column in table.columns],
        "discard": str(table.discard.card) if table.discard else None,
        "stock": stock | {"count": table.stock},
        "cards": cards + loose,
    }


def from_position(position: Position) -> Table:
    """A position as a table that a person has confirmed."""
    columns = tuple(tuple(Slot(card, touched=True) for card in column) for column in position.columns)
    return Table(columns, Slot(position.top, touched=True) if position.top else None, position.stock_count)


def _slot(card: Card, read: Mapping[str, Any] | None) -> Slot:
    if read is None:
        return Slot(card, sure=card is not UNKNOWN, confidence=0.0 if card is UNKNOWN else 1.0)
    others = tuple(Card.parse(str(name)) for name, _ in read.get("alternatives") or ())
    return Slot(
        card,
        sure=bool(read.get("sure", True)) and card is not UNKNOWN,
        touched=bool(read.get("corrected", False)),
        confidence=float(read.get("confidence") or 0.0),
        index=_corners(read.get("index")),
        outline=_corners(read.get("outline")),
        alternatives=others[:4],
    )


def _corners(points: Any) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points or ())
