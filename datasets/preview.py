"""A sheet to look at: ``python -m datasets.preview OUT.jpg --store STORE``: scenes with their labels."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.names import JOKERS
from datasets.finder import draw
from datasets.scene.compose import Scene

_INDEX, _POINT, _BACK, _JOKER = (0, 220, 0), (255, 0, 255), (0, 220, 255), (255, 128, 0)


def marked(scene: Scene) -> np.ndarray:
    """The scene with a line from rank to suit sign, the card's name, and frames round backs."""
    image = np.ascontiguousarray(scene.image)
    for index in (*scene.indices, *scene.jokers):
        line = _JOKER if index.card in JOKERS else _INDEX
        rank, suit = (tuple(int(v) for v in p) for p in (index.rank_xy, index.suit_xy))
        cv2.line(image, rank, suit, line, 1, cv2.LINE_AA)
        cv2.circle(image, rank, 2, _POINT, -1)
        cv2.putText(
            image, index.card, (rank[0] + 6, rank[1]), cv2.FONT_HERSHEY_SIMPLEX, 0.4, _POINT, 1, cv2.LINE_AA
        )
    for back in scene.backs:
        cv2.polylines(image, [back.quad.astype(np.int32)], True, _BACK, 1, cv2.LINE_AA)
    return image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--held-out", action="store_true")
    args = parser.parse_args()
    count = args.rows * args.columns
    pictures = [marked(draw(args.first + k, args.store, args.held_out)) for k in range(count)]
    rows = [np.hstack(pictures[k : k + args.columns]) for k in range(0, count, args.columns)]
    cv2.imwrite(str(args.out), np.vstack(rows)[..., ::-1])


if __name__ == "__main__":
    main()
