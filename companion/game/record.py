"""What is kept beside the scores: tracked games, scans with their corrections, and all of it together.

A `TrackedGame` is the start of a hole and everything done since, hints included, so that a hole can be taken
up again at any moment. A `Scan` keeps what was read and every correction apart. An `Archive` is a whole store
as one value, for export and import.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.cards import Card
from companion.game.errors import CompanionError
from companion.game.log import Game
from companion.game.moves import Draw, Move, Play
from companion.game.position import Position
from companion.game.round import Player, Round, rules_from_dict, rules_to_dict
from companion.game.rules import Rules

STEPS = ("move", "undo", "redo", "hint")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done in a tracked game; `move` is given for a move and for the move a hint named."""

    kind: str
    at: str
    move: Move | None = None


@dataclass(frozen=True)
class TrackedGame:
    """A hole being played, or played, move by move. `round`, `player` and `hole` say whose it is, if any."""

    id: str
    at: str
    start: Position
    steps: tuple[Step, ...] = ()
    round: str | None = None
    player: str | None = None
    hole: int | None = None
    scan: str | None = None

    @property
    def game(self) -> Game:
        """Start and moves as they stand after undo and redo. Raises `IllegalMove` for a wrong log."""
        game = Game(self.start)
        for step in self.steps:
            if step.kind == "move" and step.move is not None:
                game = game.do(step.move)
            elif step.kind == "undo":
                game = game.undo()
            elif step.kind == "redo":
                game = game.redo()
        return game

    @property
    def position(self) -> Position:
        """The table now."""
        return self.game.position

    @property
    def hints(self) -> int:
        """How often a hint was asked for; a hint stays in the log when the move is taken back."""
        return sum(step.kind == "hint" for step in self.steps)


@dataclass(frozen=True, slots=True)
class Scan:
    """A photo that was read. `read` is the document of the scan, `edits` the documents after each correction.

    Both are JSON text (`companion.scan/1`); `image` is the SHA-256 of the photo's bytes, which are not kept.
    """

    id: str
    at: str
    read: str
    edits: tuple[str, ...] = ()
    image: str = ""

    @property
    def corrected(self) -> str:
        """The document as corrected last, as read where nothing was corrected."""
        return self.edits[-1] if self.edits else self.read


@dataclass(frozen=True, slots=True)
class Archive:
    """Everything a store holds."""

    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    games: tuple[TrackedGame, ...] = ()
    scans: tuple[Scan, ...] = ()


def position_to_dict(position: Position) -> dict[str, Any]:
    """A position as plain data: cards as text, all fields of the rules."""
    stock = None if position.stock is None else [str(card) for card in position.stock]
    return {
        "rules": rules_to_dict(position.rules),
        "columns": [[str(card) for card in column] for column in position.columns],
        "discard": [str(card) for card in position.discard],
        "stock": stock,
        "stock_count": position.stock_count,
    }


def position_from_dict(found: Mapping[str, Any]) -> Position:
    """The position of plain data. Raises a `CompanionError`."""
    try:
        rules = rules_from_dict("patience", found["rules"])
        columns = tuple(tuple(map(_card, column)) for column in found["columns"])
        discard = tuple(map(_card, found["discard"]))
        stock = None if found["stock"] is None else tuple(map(_card, found["stock"]))
        count = int(found["stock_count"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, CompanionError):
            raise
        raise CompanionError(f"a position lacks, or has wrong, {error.args[0]!r}") from None
    assert isinstance(rules, Rules)
    return Position(rules, columns, discard, stock, count)


def move_to_dict(move: Move | None) -> dict[str, Any] | None:
    """A move as plain data: `{"play": 3}`, `{"play": 3, "rank": 7}`, `{"draw": "7D"}`, `{"draw": null}`."""
    if move is None:
        return None
    if isinstance(move, Play):
        return {"play": move.column} | ({} if move.rank is None else {"rank": move.rank})
    return {"draw": None if move.card is None else str(move.card)}


def move_from_dict(found: Mapping[str, Any] | None) -> Move | None:
    """The move of plain data. Raises a `CompanionError`."""
    if found is None:
        return None
    if "play" in found:
        column, rank = found["play"], found.get("rank")
        if type(column) is not int or (rank is not None and type(rank) is not int):
            raise CompanionError(f"a play names a column by its number, not so {dict(found)!r}")
        return Play(column, rank)
    if "draw" in found:
        return Draw(None if found["draw"] is None else _card(found["draw"]))
    raise CompanionError(f"a move is a play or a draw, not {dict(found)!r}")


def _card(text: object) -> Card:
    if not isinstance(text, str):
        raise CompanionError(f"a card is written as text, not {text!r}")
    return Card.parse(text)


def compact(document: str) -> str:
    """JSON text in the one form that is kept, so that equal is equal. Raises `CompanionError`."""
    try:
        text = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode()  # half a surrogate pair is no text
        return text
    except (ValueError, RecursionError):
        raise CompanionError(f"a scan is kept as JSON, not as {document[:40]!r}") from None
