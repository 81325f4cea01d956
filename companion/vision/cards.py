"""From marks to cards: which indices sit in the corners of one card.

A card looks the same after half a turn, so the two indices of an ordinary card stand in the same
relation to each other, whichever of them is looked from: the other one is `across` to the right and
`down` below, and upside down.  Decks with four indices add the other two corners.  How far across and
down, in index lengths, differs from deck to deck and is learnt from the photo, from pairs that read
alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .marks import ALL_NAMES, Marks
from .types import FloatArray

TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = range(4)
_SIGNS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
"""Corners from the card's centre, in (across, down)."""

_USUAL = np.array([7.2, 10.2])
_USUAL_SPREAD = 0.85
_ALONE = 0.5  # what a spacing counts that one card alone shows
_PITCH = 1.36  # from one column to the next, in spacings across a card
_LENGTH_SPREAD, _ANGLE_SPREAD, _TURN_SPREAD = 0.055, np.radians(5.0), np.radians(9.0)
_FIT = 2.5  # what a mark that lies where expected is worth, in natural logarithms
_NEAR = 12.0  # the worst chi-square of a pair
_NEAR_UNREAD = 6.0  # of a pair that reads differently
_NEAR_ALIKE = 50.0  # of a pair that surely reads alike: a name is seldom on the table twice
_ALIKE = 20.0  # times likelier from one card than from two


@dataclass(frozen=True, slots=True)
class Print:
    """Where the deck prints its indices: spacing in index lengths, and whether in all four corners.

    `learnt` when the photo shows it, and it is not just what is usual.
    """

    across: float
    down: float
    four: bool = False
    learnt: bool = False

    @property
    def width(self) -> float:
        return self.across * 1.2

    @property
    def height(self) -> float:
        return self.down * 1.254


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card on the plane: its centre, the way up of its own top, and its marks by corner."""

    centre: FloatArray
    up: FloatArray
    corners: dict[int, int]

    @property
    def marks(self) -> tuple[int, ...]:
        return tuple(self.corners.values())

    @property
    def right(self) -> FloatArray:
        return right_of(self.up)

    def turned(self) -> Card:
        """The same card called by its other end."""
        return Card(self.centre, -self.up, {(corner + 2) % 4: mark for corner, mark in self.corners.items()})

    def corner(self, corner: int, deck: Print) -> FloatArray:
        """Where the index of a corner lies or would lie."""
        across, down = _SIGNS[corner] * (deck.across, deck.down)
        place: FloatArray = self.centre + across * self.right - down * self.up
        return place

    def outline(self, deck: Print) -> FloatArray:
        """(4, 2) corners of the card itself."""
        spread = _SIGNS * (deck.width, deck.height)
        outline: FloatArray = self.centre + spread[:, :1] * self.right - spread[:, 1:] * self.up
        return outline

    def covers(self, place: FloatArray, deck: Print, margin: float = 0.0) -> bool:
        off = place - self.centre
        return bool(
            abs(off @ self.right) < deck.width / 2 - margin and abs(off @ self.up) < deck.height / 2 - margin
        )


def right_of(up: FloatArray) -> FloatArray:
    """The direction to the right of `up`, where y points down; (..., 2)."""
    return np.stack([-up[..., 1], up[..., 0]], -1)


def find_cards(marks: Marks, four: bool | None = None) -> tuple[list[Card], Print]:
    """Every mark as part of exactly one card; `four` says whether indices fill all corners, None: look."""
    pairs = _Pairs(marks)
    deck = _learn(marks, pairs)
    if four is not None:
        deck = replace(deck, four=four)
    free = np.ones(len(marks), bool)
    cards: list[Card] = []
    # first what fits in every way, then what can only be one card by its name, then by its place
    for worst, least, agreed in (
        (_NEAR, 0.0, 0.0),
        (_NEAR_ALIKE, -np.inf, _ALIKE),
        (_NEAR_UNREAD, -np.inf, 0.0),
    ):
        if worst == _NEAR_UNREAD and not deck.learnt:
            break
        for card in _candidates(marks, pairs, deck, free, worst, least, agreed):
            if all(free[mark] for mark in card.marks):
                free[list(card.marks)] = False
                cards.append(card)
    half = np.array([deck.across, deck.down]) / 2
    for mark in np.flatnonzero(free):
        up = marks.ups[mark]
        centre = marks.places[mark] + half[0] * right_of(up) - half[1] * up
        cards.append(Card(centre, up, {TOP_LEFT: int(mark)}))
    return cards, deck


class _Pairs:
    """Relations of all pairs of marks, (N, N) each: row is looked from."""

    def __init__(self, marks: Marks) -> None:
        n = len(marks)
        self.agree = marks.names @ marks.names.T * len(ALL_NAMES)
        """How much likelier the two readings are from one card than from any two."""
        away = marks.places[None] - marks.places[:, None]
        self.distance = np.hypot(away[..., 0], away[..., 1])
        self.bearing = np.arctan2(away[..., 1], away[..., 0])
        heading = np.arctan2(marks.ups[:, 1], marks.ups[:, 0])
        self.twist = _wrap(heading[None] - heading[:, None])
        """Angle from the way up of the row to that of the column."""
        opposed = np.abs(self.twist) > np.pi / 2
        # the mean of the two ways up is steadier than either
        self.up = heading[:, None] + np.where(opposed, _wrap(self.twist - np.pi), self.twist) / 2
        self.opposed, self.self = opposed, np.eye(n, dtype=bool)

    def misfit(self, offset: tuple[float, float], opposed: bool) -> FloatArray:
        """Chi-square of "the other mark lies at `offset` (to the right, below) and is opposed or not"."""
        reach = np.hypot(*offset)
        # in image coordinates "up" has the bearing -90 degrees when the card stands upright
        expected = self.up + np.pi / 2 + np.arctan2(offset[1], offset[0])
        off = _wrap(self.bearing - expected) / _ANGLE_SPREAD
        turn = _wrap(self.twist - np.pi * opposed) / _TURN_SPREAD
        length = np.log(np.maximum(self.distance, 1e-9) / reach) / _LENGTH_SPREAD
        chi: FloatArray = length**2 + off**2 + turn**2
        chi[self.self] = np.inf
        return chi


def _learn(marks: Marks, pairs: _Pairs) -> Print:
    """The deck's spacing: the place where most opposed pairs that read alike have each other."""
    i, j = np.nonzero(pairs.opposed & (np.abs(_wrap(pairs.twist - np.pi)) < np.radians(30)))
    angle = pairs.bearing[i, j] - pairs.up[i, j] - np.pi / 2
    across, down = pairs.distance[i, j] * np.cos(angle), pairs.distance[i, j] * np.sin(angle)
    good = (across > 0.4 * down) & (across < 1.25 * down) & (down > 2.2) & (down < 24)
    weight = np.minimum(pairs.agree[i, j] / 20, 1.0)[good]
    spots = np.log(np.stack([across, down], 1)[good])
    if len(spots) == 0:
        return _by_neighbours(pairs)
    usual = np.exp(-0.5 * (((spots - np.log(_USUAL)) / _USUAL_SPREAD) ** 2).sum(1))
    ratio = np.exp(-0.5 * ((spots[:, 0] - spots[:, 1] + 0.35) / 0.15) ** 2)
    apart = spots[:, None] - spots[None]
    # distance is steadier than direction, so a bin is long across it
    near = np.exp(-0.5 * (apart / 0.1) ** 2).prod(2)
    # each pair is seen from both its ends; one that reads alike by chance finds no other of its spacing
    support = (near @ weight - (2 - _ALONE) * weight).clip(0) * usual * ratio
    best = int(np.argmax(support))
    inside = near[best] * weight > 0.3
    if (near[best] * weight)[inside].sum() < 1.2:
        return _by_neighbours(pairs)
    deck = np.exp(np.median(spots[inside], 0))
    beside = (pairs.misfit((deck[0], 0.0), opposed=False) < _NEAR_ALIKE) & (pairs.agree > _ALIKE)
    alike = (pairs.misfit((deck[0], deck[1]), opposed=True) < _NEAR) & (pairs.agree > _ALIKE)
    four = beside.sum() >= 2 and 3 * beside.sum() >= alike.sum() / 2
    return Print(float(deck[0]), float(deck[1]), bool(four), learnt=True)


def _by_neighbours(pairs: _Pairs) -> Print:
    """What columns lying side by side tell of a card's width, when no card shows two indices."""
    angle = pairs.bearing - pairs.up - np.pi / 2
    side, step = np.abs(pairs.distance * np.cos(angle)), np.abs(pairs.distance * np.sin(angle))
    beside = (
        ~pairs.opposed
        & ~pairs.self
        & (np.abs(pairs.twist) < np.radians(20))
        & (side > 3)
        & (step < 0.35 * side)
    )
    nearest = np.where(beside, side, np.inf).min(1, initial=np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if len(nearest) < 6:
        return Print(float(_USUAL[0]), float(_USUAL[1]))
    across = float(np.clip(np.median(nearest) / _PITCH, 3.3, 8.5))
    return Print(across, across * float(_USUAL[1] / _USUAL[0]))


def _candidates(
    marks: Marks, pairs: _Pairs, deck: Print, free: np.ndarray, worst: float, least: float, agreed: float
) -> list[Card]:
    """Cards of two or more free marks, the best first.

    Their first pair misfits by less than `worst` and agrees by more than `agreed`; a score is above `least`.
    """
    relations = [((deck.across, deck.down), True, TOP_LEFT, BOTTOM_RIGHT)]
    if deck.four:
        relations += [
            ((-deck.across, deck.down), True, TOP_RIGHT, BOTTOM_LEFT),
            ((deck.across, 0.0), False, TOP_LEFT, TOP_RIGHT),
            ((0.0, deck.down), True, TOP_LEFT, BOTTOM_LEFT),
            ((0.0, deck.down), True, TOP_RIGHT, BOTTOM_RIGHT),
        ]
    found: list[tuple[float, Card]] = []
    seen: set[tuple[tuple[int, int], ...]] = set()
    for offset, opposed, first, second in relations:
        chi = pairs.misfit(offset, opposed)
        chi[~free] = chi[:, ~free] = np.inf
        for i, j in np.argwhere((chi < worst) & (pairs.agree >= agreed)):
            card = _between(marks, int(i), int(j), first, second, deck)
            if deck.four:
                card = _fill(marks, card, deck, free)
            key = tuple(sorted(card.corners.items()))
            if key in seen:
                continue
            seen.add(key)
            agreement = _agreement(marks, card)
            score = agreement + (len(card.marks) - 1) * _FIT - chi[i, j] / 2
            if score > least:
                found.append((score, card))
    found.sort(key=lambda item: -item[0])
    return [card for _, card in found]


def _between(marks: Marks, i: int, j: int, first: int, second: int, deck: Print) -> Card:
    """The card whose corner `first` is mark i and whose corner `second` is mark j."""
    a, b = _SIGNS[first] * (deck.across, deck.down), _SIGNS[second] * (deck.across, deck.down)
    want, have = b - a, marks.places[j] - marks.places[i]
    # turns the wanted vector (right, down) onto the seen one; a long base line, so a steady turn
    turn = np.arctan2(have[1], have[0]) - np.arctan2(want[1], want[0])
    up = np.array([np.sin(turn), -np.cos(turn)])
    middle = (a + b) / 2
    centre = (marks.places[i] + marks.places[j]) / 2 - middle[0] * right_of(up) + middle[1] * up
    return Card(centre, up, {first: i, second: j})


def _fill(marks: Marks, card: Card, deck: Print, free: np.ndarray) -> Card:
    """The card with the free marks that lie in its other corners and do not contradict it."""
    corners = dict(card.corners)
    for corner in range(4):
        if corner in corners:
            continue
        up = card.up if corner in (TOP_LEFT, TOP_RIGHT) else -card.up
        off = np.hypot(*(marks.places - card.corner(corner, deck)).T) / (
            _LENGTH_SPREAD * np.hypot(deck.across, deck.down)
        )
        turn = np.arccos(np.clip(marks.ups @ up, -1, 1)) / _TURN_SPREAD
        chi = np.where(free, off**2 + turn**2, np.inf)
        chi[list(corners.values())] = np.inf
        best = int(np.argmin(chi))
        if chi[best] < _NEAR:
            more = Card(card.centre, card.up, {**corners, corner: best})
            gain = _agreement(marks, more) - _agreement(marks, Card(card.centre, card.up, corners))
            if gain + _FIT - chi[best] / 2 > 0:
                corners[corner] = best
    return Card(card.centre, card.up, corners)


def _agreement(marks: Marks, card: Card) -> float:
    """Logarithm of how much likelier the readings are from one card than from as many."""
    names = marks.names[list(card.marks)]
    return float(np.log(np.prod(names * len(ALL_NAMES), 0).mean()))


def _wrap(angle: FloatArray) -> FloatArray:
    wrapped: FloatArray = (angle + np.pi) % (2 * np.pi) - np.pi
    return wrapped
