"""Editing a table with undo and redo; where the cursor is, and where it goes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.app.state.model import Model
from companion.app.state.table import DISCARD, Place, Table
from companion.game import RANKS, UNKNOWN, Card, Rules

EMPTY: Final = Table()
LONGEST = 200
"""Edits that can be undone."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the keypad: what it would do now. `left` are the cards of it that are not on the table."""

    value: str
    left: int
    chosen: bool = False


class Editor(Model):
    """A table, its history, and the two-tap entry of cards: a rank, then a suit.

    filling: the table is being typed from nothing, column by column; the cursor then moves on to the next
    empty place of a fresh deal after each card.
    """

    def __init__(
        self, rules: Rules, table: Table = EMPTY, *, filling: bool = False, parent: Model | None = None
    ) -> None:
        super().__init__(parent)
        self.rules = rules
        self.table = table
        self.filling = filling
        self.cursor: Place | None = (
            self._next_empty() if filling else (table.unsure[0] if table.unsure else None)
        )
        self.rank: str | None = None
        """The rank that was tapped and waits for its suit."""
        self.moving: Place | None = None
        """The card that was picked up and waits for its place."""
        self.past: list[tuple[Table, Place | None]] = []
        self.future: list[tuple[Table, Place | None]] = []
        self.on_edit: Callable[[], None] | None = None
        """Called after the table has changed."""
        self.on_move: Callable[[], None] | None = None
        """Called after only the cursor has."""
        self._saved = table

    def changed(self) -> None:
        if self.table is not self._saved:
            self._saved = self.table
            hook = self.on_edit
        else:
            hook = self.on_move
        if hook:
            hook()
        super().changed()

    # --- entering ------------------------------------------------------------------------------------------

    def press_rank(self, rank: str) -> None:
        """The first tap. Where only one card of the rank can be meant, it is entered at once."""
        if self.cursor is None:
            return
        left = [suit for suit in "SHDC" if not self._gone(Card.parse(rank + suit))]
        if self.filling and len(left) == 1:
            self.enter(Card.parse(rank + left[0]))
            return
        self.rank = None if self.rank == rank else rank
        self.changed()

    def press_suit(self, suit: str) -> None:
        """The second tap; without a rank before it the card in place gets another suit."""
        slot = self.table.at(self.cursor) if self.cursor else None
        rank = self.rank or (str(slot.card)[0] if slot and slot.card.suit else None)
        if self.cursor is not None and rank is not None:
            self.enter(Card.parse(rank + suit))

    def press_joker(self) -> None:
        if self.cursor is not None:
            used = self.table.used(self.cursor)
            self.enter(next((card for card in map(Card.joker, (1, 2)) if not used[card]), Card.joker(1)))

    def enter(self, card: Card) -> None:
        """Put a card where the cursor is and go on: to the next unsure card, or the next empty place."""
        place = self.cursor
        if place is None:
            return
        self._edit(self.table.put(place, card))
        if self.filling:
            self.cursor = self._next_empty(place)
        else:
            self.cursor = self.table.unsure[0] if self.table.unsure else None
        self.rank = None
        self.changed()

    def confirm(self) -> None:
        """The card under the cursor is right as it was read."""
        slot = self.table.at(self.cursor) if self.cursor else None
        if slot and slot.card is not UNKNOWN:
            self.enter(slot.card)

    def confirm_all(self) -> None:
        """Everything that was read is right."""
        table = self.table
        for place in self.table.unsure:
            slot = table.at(place)
            if slot and slot.card is not UNKNOWN:
                table = table.put(place, slot.card)
        self._edit(table)
        self.cursor = table.unsure[0] if table.unsure else None
        self.changed()

    # --- cursor and shape ----------------------------------------------------------------------------------

    def select(self, place: Place | None) -> None:
        """Put the cursor on a place; while a card is picked up, this is where it goes."""
        if self.moving is not None and place is not None:
            moving, self.moving = self.moving, None
            self._edit(self.table.move(moving, place))
            self.cursor = None
        else:
            self.cursor = place
        self.rank = None
        self.changed()

    def step(self, by: int) -> None:
        """Put the cursor on the next card, or for -1 the one before; after the last comes the first."""
        places = [place for place, _ in self.table.places()]
        empty = self._next_empty() if self.filling else None
        if empty is not None and empty not in places:
            places = sorted([*places, empty], key=lambda place: (place == DISCARD, place))
        if not places:
            return
        at = places.index(self.cursor) if self.cursor in places else -1 if by > 0 else 0
        self.cursor = places[(at + by) % len(places)]
        self.rank = None
        self.changed()

    def pick_up(self) -> None:
        """Begin to move the card under the cursor; a second time puts it down again."""
        self.moving = self.cursor if self.moving is None else None
        self.changed()

    def move_to_column(self, column: int) -> None:
        """The card that is picked up goes to the end of a column."""
        self.select((column, len(self.table.columns[column]) if column < len(self.table.columns) else 0))

    def insert(self, after: bool = True) -> None:
        """Add an unread card beside the cursor and put the cursor on it."""
        if self.cursor is None:
            return
        column, row = self.cursor
        place = (column, row + after) if column >= 0 else DISCARD
        self._edit(self.table.insert(place))
        self.cursor = place
        self.changed()

    def add(self, column: int) -> None:
        """Add an unread card at the end of a column, or the discard's card for a negative one."""
        place = DISCARD if column < 0 else (column, self._length(column))
        self._edit(self.table.insert(place))
        self.cursor = place
        self.changed()

    def remove(self) -> None:
        """Take the card under the cursor off the table."""
        if self.cursor is None or self.table.at(self.cursor) is None:
            return
        self._edit(self.table.remove(self.cursor))
        self.cursor = None
        self.moving = None
        self.changed()

    def remove_column(self, column: int) -> None:
        self._edit(self.table.remove_column(column))
        self.cursor = None
        self.changed()

    def set_stock(self, count: int | None) -> None:
        self._edit(self.table.with_stock(count))
        self.changed()

    # --- history -------------------------------------------------------------------------------------------

    def undo(self) -> None:
        self._travel(self.past, self.future)

    def redo(self) -> None:
        self._travel(self.future, self.past)

    def _travel(
        self, source: list[tuple[Table, Place | None]], target: list[tuple[Table, Place | None]]
    ) -> None:
        if not source:
            return
        target.append((self.table, self.cursor))
        self.table, self.cursor = source.pop()
        self.rank = self.moving = None
        self.changed()

    def _edit(self, table: Table) -> None:
        if table == self.table:
            return
        self.past = [*self.past[-LONGEST:], (self.table, self.cursor)]
        self.future = []
        self.table = table

    # --- what the keypad shows -----------------------------------------------------------------------------

    def ranks(self) -> tuple[Key, ...]:
        """The 13 keys of the ranks, ace first."""
        used = self.table.used(self.cursor)
        decks = self.rules.decks
        return tuple(
            Key(
                rank, sum(max(0, decks - used[Card.parse(rank + suit)]) for suit in "SHDC"), rank == self.rank
            )
            for rank in RANKS
        )

    def suits(self) -> tuple[Key, ...]:
        """The four keys of the suits, for the rank that waits or the card in place."""
        slot = self.table.at(self.cursor) if self.cursor else None
        shown = slot.card if slot else UNKNOWN
        rank = self.rank or (str(shown)[0] if shown.suit else None)
        used = self.table.used(self.cursor)
        return tuple(
            Key(
                suit,
                self.rules.decks
                if rank is None
                else max(0, self.rules.decks - used[Card.parse(rank + suit)]),
                self.rank is None and shown.suit == suit,
            )
            for suit in "SHDC"
        )

    @property
    def full(self) -> bool:
        """Every place of a fresh deal holds a card."""
        return self._next_empty() is None

    def _gone(self, card: Card) -> bool:
        return self.table.used(self.cursor)[card] >= self.rules.decks

    def _length(self, column: int) -> int:
        return len(self.table.columns[column]) if column < len(self.table.columns) else 0

    def _next_empty(self, after: Place | None = None) -> Place | None:
        """The next place of a fresh deal without a card: column by column, the discard last."""
        holes = [
            (column, row)
            for column in range(self.rules.columns)
            for row in range(self.rules.depth)
            if (slot := self.table.at((column, row))) is None or slot.card is UNKNOWN
        ]
        if self.rules.start == "turned" and (
            self.table.discard is None or self.table.discard.card is UNKNOWN
        ):
            holes.append(DISCARD)
        if after is not None and after != DISCARD:
            later = [hole for hole in holes if hole == DISCARD or hole > after]
            holes = later or holes
        return holes[0] if holes else None
