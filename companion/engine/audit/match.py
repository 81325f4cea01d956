"""How many cards find no card to lie on, going by ranks: so many draws or wrong moves it takes at least.

Every card that leaves a column lies on another one, and on each card lies at most one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.engine.audit.labels import Few, Ints


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
    """The same where no ace lies on a king: each rank takes first what is of no use to the next one."""
    left: Few = np.zeros(len(room[0]), np.int8)
    carry = left
    for rank in (*range(0, 13, 2), *range(1, 13, 2)):
        rest = need[rank]
        if rank and follow[rank] >> (rank - 1) & 1:
            rest = rest - np.minimum(rest, carry)
        above = (rank + 1) % 13
        carry = room[above]
        if follow[rank] >> above & 1:
            used = np.minimum(rest, carry)
            rest, carry = rest - used, carry - used
        left = left + rest
    return left


_RANKS: Final = (1 << 13) - 1
_SIGNS: Final = [[-1 if (i - t) % 13 % 2 else 1 for t in range(13)] for i in range(13)]
"""What one more end at rank t adds to twice the passages between ranks i and i + 1."""
_PLUS: Final = [sum(1 << t for t in range(13) if row[t] > 0) for row in _SIGNS]
"""For each pair of neighbours the tops at which one more end is one more."""


def ends_on_ring(counts: list[Few], other: int, *, gone: bool) -> Ints:
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
    mask = np.full(len(counts[0]), _RANKS, np.int64)
    for i in range(13):
        twice = 2 * degrees[i] - twice
        # The end at the top makes odd numbers even: -1 may become 0.
        allowed = _RANKS & ~_PLUS[i] if gone else _PLUS[i]
        mask &= np.where(twice >= 1, _RANKS, np.where(twice == -1, allowed, 0))
    return mask


__all__ = ["ends_on_ring", "unmet"]
