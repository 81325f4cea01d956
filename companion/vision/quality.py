"""What is wrong with the photo itself, so that the next one is better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .quads import inside
from .types import Finds, FloatArray, Image, Index, PhotoProblem, Quad

SMALLEST_INDEX = 12.0
"""Pixels of index height below which a rank can't be read for sure."""

_DARK = 55.0
_BLOWN, _GLARE_SHARE, _TILE = 251, 0.02, 8
_EDGE_SHARE, _EDGE_PIXELS = 0.17, 2.6
_OUT_SHARE = 0.12


def find_problems(pixels: Image, finds: Finds, outlines: Sequence[Quad] = ()) -> tuple[PhotoProblem, ...]:
    """The problems of a photo, (H, W, 3) uint8, by what was found on it.

    `outlines` are the cards' corners in its pixels, from the top left of each card, clockwise.
    """
    small = _shrink(pixels, 1000)
    light = small.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
    found: list[PhotoProblem] = []
    if not finds.indices and not finds.jokers:
        found.append(PhotoProblem("no-cards", "no cards are seen on this photo"))
    if float(np.percentile(light, 95)) < _DARK:
        found.append(PhotoProblem("too-dark", "the photo is too dark: more light, or the flash"))
    if finds.indices:
        heights = np.array([index.height for index in finds.indices])
        if float(np.median(heights)) < SMALLEST_INDEX:
            found.append(PhotoProblem("too-far", "the cards are too small on the photo: go nearer"))
        if _is_blurred(pixels, finds.indices):
            found.append(PhotoProblem("blurred", "the photo is blurred: hold still and let the camera focus"))
    if _glare(small, outlines, pixels.shape[1] / small.shape[1]) > _GLARE_SHARE:
        found.append(PhotoProblem("glare", "a lamp is mirrored in the cards: move it or the camera"))
    if any(_is_cut_off(outline, pixels.shape[1], pixels.shape[0]) for outline in outlines):
        found.append(PhotoProblem("cut-off", "some cards lie partly outside the photo"))
    return tuple(found)


def _shrink(pixels: Image, side: int) -> Image:
    step = max(1, max(pixels.shape[:2]) // side)
    return pixels[::step, ::step]


def _is_blurred(pixels: Image, indices: Sequence[Index]) -> bool:
    """Whether edges of most indices are wide for their size."""
    shares = []
    for index in indices[:: max(1, len(indices) // 24)]:
        width = _edge_width(pixels, index)
        if width is not None:
            shares.append(width / max(_EDGE_SHARE * index.height, _EDGE_PIXELS))
    return bool(shares) and float(np.median(shares)) > 1


def _edge_width(pixels: Image, index: Index) -> float | None:
    """Pixels over which light turns to dark at the sharpest edges of an index."""
    (x, y), reach = index.centre, index.height * 0.6
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    patch = _darkest(pixels[top : int(y + reach) + 1, left : int(x + reach) + 1]).astype(np.float32)
    if min(patch.shape) < 6:
        return None
    down, right = np.gradient(patch)
    dark, bright = np.percentile(patch, (3, 97))
    contrast = float(bright - dark)
    steepest = float(np.percentile(np.hypot(down, right), 98.5))
    return contrast / max(steepest, 1e-3) if contrast > 20 else None


def _glare(small: Image, outlines: Sequence[Quad], scale: float) -> float:
    """Share of the cards, or of the photo when there are none, that is blown out without any drawing."""
    tiles = _tiles(_darkest(small))
    blown = tiles.min(1).min(2) >= _BLOWN
    if not outlines:
        share = float(blown.mean()) if blown.size else 0.0
        return share if share < 0.6 else 0.0
    cards = np.zeros(blown.shape, bool)
    for outline in outlines:
        cards = cards | _inside(np.array(outline) / (scale * _TILE), (blown.shape[0], blown.shape[1]))
    # paper may be white all over; a mirrored lamp is white while other paper on the photo is not
    if (
        not cards.any()
        or float(np.percentile(tiles.sum(1, dtype=np.int32).mean(2)[cards], 75)) / _TILE > _BLOWN - 3
    ):
        return 0.0
    return float((blown & cards).sum() / cards.sum())


def _darkest(rgb: Image) -> NDArray[np.uint8]:
    """The darkest of each pixel's three values; a good deal faster than ``rgb.min(2)``."""
    return np.minimum(np.minimum(rgb[..., 0], rgb[..., 1]), rgb[..., 2])


def _tiles(values: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W) values as (rows, _TILE, columns, _TILE)."""
    rows, columns = values.shape[0] // _TILE, values.shape[1] // _TILE
    return values[: rows * _TILE, : columns * _TILE].reshape(rows, _TILE, columns, _TILE)


def _inside(corners: FloatArray, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mask of the tiles whose middle lies in a convex quad."""
    ys, xs = np.ogrid[0.5 : shape[0], 0.5 : shape[1]]
    return inside(corners, xs, ys)


def _is_cut_off(outline: Quad, width: int, height: int) -> bool:
    corners = np.array(outline)
    edge = float(np.hypot(*(corners[1] - corners[0])))
    out = np.maximum(-corners, corners - (width, height)).max()
    return bool(out > _OUT_SHARE * edge)
