"""What lies inside a convex quad."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .types import FloatArray


def inside(corners: FloatArray, xs: FloatArray, ys: FloatArray) -> NDArray[np.bool_]:
    """Which points lie inside: ``corners`` (4, 2) round the quad either way, ``xs`` and ``ys`` broadcast."""
    sides = []
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, 0), strict=True):
        sides.append((bx - ax) * (ys - ay) - (by - ay) * (xs - ax))
    sign = np.stack(sides)
    return np.asarray((sign > 0).all(0) | (sign < 0).all(0))
