"""What an audit says, in the languages of the companion.

A reason is a code and what it is about; a sentence is made of it only where it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.engine.audit.words import de, en, sv
from companion.game import UNKNOWN, Card

TEXTS: Final[Mapping[str, Mapping[str, str]]] = {"en": en.TEXTS, "de": de.TEXTS, "sv": sv.TEXTS}
"""For each language the sentences by code.  `{n:card|cards}` is a number with its noun."""


_LANGUAGES: Final = {"en": en, "de": de, "sv": sv}


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks in a sentence: each with how many there are, 0 for all of them, -1 for any one.

    ranks: ace 0 to king 12, joker 13, each with its number.
    """

    ranks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A card of which only the rank is known: it was drawn unseen."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so.

    code: a key of `TEXTS`; values: what the sentence names: numbers, cards, other reasons.  Columns and
    tables are counted from 1, as people do.
    """

    code: str
    values: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, code: str, **values: object) -> Reason:
        return cls(code, tuple(values.items()))

    def __str__(self) -> str:
        return say(self)


def say(reason: Reason, language: str = "en", card: Callable[[Card], str] = str) -> str:
    """The sentence of a reason, in English where there is none in a language; card: how cards are written."""
    words: Any = _LANGUAGES.get(language, en)
    texts: Mapping[str, str] = words.TEXTS

    def shown(value: object) -> object:
        if isinstance(value, Reason):
            return say(value, language, card)
        if isinstance(value, Ranks):
            between = words.OR if any(count < 0 for _, count in value.ranks) else words.AND
            return between.join(_ranks(words.RANKS[rank], count) for rank, count in value.ranks)
        if isinstance(value, tuple):
            between = "; " if value and isinstance(value[0], Reason) else ", "
            return between.join(str(shown(one)) for one in value)
        if isinstance(value, Guess):
            return f"{card(value.card)[:-1]}?" if value.card.suit else card(value.card)
        if isinstance(value, Card):
            return texts["unread-card"] if value is UNKNOWN else card(value)
        return _Number(value) if isinstance(value, int) else value

    return texts[reason.code].format(**{name: shown(value) for name, value in reason.values})


def _ranks(names: tuple[str, str, str], count: int) -> str:
    one, many, every = names
    if count < 1:
        return one if count else every
    return f"{count} {one if count == 1 else many}"


class _Number(int):
    """A number that is written with its noun: `{n:card|cards}`."""

    def __format__(self, nouns: str) -> str:
        if not nouns:
            return str(int(self))
        one, many = nouns.split("|")
        return f"{int(self)} {one if abs(self) == 1 else many}"


__all__ = ["TEXTS", "Guess", "Ranks", "Reason", "say"]
