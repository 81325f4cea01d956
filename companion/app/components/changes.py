"""Which cards differ between two tables, and which of them a finding is about."""

from __future__ import annotations

from companion.app.state.table import DISCARD, Place, Table
from companion.game import UNKNOWN, Card


def marks(table: Table, other: Table, about: tuple[Card, ...], *, before: bool) -> dict[Place, str]:
    """For each place of `table` what it is marked as against `other`, the next or the former table."""
    there = {slot.card for place, slot in other.places() if place != DISCARD}
    found: dict[Place, str] = {}
    for place, slot in table.places():
        if slot.card in about and slot.card is not UNKNOWN:
            found[place] = "wrong"
        elif place == DISCARD:
            if not before and (other.discard is None or other.discard.card is not slot.card):
                found[place] = "new"
        elif slot.card is not UNKNOWN and slot.card not in there:
            found[place] = "gone" if before else "new"
    return found
