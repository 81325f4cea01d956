"""What goes into an expectation kernel and what comes out; see `companion.engine.expect`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

NEVER: Final = 1e200
"""The value of what can't be done: worse than everything, and still a number, as it may be weighed by 0."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Packed values of holes that are over.

    stuck: with the stock used up, by the cards left, shape (count + 1,).
    cleared: by the stage at which the tableau was cleared, shape (left + 1,), times the stage's scale.
    """

    stuck: NDArray[np.float64]
    cleared: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Root:
    """Packed values where a decision is due, times the scale of the first stage.

    play(top, index): of the best way on from heights that a play led to, with its top on the discard.
    draw(index): of drawing at these heights.
    pairs: how many pairs (class of knowledge, heights) were valued.
    """

    play: Callable[[int, int], float]
    draw: Callable[[int], float]
    pairs: int
