"""Labels: the ways to a state, as far as they differ in what may still follow.

Two ways to one state are worth the same when they drew the same kinds, and one that drew fewer of each is
worth no less.  How many cards of each kind were drawn is packed into one number, four bits a kind; those of
the kinds that aren't counted are one sum in its highest byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.tops import KINDS, TOPS

BACK: Final = 8
"""How many labels before it a label is compared with; one that is not seen to be worse is only more work."""
LEFTS: Final = 4
"""One more than the most faults left."""
ALL_KINDS: Final = (1 << KINDS) - 1

OTHER: Final = np.uint64(1 << 56)
"""One card of a kind that isn't counted, packed."""

_EVEN: Final = np.uint64(0x000F0F0F0F0F0F0F)
_GUARD: Final = np.uint64(0x0010101010101010)
_FOUR: Final = np.uint64(4)

Ints = NDArray[np.int64]
Packed = NDArray[np.uint64]
Costs = NDArray[np.int32]
"""What was drawn at the prices of each bound, (bounds, n)."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels in arrays of one length n.

    cell, top: the state; left: the faults left; used: the kinds drawn, packed; vain: mask of the kinds that
    could have been drawn besides, without any use; cost: what was drawn at the prices of each bound,
    (bounds, n); parent: number of the label before; column, kind, fault: the move that led here.
    """

    cell: Ints
    top: Ints
    left: Ints
    used: Packed
    vain: Ints
    cost: Costs
    parent: Ints
    column: Ints
    kind: Ints
    fault: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.cell)

    def take(self, where: Any) -> Labels:
        """Some of the labels, by mask or numbers."""
        return Labels(
            self.cell[where],
            self.top[where],
            self.left[where],
            self.used[where],
            self.vain[where],
            self.cost[:, where],
            self.parent[where],
            self.column[where],
            self.kind[where],
            self.fault[where],
        )

    @classmethod
    def joined(cls, parts: Sequence[Labels]) -> Labels:
        """All labels of the parts, in order."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.cell for part in parts]),
            np.concatenate([part.top for part in parts]),
            np.concatenate([part.left for part in parts]),
            np.concatenate([part.used for part in parts]),
            np.concatenate([part.vain for part in parts]),
            np.concatenate([part.cost for part in parts], axis=1),
            np.concatenate([part.parent for part in parts]),
            np.concatenate([part.column for part in parts]),
            np.concatenate([part.kind for part in parts]),
            np.concatenate([part.fault for part in parts]),
        )

    def best(self, *, exact: bool = False) -> Labels:
        """The labels without those that are no better than another one.

        exact: so many draws are wanted that a card drawn is no loss where others can't be drawn in vain.
        """
        if len(self) < 2:
            return self
        key = ((self.cell * TOPS + self.top) * LEFTS + self.left) << KINDS | self.vain
        # Who drew fewer of each kind has the smaller number, so the better ones come first, and of the sum
        # in the highest byte the order says all.
        order = np.lexsort((self.used, key))
        key, used = key[order], self.used[order]
        free = _spread(self.vain[order]) if exact and not (self.vain == ALL_KINDS).all() else None
        worse = np.zeros(len(self), np.bool_)
        for back in range(1, min(BACK, len(self) - 1) + 1):
            fewer, more = used[:-back], used[back:]
            found = (key[back:] == key[:-back]) & _at_most(fewer, more)
            if free is not None:
                # What was drawn for use must be the same where it can't be made up for in vain.
                found &= (fewer ^ more) & ~free[back:] == 0
            worse[back:] |= found
        return self.take(order[~worse])


def _at_most(fewer: Packed, more: Packed) -> NDArray[np.bool_]:
    """Where no counted kind was drawn more often in the first than in the second."""
    even = (((more & _EVEN) | _GUARD) - (fewer & _EVEN)) & _GUARD == _GUARD
    odd = ((((more >> _FOUR) & _EVEN) | _GUARD) - ((fewer >> _FOUR) & _EVEN)) & _GUARD == _GUARD
    both: NDArray[np.bool_] = even & odd
    return both


def drawn(used: Packed, kind: int) -> Ints:
    """How often a kind was drawn."""
    return (used >> np.uint64(4 * kind) & np.uint64(15)).astype(np.int64)


def unpacked(used: int) -> list[int]:
    """How often each kind was drawn, (KINDS,)."""
    return [used >> 4 * kind & 15 for kind in range(KINDS)]


def one(kind: int) -> np.uint64:
    """One card of a kind, packed."""
    return np.uint64(1 << 4 * kind)


def _spread(masks: Ints) -> Packed:
    """Masks of kinds as masks of packed numbers."""
    result = np.zeros(len(masks), np.uint64)
    for kind in range(KINDS):
        result |= np.where(masks >> kind & 1, np.uint64(15 << 4 * kind), np.uint64(0))
    return result
