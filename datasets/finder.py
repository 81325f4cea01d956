"""Scenes for the finder and their labels in YOLO's pose format.

Classes: 0 index (two key points, rank and suit sign), 1 face-down back, 2 a joker's corner (two as well).
"""

from __future__ import annotations

import functools
import math
import random
from pathlib import Path

import numpy as np

from datasets.decks import store
from datasets.decks.names import WIDTH, is_drawn, is_held_out
from datasets.scene import camera, layout
from datasets.scene.compose import Scene, compose

CLASSES = ("index", "back", "joker")
SIDE = 448
#: Part of the scenes whose columns are so narrow that each card hides part of the suit sign below it.
NARROW = 0.25
#: Part of those in which it hides part of the rank, too.
TIGHT = 0.3
#: A scene seen closely, as phones photograph it: its side, card widths, and how many are narrow.
CLOSE_SIDE, CLOSE_SCALES, CLOSE_NARROW = 896, (150.0, 400.0), 0.6
#: Card widths of scenes that the finder is tried on: small enough for much around the cards.
FOUND_SCALES = (50.0, 220.0)
#: Card widths of scenes of narrow strips alone: the finder places their cuts, as above.
STRIPS_SCALES = (60.0, 300.0)


def draw(
    number: int,
    folder: Path,
    held_out: bool = False,
    side: int = SIDE,
    scales: tuple[float, float] = (34, 240),
    narrow: float = NARROW,
    tips: bool = False,
) -> Scene:
    """Scene ``number``: a random deck, layout, camera and light on a square of ``side`` pixels.

    ``scales`` bounds a card's width in pixels at the scene's middle; ``narrow`` is how many scenes have
    narrow columns, see `NARROW`; with ``tips`` each of them shows the tips of its suit signs alone.
    """
    rng = random.Random(f"scene {number} {held_out}")
    deck = open_deck(folder, rng.choice(training_decks(folder, held_out)))
    step = None
    if rng.random() < narrow:
        if tips:
            step = tips_step(rng, deck)
        else:
            step = tight_step(rng, deck) if rng.random() < TIGHT else narrow_step(rng, deck)
    placed = layout.any_layout(rng, step)
    at_card = rng.choice(placed)
    scale = math.exp(rng.uniform(math.log(scales[0]), math.log(scales[1])))
    if rng.random() < 0.25:  # the whole table in the picture
        xs, ys = [p.x for p in placed], [p.y for p in placed]
        middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        extent = max(max(xs) - min(xs) + 1.5, max(ys) - min(ys) + 2.0)
        scale = max(scales[0] * 0.8, 0.9 * side / extent)
    else:
        middle = (at_card.x, at_card.y)
    at = (rng.uniform(0.25, 0.75) * side, rng.uniform(0.25, 0.75) * side)
    tilt = abs(rng.gauss(0, 0.35)) if rng.random() < 0.7 else rng.uniform(0, 0.85)
    turn = rng.uniform(0, math.tau) if rng.random() < 0.6 else rng.gauss(0, 0.25)
    matrix = camera.homography(rng, middle, scale, at, tilt=min(tilt, 0.85), turn=turn)
    return compose(rng, deck, placed, matrix, (side, side))


def narrow_step(rng: random.Random, deck: store.Deck) -> float:
    """A step, in card widths, that leaves the rank free and ends within the suit sign."""
    index = deck.usual_index
    return rng.uniform(1.02 * index.rank[3], index.suit[3]) / WIDTH


def tips_step(rng: random.Random, deck: store.Deck) -> float:
    """A step, in card widths, that leaves between a twentieth and half of the suit sign free."""
    top, bottom = deck.usual_index.suit[1], deck.usual_index.suit[3]
    return (top + rng.uniform(0.05, 0.5) * (bottom - top)) / WIDTH


def tight_step(rng: random.Random, deck: store.Deck) -> float:
    """A step, in card widths, that leaves half of the rank free or more."""
    low, high = deck.usual_index.rank[1], deck.usual_index.rank[3]
    return rng.uniform((low + high) / 2, high) / WIDTH


@functools.cache
def training_decks(folder: Path, held_out: bool) -> tuple[str, ...]:
    names = [n for n in store.stored(folder) if is_held_out(n) == held_out]
    art = [n for n in names if not is_drawn(n)]
    drawn = [n for n in names if is_drawn(n)]
    # printed art is what real decks look like: as often as all drawn decks together
    return tuple(art * max(1, len(drawn) // (2 * max(1, len(art)))) + drawn)


@functools.lru_cache(maxsize=400)
def open_deck(folder: Path, name: str) -> store.Deck:
    return store.load(folder, name)


def label_lines(scene: Scene) -> list[str]:
    """A line an object: class, box centre and size, two key points with visibility, as parts of the side."""
    side = scene.image.shape[0]
    lines = []
    for kind, signs in ((0, (*scene.indices, *scene.legible)), (2, scene.jokers)):
        for sign in signs:
            box = _box(sign.outline, side)
            if box:
                points = [*(sign.rank_xy / side), 2, *(sign.suit_xy / side), 2]
                lines.append(_line(kind, box, points))
    for back in scene.backs:
        box = _box(back.quad, side)
        if box and back.seen > 0.25:
            lines.append(_line(1, box, [0, 0, 0, 0, 0, 0]))
    return lines


def _box(points: np.ndarray, side: int) -> tuple[float, float, float, float] | None:
    low, high = points.min(0).clip(0, side) / side, points.max(0).clip(0, side) / side
    if (high - low).min() * side < 3:
        return None
    return (*(low + high) / 2, *(high - low))  # type: ignore[return-value]


def _line(kind: int, box: tuple[float, ...], points: list[float]) -> str:
    return " ".join(
        [str(kind), *(f"{v:.5f}" for v in box), *(f"{min(max(v, 0.0), 2.0):.5f}" for v in points)]
    )


def write_yaml(root: Path, train: str = "train", val: str = "val") -> Path:
    """``data.yaml`` for Ultralytics; key points do not swap, for nothing is ever mirrored."""
    text = f"path: {root.resolve()}\ntrain: {train}/images\nval: {val}/images\n"
    text += "kpt_shape: [2, 3]\nflip_idx: [0, 1]\n"
    # how exact a key point must be, against the square root of its box: the default is lax at a cut's needs
    text += "kpt_oks_sigmas: [0.12, 0.12]\nnames:\n"
    text += "".join(f"  {k}: {name}\n" for k, name in enumerate(CLASSES))
    path = root / "data.yaml"
    path.write_text(text)
    return path
