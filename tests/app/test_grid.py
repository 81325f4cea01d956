"""The grid of the other game: typed, photographed, and found again after a restart."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from companion.app.state.app import AppState
from companion.app.state.card import Cell
from companion.app.state.memory import NoMemory
from companion.store import Store
from tests.app.fakes import FakeReader, make_app, photo

GRID = (("7S", "KH", "5D"), ("7C", "2S", "QD"))


def grid_document(rows: tuple[tuple[str, ...], ...] = GRID, unsure: str = "") -> dict[str, Any]:
    """A scan of cards in straight rows."""
    cards = [
        {
            "card": card,
            "confidence": 0.9,
            "sure": card != unsure,
            "where": "loose",
            "column": None,
            "row": None,
            "index": [[x, y], [x + 20, y], [x + 20, y + 40], [x, y + 40]],
            "outline": None,
            "alternatives": [],
        }
        for row, line in enumerate(rows)
        for x, y, card in [(100 + 200 * at, 100 + 300 * row, card) for at, card in enumerate(line)]
    ]
    return {"schema": "companion.scan/1", "image": {"player": 0.0}, "cards": cards[::-1], "columns": []}


def grid_app(store: Store, reader: FakeReader, memory: NoMemory | None = None) -> AppState:
    app = make_app(store, memory, reader)
    if app.card.round is None:
        app.card.draft.set(game="grid", players=["Anna", "Bo"])
        app.card.begin(["Anna", "Bo"], app.card.draft.grid_rules(), form="stroke")
    return app


async def test_a_photographed_grid_is_scored(store: Store) -> None:
    app = grid_app(store, FakeReader(grid_document(unsure="QD")))
    round, entry = app.card.round, app.card.grid
    assert round is not None
    app.card.select(Cell(round.players[0].id, 1))
    assert await entry.read(photo(), round.rules)  # type: ignore[arg-type]
    assert entry.letters == "7K572Q"
    assert [str(card) for card in entry.doubts] == ["QD"]
    assert app.card.enter_grid(entry.text(round.rules))  # type: ignore[arg-type]
    # 7 and 7 cancel; K 0 and 2 -2; 5 and Q 10.
    assert app.card.round.score(round.players[0].id, 1).strokes == 13  # type: ignore[union-attr]
    assert entry.letters == ""


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((("7S", "KH"), ("7C", "2S")), "grid-cards"),
        ((("7S", "KH", "5D"), ("7C", "2S", "??")), "grid-unread"),
        ((("7S", "KH", "5D"), ("7C", "2S")), "grid-size"),
    ],
)
async def test_another_picture_says_why_and_changes_nothing(store: Store, rows: Any, why: str) -> None:
    app = grid_app(store, FakeReader(grid_document(rows)))
    assert app.card.round is not None
    entry, rules = app.card.grid, app.card.round.rules
    entry.press("K", rules)  # type: ignore[arg-type]
    assert not await entry.read(photo(), rules)  # type: ignore[arg-type]
    assert entry.trouble is not None
    assert entry.trouble.code == why
    assert (entry.letters, entry.reading) == ("K", False)


async def test_reading_can_be_given_up(store: Store) -> None:
    app = grid_app(store, FakeReader(grid_document(), seconds=0.1))
    assert app.card.round is not None
    task = asyncio.create_task(app.card.grid.read(photo(), app.card.round.rules))  # type: ignore[arg-type]
    await asyncio.sleep(0.02)
    app.card.grid.clear()
    assert not await task
    assert app.card.grid.letters == ""


def test_a_restart_finds_the_grid_half_typed(store: Store, memory: NoMemory) -> None:
    app = grid_app(store, FakeReader(grid_document()), memory)
    assert app.card.round is not None
    app.card.select(Cell(app.card.round.players[1].id, 1))
    app.card.grid.choose("cards")
    for letter in "7K5":
        app.card.grid.press(letter, app.card.round.rules)  # type: ignore[arg-type]
    later = grid_app(store, FakeReader(grid_document()), memory).card
    assert (later.grid.way, later.grid.letters) == ("cards", "7K5")
    assert later.cell == app.card.cell
    later.select(None)
    assert later.grid.letters == ""
