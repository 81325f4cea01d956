"""How far off estimates of the advisor are on average; written by `python -m bench.calibrate`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Correction(NamedTuple):
    """Weights of the traits that `companion.engine.calibration` takes from an estimate."""

    deals: int
    strokes: tuple[float, ...]
    chance: tuple[float, ...]


CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {
    ("listed", "strict"): Correction(31, (-1.252, 0.0, 0.045, -1.175), (0.6, 0.0, 1.0)),
    ("independent", "strict"): Correction(32, (-1.1, -0.27, 0.0, 0.0), (-0.4, -0.4, 0.0)),
}
