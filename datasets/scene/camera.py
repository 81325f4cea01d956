"""A pinhole camera over the table plane."""

from __future__ import annotations

import math
import random

import numpy as np


def homography(
    rng: random.Random,
    centre: tuple[float, float],
    scale: float,
    at: tuple[float, float],
    *,
    tilt: float,
    turn: float,
) -> np.ndarray:
    """Plane (card widths) to picture (pixels), 3 x 3.

    ``centre`` on the table comes to lie ``at`` a pixel, where a card is ``scale`` pixels wide; ``tilt`` is
    the angle between the line of sight and the vertical, ``turn`` the turn about it, radians.
    """
    distance = rng.uniform(6.0, 22.0)
    spin = turn
    c, s = math.cos(spin), math.sin(spin)
    move = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    rotate = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    # a plane tilted about the picture's x axis, seen from ``distance``
    ct, st = math.cos(tilt), math.sin(tilt)
    tilted = np.array([[1, 0, 0], [0, ct, 0], [0, -st / distance, 1.0]])
    roll = rng.gauss(0, 0.08) if tilt > 0.05 else 0.0
    rc, rs = math.cos(roll), math.sin(roll)
    rolled = np.array([[rc, -rs, 0], [rs, rc, 0], [0, 0, 1.0]])
    zoom = np.array([[scale, 0, at[0]], [0, scale, at[1]], [0, 0, 1.0]])
    return zoom @ rolled @ tilted @ rotate @ move


def project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points ``(n, 2)`` through a homography."""
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
    return homogeneous[:, :2] / homogeneous[:, 2:]
