"""Makes the estimates of the advisor true on average.

Draws that are independent of each other can bring one card twice and another never, so the approximation
expects about three strokes too many and gives too little to small chances.  The corrections were fitted
to exact values of the positions that self-played strict deals come to (`bench/calibrate.py`, 32 deals
from seed 100000, apart from those of the benches): straight for strokes, straight in log-odds for
chances.  With few draws left there is little to correct, so they fade out.
"""

from __future__ import annotations

import math
from typing import Final

from companion.engine.outcome import Aim

_STROKES: Final = (-1.1, 0.734)
_ODDS: Final = (-0.433, 0.599)
_WHOLE: Final = 11
"""From so many draws left on the whole correction is made, below a share of it."""
_LEAST: Final = 1e-4
"""Added to both sides of the odds: no chance is quite 0 or 1."""


def correct(aim: Aim, figure: float, draws: int) -> float:
    """The figure that an estimate of an aim stands for, with so many cards in the stock."""
    part = min(1.0, draws / _WHOLE)
    if aim.name == "strokes":
        offset, slope = _STROKES
        return max(float(-draws), figure + part * (offset + slope * figure - figure))
    offset, slope = _ODDS
    odds = math.log((figure + _LEAST) / (1 - figure + _LEAST))
    corrected = 1 / (1 + math.exp(-(odds + part * (offset + slope * odds - odds))))
    # Nothing is made of what can't happen, or must.
    return corrected if 0 < figure < 1 else figure
