"""How far off estimates of the advisor are on average; written by `python -m bench.calibrate`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Correction(NamedTuple):
    """Weights of the traits that `companion.engine.calibration` takes from an estimate."""

    deals: int
    strokes: tuple[float, ...]
    chance: tuple[float, ...]


CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {
    ("listed", "strict"): Correction(31, (-0.256, 0.301, -6.574, 2.051), (0.3, 1.7)),
    ("independent", "strict"): Correction(32, (-1.1, -0.27), (-0.4, -0.4)),
}
