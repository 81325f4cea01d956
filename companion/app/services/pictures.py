"""Photos as the screens show and keep them: turned upright, small, without metadata."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageFilter, ImageOps, ImageStat

SHOWN = 1600
"""The longest side, in pixels, of a photo that is shown and kept beside a scan."""
FORMATS = ("JPEG", "PNG", "WEBP")
"""What is opened; HEIF too where Pillow was taught it."""
GLANCE = 256
"""The longest side that a live picture is judged at."""


def shown(photo: bytes) -> tuple[bytes, tuple[int, int], tuple[int, int]]:
    """A photo as JPEG for the screen, its size, and the size of the whole photo; orientation applied.

    Raises `OSError` for what is no picture.
    """
    with Image.open(io.BytesIO(photo), formats=FORMATS) as opened:
        opened.draft("RGB", (SHOWN * 2, SHOWN * 2))
        whole = opened.size
        picture = ImageOps.exif_transpose(opened)
        upright = whole if (picture.size[0] >= picture.size[1]) == (whole[0] >= whole[1]) else whole[::-1]
        picture = picture.convert("RGB")
        picture.thumbnail((SHOWN, SHOWN))
        kept = io.BytesIO()
        picture.save(kept, "JPEG", quality=84)
    return kept.getvalue(), picture.size, upright


def cutting(
    photo: bytes, whole: tuple[int, int], corners: Sequence[tuple[float, float]], side: int = 160
) -> bytes:
    """The part of a shown photo round some corners, given in pixels of the whole one: a square JPEG."""
    with Image.open(io.BytesIO(photo), formats=FORMATS) as picture:
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
    """The photo with left and right exchanged, as a webcam that shows a mirror needs it."""
    with Image.open(io.BytesIO(photo), formats=FORMATS) as opened:
        turned = ImageOps.mirror(ImageOps.exif_transpose(opened).convert("RGB"))
        kept = io.BytesIO()
        turned.save(kept, "JPEG", quality=95)
    return kept.getvalue()


def warnings(photo: bytes) -> tuple[str, ...]:
    """What makes a live picture hard to read, worst first: `too-dark`, `glare`, `blurred`.

    Cheap enough for several a second: brightness, burnt-out area, and how much detail a blur takes away.
    """
    with Image.open(io.BytesIO(photo), formats=FORMATS) as opened:
        opened.draft("L", (GLANCE * 2, GLANCE * 2))
        grey = opened.convert("L")
        grey.thumbnail((GLANCE * 2, GLANCE * 2))
    histogram = grey.histogram()
    pixels = sum(histogram)
    found = []
    # Cards are white: where not even the brightest parts are bright, there is too little light.
    bright = _percentile(histogram, pixels, 0.95)
    if bright < 90:
        found.append("too-dark")
    if sum(histogram[253:]) > 0.25 * pixels:
        found.append("glare")
    edges = ImageStat.Stat(grey.filter(ImageFilter.Kernel((3, 3), (0, 1, 0, 1, -4, 1, 0, 1, 0), 1, 128)))
    contrast = ImageStat.Stat(grey).stddev[0]
    if contrast > 8 and edges.stddev[0] < 0.05 * contrast + 1.5:
        found.append("blurred")
    return tuple(found)


def _percentile(histogram: list[int], pixels: int, share: float) -> int:
    seen = 0
    for value, count in enumerate(histogram):
        seen += count
        if seen >= share * pixels:
            return value
    return 255
