"""The view from straight above, against a table seen by a tilted camera."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from companion.vision.straight import StraightView, straighten

from .tables import Camera


def signs(camera: Camera, turn: float = 0.0) -> np.ndarray:
    """(N, 2, 2) pixels of rank and suit sign of a grid of cards, 60 by 85 millimetres apart."""
    ranks = np.array([(x, y) for x in range(0, 420, 60) for y in range(0, 340, 85)], float)
    down = 7.0 * np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))])
    return np.stack([camera.see(ranks), camera.see(ranks + down)], 1)


def camera(tilt: float, turn: float) -> Camera:
    corners = np.array([(0, 0), (360, 0), (360, 260), (0, 260)], float)
    return Camera.over(corners, turn=turn, tilt=tilt, size=(2000, 1500))


def view_of(points: np.ndarray, **changes: object) -> StraightView:
    options = {"distances": (13.0, 19.0), "longs": (1280, 2560), "enlarge": 2.0}
    view = straighten(points, (2000, 1500), **{**options, **changes})  # type: ignore[arg-type]
    assert view is not None
    return view


def seen(view: StraightView, points: np.ndarray) -> np.ndarray:
    """Pixels of the view of pixels of the photo."""
    back = StraightView(np.linalg.inv(view.matrix), view.size)
    return back.to_photo(points)


@pytest.mark.parametrize("tilt", [0, 20, 40])
@pytest.mark.parametrize("turn", [0, 10, -30])
def test_signs_lie_upright_and_even(tilt: float, turn: float) -> None:
    points = signs(camera(tilt, turn))
    view = view_of(points)
    arms = np.diff(seen(view, points), axis=1)[:, 0]
    assert np.abs(arms[:, 0]).max() < 0.12 * arms[:, 1].min()
    assert arms[:, 1].max() < 1.12 * arms[:, 1].min()
    assert np.median(arms[:, 1]) < 19.1
    inside = seen(view, points)
    assert inside.min() > 0
    assert (inside < view.size).all()


def test_the_view_stays_within_its_bounds() -> None:
    points = signs(camera(20, 0))
    assert max(view_of(points, longs=(300, 600)).size) <= 601
    assert max(view_of(points, longs=(300, 6000)).size) > 600
    # at most as large as the photo
    arms = np.hypot(*(points[:, 1] - points[:, 0]).T)
    apart = np.diff(
        seen(view_of(points, distances=(100.0, 100.0), longs=(9000, 9000), enlarge=1.0), points), axis=1
    )
    assert np.median(apart[:, 0, 1]) == pytest.approx(np.median(arms), rel=0.25)


def test_what_is_drawn_is_what_the_points_say() -> None:
    points = signs(camera(35, 12))
    photo = np.full((1500, 2000, 3), 255, np.uint8)
    for x, y in np.rint(points[:, 0]).astype(int):
        photo[y - 3 : y + 4, x - 3 : x + 4] = (255, 0, 0)
    view = view_of(points)
    picture = np.asarray(view.render(Image.fromarray(photo), (0, 0, *view.size)))
    for x, y in np.rint(seen(view, points[:, 0])).astype(int):
        assert picture[y, x, 1] < 120
    half = np.asarray(view.render(Image.fromarray(photo), (view.size[0] // 2, 10, *view.size)))
    assert np.abs(half.astype(int) - picture[10:, view.size[0] // 2 :]).mean() < 2


def test_one_sign_is_looked_at_as_it_lies() -> None:
    view = view_of(np.array([[[500.0, 400.0], [500.0, 430.0]]]))
    arm = np.diff(seen(view, np.array([[500.0, 400.0], [500.0, 430.0]])), axis=0)[0]
    assert arm == pytest.approx([0, 19], abs=0.2)


def test_signs_without_length_make_no_view() -> None:
    assert straighten(np.full((3, 2, 2), 7.0), (2000, 1500), (13, 19), (1280, 2560), 2.0) is None
