"""Where cards lie: golf tables and everything else that can lie on a table.

Lengths are card widths; x to the right and y towards the player. A card is drawn over those before it.
"""

from __future__ import annotations

import dataclasses
import math
import random

from datasets.decks.names import CARDS

ASPECT = 88.9 / 63.5


@dataclasses.dataclass(frozen=True)
class Placed:
    """A card: ``face`` is a name or ``back``; ``turn`` in radians; where it belongs on a golf table."""

    face: str
    x: float
    y: float
    turn: float
    where: str = "loose"
    column: int = -1
    row: int = -1


def shuffled(rng: random.Random, jokers: int = 0) -> list[str]:
    """A pack in random order, with any number of jokers."""
    pack = [*CARDS, *(("J1", "J2")[k % 2] for k in range(jokers))]
    rng.shuffle(pack)
    return pack


def some_jokers(rng: random.Random) -> int:
    """None, two, or more than any pack has: a finder would see too few jokers otherwise."""
    return rng.choice([0, 0, 2, 6])


def golf(
    rng: random.Random,
    *,
    fresh: bool | None = None,
    jokers: int = 0,
    step: float | None = None,
    double: bool = False,
) -> list[Placed]:
    """A golf table, fresh or half played, tidy to careless, discard and stock; ``step`` from card to card.

    ``double``: two packs in nine columns of seven.
    """
    pack = shuffled(rng, jokers)
    care = rng.choice([0.2, 1.0, rng.uniform(0.3, 2.0)])
    columns, depth = rng.choice([(7, 5)] * 8 + [(9, 7), (8, 4)]) if fresh is None else (7, 5)
    if double:
        columns, depth = 9, 7
    if columns == 9:
        pack = pack + shuffled(rng)
    step_x, step_y = rng.uniform(1.08, 1.5), rng.uniform(0.24, 0.55) * (0.8 if depth > 5 else 1)
    step_y = step or step_y
    if fresh is None:
        fresh = rng.random() < 0.5
    heights = [depth] * columns if fresh else [rng.randint(0, depth) for _ in range(columns)]
    if not fresh and rng.random() < 0.5:
        heights = [max(0, depth - rng.choice([0, 0, 1, 1, 2, 3, 5])) for _ in range(columns)]
    cards = []
    lean = rng.gauss(0, 0.02)
    for column, height in enumerate(heights):
        x0, y0 = column * step_x + rng.gauss(0, 0.03) * care, rng.gauss(0, 0.05) * care
        drift, turn = rng.gauss(0, 0.02) * care, rng.gauss(0, 0.025) * care
        for row in range(height):
            x = x0 + row * drift + rng.gauss(0, 0.02) * care
            y = y0 + row * step_y * (1 + rng.gauss(0, 0.06) * care) + x * lean
            angle = turn + rng.gauss(0, 0.022) * care + (math.pi if rng.random() < 0.5 else 0)
            cards.append(Placed(pack.pop(), x, y, angle, "column", column, row))
    bottom = (depth - 1) * step_y + ASPECT * rng.uniform(1.12, 1.7)
    across = rng.uniform(0, (columns - 2) * step_x)
    gap = rng.uniform(1.1, 1.9) * rng.choice([1, -1])
    discard_at, stock_at = (across, bottom), (across + gap, bottom + rng.gauss(0, 0.08))
    if rng.random() < 0.12:  # beside the tableau instead
        side = rng.choice([-1.7, columns * step_x + 0.5])
        discard_at, stock_at = (side, rng.uniform(0, 1)), (side, rng.uniform(2.0, 2.6))
    loose = rng.choice([0.01, 0.05, 0.12])
    played = 0 if fresh else rng.randint(0, 6)
    for k in range(min(played + 1, max(1, len(pack) - 4))):
        last = k == played
        angle = rng.gauss(0, loose * (0.5 if last else 1.2)) + rng.choice([0, math.pi])
        where = "discard" if last else "loose"
        cards.append(
            Placed(
                pack.pop(), _near(rng, discard_at[0], loose), _near(rng, discard_at[1], loose), angle, where
            )
        )
    if cards[-1].where != "discard":
        cards[-1] = dataclasses.replace(cards[-1], where="discard")
    for _ in range(rng.randint(0, 5) if not fresh else rng.randint(2, 5)):
        cards.append(
            Placed(
                "back",
                _near(rng, stock_at[0], loose),
                _near(rng, stock_at[1], loose),
                rng.gauss(0, loose),
                "stock",
            )
        )
    return cards


def fan(rng: random.Random) -> list[Placed]:
    """A hand spread in an arc or a line, as in bridge or rummy."""
    pack = shuffled(rng, some_jokers(rng))
    cards = []
    for hand in range(rng.choice([1, 1, 2, 4])):
        count = rng.randint(3, 13)
        cx, cy, base = (
            (hand % 2) * 4.5 + rng.gauss(0, 0.3),
            (hand // 2) * 4.0 + rng.gauss(0, 0.3),
            rng.uniform(0, math.tau),
        )
        spread, radius = rng.uniform(0.06, 0.2), rng.choice([rng.uniform(2, 5), rng.uniform(8, 40)])
        step = max(spread, 0.26 / radius) if radius < 6 else rng.uniform(0.22, 0.5) / radius
        if rng.random() < 0.4:  # held so tightly that each card covers part of the next one's rank
            step *= rng.uniform(0.45, 0.8)
        backwards = rng.random() < 0.3
        for k in range(count):
            a = (k - count / 2) * step * (-1 if backwards else 1) + rng.gauss(0, 0.02)
            x, y = radius * math.sin(a), radius * (1 - math.cos(a)) + rng.gauss(0, 0.04)
            turn = a + base
            flip = math.pi if rng.random() < 0.5 else 0
            cards.append(Placed(pack.pop(), *_rotated(x, y, base, cx, cy), turn + flip))
    return cards


def columns(rng: random.Random, *, step: float | None = None) -> list[Placed]:
    """Columns of other patiences: any number and depth, some with backs above; ``step`` from card to card."""
    pack = shuffled(rng, some_jokers(rng))
    step_x, step_y = rng.uniform(1.05, 1.6), step or rng.uniform(0.22, 0.6)
    cards = []
    for column in range(rng.randint(2, 9)):
        hidden = rng.choice([0, 0, rng.randint(0, 4)])
        for row in range(hidden + rng.randint(1, 7)):
            if not pack:
                break
            x, y = column * step_x + rng.gauss(0, 0.04), row * step_y + rng.gauss(0, 0.02)
            cards.append(
                Placed(
                    "back" if row < hidden else pack.pop(),
                    x,
                    y,
                    rng.gauss(0, 0.04) + rng.choice([0, math.pi]),
                )
            )
    return cards


def loose(rng: random.Random) -> list[Placed]:
    """Single cards thrown down, some over others, some face down."""
    pack = shuffled(rng, some_jokers(rng))
    extent = rng.uniform(1.5, 6)
    count = rng.randint(1, 24)
    return [
        Placed(
            "back" if rng.random() < 0.12 else pack.pop(),
            rng.uniform(0, extent),
            rng.uniform(0, extent),
            rng.uniform(0, math.tau),
        )
        for _ in range(count)
    ]


def piles(rng: random.Random) -> list[Placed]:
    """Squared piles and rows of single cards."""
    pack = shuffled(rng, some_jokers(rng))
    cards = []
    for row in range(rng.randint(1, 3)):
        for column in range(rng.randint(1, 6)):
            untidy = rng.choice([0.01, 0.06, 0.15])
            for _ in range(rng.choice([1, 1, 2, 4])):
                if pack:
                    face = "back" if rng.random() < 0.25 else pack.pop()
                    x, y = column * 1.35 + rng.gauss(0, untidy), row * 1.75 + rng.gauss(0, untidy)
                    cards.append(Placed(face, x, y, rng.gauss(0, untidy) + rng.choice([0, math.pi])))
    return cards


def any_layout(rng: random.Random, step: float | None = None) -> list[Placed]:
    """A layout of any kind, golf most often; with a ``step`` from card to card, one of columns."""
    if step:
        if rng.random() < 0.7:
            return golf(rng, step=step, jokers=some_jokers(rng))
        return columns(rng, step=step)
    kind = rng.choices([golf, fan, columns, loose, piles], [0.46, 0.2, 0.12, 0.12, 0.1])[0]
    cards: list[Placed] = kind(rng, jokers=some_jokers(rng)) if kind is golf else kind(rng)
    return cards


def _near(rng: random.Random, value: float, spread: float) -> float:
    return value + rng.gauss(0, spread)


def _rotated(x: float, y: float, angle: float, cx: float, cy: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return cx + c * x - s * y, cy + s * x + c * y
