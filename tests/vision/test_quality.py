"""Problems of the photo are named when they are there, and only then."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from companion.vision.quality import find_problems
from companion.vision.types import Finds, Index


def table(cut: float = 1.0, height: int = 40) -> tuple[Image.Image, Finds, list]:
    """Four white cards on a green table, each with a dark index of `height` pixels."""
    picture = Image.new("RGB", (900, 600), (40, 90, 60))
    draw = ImageDraw.Draw(picture)
    indices, outlines = [], []
    for k in range(4):
        x, y = 40 + 210 * k * cut, 150
        draw.rectangle((x, y, x + 180, y + 250), fill=(228, 226, 220))
        draw.rectangle(
            (x + 12, y + 12, x + 12 + height // 2, y + 10 + height // 2), outline=(20, 20, 20), width=3
        )
        draw.ellipse(
            (x + 12, y + 14 + height // 2, x + 12 + height // 2, y + 12 + height), fill=(170, 10, 30)
        )
        middle = x + 12 + height / 4
        indices.append(Index((middle, y + 11 + height / 4), (middle, y + 13 + height * 0.75), height))
        outlines.append(((x, y), (x + 180, y), (x + 180, y + 250), (x, y + 250)))
    return picture, Finds(tuple(indices)), outlines


def codes(picture: Image.Image, finds: Finds, outlines: list) -> list[str]:
    return [problem.code for problem in find_problems(np.asarray(picture), finds, outlines)]


def test_a_good_photo_has_none() -> None:
    assert codes(*table()) == []


def test_no_cards() -> None:
    assert codes(table()[0], Finds(), []) == ["no-cards"]


def test_too_dark() -> None:
    picture, finds, outlines = table()
    assert codes(picture.point(lambda v: v // 6), finds, outlines) == ["too-dark"]
    assert "too-dark" in codes(Image.new("RGB", (300, 200)), Finds(), [])


def test_too_far() -> None:
    picture, finds, outlines = table()
    small = Finds(tuple(Index(i.rank_xy, i.suit_xy, 11.0) for i in finds.indices))
    assert "too-far" in codes(picture, small, outlines)


@pytest.mark.parametrize(("radius", "blurred"), [(0, False), (1, False), (6, True)])
def test_blurred(radius: int, blurred: bool) -> None:
    picture, finds, outlines = table()
    found = codes(picture.filter(ImageFilter.GaussianBlur(radius)), finds, outlines)
    assert found == (["blurred"] if blurred else [])


def test_glare() -> None:
    picture, finds, outlines = table()
    draw = ImageDraw.Draw(picture)
    draw.ellipse((300, 200, 420, 330), fill=(255, 255, 255))
    assert codes(picture, finds, outlines) == ["glare"]


def test_white_cards_all_over_are_no_glare() -> None:
    picture, finds, outlines = table()
    assert codes(picture.point(lambda v: min(255, int(v * 1.2))), finds, outlines) == []


def test_cut_off() -> None:
    assert codes(*table(cut=1.2)) == ["cut-off"]


@pytest.mark.parametrize("size", [(32, 32), (40, 2000), (33, 61)])
@pytest.mark.parametrize("colour", ["black", "white"])
def test_tiny_and_flat_photos(size: tuple[int, int], colour: str) -> None:
    found = codes(Image.new("RGB", size, colour), Finds(), [])
    assert "no-cards" in found
    assert ("too-dark" in found) == (colour == "black")
