"""Playing cards: 52 of them, two jokers, and the card that is there but not read.

A card is written rank then suit, `AS`, `TH`, `7C`; jokers are `J1` and `J2`, and `J1=7` once its
player has said that it stands for a seven; an unread card is `??`.  Equal cards are one object.
"""

from __future__ import annotations

import re
from functools import total_ordering
from typing import Final

from companion.game.errors import CardError

RANKS: Final = "A23456789TJQK"
"""The letters of the ranks 1 to 13."""
SUITS: Final = "SHDC"
SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_SUIT_OF_SIGN: Final = {sign: suit for suit, sign in zip(SUITS, "♠♥♦♣", strict=True)} | dict(
    zip("♤♡♢♧", SUITS, strict=True)
)
_CARD: Final = re.compile(r"(10|[A2-9TJQK1])([SHDC])")
_JOKER: Final = re.compile(r"(?:J([12])|(★))(?:=(10|[A2-9TJQK]))?")


@total_ordering
class Card:
    """A card; immutable, hashable, ordered by rank and then suit (S H D C), jokers and `??` last."""

    __slots__ = ("_key", "rank", "stands_for", "suit")
    _interned: dict[str, Card] = {}  # noqa: RUF012 (filled once, below)

    rank: int | None
    """1 (ace) to 13 (king), 0 for a joker, None when unread."""
    suit: str | None
    """`S H D C`, or None for jokers and the unread card."""
    stands_for: int | None
    """The rank a joker's player named, else None."""
    _key: int

    def __init__(self) -> None:
        raise TypeError("cards are made by Card.parse or Card.of")

    @classmethod
    def _make(
        cls, text: str, rank: int | None, suit: str | None, key: int, stands_for: int | None = None
    ) -> Card:
        card = object.__new__(cls)
        for name, value in (("rank", rank), ("suit", suit), ("stands_for", stands_for), ("_key", key)):
            object.__setattr__(card, name, value)
        cls._interned[text] = card
        return card

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards can't be changed: {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cards can't be changed: {name!r}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card a text names.

        Reads both cases, `10` for `T`, suit signs (`10♥`), `★` for the first joker.  Localised
        letters are read by `companion.game.letters.parse`.  Raises `CardError`.
        """
        card = cls._interned.get(text)
        if card is not None:
            return card
        token = text.strip().upper().replace("\ufe0f", "")
        for sign, suit in _SUIT_OF_SIGN.items():
            token = token.replace(sign, suit)
        if (found := _CARD.fullmatch(token)) and found[1] != "1":
            return cls._interned[found[1].replace("10", "T") + found[2]]
        if found := _JOKER.fullmatch(token):
            rank = (found[3] or "").replace("10", "T")
            return cls._interned[f"J{found[1] or 1}" + (f"={rank}" if rank else "")]
        if token in {"?", "??"}:
            return UNKNOWN
        raise CardError(f"not a card: {text!r}")

    @classmethod
    def of(cls, rank: int, suit: str) -> Card:
        """The card of a rank (1 to 13) and a suit (`S H D C`)."""
        if not 1 <= rank <= 13 or suit not in SUITS or len(suit) != 1:
            raise CardError(f"no card has this rank and suit: {(rank, suit)!r}")
        return cls._interned[RANKS[rank - 1] + suit]

    @classmethod
    def joker(cls, number: int, stands_for: int | None = None) -> Card:
        """Joker 1 or 2, standing for a rank (1 to 13) when its player has named one."""
        if number not in (1, 2) or (stands_for is not None and not 1 <= stands_for <= 13):
            raise CardError(f"no such joker: {(number, stands_for)!r}")
        return cls._interned[f"J{number}" + ("" if stands_for is None else f"={RANKS[stands_for - 1]}")]

    @property
    def is_joker(self) -> bool:
        return self.rank == 0

    @property
    def is_red(self) -> bool:
        return self.suit in ("H", "D")

    @property
    def value(self) -> int:
        """The rank that counts in play: 1 to 13, or 0 for a joker that stands for nothing yet.

        Raises `CardError` for the unread card.
        """
        if self.rank is None:
            raise CardError("an unread card has no rank: '??'")
        return self.stands_for or self.rank

    @property
    def plain(self) -> Card:
        """The piece of cardboard: a joker without the rank it stands for, any other card itself."""
        return Card._interned[str(self)[:2]] if self.stands_for else self

    def named(self, rank: int) -> Card:
        """This joker, standing for a rank from 1 to 13."""
        if not self.is_joker:
            raise CardError(f"only a joker can stand for another rank: {str(self)!r}")
        return Card.joker(int(str(self)[1]), rank)

    def short(self, language: str = "en") -> str:
        """The card as people write it, with the letters of a language: `10♥`, `B♠`, `Kn♦`, `★`."""
        from companion.game import letters

        return letters.show(self, language)

    def __str__(self) -> str:
        if self.rank is None:
            return "??"
        if self.rank == 0:
            number = 1 + (self._key - _FIRST_JOKER) // 14
            return f"J{number}" + (f"={RANKS[self.stands_for - 1]}" if self.stands_for else "")
        return f"{RANKS[self.rank - 1]}{self.suit}"

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __lt__(self, other: object) -> bool:
        return self._key < other._key if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return self._key

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.parse, (str(self),)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


_FIRST_JOKER: Final = 52

FULL_DECK: Final[tuple[Card, ...]] = tuple(
    Card._make(RANKS[rank - 1] + suit, rank, suit, 4 * (rank - 1) + place)
    for rank in range(1, 14)
    for place, suit in enumerate(SUITS)
)
"""The 52 cards in order: AS AH AD AC 2S ... KC."""

for _number in (1, 2):
    _first = _FIRST_JOKER + 14 * (_number - 1)
    Card._make(f"J{_number}", 0, None, _first)
    for _rank in range(1, 14):
        Card._make(f"J{_number}={RANKS[_rank - 1]}", 0, None, _first + _rank, _rank)

JOKERS: Final[tuple[Card, Card]] = (Card.parse("J1"), Card.parse("J2"))
UNKNOWN: Final[Card] = Card._make("??", None, None, 80)
"""The card that is there but not read."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text, parted by white space or commas."""
    return tuple(Card.parse(token) for token in text.replace(",", " ").split())
