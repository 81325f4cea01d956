"""The table as a plane: how the camera was tilted, told from the indices alone.

Every index of a deck is equally long on the table, and most of them lie in few directions, so the
plane is the one on which their lengths and directions agree best.  The camera is a pinhole that looks
through the middle of the photo; phones' main cameras differ little in focal length (`sight` tries others),
and what a wrong one leaves over is taken up by the spacing that `cards` learns from the photo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .types import FloatArray

FOCAL = 0.76
"""Focal length of a usual phone camera in long sides of the photo (26 mm of a 35 mm frame's diagonal)."""

_STEEPEST = 58.0
_ENOUGH = 30  # segments for a first look at all planes
_LENGTH_SPREAD, _SPAN_SPREAD, _DIRECTION_SPREAD, _TILT_SPREAD = 0.10, 0.03, np.radians(7), 35.0


@dataclass(frozen=True, slots=True)
class Plane:
    """Maps pixels to the table's plane, where one unit is the median distance of rank and suit sign."""

    matrix: FloatArray
    tilt: float

    def place(self, points: FloatArray) -> FloatArray:
        """(N, 2) pixels to (N, 2) places."""
        return _project(self.matrix, np.asarray(points, float).reshape(-1, 2))

    def see(self, places: FloatArray) -> FloatArray:
        """(N, 2) places to (N, 2) pixels."""
        return _project(
            np.asarray(np.linalg.inv(self.matrix), float), np.asarray(places, float).reshape(-1, 2)
        )


def _project(matrix: FloatArray, points: FloatArray) -> FloatArray:
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    result: FloatArray = mapped[:, :2] / mapped[:, 2:]
    return result


def find_plane(
    tops: FloatArray,
    bottoms: FloatArray,
    size: tuple[int, int],
    spans: Sequence[FloatArray] = (),
    focal: float = FOCAL,
) -> Plane:
    """The plane on which the segments from `tops` to `bottoms`, (N, 2) pixels each, agree best.

    `size` is the photo's width and height; `spans` are groups, (K, 2, 2) pixels, of further segments that are
    equally long within their group; `focal` is the camera's focal length in long sides of the photo.
    With fewer than four segments the camera is taken to look straight down.
    """
    pixels, centre = focal * max(size), np.array(size) / 2
    into = np.array([[1 / pixels, 0, -centre[0] / pixels], [0, 1 / pixels, -centre[1] / pixels], [0, 0, 1]])
    tops, bottoms = np.asarray(tops, float).reshape(-1, 2), np.asarray(bottoms, float).reshape(-1, 2)
    rays = np.stack([np.column_stack([p, np.ones(len(p))]) @ into.T for p in (tops, bottoms)])
    lean = np.zeros(2)
    wide = [
        np.concatenate([s, np.ones((len(s), 2, 1))], 2).transpose(1, 0, 2) @ into.T
        for s in spans
        if len(s) > 2
    ]
    if len(tops) >= 4:
        tilts, turns = np.meshgrid(np.arange(7, _STEEPEST, 8), np.arange(0, 360, 24))
        leans = np.concatenate([[[0.0, 0.0]], _lean(tilts.ravel(), turns.ravel())])
        few = rays[:, :: max(1, len(tops) // _ENOUGH)]
        lean = leans[np.argmin(_disagreement(leans, few, wide))]
        for step in (4.0, 1.5, 0.5):
            for _ in range(6):
                near = lean + np.radians(step) * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)])
                near = near[np.hypot(*near.T) < np.radians(_STEEPEST)]
                best = near[np.argmin(_disagreement(near, rays, wide))]
                if np.array_equal(best, lean):
                    break
                lean = best
    matrix = _flatten(lean[None])[0] @ into
    if len(tops):
        arms = _project(matrix, tops) - _project(matrix, bottoms)
        unit = float(np.median(np.hypot(*arms.T)))
        matrix = np.diag([1 / unit, 1 / unit, 1.0]) @ matrix
    return Plane(matrix, float(np.degrees(np.hypot(*lean))))


def _lean(tilt: FloatArray, turn: FloatArray) -> FloatArray:
    leans: FloatArray = np.radians(tilt)[:, None] * np.stack(
        [np.cos(np.radians(turn)), np.sin(np.radians(turn))], 1
    )
    return leans


def _flatten(leans: FloatArray) -> FloatArray:
    """(K, 3, 3) maps from rays to the plane whose normal leans by `leans`, (K, 2) radians, off the view."""
    tilt = np.hypot(leans[:, 0], leans[:, 1])
    safe = np.where(tilt > 1e-9, tilt, 1.0)
    c, s = leans[:, 0] / safe, leans[:, 1] / safe
    cos, sin, zero, one = np.cos(tilt), np.sin(tilt), np.zeros_like(tilt), np.ones_like(tilt)
    # rows: the two directions of the plane (turned back so that the view keeps its turn), the normal
    along = np.stack([c * cos, s * cos, -sin], 1)
    across = np.stack([-s, c, zero], 1)
    first = c[:, None] * along - s[:, None] * across
    second = s[:, None] * along + c[:, None] * across
    normal = np.stack([c * sin, s * sin, cos], 1)
    flat = np.stack([first, second, normal], 1)
    straight = tilt <= 1e-9
    flat[straight] = np.stack([one, zero, zero, zero, one, zero, zero, zero, one], 1).reshape(-1, 3, 3)[
        straight
    ]
    return flat


def _disagreement(leans: FloatArray, rays: FloatArray, wide: Sequence[FloatArray]) -> FloatArray:
    """How badly the segments' lengths and directions agree on each of the planes, (K,)."""
    maps = _flatten(leans)
    arms, behind = _arms(maps, rays)
    lengths = _uneven(arms, _LENGTH_SPREAD)
    for group in wide:
        spans, hidden = _arms(maps, group)
        lengths += _uneven(spans, _SPAN_SPREAD)
        behind |= hidden
    # directions of a line, not of an arrow: doubled angles; the mode, so that fans count for nothing
    angles = np.arctan2(arms[..., 1], arms[..., 0])
    some = angles[:, :: max(1, angles.shape[1] // 12)]
    apart = (some[:, :, None] - angles[:, None, :] + np.pi / 2) % np.pi - np.pi / 2
    support = np.minimum((apart / _DIRECTION_SPREAD) ** 2, 4).mean(2)
    directions = support.min(1)
    tilt = np.degrees(np.hypot(leans[:, 0], leans[:, 1]))
    # a weak pull towards looking straight down, worth as much as one index
    cost: FloatArray = lengths + directions + (tilt / _TILT_SPREAD) ** 2 / rays.shape[1] + 1e6 * behind
    return cost


def _arms(maps: FloatArray, rays: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """(K, N, 2) vectors of the segments on each plane, and (K,) whether some lie behind the camera there."""
    flat = np.einsum("kij,snj->ksni", maps, rays)
    depth = flat[..., 2:]
    places = flat[..., :2] / np.maximum(depth, 1e-6)
    behind: NDArray[np.bool_] = (depth < 0.05).any((1, 2, 3))
    return places[:, 0] - places[:, 1], behind


def _uneven(arms: FloatArray, spread: float) -> FloatArray:
    """(K,) how unequal lengths are, robustly, in squares of their usual spread."""
    logs = np.log(np.maximum(np.hypot(arms[..., 0], arms[..., 1]), 1e-9))
    off = (logs - np.median(logs, 1, keepdims=True)) / spread
    uneven: FloatArray = np.minimum(off**2, 9).mean(1)
    return uneven
