"""The few errors of the game; every one is a `ValueError` with a lower-case sentence."""

from __future__ import annotations


class CompanionError(ValueError):
    """Something the user gave, or asked for, can't be right."""


class CardError(CompanionError):
    """A text that names no card."""


class RulesError(CompanionError):
    """Rules that name no known variant or that contradict themselves."""


class PositionError(CompanionError):
    """A table that can't be played as it stands; see `Position.problems`."""


class IllegalMove(CompanionError):
    """A move the rules don't allow.

    `code` names the broken rule: `over`, `no-column`, `empty-column`, `unread`, `wrong-rank`,
    `on-king`, `on-queen`, `joker-rank`, `stock-empty`, `play-first`, `play-possible`, `not-next`,
    `on-table`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
