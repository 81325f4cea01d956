"""A cut shows an index upright and whole, whichever way it lies and however large it is."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from companion.vision.cuts import (
    AROUND_ABOVE,
    AROUND_HEIGHT,
    AROUND_LEFT,
    AROUND_SCALE,
    AROUND_WIDTH,
    CUT_HEIGHT,
    CUT_WIDTH,
    cut_around,
    cut_index,
)


def drawn(distance: float, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A red rank blob and a black suit blob ``distance`` apart, turned by ``angle`` degrees clockwise."""
    side = int(distance * 8) + 20
    image = Image.new("RGB", (side, side), "white")
    turn = np.radians(angle)
    down = np.array([-np.sin(turn), np.cos(turn)])
    rank = np.array([side / 2, side / 2]) - down * distance / 2
    suit = rank + down * distance
    draw = ImageDraw.Draw(image)
    for at, colour in ((rank, "red"), (suit, "black")):
        radius = distance * 0.3
        draw.ellipse((at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), fill=colour)
    return np.asarray(image), rank, suit


@pytest.mark.parametrize("angle", [0, 37, 90, 180, 271])
@pytest.mark.parametrize("distance", [6.0, 13.0, 27.0, 80.0])
def test_rank_above_suit_at_any_turn_and_size(angle: float, distance: float) -> None:
    image, rank, suit = drawn(distance, angle)
    cut = cut_index(image, rank, suit).astype(int)
    assert cut.shape == (CUT_HEIGHT, CUT_WIDTH, 3)
    step = CUT_HEIGHT / 3.0
    above = cut[int(CUT_HEIGHT / 2 - step / 2), CUT_WIDTH // 2]
    below = cut[int(CUT_HEIGHT / 2 + step / 2), CUT_WIDTH // 2]
    assert above[0] > 180
    assert max(above[1:]) < 80
    assert max(below) < 80
    assert cut[4, 4].min() > 220


def test_left_stays_left() -> None:
    """Nothing is mirrored: what is right of an upright index is right in the cut, turned or not."""
    for turned in (False, True):
        image = np.full((200, 200, 3), 255, np.uint8)
        image[60:140, 125:135] = (0, 0, 255)
        rank, suit = np.array([100.0, 80.0]), np.array([100.0, 120.0])
        if turned:
            image, rank, suit = image[::-1, ::-1], 200 - rank, 200 - suit
        cut = cut_index(np.ascontiguousarray(image), rank, suit)
        blue = cut[CUT_HEIGHT // 2, :, 0] < 100
        assert blue[CUT_WIDTH // 2 :].any()
        assert not blue[: CUT_WIDTH // 2].any()


@pytest.mark.parametrize("at", [(-5.0, -5.0), (0.0, 0.0), (400.0, 10.0), (-500.0, -500.0)])
def test_at_and_over_the_edge(at: tuple[float, float]) -> None:
    image = np.full((50, 60, 3), 90, np.uint8)
    rank = np.array(at)
    cut = cut_index(image, rank, rank + np.array([0.0, 12.0]))
    assert cut.shape == (CUT_HEIGHT, CUT_WIDTH, 3)


def test_points_that_fall_together_do_not_fail() -> None:
    image = np.zeros((20, 20, 3), np.uint8)
    assert cut_index(image, np.array([9.0, 9.0]), np.array([9.0, 9.0])).shape == (CUT_HEIGHT, CUT_WIDTH, 3)


@pytest.mark.parametrize("angle", [0, 90, 205])
@pytest.mark.parametrize("distance", [6.0, 20.0, 60.0])
def test_what_lies_round_an_index_holds_the_pips_to_its_right(angle: float, distance: float) -> None:
    """A pip four distances right of the rank and one below it is where the cut's scale says, at any turn."""
    side = int(distance * 16) + 20
    image = Image.new("RGB", (side, side), "white")
    turn = np.radians(angle)
    down = np.array([-np.sin(turn), np.cos(turn)]) * distance
    right = np.array([down[1], -down[0]])
    rank = np.array([side / 2, side / 2])
    pip, radius = rank + 4 * right + down, 0.4 * distance
    box = (pip[0] - radius, pip[1] - radius, pip[0] + radius, pip[1] + radius)
    ImageDraw.Draw(image).ellipse(box, fill="red")
    around = cut_around(np.asarray(image), rank, rank + down).astype(int)
    assert around.shape == (AROUND_HEIGHT, AROUND_WIDTH, 3)
    rows, columns = np.nonzero(around[..., 1] < 128)
    assert rows.mean() + 0.5 == pytest.approx((1 + AROUND_ABOVE) * AROUND_SCALE, abs=1.2)
    assert columns.mean() + 0.5 == pytest.approx((4 + AROUND_LEFT) * AROUND_SCALE, abs=1.2)
