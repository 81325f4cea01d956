"""The grid that is being entered for a hole of the other game: points, or cards typed or photographed."""

from __future__ import annotations

import asyncio
from typing import Any

from companion.app.services.reader import Reader
from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.trouble import EXPECTED, Trouble
from companion.formats import scan
from companion.game import RANKS, Card
from companion.game.grid import Grid, GridError, GridRules, score

JOKER = "*"


class GridEntry(Model):
    """What was typed so far; kept for the cell it belongs to."""

    def __init__(self, memory: Memory, reader: Reader, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._reader = reader
        known = memory.load("grid") or {}
        self.way = "cards" if known.get("way") == "cards" else "points"
        self.letters = "".join(letter for letter in str(known.get("letters", "")) if letter in RANKS + JOKER)
        """The ranks, row by row from the far row; a joker is `*`."""
        self.ended = bool(known.get("ended"))
        self.reading = False
        self.doubts: tuple[Card, ...] = ()
        """Cards of the photo that were read without being sure."""
        self.trouble: Trouble | None = None
        self._token = 0

    def choose(self, way: str) -> None:
        """Enter `points`, or the `cards`."""
        self.way = way
        self._keep()

    def press(self, letter: str, rules: GridRules) -> None:
        """The next card of the grid."""
        if len(self.letters) < rules.cards:
            self.letters += letter
            self._keep()

    def back(self) -> None:
        """Take the last card away."""
        self.letters = self.letters[:-1]
        self.doubts = ()
        self._keep()

    def end(self, ended: bool) -> None:
        """Whether the player had all cards up first."""
        self.ended = ended
        self._keep()

    def refuse(self, why: Trouble) -> None:
        """Say why no photo came."""
        self.trouble = why
        self.changed()

    def clear(self) -> None:
        """Begin anew, for another hole."""
        self._token += 1
        self.letters, self.ended, self.doubts, self.trouble, self.reading = "", False, (), None, False
        self._keep()

    def text(self, rules: GridRules) -> str:
        """The grid as it is written: `7 K 5 / 7 2 Q`."""
        rows = (self.letters[at : at + rules.columns] for at in range(0, len(self.letters), rules.columns))
        return " / ".join(" ".join(row) for row in rows)

    def points(self, rules: GridRules) -> int | None:
        """What the grid is worth, once every card is there."""
        if len(self.letters) != rules.cards:
            return None
        try:
            return score(Grid.parse(self.text(rules)), rules)
        except GridError:
            return None

    async def read(self, photo: bytes, rules: GridRules) -> bool:
        """Read the cards of a photo in a thread; False, and `trouble`, where it is no such grid."""
        self._token += 1
        token = self._token
        self.reading, self.trouble, self.doubts = True, None, ()
        self.changed()
        try:
            document = await asyncio.to_thread(self._reader.read, photo)
            found = scan.grid(document)
            letters = _letters(found)
            if len(letters) != rules.cards:
                raise GridError(
                    f"these rules play with {rules.cards} cards, not with {len(letters)}",
                    code="grid-cards",
                    n=rules.cards,
                )
        except Exception as error:
            if token != self._token:
                return False
            self.reading = False
            self.trouble = Trouble.of(error) if isinstance(error, EXPECTED) else None
            self.changed()
            if self.trouble is None:
                raise
            return False
        if token != self._token:
            return False
        self.letters, self.reading = letters, False
        self.doubts = _doubts(document)
        self._keep()
        return True

    def _keep(self) -> None:
        self.trouble = None
        self._memory.save("grid", {"way": self.way, "letters": self.letters, "ended": self.ended})
        self.changed()


def _letters(grid: Grid) -> str:
    return "".join(
        JOKER if rank == 0 else RANKS[rank - 1]
        for row in grid.rows
        for rank in (cell if isinstance(cell, int) else cell.rank or 0 for cell in row)
    )


def _doubts(document: dict[str, Any]) -> tuple[Card, ...]:
    return tuple(Card.parse(card["card"]) for card in document["cards"] if not card.get("sure", True))
