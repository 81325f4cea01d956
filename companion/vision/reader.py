"""The reader at run time: cuts of indices in, calibrated probabilities of rank and suit out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .cuts import AROUND_HEIGHT, AROUND_WIDTH, CUT_HEIGHT, CUT_WIDTH, cut_around, cut_index
from .manifest import open_model
from .types import RANKS, SUITS, FloatArray, Image, Index, Reading

CLASSES = (*RANKS, *SUITS, "index", "joker")


class Reader:
    """Reads indices.  Raises `ModelError` when the weights don't match their manifest."""

    def __init__(self, threads: int = 0) -> None:
        self._session, entry = open_model("reader", classes=CLASSES, threads=threads)
        heat = entry.recipe.get("temperature", {})
        self._heat = {head: float(heat.get(head, 1.0)) for head in ("rank", "suit", "index", "joker")}

    def read(self, rgb: Image, indices: Sequence[Index]) -> list[Reading]:
        """One reading an index, in their order."""
        if not indices:
            return []
        cuts = np.empty((len(indices), CUT_HEIGHT, CUT_WIDTH, 3), np.uint8)
        around = np.empty((len(indices), AROUND_HEIGHT, AROUND_WIDTH, 3), np.uint8)
        for k, index in enumerate(indices):
            rank_xy, suit_xy = np.array(index.rank_xy), np.array(index.suit_xy)
            cuts[k], around[k] = cut_index(rgb, rank_xy, suit_xy), cut_around(rgb, rank_xy, suit_xy)
        return self.read_cuts(cuts, around)

    def read_cuts(self, cuts: Image, around: Image) -> list[Reading]:
        """Readings of upright cuts ``(n, CUT_HEIGHT, CUT_WIDTH, 3)`` and of what lies round them, uint8."""
        logits = self._session.run(None, {"cuts": _blob(cuts), "around": _blob(around)})[0]
        logits = logits.astype(np.float64)
        ranks = _softmax(logits[:, :13] / self._heat["rank"])
        suits = _softmax(logits[:, 13:17] / self._heat["suit"])
        real = 1 / (1 + np.exp(-logits[:, 17] / self._heat["index"]))
        joker = 1 / (1 + np.exp(-logits[:, 18] / self._heat["joker"]))
        return [
            Reading(r, s, float(i), float(j)) for r, s, i, j in zip(ranks, suits, real, joker, strict=True)
        ]


def _blob(pictures: Image) -> NDArray[np.float32]:
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def _softmax(logits: FloatArray) -> FloatArray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    shares: FloatArray = powers / powers.sum(1, keepdims=True)
    return shares
