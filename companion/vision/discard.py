"""Which of the piles on a table is the discard, and what lies in it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .cards import right_of
from .grid import off_the_grid, top_line
from .spots import Spots
from .types import FloatArray

_PILE = 0.16  # card widths between the centres of cards of one pile
_FEW_LINKS = 5
_TIDY = np.array([0.03, 0.04, np.radians(3.5)])
"""From card to card in a tidy column: spreads in card widths aside, card heights down, radians."""
_HEAPED = 14.0  # mean chi-square of three
_SLID = 0.6  # card widths from the top of the discard to what slid off it


def find_discard(spots: Spots, piles: list[list[int]]) -> list[int] | None:
    """The pile that is the discard, or None: the best by its length, its place and the stock beside it."""
    if not piles or (len(piles) == 1 and not len(spots.stocks)):
        return None
    scores = [
        _as_a_pile(spots, pile, piles)
        + _off_the_line(spots, pile, [other for other in piles if other is not pile])
        + _by_the_stock(spots, pile)
        # the top of the discard is all in view
        - (0.7 if len(spots.cards[pile[-1]].corners) == 1 else 0.0)
        - (4.0 if spots.all_doubtful(pile) else 0.0)
        - (3.0 if _among_cards(spots, pile, piles) else 0.0)
        # one pile more than the columns of a deal
        + (1.0 if len(piles) in (8, 10) else 0.0)
        for pile in piles
    ]
    best = int(np.argmax(scores))
    if scores[best] < 1.0:
        left_over = _left_over(spots, piles)
        if left_over is None:
            return None
        best = left_over
    # what peeps out of the pile lies under the card that shows all its corners; in place, it stays that pile
    piles[best].sort(key=lambda k: (len(spots.cards[k].corners), spots.tops[k, 1]))
    return piles[best]


def _left_over(spots: Spots, piles: list[list[int]]) -> int | None:
    """The single card at an end of a row of one column too many, with the stock by it as by a discard."""
    if len(piles) not in (8, 10) or not len(spots.stocks):
        return None
    x = np.array([spots.tops[pile[0], 0] for pile in piles])
    ends = (int(np.argmin(x)), int(np.argmax(x)))
    by_stock = [
        (_by_the_stock(spots, piles[k]), k)
        for k in ends
        if len(piles[k]) == 1 < len(spots.cards[piles[k][0]].corners)
    ]
    score, best = max(by_stock, default=(0.0, None))
    return best if score > 0 else None


def spread_out(spots: Spots, pile: list[int], loose: list[int]) -> tuple[list[int], list[int]]:
    """The discard with the cards that slid off it, and what is still loose; the most visible card on top."""
    near = [k for k in loose if not spots.doubtful(k) and slid_off(spots, k, pile[-1])]
    whole = sorted([*near, *pile], key=lambda k: (len(spots.cards[k].corners), k in pile, spots.tops[k, 1]))
    return whole, [k for k in loose if k not in near]


def _among_cards(spots: Spots, pile: list[int], piles: list[list[int]]) -> bool:
    """Whether the pile's card would lie half on or under cards of others, but for what slid off it."""
    card = spots.cards[pile[-1]]
    outline = card.outline(spots.deck)
    points = np.concatenate([outline, card.centre[None], (outline + card.centre) / 2])
    others = [
        spots.cards[k]
        for other in piles
        if other is not pile and not (len(other) == 1 and slid_off(spots, other[0], pile[-1]))
        for k in other
    ]
    return sum(any(other.covers(point, spots.deck) for other in others) for point in points) > len(points) / 3


def _as_a_pile(spots: Spots, pile: list[int], piles: list[list[int]]) -> float:
    """From 2.5 for two or three cards that lie on each other as they fell to -3 for a column of four."""
    if one_pile(spots, pile, pile):
        return 0.5
    by_length = (2.5, 2.5, 0.0) if _is_heap(spots, pile, piles) else (-1.0, -2.0, -3.0)
    return by_length[min(len(pile), 4) - 2]


def _is_heap(spots: Spots, pile: list[int], piles: list[list[int]]) -> bool:
    """Whether cards lie on each other as they fell, unlike those of the other columns."""
    own = _links(spots, [pile])
    others = _links(spots, [other for other in piles if other is not pile])
    if not len(own) or len(others) < _FEW_LINKS:
        return False
    usual = np.median(others, 0)
    spread = np.maximum(1.5 * np.median(np.abs(others - usual), 0), _TIDY)
    return bool(np.mean((((own - usual) / spread) ** 2).sum(1)) > _HEAPED)


def _links(spots: Spots, piles: list[list[int]]) -> FloatArray:
    """From each card to the next in its pile: card widths aside, heights down, radians turned; (L, 3)."""
    rows = []
    for pile in piles:
        for a, b in pairwise(pile):
            aside, down = (spots.tops[b] - spots.tops[a]) / (spots.deck.width, spots.deck.height)
            first, second = spots.cards[a].up, spots.cards[b].up
            rows.append((aside, down, np.arctan2(first @ right_of(second), first @ second)))
    return np.array(rows).reshape(-1, 3)


def slid_off(spots: Spots, card: int, top: int) -> bool:
    """Whether a card lies so near to the top of the discard that it is part of it, or was."""
    return _apart(spots, card, top) < _SLID


def _off_the_line(spots: Spots, pile: list[int], others: list[list[int]]) -> float:
    """From -2 for a pile that begins where the other piles do to 3 for one below another."""
    if not others:
        return 0.0
    deck, first = spots.deck, spots.tops[pile[0]]
    height, slope, support = top_line(spots, others)
    starts = np.array([spots.tops[other[0]] for other in others])
    scatter = np.median(np.abs(starts[:, 1] - height - slope * starts[:, 0])) / deck.height
    off = (first[1] - height - slope * first[0]) / deck.height
    score = (
        float(np.interp(abs(off) / (1 + 2 * scatter), (0.1, 0.3, 0.6), (-2.0, 0.0, 2.0)))
        * min(support, 3)
        / 3
    )
    below = off > 0.6 and np.abs(first[0] - starts[:, 0]).min() < 0.55 * deck.width
    return score + (1.0 if below else 0.0) + off_the_grid(first[0], starts[:, 0], deck)


def _by_the_stock(spots: Spots, pile: list[int]) -> float:
    """Up to 3 for a pile side by side with the stock, less for one above or below it."""
    if not len(spots.stocks):
        return 0.0
    frame = np.stack([right_of(spots.up), -spots.up], 1)
    side, step = (
        np.abs(spots.stocks - spots.cards[pile[-1]].centre @ frame) / (spots.deck.width, spots.deck.height)
    ).T
    beside = np.interp(side, (0.3, 0.7, 1.7, 2.4, 3.0), (-0.5, 3.0, 3.0, 1.0, -0.5)) * (step < 0.5)
    stacked = np.interp(step, (1.7, 2.0), (1.0, -0.5)) * (side < 0.6) * (step >= 0.5)
    return float(max((beside + stacked).max(), -0.5))


def one_pile(spots: Spots, a: list[int], b: list[int]) -> bool:
    """Whether the cards of both lie nearly on one another."""
    return all(_apart(spots, i, j) < _PILE for i in a for j in b)


def _apart(spots: Spots, a: int, b: int) -> float:
    """Card widths from the centre of a card to that of another."""
    return float(np.hypot(*(spots.cards[a].centre - spots.cards[b].centre))) / spots.deck.width
