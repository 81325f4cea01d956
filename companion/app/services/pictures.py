"""Photos as the screens show and keep them: turned upright, small, without metadata."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageFilter, ImageOps, ImageStat

if TYPE_CHECKING:
    import numpy as np

SHOWN = 1600
"""The longest side, in pixels, of a photo that is shown and kept beside a scan."""
GLANCE = 256
"""The longest side that a live picture is judged at."""


def shown(photo: bytes) -> tuple[bytes, tuple[int, int], tuple[int, int]]:
    """A photo as JPEG for the screen, its size, and the size of the whole photo; orientation applied.

    Raises `companion.vision.PhotoError`, a `ValueError`, for what is no photo or more than one may be.
    """
    from companion.vision import open_photo

    opened = open_photo(photo, side=SHOWN)
    picture = Image.fromarray(opened.pixels)
    picture.thumbnail((SHOWN, SHOWN))
    kept = io.BytesIO()
    picture.save(kept, "JPEG", quality=84)
    return kept.getvalue(), picture.size, (opened.width, opened.height)


@lru_cache(maxsize=16)
def cutting(
    photo: bytes, whole: tuple[int, int], corners: tuple[tuple[float, float], ...], side: int = 160
) -> bytes:
    """The part of a shown photo round some corners, given in pixels of the whole one: a square JPEG.

    Kept for the last few: it is asked for again with every tap on the keypad.
    """
    with Image.open(io.BytesIO(photo), formats=("JPEG",)) as picture:
        scale = picture.width / whole[0]
        xs, ys = [x * scale for x, _ in corners], [y * scale for _, y in corners]
        reach = max(max(xs) - min(xs), max(ys) - min(ys)) * 0.95
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        box = (round(x - reach), round(y - reach), round(x + reach), round(y + reach))
        cut = picture.convert("RGB").crop(box).resize((side, side), Image.Resampling.LANCZOS)
        kept = io.BytesIO()
        cut.save(kept, "JPEG", quality=86)
    return kept.getvalue()


def mirrored(photo: bytes) -> bytes:
    """The photo with left and right exchanged, as a webcam that shows a mirror needs it.

    Raises `companion.vision.PhotoError`, as `shown` does.
    """
    from companion.vision import open_photo

    kept = io.BytesIO()
    ImageOps.mirror(Image.fromarray(open_photo(photo).pixels)).save(kept, "JPEG", quality=95)
    return kept.getvalue()


def warnings(photo: bytes) -> tuple[str, ...]:
    """What makes a live picture hard to read, worst first.

    `too-dark`, `glare`, `blurred`, `cut-off`, `too-far`; cheap enough for several a second: brightness,
    burnt-out area, how much detail a blur takes away, and where the white of the cards lies.

    Raises `companion.vision.PhotoError`, as `shown` does.
    """
    import numpy as np

    from companion.vision import open_photo

    colour = Image.fromarray(open_photo(photo, side=GLANCE * 2).pixels)
    colour.thumbnail((GLANCE * 2, GLANCE * 2))
    grey = colour.convert("L")
    histogram = grey.histogram()
    pixels = sum(histogram)
    found = []
    # Cards are white: where not even the brightest parts are bright, there is too little light.
    bright = _percentile(histogram, pixels, 0.995)
    if bright < 90:
        found.append("too-dark")
    if sum(histogram[253:]) > 0.25 * pixels:
        found.append("glare")
    edges = ImageStat.Stat(grey.filter(ImageFilter.Kernel((3, 3), (0, 1, 0, 1, -4, 1, 0, 1, 0), 1, 128)))
    contrast = ImageStat.Stat(grey).stddev[0]
    if contrast > 8 and edges.stddev[0] < 0.05 * contrast + 1.5:
        found.append("blurred")
    if not found:
        found += _framing(np.asarray(colour, dtype=np.int16), bright)
    return tuple(found)


def _framing(colour: np.ndarray[Any, np.dtype[np.int16]], bright: int) -> list[str]:
    """Whether the white of the cards runs over the edge, or fills too little of the picture."""
    import numpy as np

    white = (colour.min(axis=2) > 0.72 * bright) & (colour.max(axis=2) - colour.min(axis=2) < 42)
    share = float(white.mean())
    if share > 0.55:
        return []  # a white table: the cards can't be told from it this way
    edge = max(2, round(0.015 * max(white.shape)))
    rim = np.concatenate(
        [part.ravel() for part in (white[:edge], white[-edge:], white[:, :edge], white[:, -edge:])]
    )
    if share > 0.02 and float(rim.mean()) > 0.12:
        return ["cut-off"]
    return ["too-far"] if share < 0.06 else []


def _percentile(histogram: list[int], pixels: int, share: float) -> int:
    seen = 0
    for value, count in enumerate(histogram):
        seen += count
        if seen >= share * pixels:
            return value
    return 255
