"""What the engine can't do."""

from __future__ import annotations

from companion.game import CompanionError


class EngineError(CompanionError):
    """The engine was asked something it can't answer: a wrong table, an aim that doesn't exist."""

    code = "engine"
