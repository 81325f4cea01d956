"""A fanned pile is read in the order it was played, however it lies."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from companion.vision.fan import fanned
from companion.vision.scan import ScannedCard

NAMES = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def card(
    name: str, x: float, y: float, turn: float = 0.0, *, sure: bool = True, size: float = 20
) -> ScannedCard:
    """A card whose index has its middle at (x, y), turned clockwise."""

    def corner(right: float, up: float) -> tuple[float, float]:
        return x + right * cos(turn) + up * sin(turn), y + right * sin(turn) - up * cos(turn)

    a, b = size * 0.32, size / 2
    index = (corner(-a, b), corner(a, b), corner(a, -b), corner(-a, -b))
    return ScannedCard(name, 0.99, sure, "loose", None, None, index, index)


def turned(cards: list[ScannedCard], angle: float) -> list[ScannedCard]:
    """The same picture from another side."""
    result = []
    for each in cards:
        assert each.index is not None
        quad = [(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in each.index]
        result.append(ScannedCard(each.card, 0.99, each.sure, "loose", None, None, tuple(quad), None))  # type: ignore[arg-type]
    return result


def line(count: int, step: float = 22, y: float = 0, first: int = 0) -> list[ScannedCard]:
    return [card(NAMES[first + n], n * step, y + n % 3) for n in range(count)]


def arc(count: int) -> list[ScannedCard]:
    angles = [(n - count / 2) * 0.06 for n in range(count)]
    return [card(NAMES[n], 500 * sin(angle), 500 * (1 - cos(angle)), angle) for n, angle in enumerate(angles)]


@pytest.mark.parametrize("angle", [0, 0.3, pi / 2, pi, -2])
@pytest.mark.parametrize(
    "cards", [line(40), arc(16), line(20) + line(20, y=170, first=20)], ids=["line", "arc", "rows"]
)
def test_order(cards: list[ScannedCard], angle: float) -> None:
    mixed = turned(cards, angle)[::-1]
    mixed = mixed[1::2] + mixed[::2]
    assert [each.card for each in fanned(mixed)] == [each.card for each in cards]


def test_the_far_corner_of_the_last_card() -> None:
    # Only the far corner of the last card was read, or both, or the near one isn't legible.
    row = line(10)
    far = card(NAMES[10], 10 * 22 + 60, 100, pi)
    want = NAMES[:11]
    assert [each.card for each in fanned([*row, far])] == want
    near = card(NAMES[10], 220, 0)
    assert [each.card for each in fanned([*row, near, far])] == want
    unread = card("??", 220, 0, sure=False)
    assert [each.card for each in fanned([*row, unread, far])] == want


def test_doubtful_finds_beside_the_fan_are_no_cards() -> None:
    row = line(10)
    clutter = card("KD", 60, -90, sure=False)
    assert [each.card for each in fanned([clutter, *row])] == NAMES[:10]
    # One in line with the row may be a card.
    doubtful = card("KD", 330, 2, sure=False)
    assert [each.card for each in fanned([doubtful, *row])] == [*NAMES[:10], "KD"]


def test_columns_are_read_downwards() -> None:
    cards = [
        ScannedCard(NAMES[n], 0.99, True, "column", n // 5, n % 5, card("AS", n, n).index, None)
        for n in range(10)
    ]
    assert [each.card for each in fanned(cards[::-1])] == NAMES[:10]


def test_nothing() -> None:
    assert fanned([]) == []
