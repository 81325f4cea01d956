"""The table as seen from straight above, upright and at the size the finder reads best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image as Pictures

from .plane import find_plane
from .types import FloatArray

#: Room round the signs seen so far for cards whose index was missed, in distances from rank to suit sign.
_ROOM = 8.0
#: Pixels from rank to suit sign; what is shorter tells nothing.
_SHORTEST = 1.0
_PAPER = (114, 114, 114)


@dataclass(frozen=True, slots=True)
class StraightView:
    """A picture of `size` (width, height) of the table; `matrix` (3, 3) maps its pixels to the photo's."""

    matrix: FloatArray
    size: tuple[int, int]

    def to_photo(self, points: FloatArray) -> FloatArray:
        """(..., 2) pixels of the view as pixels of the photo."""
        mapped = np.append(points, np.ones((*points.shape[:-1], 1)), -1) @ self.matrix.T
        result: FloatArray = mapped[..., :2] / mapped[..., 2:]
        return result

    def render(self, photo: Pictures.Image, box: tuple[int, int, int, int]) -> Pictures.Image:
        """The part ``box`` (x0, y0, x1, y1) of the view, sampled from the photo; grey where that ends."""
        x0, y0, x1, y1 = box
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        across, down = (self.to_photo(middle + d) - self.to_photo(middle) for d in ((1, 0), (0, 1)))
        # means over blocks first, so that nothing is skipped
        factor = max(1, int(min(np.hypot(*across), np.hypot(*down)) + 0.35))
        source = photo.reduce(factor) if factor > 1 else photo
        shrink = np.diag([1 / factor, 1 / factor, 1.0])
        # Pillow's pixels have their centres at one half, ours at whole numbers
        to_pillow, from_pillow = _shift(0.5, 0.5), _shift(x0 - 0.5, y0 - 0.5)
        data = shrink @ to_pillow @ self.matrix @ from_pillow
        data = data / data[2, 2]
        return source.transform(
            (x1 - x0, y1 - y0),
            Pictures.Transform.PERSPECTIVE,
            data.ravel()[:8].tolist(),
            Pictures.Resampling.BILINEAR,
            fillcolor=_PAPER,
        )


def straighten(
    points: FloatArray,
    size: tuple[int, int],
    distances: tuple[float, float],
    longs: tuple[float, float],
    enlarge: float,
) -> StraightView | None:
    """The view on which signs at ``points``, (N, 2, 2) pixels of rank and suit sign, lie upright and even.

    ``size`` is the photo's. Rank and suit sign come as far apart as the second of ``distances``, in pixels,
    unless that makes the view longer than the first of ``longs``; then closer, down to the first of
    ``distances``, and closer still where even that makes it longer than the second. Nothing is enlarged more
    than ``enlarge`` times. None where no picture comes of it.
    """
    points = points[np.hypot(*(points[:, 1] - points[:, 0]).T) > _SHORTEST]
    if not len(points):
        return None
    plane = find_plane(points[:, 0], points[:, 1], size)
    tops, bottoms = plane.place(points[:, 0]), plane.place(points[:, 1])
    up = _upright(tops - bottoms)
    right = np.array([-up[1], up[0]])
    middle = np.median(tops, 0)
    if (plane.place(plane.see(middle[None]) - (0, 1)) - middle)[0] @ up < 0:
        up, right = -up, -right
    turned = np.concatenate([(p - middle) @ np.stack([right, -up], 1) for p in (tops, bottoms)])
    low, high = turned.min(0) - _ROOM, turned.max(0) + _ROOM
    a, b = plane.see(np.stack([middle, middle + up]))
    least, most = distances
    good, longest = np.array(longs) / float((high - low).max())
    unit = min(max(min(most, good), least), longest, enlarge * float(np.hypot(*(a - b))))
    width, height = (int(v) for v in np.ceil((high - low) * unit))
    corner = middle + right * low[0] - up * low[1]
    to_plane = np.array(
        [[right[0] / unit, -up[0] / unit, corner[0]], [right[1] / unit, -up[1] / unit, corner[1]], [0, 0, 1]]
    )
    return StraightView(np.linalg.inv(plane.matrix) @ to_plane, (width, height))


def _upright(arms: FloatArray) -> FloatArray:
    """The direction most arms have, up to a half turn, a unit vector."""
    doubled = 2 * np.arctan2(arms[:, 1], arms[:, 0])
    angle = np.arctan2(np.sin(doubled).mean(), np.cos(doubled).mean()) / 2
    return np.array([np.cos(angle), np.sin(angle)])


def _shift(x: float, y: float) -> FloatArray:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])
