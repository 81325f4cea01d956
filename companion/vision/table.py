"""The layout: from finds and readings to cards with their places on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .cards import Card, Print
from .columns import Columns
from .marks import Marks, gather
from .sight import SAME, best_sight
from .types import Finds, FloatArray, Point, Quad, Reading

_TRUSTED, _HARDLY = 0.5, 0.3  # of a lone find that fits nowhere on a golf table, and of any other
_CLEAR = 0.8  # of a lone find that may lie on another card


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One card of the table, or one that must be there but was not found (`names` is None).

    `where` is "column", "discard" or "loose"; `column` and `row` count from 0 and are None for loose cards;
    `index` is the corner that shows best, `outline` the whole card as it lies, both in pixels; `names` are
    (M, 53) probabilities, a row for each of its M visible indices, in the order of `marks.ALL_NAMES`;
    `real` is the probability that there is a card.
    """

    where: str
    column: int | None
    row: int | None
    index: Quad | None
    outline: Quad | None
    names: FloatArray | None
    real: float


@dataclass(frozen=True, slots=True)
class Table:
    """Cards in the order of columns, discard, loose cards; `turn` is how many degrees the photo has to be
    turned clockwise for the player to sit at its bottom, `stocks` the centres of face-down piles."""

    places: tuple[Place, ...]
    turn: float = 0.0
    tilt: float = 0.0
    stocks: tuple[Point, ...] = ()


def arrange(finds: Finds, readings: Sequence[Reading], size: tuple[int, int]) -> Table:
    """The table on a photo of `size` (width, height); `readings` are those of ``finds.signs``, in order."""
    marks = gather(finds, readings, size)
    stocks = tuple(back.centre for back in finds.backs)
    if not len(marks):
        return Table((), stocks=stocks)
    sight = best_sight(marks, size, stocks)
    marks, deck, layout = sight.marks, sight.deck, sight.layout
    cards = list(layout.cards)
    places = []
    gaps = {(column, row): count for column, row, count in layout.gaps}
    for column, members in enumerate(layout.columns):
        row = 0
        for k, member in enumerate(members):
            for _ in range(gaps.get((column, k), 0)):
                places.append(Place("column", column, row, None, None, None, 0.0))
                row += 1
            places.append(_place(marks, deck, cards[member], "column", column, row))
            row += 1
    places += [_place(marks, deck, cards[k], "discard", 0, row) for row, k in enumerate(layout.discard)]
    for k in _believable(marks, cards, deck, layout):
        places.append(_place(marks, deck, cards[k], "loose", None, None))
    return Table(tuple(places), _turn(marks, sight.middle, np.array(layout.up)), marks.plane.tilt, stocks)


def _believable(marks: Marks, cards: list[Card], deck: Print, layout: Columns) -> list[int]:
    """Loose cards, without lone finds that can't be what they claim: drawings on cards and backs."""
    whole = [card for card in cards if len(card.corners) > 1]
    least = _TRUSTED if layout.columns else _HARDLY
    surest = [max(marks.trust[list(card.marks)]) for card in cards]
    kept = []
    for k in layout.loose:
        card = cards[k]
        if len(card.corners) == 1:
            (mark,) = card.marks
            drawn = any(other.covers(marks.places[mark], deck, 0.5) for other in whole)
            # or the other end of a card that lies too crooked to be matched
            others = [j for j in range(len(cards)) if j not in layout.loose or surest[j] > surest[k]]
            again = any(_alike(marks, card, cards[j], deck) for j in others)
            trust = marks.trust[mark]
            if (drawn and (layout.columns or trust < _CLEAR)) or again or trust < least:
                continue
        kept.append(k)
    return kept


def _alike(marks: Marks, card: Card, other: Card, deck: Print) -> bool:
    (mark,) = card.marks
    near = np.hypot(*(marks.places[mark] - other.centre)) < deck.height
    return bool(near) and all(marks.names[mark] @ marks.names[k] > SAME for k in other.marks)


def _place(marks: Marks, deck: Print, card: Card, where: str, column: int | None, row: int | None) -> Place:
    members = list(card.marks)
    best = max(members, key=lambda mark: marks.trust[mark])
    outline = marks.plane.see(card.outline(deck))
    return Place(
        where=where,
        column=column,
        row=row,
        index=marks.sources[best].quad,
        outline=tuple((float(x), float(y)) for x, y in outline),  # type: ignore[arg-type]
        names=marks.names[members],
        real=float(1 - np.prod(1 - marks.real[members])),
    )


def _turn(marks: Marks, middle: FloatArray, up: FloatArray) -> float:
    a, b = marks.plane.see(np.stack([middle, middle + up]))
    return float(np.degrees(-np.arctan2(b[0] - a[0], a[1] - b[1])) % 360)
