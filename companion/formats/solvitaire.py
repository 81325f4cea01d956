"""The JSON of Solvitaire: `tableau piles`, `hole`, `stock`, the exposed, top or next card last.

Solvitaire keeps only the top of the discard, as `hole`; what lies below is written as `waste`, which
it accepts and doesn't use here.  It knows neither jokers nor unread cards.
"""

from __future__ import annotations

import json
import re
from typing import IO, Any, Final

from companion.formats.counts import hidden_stock
from companion.formats.errors import FormatError
from companion.formats.files import parse_json, read
from companion.game import RANKS, Card, Position, Rules

_CARD: Final = re.compile(r"(1[0-3]|[1-9]|[AJQK])([SHDC])")
_KEYS: Final = frozenset({"tableau piles", "hole", "stock", "waste"})


def load(file: IO[Any], rules: Rules | None = None, *, stock_count: int | None = None) -> Position:
    """The position a file holds; see `loads`."""
    return loads(read(file), rules, stock_count=stock_count)


def loads(text: str, rules: Rules | None = None, *, stock_count: int | None = None) -> Position:
    """The position a JSON text shows.

    Without a `stock` it is face down with `stock_count` cards.  Raises `FormatError` with line and
    token.
    """
    rules = rules or Rules()
    document = parse_json(text)
    if "tableau piles" not in document:
        raise FormatError(f"no {'tableau piles'!r} in: {text.strip()[:40]!r}")
    for key in document:
        if key not in _KEYS:
            raise FormatError(f"golf has no such pile: {key!r}", _line(text, key))
    piles = document["tableau piles"]
    if not isinstance(piles, list):
        raise FormatError(f"the tableau piles are a list of lists: {str(piles)[:40]!r}")
    columns = tuple(_pile(text, pile) for pile in piles)
    discard = _pile(text, document.get("waste", []))
    if "hole" in document:
        discard += (_card(text, document["hole"]),)
    if "stock" in document:
        return Position(rules, columns, discard, _pile(text, document["stock"])[::-1])
    if stock_count is None:
        stock_count = hidden_stock(rules, sum(map(len, columns)), len(discard))
    return Position(rules, columns, discard, None, stock_count)


def dump(position: Position, file: IO[str]) -> None:
    """Writes the JSON of a position; see `dumps`."""
    file.write(dumps(position))


def dumps(position: Position) -> str:
    """The JSON of a position, without a face-down stock.  Raises `FormatError` for jokers and `??`."""
    document: dict[str, object] = {"tableau piles": [_words(column) for column in position.columns]}
    if position.discard:
        document["hole"] = _word(position.discard[-1])
    if len(position.discard) > 1:
        document["waste"] = _words(position.discard[:-1])
    if position.stock is not None:
        document["stock"] = _words(position.stock[::-1])
    lines = [f" {json.dumps(key)}: {_spread(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _spread(value: object) -> str:
    """JSON with a line a pile."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join("  " + json.dumps(pile) for pile in value) + "\n ]"
    return json.dumps(value)


def _words(cards: tuple[Card, ...]) -> list[str]:
    return [_word(card) for card in cards]


def _word(card: Card) -> str:
    if not card.rank:
        raise FormatError(f"solvitaire has no such card: {str(card)!r}")
    return str(card).replace("T", "10")


def _pile(text: str, pile: object) -> tuple[Card, ...]:
    if not isinstance(pile, list):
        raise FormatError(f"a pile is a list of cards: {pile!r}", _line(text, pile))
    return tuple(_card(text, word) for word in pile)


def _card(text: str, word: object) -> Card:
    found = _CARD.fullmatch(word.upper()) if isinstance(word, str) else None
    if found is None:
        raise FormatError(f"not a card: {word!r}", _line(text, word))
    return Card.of(int(found[1]) if found[1].isdigit() else RANKS.index(found[1]) + 1, found[2])


def _line(text: str, word: object) -> int | None:
    """The first line that holds a value as JSON writes it."""
    at = text.find(json.dumps(word, ensure_ascii=False))
    return text.count("\n", 0, at) + 1 if at >= 0 else None
