"""BOARD arguments as tables to be audited: what was seen, and how sure each card is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.cli import boards
from companion.engine.audit import Seen, Table
from companion.formats import FormatError
from companion.formats.files import decode, parse_json
from companion.game import Card, Position, PositionError, Rules
from companion.game.letters import parse as parse_card

if TYPE_CHECKING:
    from companion.vision import Photo, Scan


@dataclass(frozen=True)
class Loaded:
    """A table with what it was read from."""

    name: str
    table: Table
    position: Position
    photo: Photo | None = None
    scan: Scan | None = None


def load_table(board: str, rules: Rules, *, stock_count: int | None = None, language: str = "en") -> Loaded:
    """The table a BOARD argument names.  Raises `FormatError`, `PositionError`, `OSError`."""
    if not boards.is_deal_number(board):
        data = boards.read(board)
        if boards.is_photo(data):
            return _photographed(board, data, rules, stock_count)
        text = decode(data) if len(data) <= boards.LARGEST_TEXT else ""
        if text.lstrip("\ufeff \r\n\t").startswith("{"):
            document = parse_json(text)
            if "schema" in document:
                return _scanned(board, document, rules, stock_count)
        return _written(board, data, rules, stock_count, language)
    position = boards.load_position(board, rules, stock_count=stock_count, language=language)
    return Loaded(board, Table.of(position), position)


def load_pile(path: str, rules: Rules, language: str = "en") -> tuple[Seen, ...]:
    """The cards of a fanned discard, typed or photographed, in the order they are read."""
    data = boards.read(path)
    if not boards.is_photo(data):
        text = re.sub(r"^\s*(?:#.*|foundations?\s*:)", "", decode(data), flags=re.M | re.I)
        words = text.replace(",", " ").split()
        if not words:
            raise PositionError(f"there are no cards in the pile: {path!r}")
        return tuple(_seen(parse_card(word, language)) for word in words)
    from companion.vision import scan_photo
    from companion.vision.fan import fanned

    scan = scan_photo(data, decks=rules.decks, jokers=rules.jokers)
    cards = fanned(scan.cards)
    if not cards:
        causes = [problem.message for problem in scan.problems] or ["no cards were found"]
        raise PositionError(f"no pile can be read on the photo, {'; '.join(causes)}: {path!r}")
    return tuple(Seen.from_scan(card.document()) for card in cards)


def _seen(card: Card) -> Seen:
    return Seen(card, None if card.rank is None else ())


def _written(board: str, data: bytes, rules: Rules, stock_count: int | None, language: str) -> Loaded:
    known = True
    try:
        position = boards.read_position(data, board, rules, stock_count=stock_count, language=language)
    except FormatError as error:
        if "how many cards the stock holds" not in str(error):
            raise
        # It isn't needed: the fewest draws tell enough.
        known = False
        position = boards.read_position(data, board, rules, stock_count=0, language=language)
    return Loaded(board, Table.of(position, count_known=known), position)


def _scanned(board: str, document: dict[str, Any], rules: Rules, stock_count: int | None) -> Loaded:
    table = Table.from_scan(document, rules, stock_count=stock_count)
    return Loaded(board, table, table.position())


def _photographed(board: str, data: bytes, rules: Rules, stock_count: int | None) -> Loaded:
    from companion.vision import open_photo, scan_pixels

    photo = open_photo(data)
    scan = scan_pixels(photo, decks=rules.decks, jokers=rules.jokers)
    if not scan.columns and not scan.discard:
        causes = [problem.message for problem in scan.problems] or ["no cards were found"]
        raise PositionError(f"no table can be read on the photo, {'; '.join(causes)}: {board!r}")
    loaded = _scanned(board, scan.document(), rules, stock_count)
    return replace(loaded, photo=photo, scan=scan)


__all__ = ["Loaded", "load_pile", "load_table"]
