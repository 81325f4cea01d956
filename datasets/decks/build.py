"""Builds the texture store: ``python -m datasets.decks.build STORE [--drawn N]``."""

from __future__ import annotations

import argparse
import functools
import multiprocessing
from pathlib import Path

from PIL import Image
from tqdm import tqdm

from datasets.decks import store
from datasets.decks.art import art_decks, render_faces
from datasets.decks.drawn import draw_deck
from datasets.decks.names import HEIGHT, SUITS, WIDTH, is_drawn, is_held_out


@functools.cache
def court_figures(folder: Path) -> dict[str, list[Image.Image]]:
    """The middles of court cards, by suit, of the decks that may be trained on; empty without any."""
    figures: dict[str, list[Image.Image]] = {}
    for name in store.stored(folder):
        if is_held_out(name) or is_drawn(name) or name == "simplistic":  # its figures are letters
            continue
        deck = store.load(folder, name)
        for card in (rank + suit for suit in SUITS for rank in "JQK"):
            face = Image.fromarray(deck.face(card)).convert("RGB")
            middle = (round(0.2 * WIDTH), round(0.1 * HEIGHT), round(0.8 * WIDTH), round(0.9 * HEIGHT))
            figures.setdefault(card[1], []).append(face.crop(middle))
    return figures


def _draw(seed: int, folder: Path, mixed: bool) -> None:
    faces, index = draw_deck(seed, court_figures(folder), mixed)
    store.save(folder, _name(seed, mixed), faces, index)


def _name(seed: int, mixed: bool) -> str:
    return f"{'mixed' if mixed else 'drawn'}-{seed:04d}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("--drawn", type=int, default=120, help="how many decks to draw from fonts")
    parser.add_argument("--first", type=int, default=0, help="number of the first drawn deck")
    parser.add_argument("--mixed", action="store_true", help="another print on each card of a deck")
    parser.add_argument("--art", type=int, help="how many decks of card art, for a quick try (all)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    have = set(store.stored(args.store))
    for name in tqdm([n for n in art_decks()[: args.art] if n not in have], desc="card art"):
        store.save(args.store, name, render_faces(name))
    seeds = range(args.first, args.first + args.drawn)
    wanted = [seed for seed in seeds if _name(seed, args.mixed) not in have]
    job = functools.partial(_draw, folder=args.store, mixed=args.mixed)
    with multiprocessing.Pool(args.workers) as pool:
        for _ in tqdm(pool.imap_unordered(job, wanted), total=len(wanted), desc="drawn decks"):
            pass


if __name__ == "__main__":
    main()
