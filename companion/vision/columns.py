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

from .cards import BOTTOM_RIGHT, TOP_LEFT, Card, Print
from .discard import find_discard, one_pile, slid_off, spread_out
from .grid import ON_LINE, off_the_grid, top_line
from .spots import LEAST_STEP, WEAK, Spots, look, players_up
from .types import FloatArray

_LIKELY_STEP = 0.9  # index lengths: less would cover a part of the rank below
_LARGEST_STEP = 0.8  # card heights
_SIDEWAYS = 0.2  # card widths, the spread of careless laying
_COSTLIEST = 5.5
_ABOVE = 0.25  # card heights off the top line
_IN_LINE, _BESIDE_IT, _APART = 0.55, 0.85, 1.0  # card widths
_CROWD = 0.2  # card widths between the sides of two finds of one index
_PEEPING = 0.16  # card widths at the side of a card, where the index of the one below may show


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
    up, share = players_up(cards, deck, stocks, photo_up)
    nothing = Columns(loose=everything, up=(float(up[0]), float(up[1])), cards=tuple(cards))
    if share < 0.65:
        return nothing
    spots = look(cards, trust, deck, stocks, up)
    weak = [k for k, card in enumerate(cards) if len(card.corners) == 1 and trust[k] < WEAK]
    weak += [k for k in everything if k not in weak and _crowded(spots, k)]
    strong = [k for k in everything if k not in weak]
    chains = _chains(spots, strong)
    upright = _lean(spots, chains)
    if upright is not None:
        spots = replace(spots, tops=spots.tops - upright * spots.tops[:, 1:] * (1.0, 0.0))
        chains = _chains(spots, strong)
    piles = _piles(spots, chains)
    discard = find_discard(spots, piles)
    rest = [pile for pile in piles if pile is not discard]
    # cards of an untidy discard are no columns
    slid = [pile for pile in rest if discard and len(pile) == 1 and slid_off(spots, pile[0], discard[-1])]
    columns, loose = _sort_out(spots, [pile for pile in rest if pile not in slid])
    loose += [card for pile in slid for card in pile]
    in_play = sum(map(len, columns)) + (len(discard) if discard else 0)
    proven = any(len(column) > 1 for column in columns) or (discard is not None and len(stocks) > 0)
    if not columns or not proven or in_play < 0.6 * len(strong):
        return nothing
    if discard:
        discard, loose = spread_out(spots, discard, loose)
    loose += _insert(spots, columns, weak)
    return Columns(
        columns=tuple(map(tuple, columns)),
        discard=tuple(discard or ()),
        loose=tuple(sorted(loose)),
        gaps=_gaps(spots, columns),
        up=nothing.up,
        cards=tuple(spots.cards),
    )


def _crowded(spots: Spots, card: int) -> bool:
    """A lone find where a surer card begins: two cards of a column are further apart."""
    if len(spots.cards[card].corners) > 1:
        return False
    side, step = np.abs(spots.tops - spots.tops[card]).T
    least = _LIKELY_STEP if spots.doubtful(card) else LEAST_STEP
    here = (side < _CROWD * spots.deck.width) & (step < least)
    return bool((np.array(spots.trust)[here] > spots.trust[card]).any())


def _chains(spots: Spots, members: Sequence[int]) -> list[list[int]]:
    """The members joined to columns, each card with at most one before and one after it."""
    deck, n = spots.deck, len(spots.cards)
    away = spots.tops[None] - spots.tops[:, None]
    side, step = away[..., 0] / deck.width, away[..., 1]
    cost = (side / _SIDEWAYS) ** 2 + step / (0.25 * deck.height)
    cost[(step < LEAST_STEP) | (step > _LARGEST_STEP * deck.height)] = np.inf
    member = np.isin(np.arange(n), members)
    cost[~member] = cost[:, ~member] = np.inf
    ends = [card.corner(BOTTOM_RIGHT, deck) if BOTTOM_RIGHT in card.corners else None for card in spots.cards]
    after, before = np.full(n, -1), np.full(n, -1)
    for i, j in sorted(np.argwhere(cost < _COSTLIEST), key=lambda pair: cost[tuple(pair)]):
        end = ends[i]
        # a card whose near end is seen has nothing on it, but for one that leaves its corner free at the side
        # or is itself seen from end to end: what shows through that is no end
        whole = {TOP_LEFT, BOTTOM_RIGHT} <= spots.cards[j].corners.keys()
        bare = end is not None and (
            spots.doubtful(int(j)) or (not whole and spots.cards[j].covers(end, deck, _PEEPING * deck.width))
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


def _lean(spots: Spots, chains: list[list[int]]) -> float | None:
    """How far columns drift to the right a unit towards the player, from the links found so far."""
    links = [spots.tops[b] - spots.tops[a] for chain in chains for a, b in pairwise(chain)]
    return float(np.median([side / step for side, step in links])) if len(links) >= 4 else None


def _piles(spots: Spots, chains: list[list[int]]) -> list[list[int]]:
    """Chains, those merged whose cards lie nearly on one another; the most visible card last."""
    piles = [list(chain) for chain in chains]
    merged = True
    while merged:
        merged = False
        for a in piles:
            for b in piles:
                if a is not b and min(len(a), len(b)) == 1 and len(a) + len(b) <= 5 and one_pile(spots, a, b):
                    piles.remove(b)
                    a += b
                    a.sort(key=lambda k: (len(spots.cards[k].corners), spots.tops[k, 1]))
                    merged = True
                    break
            if merged:
                break
    return piles


def _sort_out(spots: Spots, piles: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """Columns from left to right, and the cards that belong to none."""
    if not piles:
        return [], []
    height, slope, _ = top_line(spots, piles)
    above = []
    for pile in piles:
        while _begins_above(spots, pile, height, slope):
            above.append(pile.pop(0))
    columns, loose = _begin(spots, piles, height, slope)
    loose = _join(spots, columns, loose)
    columns.sort(key=lambda column: float(np.median(spots.tops[column, 0])))
    return columns, [card for pile in loose for card in pile] + above


def _begin(
    spots: Spots, piles: list[list[int]], height: float, slope: float
) -> tuple[list[list[int]], list[list[int]]]:
    """The piles that begin on the line ``y = height + slope * x``, as columns, and the others."""
    columns: list[list[int]] = []
    others: list[list[int]] = []
    starts = {pile[0]: spots.tops[pile[0], 1] - height - slope * spots.tops[pile[0], 0] for pile in piles}
    # what is surely a column first: several cards, then cards that show several indices
    for pile in sorted(
        piles, key=lambda pile: (len(pile) == 1, -len(spots.cards[pile[0]].corners), starts[pile[0]])
    ):
        first = spots.tops[pile[0]]
        off = starts[pile[0]] / spots.deck.height
        # a column that lost its first cards to the finder still begins within the depth of the others
        begins = abs(off) < (ON_LINE if len(pile) == 1 else 1.2)
        # a lone find beside a column is no column: the cards would lie on each other
        reach = _BESIDE_IT if len(pile) == 1 == len(spots.cards[pile[0]].corners) else _IN_LINE
        if all(spots.vague(card) for card in pile):
            reach = _APART
        if begins and not spots.all_doubtful(pile) and not _in_line(spots, columns, first, reach):
            columns.append(pile)
        else:
            others.append(pile)
    return columns, others


def _join(spots: Spots, columns: list[list[int]], piles: list[list[int]]) -> list[list[int]]:
    """Adds the piles that are the rest of a column, or one that lost its first cards; returns the others."""
    left = []
    for pile in piles:
        here = _in_line(spots, columns, spots.tops[pile[0]])
        if spots.all_doubtful(pile):
            left.append(pile)
        elif not here and _among(spots, columns, pile):
            columns.append(pile)
        elif len(here) == 1 and _continues(spots, here[0], pile):
            here[0].extend(pile)
        elif len(here) == 1 and _continues(spots, pile, here[0]):
            here[0][:0] = pile
        else:
            left.append(pile)
    return left


def _begins_above(spots: Spots, column: list[int], height: float, slope: float) -> bool:
    """Whether a column begins with a doubtful find above the line on which the second card lies."""
    if len(column) < 2 or not spots.doubtful(column[0]):
        return False
    first, second = (spots.tops[k, 1] - height - slope * spots.tops[k, 0] for k in column[:2])
    return bool(first < -_ABOVE * spots.deck.height and abs(second) < abs(first))


def _in_line(
    spots: Spots, columns: list[list[int]], top: FloatArray, reach: float = _IN_LINE
) -> list[list[int]]:
    """The columns that a card with this top left index would lie in, above or below."""
    return [
        column
        for column in columns
        if min(abs(spots.tops[column[end], 0] - top[0]) for end in (0, -1)) < reach * spots.deck.width
    ]


def _among(spots: Spots, columns: list[list[int]], pile: list[int]) -> bool:
    """Whether a pile lies among the columns: the rest of one whose first cards were not found."""
    if sum(len(column) > 1 for column in columns) < 3:
        return False
    ends = np.array([[spots.tops[column[end]] for end in (0, -1)] for column in columns])
    x, y = spots.tops[pile[0]]
    grid = off_the_grid(x, ends[:, 0, 0], spots.deck)
    return bool(grid < 0 and ends[:, 0, 1].min() < y < ends[:, 1, 1].max() + 0.15 * spots.deck.height)


def _continues(spots: Spots, column: list[int], pile: list[int]) -> bool:
    """Whether the pile is the rest of a column that lost some cards to the finder between them."""
    side, step = spots.tops[pile[0]] - spots.tops[column[-1]]
    bare = BOTTOM_RIGHT in spots.cards[column[-1]].corners and TOP_LEFT in spots.cards[column[-1]].corners
    return bool(
        abs(side) < 0.5 * spots.deck.width and LEAST_STEP < step < 1.5 * spots.deck.height and not bare
    )


def _insert(spots: Spots, columns: list[list[int]], weak: list[int]) -> list[int]:
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


def _between_them(spots: Spots, before: FloatArray, after: FloatArray, top: FloatArray, apart: float) -> bool:
    """Whether a card beginning at ``top`` lies in line with two of a column, at least ``apart`` from both."""
    share = (top[1] - before[1]) / (after[1] - before[1])
    side = abs(top[0] - before[0] - share * (after[0] - before[0]))
    return bool(side < 0.15 * spots.deck.width and before[1] + apart < top[1] < after[1] - apart)


def _gaps(spots: Spots, columns: list[list[int]]) -> tuple[tuple[int, int, int], ...]:
    """Where a column's step is a multiple of the others': cards that the finder missed."""
    steps = [np.diff(spots.tops[column, 1]) for column in columns]
    every = np.concatenate(steps) if steps else np.zeros(0)
    if len(every) < 4:
        return ()
    usual = float(np.median(every))
    regular = np.abs(every - usual) < 0.25 * usual
    if regular.mean() < 0.8:
        return ()
    height, slope, _ = top_line(spots, columns)
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
