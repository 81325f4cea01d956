"""The finder around its network: rows to finds, each once, and the closer look; the network is made up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.vision import detector
from companion.vision.detector import Detector


class Painted:
    """Stands in for the network: pure red dots are ranks, the nearest blue dot is the suit sign."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def run(self, _: Any, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        picture = feed["images"][0]
        self.sizes.append(picture.shape[1:])
        red, blue = self._dots(picture, 0), self._dots(picture, 2)
        rows = []
        for x, y in red:
            away = np.hypot(blue[:, 0] - x, blue[:, 1] - y)
            sx, sy = blue[int(away.argmin())]
            size = 2.2 * float(away.min())
            row = [(x + sx) / 2, (y + sy) / 2, size, size, 0.9, 0.0, 0.0, x, y, 1.0, sx, sy, 1.0]
            rows += [row, [v + 0.4 for v in row[:4]] + row[4:]]  # as networks do: everything twice
        output = np.array(rows, np.float32).reshape(-1, 13).T[None]
        return [output]

    @staticmethod
    def _dots(picture: np.ndarray, channel: int) -> np.ndarray:
        others = [c for c in range(3) if c != channel]
        mask = (picture[channel] > 0.6) & (picture[others].max(0) < 0.45)
        ys, xs = np.nonzero(mask)
        groups: list[list[tuple[int, int]]] = []
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            near = [g for g in groups if min(abs(x - a) + abs(y - b) for a, b in g) < 8]
            if near:
                near[0].append((x, y))
            else:
                groups.append([(x, y)])
        return np.array([np.mean(g, axis=0) for g in groups], float).reshape(-1, 2)


@pytest.fixture
def painted() -> tuple[Detector, Painted]:
    made = object.__new__(Detector)
    network = Painted()
    made._session = network  # type: ignore[assignment]
    made._input = "images"
    return made, network


def photo(places: list[tuple[int, int]], size: tuple[int, int], distance: int, dot: int) -> np.ndarray:
    rgb = np.full((size[1], size[0], 3), 255, np.uint8)
    for x, y in places:
        rgb[y - dot : y + dot, x - dot : x + dot] = (255, 0, 0)
        rgb[y + distance - dot : y + distance + dot, x - dot : x + dot] = (0, 0, 255)
    return rgb


def test_places_come_back_in_pixels_of_the_photo(painted: tuple[Detector, Painted]) -> None:
    made, _ = painted
    places = [(400, 300), (1500, 900), (2000, 1300)]
    finds = made.find(photo(places, (2560, 1600), 60, 8))
    assert len(finds.indices) == 3
    seen = sorted(i.rank_xy for i in finds.indices)
    for (x, y), (sx, sy) in zip(sorted(places), seen, strict=True):
        assert (sx, sy) == pytest.approx((x, y), abs=2.5)


def test_small_indices_are_looked_at_again_in_parts(painted: tuple[Detector, Painted]) -> None:
    made, network = painted
    places = [(600 + 220 * k, 700 + 150 * (k % 3)) for k in range(8)]
    finds = made.find(photo(places, (4000, 3000), 18, 5))
    assert len(network.sizes) > 1
    assert max(max(size) for size in network.sizes) <= max(detector.FIRST_LOOK, detector.CLOSE_LOOK) + 16
    assert len(finds.indices) == len(places)
    for (x, y), index in zip(places, sorted(finds.indices, key=lambda i: i.rank_xy), strict=True):
        assert index.rank_xy == pytest.approx((x, y), abs=2.0)
        assert index.suit_xy == pytest.approx((x, y + 18), abs=2.5)


def test_a_tilted_table_is_looked_at_again_from_above(painted: tuple[Detector, Painted]) -> None:
    """Far signs lie as close together in the photo as the table's tilt makes them."""
    made, network = painted
    rgb = np.full((1500, 2000, 3), 255, np.uint8)
    places = []
    for row in range(3):
        near = 1 + 0.5 * row
        for column in range(5):
            x, y = round(1000 + (column - 2) * 190 * near), round(350 + 330 * row * (1 + row) / 2)
            suit_y = y + round(16 * near**2)
            rgb[y - 4 : y + 4, x - 4 : x + 4] = (255, 0, 0)
            rgb[suit_y - 4 : suit_y + 4, x - 4 : x + 4] = (0, 0, 255)
            places.append((x, y))
    finds = made.find(rgb)
    assert len(network.sizes) > 1
    assert len(finds.indices) == len(places)
    seen = np.array([index.rank_xy for index in finds.indices])
    for place in places:
        assert np.hypot(*(seen - place).T).min() < 2.5


def test_an_empty_photo_has_no_finds(painted: tuple[Detector, Painted]) -> None:
    made, _ = painted
    finds = made.find(np.full((300, 500, 3), 200, np.uint8))
    assert not finds.indices
    assert not finds.backs


def test_sides_of_the_network_are_multiples_of_its_stride(painted: tuple[Detector, Painted]) -> None:
    made, network = painted
    made.find(np.full((333, 777, 3), 255, np.uint8))
    assert all(side % 16 == 0 for size in network.sizes for side in size)
