"""What a player aims at, and values that carry two figures in one number.

Every figure that is wanted of a hole depends only on its score: the strokes, whether it is cleared,
whether it took at most N strokes.  Moves are chosen by one of them, the *first*; a *second* one breaks
ties and is carried along.  Both travel in one float: the first is its integer part, the second, made
small, its fraction.  So the smaller of two values is the better one by the first figure and then by the
second, and sums and multiples of values stay true as long as neither part runs into the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.engine.errors import EngineError

_FIXED: Final = 2.0**20
"""Steps to one, where first figures are means: they are rounded to such a step to stay integers."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What the moves are chosen for: fewest expected `strokes`, to `clear`, or `at_most` so many strokes."""

    name: str
    strokes: int | None = None

    @classmethod
    def parse(cls, text: str) -> Aim:
        """`strokes`, `clear` or `<=N`.  Raises `EngineError`."""
        word = text.strip().lower().replace("≤", "<=")
        if word in ("strokes", "clear"):
            return cls(word)
        if found := re.fullmatch(r"<=\s*([+-]?\d{1,3})", word):
            return cls("at_most", int(found[1]))
        raise EngineError(f"an aim is strokes, clear or <=N: {text!r}")

    def __str__(self) -> str:
        return self.name if self.strokes is None else f"<={self.strokes}"


STROKES: Final = Aim("strokes")
CLEAR: Final = Aim("clear")

Figure = Callable[[int], int]
"""From the score of a hole to a number from 0 up; less is better."""


def figure(aim: Aim, stock: int) -> Figure:
    """The figure of an aim.  stock: the cards left in the stock at the start."""
    if aim.name == "strokes":
        return lambda score: score + stock
    limit = 0 if aim.strokes is None else aim.strokes
    return lambda score: int(score > limit)


def read(aim: Aim, mean: float, stock: int) -> float:
    """What a mean of an aim's figure means: expected strokes, or a chance."""
    return mean - stock if aim.name == "strokes" else min(1.0, max(0.0, 1 - mean))


@dataclass(frozen=True, slots=True)
class Packing:
    """How two figures go into one float.

    first, second: the figures.
    fixed: steps to one of the first figure (1 where values are whole sums).
    small: what the second figure is divided by.
    """

    first: Figure
    second: Figure
    fixed: float
    small: float

    @classmethod
    def sums(cls, first: Figure, second: Figure, worst: int, scale: float) -> Packing:
        """For sums of whole numbers.  worst: of the second figures; scale: how many are added at most."""
        small = 4.0
        while small < 4 * (worst + 1) * scale:
            small *= 2
        return cls(first, second, 1.0, small)

    @classmethod
    def means(cls, first: Figure, second: Figure) -> Packing:
        """For means, whose parts are added apart and put together again."""
        return cls(first, second, _FIXED, 512.0)

    def pack(self, score: int, scale: float = 1.0) -> float:
        """The value of a score that counts `scale` times."""
        return scale * (self.first(score) * self.fixed + self.second(score) / self.small)

    def join(self, first: float, second: float) -> float:
        """The value of two means; the first is rounded to a step."""
        return round(first * self.fixed) + second / self.small

    def unpack(self, value: float, scale: float = 1.0) -> tuple[float, float]:
        """The means of both figures from the sum of `scale` values."""
        whole = float(int(value + 0.25))
        return whole / self.fixed / scale, (value - whole) * self.small / scale
