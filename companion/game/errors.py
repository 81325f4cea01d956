"""The few errors of the game; every one is a `ValueError` with a lower-case sentence."""

from __future__ import annotations

from typing import Any

Value = str | int


class CompanionError(ValueError):
    """Something the user gave, or asked for, can't be right.

    The sentence is English and for the command line; who says it in other words goes by `code`, which is the
    class's own unless the place that raises has a closer one, and by the `values` that belong to it.
    """

    code: str = "wrong"

    def __init__(self, message: str = "", *, code: str = "", **values: Value) -> None:
        super().__init__(message)
        if code:
            self.code = code
        self.values: dict[str, Value] = values

    def __reduce__(self) -> tuple[Any, ...]:
        # Whatever a child's constructor asks for: errors go from process to process as they are.
        return _as_it_was, (type(self), self.args), self.__dict__


class CardError(CompanionError):
    """A text that names no card."""

    code = "card"


class RulesError(CompanionError):
    """Rules that name no known variant or that contradict themselves."""

    code = "rules"


class PositionError(CompanionError):
    """A table that can't be played as it stands; see `Position.problems`."""

    code = "position"


class IllegalMove(CompanionError):
    """A move the rules don't allow.

    `code` names the broken rule: `over`, `no-column`, `empty-column`, `unread`, `wrong-rank`,
    `on-king`, `on-queen`, `joker-rank`, `stock-empty`, `play-first`, `play-possible`, `not-next`,
    `on-table`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message, code=code)


def _as_it_was(kind: type[CompanionError], values: tuple[Any, ...]) -> CompanionError:
    return kind.__new__(kind, *values)
