"""A later scan of the same table: what a person has corrected stays as it was corrected."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from companion.app.state.table import Slot, Table
from companion.game import UNKNOWN

SAME = 0.5
"""The share of neighbours in the columns that two scans of one table have in common, at least."""


def same_table(one: Table, other: Table) -> bool:
    """Whether two scans show the same table.

    Two deals share most of their cards, so it is not the cards that count but which lies on which.
    """
    first, second = _neighbours(one), _neighbours(other)
    most = max(len(first), len(second))
    return most > 0 and len(first & second) >= SAME * most


def keep_corrections(read: Table, corrected: Table, again: Table, *, evidence: bool = False) -> Table:
    """The new scan `again` with the corrections that turned `read` into `corrected`.

    A column that was read the same way again is taken over as it was corrected, cards added and removed
    included. In others the corrected cards are put where the same card, or the one between the same
    neighbours, is read now.

    evidence: the new scan is to show what was done since, so a card that is surely another one now stands.
    """
    if not same_table(corrected, again):
        return again
    columns = []
    for number, column in enumerate(again.columns):
        before = read.columns[number] if number < len(read.columns) else ()
        known = corrected.columns[number] if number < len(corrected.columns) else ()
        if _cards(before) == _cards(column) and len(known) and any(slot.touched for slot in known):
            columns.append(tuple(_placed(slot, column) for slot in known))
        elif len(before) == len(column) == len(known):
            kept = zip(known, column, before, strict=True)
            columns.append(tuple(_kept(slot, seen, evidence, was) for slot, seen, was in kept))
        else:
            columns.append(_aligned(known, column, evidence))
    discard, stock = again.discard, again.stock
    if not _covered(read, corrected, again):
        if corrected.discard and corrected.discard.touched:
            discard = _kept(corrected.discard, again.discard) if again.discard else corrected.discard
        stock = again.stock if corrected.stock is None else corrected.stock
    return _without_twins(Table(tuple(columns), discard, stock))


def _covered(read: Table, corrected: Table, again: Table) -> bool:
    """Whether another card has come onto the discard since: one that is read without a doubt."""
    top = again.discard
    known = {str(slot.card) for slot in (read.discard, corrected.discard) if slot}
    return top is not None and top.sure and str(top.card) not in known


def _kept(known: Slot, seen: Slot, evidence: bool = False, was: Slot | None = None) -> Slot:
    if not known.touched:
        return seen
    if evidence and seen.sure and seen.card not in (known.card, was.card if was else None):
        return seen
    return replace(known, index=seen.index or known.index, outline=seen.outline or known.outline)


def _placed(known: Slot, column: tuple[Slot, ...]) -> Slot:
    """A slot of the corrected column, where it is seen in the new photo."""
    seen = next((slot for slot in column if slot.card is known.card), None)
    return replace(known, index=seen.index, outline=seen.outline) if seen else known


def _aligned(known: tuple[Slot, ...], column: tuple[Slot, ...], evidence: bool) -> tuple[Slot, ...]:
    changed = list(column)
    steps = SequenceMatcher(a=_cards(known), b=_cards(column), autojunk=False).get_opcodes()
    for step, first, last, start, end in steps:
        if step == "equal" or (step == "replace" and last - first == end - start):
            for slot, at in zip(known[first:last], range(start, end), strict=True):
                changed[at] = _kept(slot, column[at], evidence)
    return tuple(changed)


def _without_twins(table: Table) -> Table:
    """A card that a person placed can't be read elsewhere: the other place becomes unread."""
    placed = Counter(slot.card for _, slot in table.places() if slot.touched and slot.card is not UNKNOWN)
    for place, slot in tuple(table.places()):
        if not slot.touched and placed[slot.card]:
            table = table._with(place, replace(slot, card=UNKNOWN, sure=False, confidence=0.0))
    return table


def _cards(column: tuple[Slot, ...]) -> list[str]:
    return [str(slot.card) for slot in column]


def _neighbours(table: Table) -> set[tuple[str, str]]:
    """Each card of the columns with the one it lies on."""
    columns = (["", *_cards(column)] for column in table.columns)
    return {pair for column in columns for pair in pairwise(column) if "??" not in pair}
