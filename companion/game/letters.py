"""Card letters of other languages, for what people see and type; stored cards are always `JS QH KD`."""

from __future__ import annotations

import re
from typing import Final

from companion.game.cards import RANKS, SUIT_SIGNS, Card
from companion.game.errors import CardError

LETTERS: Final[dict[str, dict[str, str]]] = {
    "en": {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    "de": {"A": "A", "J": "B", "Q": "D", "K": "K"},
    "sv": {"A": "E", "J": "Kn", "Q": "D", "K": "K"},
    "fr": {"A": "A", "J": "V", "Q": "D", "K": "R"},
}
"""For each language the letters of ace, jack, queen and king."""

_SUIT_WORDS: Final[dict[str, str]] = {
    "SPADES": "S", "HEARTS": "H", "DIAMONDS": "D", "CLUBS": "C",
    "PIK": "S", "HERZ": "H", "KARO": "D", "KREUZ": "C",
    "SPADER": "S", "HJÄRTER": "H", "RUTER": "D", "KLÖVER": "C",
    "SPADE": "S", "HEART": "H", "DIAMOND": "D", "CLUB": "C",
    "PIQUE": "S", "CŒUR": "H", "COEUR": "H", "CARREAU": "D", "TRÈFLE": "C", "TREFLE": "C",
}  # fmt: skip
_RANK_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {"ACE": "A", "JACK": "J", "QUEEN": "Q", "KING": "K"},
    "de": {"ASS": "A", "BUBE": "J", "DAME": "Q", "KÖNIG": "K"},
    "sv": {"ESS": "A", "KNEKT": "J", "DAM": "Q", "KUNG": "K"},
    "fr": {"AS": "A", "VALET": "J", "DAME": "Q", "ROI": "K"},
}


def rank_letter(rank: int, language: str = "en") -> str:
    """The letter, or number, of a rank from 1 to 13: `A 2 ... 10 B D K`."""
    letter = RANKS[rank - 1]
    return "10" if letter == "T" else _letters(language).get(letter, letter)


def show(card: Card, language: str = "en") -> str:
    """A card as people write it: `10♥`, `B♠`, `★`, `★=7`; `??` when unread."""
    if card.rank is None:
        return "??"
    if card.is_joker:
        return "★" + (f"={rank_letter(card.stands_for, language)}" if card.stands_for else "")
    return rank_letter(card.value, language) + SUIT_SIGNS[card.suit or ""]


def parse(text: str, language: str = "en") -> Card:
    """The card a text names with the letters or words of a language: `B♠`, `KnS`, `Pik 2`, `hjärter ess`.

    What `Card.parse` reads is read too, as long as the language doesn't use the letter otherwise:
    in German `D♥` is the queen of hearts, and so is `QH`.  Raises `CardError`.
    """
    token = re.sub(r"\s+", " ", text.strip().upper().replace("\ufe0f", ""))
    words = token.split(" ")
    if len(words) == 2:
        suit = next((_SUIT_WORDS[word] for word in words if word in _SUIT_WORDS), None)
        rank = next((word for word in words if word not in _SUIT_WORDS), None)
        if suit is None or rank is None:
            raise CardError(f"not a card: {text!r}")
        token = rank + suit
    for sign, suit in zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True):
        token = token.replace(sign, suit)
    own = {shown.upper(): letter for letter, shown in _letters(language).items()}
    own |= _RANK_WORDS[language]
    rank = own.get(token[:-1], token[:-1])
    try:
        return Card.parse(rank + token[-1:])
    except CardError:
        raise CardError(f"not a card: {text!r}") from None


def check_language(language: str) -> None:
    """Raises `CardError` for a language whose card letters aren't known."""
    _letters(language)


def _letters(language: str) -> dict[str, str]:
    try:
        return LETTERS[language]
    except KeyError:
        raise CardError(f"no card letters are known for this language: {language!r}") from None
