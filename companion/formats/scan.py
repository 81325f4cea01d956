"""The JSON of `companion scan` (`companion.scan/1`) as a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from companion.formats.counts import hidden_stock
from companion.formats.errors import FormatError
from companion.formats.files import parse_json, read
from companion.game import Card, CardError, Position, Rules

SCHEMA = "companion.scan/1"


def load(file: IO[Any], rules: Rules | None = None, *, stock_count: int | None = None) -> Position:
    """The position a scan file holds; see `loads`."""
    return loads(read(file), rules, stock_count=stock_count)


def loads(text: str, rules: Rules | None = None, *, stock_count: int | None = None) -> Position:
    """The position a scan shows.  Raises `FormatError`."""
    return position(parse_json(text), rules, stock_count=stock_count)


def position(
    document: Mapping[str, Any], rules: Rules | None = None, *, stock_count: int | None = None
) -> Position:
    """The position of a scan given as its JSON document.

    The stock lies face down.  Its count is `stock_count`, else what the scan says, else what the
    table tells; a table that isn't fresh may tell nothing, which raises `FormatError`.
    """
    rules = rules or Rules()
    if document.get("schema") != SCHEMA:
        raise FormatError(f"not a scan of the schema {SCHEMA}: {document.get('schema')!r}")
    try:
        columns = tuple(tuple(Card.parse(word) for word in column) for column in document["columns"])
        top = document["discard"]
        discard = (Card.parse(top),) if top else ()
        count = stock_count if stock_count is not None else (document.get("stock") or {}).get("count")
    except CardError as error:
        raise FormatError(str(error)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"a scan has columns and a discard: {error!r}") from None
    if count is None:
        count = hidden_stock(rules, sum(map(len, columns)), len(discard))
    return Position(rules, columns, discard, None, count)
