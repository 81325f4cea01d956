"""Photos: bounds, formats, orientation, and files that are broken in every way."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.vision import photo
from companion.vision.errors import PhotoError
from companion.vision.photo import open_photo


def picture(size: tuple[int, int] = (80, 60)) -> Image.Image:
    """Four colours in the corners: red top left, green top right, blue bottom left, white bottom right."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    h, w = size[1] // 2, size[0] // 2
    pixels[:h, :w], pixels[:h, w:], pixels[h:, :w], pixels[h:, w:] = (
        (255, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
        255,
    )
    return Image.fromarray(pixels)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def corner_colours(pixels: np.ndarray) -> list[str]:
    def name(pixel: np.ndarray) -> str:
        return {(1, 0, 0): "R", (0, 1, 0): "G", (0, 0, 1): "B", (1, 1, 1): "W", (0, 0, 0): "-"}[
            tuple(pixel > 127)
        ]

    h, w = pixels.shape[:2]
    return [
        name(pixels[y, x])
        for y, x in ((h // 8, w // 8), (h // 8, -w // 8), (-h // 8, w // 8), (-h // 8, -w // 8))
    ]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_named_formats(kind: str) -> None:
    opened = open_photo(saved(picture(), kind))
    assert opened.pixels.shape == (60, 80, 3)
    assert opened.pixels.dtype == np.uint8
    assert (opened.width, opened.height, opened.turned, opened.scale) == (80, 60, 0, 1.0)
    assert corner_colours(opened.pixels) == ["R", "G", "B", "W"]


def test_extension_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(saved(picture(), "JPEG"))
    assert corner_colours(open_photo(path).pixels) == ["R", "G", "B", "W"]
    assert corner_colours(open_photo(str(path)).pixels) == ["R", "G", "B", "W"]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "turned"), [(1, 0), (2, 0), (3, 180), (4, 180), (5, 90), (6, 90), (7, 270), (8, 270)]
)
def test_orientation_is_undone_once(kind: str, orientation: int, turned: int) -> None:
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # transposition that makes the stored picture
    stored = picture() if orientation == 1 else picture().transpose(Image.Transpose(undo[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    opened = open_photo(saved(stored, kind, exif=exif.tobytes()))
    assert corner_colours(opened.pixels) == ["R", "G", "B", "W"]
    assert (opened.width, opened.height) == (80, 60)
    assert opened.turned == turned


def test_broken_exif_is_no_reason_to_refuse() -> None:
    data = saved(picture(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\xff" * 40)
    assert corner_colours(open_photo(data).pixels) == ["R", "G", "B", "W"]


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (picture().convert("CMYK"), "JPEG"),
        (picture().convert("P", palette=Image.Palette.ADAPTIVE), "PNG"),
        (picture().convert("RGBA"), "PNG"),
        (picture().convert("RGBA"), "WEBP"),
    ],
    ids=["cmyk", "palette", "alpha", "alpha-webp"],
)
def test_other_modes(image: Image.Image, kind: str) -> None:
    assert corner_colours(
        open_photo(saved(image, kind, **({"lossless": True} if kind == "WEBP" else {}))).pixels
    ) == ["R", "G", "B", "W"]


def test_sixteen_bit_grey_keeps_its_tones() -> None:
    grey = np.linspace(0, 65535, 64).astype(np.uint16)[None].repeat(40, 0)
    pixels = open_photo(saved(Image.fromarray(grey), "PNG")).pixels
    assert pixels[0, :, 0].tolist() == pytest.approx(np.linspace(0, 255, 64), abs=1.5)


def test_black_and_white_and_grey() -> None:
    assert open_photo(saved(picture().convert("1"), "PNG")).pixels.shape == (60, 80, 3)
    assert open_photo(saved(picture().convert("L"), "JPEG")).pixels.shape == (60, 80, 3)
    assert open_photo(saved(picture().convert("LA"), "PNG")).pixels.shape == (60, 80, 3)


def test_transparent_becomes_white() -> None:
    clear = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    assert open_photo(saved(clear, "PNG")).pixels.min() == 255


def test_transparent_colour_of_a_palette_becomes_white() -> None:
    image = picture().convert("P", palette=Image.Palette.ADAPTIVE)
    red = image.getpixel((2, 2))
    assert corner_colours(open_photo(saved(image, "PNG", transparency=red)).pixels) == ["W", "G", "B", "W"]


def test_large_jpeg_is_halved_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "_PLENTY", 80 * 60 - 1)
    opened = open_photo(saved(picture(), "JPEG"))
    assert opened.pixels.shape == (30, 40, 3)
    assert (opened.width, opened.height, opened.scale) == (80, 60, 2.0)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_that_claims(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b"hello, this is text", "no photo in JPEG"),
        (b"\xff\xd8\xff", "no photo|damaged"),
        (saved(picture(), "GIF"), "no photo in JPEG"),
        (saved(picture(), "TIFF"), "no photo in JPEG"),
        (saved(picture(), "BMP"), "no photo in JPEG"),
        (saved(picture(), "JPEG")[:-300], "breaks off|damaged"),
        (saved(picture(), "PNG")[:120], "breaks off|damaged"),
        (saved(picture((31, 400)), "PNG"), "too small.*'31x400'"),
        (png_that_claims(60_000, 60_000), "more than 60 megapixels"),
        (png_that_claims(9000, 9000), "more than 60 megapixels"),
        (png_that_claims(400, 400), "breaks off|damaged"),
        (saved(picture(), "PNG", save_all=True, append_images=[Image.new("RGB", (80, 60))]), "animation"),
        (saved(picture(), "WEBP", save_all=True, append_images=[Image.new("RGB", (80, 60))]), "animation"),
        (b"\0" * 50_000_000, "larger than 40 MB"),
    ],
)
def test_refused_with_one_sentence(data: bytes, sentence: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PhotoError, match=sentence) as caught:
            open_photo(data)
    assert "\n" not in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_photo(tmp_path / "none.jpg")


def test_phone_jpeg_with_a_second_picture_is_a_photo() -> None:
    data = saved(picture(), "MPO", save_all=True, append_images=[Image.new("RGB", (80, 60))])
    assert corner_colours(open_photo(data).pixels) == ["R", "G", "B", "W"]


def test_heic_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pillow_heif", None)
    with pytest.raises(PhotoError, match="heic extra"):
        open_photo(b"\0\0\0\x18ftypheic" + b"\0" * 100)


def test_heic_with_the_extra() -> None:
    heif = pytest.importorskip("pillow_heif")
    heif.register_heif_opener()
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = picture().transpose(Image.Transpose.ROTATE_90)
    opened = open_photo(saved(stored, "HEIF", exif=exif.tobytes(), quality=95))
    assert corner_colours(opened.pixels) == ["R", "G", "B", "W"]


SOUND = [
    saved(picture(), "JPEG"),
    saved(picture(), "JPEG", progressive=True),
    saved(picture(), "PNG"),
    saved(picture().convert("P"), "PNG"),
    saved(picture().convert("RGBA"), "WEBP"),
    saved(picture(), "MPO", save_all=True, append_images=[Image.new("RGB", (80, 60))]),
]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_mutated_files_never_escape(data: st.DataObject) -> None:
    file = bytearray(data.draw(st.sampled_from(SOUND)))
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(file) - 1))
        what = data.draw(st.sampled_from(["byte", "cut", "double", "drop", "zeros"]))
        if what == "byte":
            file[place] = data.draw(st.integers(0, 255))
        elif what == "cut":
            del file[max(place, 1) :]
        elif what == "double":
            file[place:place] = file[place : place + 40]
        elif what == "drop":
            del file[place : place + data.draw(st.integers(1, 30))]
        else:
            file[place : place + 8] = bytes(8)
        if not file:
            break
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            opened = open_photo(bytes(file))
        except PhotoError as error:
            sentence = str(error)
        else:
            assert opened.pixels.ndim == 3
            assert opened.pixels.shape[2] == 3
            assert opened.pixels.dtype == np.uint8
            return
    assert sentence
    assert "\n" not in sentence
