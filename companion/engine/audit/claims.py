"""Moves as people say they made them: right or wrong, with or without the column.

A log has a move a line, or several parted by commas or semicolons:

    play 7D from 3        also: 7D, 7D 3, play 3 (the exposed card of column 3)
    draw 8C               also: +8C, draw (the card is not known)

Lines that start with `#` are remarks, and numbers such as `12.` before a move are skipped.  JSON is read
as well: a list of moves, or an object with `moves`, each `{"move": "play", "column": 2, "card": "7D"}` as
`companion hint` and `solve` print them, `{"play": 2}` or `{"draw": "8C"}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.engine.errors import EngineError
from companion.game import Card, CardError, Draw, Move, Play
from companion.game.letters import parse as parse_card

_PLAY: Final = r"(?:play|legen|lägg|spela)"
_DRAW: Final = r"(?:draw|turn|aufdecken|ziehen|vänd|dra)"
_FROM: Final = r"(?:from|column|col|von|aus|spalte|från|kolumn)?"


@dataclass(frozen=True, slots=True)
class Claim:
    """One move as it was said.

    kind: `play`, `draw`, or `either` where only the card is known; card: None where it wasn't said;
    column: from 0, None where it wasn't said; rank: what a declared joker stands for.
    """

    kind: Literal["play", "draw", "either"]
    card: Card | None = None
    column: int | None = None
    rank: int | None = None

    def __str__(self) -> str:
        card = "" if self.card is None else f" {self.card}"
        column = "" if self.column is None else f" from {self.column + 1}"
        return f"{self.kind}{card}{column}"


def of_moves(moves: Iterable[Move]) -> tuple[Claim, ...]:
    """The moves of a tracked game as claims."""
    return tuple(
        Claim("draw", move.card) if isinstance(move, Draw) else Claim("play", None, move.column, move.rank)
        for move in moves
    )


def parse_log(text: str, language: str = "en") -> tuple[Claim, ...]:
    """The moves of a log.  Raises `EngineError` with line and token."""
    if text.lstrip("\ufeff \r\n\t")[:1] in ("[", "{"):
        return _from_json(text)
    return tuple(_parse(word, line, language) for line, word in _words(text))


def _words(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        for part in re.split(r"[,;]", line):
            word = re.sub(r"^\s*\d+[.)]\s+", "", part).strip()
            if word:
                yield number, word


def _parse(word: str, line: int, language: str) -> Claim:
    try:
        if found := re.fullmatch(rf"(?:{_DRAW}|\+)\s*(\S+)?", word, re.I):
            return Claim("draw", parse_card(found[1], language) if found[1] else None)
        if found := re.fullmatch(rf"{_PLAY}\s+{_FROM}\s*(\d+)", word, re.I):
            return Claim("play", None, int(found[1]) - 1)
        if found := re.fullmatch(rf"(?:{_PLAY}\s+)?(\S+)(?:\s+{_FROM}\s*(\d+))?", word, re.I):
            card = parse_card(found[1], language)
            column = int(found[2]) - 1 if found[2] else None
            return Claim("play", card.plain, column, card.stands_for)
    except CardError:
        pass
    raise EngineError(f"line {line}: not a move, as in 'play 7D from 3' or 'draw 8C': {word!r}")


def _from_json(text: str) -> tuple[Claim, ...]:
    try:
        document = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise EngineError(f"not JSON, {str(error).lower()}: {text.strip()[:12]!r}") from None
    moves = document.get("moves") if isinstance(document, Mapping) else document
    if not isinstance(moves, list):
        raise EngineError(f"a log in JSON is a list of moves: {text.strip()[:40]!r}")
    return tuple(_of_document(move) for move in moves)


def _of_document(move: Any) -> Claim:
    try:
        if isinstance(move, str):
            return _parse(move, 1, "en")
        if "draw" in move or move.get("move") == "draw":
            name = move.get("card") or move.get("draw")
            return Claim("draw", Card.parse(name) if name else None)
        column = move.get("column", move.get("play"))
        name, rank = move.get("card"), move.get("rank")
        card = Card.parse(name) if name else None
        if card is None and column is None:
            raise KeyError("column")
        return Claim(
            "play",
            card.plain if card else None,
            None if column is None else int(column),
            int(rank) if rank is not None else card.stands_for if card else None,
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise EngineError(f"not a move: {move!r}") from None


def to_move(claim: Claim, column: int | None) -> Move:
    """The move of the game that a claim means, once its column is known."""
    if claim.kind == "draw" or column is None:
        return Draw(claim.card)
    return Play(column, claim.rank)
