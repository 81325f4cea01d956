"""The verdict on one step, doubts and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from companion.engine.audit.explain import explain
from companion.engine.audit.step import Finding, History, compare_tables
from companion.engine.audit.tables import Place, Seen, Table, spare
from companion.engine.audit.verdict import Ask, Verdict
from companion.engine.audit.words import Reason
from companion.engine.tops import DEAD_QUEEN, QUEEN
from companion.game import UNKNOWN, Card

MOST_WORLDS: Final = 200
"""Ways to fill in unread cards that are looked at one by one."""


def judge(old: Table, new: Table, history: History, number: int = 0) -> tuple[Verdict, Finding]:
    """The verdict on the step from table `number` to the next one."""
    doubts = _doubts(old, new, number)
    read = compare_tables(old.as_read(), new.as_read(), history)
    verdict = _queen_below(explain(old, new, read), read, number)
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
    hangs = [
        _ask(place, seen)
        for place, seen in matter
        if seen.card is not UNKNOWN and not _legal_whatever([(place, seen)], tables, history, number)
    ]
    if not hangs:
        return verdict
    why = Reason.of("as-read", reason=verdict.reasons[0], cards=tuple(ask.read for ask in hangs))
    return replace(verdict, reasons=(why,), ask=(*hangs, *verdict.ask))


def _queen_below(verdict: Verdict, finding: Finding, number: int) -> Verdict:
    """Says so where a legal step hangs on what lies under a queen that nothing may follow on a king."""
    question = finding.question
    both = 1 << QUEEN | 1 << DEAD_QUEEN
    if finding.kind != "legal" or question is None or question.start & both != both:
        return verdict
    dead, alive = (
        replace(question, start=question.start & ~both | 1 << top).way(finding.draws) is not None
        for top in (DEAD_QUEEN, QUEEN)
    )
    if dead and alive:
        return verdict
    # Where the king is seen, it is whether the queen was drawn that isn't.
    seen = len(question.discard) > 1 and question.discard[-2].sure
    code = ("queen-drawn" if seen else "queen-below") + ("" if alive else ".dead")
    why = Reason.of(code, reason=verdict.reasons[0], queen=question.discard[-1].card)
    ask = () if seen else (Ask(Place(number, None, -1), UNKNOWN, None),)
    return replace(verdict, reasons=(why,), ask=ask)


def _legal_whatever(
    unread: list[tuple[Place, Seen]], tables: dict[int, Table], history: History, number: int
) -> bool:
    """Whether the step is legal whichever cards the doubtful ones are."""
    any_card = _one_of_each_rank(tables, number)
    options = [any_card if seen.others is None else seen.others for _, seen in unread]
    if prod(map(len, options)) > MOST_WORLDS:
        return False
    for world in product(*options):
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
