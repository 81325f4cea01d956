"""The finder at run time: ONNX model in, indices, backs and jokers of a whole photo out.

A first look at the whole photo tells how the table lies. A second one sees the part of it that holds cards
from straight above and at a good size, so that a steep or distant photo is read like any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from PIL import Image as Pictures

from .found import BACK, CLASSES, JOKER, Found, agreed, decode, once, together
from .manifest import open_model
from .straight import StraightView, straighten
from .types import Back, Finds, Image, Index, JokerSign

#: Long side of the first look and of the second one's parts, pixels; photos are enlarged at most twice.
FIRST_LOOK, CLOSE_LOOK, ENLARGE = 1280, 1120, 2.0
#: Heights of an index in the second look, pixels: the larger while one part holds the view; the finder is
#: trained on 8 to 60.
GOOD = (24.0, 40.0)
#: The second look is at most so many times `CLOSE_LOOK` long.
LONGEST = 2
#: Rank and suit sign together are this many times as high as their centres are apart.
HEIGHT_TO_DISTANCE = 2.1
#: Least score of finds that tell how the table lies.
_CLEAR = 0.35
_STRIDE = 16
_GREY = 114


class Detector:
    """Finds indices, backs and jokers.  Raises `ModelError` when the weights don't match their manifest."""

    def __init__(self, threads: int = 0) -> None:
        self._session, _ = open_model("finder", classes=CLASSES, threads=threads)
        self._input = self._session.get_inputs()[0].name

    def find(self, rgb: Image) -> Finds:
        """Everything found on ``rgb`` (h, w, 3) uint8, in its pixels."""
        photo = Pictures.fromarray(rgb)
        found = self._first_look(photo)
        clear = found.points[(found.kind != BACK) & (found.score > _CLEAR)]
        if len(clear):
            least, most = (height / HEIGHT_TO_DISTANCE for height in GOOD)
            longs = CLOSE_LOOK, LONGEST * CLOSE_LOOK
            view = straighten(clear, photo.size, (least, most), longs, ENLARGE)
            if view:
                signs = found.kind != BACK
                # backs are large: the first look saw them better
                found = together(
                    [agreed(found.pick(signs), self._second_look(photo, view)), found.pick(~signs)]
                )
        return _as_finds(found)

    def _first_look(self, photo: Pictures.Image) -> Found:
        scale = min(FIRST_LOOK / max(photo.size), ENLARGE)
        size = max(1, round(photo.width * scale)), max(1, round(photo.height * scale))
        found = self._look(photo.resize(size, Pictures.Resampling.BILINEAR, reducing_gap=2.0))
        ratio = np.divide(size, photo.size)
        boxes = (found.boxes.reshape(-1, 2, 2) / ratio).reshape(-1, 4)
        points = (found.points + 0.5) / ratio - 0.5
        return once(Found(boxes, found.kind, found.score, points))

    def _second_look(self, photo: Pictures.Image, view: StraightView) -> Found:
        """Indices and jokers' corners of the straight view, in pixels of the photo."""
        seen = []
        for x0, y0, x1, y1 in _parts(view.size):
            found = self._look(view.render(photo, (x0, y0, x1, y1)))
            # what the part's edge cuts off is whole in its neighbour
            centre = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2 + (x0, y0)
            low = np.array([x0 + 6 if x0 else -1, y0 + 6 if y0 else -1])
            high = np.array([x1 - 6 if x1 < view.size[0] else x1, y1 - 6 if y1 < view.size[1] else y1])
            found = found.pick((found.kind != BACK) & ((centre > low) & (centre < high)).all(1))
            origin = np.array([x0, y0])
            boxes = found.boxes + np.tile(origin, 2)
            seen.append(Found(boxes, found.kind, found.score, found.points + origin))
        found = once(together(seen))
        x0, y0, x1, y1 = found.boxes.T
        corners = view.to_photo(np.stack([x0, y0, x1, y0, x1, y1, x0, y1], 1).reshape(-1, 4, 2))
        boxes = np.concatenate([corners.min(1), corners.max(1)], 1)
        points = view.to_photo(found.points)
        inside = ((points > -1) & (points < photo.size)).all((1, 2))
        return Found(boxes, found.kind, found.score, points).pick(inside)

    def _look(self, picture: Pictures.Image) -> Found:
        """Finds in a picture, in its pixels."""
        width, height = picture.size
        padded = np.full(
            (-(-height // _STRIDE) * _STRIDE, -(-width // _STRIDE) * _STRIDE, 3), _GREY, np.uint8
        )
        padded[:height, :width] = np.asarray(picture)
        blob = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) / 255
        return decode(self._session.run(None, {self._input: blob})[0][0].T)


def _parts(size: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """A picture in overlapping parts x0, y0, x1, y1, each at most `CLOSE_LOOK` long."""
    overlap = 80
    columns, rows = (max(1, math.ceil((side - overlap) / (CLOSE_LOOK - overlap))) for side in size)
    for row in range(rows):
        for column in range(columns):
            yield (
                max(0, size[0] * column // columns - overlap // 2),
                max(0, size[1] * row // rows - overlap // 2),
                min(size[0], size[0] * (column + 1) // columns + overlap // 2),
                min(size[1], size[1] * (row + 1) // rows + overlap // 2),
            )


def _as_finds(found: Found) -> Finds:
    indices, backs, jokers = [], [], []
    for box, kind, score, points in zip(found.boxes, found.kind, found.score, found.points, strict=True):
        (rx, ry), (sx, sy) = points
        height = HEIGHT_TO_DISTANCE * math.hypot(sx - rx, sy - ry)
        x0, y0, x1, y1 = map(float, box)
        if kind == BACK:
            backs.append(Back(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), float(score)))
        elif height > 0:
            rank_xy, suit_xy = (float(rx), float(ry)), (float(sx), float(sy))
            if kind == JOKER:
                jokers.append(JokerSign(rank_xy, suit_xy, height, float(score)))
            else:
                indices.append(Index(rank_xy, suit_xy, height, float(score)))
    return Finds(tuple(indices), tuple(backs), tuple(jokers))
