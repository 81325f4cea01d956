"""Names for all cards of a table at once: every card exists once, so a name that one card has is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .assignment import cheapest, marginals
from .marks import ALL_NAMES
from .types import JOKERS, NAMES, UNREAD, FloatArray

SURE = 0.99
"""Least confidence of a card called sure."""
_NOTHING = 0.0005
"""How often a card has none of the names: a false find, or one that is read wholly wrong."""
_SECOND = 0.75
"""Weight of further indices of a card: they share its light and its focus with the first."""
_LEAST_NAME, _LEAST_RANK = 0.35, 0.6
"""Below both of them a card is unread."""


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a card ("??" when unread), how probable it and its rank are, and the next names."""

    card: str
    confidence: float
    rank_confidence: float
    sure: bool
    alternatives: tuple[tuple[str, float], ...] = ()


def name_cards(
    cards: Sequence[FloatArray | None], *, real: Sequence[float] | None = None, decks: int = 1, sure: float = SURE
) -> list[Name]:
    """A name for each card; `cards` holds (M, 54) probabilities of its M indices, None when it has none.

    `real` says of each how surely it is a card at all.  A name is given at most `decks` times.
    """
    if decks not in (1, 2):
        raise ValueError(f"a table has one or two decks: {decks!r}")
    seen = [k for k, names in enumerate(cards) if names is not None]
    result = [Name(UNREAD, 0.0, 0.0, False)] * len(cards)
    if not seen:
        return result
    likelihood = np.array([_combine(names) for names in cards if names is not None])
    nothing = np.full(len(seen), _NOTHING)
    if real is not None:
        nothing = np.maximum(nothing, 1 - np.array([real[k] for k in seen]))
    copies = np.tile(likelihood, (1, decks))
    belief = marginals(copies, nothing)
    # the best whole assignment, in which a card may also stay without a name
    costs = -np.log(np.maximum(np.hstack([copies, np.tile(nothing[:, None], (1, len(seen)))]), 1e-12))
    chosen = cheapest(costs)
    belief = belief.reshape(len(seen), decks, -1).sum(1)
    for row, k in enumerate(seen):
        column = int(chosen[row])
        named = column < copies.shape[1]
        result[k] = _name(belief[row], column % len(ALL_NAMES) if named else None, sure)
    return result


def _combine(names: FloatArray) -> FloatArray:
    """(54,) probabilities of one card from those of its indices, (M, 54)."""
    logs = np.log(np.maximum(names, 1e-12))
    # the clearest reading first, the others count less
    order = np.argsort(-logs.max(1))
    total = logs[order[0]] + _SECOND * logs[order[1:]].sum(0)
    weights = np.exp(total - total.max())
    combined: FloatArray = weights / weights.sum()
    return combined


def _name(belief: FloatArray, chosen: int | None, sure: float) -> Name:
    ranks = belief[: len(NAMES)].reshape(13, 4).sum(1)
    joker = float(belief[len(NAMES) :].sum())

    def chance(name: int) -> float:
        return joker if ALL_NAMES[name] in JOKERS else float(belief[name])

    order = [int(name) for name in np.argsort(-belief)]
    # both jokers look alike: one of them is enough among the alternatives
    order = [name for name in order if ALL_NAMES[name] not in JOKERS or name == chosen or ALL_NAMES[name] == JOKERS[0]]
    others = tuple((ALL_NAMES[name], round(chance(name), 4)) for name in order if name != chosen and chance(name) >= 0.001)
    if chosen is None:
        return Name(UNREAD, 0.0, float(ranks.max()), False, others[:4])
    confidence = chance(chosen)
    rank = joker if ALL_NAMES[chosen] in JOKERS else float(ranks[chosen // 4])
    if confidence < _LEAST_NAME and rank < _LEAST_RANK:
        return Name(UNREAD, 0.0, rank, False, ((ALL_NAMES[chosen], round(confidence, 4)), *others)[:4])
    if ALL_NAMES[chosen] in JOKERS:
        others = tuple(other for other in others if other[0] not in JOKERS)
    return Name(ALL_NAMES[chosen], confidence, rank, confidence >= sure, others[:3])
