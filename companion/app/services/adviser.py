"""Asking the engine for a hint. Runs in a thread of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.game import Card, Move, Position


@dataclass(frozen=True, slots=True)
class Line:
    """One legal move with its figures; `at_most` is the chance of the aim's strokes, if that is the aim."""

    move: Move
    card: Card | None
    strokes: float
    clear: float
    at_most: float | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """The legal moves, best first, and the run to play now."""

    lines: tuple[Line, ...]
    run: tuple[Card, ...] = ()
    exact: bool = False
    aim: str = "strokes"


class Adviser(Protocol):
    """What gives hints; `companion.engine` in the app, anything in a test."""

    def advise(self, position: Position, aim: str) -> Hint:
        """A hint for a table whose stock is face down. `aim` is `strokes`, `clear` or `<=N`."""
        ...

    def warm(self) -> None:
        """Do ahead what the first hint would wait for."""
        ...


class EngineAdviser:
    """The companion's own engine."""

    def warm(self) -> None:
        """Load, and where there is a compiler compile, what the first hint would wait for."""
        from companion.game import FULL_DECK, Rules

        self.advise(Position.deal(Rules(), FULL_DECK), "strokes")

    def advise(self, position: Position, aim: str) -> Hint:
        from companion.engine import Aim, advise

        found = advise(position.hidden(), aim=Aim.parse(aim))
        lines = tuple(
            Line(value.move, value.card, value.strokes, value.clear, value.at_most) for value in found.moves
        )
        return Hint(lines, tuple(found.run), found.exact, aim)
