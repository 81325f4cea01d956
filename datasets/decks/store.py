"""Textures of all decks on disk, ready to be mapped into memory by many processes."""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path

import numpy as np
from PIL import Image

from datasets.decks.geometry import IndexGeometry, consensus
from datasets.decks.names import FACES, WIDTH

#: Sizes kept of every face, each half the one before.
LEVELS = 3
#: Decks of card art with the index in all four corners.
FOUR_CORNERS = frozenset({"dondorf"})


@dataclasses.dataclass(frozen=True)
class Deck:
    """One deck: ``levels[k]`` is uint8 ``(len(names), HEIGHT >> k, WIDTH >> k, 4)``, RGBA."""

    name: str
    names: tuple[str, ...]
    levels: tuple[np.ndarray, ...]
    index: dict[str, IndexGeometry]

    def face(self, name: str, width: float = WIDTH) -> np.ndarray:
        """The face's texture, not narrower than ``width`` pixels where there is one."""
        level = 0
        while level + 1 < len(self.levels) and (WIDTH >> (level + 1)) >= width:
            level += 1
        return self.levels[level][self.names.index(name)]

    @functools.cached_property
    def usual_index(self) -> IndexGeometry:
        """Where the deck's cards have their index, in the middle of all of them."""
        every = list(self.index.values())
        rank, suit = (np.median([getattr(g, part) for g in every], axis=0) for part in ("rank", "suit"))
        return IndexGeometry(tuple(rank.tolist()), tuple(suit.tolist()), every[0].corners)

    def __contains__(self, name: str) -> bool:
        return name in self.names


def save(
    folder: Path, name: str, faces: dict[str, Image.Image], index: dict[str, IndexGeometry] | None = None
) -> None:
    """Write one deck; without ``index`` it is measured."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [n for n in FACES if n in faces]
    arrays = {n: np.asarray(faces[n].convert("RGBA")) for n in names}
    if index is None:
        cards = {
            n: a for n, a in arrays.items() if (len(n) == 2 and n[0] != "J") or n in ("JS", "JH", "JD", "JC")
        }
        index = consensus(cards, 4 if name in FOUR_CORNERS else 2)
    stack = np.stack([arrays[n] for n in names])
    np.save(folder / f"{name}.npy", stack)
    for level in range(1, LEVELS):
        stack = _halved(stack)
        np.save(folder / f"{name}.level{level}.npy", stack)
    meta = {"names": names, "index": {n: dataclasses.asdict(g) for n, g in index.items()}}
    (folder / f"{name}.json").write_text(json.dumps(meta))


def load(folder: Path, name: str) -> Deck:
    """Map one deck into memory."""
    meta = json.loads((folder / f"{name}.json").read_text())
    index = {
        n: IndexGeometry(tuple(g["rank"]), tuple(g["suit"]), g["corners"]) for n, g in meta["index"].items()
    }
    files = [folder / f"{name}.npy", *(folder / f"{name}.level{k}.npy" for k in range(1, LEVELS))]
    return Deck(name, tuple(meta["names"]), tuple(np.load(f, mmap_mode="r") for f in files), index)


def stored(folder: Path) -> list[str]:
    """Names of the decks in ``folder``."""
    return sorted(p.stem for p in folder.glob("*.json"))


def _halved(stack: np.ndarray) -> np.ndarray:
    n, h, w, c = stack.shape
    blocks = stack[:, : h // 2 * 2, : w // 2 * 2].reshape(n, h // 2, 2, w // 2, 2, c)
    return blocks.mean((2, 4), dtype=np.float32).round().astype(np.uint8)
