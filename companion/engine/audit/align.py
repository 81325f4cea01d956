"""Which column of one table is which of the table before, and what each of them lost and gained.

Cards leave a column from its exposed end.  What else happened to a column is against the rules: a card
gone from below others, a card put on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.engine.audit.tables import Seen, Table

MOST: Final = 64
"""The most ways looked at to lay one table's columns beside the other's, where several are as likely."""


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one column.

    before: its number in the table before; after: its number now, None where it is gone or was left out
    as empty.  kept: what stayed; gone: what left from the exposed end, the buried card first; inner: what
    left from below a card that stayed; added: what was put on it.
    """

    before: int
    after: int | None
    kept: tuple[Seen, ...]
    gone: tuple[Seen, ...]
    inner: tuple[Seen, ...] = ()
    added: tuple[Seen, ...] = ()

    @property
    def faults(self) -> int:
        return len(self.inner) + len(self.added)


@dataclass(frozen=True, slots=True)
class Alignment:
    """What happened to all columns; extra: cards that lie in columns the table before didn't have."""

    changes: tuple[Change, ...]
    extra: tuple[tuple[int, tuple[Seen, ...]], ...] = ()

    @property
    def faults(self) -> int:
        return sum(change.faults for change in self.changes) + sum(len(cards) for _, cards in self.extra)


def compare(before: int, old: tuple[Seen, ...], after: int | None, new: tuple[Seen, ...]) -> Change:
    """What happened to a column: as many cards as possible stayed."""
    best: Change | None = None
    for stayed in range(len(new), -1, -1):
        spots = _places(old, new[:stayed])
        if spots is None:
            continue
        last = spots[-1] if spots else -1
        inner = tuple(card for row, card in enumerate(old[: last + 1]) if row not in spots)
        kept = tuple(old[row].merged(card) for row, card in zip(spots, new, strict=False))
        change = Change(before, after, kept, old[last + 1 :], inner, new[stayed:])
        if best is None or change.faults < best.faults:
            best = change
    assert best is not None
    return best


def alignments(old: Table, new: Table) -> tuple[list[Alignment], bool]:
    """The ways of fewest faults to lay two tables' columns beside each other, and whether those are all."""
    found: dict[tuple[int | None, ...], Alignment] = {}
    for assignment in _assignments(old, new):
        if assignment not in found:
            found[assignment] = _align(old, new, assignment)
        if len(found) >= MOST:
            break
    least = min(alignment.faults for alignment in found.values())
    return [alignment for alignment in found.values() if alignment.faults == least], len(found) < MOST


def _align(old: Table, new: Table, assignment: tuple[int | None, ...]) -> Alignment:
    changes = tuple(
        compare(before, old.columns[before], after, new.columns[after] if after is not None else ())
        for before, after in enumerate(assignment)
    )
    used = set(assignment)
    extra = tuple((n, cards) for n, cards in enumerate(new.columns) if n not in used and cards)
    return Alignment(changes, extra)


def _assignments(old: Table, new: Table) -> Iterator[tuple[int | None, ...]]:
    """For each column of the table before a column of the new one: in place, in order, then by first card."""
    if len(old.columns) == len(new.columns):
        yield tuple(range(len(new.columns)))
        if _align(old, new, tuple(range(len(new.columns)))).faults == 0:
            return
    yield from _in_order(old, new)
    yield _by_first_card(old, new)
    turned = _in_any_order(old, new)
    if turned is not None:
        yield turned


def _in_order(old: Table, new: Table) -> Iterator[tuple[int | None, ...]]:
    """All assignments of fewest faults that keep the columns in order; empty columns may be left out."""
    filled = [n for n, column in enumerate(new.columns) if column]
    rows, width = len(old.columns), len(filled)
    costs = [
        [compare(i, column, n, new.columns[n]).faults for n in filled] for i, column in enumerate(old.columns)
    ]
    # least[i][j]: fewest faults for the columns from i on, where the new ones from j on are left.
    least = [[0] * (width + 1) for _ in range(rows + 1)]
    over = [sum(len(new.columns[n]) for n in filled[j:]) for j in range(width + 1)]
    least[rows] = over
    for i in range(rows - 1, -1, -1):
        for j in range(width, -1, -1):
            options = [least[i + 1][j]]
            if j < width:
                options.append(costs[i][j] + least[i + 1][j + 1])
                options.append(len(new.columns[filled[j]]) + least[i][j + 1])
            least[i][j] = min(options)

    def walk(i: int, j: int) -> Iterator[tuple[int | None, ...]]:
        if i == rows:
            yield ()
            return
        if j < width and costs[i][j] + least[i + 1][j + 1] == least[i][j]:
            for rest in walk(i + 1, j + 1):
                yield (filled[j], *rest)
        if least[i + 1][j] == least[i][j]:
            for rest in walk(i + 1, j):
                yield (None, *rest)
        if j < width and len(new.columns[filled[j]]) + least[i][j + 1] == least[i][j]:
            yield from walk(i, j + 1)

    yield from walk(0, 0)


def _by_first_card(old: Table, new: Table) -> tuple[int | None, ...]:
    """The assignment that follows the buried card of each column, for a table seen in another order."""
    free = {n for n, column in enumerate(new.columns) if column}
    result: list[int | None] = []
    for column in old.columns:
        own = next((n for n in sorted(free) if column and column[0].agrees(new.columns[n][0])), None)
        free.discard(-1 if own is None else own)
        result.append(own)
    left = sorted(free)
    for number, own in enumerate(result):
        if own is None and left:
            result[number] = left.pop(0)
    return tuple(result)


def _in_any_order(old: Table, new: Table) -> tuple[int | None, ...] | None:
    """An assignment without faults, whatever the order; None if there is none."""
    fits = [
        [
            n
            for n, column in enumerate(old.columns)
            if len(cards) <= len(column) and all(map(Seen.agrees, column[: len(cards)], cards))
        ]
        for cards in new.columns
    ]
    home: dict[int, int] = {}

    def settle(number: int, tried: set[int]) -> bool:
        """Finds a home for a column, others moving on to make room."""
        for n in fits[number]:
            if n not in tried:
                tried.add(n)
                if n not in home or settle(home[n], tried):
                    home[n] = number
                    return True
        return False

    if not all(settle(number, set()) for number, cards in enumerate(new.columns) if cards):
        return None
    return tuple(home.get(n) for n in range(len(old.columns)))


def _places(old: tuple[Seen, ...], kept: tuple[Seen, ...]) -> list[int] | None:
    """The rows where the kept cards lay, None if they can't have lain there in this order."""
    spots: list[int] = []
    row = 0
    for card in kept:
        while row < len(old) and not old[row].agrees(card):
            row += 1
        if row == len(old):
            return None
        spots.append(row)
        row += 1
    return spots


__all__ = ["Alignment", "Change", "alignments", "compare"]
