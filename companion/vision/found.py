"""What the network found, as arrays: decoded, each thing once, and two looks at a table brought together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .types import FloatArray

CLASSES = ("index", "back", "joker")
BACK, JOKER = 1, 2
#: Weak finds are kept: the reader tells whether there is an index, and does so better.
LEAST = 0.08
#: Ranks nearer to each other than this part of the distance from rank to suit sign are one.
_SAME_RANK = 0.4
#: What the score of a find counts that only one of two looks has.
_SEEN_ONCE = 0.5


@dataclass(frozen=True)
class Found:
    """N finds in pixels of a picture.

    Boxes (N, 4) x0 y0 x1 y1, kind (N,) in the order of `CLASSES`, score (N,), points (N, 2, 2): rank and
    suit sign.
    """

    boxes: FloatArray
    kind: NDArray[np.intp]
    score: FloatArray
    points: FloatArray

    def pick(self, which: Any) -> Found:
        return Found(self.boxes[which], self.kind[which], self.score[which], self.points[which])

    @property
    def arms(self) -> FloatArray:
        """(N,) distances from rank to suit sign."""
        arms: FloatArray = np.hypot(*(self.points[:, 1] - self.points[:, 0]).T)
        return arms


def decode(output: NDArray[np.float32]) -> Found:
    """Rows of the network: centre, size, a score a class, then x, y, visibility of two points."""
    count = len(CLASSES)
    scores = output[:, 4 : 4 + count]
    kind, score = scores.argmax(1), scores.max(1)
    keep = score > LEAST
    rows = output[keep].astype(np.float64)
    half = rows[:, 2:4] / 2
    boxes = np.concatenate([rows[:, :2] - half, rows[:, :2] + half], 1)
    points = rows[:, 4 + count :].reshape(-1, 2, 3)[..., :2]
    return Found(boxes, kind[keep], score[keep].astype(np.float64), points)


def together(parts: list[Found]) -> Found:
    return Found(
        *(np.concatenate([getattr(p, f) for p in parts]) for f in ("boxes", "kind", "score", "points"))
    )


def once(found: Found) -> Found:
    """Each object once, the surest first.

    Backs are the same where their boxes overlap by half. Boxes of indices in a fan overlap though they are of
    two cards, so indices are the same where their ranks fall together; a joker's corner counts as one.
    """
    found = found.pick(np.argsort(-found.score, kind="stable"))
    arms = found.arms
    kept: list[int] = []
    for k in range(len(found.score)):
        same = [j for j in kept if (found.kind[j] == BACK) == (found.kind[k] == BACK)]
        if not same:
            twice = False
        elif found.kind[k] != BACK:
            away = np.hypot(*(found.points[same, 0] - found.points[k, 0]).T)
            twice = bool((away < _SAME_RANK * np.maximum(arms[same], arms[k])).any())
        else:
            twice = bool((_overlap(found.boxes[k], found.boxes[same]) > 0.5).any())
        if not twice:
            kept.append(k)
    return found.pick(kept)


def agreed(first: Found, second: Found) -> Found:
    """Two looks at the same signs, no backs among them, as one; both have each sign once.

    A sign that both saw lies where the second, the closer one, saw it, and is as sure as they are on average;
    what only one of them saw is half as sure.
    """
    arms = first.arms, second.arms
    away = np.hypot(*(first.points[:, None, 0] - second.points[None, :, 0]).transpose(2, 0, 1))
    away = away / np.maximum(np.maximum(arms[0][:, None], arms[1][None]), 1e-9)
    alone = np.ones(len(first.score), bool), np.ones(len(second.score), bool)
    score, kind = _SEEN_ONCE * second.score, second.kind.copy()
    for flat in np.argsort(away, axis=None):
        i, j = np.unravel_index(flat, away.shape)
        if away[i, j] >= _SAME_RANK:
            break
        if alone[0][i] and alone[1][j]:
            alone[0][i] = alone[1][j] = False
            score[j] = (first.score[i] + second.score[j]) / 2
            if first.score[i] > second.score[j]:
                kind[j] = first.kind[i]
    # one of the first look that lies where two others are one already is no further sign
    rest = first.pick(alone[0] & ~(away < _SAME_RANK).any(1))
    rest = Found(rest.boxes, rest.kind, _SEEN_ONCE * rest.score, rest.points)
    return together([Found(second.boxes, kind, score, second.points), rest])


def _overlap(box: FloatArray, others: FloatArray) -> FloatArray:
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    inner = np.prod(np.clip(high - low, 0, None), axis=1)
    area = np.prod(box[2:] - box[:2]) + np.prod(others[:, 2:] - others[:, :2], axis=1) - inner
    ratio: FloatArray = inner / np.maximum(area, 1e-9)
    return ratio
