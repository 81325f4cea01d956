"""Where the index of a deck's cards lies: rank glyph and suit sign of the upper left corner."""

from __future__ import annotations

import dataclasses

import cv2
import numpy as np

from datasets.decks.names import HEIGHT, WIDTH

Box = tuple[float, float, float, float]


@dataclasses.dataclass(frozen=True)
class IndexGeometry:
    """Boxes ``(x0, y0, x1, y1)`` in texture pixels of the upper left index, for one face.

    ``corners`` is 2 or 4: with 4 the index stands mirrored in position (not in shape) at the
    upper right and lower left too.
    """

    rank: Box
    suit: Box
    corners: int = 2


def measure(rgba: np.ndarray) -> IndexGeometry | None:
    """The upper left index of one face (``HEIGHT`` x ``WIDTH`` x 4, uint8), or None when it is not plain."""
    ink = _ink(rgba)
    region = ink[: int(0.36 * HEIGHT), : int(0.30 * WIDTH)].astype(np.uint8)
    parts = _parts(region)
    if not parts:
        return None
    rank = min(
        (p for p in parts if p[3] - p[1] > 0.035 * HEIGHT), key=lambda p: p[1] + 0.5 * p[0], default=None
    )
    if rank is None:
        return None
    # "10": a second digit right of the first, at its height
    for p in parts:
        if p is not rank and abs(p[1] - rank[1]) < 8 and abs(p[3] - rank[3]) < 8 and p[0] < rank[2] + 10:
            rank = _union(rank, p)
    below = [p for p in parts if p[1] > rank[3] - 3 and p[0] < rank[2] + 4 and p[2] > rank[0] - 4]
    suit = min(below, key=lambda p: p[1], default=None)
    if suit is None or not 0.4 < (suit[2] - suit[0]) / max(1.0, suit[3] - suit[1]) < 1.6:
        return None
    return IndexGeometry(rank, suit)


def consensus(faces: dict[str, np.ndarray], corners: int = 2) -> dict[str, IndexGeometry]:
    """The geometry of every card of a deck, agreed on by the cards whose corner is plain.

    Court cards have frames that run into the index, so their boxes come from the number cards.
    """
    found = {name: geometry for name, face in faces.items() if (geometry := measure(face))}
    plain = [g for name, g in found.items() if name[0] in "A23456789"]
    if len(plain) < 12:
        raise ValueError(f"only {len(plain)} cards with a plain index")
    rank = np.median([g.rank for g in plain], axis=0)
    suit = np.median([g.suit for g in plain], axis=0)
    result = {}
    for name in faces:
        own = found.get(name)
        good = own is not None and max(abs(own.suit[1] - suit[1]), abs(own.rank[1] - rank[1])) < 12
        good = good and own is not None and own.rank[2] - own.rank[0] < 2.6 * (rank[2] - rank[0])
        chosen = own if good and own is not None else IndexGeometry(tuple(rank), tuple(suit))
        result[name] = dataclasses.replace(chosen, corners=corners)
    return result


def _ink(rgba: np.ndarray) -> np.ndarray:
    rgb = rgba[..., :3].astype(np.int16)
    opaque = rgba[..., 3] > 128
    inner = rgb[40:-40, 8:-8][opaque[40:-40, 8:-8]]
    paper = np.median(inner[inner.sum(1) >= np.percentile(inner.sum(1), 40)], axis=0)
    return (np.abs(rgb - paper).max(-1) > 70) & opaque


def _parts(region: np.ndarray) -> list[Box]:
    """Boxes of the connected parts, without what touches the card's edge or is too small or long."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(region, connectivity=8)
    boxes = []
    for x, y, w, h, area in stats[1:count]:
        frame = w > 0.26 * WIDTH or h > 0.24 * HEIGHT or (area < 0.12 * w * h)
        at_edge = x <= 3 or y <= 3
        if area > 40 and not frame and not at_edge and x < 0.16 * WIDTH:
            boxes.append((float(x), float(y), float(x + w), float(y + h)))
    return boxes


def _union(a: Box, b: Box) -> Box:
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
