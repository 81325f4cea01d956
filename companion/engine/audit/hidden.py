"""Cards that a photo may not show: in a careless column one lies wholly under the next.

Such a card seems to have been put on the column once those that hid it are gone, or to have been taken from
the inside once others hide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.engine.audit.align import Change
from companion.engine.audit.step import Finding
from companion.engine.audit.tables import Place, Seen, Table


@dataclass(frozen=True)
class Uncovered:
    """Two tables with the cards that may have been hidden; hidden: those, with the places they would have."""

    old: Table
    new: Table
    hidden: tuple[tuple[Place, Seen], ...]


def uncovered(old: Table, new: Table, finding: Finding, number: int) -> Uncovered | None:
    """The tables as they would be if what seems to be misplaced was hidden; None where nothing can have been.

    number: of the table before.
    """
    before, after = list(old.columns), list(new.columns)
    hidden: list[tuple[Place, Seen]] = []
    for change in finding.alignment.changes if finding.alignment is not None else ():
        if old.scanned and change.gone and change.added and not _lies(change.added, old):
            kept = len(before[change.before]) - len(change.gone)
            column = before[change.before]
            before[change.before] = (*column[:kept], *change.added, *column[kept:])
            hidden += [(Place(number, change.before, kept + n), seen) for n, seen in enumerate(change.added)]
        elif new.scanned and change.inner and change.after is not None and not _lies(change.inner, new):
            rows = list(_rows(old, change))
            after[change.after] = (*(seen for seen, _ in rows), *change.added)
            places = [(row, seen) for row, (seen, inner) in enumerate(rows) if inner]
            hidden += [(Place(number + 1, change.after, row), seen) for row, seen in places]
    if not hidden:
        return None
    return Uncovered(replace(old, columns=tuple(before)), replace(new, columns=tuple(after)), tuple(hidden))


def _lies(cards: Iterable[Seen], table: Table) -> bool:
    """Whether one of the cards is seen on a table."""
    return any(card.agrees(seen) for card in cards for _, seen in table.places(0))


def _rows(old: Table, change: Change) -> Iterator[tuple[Seen, bool]]:
    """The cards of a column that stayed, with those gone from below them, and whether it is one of those."""
    column = old.columns[change.before]
    inner, kept = list(change.inner), list(change.kept)
    for seen in column[: len(column) - len(change.gone)]:
        if inner and seen == inner[0]:
            yield inner.pop(0), True
        else:
            yield kept.pop(0), False


__all__ = ["Uncovered", "uncovered"]
