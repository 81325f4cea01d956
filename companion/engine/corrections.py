"""How far off estimates of the advisor are on average; written by `python -m bench.calibrate`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Correction(NamedTuple):
    """Weights of the traits that `companion.engine.calibration` takes from an estimate."""

    deals: int
    strokes: tuple[float, ...]
    chance: tuple[float, ...]


CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {
    ("listed", "strict"): Correction(340, (-0.240, 0.257, -2.897, -0.096, -0.061), (0.452, 1.250)),
    ("listed", "wrap"): Correction(15, (-0.347, 0.145, -3.003, -0.650, -0.194), (0.622, 2.619)),
    ("listed", "queen"): Correction(30, (-0.215, 0.248, -2.890, 0.304, -0.071), (0.505, 0.855)),
    ("independent", "strict"): Correction(130, (-1.723, -0.207), (0.689, -0.089, 0.010)),
    ("independent", "wrap"): Correction(15, (-2.114, -0.473), (1.654, -0.131, 0.001)),
    ("independent", "queen"): Correction(30, (-1.961, -0.241), (1.078, -0.114, 0.011)),
}
