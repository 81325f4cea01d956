"""Asking whether a table can follow from another. Runs in a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.game import Card, Position


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said about one step, from a table to the next.

    `verdict` is `legal`, `illegal`, `impossible` or `unreadable`; `cards` are those it is about; `moves` a
    way from one table to the other, in words of the game (`7H`, `draw 3C`).
    """

    verdict: str
    draws: int = 0
    moves: tuple[str, ...] = ()
    code: str = ""
    why: str = ""
    cards: tuple[Card, ...] = ()
    put_back: tuple[tuple[Card, int], ...] = ()
    """Cards to put back on the table, each with the column (from 0) it belongs on."""


class Auditor(Protocol):
    """What checks play; `companion.engine` in the app, anything in a test."""

    def check(self, tables: Sequence[Position]) -> tuple[Finding, ...]:
        """A finding for each table after the first."""
        ...


class EngineAuditor:
    """The companion's own audit."""

    def check(self, tables: Sequence[Position]) -> tuple[Finding, ...]:
        raise NotImplementedError
