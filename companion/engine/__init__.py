"""The engine: what can be reached, what is best, the stock known or hidden.  Knows `companion.game` only."""

from companion.engine.advisor import Advice, MoveValue, advise
from companion.engine.clearable import Clearable, clearable
from companion.engine.errors import EngineError
from companion.engine.outcome import Aim
from companion.engine.solver import Solution, solve
from companion.engine.study import Study, study

__all__ = [
    "Advice",
    "Aim",
    "Clearable",
    "EngineError",
    "MoveValue",
    "Solution",
    "Study",
    "advise",
    "clearable",
    "solve",
    "study",
]
