"""The layout as one focal length shows it, and the best of several.

A photo does not tell its focal length well: a wide lens, a zoom or a crop lays the plane askew, and columns
fall apart.  Where cards are left over, other lengths are tried, and that counts which brings most cards
into place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .cards import Card, Print, find_cards
from .columns import Columns, find_columns
from .marks import Marks, lay
from .plane import FOCAL
from .types import FloatArray, Point

#: Of a wide lens, and of a zoom or a crop; in long sides of the photo, as `FOCAL`.
OTHER_FOCALS = (0.45, 1.3)
SAME = 0.5  # probability that two indices read the same
_FAINT = 0.4  # of the finder's confidence in the card's clearest index
_TRUSTED = 0.5  # of a loose card that counts as left over
_GAP = 0.5  # cards in place that a gap in a column is worth


@dataclass(frozen=True, slots=True)
class Sight:
    """Marks on the plane, the cards they make and how these lie; `middle` of the cards, on the plane."""

    marks: Marks
    deck: Print
    layout: Columns
    middle: FloatArray
    trust: tuple[float, ...]

    @property
    def left_over(self) -> float:
        """Trust in all cards that should have a place and have none."""
        return sum(self.trust[k] for k in self.layout.loose if self.trust[k] > _TRUSTED)

    @property
    def order(self) -> float:
        """Trust in the cards in place, less that in those left over and what gaps cost.

        Cards that read alike count once: they are two indices of one card.
        """
        placed = [k for pile in (*self.layout.columns, self.layout.discard) for k in pile]
        names = np.array([self.marks.names[list(self.layout.cards[k].marks)].mean(0) for k in placed])
        gaps = sum(count for _, _, count in self.layout.gaps)
        again = np.triu(names @ names.T > SAME, 1).any(0) if placed else np.zeros(0, bool)
        trust = np.array([self.trust[k] for k in placed])
        return float(trust[~again].sum() - trust[again].sum()) - self.left_over - _GAP * gaps


def best_sight(marks: Marks, size: tuple[int, int], stocks: Sequence[Point]) -> Sight:
    """The sight in best order of `marks`, at least one, laid for the usual focal length.

    `size` is the photo's width and height, `stocks` the centres of face-down piles in pixels.
    """
    first = _sight(marks, size, stocks, FOCAL)
    if not first.left_over:
        return first
    others = [_sight(_laid(marks, size, focal), size, stocks, focal) for focal in OTHER_FOCALS]
    if first.deck.four:
        # drawings on the cards may have passed for indices in two more corners
        others.append(_sight(marks, size, stocks, FOCAL, four=False))
    return max([first, *others], key=lambda sight: sight.order)


def _photo_up(marks: Marks, middle: FloatArray) -> FloatArray:
    """The photo's own up, on the plane at `middle`."""
    pixel = marks.plane.see(middle[None])
    up = marks.plane.place(pixel - (0, 1))[0] - middle
    result: FloatArray = up / max(float(np.hypot(*up)), 1e-9)
    return result


def _sight(
    marks: Marks, size: tuple[int, int], stocks: Sequence[Point], focal: float, four: bool | None = None
) -> Sight:
    cards, deck = find_cards(marks, four)
    if spans := _spans(marks, cards):
        # cards are wider than indices: with them the plane is known better
        marks = _laid(marks, size, focal, spans)
        cards, deck = find_cards(marks, four)
    middle = np.mean([card.centre for card in cards], 0)
    cards = [_without_faint(marks, card) for card in cards]
    on_plane = marks.plane.place(np.array(stocks, float).reshape(-1, 2))
    trust = [float(1 - np.prod(1 - marks.trust[list(card.marks)])) for card in cards]
    layout = find_columns(cards, trust, deck, on_plane, _photo_up(marks, middle))
    return Sight(marks, deck, layout, middle, tuple(trust))


def _laid(marks: Marks, size: tuple[int, int], focal: float, spans: Sequence[FloatArray] = ()) -> Marks:
    return lay(marks.sources, marks.names, marks.real, marks.trust, size, spans, focal)


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
            if marks.names[i] @ marks.names[j] > SAME:
                ends = [marks.sources[i].rank_xy, marks.sources[j].rank_xy]
                pairs.setdefault((a % 2, b - a), []).append(ends)
    return [np.array(pair) for pair in pairs.values() if len(pair) > 2]
