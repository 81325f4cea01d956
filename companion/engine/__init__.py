"""The engine: what can be reached, what is best, the stock known or hidden.  Knows `companion.game` only."""

from companion.engine.errors import EngineError
from companion.engine.solver import Solution, solve

__all__ = ["EngineError", "Solution", "solve"]
