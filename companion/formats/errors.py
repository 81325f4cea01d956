"""The error of every format."""

from __future__ import annotations

from companion.game.errors import CompanionError, Value


class FormatError(CompanionError):
    """A text that isn't in the format; `line` counts from 1, None where the place is not known."""

    code = "file"

    def __init__(self, message: str, line: int | None = None, *, code: str = "", **values: Value) -> None:
        super().__init__(message if line is None else f"line {line}: {message}", code=code, **values)
        self.line = line
