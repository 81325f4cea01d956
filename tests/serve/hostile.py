"""Files that somebody may send as a photo: broken, endless, oversized, or something else altogether."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Iterator

from PIL import Image

Hostile = tuple[str, bytes, str]
"""What it is, its bytes, and a part of the sentence that must come (empty: it is read, or refused)."""

NO_PHOTO, BROKEN, TOO_LARGE = "this is no photo", "damaged", "more than 60 megapixels"


def photos(good: bytes) -> Iterator[Hostile]:
    """One of each kind, made from a good JPEG."""
    yield "text", b"not a picture, whatever its name says\n" * 50, NO_PHOTO
    yield "a page", b"<!DOCTYPE html><script>alert(1)</script>", NO_PHOTO
    yield (
        "a drawing",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
        NO_PHOTO,
    )
    yield "a document", b"%PDF-1.7\n1 0 obj <<>> endobj\n", NO_PHOTO
    yield "an archive", _archive(), NO_PHOTO
    yield "a format that is not taken", _saved("GIF"), NO_PHOTO
    yield "another one", _saved("TIFF"), NO_PHOTO
    yield "one byte", b"\xff", NO_PHOTO
    yield "only a beginning", good[:3], NO_PHOTO
    yield "half a photo", good[: len(good) // 2], "breaks off"
    yield "a photo without its end", good[:-2000], "breaks off"
    yield "one pixel", _saved("PNG", (1, 1)), "too small"
    yield "a line", _saved("PNG", (20000, 1)), "too small"
    yield "an animation", _animation("WEBP"), "an animation"
    yield "an animated PNG", _animation("PNG"), "an animation"
    yield "a bomb", _flat_png(30000, 30000), TOO_LARGE
    yield "a larger bomb", _flat_png(2**31 - 1, 2**31 - 1, rows=1), ""
    yield "just too large", _flat_png(8000, 7501), TOO_LARGE
    yield "a bomb of a JPEG", _resized(good, 65500, 65500), TOO_LARGE
    yield "a JPEG without a size", _resized(good, 0, 0), ""
    yield "a JPEG that says it is wider", _resized(good, 5000, 5000), ""
    yield "a bomb of a text", _with_chunk(_saved("PNG", (64, 64)), b"zTXt", _bomb_text()), ""
    yield "metadata in a ring", _with_exif(good, _ring()), ""
    yield "metadata in metadata", _with_exif(good, _nested(200)), ""
    yield "metadata that is none", _with_exif(good, b"II*\0" + b"\xff" * 60000), ""
    yield "an impossible turn", _with_exif(good, _orientation(60000)), ""
    yield "a HEIC that is none", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\xff" * 500, ""
    yield "a WebP that is none", b"RIFF\xff\xff\xff\x7fWEBPVP8L" + b"\0" * 64, ""
    yield "zeros", bytes(100_000), NO_PHOTO
    chance = random.Random(7)
    for number in range(8):
        yield f"a photo with holes, {number}", _holes(good, chance), ""


def large_but_good() -> bytes:
    """Forty megapixels of table cloth: within the bounds."""
    return _flat_png(8000, 5000)


def endless() -> bytes:
    """A progressive JPEG whose last scan comes again and again: small, and minutes of work."""
    kept = io.BytesIO()
    Image.new("RGB", (6000, 6000), (10, 90, 60)).save(kept, "JPEG", progressive=True)
    data = kept.getvalue()
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * min(4000, 30_000_000 // (len(data) - last)) + b"\xff\xd9"


def _saved(format: str, size: tuple[int, int] = (200, 150), **how: object) -> bytes:
    kept = io.BytesIO()
    Image.new("RGB", size, (10, 90, 60)).save(kept, format, **how)
    return kept.getvalue()


def _animation(format: str) -> bytes:
    frames = [Image.new("RGB", (120, 90), (30 * n, 90, 60)) for n in range(4)]
    kept = io.BytesIO()
    frames[0].save(kept, format, save_all=True, append_images=frames[1:])
    return kept.getvalue()


def _archive() -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as file:
        file.writestr("../../table.jpg", "x")
    return kept.getvalue()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _flat_png(width: int, height: int, rows: int | None = None) -> bytes:
    """A grey PNG of one bit a pixel, packed small."""
    packer = zlib.compressobj(9)
    line = b"\0" + bytes((width + 7) // 8 if width < 100_000 else 100)
    body = b"".join(packer.compress(line) for _ in range(rows or height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _with_chunk(png: bytes, kind: bytes, body: bytes) -> bytes:
    return png[:33] + _chunk(kind, body) + png[33:]


def _bomb_text() -> bytes:
    return b"comment\0\0" + zlib.compress(bytes(200_000_000), 9)


def _resized(jpeg: bytes, width: int, height: int) -> bytes:
    """The JPEG with another size in its frame header."""
    at = next(at for at in range(len(jpeg)) if jpeg[at] == 0xFF and jpeg[at + 1] in (0xC0, 0xC2))
    return jpeg[: at + 5] + struct.pack(">HH", height, width) + jpeg[at + 9 :]


def _with_exif(jpeg: bytes, tiff: bytes) -> bytes:
    body = (b"Exif\0\0" + tiff)[:65000]
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def _entry(tag: int, kind: int, value: int) -> bytes:
    return struct.pack("<HHII", tag, kind, 1, value)


def _ring() -> bytes:
    """Two directories that each name the other as the next, and themselves as their own part."""
    one = struct.pack("<H", 1) + _entry(0x8769, 4, 8) + struct.pack("<I", 26)
    other = struct.pack("<H", 1) + _entry(0x8769, 4, 26) + struct.pack("<I", 8)
    return b"II*\0" + struct.pack("<I", 8) + one + other


def _nested(depth: int) -> bytes:
    """A directory in a directory in a directory …"""
    tiff = b"II*\0" + struct.pack("<I", 8)
    for level in range(depth):
        tiff += struct.pack("<H", 1) + _entry(0x8769, 4, 8 + 18 * (level + 1)) + struct.pack("<I", 0)
    return tiff + struct.pack("<H", 0) + struct.pack("<I", 0)


def _orientation(value: int) -> bytes:
    return b"II*\0" + struct.pack("<IH", 8, 1) + _entry(0x0112, 3, value) + struct.pack("<I", 0)


def _holes(jpeg: bytes, chance: random.Random) -> bytes:
    data = bytearray(jpeg)
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(20, len(data))] = chance.randrange(256)
    return bytes(data)
