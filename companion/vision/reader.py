"""The reader at run time: cuts of indices in, calibrated probabilities of rank and suit out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .cuts import CUT_HEIGHT, CUT_WIDTH, cut_index
from .manifest import open_model
from .types import RANKS, SUITS, FloatArray, Image, Index, Reading

CLASSES = (*RANKS, *SUITS, "index")


class Reader:
    """Reads indices.  Raises `ModelError` when the weights don't match their manifest."""

    def __init__(self, threads: int = 0) -> None:
        self._session, entry = open_model("reader", classes=CLASSES, threads=threads)
        self._input = self._session.get_inputs()[0].name
        heat = entry.recipe.get("temperature", {})
        self._heat = {head: float(heat.get(head, 1.0)) for head in ("rank", "suit", "index")}

    def read(self, rgb: Image, indices: Sequence[Index]) -> list[Reading]:
        """One reading an index, in their order."""
        if not indices:
            return []
        cuts = np.empty((len(indices), CUT_HEIGHT, CUT_WIDTH, 3), np.uint8)
        for k, index in enumerate(indices):
            cuts[k] = cut_index(rgb, np.array(index.rank_xy), np.array(index.suit_xy))
        return self.read_cuts(cuts)

    def read_cuts(self, cuts: Image) -> list[Reading]:
        """Readings of upright cuts ``(n, CUT_HEIGHT, CUT_WIDTH, 3)`` uint8."""
        blob = np.ascontiguousarray(cuts.transpose(0, 3, 1, 2), np.float32) / 255
        logits = self._session.run(None, {self._input: blob})[0].astype(np.float64)
        ranks = _softmax(logits[:, :13] / self._heat["rank"])
        suits = _softmax(logits[:, 13:17] / self._heat["suit"])
        real = 1 / (1 + np.exp(-logits[:, 17] / self._heat["index"]))
        return [Reading(r, s, float(i)) for r, s, i in zip(ranks, suits, real, strict=True)]


def _softmax(logits: FloatArray) -> FloatArray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    shares: FloatArray = powers / powers.sum(1, keepdims=True)
    return shares
