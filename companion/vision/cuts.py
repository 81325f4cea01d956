"""Cuts an index upright out of a photo, the same way in training and at run time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Height and width of a cut in pixels.
CUT_HEIGHT, CUT_WIDTH = 80, 64
#: What a cut covers, in distances from the rank's centre to the suit sign's centre.
COVER_HEIGHT, COVER_WIDTH = 3.0, 2.4
#: Height and width in pixels of what lies round an index, and its pixels a distance.
AROUND_HEIGHT, AROUND_WIDTH = 44, 104
AROUND_SCALE = 12
#: How far that reaches left of the rank's centre and above it, in distances; more to the right and below,
#: where the card's pips are.
AROUND_LEFT, AROUND_ABOVE = 3.0, 1.0


def cut_index(
    rgb: NDArray[np.uint8], rank_xy: NDArray[np.floating], suit_xy: NDArray[np.floating]
) -> NDArray[np.uint8]:
    """One index, turned upright and brought to ``(CUT_HEIGHT, CUT_WIDTH, 3)``.

    ``rgb`` is ``(h, w, 3)`` uint8; the two key points are ``(x, y)`` in its pixels, pixel centres at .5.
    What lies outside the photo repeats its edge.
    """
    v = ((np.arange(CUT_HEIGHT) + 0.5) / CUT_HEIGHT - 0.5) * COVER_HEIGHT + 0.5
    u = ((np.arange(CUT_WIDTH) + 0.5) / CUT_WIDTH - 0.5) * COVER_WIDTH
    return _upright(rgb, rank_xy, suit_xy, u, v)


def cut_around(
    rgb: NDArray[np.uint8], rank_xy: NDArray[np.floating], suit_xy: NDArray[np.floating]
) -> NDArray[np.uint8]:
    """What lies round an index, upright, as `cut_index` but wider: ``(AROUND_HEIGHT, AROUND_WIDTH, 3)``.

    Where the next card covers the suit sign, the pips and the court's own sign beside it still show the suit.
    """
    v = (np.arange(AROUND_HEIGHT) + 0.5) / AROUND_SCALE - AROUND_ABOVE
    u = (np.arange(AROUND_WIDTH) + 0.5) / AROUND_SCALE - AROUND_LEFT
    return _upright(rgb, rank_xy, suit_xy, u, v)


def _upright(
    rgb: NDArray[np.uint8],
    rank_xy: NDArray[np.floating],
    suit_xy: NDArray[np.floating],
    u: NDArray[np.float64],
    v: NDArray[np.float64],
) -> NDArray[np.uint8]:
    """Samples at ``u`` to the right and ``v`` down from the rank's centre, in distances from rank to suit."""
    rank, suit = np.asarray(rank_xy, np.float64), np.asarray(suit_xy, np.float64)
    down = suit - rank
    distance = float(np.hypot(*down))
    if distance < 1e-3:
        down, distance = np.array([0.0, 1e-3]), 1e-3
    right = np.array([down[1], -down[0]])
    xs = rank[0] + right[0] * u[None, :] + down[0] * v[:, None]
    ys = rank[1] + right[1] * u[None, :] + down[1] * v[:, None]
    return _sample(rgb, xs, ys, max(1, int(float(v[1] - v[0]) * distance + 0.35)))


def _sample(
    rgb: NDArray[np.uint8], xs: NDArray[np.float64], ys: NDArray[np.float64], factor: int
) -> NDArray[np.uint8]:
    """Bilinear samples of ``rgb`` of means over blocks of ``factor`` pixels, so that nothing is skipped."""
    height, width = rgb.shape[:2]
    x0, y0 = int(max(0, np.floor(xs.min()) - factor)), int(max(0, np.floor(ys.min()) - factor))
    x1, y1 = int(min(width, np.ceil(xs.max()) + factor + 1)), int(min(height, np.ceil(ys.max()) + factor + 1))
    if x1 - x0 < 1 or y1 - y0 < 1:
        return np.zeros((*xs.shape, 3), np.uint8)
    patch: NDArray[np.float32] = rgb[y0:y1, x0:x1].astype(np.float32)
    if factor > 1:
        rows, columns = -(-patch.shape[0] // factor) * factor, -(-patch.shape[1] // factor) * factor
        patch = np.pad(
            patch, ((0, rows - patch.shape[0]), (0, columns - patch.shape[1]), (0, 0)), mode="edge"
        )
        patch = _block_means(patch, factor)
    px = np.clip((xs - x0) / factor - 0.5, 0, patch.shape[1] - 1.001)
    py = np.clip((ys - y0) / factor - 0.5, 0, patch.shape[0] - 1.001)
    ix, iy = px.astype(np.intp), py.astype(np.intp)
    fx, fy = (px - ix)[..., None].astype(np.float32), (py - iy)[..., None].astype(np.float32)
    jx, jy = np.minimum(ix + 1, patch.shape[1] - 1), np.minimum(iy + 1, patch.shape[0] - 1)
    top = patch[iy, ix] * (1 - fx) + patch[iy, jx] * fx
    bottom = patch[jy, ix] * (1 - fx) + patch[jy, jx] * fx
    cut: NDArray[np.uint8] = np.clip(top * (1 - fy) + bottom * fy + 0.5, 0, 255).astype(np.uint8)
    return cut


def _block_means(patch: NDArray[np.float32], factor: int) -> NDArray[np.float32]:
    """Means over blocks of ``factor`` x ``factor`` pixels; adding slices is much faster than ``mean``."""
    rows = patch[::factor].copy()
    for k in range(1, factor):
        rows += patch[k::factor]
    blocks = rows[:, ::factor].copy()
    for k in range(1, factor):
        blocks += rows[:, k::factor]
    return blocks / np.float32(factor * factor)
