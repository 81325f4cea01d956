"""The layout: from finds and readings to cards with their places on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .cards import Card, Print, find_cards
from .columns import Columns, find_columns
from .marks import Marks, gather, lay
from .types import Finds, FloatArray, Point, Quad, Reading

_TRUSTED, _HARDLY = 0.5, 0.3  # of a lone find that fits nowhere on a golf table, and of any other
_CLEAR = 0.8  # of a lone find that may lie on another card
_SAME = 0.5  # probability that two indices read the same
_FAINT = 0.4  # of the finder's confidence in the card's clearest index


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
    cards, deck = find_cards(marks)
    if spans := _spans(marks, cards):
        # cards are wider than indices: with them the plane is known better
        marks = lay(marks.sources, marks.names, marks.real, marks.trust, size, spans)
        cards, deck = find_cards(marks)
    middle = np.mean([card.centre for card in cards], 0)
    photo_up = _photo_up(marks, middle)
    cards = [_without_faint(marks, card) for card in cards]
    on_plane = marks.plane.place(np.array(stocks, float).reshape(-1, 2))
    trust = [float(1 - np.prod(1 - marks.trust[list(card.marks)])) for card in cards]
    layout = find_columns(cards, trust, deck, on_plane, photo_up)
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
    return Table(tuple(places), _turn(marks, middle, np.array(layout.up)), marks.plane.tilt, stocks)


def _without_faint(marks: Marks, card: Card) -> Card:
    """Without the corners that hardly show: they peep out from under the card that lies on this one."""
    seen = {corner: marks.sources[mark].confidence for corner, mark in card.corners.items()}
    least = _FAINT * max(seen.values())
    return Card(card.centre, card.up, {c: mark for c, mark in card.corners.items() if seen[c] >= least})


def _spans(marks: Marks, cards: Sequence[Card]) -> list[FloatArray]:
    """From index to index of cards that read the same twice, (K, 2, 2) pixels for each pair of corners."""
    pairs: dict[tuple[int, int], list[list[Point]]] = {}
    for card in cards:
        for (a, i), (b, j) in combinations(sorted(card.corners.items()), 2):
            if marks.names[i] @ marks.names[j] > _SAME:
                ends = [marks.sources[i].rank_xy, marks.sources[j].rank_xy]
                pairs.setdefault((a % 2, b - a), []).append(ends)
    return [np.array(pair) for pair in pairs.values() if len(pair) > 2]


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
    return bool(near) and all(marks.names[mark] @ marks.names[k] > _SAME for k in other.marks)


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


def _photo_up(marks: Marks, middle: FloatArray) -> FloatArray:
    """The photo's own up, on the plane at `middle`."""
    pixel = marks.plane.see(middle[None])
    up = marks.plane.place(pixel - (0, 1))[0] - middle
    result: FloatArray = up / max(float(np.hypot(*up)), 1e-9)
    return result


def _turn(marks: Marks, middle: FloatArray, up: FloatArray) -> float:
    a, b = marks.plane.see(np.stack([middle, middle + up]))
    return float(np.degrees(-np.arctan2(b[0] - a[0], a[1] - b[1])) % 360)
