"""Tables for the engine's tests: seeded deals, reference deals, small tables of every variant."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from companion.game import Card, Position, Rules, full_deck

SAMPLE = Path(__file__).with_name("deals.json")

#: Rules on one deck of 52 cards and jokers, without further changes.
PLAIN = (
    "strict",
    "queen-on-king",
    "queen-only",
    "putt-putt",
    "free-start",
    "jokers",
    "jokers,joker=any",
)
VARIANTS = (
    *PLAIN,
    "jokers,wrap=yes",
    "jokers,on_king=queen_only",
    "jokers,start=free",  # a small table has cards on its discard, so only the full deals start free
)
VARIANTS += tuple(f"{name},draw=when_stuck" for name in VARIANTS)


def deal(rules: str | Rules, seed: int) -> Position:
    """A shuffled deal with a known stock."""
    wanted = Rules.parse(rules) if isinstance(rules, str) else rules
    cards = list(full_deck(wanted))
    random.Random(seed).shuffle(cards)
    return Position.deal(wanted, cards)


def references(path: Path, kind: str) -> Iterator[tuple[Position, int]]:
    """The deals of a reference file under one of its rule sets, with the best score of each.

    Its `free_first_card` isn't a rule set of the game: see `test_solver`.
    """
    name = kind.removesuffix("_when_stuck")
    rules = {
        "strict": Rules(),
        "queen_on_king": Rules(on_king="queen"),
        "queen_only": Rules(on_king="queen_only"),
        "wrap": Rules(wrap=True),
        "free_start": Rules(start="free"),
    }[name]
    if kind.endswith("_when_stuck"):
        rules = replace(rules, draw="when_stuck")
    for entry in json.loads(path.read_text(encoding="utf-8"))["deals"]:
        if kind not in entry["best_score"]:
            continue
        columns = tuple(tuple(map(Card.parse, column)) for column in entry["columns"])
        stock = tuple(map(Card.parse, entry["stock"]))
        opener = (Card.parse(entry["open"]),)
        if name == "free_start":
            yield Position(rules, columns, (), opener + stock), entry["best_score"][kind]
        else:
            yield Position(rules, columns, opener, stock), entry["best_score"][kind]


def small(rules: str, seed: int, *, buried: int = 0, size: int = 4) -> Position:
    """A small table in mid-game, stock known: 2 to `size` columns of up to `size` cards, a stock of as many.

    buried: unseen cards that lie in the discard, not in the stock.
    """
    source = random.Random(f"{rules} {seed}")
    wanted = Rules.parse(rules)
    # Few ranks make many plays.
    ranks = source.sample(range(1, 14), 13) if source.random() < 0.3 else sorted(range(1, 14))
    low = source.randrange(0, 7)
    near = set(ranks[low : low + 7])
    cards = sorted(
        full_deck(wanted), key=lambda card: (card.rank not in near and card.rank != 0, source.random())
    )
    columns = []
    for _ in range(source.randint(2, size)):
        height = source.randint(0, size)
        columns.append(tuple(cards[:height]))
        del cards[:height]
    stock = tuple(cards[: source.randint(0, size)])
    del cards[: len(stock)]
    del cards[:buried]
    if not any(columns):
        columns[0] = (cards.pop(0),)
    top = cards.pop(0)
    return Position(wanted, tuple(columns), (*cards, top), stock)
