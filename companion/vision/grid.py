"""Where the columns of a table begin: on one line, at even distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .cards import Print
from .spots import Spots
from .types import FloatArray

ON_LINE = 0.5
"""So many card heights off the top line a card still begins on it."""


def top_line(spots: Spots, piles: Sequence[list[int]]) -> tuple[float, float, float]:
    """Height, slope and support of the line on which the columns begin: y = height + slope * x."""
    starts = np.array([spots.tops[pile[0]] for pile in piles])
    weight = np.array([min(len(pile), 3) for pile in piles], float)
    best = (float(starts[0, 1]), 0.0, 0.0)
    for i in range(len(piles)):
        for j in range(len(piles)):
            run = starts[j, 0] - starts[i, 0]
            slope = (
                (starts[j, 1] - starts[i, 1]) / run if i != j and abs(run) > 0.5 * spots.deck.width else 0.0
            )
            if abs(slope) > 0.25 or (i != j and slope == 0.0):
                continue
            off = (starts[:, 1] - starts[i, 1] - slope * (starts[:, 0] - starts[i, 0])) / spots.deck.height
            support = float(weight @ np.exp(-0.5 * (off / 0.15) ** 2)) - 2 * abs(slope)
            if support > best[2]:
                best = (float(starts[i, 1] - slope * starts[i, 0]), float(slope), support)
    height, slope, support = best
    near = np.abs(starts[:, 1] - height - slope * starts[:, 0]) < ON_LINE * spots.deck.height
    if near.sum() >= 3:
        height += float(
            np.average((starts[:, 1] - height - slope * starts[:, 0])[near], weights=weight[near])
        )
    return height, slope, support


def off_the_grid(x: float, others: FloatArray, deck: Print) -> float:
    """From -0.5 for a place where a column would lie to 0.7 between two of them, 2.7 outside them all."""
    apart = np.diff(np.sort(others))
    apart = apart[apart > 0.9 * deck.width]
    if len(apart) < 3:
        return 0.0
    pitch = float(np.min(apart))
    pitch = float(np.median(apart[apart < 1.3 * pitch]))
    nearest = others[np.argmin(np.abs(others - x))]
    steps = abs(x - nearest) / pitch
    off = abs(steps - max(round(steps), 1))
    outside = 2.0 if steps > 1.2 and off > 0.2 and not others.min() < x < others.max() else 0.0
    return float(np.interp(off, (0.1, 0.3), (-0.5, 0.7))) + outside if steps < 3.4 else 0.7
