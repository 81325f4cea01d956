"""Labelled cuts for the reader, taken from a scene.

Every index that can be read gives cuts placed as inexactly as the finder places them; others show what is
no index: hidden ones, pips, pictures, the table, an index taken upside down.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import numpy as np

from companion.vision.cuts import cut_around, cut_index
from companion.vision.types import Finds
from datasets.decks.names import JOKERS, RANKS, SUITS
from datasets.scene.compose import LEGIBLE, Scene, SeenIndex


class Cut(NamedTuple):
    """An index upright, what lies round it, rank 0..12 or -1, suit 0..3 or -1, height in pixels.

    ``suit_seen`` is the part of the suit sign that shows; ``joker`` whether it is a joker's corner.
    """

    cut: np.ndarray
    around: np.ndarray
    rank: int
    suit: int
    height: float
    suit_seen: float = 0.0
    joker: bool = False


#: Rank and suit sign together are about this many times as high as their centres are apart.
HEIGHT_TO_DISTANCE = 2.1
#: Indices lower than this can't be read, in pixels.
LOWEST = 9.5
#: A find nearer to an index than the first is it, one further away than the second is none; in distances.
_ON_IT, _OFF_IT = 0.6, 1.2


def cuts_of(rng: random.Random, scene: Scene) -> list[Cut]:
    """All cuts of one scene, each index and joker's corner twice, with about one in five that is neither."""
    cuts = []
    for index in (*scene.indices, *scene.legible):
        if HEIGHT_TO_DISTANCE * _distance(index) >= LOWEST:
            rank, suit = RANKS.index(index.card[0]), SUITS.index(index.card[1])
            cuts += [_cut(rng, scene.image, index, rank, suit) for _ in range(2)]
    for _ in range(1 + len(cuts) // 8):
        cuts += _not_an_index(rng, scene)
    for corner in scene.jokers:
        if HEIGHT_TO_DISTANCE * _distance(corner) >= LOWEST:
            cuts += [_cut(rng, scene.image, corner, -1, -1)._replace(joker=True) for _ in range(2)]
    return cuts


def cuts_as_found(scene: Scene, finds: Finds) -> list[Cut]:
    """Cuts placed as a finder placed them, what it took for an index among them.

    Finds on an index of which less than half shows are left out: whether that is one is a matter of taste.
    """
    cuts = []
    known = [*scene.indices, *scene.jokers, *scene.partial]
    for find in finds.signs:
        rank_xy, suit_xy = np.array(find.rank_xy), np.array(find.suit_xy)
        if find.height < LOWEST:
            continue
        away = [_away(rank_xy, suit_xy, index) for index in known]
        k = int(np.argmin(away)) if away else -1
        if k < 0 or away[k] > _OFF_IT:
            cuts.append(_cut_at(scene.image, rank_xy, suit_xy))
        elif known[k].card in JOKERS and away[k] < _ON_IT:
            cuts.append(_cut_at(scene.image, rank_xy, suit_xy)._replace(joker=True))
        elif known[k].rank_seen >= LEGIBLE and away[k] < _ON_IT:
            rank, suit = RANKS.index(known[k].card[0]), SUITS.index(known[k].card[1])
            cut = _cut_at(scene.image, rank_xy, suit_xy, rank, suit)
            cuts.append(cut._replace(suit_seen=known[k].suit_seen))
    return cuts


def _away(rank_xy: np.ndarray, suit_xy: np.ndarray, index: SeenIndex) -> float:
    """How far two points lie from an index's, in its distances."""
    off = max(float(np.hypot(*(rank_xy - index.rank_xy))), float(np.hypot(*(suit_xy - index.suit_xy))))
    return off / max(_distance(index), 1e-3)


def _distance(index: SeenIndex) -> float:
    return float(np.hypot(*(index.suit_xy - index.rank_xy)))


def _cut(rng: random.Random, image: np.ndarray, index: SeenIndex, rank: int, suit: int) -> Cut:
    distance = _distance(index)
    loose = rng.choice([0.03, 0.06, 0.1]) * distance + 0.25
    # where the sign is covered, the finder guesses its place
    guessed = loose if index.suit_seen > 0.5 else loose + 0.1 * distance
    rank_xy = index.rank_xy + np.array([rng.gauss(0, loose), rng.gauss(0, loose)])
    suit_xy = index.suit_xy + np.array([rng.gauss(0, guessed), rng.gauss(0, guessed)])
    return _cut_at(image, rank_xy, suit_xy, rank, suit)._replace(suit_seen=index.suit_seen)


def _cut_at(
    image: np.ndarray, rank_xy: np.ndarray, suit_xy: np.ndarray, rank: int = -1, suit: int = -1
) -> Cut:
    height = HEIGHT_TO_DISTANCE * float(np.hypot(*(suit_xy - rank_xy)))
    return Cut(cut_index(image, rank_xy, suit_xy), cut_around(image, rank_xy, suit_xy), rank, suit, height)


def _not_an_index(rng: random.Random, scene: Scene) -> list[Cut]:
    side = scene.image.shape[0]
    found = scene.indices + scene.partial
    cuts = []
    hidden = [i for i in scene.partial if i.rank_seen < 0.4]
    if hidden and rng.random() < 0.6:
        cuts.append(_cut(rng, scene.image, rng.choice(hidden), -1, -1))
    if scene.indices and rng.random() < 0.25:
        i = rng.choice(scene.indices)
        upside_down = SeenIndex(i.card, i.suit_xy, i.rank_xy, i.outline, i.placed, i.rank_seen)
        cuts.append(_cut(rng, scene.image, upside_down, -1, -1))
    distance = _distance(rng.choice(found)) if found else side / 16
    if scene.quads and rng.random() < 0.8:  # on a card: pips and pictures
        at = (
            rng.choice(scene.quads)[rng.randrange(4)]
            + np.array([rng.gauss(0, 4), rng.gauss(0, 4)]) * distance
        )
        at = at.clip(0, side - 1)
    else:
        at = np.array([rng.uniform(0, side), rng.uniform(0, side)])
    angle, length = rng.uniform(0, math.tau), distance * rng.uniform(0.6, 1.5)
    below = at + np.array([math.cos(angle), math.sin(angle)]) * length
    if all(float(np.hypot(*(at - i.rank_xy))) > 0.8 * distance for i in found):
        cuts.append(_cut_at(scene.image, at, below))
    return cuts
