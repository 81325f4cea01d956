"""The finder at run time: ONNX model in, indices, backs and jokers of a whole photo out.

A first look at the whole photo tells how high the indices are; where they are small and the photo has the
pixels, the part of it that holds cards is looked at again, enlarged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from .manifest import open_model
from .types import Back, Finds, FloatArray, Image, Index, JokerSign

CLASSES = ("index", "back", "joker")
_BACK, _JOKER = 1, 2
#: Long side of the first look and of a part looked at again, pixels; photos are enlarged at most twice.
FIRST_LOOK, CLOSE_LOOK, ENLARGE = 1280, 1280, 2.0
#: Trained on indices of 8 to 60 pixels: below the first figure a closer look pays, up to the second.
SMALL, GOOD = 20.0, 30.0
#: At most this many parts are looked at again.
PARTS = 4
#: Weak finds are kept: the reader tells whether there is an index, and does so better.
LEAST = 0.08
#: Rank and suit sign together are this many times as high as their centres are apart.
HEIGHT_TO_DISTANCE = 2.1
#: Ranks nearer to each other than this part of the distance from rank to suit sign are one.
_SAME_RANK = 0.4
_STRIDE = 16
_GREY = 114


@dataclass(frozen=True)
class _Found:
    """N finds in pixels of the photo: boxes (N, 4) x0 y0 x1 y1, kind (N,), score (N,), points (N, 2, 2)."""

    boxes: FloatArray
    kind: NDArray[np.intp]
    score: FloatArray
    points: FloatArray

    def pick(self, which: Any) -> _Found:
        return _Found(self.boxes[which], self.kind[which], self.score[which], self.points[which])


class Detector:
    """Finds indices, backs and jokers.  Raises `ModelError` when the weights don't match their manifest."""

    def __init__(self, threads: int = 0) -> None:
        self._session, _ = open_model("finder", classes=CLASSES, threads=threads)
        self._input = self._session.get_inputs()[0].name

    def find(self, rgb: Image) -> Finds:
        """Everything found on ``rgb`` (h, w, 3) uint8, in its pixels."""
        photo = Pictures.fromarray(rgb)
        scale = min(FIRST_LOOK / max(photo.size), ENLARGE)
        found = _once(self._look(photo, (0, 0, *photo.size), scale))
        height = _typical_height(found) * scale
        if 0 < height < SMALL and scale < ENLARGE:
            found = self._closer(photo, found, scale, min(GOOD / height, ENLARGE / scale))
        return _as_finds(found)

    def _closer(self, photo: Pictures.Image, found: _Found, scale: float, zoom: float) -> _Found:
        region = _region(found, photo.size)
        parts = list(_parts(region, scale * zoom))
        if len(parts) > PARTS:
            zoom *= math.sqrt(PARTS / len(parts))
            parts = list(_parts(region, scale * zoom))
        if zoom < 1.25:
            return found
        seen = [self._look(photo, part, scale * zoom, inner=True) for part in parts]
        signs = [s.pick(s.kind != _BACK) for s in seen]
        # backs are large: the first look saw them better
        return _once(_together([found.pick(found.kind == _BACK), *signs]))

    def _look(
        self, photo: Pictures.Image, box: tuple[int, int, int, int], scale: float, inner: bool = False
    ) -> _Found:
        """Finds in a part of the photo (x0, y0, x1, y1) seen at ``scale``."""
        x0, y0, x1, y1 = box
        width, height = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
        part = photo.resize((width, height), Pictures.Resampling.BILINEAR, box=box, reducing_gap=2.0)
        padded = np.full(
            (-(-height // _STRIDE) * _STRIDE, -(-width // _STRIDE) * _STRIDE, 3), _GREY, np.uint8
        )
        padded[:height, :width] = np.asarray(part)
        blob = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) / 255
        output = self._session.run(None, {self._input: blob})[0][0].T
        found = _decode(output)
        sx, sy = width / (x1 - x0), height / (y1 - y0)
        ratio, origin = np.array([sx, sy]), np.array([x0, y0], float)
        boxes = (found.boxes.reshape(-1, 2, 2) / ratio + origin).reshape(-1, 4)
        points = (found.points + 0.5) / ratio - 0.5 + origin
        found = _Found(boxes, found.kind, found.score, points)
        if inner:  # what the part's edge cuts off is whole in its neighbour
            centre = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2
            margin = 6 / scale
            low = np.array([x0 + margin if x0 > 0 else -1, y0 + margin if y0 > 0 else -1])
            high = np.array(
                [x1 - margin if x1 < photo.width else x1 + 1, y1 - margin if y1 < photo.height else y1 + 1]
            )
            found = found.pick(((centre > low) & (centre < high)).all(1))
        return found


def _decode(output: NDArray[np.float32]) -> _Found:
    """Rows of the network: centre, size, a score a class, then x, y, visibility of two points."""
    count = len(CLASSES)
    scores = output[:, 4 : 4 + count]
    kind, score = scores.argmax(1), scores.max(1)
    keep = score > LEAST
    rows = output[keep].astype(np.float64)
    half = rows[:, 2:4] / 2
    boxes = np.concatenate([rows[:, :2] - half, rows[:, :2] + half], 1)
    points = rows[:, 4 + count :].reshape(-1, 2, 3)[..., :2]
    return _Found(boxes, kind[keep], score[keep].astype(np.float64), points)


def _once(found: _Found) -> _Found:
    """Each object once, the surest first.

    Backs are the same where their boxes overlap by half. Boxes of indices in a fan overlap though they are of
    two cards, so indices are the same where their ranks fall together; a joker's corner counts as one.
    """
    found = found.pick(np.argsort(-found.score, kind="stable"))
    arms = np.hypot(*(found.points[:, 1] - found.points[:, 0]).T)
    kept: list[int] = []
    for k in range(len(found.score)):
        same = [j for j in kept if (found.kind[j] == _BACK) == (found.kind[k] == _BACK)]
        if not same:
            twice = False
        elif found.kind[k] != _BACK:
            away = np.hypot(*(found.points[same, 0] - found.points[k, 0]).T)
            twice = bool((away < _SAME_RANK * np.maximum(arms[same], arms[k])).any())
        else:
            twice = bool((_overlap(found.boxes[k], found.boxes[same]) > 0.5).any())
        if not twice:
            kept.append(k)
    return found.pick(kept)


def _overlap(box: FloatArray, others: FloatArray) -> FloatArray:
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    inner = np.prod(np.clip(high - low, 0, None), axis=1)
    area = np.prod(box[2:] - box[:2]) + np.prod(others[:, 2:] - others[:, :2], axis=1) - inner
    ratio: FloatArray = inner / np.maximum(area, 1e-9)
    return ratio


def _together(parts: list[_Found]) -> _Found:
    return _Found(
        *(np.concatenate([getattr(p, f) for p in parts]) for f in ("boxes", "kind", "score", "points"))
    )


def _typical_height(found: _Found) -> float:
    """The lower quartile of the heights of sure indices in pixels of the photo, 0 without any."""
    sure = found.pick((found.kind == 0) & (found.score > 0.35))
    if not len(sure.score):
        return 0.0
    return HEIGHT_TO_DISTANCE * float(np.quantile(np.hypot(*(sure.points[:, 1] - sure.points[:, 0]).T), 0.25))


def _region(found: _Found, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The part of the photo that holds the indices, with room for cards whose index was missed."""
    sure = found.pick((found.kind == 0) & (found.score > 0.35))
    arms = np.hypot(*(sure.points[:, 1] - sure.points[:, 0]).T)
    room = 14 * float(np.median(arms))
    low, high = sure.boxes[:, :2].min(0) - room, sure.boxes[:, 2:].max(0) + room
    x0, y0 = np.maximum(low, 0).astype(int)
    x1, y1 = np.minimum(np.ceil(high).astype(int), size)
    return int(x0), int(y0), int(x1), int(y1)


def _parts(region: tuple[int, int, int, int], scale: float) -> Iterator[tuple[int, int, int, int]]:
    """The region in overlapping parts, each at most `CLOSE_LOOK` long at ``scale``."""
    x0, y0, x1, y1 = region
    overlap = 80
    columns = max(1, math.ceil(((x1 - x0) * scale - overlap) / (CLOSE_LOOK - overlap)))
    rows = max(1, math.ceil(((y1 - y0) * scale - overlap) / (CLOSE_LOOK - overlap)))
    lap = overlap / scale / 2
    for row in range(rows):
        for column in range(columns):
            left, right = x0 + (x1 - x0) * column / columns, x0 + (x1 - x0) * (column + 1) / columns
            top, bottom = y0 + (y1 - y0) * row / rows, y0 + (y1 - y0) * (row + 1) / rows
            yield (
                int(max(x0, left - lap)),
                int(max(y0, top - lap)),
                int(min(x1, right + lap)),
                int(min(y1, bottom + lap)),
            )


def _as_finds(found: _Found) -> Finds:
    indices, backs, jokers = [], [], []
    for box, kind, score, points in zip(found.boxes, found.kind, found.score, found.points, strict=True):
        (rx, ry), (sx, sy) = points
        height = HEIGHT_TO_DISTANCE * math.hypot(sx - rx, sy - ry)
        x0, y0, x1, y1 = map(float, box)
        if kind == _BACK:
            backs.append(Back(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), float(score)))
        elif height > 0:
            rank_xy, suit_xy = (float(rx), float(ry)), (float(sx), float(sy))
            if kind == _JOKER:
                jokers.append(JokerSign(rank_xy, suit_xy, height, float(score)))
            else:
                indices.append(Index(rank_xy, suit_xy, height, float(score)))
    return Finds(tuple(indices), tuple(backs), tuple(jokers))
