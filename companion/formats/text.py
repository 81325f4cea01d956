"""Board text, the format of PySolFC and black-hole-solver.

    Talon: 6D KC KS       the stock, next card first; a number when it is face down; "-" when used up
    Foundations: 5S       the discard, top last; "-" when empty
    9D TS 5C 7D 7H        a line a column, exposed card last; ":" alone for an empty column

Both first lines may be missing.  Read as well: `10` for `T`, lower case, suit signs, a `:` before a
column, `<KS>` (face down, but known), `??`, commas, blank lines, and lines that start with `#`.
A top card of the discard in brackets, `KS <QH>`, is a queen that was drawn and not played onto her king.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final

from companion.formats.counts import hidden_stock
from companion.formats.errors import FormatError
from companion.formats.files import read
from companion.game import UNKNOWN, Card, CardError, Position, Rules
from companion.game.letters import parse as parse_card

_STOCK: Final = {"talon", "stock", "vorrat", "talong"}
_DISCARD: Final = {"foundations", "foundation", "discard", "waste", "hole", "ablage", "abwurf", "avläggning"}
_HEAD: Final = re.compile(r"\s*([^\W\d_]+)\s*:(.*)")


def load(
    file: IO[Any], rules: Rules | None = None, *, stock_count: int | None = None, language: str = "en"
) -> Position:
    """The position a file holds; see `loads`."""
    return loads(read(file), rules, stock_count=stock_count, language=language)


def loads(
    text: str, rules: Rules | None = None, *, stock_count: int | None = None, language: str = "en"
) -> Position:
    """The position a board text shows.

    rules: `strict` when left out; stock_count: what a face-down stock holds, where the text doesn't
    say; language: whose card letters are read besides `J Q K` (see `companion.game.letters`).
    Raises `FormatError` with line and token; what is wrong with the table itself is for
    `Position.problems`.
    """
    rules = rules or Rules()
    columns: list[tuple[Card, ...]] = []
    discard: tuple[Card, ...] = ()
    stock: tuple[Card, ...] | None = None
    drawn = False
    seen: set[str] = set()
    for number, line in _lines(text):
        kind, rest = _head(line, number)
        if kind in seen:
            raise FormatError(f"a second line of this kind: {line!r}", number)
        seen.add(kind)
        if kind == "stock" and (count := re.fullmatch(r"\s*(\d{1,3})\s*", rest)):
            stock_count = int(count[1])
        elif kind == "stock":
            stock = _cards(rest, number, language)
        elif kind == "discard":
            discard = _cards(rest, number, language)
            drawn = rules.on_king == "queen_only" and rest.rstrip().endswith(">")
        else:
            seen.discard(kind)
            columns.append(_cards(rest, number, language))
    if not columns:
        raise FormatError(f"no columns (a line of ':' is an empty one): {text.strip()[:40]!r}")
    if stock and all(card is UNKNOWN for card in stock):
        stock_count = len(stock)
        stock = None
    if stock is None and stock_count is None and not rules.stock_size:
        stock = ()
    if stock is not None:
        return Position(rules, tuple(columns), discard, stock, drawn=drawn)
    if stock_count is None:
        stock_count = hidden_stock(rules, sum(map(len, columns)), len(discard))
    return Position(rules, tuple(columns), discard, None, stock_count, drawn)


def dump(position: Position, file: IO[str]) -> None:
    """Writes the board text of a position; see `dumps`."""
    file.write(dumps(position))


def dumps(position: Position) -> str:
    """The board text of a position, as PySolFC and black-hole-solver read it.

    A face-down stock is written as the number of its cards, which only this program reads; Black
    Hole, which has no stock, has no such line.
    """
    lines = []
    if position.stock:
        lines.append("Talon: " + _words(position.stock))
    elif position.stock is None:
        lines.append(f"Talon: {position.stock_count}")
    elif position.rules.stock_size:
        lines.append("Talon: -")
    discard = [str(card) for card in position.discard]
    if position.drawn:
        discard[-1] = f"<{discard[-1]}>"
    lines.append("Foundations: " + (" ".join(discard) or "-"))
    lines += [_words(column) or ":" for column in position.columns]
    return "".join(line + "\n" for line in lines)


def _words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def _head(line: str, number: int) -> tuple[str, str]:
    """Which kind of line it is, and what follows its name."""
    head = _HEAD.fullmatch(line)
    if head is None:
        return "column", line.strip().removeprefix(":")
    name = head[1].lower()
    if name in _STOCK:
        return "stock", head[2]
    if name in _DISCARD:
        return "discard", head[2]
    raise FormatError(f"golf has no such pile: {head[1]!r}", number)


def _cards(text: str, number: int, language: str) -> tuple[Card, ...]:
    tokens = text.replace(",", " ").split()
    if tokens in (["-"], []):
        return ()
    cards = []
    for token in tokens:
        bare = token[1:-1] if token[:1] == "<" and token[-1:] == ">" else token
        try:
            cards.append(parse_card(bare, language))
        except CardError:
            raise FormatError(f"not a card: {token!r}", number) from None
    return tuple(cards)
