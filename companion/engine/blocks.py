"""Hands in blocks, for the exact expectation in numpy; see `companion.engine.expect`.

Numpy is quick where it meets many numbers side by side.  So hands come in *blocks*: those that differ only
by the *near* kinds, a row of values, with a *lane* for each combination of these.  A draw of a near kind
leads from lane to lane, a draw of any other, *far*, kind from row to row.  Near kinds are those that matter
least to where play can lead, so that mostly all hands of a block are reached, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.drawn import Drawn, Floats, Integers
from companion.engine.reached import Layer, bits

_LANES: Final = 12
"""At most; more leave more hands that aren't reached."""
_SAMPLE: Final = 256
"""Height vectors that the near kinds are chosen by."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Hands in blocks, those with fewest far cards first.

    near, far: places of the kinds in `Drawn.kinds`.
    hand: of each block and lane, `Drawn.hands` where there is none, shape (blocks, lanes).
    after: the block after a draw of each far kind, `blocks` where there is none, shape (far, blocks).
    weight: how often such a draw counts, shape (far, blocks).
    starts: first block with each number of far cards, and the end.
    steps: (lane, near kind, lane after it, how often it counts), the last lane first.
    last: whether the stock is used up, shape (blocks, lanes).
    """

    near: tuple[int, ...]
    far: tuple[int, ...]
    hand: Integers
    after: Integers
    weight: Floats
    starts: Integers
    steps: tuple[tuple[int, int, int, float], ...]
    last: NDArray[np.bool_]


def in_blocks(drawn: Drawn, near: tuple[int, ...], left: int) -> Blocks:
    """The hands of `drawn` in blocks.  left: cards in the stock."""
    far = tuple(q for q in range(len(drawn.kinds)) if q not in near)
    radix = [int(drawn.copies[q]) + 1 for q in near]
    strides = [prod(radix[:j]) for j in range(len(near))]
    lane = drawn.counts[:, near] @ np.array(strides, np.int64)
    cards = drawn.counts[:, far].sum(axis=1)
    wide = [prod(int(drawn.copies[q]) + 1 for q in far[:j]) for j in range(len(far))]
    most = prod(int(drawn.copies[q]) + 1 for q in far)
    key = cards * most + drawn.counts[:, far] @ np.array(wide, np.int64)
    keys, block = np.unique(key, return_inverse=True)
    hand = np.full((len(keys), prod(radix)), drawn.hands)
    hand[block, lane] = np.arange(drawn.hands)
    after = drawn.after[hand[:, 0]][:, far].T
    steps = [
        (at, j, at + strides[j], 1.0 if drawn.whole else float(radix[j] - 1 - at // strides[j] % radix[j]))
        for at in reversed(range(hand.shape[1]))
        for j in range(len(near))
        if at // strides[j] % radix[j] < radix[j] - 1
    ]
    return Blocks(
        near,
        far,
        hand,
        np.where(after >= 0, block[after], len(keys)),
        np.ascontiguousarray(drawn.weight[hand[:, 0]][:, far].T),
        np.searchsorted(cards[hand[:, 0]], np.arange(left + 2)),
        tuple(steps),
        np.append(drawn.stage == left, False)[hand],
    )


def near_kinds(drawn: Drawn, layers: Sequence[Layer]) -> tuple[int, ...]:
    """The kinds of which it matters least whether they are drawn: mostly the hand without is reached, too."""
    ends = np.cumsum(np.concatenate([layer.counts for layer in layers]))
    rows = np.unique(np.searchsorted(ends, np.linspace(0, ends[-1], _SAMPLE, endpoint=False), side="right"))
    sets = np.concatenate([layer.sets for layer in layers])[rows]
    reached = bits(sets, drawn.hands)
    matters = []
    for q in range(len(drawn.kinds)):
        some = np.flatnonzero(drawn.after[:, q] >= 0)
        there = reached[:, drawn.after[some, q]]
        without = (there & reached[:, some]).sum()
        matters.append((1 - without / max(int(there.sum()), 1), q))
    near: list[int] = []
    for _, q in sorted(matters):
        if prod(int(drawn.copies[p]) + 1 for p in [*near, q]) <= _LANES:
            near.append(q)
    return tuple(near)
