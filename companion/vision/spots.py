"""Cards as the player sees them: from which side, and where each one's top left index lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .cards import BOTTOM_LEFT, BOTTOM_RIGHT, TOP_LEFT, TOP_RIGHT, Card, Print, right_of
from .types import FloatArray

LEAST_STEP = 0.7
"""From a card to the next in its column, in index lengths: less would cover the rank below."""
WEAK = 0.4
"""Trust below which a lone find needs a place that waits for it, and a card is no pile."""
_DOUBTFUL, _VAGUE = 0.6, 0.7  # trust
_LEFT = (TOP_LEFT, BOTTOM_LEFT)
_BESIDE = {TOP_LEFT: TOP_RIGHT, TOP_RIGHT: TOP_LEFT, BOTTOM_LEFT: BOTTOM_RIGHT, BOTTOM_RIGHT: BOTTOM_LEFT}


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Cards as the player sees them: (N, 2) places of the top left index, x right and y towards them."""

    cards: list[Card]
    tops: FloatArray
    deck: Print
    stocks: FloatArray
    up: FloatArray
    trust: Sequence[float]

    def doubtful(self, card: int) -> bool:
        """Too little trusted to stand for a card of which more should be seen."""
        return self.trust[card] < (_DOUBTFUL if len(self.cards[card].corners) == 1 else WEAK)

    def vague(self, card: int) -> bool:
        """A lone find that may be a drawing on a card."""
        return len(self.cards[card].corners) == 1 and self.trust[card] < _VAGUE

    def all_doubtful(self, pile: Sequence[int]) -> bool:
        return all(self.doubtful(card) for card in pile)


def players_up(
    cards: Sequence[Card], deck: Print, stocks: FloatArray, photo_up: FloatArray
) -> tuple[FloatArray, float]:
    """The direction away from the player and the share of cards that lie along it."""
    ups = np.array([card.up for card in cards])
    angles = np.arctan2(ups[:, 1], ups[:, 0])
    apart = np.abs(np.angle(np.exp(2j * (angles[:, None] - angles[None])))) / 2
    weight = np.array([len(card.corners) for card in cards], float)
    close = np.exp(-0.5 * (apart / np.radians(8)) ** 2)
    mode = int(np.argmax(close @ weight))
    near = apart[mode] < np.radians(22)
    axis = np.angle((np.exp(2j * angles) * weight * close[mode])[near].sum()) / 2
    up = np.array([np.cos(axis), np.sin(axis)])
    # covered cards show their far end only
    votes = 0.0
    for card, along in zip(cards, near, strict=True):
        ends = [1 if corner in (TOP_LEFT, TOP_RIGHT) else -1 for corner in card.corners]
        if along and len(set(ends)) == 1:
            votes += ends[0] * np.sign(card.up @ up)
    if abs(votes) < 0.5 and len(stocks):
        # all columns are single cards: the stock lies nearer to the player than they do
        off = float(np.median((np.mean(stocks, 0) - [card.centre for card in cards]) @ up))
        votes = -np.sign(off) if abs(off) > 0.45 * deck.height else 0.0
    if abs(votes) < 0.5:
        votes = float(np.sign(up @ photo_up)) or 1.0
    return up * np.sign(votes), float(near.mean())


def look(
    cards: Sequence[Card], trust: Sequence[float], deck: Print, stocks: FloatArray, up: FloatArray
) -> Spots:
    frame = np.stack([right_of(up), -up], 1)
    facing = [card if card.up @ up >= 0 else card.turned() for card in cards]
    tops = []
    for card in facing:
        if len(card.corners) == 1 and TOP_LEFT not in card.corners:
            # one index is too short to tell the card's turn: lean on the table's
            tops.append(Card(_centre_by(card, up, deck), up, card.corners).corner(TOP_LEFT, deck))
        else:
            tops.append(card.corner(TOP_LEFT, deck))
    seen = np.array(tops) @ frame
    spots = Spots(facing, seen, deck, np.asarray(stocks, float).reshape(-1, 2) @ frame, up, trust)
    return _settle_corners(spots) if deck.four else spots


def _centre_by(card: Card, up: FloatArray, deck: Print) -> FloatArray:
    """The centre when the card is known by one corner and lies about the way `up` says."""
    ((corner, _),) = card.corners.items()
    mean = card.up + up
    mean = mean / max(float(np.hypot(*mean)), 1e-9)
    return card.corner(corner, deck) - Card(np.zeros(2), mean, {}).corner(corner, deck)


def _settle_corners(spots: Spots) -> Spots:
    """With four indices those of one side may be of the other: take the side that lines up."""
    deck, tops, cards = spots.deck, spots.tops.copy(), list(spots.cards)
    known = [k for k, card in enumerate(cards) if len({corner in _LEFT for corner in card.corners}) == 2]
    if not known:
        return spots
    for k, card in enumerate(cards):
        if k in known:
            continue
        step = -deck.across if set(card.corners) <= set(_LEFT) else deck.across
        other = tops[k] + (step, 0.0)
        if _misplaced(tops[known], other, deck) < _misplaced(tops[known], tops[k], deck):
            moved = card.centre + step * right_of(spots.up)
            cards[k] = Card(moved, card.up, {_BESIDE[corner]: mark for corner, mark in card.corners.items()})
            tops[k] = other
    return replace(spots, cards=cards, tops=tops)


def _misplaced(known: FloatArray, top: FloatArray, deck: Print) -> float:
    """How badly a card with this top left index would line up with the known ones, in card widths."""
    side, step = np.abs(known - top).T / ((deck.width,), (deck.height,))
    line = float(side[step < 1.5].min(initial=1.0))
    # two cards can't begin at one place
    taken = (side < 0.3) & (step < LEAST_STEP / deck.height)
    return line + (0.5 if taken.any() else 0.0)
