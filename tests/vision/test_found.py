"""Finds of two looks brought together."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.found import Found, agreed, once


def found(*signs: tuple[float, float, float]) -> Found:
    """Upright signs at x, y with a score, rank and suit sign ten pixels apart."""
    points = np.array([[[x, y], [x, y + 10]] for x, y, _ in signs], float).reshape(-1, 2, 2)
    boxes = np.concatenate([points[:, 0] - 5, points[:, 1] + 5], 1)
    return Found(boxes, np.zeros(len(signs), int), np.array([s for *_, s in signs], float), points)


def test_what_both_saw_lies_where_the_closer_look_saw_it() -> None:
    both = agreed(found((100, 100, 0.9)), found((102, 101, 0.5)))
    assert both.points[:, 0].tolist() == [[102, 101]]
    assert both.score == pytest.approx([0.7])


def test_what_one_look_saw_is_half_as_sure() -> None:
    both = agreed(found((100, 100, 0.9), (200, 100, 0.4)), found((100, 100, 0.9), (300, 100, 0.8)))
    assert sorted(zip(both.points[:, 0, 0].tolist(), both.score.tolist(), strict=True)) == [
        (100, pytest.approx(0.9)),
        (200, pytest.approx(0.2)),
        (300, pytest.approx(0.4)),
    ]


def test_two_of_the_first_look_in_one_place_are_one() -> None:
    both = agreed(found((98, 100, 0.6), (103, 100, 0.5)), found((100, 100, 0.8)))
    assert both.points[:, 0].tolist() == [[100, 100]]
    assert both.score == pytest.approx([0.7])


@pytest.mark.parametrize(("first", "second"), [((), ((1, 2, 0.5),)), (((1, 2, 0.5),), ()), ((), ())])
def test_a_look_may_see_nothing(first: tuple, second: tuple) -> None:
    both = agreed(found(*first), found(*second))
    assert both.score.tolist() == [0.25] * len(first + second)


def test_each_sign_once_the_surest_first() -> None:
    assert once(found((0, 0, 0.3), (50, 0, 0.9), (1, 0, 0.6))).score.tolist() == [0.9, 0.6]
