"""Names for all cards of a table at once: every card exists once, so a name that one card has is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .assignment import cheapest, marginals
from .marks import ALL_NAMES, JOKER
from .types import JOKERS, UNREAD, FloatArray

SURE = 0.98
"""Least confidence of a card called sure."""
_NOTHING = 0.0005
"""How often a card has none of the names: a false find, or one that is read wholly wrong."""
_SECOND = 0.75
"""Weight of further indices of a card: they share its light and its focus with the first."""
_LEAST_NAME, _LEAST_RANK = 0.35, 0.6
"""Below both of them a card is unread."""
_OWN = 0.97
"""Least probability by the clearest of its own indices, alone, of a card called sure.

Two blurred ones that agree are blurred alike."""
_LEAST_WORTH, _ALTERNATIVES = 0.001, 4


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a card ("??" when unread), how probable it and its rank are, and the next names."""

    card: str
    confidence: float
    rank_confidence: float
    sure: bool
    alternatives: tuple[tuple[str, float], ...] = ()


def name_cards(
    cards: Sequence[FloatArray | None],
    *,
    real: Sequence[float] | None = None,
    decks: int = 1,
    jokers: int = len(JOKERS),
    sure: float = SURE,
) -> list[Name]:
    """A name for each card; `cards` holds (M, 53) probabilities of its M indices, None when it has none.

    `real` says of each how surely it is a card at all.  A name is given at most `decks` times, and a joker's
    at most `jokers` times.
    """
    if decks not in (1, 2):
        raise ValueError(f"a table has one or two decks: {decks!r}")
    seen = [k for k, names in enumerate(cards) if names is not None]
    result = [Name(UNREAD, 0.0, 0.0, False)] * len(cards)
    if not seen:
        return result
    if not 0 <= jokers <= len(JOKERS):
        raise ValueError(f"a table has no, one or two jokers: {jokers!r}")
    own = [names if jokers else _without_joker(names) for names in cards if names is not None]
    likelihood = np.array([_combine(names) for names in own])
    nothing = np.full(len(seen), _NOTHING)
    if real is not None:
        nothing = np.maximum(nothing, 1 - np.array([real[k] for k in seen]))
    capacity = np.full(len(ALL_NAMES), decks)
    capacity[JOKER] = max(1, jokers)  # none has the name where there are none
    belief = marginals(likelihood, nothing, capacity)
    chosen = _best(likelihood, nothing, capacity)
    called = iter(JOKERS)
    for row, k in enumerate(seen):
        name = _name(belief[row], int(chosen[row]), sure, called)
        # what only follows from the other cards' names is never sure
        clearest = float(own[row][:, chosen[row]].max()) if chosen[row] >= 0 else 0.0
        result[k] = replace(name, sure=name.sure and clearest >= _OWN)
    return result


def _best(likelihood: FloatArray, nothing: FloatArray, capacity: NDArray[np.int_]) -> NDArray[np.int_]:
    """For each card its column in the most probable whole assignment, -1 for a card without a name."""
    column_of = np.repeat(np.arange(likelihood.shape[1]), capacity)
    unnamed = np.tile(nothing[:, None], (1, len(likelihood)))
    costs = -np.log(np.maximum(np.hstack([likelihood[:, column_of], unnamed]), 1e-12))
    return np.append(column_of, np.full(len(likelihood), -1))[cheapest(costs)]


def _without_joker(names: FloatArray) -> FloatArray:
    """What is left of the others where the deck has no jokers."""
    others = names.copy()
    others[:, JOKER] = 0.0
    rest: FloatArray = others / np.maximum(others.sum(1, keepdims=True), 1e-12)
    return rest


def _combine(names: FloatArray) -> FloatArray:
    """(53,) probabilities of one card from those of its indices, (M, 53)."""
    logs = np.log(np.maximum(names, 1e-12))
    # the clearest reading first, the others count less
    order = np.argsort(-logs.max(1))
    total = logs[order[0]] + _SECOND * logs[order[1:]].sum(0)
    weights = np.exp(total - total.max())
    combined: FloatArray = weights / weights.sum()
    return combined


def _name(belief: FloatArray, chosen: int, sure: float, jokers: Iterator[str]) -> Name:
    ranks = belief[:JOKER].reshape(13, 4).sum(1)
    order = [int(name) for name in np.argsort(-belief) if belief[name] >= _LEAST_WORTH]
    others = tuple((_called(name), round(float(belief[name]), 4)) for name in order if name != chosen)
    if chosen < 0:
        return Name(UNREAD, 0.0, float(ranks.max()), False, others[:_ALTERNATIVES])
    confidence = float(belief[chosen])
    rank = confidence if chosen == JOKER else float(ranks[chosen // 4])
    if confidence < _LEAST_NAME and rank < _LEAST_RANK:
        first = (_called(chosen), round(confidence, 4))
        return Name(UNREAD, 0.0, rank, False, (first, *others)[:_ALTERNATIVES])
    card = next(jokers) if chosen == JOKER else ALL_NAMES[chosen]
    return Name(card, confidence, rank, confidence >= sure, others[:_ALTERNATIVES])


def _called(name: int) -> str:
    return JOKERS[0] if name == JOKER else ALL_NAMES[name]
