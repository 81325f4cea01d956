"""Whole photos of golf tables with truth, for measuring: ``python -m datasets.tables OUT --store STORE``.

Writes NAME.jpg and NAME.json in the form of ``shared/renders``, so that the same tool scores them. With
``--held-out`` only decks that are never trained on, with ``--jokers`` two jokers in the pack, with
``--double`` tables of two packs, with ``--scattered`` fans, loose cards and piles instead, whose truth are
the cards of which half a rank shows.
That of tables names the cards of columns and discard whose rank shows wholly nowhere (``hidden``).
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import multiprocessing
import random
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from datasets.decks.names import JOKERS
from datasets.finder import narrow_step, open_deck, training_decks
from datasets.scene import camera, layout
from datasets.scene.compose import Scene, card_corners, compose


def draw(
    number: int,
    folder: Path,
    held_out: bool,
    *,
    narrow: bool = False,
    jokers: bool = False,
    scattered: bool = False,
    double: bool = False,
) -> tuple[Scene, dict[str, Any]]:
    """Table ``number`` and its truth; ``narrow`` as in `datasets.finder.NARROW`.

    The same cards lie in the same places before the same camera, whether a deck is held out or not: what
    differs between the two is the print alone.
    """
    rng = random.Random(f"table {number}")
    choice = random.Random(f"deck of table {number} {held_out}")
    deck = open_deck(folder, choice.choice(_decks(folder, held_out, jokers)))
    step = narrow_step(rng, deck) if narrow else None
    if scattered:
        placed = rng.choice([layout.fan, layout.loose, layout.piles])(rng)
    else:
        fresh = rng.random() < 0.5
        placed = layout.golf(rng, fresh=fresh, step=step, jokers=2 if jokers else 0, double=double)
    size = rng.choice([(2000, 1500), (1500, 2000), (2400, 1800), (1600, 1200)])
    tilt = min(0.8, abs(rng.gauss(0.25, 0.25)))
    turn = rng.gauss(0, 0.15) if rng.random() < 0.6 else rng.uniform(0, math.tau)
    matrix = _fitted(rng, placed, size, tilt, turn)
    scene = compose(rng, deck, placed, matrix, size)
    if scattered:
        shown = sorted({index.card for index in (*scene.indices, *scene.legible)})
        return scene, {"deck": deck.name, "columns": [], "layout": "scattered", "size": size, "others": shown}
    columns: list[list[str]] = [[] for _ in range(9 if double else 7)]
    for card in placed:
        if card.where == "column":
            columns[card.column].append(card.face)
    truth = {
        "deck": deck.name, "columns": columns, "layout": "golf", "size": size, "packs": 2 if double else 1,
        "tilt_deg": round(math.degrees(tilt), 1),
        "hidden": sorted(
            {c.face for c in placed if c.where in ("column", "discard")}
            - {i.card for i in (*scene.indices, *scene.jokers)}
        ),
        "discard_top": next(c.face for c in placed if c.where == "discard"),
        "others": [c.face for c in placed if c.where == "loose"],
        "stock": sum(c.where == "stock" for c in placed),
    }  # fmt: skip
    return scene, truth


def _decks(folder: Path, held_out: bool, jokers: bool) -> list[str]:
    names = [name for name in training_decks(folder, held_out) if not name.startswith("mixed-")]
    return [name for name in names if not jokers or JOKERS[0] in open_deck(folder, name)]


def _fitted(
    rng: random.Random, placed: list[layout.Placed], size: tuple[int, int], tilt: float, turn: float
) -> np.ndarray:
    """A camera that sees all cards, filling 60 to 95 % of the picture."""
    corners = np.concatenate([card_corners(p) for p in placed])
    middle = tuple((corners.min(0) + corners.max(0)) / 2)
    state = rng.getstate()
    seen = camera.project(camera.homography(rng, middle, 1.0, (0.0, 0.0), tilt=tilt, turn=turn), corners)
    low, high = seen.min(0), seen.max(0)
    scale = rng.uniform(0.62, 0.95) * min(np.array(size) / (high - low))
    at = np.array(size) / 2 - scale * (low + high) / 2
    rng.setstate(state)
    return camera.homography(rng, middle, scale, tuple(at), tilt=tilt, turn=turn)


def _write(number: int, out: Path, folder: Path, held_out: bool, **kind: bool) -> None:
    target = out / f"{number:04d}.json"
    if target.exists():
        return
    scene, truth = draw(number, folder, held_out, **kind)
    cv2.imwrite(str(out / f"{number:04d}.jpg"), scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    target.write_text(json.dumps({"image": f"{number:04d}.jpg", **truth}))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--narrow", action="store_true", help="each card hides part of the sign below it")
    parser.add_argument("--jokers", action="store_true", help="two jokers in the pack")
    parser.add_argument("--scattered", action="store_true", help="fans, loose cards and piles")
    parser.add_argument("--double", action="store_true", help="two packs, in nine columns of seven")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    job = functools.partial(
        _write,
        out=args.out,
        folder=args.store,
        held_out=args.held_out,
        narrow=args.narrow,
        jokers=args.jokers,
        scattered=args.scattered,
        double=args.double,
    )
    with multiprocessing.Pool(args.workers) as pool:
        for _ in tqdm(pool.imap_unordered(job, range(args.count)), total=args.count):
            pass


if __name__ == "__main__":
    main()
