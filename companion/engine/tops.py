"""What can lie on top of the discard, as the engine numbers it, and what may follow what.

A *top* is a number from 0 to 15: 0 to 12 for the ranks ace to king, `DEAD_QUEEN` for a queen that lies on
a king and that nothing may follow (`queen_only`), `WILD` for a joker that any card may follow, `NONE` for
a discard that is still empty.  A *kind* is what a card is to play: 0 to 12 for its rank, `JOKER`.  Suits
never matter.  Sets of tops are 16-bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.game import Rules

TOPS: Final = 16
DEAD_QUEEN: Final = 13
WILD: Final = 14
NONE: Final = 15

JOKER: Final = 13
KINDS: Final = 14
BLANK: Final = 14
"""The kind of a card that isn't there: nothing can be done with it.  Pads tables."""

QUEEN: Final = 11
_KING: Final = 12


@dataclass(frozen=True, slots=True)
class Edge:
    """One way to play a card: from any top of the mask `sources` to the top `result`."""

    sources: int
    result: int


@dataclass(frozen=True, slots=True)
class Steps:
    """How the rules let tops change.

    plays[kind]: the ways to play a card of that kind, one for each top it can become.
    draws[kind]: the tops a drawn card of that kind can become; the player names a declared joker.
    follow[kind]: mask of the tops a card of that kind may be played on.
    """

    plays: tuple[tuple[Edge, ...], ...]
    draws: tuple[tuple[int, ...], ...]
    follow: tuple[int, ...]


@lru_cache(maxsize=64)
def steps(rules: Rules) -> Steps:
    """The steps of some rules."""
    plays = [_rank_plays(rules, kind) for kind in range(13)]
    ranks = tuple(range(13))
    if rules.joker == "any":
        plays.append((Edge((1 << TOPS) - 1, WILD),))
        joker_draws: tuple[int, ...] = (WILD,)
    else:
        # Named a rank, a joker is that rank: whatever the rank may be played on, so may the joker.
        plays.append(tuple(edge for rank in ranks for edge in plays[rank]))
        joker_draws = ranks
    plays.append(())
    follow = tuple(_union(edge.sources for edge in edges) for edges in plays)
    return Steps(tuple(plays), (*((rank,) for rank in ranks), joker_draws, ()), follow)


def _rank_plays(rules: Rules, kind: int) -> tuple[Edge, ...]:
    sources = 1 << NONE | 1 << WILD
    for top in range(13):
        if rules.follows(top + 1, kind + 1):
            sources |= 1 << top
    if kind == QUEEN and rules.on_king == "queen_only":
        king = 1 << _KING
        return Edge(sources & ~king, QUEEN), Edge(king, DEAD_QUEEN)
    return (Edge(sources, kind),)


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result
