"""The order of cards that were spread out: a pile fanned in a line, an arc, or several rows.

In a fan only one corner of most cards shows, so no card is whole and no columns are found.  What is left is
where the corners lie and which way they point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.vision.scan import ScannedCard
from companion.vision.types import UNREAD, Quad

FARTHEST: Final = 4.0
"""The farthest a card's neighbour in a row lies, in heights of an index."""
ASIDE: Final = 0.8
"""How far a neighbour may lie above or below, as a part of how far it lies to the side, with `SLACK` more."""
SLACK: Final = 0.5
"""In heights of an index."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class _Corners:
    """Middles (n, 2), directions to the right of the reader and upwards (n, 2), and the usual height."""

    middle: Points
    right: Points
    up: Points
    height: float

    @classmethod
    def of(cls, quads: Sequence[Quad]) -> _Corners:
        corners = np.array(quads, float)
        up = corners[:, 0] - corners[:, 3] + corners[:, 1] - corners[:, 2]
        length = np.linalg.norm(up, axis=1, keepdims=True)
        up = up / np.maximum(length, 1e-9)
        return cls(corners.mean(1), np.stack([-up[:, 1], up[:, 0]], 1), up, float(np.median(length)) / 2)


def fanned(cards: Sequence[ScannedCard]) -> list[ScannedCard]:
    """The cards of a fan from the first to the last, row after row.

    Left out are the far corners of cards that lie in full, and doubtful finds that are in line with no row.
    """
    found = [card for card in cards if card.index is not None]
    if not found:
        return []
    down = [card for card in cards if card.where == "column"]
    if 2 * len(down) > len(cards):
        # Spread towards the player it was read as columns.
        down.sort(key=lambda card: (card.column or 0, card.row or 0))
        return [*down, *(card for card in cards if card.where == "discard")]
    every = _Corners.of([card.index for card in found if card.index is not None])
    chains = _chains(every)
    longest = max(chains, key=len)
    up = every.up[longest].sum(0)
    rows = [chain for chain in chains if len(chain) > 2 or float(every.up[chain].sum(0) @ up) > 0]
    long_rows = [row for row in rows if len(row) > 2] or rows
    rows = [
        row for row in rows
        if row in long_rows or any(found[n].sure for n in row) or _in_line(every, row, long_rows)
    ]  # fmt: skip
    ends = {row[-1]: row for row in rows}
    upside_down = [n for chain in chains if chain not in rows for n in chain if every.up[n] @ up < 0]
    for n in upside_down:
        end = _end_before(every, n, list(ends))
        if end is None or any(found[n].card == found[m].card for row in rows for m in row):
            continue
        # The last card of a row shows its far corner too, and maybe only that one was read.
        if found[end].card == UNREAD:
            ends[end][-1] = n
        else:
            ends[end].append(n)
    rows.sort(key=lambda row: -float(np.mean(every.middle[row] @ up)))
    return [found[n] for row in rows for n in row]


def _in_line(corners: _Corners, row: list[int], others: list[list[int]]) -> bool:
    """Whether a row goes on where another one ends."""
    for other in others:
        if other is row:
            continue
        away = corners.middle[other] - corners.middle[row[0]]
        nearest = other[int(np.argmin(np.linalg.norm(away, axis=1)))]
        aside = (corners.middle[row[0]] - corners.middle[nearest]) @ corners.up[nearest]
        if abs(float(aside)) < 1.2 * corners.height:
            return True
    return False


def _end_before(corners: _Corners, n: int, ends: list[int]) -> int | None:
    """The last card of a row whose own far corner, or whose next card's, an upside-down index may be."""
    best, least = None, np.inf
    for end in ends:
        away = corners.middle[n] - corners.middle[end]
        right, down = float(away @ corners.right[end]), -float(away @ corners.up[end])
        inside = (
            -corners.height < right < 9 * corners.height and 0.5 * corners.height < down < 9 * corners.height
        )
        if inside and (distance := float(np.linalg.norm(away))) < least:
            best, least = end, distance
    return best


def _chains(corners: _Corners) -> list[list[int]]:
    """Chains of cards, each the other's nearest neighbour to the left and right."""
    count = len(corners.middle)
    after = _nearest(corners, 1)
    before = _nearest(corners, -1)
    linked = [after[n] is not None and before[after[n] or 0] == n for n in range(count)]
    starts = [n for n in range(count) if not any(linked[m] and after[m] == n for m in range(count))]
    rows = []
    for start in starts:
        row = [start]
        while linked[row[-1]] and (following := after[row[-1]]) is not None and following not in row:
            row.append(following)
        rows.append(row)
    return rows


def _nearest(corners: _Corners, side: int) -> list[int | None]:
    """For each card the nearest one to the right (side 1) or left (-1) that is turned like it."""
    result: list[int | None] = []
    for n in range(len(corners.middle)):
        away = corners.middle - corners.middle[n]
        along, aside = side * (away @ corners.right[n]), np.abs(away @ corners.up[n])
        near = (
            (along > 0.2 * corners.height)
            & (along < FARTHEST * corners.height)
            & (aside < ASIDE * along + SLACK * corners.height)
            & (corners.up @ corners.up[n] > 0.5)
        )
        distance = np.where(near, along + 2 * aside, np.inf)
        best = int(np.argmin(distance))
        result.append(best if np.isfinite(distance[best]) else None)
    return result


__all__ = ["fanned"]
