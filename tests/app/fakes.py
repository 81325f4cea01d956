"""What stands in for the parts behind the app: a reader without models, an adviser, an auditor."""

from __future__ import annotations

import io
import itertools
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from companion.app.services.adviser import Hint, Line
from companion.app.services.auditor import Finding
from companion.app.state.app import AppState, Services
from companion.app.state.memory import Memory, NoMemory
from companion.app.state.table import Table
from companion.game import FULL_DECK, Card, Draw, Play, Position, Rules, legal_moves
from companion.store import Store


def deal(seed: int = 5, rules: Rules | None = None) -> Position:
    """A fresh table, stock known."""
    rules = rules or Rules()
    cards = list(FULL_DECK)
    random.Random(seed).shuffle(cards)
    return Position.deal(rules, cards, by="columns")


def document(
    position: Position,
    wrong: dict[tuple[int, int], str] | None = None,
    unsure: Sequence[tuple[int, int]] = (),
) -> dict[str, Any]:
    """A scan of a table; `wrong` names cards that are misread, `unsure` places that are not sure."""
    cards, columns = [], []
    for number, column in enumerate(position.columns):
        names = []
        for row, card in enumerate(column):
            name = (wrong or {}).get((number, row), str(card))
            names.append(name)
            x, y = 60 + number * 200, 40 + row * 110
            cards.append(
                {
                    "card": name,
                    "confidence": 0.4 if (number, row) in unsure else 0.99,
                    "sure": (number, row) not in unsure,
                    "where": "column",
                    "column": number,
                    "row": row,
                    "index": [[x, y], [x + 50, y], [x + 50, y + 95], [x, y + 95]],
                    "outline": None,
                    "alternatives": [[str(card), 0.3]] if (number, row) in unsure else [],
                }
            )
        if names:
            columns.append(names)
    top = position.top
    if top:
        cards.append(
            {
                "card": str(top),
                "confidence": 0.99,
                "sure": True,
                "where": "discard",
                "column": None,
                "row": None,
                "index": [[700, 900], [750, 900], [750, 995], [700, 995]],
                "outline": None,
                "alternatives": [],
            }
        )
    return {
        "schema": "companion.scan/1",
        "image": {"width": 1600, "height": 1200, "turned": 0},
        "columns": columns,
        "discard": str(top) if top else None,
        "stock": {"seen": True, "count": position.stock_count},
        "cards": cards,
        "problems": [],
        "seconds": {},
    }


def photo(width: int = 1600, height: int = 1200) -> bytes:
    picture = io.BytesIO()
    Image.effect_noise((width // 8, height // 8), 60).resize((width, height)).convert("RGB").save(
        picture, "JPEG"
    )
    return picture.getvalue()


class FakeReader:
    """Answers with the next document of a list, the last one again and again."""

    def __init__(self, *documents: dict[str, Any], seconds: float = 0.0) -> None:
        self.documents = list(documents)
        self.seconds = seconds
        self.packs: tuple[int, int] | None = None
        """Decks and jokers that the last photo was read with."""

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        self.packs = decks, jokers
        time.sleep(self.seconds)
        return self.documents.pop(0) if len(self.documents) > 1 else self.documents[0]

    def warm(self) -> None: ...


class FakeAdviser:
    """Plays from the left, and draws when stuck."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.asked: list[str] = []

    def warm(self) -> None: ...

    def advise(self, position: Position, aim: str) -> Hint:
        time.sleep(self.seconds)
        self.asked.append(aim)
        lines = []
        for at, move in enumerate(legal_moves(position)):
            card = position.exposed[move.column] if isinstance(move, Play) else None
            lines.append(Line(move, card, 6.0 + at, 0.1 / (1 + at), 0.3 if aim.startswith("<=") else None))
        first = next((line.card for line in lines if line.card), None)
        run: tuple[Card, ...] = (first,) if first and not isinstance(lines[0].move, Draw) else ()
        return Hint(tuple(lines), run, False, aim)


class FakeAuditor:
    """Takes any step for legal that takes no more than five cards away, and none back."""

    def check(self, tables: Sequence[Table], rules: Rules) -> tuple[Finding, ...]:
        found = []
        for before, after in itertools.pairwise(tables):
            gone = before.count - after.count
            found.append(Finding("legal" if 0 <= gone <= 5 else "impossible", moves=("7H",) * max(0, gone)))
        return tuple(found)


def make_app(
    store: Store,
    memory: Memory | None = None,
    reader: FakeReader | None = None,
    adviser: FakeAdviser | None = None,
) -> AppState:
    services = Services(adviser or FakeAdviser(), reader or FakeReader(document(deal())), FakeAuditor())
    return AppState(store, memory or NoMemory(), services)


def open_store(folder: Path) -> Store:
    return Store.open(folder / "rounds.db", backups=False)
