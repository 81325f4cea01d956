"""The verdict on one step, doubts and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from companion.engine.audit.explain import explain
from companion.engine.audit.step import Finding, History, compare_tables
from companion.engine.audit.tables import Place, Seen, Table, spare
from companion.engine.audit.verdict import Ask, Verdict
from companion.engine.audit.words import Reason
from companion.game import UNKNOWN, Card

MOST_WORLDS: Final = 200
"""Ways to fill in unread cards that are looked at one by one."""


def judge(old: Table, new: Table, history: History, number: int = 0) -> tuple[Verdict, Finding]:
    """The verdict on the step from table `number` to the next one."""
    doubts = _doubts(old, new, number)
    read = compare_tables(old.as_read(), new.as_read(), history)
    verdict = explain(old, new, read)
    if not doubts:
        return verdict, read
    tables = {number: old.as_read(), number + 1: new.as_read()}
    if read.kind == "legal":
        return _if_legal(verdict, read, tables, doubts, history, number), read
    wild = compare_tables(old, new, history)
    if wild.kind == "legal" or "undecided" in (read.kind, wild.kind):
        ask = _settling(tables, doubts, history, number, "legal")
        return _open(ask or [_ask(place, seen) for place, seen in doubts], wild), wild
    return verdict, read


def _if_legal(
    verdict: Verdict,
    read: Finding,
    tables: dict[int, Table],
    doubts: list[tuple[Place, Seen]],
    history: History,
    number: int,
) -> Verdict:
    """Legal as it was read; is it so whatever the doubtful cards are?"""
    matter = [(place, seen) for place, seen in doubts if _matters(place, seen, read, tables, number)]
    unread = [(place, seen) for place, seen in matter if seen.card is UNKNOWN]
    if unread and not _legal_whatever(unread, tables, history, number):
        return _open([_ask(place, seen) for place, seen in unread], read)
    hangs = []
    for place, seen in matter:
        if seen.card is UNKNOWN or not seen.others:
            continue
        other = {
            **tables,
            place.table: tables[place.table].changed(place, Seen(seen.others[0], seen.others[1:])),
        }
        if compare_tables(other[number], other[number + 1], history).kind != "legal":
            hangs.append(_ask(place, seen))
    if not hangs:
        return verdict
    why = Reason.of("as-read", reason=verdict.reasons[0], cards=tuple(ask.read for ask in hangs))
    return replace(verdict, reasons=(why,), ask=tuple(hangs))


def _legal_whatever(
    unread: list[tuple[Place, Seen]], tables: dict[int, Table], history: History, number: int
) -> bool:
    """Whether the step is legal whichever cards the unread ones are."""
    cards = _one_of_each_rank(tables, number)
    if len(cards) ** len(unread) > MOST_WORLDS:
        return False
    for world in product(cards, repeat=len(unread)):
        filled = dict(tables)
        for (place, _), card in zip(unread, world, strict=True):
            filled[place.table] = filled[place.table].changed(place, Seen(card))
        if compare_tables(filled[number], filled[number + 1], history).kind != "legal":
            return False
    return True


def _one_of_each_rank(tables: dict[int, Table], number: int) -> list[Card]:
    seen = [seen.card for _, seen in tables[number].places(number) if seen.sure]
    ranks: dict[int | None, Card] = {}
    for card in sorted(spare(tables[number].rules, seen)):
        ranks.setdefault(card.rank, card)
    return list(ranks.values())


def _settling(
    tables: dict[int, Table], doubts: list[tuple[Place, Seen]], history: History, number: int, wanted: str
) -> list[Ask]:
    """The doubtful cards each of which alone could make the step legal."""
    asks = []
    for place, seen in doubts:
        other = {**tables, place.table: tables[place.table].changed(place, seen)}
        if compare_tables(other[number], other[number + 1], history).kind == wanted:
            asks.append(_ask(place, seen))
    return asks


def _matters(place: Place, seen: Seen, read: Finding, tables: dict[int, Table], number: int) -> bool:
    """Whether a doubtful card takes part: it left a column, lies on the discard, or is exposed."""
    table = tables[place.table]
    if place.column is None:
        return place.row == len(table.discard) - 1
    if place.table == number:
        assert read.alignment is not None
        change = read.alignment.changes[place.column]
        if place.row >= len(change.kept):
            return True
    return table.rules.draw == "when_stuck" and place.row == len(table.columns[place.column]) - 1


def _doubts(old: Table, new: Table, number: int) -> list[tuple[Place, Seen]]:
    return [(place, seen) for place, seen in _places(old, new, number) if not seen.sure]


def _places(old: Table, new: Table, number: int) -> Iterator[tuple[Place, Seen]]:
    yield from old.places(number)
    yield from new.places(number + 1)


def _ask(place: Place, seen: Seen) -> Ask:
    return Ask(place, seen.card, seen.others)


def _open(asks: list[Ask], finding: Finding) -> Verdict:
    if finding.kind == "undecided":
        return Verdict("unreadable", (Reason.of("undecided"),), ask=tuple(asks))
    cards = tuple(ask.read for ask in asks)
    return Verdict("unreadable", (look_again(asks),), cards=cards, ask=tuple(asks))


def look_again(asks: Sequence[Ask]) -> Reason:
    """The request to look at cards again."""
    where = tuple(Reason.of("at", card=ask.read, place=ask.place.reason) for ask in asks[:3])
    code = "look-again.more" if len(asks) > 3 else "look-again"
    return Reason.of(code, count=len(asks), cards=where, more=len(asks) - 3)
