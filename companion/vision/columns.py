"""From cards to a golf table: the player's side, the columns, the discard.

What holds on every table, whatever the camera's turn: in a column each card lies on the one before and
is shifted towards the player, so covered cards show only the indices at the player's far end; columns
share a common top line and never lie below one another; the discard lies off that line or next to the
stock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .cards import BOTTOM_LEFT, BOTTOM_RIGHT, TOP_LEFT, TOP_RIGHT, Card, Print, right_of
from .types import FloatArray

_LEFT = (TOP_LEFT, BOTTOM_LEFT)
_BESIDE = {TOP_LEFT: TOP_RIGHT, TOP_RIGHT: TOP_LEFT, BOTTOM_LEFT: BOTTOM_RIGHT, BOTTOM_RIGHT: BOTTOM_LEFT}
_LEAST_STEP, _LIKELY_STEP = 0.7, 0.9  # index lengths: less would cover the rank below, or a part of it
_LARGEST_STEP = 0.8  # card heights
_SIDEWAYS = 0.2  # card widths, the spread of careless laying
_COSTLIEST = 5.5
_ON_LINE, _ABOVE = 0.5, 0.25  # card heights off the top line
_IN_LINE, _BESIDE_IT, _APART = 0.55, 0.85, 1.0  # card widths
_CROWD = 0.2  # card widths between the sides of two finds of one index
_PILE = 0.16  # card widths between the centres of cards of one pile
_SLID = 0.6  # card widths from the top of the discard to what slid off it
_DOUBTFUL, _VAGUE = 0.6, 0.7  # trust
_PEEPING = 0.16  # card widths at the side of a card, where the index of the one below may show
_WEAK = 0.4  # trust below which a lone find needs a place that waits for it, and a card is no pile


@dataclass(frozen=True, slots=True)
class Columns:
    """A table as positions in the list of cards; `columns` from the player's left, buried card first.

    `gaps` are (column, row, count) of cards that must lie there but were not found, by rows of
    `columns`; `discard` bottom to top as far as it is seen; `up` points away from the player.  `cards` are
    the cards again, called by the end that is their top for the player.
    """

    columns: tuple[tuple[int, ...], ...] = ()
    discard: tuple[int, ...] = ()
    loose: tuple[int, ...] = ()
    gaps: tuple[tuple[int, int, int], ...] = ()
    up: tuple[float, float] = (0.0, -1.0)
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Spots:
    """Cards as the player sees them: (N, 2) places of the top left index, x right and y towards them."""

    cards: list[Card]
    tops: FloatArray
    deck: Print
    stocks: FloatArray
    up: FloatArray
    trust: Sequence[float]

    def doubtful(self, card: int) -> bool:
        """Too little trusted to stand for a card of which more should be seen."""
        return self.trust[card] < (_DOUBTFUL if len(self.cards[card].corners) == 1 else _WEAK)

    def vague(self, card: int) -> bool:
        """A lone find that may be a drawing on a card."""
        return len(self.cards[card].corners) == 1 and self.trust[card] < _VAGUE

    def all_doubtful(self, pile: Sequence[int]) -> bool:
        return all(self.doubtful(card) for card in pile)


def find_columns(
    cards: Sequence[Card], trust: Sequence[float], deck: Print, stocks: FloatArray, photo_up: FloatArray
) -> Columns:
    """The table that `cards` make, all on the plane.

    `trust` says of each card how surely it is one; `stocks` are the (K, 2) centres of face-down piles;
    `photo_up`, the photo's own up at the table, decides when nothing else tells the player's side.  What is
    no golf table comes back with all cards loose.
    """
    everything = tuple(range(len(cards)))
    if not cards:
        return Columns()
    up, share = _players_up(cards, deck, stocks, photo_up)
    nothing = Columns(loose=everything, up=(float(up[0]), float(up[1])), cards=tuple(cards))
    if share < 0.65:
        return nothing
    spots = _look(cards, trust, deck, stocks, up)
    weak = [k for k, card in enumerate(cards) if len(card.corners) == 1 and trust[k] < _WEAK]
    weak += [k for k in everything if k not in weak and _crowded(spots, k)]
    strong = [k for k in everything if k not in weak]
    chains = _chains(spots, strong)
    upright = _lean(spots, chains)
    if upright is not None:
        spots = replace(spots, tops=spots.tops - upright * spots.tops[:, 1:] * (1.0, 0.0))
        chains = _chains(spots, strong)
    piles = _piles(spots, chains)
    discard = _discard(spots, piles)
    rest = [pile for pile in piles if pile is not discard]
    columns, loose = _sort_out(spots, rest)
    in_play = sum(map(len, columns)) + (len(discard) if discard else 0)
    proven = any(len(column) > 1 for column in columns) or (discard is not None and len(stocks) > 0)
    if not columns or not proven or in_play < 0.6 * len(strong):
        return nothing
    if discard:
        discard, loose = _spread_out(spots, discard, loose)
    loose += _insert(spots, columns, weak)
    return Columns(
        columns=tuple(map(tuple, columns)),
        discard=tuple(discard or ()),
        loose=tuple(sorted(loose)),
        gaps=_gaps(spots, columns),
        up=nothing.up,
        cards=tuple(spots.cards),
    )


def _players_up(
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


def _look(
    cards: Sequence[Card], trust: Sequence[float], deck: Print, stocks: FloatArray, up: FloatArray
) -> _Spots:
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
    spots = _Spots(facing, seen, deck, np.asarray(stocks, float).reshape(-1, 2) @ frame, up, trust)
    return _settle_corners(spots) if deck.four else spots


def _centre_by(card: Card, up: FloatArray, deck: Print) -> FloatArray:
    """The centre when the card is known by one corner and lies about the way `up` says."""
    ((corner, _),) = card.corners.items()
    mean = card.up + up
    mean = mean / max(float(np.hypot(*mean)), 1e-9)
    return card.corner(corner, deck) - Card(np.zeros(2), mean, {}).corner(corner, deck)


def _settle_corners(spots: _Spots) -> _Spots:
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
    taken = (side < 0.3) & (step < _LEAST_STEP / deck.height)
    return line + (0.5 if taken.any() else 0.0)


def _crowded(spots: _Spots, card: int) -> bool:
    """A lone find where a surer card begins: two cards of a column are further apart."""
    if len(spots.cards[card].corners) > 1:
        return False
    side, step = np.abs(spots.tops - spots.tops[card]).T
    least = _LIKELY_STEP if spots.doubtful(card) else _LEAST_STEP
    here = (side < _CROWD * spots.deck.width) & (step < least)
    return bool((np.array(spots.trust)[here] > spots.trust[card]).any())


def _chains(spots: _Spots, members: Sequence[int]) -> list[list[int]]:
    """The members joined to columns, each card with at most one before and one after it."""
    deck, n = spots.deck, len(spots.cards)
    away = spots.tops[None] - spots.tops[:, None]
    side, step = away[..., 0] / deck.width, away[..., 1]
    cost = (side / _SIDEWAYS) ** 2 + step / (0.25 * deck.height)
    cost[(step < _LEAST_STEP) | (step > _LARGEST_STEP * deck.height)] = np.inf
    member = np.isin(np.arange(n), members)
    cost[~member] = cost[:, ~member] = np.inf
    ends = [card.corner(BOTTOM_RIGHT, deck) if BOTTOM_RIGHT in card.corners else None for card in spots.cards]
    after, before = np.full(n, -1), np.full(n, -1)
    for i, j in sorted(np.argwhere(cost < _COSTLIEST), key=lambda pair: cost[tuple(pair)]):
        end = ends[i]
        # a card whose near end is seen has nothing on it, but for one that leaves its corner free at the side
        bare = end is not None and (
            spots.doubtful(int(j)) or spots.cards[j].covers(end, deck, _PEEPING * deck.width)
        )
        if after[i] < 0 and before[j] < 0 and not bare:
            after[i], before[j] = j, i
    chains = []
    for first in np.flatnonzero((before < 0) & member):
        chain = [int(first)]
        while after[chain[-1]] >= 0:
            chain.append(int(after[chain[-1]]))
        chains.append(chain)
    return chains


def _lean(spots: _Spots, chains: list[list[int]]) -> float | None:
    """How far columns drift to the right a unit towards the player, from the links found so far."""
    links = [spots.tops[b] - spots.tops[a] for chain in chains for a, b in pairwise(chain)]
    return float(np.median([side / step for side, step in links])) if len(links) >= 4 else None


def _piles(spots: _Spots, chains: list[list[int]]) -> list[list[int]]:
    """Chains, those merged whose cards lie nearly on one another; the most visible card last."""
    deck = spots.deck
    centres = np.array([card.centre for card in spots.cards])
    piles = [list(chain) for chain in chains]
    merged = True
    while merged:
        merged = False
        for a in piles:
            for b in piles:
                if (
                    a is not b
                    and min(len(a), len(b)) == 1
                    and len(a) + len(b) <= 5
                    and _one_pile(centres, a, b, deck)
                ):
                    piles.remove(b)
                    a += b
                    a.sort(key=lambda k: (len(spots.cards[k].corners), spots.tops[k, 1]))
                    merged = True
                    break
            if merged:
                break
    return piles


def _one_pile(centres: FloatArray, a: list[int], b: list[int], deck: Print) -> bool:
    return all(np.hypot(*(centres[i] - centres[j])) < _PILE * deck.width for i in a for j in b)


def _top_line(spots: _Spots, piles: Sequence[list[int]]) -> tuple[float, float, float]:
    """Height, slope and support of the line on which the columns begin: y = height + slope * x."""
    starts = np.array([spots.tops[pile[0]] for pile in piles])
    weight = np.array([min(len(pile), 3) for pile in piles], float)
    best = (float(starts[0, 1]), 0.0, 0.0)
    for i in range(len(piles)):
        for j in range(len(piles)):
            run = starts[j, 0] - starts[i, 0]
            slope = (
                (starts[j, 1] - starts[i, 1]) / run if i != j and abs(run) > 0.5 * spots.deck.width else 0.0
            )
            if abs(slope) > 0.25 or (i != j and slope == 0.0):
                continue
            off = (starts[:, 1] - starts[i, 1] - slope * (starts[:, 0] - starts[i, 0])) / spots.deck.height
            support = float(weight @ np.exp(-0.5 * (off / 0.15) ** 2)) - 2 * abs(slope)
            if support > best[2]:
                best = (float(starts[i, 1] - slope * starts[i, 0]), float(slope), support)
    height, slope, support = best
    near = np.abs(starts[:, 1] - height - slope * starts[:, 0]) < _ON_LINE * spots.deck.height
    if near.sum() >= 3:
        height += float(
            np.average((starts[:, 1] - height - slope * starts[:, 0])[near], weights=weight[near])
        )
    return height, slope, support


def _discard(spots: _Spots, piles: list[list[int]]) -> list[int] | None:
    """The pile that is the discard, or None: the best by its length, its place and the stock beside it."""
    if not piles or (len(piles) == 1 and not len(spots.stocks)):
        return None
    deck = spots.deck
    centres = np.array([card.centre for card in spots.cards])
    scores = [
        (0.5 if _one_pile(centres, pile, pile, deck) else (-1.0, -2.0, -3.0)[min(len(pile), 4) - 2])
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


def _left_over(spots: _Spots, piles: list[list[int]]) -> int | None:
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


def _spread_out(spots: _Spots, pile: list[int], loose: list[int]) -> tuple[list[int], list[int]]:
    """The discard with the cards that slid off it, and what is still loose; the most visible card on top."""
    centres = np.array([card.centre for card in spots.cards])
    near = [
        k
        for k in loose
        if not spots.doubtful(k) and np.hypot(*(centres[k] - centres[pile[-1]])) < _SLID * spots.deck.width
    ]
    whole = sorted([*near, *pile], key=lambda k: (len(spots.cards[k].corners), k in pile, spots.tops[k, 1]))
    return whole, [k for k in loose if k not in near]


def _among_cards(spots: _Spots, pile: list[int], piles: list[list[int]]) -> bool:
    """Whether the pile's card would lie half on or under cards of others."""
    card = spots.cards[pile[-1]]
    outline = card.outline(spots.deck)
    points = np.concatenate([outline, card.centre[None], (outline + card.centre) / 2])
    others = [spots.cards[k] for other in piles if other is not pile for k in other]
    return sum(any(other.covers(point, spots.deck) for other in others) for point in points) > len(points) / 3


def _off_the_line(spots: _Spots, pile: list[int], others: list[list[int]]) -> float:
    """From -2 for a pile that begins where the other piles do to 3 for one below another."""
    if not others:
        return 0.0
    deck, first = spots.deck, spots.tops[pile[0]]
    height, slope, support = _top_line(spots, others)
    starts = np.array([spots.tops[other[0]] for other in others])
    scatter = np.median(np.abs(starts[:, 1] - height - slope * starts[:, 0])) / deck.height
    off = (first[1] - height - slope * first[0]) / deck.height
    score = (
        float(np.interp(abs(off) / (1 + 2 * scatter), (0.1, 0.3, 0.6), (-2.0, 0.0, 2.0)))
        * min(support, 3)
        / 3
    )
    below = off > 0.6 and np.abs(first[0] - starts[:, 0]).min() < 0.55 * deck.width
    return score + (1.0 if below else 0.0) + _off_the_grid(first[0], starts[:, 0], deck)


def _off_the_grid(x: float, others: FloatArray, deck: Print) -> float:
    """From -0.5 for a place where a column would lie to 0.7 between two of them, 2.7 outside them all."""
    apart = np.diff(np.sort(others))
    apart = apart[apart > 0.9 * deck.width]
    if len(apart) < 3:
        return 0.0
    pitch = float(np.min(apart))
    pitch = float(np.median(apart[apart < 1.3 * pitch]))
    nearest = others[np.argmin(np.abs(others - x))]
    steps = abs(x - nearest) / pitch
    off = abs(steps - max(round(steps), 1))
    outside = 2.0 if steps > 1.2 and off > 0.2 and not others.min() < x < others.max() else 0.0
    return float(np.interp(off, (0.1, 0.3), (-0.5, 0.7))) + outside if steps < 3.4 else 0.7


def _by_the_stock(spots: _Spots, pile: list[int]) -> float:
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


def _sort_out(spots: _Spots, piles: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """Columns from left to right, and the cards that belong to none."""
    if not piles:
        return [], []
    height, slope, _ = _top_line(spots, piles)
    above = []
    for pile in piles:
        while _begins_above(spots, pile, height, slope):
            above.append(pile.pop(0))
    columns: list[list[int]] = []
    loose: list[list[int]] = []
    starts = {pile[0]: spots.tops[pile[0], 1] - height - slope * spots.tops[pile[0], 0] for pile in piles}
    # what is surely a column first: several cards, then cards that show several indices
    for pile in sorted(
        piles, key=lambda pile: (len(pile) == 1, -len(spots.cards[pile[0]].corners), starts[pile[0]])
    ):
        first = spots.tops[pile[0]]
        off = starts[pile[0]] / spots.deck.height
        # a column that lost its first cards to the finder still begins within the depth of the others
        begins = abs(off) < (_ON_LINE if len(pile) == 1 else 1.2)
        # a lone find beside a column is no column: the cards would lie on each other
        reach = _BESIDE_IT if len(pile) == 1 == len(spots.cards[pile[0]].corners) else _IN_LINE
        if all(spots.vague(card) for card in pile):
            reach = _APART
        if begins and not spots.all_doubtful(pile) and not _in_line(spots, columns, first, reach):
            columns.append(pile)
        else:
            loose.append(pile)
    for pile in list(loose):
        columns_here = _in_line(spots, columns, spots.tops[pile[0]])
        if spots.all_doubtful(pile):
            continue
        if not columns_here and _among(spots, columns, pile):
            columns.append(pile)
            loose.remove(pile)
        if len(columns_here) != 1:
            continue
        (column,) = columns_here
        if _continues(spots, column, pile):
            column += pile
        elif _continues(spots, pile, column):
            column[:0] = pile
        else:
            continue
        loose.remove(pile)
    columns.sort(key=lambda column: float(np.median(spots.tops[column, 0])))
    return columns, [card for pile in loose for card in pile] + above


def _begins_above(spots: _Spots, column: list[int], height: float, slope: float) -> bool:
    """Whether a column begins with a doubtful find above the line on which the second card lies."""
    if len(column) < 2 or not spots.doubtful(column[0]):
        return False
    first, second = (spots.tops[k, 1] - height - slope * spots.tops[k, 0] for k in column[:2])
    return bool(first < -_ABOVE * spots.deck.height and abs(second) < abs(first))


def _in_line(
    spots: _Spots, columns: list[list[int]], top: FloatArray, reach: float = _IN_LINE
) -> list[list[int]]:
    """The columns that a card with this top left index would lie in, above or below."""
    return [
        column
        for column in columns
        if min(abs(spots.tops[column[end], 0] - top[0]) for end in (0, -1)) < reach * spots.deck.width
    ]


def _among(spots: _Spots, columns: list[list[int]], pile: list[int]) -> bool:
    """Whether a pile lies among the columns: the rest of one whose first cards were not found."""
    if sum(len(column) > 1 for column in columns) < 3:
        return False
    ends = np.array([[spots.tops[column[end]] for end in (0, -1)] for column in columns])
    x, y = spots.tops[pile[0]]
    grid = _off_the_grid(x, ends[:, 0, 0], spots.deck)
    return bool(grid < 0 and ends[:, 0, 1].min() < y < ends[:, 1, 1].max() + 0.15 * spots.deck.height)


def _continues(spots: _Spots, column: list[int], pile: list[int]) -> bool:
    """Whether the pile is the rest of a column that lost some cards to the finder between them."""
    side, step = spots.tops[pile[0]] - spots.tops[column[-1]]
    bare = BOTTOM_RIGHT in spots.cards[column[-1]].corners and TOP_LEFT in spots.cards[column[-1]].corners
    return bool(
        abs(side) < 0.5 * spots.deck.width and _LEAST_STEP < step < 1.5 * spots.deck.height and not bare
    )


def _insert(spots: _Spots, columns: list[list[int]], weak: list[int]) -> list[int]:
    """Puts weak finds into the columns where a card is missing and returns those that fit nowhere."""
    left = []
    for k in weak:
        for column, row, count in _gaps(spots, columns):
            if row == 0:
                continue
            members = columns[column]
            before, after = spots.tops[members[row - 1]], spots.tops[members[row]]
            if _between_them(spots, before, after, spots.tops[k], 0.4 * (after - before)[1] / (count + 1)):
                members.insert(row, k)
                break
        else:
            left.append(k)
    return left


def _between_them(
    spots: _Spots, before: FloatArray, after: FloatArray, top: FloatArray, apart: float
) -> bool:
    """Whether a card beginning at ``top`` lies in line with two of a column, at least ``apart`` from both."""
    share = (top[1] - before[1]) / (after[1] - before[1])
    side = abs(top[0] - before[0] - share * (after[0] - before[0]))
    return bool(side < 0.15 * spots.deck.width and before[1] + apart < top[1] < after[1] - apart)


def _gaps(spots: _Spots, columns: list[list[int]]) -> tuple[tuple[int, int, int], ...]:
    """Where a column's step is a multiple of the others': cards that the finder missed."""
    steps = [np.diff(spots.tops[column, 1]) for column in columns]
    every = np.concatenate(steps) if steps else np.zeros(0)
    if len(every) < 4:
        return ()
    usual = float(np.median(every))
    regular = np.abs(every - usual) < 0.25 * usual
    if regular.mean() < 0.8:
        return ()
    height, slope, _ = _top_line(spots, columns)
    late = [float(spots.tops[column[0], 1] - height - slope * spots.tops[column[0], 0]) for column in columns]
    level = float(np.median(np.abs(late))) < 0.2 * usual
    gaps = []
    for k, step in enumerate(steps):
        alike = np.abs(step - usual) < 0.3 * usual
        local = max(float(np.median(step[alike])), 0.9 * usual) if alike.sum() > 1 else usual
        if level and (missed := _missed(late[k] / local + 1)):
            gaps.append((k, 0, missed))
        gaps += [
            (k, row + 1, missed) for row, length in enumerate(step) if (missed := _missed(length / local))
        ]
    return tuple(gaps)


def _missed(steps: float) -> int:
    """How many cards a distance of so many steps has lost; 0 where that isn't clear."""
    return round(steps) - 1 if 1.8 < steps < 5.2 and abs(steps - round(steps)) < 0.2 else 0
