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
Few = NDArray[np.int8]
"""Numbers of cards of one kind: never many, and so short they are soon reckoned with."""
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
        state = (self.cell * TOPS + self.top) * LEFTS + self.left
        return self.take(unlike(state, self.used, self.vain, exact=exact))


def unlike(state: Ints, used: Packed, vain: Ints, *, exact: bool) -> Ints:
    """The numbers of the labels that are not seen to be no better than another one of their state.

    exact: see `Labels.best`.
    """
    if len(state) < 2:
        return np.arange(len(state))
    key = state << KINDS | vain
    # Who drew fewer of each kind has the smaller number, so the better ones come first, and of the sum in
    # the highest byte the order says all.
    order = np.lexsort((used, key))
    key, used = key[order], used[order]
    free = _spread(vain[order]) if exact and not (vain == ALL_KINDS).all() else None
    worse = np.zeros(len(state), np.bool_)
    for back in range(1, min(BACK, len(state) - 1) + 1):
        same = np.flatnonzero(key[back:] == key[:-back])
        if not len(same):
            break
        fewer, more = used[same], used[same + back]
        found = _at_most(fewer, more)
        if free is not None:
            # What was drawn for use must be the same where it can't be made up for in vain.
            found &= (fewer ^ more) & ~free[same + back] == 0
        worse[same[found] + back] = True
    return order[~worse]


def _at_most(fewer: Packed, more: Packed) -> NDArray[np.bool_]:
    """Where no counted kind was drawn more often in the first than in the second."""
    even = (((more & _EVEN) | _GUARD) - (fewer & _EVEN)) & _GUARD == _GUARD
    odd = ((((more >> _FOUR) & _EVEN) | _GUARD) - ((fewer >> _FOUR) & _EVEN)) & _GUARD == _GUARD
    both: NDArray[np.bool_] = even & odd
    return both


def drawn(used: Packed, kind: int | Ints) -> Ints:
    """How often a kind was drawn; of several kinds in a column, (kinds, 1), each by each label."""
    shift = np.uint64(4 * kind) if isinstance(kind, int) else (4 * kind).astype(np.uint64)
    return (used >> shift & np.uint64(15)).astype(np.int64)


def counted(packed: Packed) -> list[Few]:
    """How many cards of each kind packed numbers count: KINDS arrays."""
    pairs = np.ascontiguousarray(packed.astype("<u8").view(np.int8).reshape(-1, 8).T[: KINDS // 2])
    halves = pairs & np.int8(15), pairs >> np.int8(4) & np.int8(15)
    return [halves[kind % 2][kind // 2] for kind in range(KINDS)]


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
