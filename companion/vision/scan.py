"""A photo in, a table out: opens, finds, reads, lays out and names."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.game import Card, Position, Rules

from .assign import Name, name_cards
from .models import Models, load_models
from .photo import Photo, open_photo
from .quality import find_problems
from .table import Place, Table, arrange
from .types import JOKERS, UNREAD, Finds, PhotoProblem, Quad

SCHEMA = "companion.scan/1"

_TOLD_BY_A_SCAN = ("card-twice", "rank-too-often", "unread-card", "too-many-columns", "column-too-long")
"""Problems of a position that hang on the cards alone; the others need the game that was tracked."""


@dataclass(frozen=True, slots=True)
class ScannedCard:
    """One card as it was read.

    `where` is "column", "discard" or "loose"; `column` and `row` count from 0, the buried card first, and
    are None for loose cards.  `index` and `outline` are corners in pixels of the photo, of the clearest
    index and of the whole card; None for a card that must lie there but was not found.
    """

    card: str
    confidence: float
    sure: bool
    where: str
    column: int | None
    row: int | None
    index: Quad | None
    outline: Quad | None
    alternatives: tuple[tuple[str, float], ...] = ()
    rank_confidence: float = 0.0

    def document(self) -> dict[str, Any]:
        return {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "where": self.where,
            "column": self.column,
            "row": self.row,
            "index": _rounded(self.index),
            "outline": _rounded(self.outline),
            "alternatives": [list(other) for other in self.alternatives],
        }


@dataclass(frozen=True, slots=True)
class Scan:
    """A table as it was read; `turned` is what EXIF turned the photo, `player` the degrees clockwise that
    it has to be turned further for the player to sit at its bottom."""

    width: int
    height: int
    turned: int
    player: float
    cards: tuple[ScannedCard, ...]
    stock_seen: bool
    stock_count: int | None
    problems: tuple[PhotoProblem, ...]
    seconds: dict[str, float]

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """From left to right as the player sees them, the buried card first; empty columns are left out."""
        found: dict[int, list[str]] = {}
        for card in self.cards:
            if card.where == "column" and card.column is not None:
                found.setdefault(card.column, []).append(card.card)
        return tuple(tuple(found[column]) for column in sorted(found))

    @property
    def discard(self) -> str | None:
        """The top of the discard, None when there is none."""
        pile = [card.card for card in self.cards if card.where == "discard"]
        return pile[-1] if pile else None

    @property
    def loose(self) -> tuple[str, ...]:
        return tuple(card.card for card in self.cards if card.where == "loose")

    def document(self) -> dict[str, Any]:
        """The JSON document of the contract, `companion.scan/1`."""
        return {
            "schema": SCHEMA,
            "image": {
                "width": self.width,
                "height": self.height,
                "turned": self.turned,
                "player": round(self.player, 1),
            },
            "columns": [list(column) for column in self.columns],
            "discard": self.discard,
            "stock": {"seen": self.stock_seen, "count": self.stock_count},
            "cards": [card.document() for card in self.cards],
            "problems": [
                {"code": problem.code, "cards": list(problem.cards), "message": problem.message}
                for problem in self.problems
            ],
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
        }

    def to_json(self) -> str:
        return json.dumps(self.document(), ensure_ascii=False)


def scan_photo(
    source: bytes | str | Path, *, decks: int = 1, jokers: int = len(JOKERS), models: Models | None = None
) -> Scan:
    """Reads the table on a photo, given as a path or as the bytes of its file.

    `decks` and `jokers` say how often each card and a joker can be on the table.
    Raises `PhotoError`, `ModelError`, and `OSError` when the path can't be read.
    """
    clock = Clock()
    photo = open_photo(source)
    clock.stop("load")
    models = models or load_models()
    clock.stop("models")
    return scan_pixels(photo, decks=decks, jokers=jokers, models=models, clock=clock)


def scan_pixels(
    photo: Photo,
    *,
    decks: int = 1,
    jokers: int = len(JOKERS),
    models: Models | None = None,
    clock: Clock | None = None,
) -> Scan:
    """Reads the table on an opened photo; see `scan_photo`."""
    models, clock = models or load_models(), clock or Clock()
    finds = models.finder.find(photo.pixels)
    clock.stop("detect")
    readings = models.reader.read(photo.pixels, finds.signs)
    clock.stop("read")
    table = arrange(finds, readings, (photo.pixels.shape[1], photo.pixels.shape[0]))
    names = name_cards(
        [p.names for p in table.places], real=[p.real for p in table.places], decks=decks, jokers=jokers
    )
    cards = tuple(_card(place, name, photo.scale) for place, name in zip(table.places, names, strict=True))
    scan = Scan(
        photo.width, photo.height, photo.turned, table.turn, cards, bool(finds.backs), None, (), clock.seconds
    )
    scan = replace(scan, stock_count=_stock_count(scan, decks))
    problems = _photo_problems(photo, finds, table) + _table_problems(scan, decks)
    clock.stop("table")
    return replace(scan, problems=problems)


class Clock:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def stop(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage], self._since = now - self._since, now


def _card(place: Place, name: Name, scale: float) -> ScannedCard:
    return ScannedCard(
        card=name.card,
        confidence=name.confidence,
        sure=name.sure,
        where=place.where,
        column=place.column,
        row=place.row,
        index=_scaled(place.index, scale),
        outline=_scaled(place.outline, scale),
        alternatives=name.alternatives,
        rank_confidence=name.rank_confidence,
    )


def _scaled(quad: Quad | None, scale: float) -> Quad | None:
    if quad is None or scale == 1:
        return quad
    a, b, c, d = ((x * scale, y * scale) for x, y in quad)
    return (a, b, c, d)


def _rounded(quad: Quad | None) -> list[list[float]] | None:
    return None if quad is None else [[round(x, 1), round(y, 1)] for x, y in quad]


def _stock_count(scan: Scan, decks: int) -> int | None:
    """What the deal leaves in the stock while no card has left the columns."""
    rules = Rules() if decks == 1 else Rules.parse("double")
    in_columns = [len(column) for column in scan.columns]
    return rules.stock_size if in_columns == [rules.depth] * rules.columns else None


def _photo_problems(photo: Photo, finds: Finds, table: Table) -> tuple[PhotoProblem, ...]:
    return find_problems(photo.pixels, finds, [place.outline for place in table.places if place.outline])


def _table_problems(scan: Scan, decks: int) -> tuple[PhotoProblem, ...]:
    if not scan.columns:
        unread: Sequence[str] = [card for card in scan.loose if card == UNREAD]
        return (
            (PhotoProblem("unread-card", f"{len(unread)} cards not read", tuple(unread)),) if unread else ()
        )
    rules = Rules() if decks == 1 else Rules.parse("double")
    columns = tuple(tuple(map(Card.parse, column)) for column in scan.columns)
    discard = (Card.parse(scan.discard),) if scan.discard else ()
    return tuple(
        PhotoProblem(problem.code, problem.message, tuple(map(str, problem.cards)))
        for problem in Position(rules, columns, discard).problems()
        if problem.code in _TOLD_BY_A_SCAN
    )
