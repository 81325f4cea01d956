"""How many cards find no card to lie on, going by ranks: so many draws or wrong moves it takes at least.

Every card that leaves a column lies on another one, and on each card lies at most one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.engine.audit.groups import Masks
from companion.engine.audit.labels import Few

_RANKS: Final = (1 << 13) - 1


def unmet(follow: Sequence[int], need: list[Few], room: list[Few]) -> Few:
    """So many cards find no card to lie on, where as many as possible do.

    follow: mask of the tops that each rank may be put on; need, room: by rank, arrays of one length, the
    cards to be laid and those to lay them on.
    """
    best = _no_ace_on_king(follow, need, room)
    if follow[0] >> 12 & 1:
        most = np.minimum(need[0], room[12])
        for across in range(1, int(most.max(initial=0)) + 1):
            # So many aces lie on kings.
            some = np.minimum(most, across)
            fewer = [need[0] - some, *need[1:]]
            rest = [*room[:12], room[12] - some]
            best = np.minimum(best, _no_ace_on_king(follow, fewer, rest))
    return best


def _no_ace_on_king(follow: Sequence[int], need: list[Few], room: list[Few]) -> Few:
    """The same where no ace lies on a king."""
    left, _ = _by_rank(follow, need, room)
    return sum(left, np.zeros(len(room[0]), np.int8))


def unmet_ranks(follow: Sequence[int], need: list[Few], room: list[Few]) -> tuple[Few, Masks]:
    """The same, and the mask of the ranks of which a card may be one of those: of all others each lies on
    another card, if as many as possible do."""
    if follow[0] >> 12 & 1:
        return unmet(follow, need, room), np.full(len(room[0]), _RANKS, np.uint16)
    left, above = _by_rank(follow, need, room)
    mask: Masks = np.zeros(len(room[0]), np.uint16)
    for of_rank in (range(12, -1, -2), range(11, -1, -2)):
        some = np.zeros(len(room[0]), np.bool_)
        for rank in of_rank:
            # A card may leave the one it lies on to the next rank, if that lacks one.
            some = (left[rank] > 0) | some & (above[rank] > 0)
            mask |= some.astype(np.uint16) << rank
    return sum(left, np.zeros(len(room[0]), np.int8)), mask


def _by_rank(follow: Sequence[int], need: list[Few], room: list[Few]) -> tuple[list[Few], list[Few]]:
    """For each rank how many cards find none to lie on, and how many lie on a card of the rank above.

    Each rank takes first what is of no use to the next one.
    """
    none: Few = np.zeros(len(room[0]), np.int8)
    left, on_next, carry = [none] * 13, [none] * 13, none
    for rank in (*range(0, 13, 2), *range(1, 13, 2)):
        rest = need[rank]
        if rank and follow[rank] >> (rank - 1) & 1:
            rest = rest - np.minimum(rest, carry)
        above = (rank + 1) % 13
        carry = room[above]
        if follow[rank] >> above & 1:
            on_next[rank] = used = np.minimum(rest, carry)
            rest, carry = rest - used, carry - used
        left[rank] = rest
    return left, on_next


def lone_ranks(follow: Sequence[int], need: Sequence[int], room: Sequence[int]) -> Masks:
    """By mask of the ranks that are left: those of which no card can lie on another one, nor under one.

    need, room: by rank, cards of the last moves, and those to lay them on.
    """
    masks = np.arange(1 << 13)
    under = masks | sum(1 << rank for rank in range(13) if room[rank])
    over = masks | sum(1 << rank for rank in range(13) if need[rank])
    alone = np.zeros_like(masks)
    for rank in range(13):
        followers = sum(1 << other for other in range(13) if follow[other] >> rank & 1)
        alone |= ((under & follow[rank] == 0) & (over & followers == 0)).astype(np.int64) << rank
    return alone.astype(np.uint16)


_SIGNS: Final = [[-1 if (i - t) % 13 % 2 else 1 for t in range(13)] for i in range(13)]
"""What one more end at rank t adds to twice the passages between ranks i and i + 1."""
_PLUS: Final = [sum(1 << t for t in range(13) if row[t] > 0) for row in _SIGNS]
"""For each pair of neighbours the tops at which one more end is one more."""


def ends_on_ring(counts: list[Few], other: int, *, gone: bool) -> Masks:
    """Mask of the tops that may be at one end of a walk over all the cards, where none may be left unmet.

    Where ranks go round from king to ace, the cards form one walk on a ring of 13 ranks, and how often it
    goes between two neighbours follows from how many cards there are of each rank and from its ends.

    counts: cards of each rank; other: the rank at the other end.  gone: the top is the last of the cards
    itself and `other` lies before them; else the other way round.
    """
    sign = 1 if gone else -1
    degrees = [2 * count.astype(np.int64) for count in counts[:13]]
    degrees[other] = degrees[other] + sign
    twice = sum((degree * sign_of for degree, sign_of in zip(degrees, _SIGNS[12], strict=True)), np.int64(0))
    mask = np.full(len(counts[0]), _RANKS, np.uint16)
    for i in range(13):
        twice = 2 * degrees[i] - twice
        # The end at the top makes odd numbers even: -1 may become 0.
        allowed = _RANKS & ~_PLUS[i] if gone else _PLUS[i]
        mask &= np.where(twice >= 1, _RANKS, np.where(twice == -1, allowed, 0)).astype(np.uint16)
    return mask


__all__ = ["ends_on_ring", "lone_ranks", "unmet", "unmet_ranks"]
