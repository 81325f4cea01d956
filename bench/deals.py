"""Seeded deals for the bench programs."""

from __future__ import annotations

import random

from companion.game import Position, Rules, full_deck


def deal(rules: Rules, seed: int) -> Position:
    """The deal of a seed: the sorted deck, shuffled by `random.Random(seed)`, dealt in rows."""
    cards = list(full_deck(rules))
    random.Random(seed).shuffle(cards)
    return Position.deal(rules, cards)
