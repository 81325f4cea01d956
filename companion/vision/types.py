"""What the stages of a scan hand to each other: plain frozen values, pixels of the whole, turned photo.

Points are ``(x, y)`` with x to the right and y down.  Nothing here computes more than a property.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]

RANKS = "A23456789TJQK"
SUITS = "SHDC"
NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 names in the order of ``numpy.outer(ranks, suits).ravel()``."""
JOKERS: tuple[str, str] = ("J1", "J2")
UNREAD = "??"


@dataclass(frozen=True, slots=True)
class Index:
    """One corner index: the rank with its suit sign below it.

    ``rank_xy`` and ``suit_xy`` are the centres of the two signs, so ``rank_xy - suit_xy`` points to
    the edge of the card that this corner calls its top.  ``height`` is the length in pixels from the
    top of the rank to the bottom of the suit sign; ``confidence`` the finder's, 0 to 1.
    """

    rank_xy: Point
    suit_xy: Point
    height: float
    confidence: float = 1.0

    @property
    def centre(self) -> Point:
        return ((self.rank_xy[0] + self.suit_xy[0]) / 2, (self.rank_xy[1] + self.suit_xy[1]) / 2)

    @property
    def quad(self) -> Quad:
        """Corners round the two signs, from the top left as the index is read, clockwise."""
        (rx, ry), (sx, sy), (cx, cy) = self.rank_xy, self.suit_xy, self.centre
        length = float(np.hypot(rx - sx, ry - sy)) or 1.0
        ux, uy = (rx - sx) / length, (ry - sy) / length
        tall, wide = max(self.height, length) / 2, max(self.height, length) * 0.32
        return (
            (cx + ux * tall + uy * wide, cy + uy * tall - ux * wide),
            (cx + ux * tall - uy * wide, cy + uy * tall + ux * wide),
            (cx - ux * tall - uy * wide, cy - uy * tall + ux * wide),
            (cx - ux * tall + uy * wide, cy - uy * tall - ux * wide),
        )


@dataclass(frozen=True, slots=True)
class JokerSign(Index):
    """The corner of a joker; its two points are where other cards of the deck have rank and suit sign."""


@dataclass(frozen=True, slots=True)
class Back:
    """A face-down card or pile: four corners, in any order round it."""

    quad: Quad
    confidence: float = 1.0

    @property
    def centre(self) -> Point:
        xs, ys = zip(*self.quad, strict=True)
        return (sum(xs) / 4, sum(ys) / 4)


@dataclass(frozen=True, slots=True)
class Finds:
    """Everything the finder saw on one photo."""

    indices: tuple[Index, ...] = ()
    backs: tuple[Back, ...] = ()
    jokers: tuple[JokerSign, ...] = ()

    @property
    def signs(self) -> tuple[Index, ...]:
        """What the reader is to read: the indices, then the jokers' corners."""
        return (*self.indices, *self.jokers)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one index says: calibrated probabilities of the 13 ranks (A first) and 4 suits (S H D C).

    ``is_index`` is the probability that there is an index at all, ``is_joker`` that it is the corner of a
    joker; both low means a false find.
    """

    ranks: FloatArray
    suits: FloatArray
    is_index: float = 1.0
    is_joker: float = 0.0
    names: FloatArray = field(init=False, repr=False)
    """(52,) probabilities in the order of `NAMES`."""

    def __post_init__(self) -> None:
        ranks, suits = np.asarray(self.ranks, float), np.asarray(self.suits, float)
        if ranks.shape != (13,) or suits.shape != (4,):
            raise ValueError(f"a reading needs 13 ranks and 4 suits, not {ranks.shape + suits.shape!r}")
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "suits", suits)
        object.__setattr__(self, "names", np.outer(ranks, suits).ravel())

    @property
    def is_sign(self) -> float:
        """Probability that there is the one or the other."""
        return 1 - (1 - self.is_index) * (1 - self.is_joker)


@dataclass(frozen=True, slots=True)
class PhotoProblem:
    """Something wrong with the photo itself; the codes are those of the contract."""

    code: str
    message: str
    cards: tuple[str, ...] = ()
