"""How far off estimates of the advisor are on average; written by `python -m bench.calibrate`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Correction(NamedTuple):
    """Weights of the traits that `companion.engine.calibration` takes from an estimate."""

    deals: int
    strokes: tuple[float, ...]
    chance: tuple[float, ...]


CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {
    ("listed", "strict"): Correction(186, (-0.248, 0.200, -3.441, -0.208), (0.392, 1.405)),
    ("listed", "queen"): Correction(18, (-0.234, 0.201, -3.573, -0.060), (0.225, 1.534)),
    ("independent", "strict"): Correction(130, (-1.723, -0.207), (0.689, -0.089, 0.010)),
    ("independent", "queen"): Correction(18, (-1.866, -0.266), (0.904, -0.104, 0.021)),
}
