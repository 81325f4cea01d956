"""The JSON of `companion scan` (`companion.scan/1`) as a position, or as a grid of the other game."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import IO, Any

from companion.formats.counts import hidden_stock
from companion.formats.errors import FormatError
from companion.formats.files import parse_json, read
from companion.game import UNKNOWN, Card, CardError, Position, Rules
from companion.game.grid import Grid, GridCell, arrange

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


def grid(document: Mapping[str, Any]) -> Grid:
    """The cards of a scan as a grid of the other game: four, six or nine of them in straight rows.

    Raises `FormatError` where a card wasn't read, `GridError` where they lie otherwise.
    """
    turn = math.radians(float((document.get("image") or {}).get("player") or 0.0))
    places: list[tuple[float, float, GridCell]] = []
    for card in document.get("cards") or ():
        corners = card.get("outline") or card.get("index")
        if card["card"] == str(UNKNOWN) or not corners:
            raise FormatError("not every card of the grid could be read", code="grid-unread")
        x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
        # As the player sees them, whichever way the camera was held.
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        places.append((x, y, Card.parse(card["card"])))
    return arrange(places)
