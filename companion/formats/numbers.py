"""PySolFC's deal numbers: `906`, `pysolfc:906`, `ms:11982`, `pysol:24`; the library pysol-cards shuffles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import IO, Any, Final

from companion.formats.errors import FormatError
from companion.formats.files import read
from companion.game import Card, Position, Rules

GENERATORS: Final = ("pysol", "pysolfc", "ms")
"""The shuffles: of old PySol, of PySolFC, of Microsoft FreeCell.  They differ above 32000."""
_LARGEST: Final = {"pysol": 2**64 - 1, "pysolfc": 10**20, "ms": 2**33 - 1}
_NUMBER: Final = re.compile(r"(?:golf\s+)?(?:(pysolfc|pysol|ms)\s*[:#]?\s*|#)?(\d{1,21})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DealNumber:
    """A numbered deal; raises `FormatError` for a number that the shuffle doesn't have."""

    number: int
    generator: str = "pysolfc"

    def __post_init__(self) -> None:
        if self.generator not in GENERATORS:
            raise FormatError(f"the shuffles are {', '.join(GENERATORS)}, not: {self.generator!r}")
        if not 1 <= self.number <= _LARGEST[self.generator]:
            raise FormatError(f"deals run from 1 to {_LARGEST[self.generator]}, not: {self.number!r}")

    def deal(self, rules: Rules | None = None) -> Position:
        """The fresh deal of this number, stock known, as PySolFC lays it out.

        Raises `FormatError` for jokers, which the numbers don't deal.
        """
        from pysol_cards.cards import createCards
        from pysol_cards.random import shuffle

        rules = rules or Rules()
        if rules.jokers:
            raise FormatError(f"numbered deals have no jokers, and these rules do: {str(rules)!r}")
        deck = shuffle(createCards(rules.decks), self.number, GENERATORS.index(self.generator))
        cards = [Card.of(card.rank, card.suit_s()) for card in reversed(deck)]
        return Position.deal(rules, cards)

    def __str__(self) -> str:
        return f"{self.generator}:{self.number}"


def is_number(text: str) -> bool:
    """Whether a text has the form of a deal number."""
    return _NUMBER.fullmatch(text.strip()) is not None


def load(file: IO[Any]) -> DealNumber:
    """The deal number a file holds; see `loads`."""
    return loads(read(file))


def loads(text: str) -> DealNumber:
    """The deal number a text names.  Raises `FormatError`."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        raise FormatError(f"not a deal number, as in {'pysolfc:906'!r}: {text.strip()[:40]!r}", 1)
    return DealNumber(int(found[2]), (found[1] or "pysolfc").lower())


def dump(deal: DealNumber, file: IO[str]) -> None:
    """Writes a deal number and a line end."""
    file.write(dumps(deal) + "\n")


def dumps(deal: DealNumber) -> str:
    """A deal number as `loads` reads it."""
    return str(deal)
