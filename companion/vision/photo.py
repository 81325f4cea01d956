"""Opens a photo: bounds first, then pixels, turned as it was taken, without its metadata.

Whatever the file holds, the outcome is either an RGB picture or one `PhotoError`.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from .errors import PhotoError
from .types import Image

LARGEST_FILE = 40_000_000
LARGEST_PICTURE = 60_000_000
SMALLEST_SIDE = 32
FORMATS = ("JPEG", "PNG", "WEBP")

_PLENTY = 26_000_000
"""Pixels; a JPEG of more is decoded at half its size, which saves three quarters of time and memory."""
_ORIENTATION = 0x0112
_TURNS = {
    2: (Pillow.Transpose.FLIP_LEFT_RIGHT, 0),
    3: (Pillow.Transpose.ROTATE_180, 180),
    4: (Pillow.Transpose.FLIP_TOP_BOTTOM, 180),
    5: (Pillow.Transpose.TRANSPOSE, 90),
    6: (Pillow.Transpose.ROTATE_270, 90),
    7: (Pillow.Transpose.TRANSVERSE, 270),
    8: (Pillow.Transpose.ROTATE_90, 270),
}
"""Orientation to the transposition that undoes it and the degrees clockwise that it turns."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo as it was meant to be seen.

    `pixels` (height, width, 3) uint8 RGB; `width` and `height` of the photo, which are `scale` times those
    of `pixels`; `turned` degrees clockwise that the stored picture was turned by its EXIF orientation.
    """

    pixels: Image
    width: int
    height: int
    scale: float = 1.0
    turned: int = 0


def open_photo(source: bytes | bytearray | memoryview | str | Path, *, side: int = 0) -> Photo:
    """The photo in a file's bytes or at a path.

    `side` is the long side in pixels that is enough: of a JPEG no more is decoded than that needs.

    Raises `PhotoError` for whatever is no JPEG, PNG or WebP (HEIC with the `heic` extra) within the bounds,
    and `OSError` when the path can't be read.
    """
    data = _bytes_of(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of broken metadata, which nobody asked for
            return _decode(data, side)
    except PhotoError:
        raise
    except MemoryError:
        raise PhotoError("the photo does not fit into memory", code="photo-memory") from None
    except Exception as error:
        # Pillow's decoders raise whatever a broken file leads them to: OSError, SyntaxError, struct.error ...
        if "truncated" in str(error).lower():
            raise PhotoError("the photo breaks off: its file is incomplete", code="photo-damaged") from None
        raise PhotoError("the photo is damaged and can't be decoded", code="photo-damaged") from None


def _bytes_of(source: bytes | bytearray | memoryview | str | Path) -> bytes:
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    else:
        data = bytes(source)
    if not data:
        raise PhotoError("the photo is empty", code="photo-damaged")
    if len(data) > LARGEST_FILE:
        megabytes = LARGEST_FILE // 1_000_000
        raise PhotoError(f"the photo is larger than {megabytes} MB", code="photo-too-heavy", n=megabytes)
    return data


def _decode(data: bytes, side: int) -> Photo:
    picture = _identify(data)
    with picture:
        _check_bounds(picture)
        width, height = picture.size
        orientation = _orientation(picture)
        if side:
            enough = min(1.0, side / max(width, height))
            picture.draft("RGB", (round(width * enough), round(height * enough)))
        elif width * height > _PLENTY:
            picture.draft("RGB", (width // 2, height // 2))
        scale = width / picture.size[0]
        picture.load()
        flat = _flatten(picture)
    turned = 0
    if orientation in _TURNS:
        method, turned = _TURNS[orientation]
        flat = flat.transpose(method)
        if turned in (90, 270):
            width, height = height, width
    pixels = np.array(flat, dtype=np.uint8)
    return Photo(pixels, width, height, scale, turned)


def _identify(data: bytes) -> Pillow.Image:
    formats = list(FORMATS)
    if data[4:8] == b"ftyp" and data[8:12] in (
        b"heic",
        b"heix",
        b"mif1",
        b"msf1",
        b"heim",
        b"heis",
        b"hevc",
        b"hevx",
    ):
        try:
            import pillow_heif
        except ImportError:
            raise PhotoError(
                "HEIC photos need the heic extra; or send the photo as JPEG", code="photo-heic"
            ) from None
        pillow_heif.register_heif_opener()
        formats.append("HEIF")
    try:
        return Pillow.open(io.BytesIO(data), formats=formats)
    except Pillow.DecompressionBombError:
        raise _too_large() from None
    except UnidentifiedImageError:
        raise PhotoError("this is no photo in JPEG, PNG, WebP or HEIC", code="no-photo") from None


def _check_bounds(picture: Pillow.Image) -> None:
    width, height = picture.size
    if width * height > LARGEST_PICTURE:
        raise _too_large()
    if min(width, height) < SMALLEST_SIDE:
        raise PhotoError(
            f"the photo is too small to show a card: {f'{width}x{height}'!r}", code="photo-too-small"
        )
    # phones keep a preview or a depth map as a second picture in JPEG (MPO) and HEIC: those don't move
    if picture.format in ("PNG", "WEBP") and getattr(picture, "is_animated", False):
        raise PhotoError("this is an animation, not a photo", code="photo-moves")


def _too_large() -> PhotoError:
    most = LARGEST_PICTURE // 1_000_000
    return PhotoError(f"the photo has more than {most} megapixels", code="photo-too-large", n=most)


def _orientation(picture: Pillow.Image) -> int:
    try:
        return int(picture.getexif().get(_ORIENTATION, 1))
    except Exception:
        # broken metadata is no reason to refuse the picture
        return 1


def _flatten(picture: Pillow.Image) -> Pillow.Image:
    """8-bit RGB; what is transparent becomes white."""
    if picture.mode.startswith("I") or picture.mode == "F":
        values = np.asarray(picture).astype(np.float64)
        # 16-bit grey; Pillow's own conversion would cut it off at 255
        return Pillow.fromarray(np.clip(values / 257, 0, 255).astype(np.uint8)).convert("RGB")
    if picture.has_transparency_data:
        clear = picture.convert("RGBA")
        paper = Pillow.new("RGBA", clear.size, "white")
        return Pillow.alpha_composite(paper, clear).convert("RGB")
    return picture if picture.mode == "RGB" else picture.convert("RGB")
