"""Draws labelled scenes: ``python -m datasets.generate OUT --store STORE --batches 80``.

Each batch of 100 scenes gives pictures and labels for the finder (OUT/PART/images, labels, data.yaml) and the
cuts for the reader (OUT/PART/cuts/NNNNN.npz: ``cuts`` (n, 80, 64, 3) and ``around`` (n, 44, 104, 3)
uint8, ``rank``, ``suit``, ``joker``, ``height``, ``suit_seen``, ``scene``).
The parts ``close`` and ``close-val`` hold cuts alone, of scenes seen closely: a phone shows an index 60
pixels high and more, and there the tip of a covered sign tells its suit. So does the part ``found``, with
cuts placed as the finder that ships places them, and what it wrongly takes for indices, and the part
``strips``: the same of columns so narrow that only the tips of suit signs show, or nothing.
A scene depends on its number and part alone; batches that are there are kept, so a stopped run goes on.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import random
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from companion.vision.detector import Detector
from datasets.finder import (
    CLOSE_NARROW,
    CLOSE_SCALES,
    CLOSE_SIDE,
    FOUND_SCALES,
    NARROW,
    STRIPS_SCALES,
    draw,
    label_lines,
    write_yaml,
)
from datasets.reader import Cut, cuts_as_found, cuts_of
from datasets.scene.compose import Scene

BATCH = 100
PARTS = {
    "train": 0,
    "val": 10_000_000,
    "held-out": 20_000_000,
    "close": 30_000_000,
    "close-val": 40_000_000,
    "found": 50_000_000,
    "strips": 60_000_000,
}


@functools.cache
def _detector() -> Detector:
    return Detector(threads=1)


def _batch(number: int, out: Path, folder: Path, part: str, scenes: int = BATCH) -> None:
    done = out / part / "cuts" / f"{number:05d}.npz"
    if done.exists():
        return
    cuts: list[Cut] = []
    scenes_of: list[int] = []
    first = PARTS[part] + number * BATCH
    for scene_number in range(first, first + scenes):
        if part in ("found", "strips"):
            tips = part == "strips"
            kind = (STRIPS_SCALES, 1.0) if tips else (FOUND_SCALES, NARROW)
            scene = draw(scene_number, folder, False, CLOSE_SIDE, *kind, tips)
            more = cuts_as_found(scene, _detector().find(scene.image))
        elif part.startswith("close"):
            scene = draw(scene_number, folder, False, CLOSE_SIDE, CLOSE_SCALES, CLOSE_NARROW)
            more = cuts_of(random.Random(f"cuts {scene_number}"), scene)
        else:
            scene = draw(scene_number, folder, part == "held-out")
            _keep(scene, out / part, f"{scene_number:08d}")
            more = cuts_of(random.Random(f"cuts {scene_number}"), scene)
        cuts += more
        scenes_of += [scene_number] * len(more)
    temporary = done.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez(
            file,
            cuts=np.stack([c.cut for c in cuts]),
            around=np.stack([c.around for c in cuts]),
            rank=np.array([c.rank for c in cuts], np.int8),
            suit=np.array([c.suit for c in cuts], np.int8),
            joker=np.array([c.joker for c in cuts], np.int8),
            height=np.array([c.height for c in cuts], np.float32),
            suit_seen=np.array([c.suit_seen for c in cuts], np.float32),
            scene=np.array(scenes_of, np.int32),  # cuts of one scene are of one deck
        )
    temporary.rename(done)


def _keep(scene: Scene, folder: Path, name: str) -> None:
    (folder / "labels" / f"{name}.txt").write_text("\n".join(label_lines(scene)) + "\n")
    picture = str(folder / "images" / f"{name}.jpg")
    cv2.imwrite(picture, scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="textures made by datasets.decks.build")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--batches", type=int, default=80)
    parser.add_argument("--scenes", type=int, default=BATCH, help="fewer scenes a batch, for a quick try")
    parser.add_argument("--part", default="train", choices=list(PARTS))
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    for name in ("images", "labels", "cuts"):
        (args.out / args.part / name).mkdir(parents=True, exist_ok=True)
    job = functools.partial(_batch, out=args.out, folder=args.store, part=args.part, scenes=args.scenes)
    cv2.setNumThreads(1)
    with multiprocessing.Pool(args.workers, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        numbers = range(args.first, args.first + args.batches)
        for _ in tqdm(pool.imap_unordered(job, numbers), total=args.batches):
            pass
    print(write_yaml(args.out))


if __name__ == "__main__":
    main()
