"""The verdict on one step, doubts and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from companion.engine.audit.explain import explain
from companion.engine.audit.step import Finding, History, compare_tables, is_legal
from companion.engine.audit.tables import Place, Seen, Table, sharpened, spare
from companion.engine.audit.verdict import Ask, Verdict
from companion.engine.audit.words import Reason
from companion.engine.board import kind
from companion.engine.lattice import size
from companion.engine.tops import DEAD_QUEEN, QUEEN
from companion.game import UNKNOWN, Card

MOST_WORLDS: Final = 200
"""Ways to fill in unread cards that are looked at one by one."""
EFFORT: Final = 1_000_000
"""States of the tables that are compared to find out on which doubtful cards a verdict hangs."""


class _Budget:
    """How many more comparisons of two tables may be made; one takes as long as it has states."""

    def __init__(self, finding: Finding) -> None:
        changes = finding.alignment.changes if finding.alignment is not None else ()
        cells = size(tuple(len(change.gone) for change in changes))
        self.left = EFFORT // min(cells + 3_000, EFFORT)

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


def judge(
    old: Table, new: Table, history: History, number: int = 0, *, more: bool = False
) -> tuple[Verdict, Finding]:
    """The verdict on the step from table `number` to the next one, and what is known for the next ones.

    more: there is a table after the new one, so that all must be known that doubtful cards leave open.
    """
    old, new = sharpened(old, new)
    doubts = _doubts(old, new, number)
    tables = {number: old.as_read(), number + 1: new.as_read()}
    read = compare_tables(tables[number], tables[number + 1], history)
    verdict = _queen_below(explain(tables[number], tables[number + 1], read), read, number)
    if not doubts:
        return verdict, read
    if read.kind == "legal":
        matter = [(place, seen) for place, seen in doubts if _matters(place, seen, read, tables, number)]
        matter += [doubt for doubt in _short(doubts, read, number) if doubt not in matter]
        if not matter:
            return verdict, read
        verdict = _if_legal(verdict, read, tables, matter, history, number)
        return verdict, compare_tables(old, new, history) if more else read
    wild = compare_tables(old, new, history)
    if "undecided" in (read.kind, wild.kind) and wild.kind != "legal":
        return (verdict if read.kind == wild.kind else _open(doubts)), wild
    if wild.kind == "legal":
        return _open(_settling(tables, doubts, history, number, wild) or doubts), wild
    other = explain(old, new, wild)
    if other.verdict != verdict.verdict:
        # By some readings a rule is broken, by others it isn't the same deal.
        return _open(doubts), wild
    if verdict.verdict == "impossible":
        return other, wild
    part = [(place, seen) for place, seen in doubts if _matters(place, seen, read, tables, number)]
    return _whatever_they_are(verdict, other, part), wild


def _whatever_they_are(verdict: Verdict, other: Verdict, doubts: list[tuple[Place, Seen]]) -> Verdict:
    """Illegal whatever the doubtful cards are; says so where it hangs on them which move was the wrong one.

    other: the verdict in which doubtful cards were taken for whatever helps most.
    """
    named = {card for fault in verdict.faults for card in (fault.card, fault.onto, *fault.over)}
    hangs = [(place, seen) for place, seen in doubts if seen.card in named and seen.card is not UNKNOWN]
    if not doubts or (not hangs and verdict.faults == other.faults):
        return verdict
    asks = tuple(_ask(place, seen) for place, seen in hangs or doubts)
    why = Reason.of("as-read.illegal", reasons=verdict.reasons, cards=tuple(ask.read for ask in asks))
    return replace(verdict, reasons=(why,), ask=asks)


def _if_legal(
    verdict: Verdict,
    read: Finding,
    tables: dict[int, Table],
    matter: list[tuple[Place, Seen]],
    history: History,
    number: int,
) -> Verdict:
    """Legal as it was read; is it so whatever the doubtful cards are?"""
    unread = [(place, seen) for place, seen in matter if seen.card is UNKNOWN]
    budget = _Budget(read)
    if unread and not _legal_whatever(unread, tables, history, number, budget):
        return _open(unread)
    hangs = [
        _ask(place, seen)
        for place, seen in matter
        if seen.card is not UNKNOWN and not _legal_whatever([(place, seen)], tables, history, number, budget)
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
    unread: list[tuple[Place, Seen]],
    tables: dict[int, Table],
    history: History,
    number: int,
    budget: _Budget,
) -> bool:
    """Whether the step is certainly legal whichever cards the doubtful ones are."""
    any_card = _one_of_each_rank(tables, number)
    options = [any_card if seen.others is None else seen.others for _, seen in unread]
    if prod(map(len, options)) > min(MOST_WORLDS, budget.left):
        return False
    for world in product(*options):
        filled = dict(tables)
        for (place, _), card in zip(unread, world, strict=True):
            filled[place.table] = filled[place.table].changed(place, Seen(card))
        if not budget.take() or not is_legal(filled[number], filled[number + 1], history):
            return False
    return True


def _one_of_each_rank(tables: dict[int, Table], number: int) -> list[Card]:
    seen = [seen.card for _, seen in tables[number].places(number) if seen.sure]
    ranks: dict[int | None, Card] = {}
    for card in sorted(spare(tables[number].rules, seen)):
        ranks.setdefault(card.rank, card)
    return list(ranks.values())


def _settling(
    tables: dict[int, Table],
    doubts: list[tuple[Place, Seen]],
    history: History,
    number: int,
    wild: Finding,
) -> list[tuple[Place, Seen]]:
    """The doubtful cards each of which alone could make the step legal."""
    found, budget = [], _Budget(wild)
    # A card that was put on the discard is asked for rather than one that lies in a column.
    for place, seen in sorted(doubts, key=lambda doubt: (doubt[0].column is not None, -doubt[0].table)):
        if not budget.take():
            break
        other = {**tables, place.table: tables[place.table].changed(place, seen)}
        if is_legal(other[number], other[number + 1], history):
            found.append((place, seen))
    return found


def _matters(place: Place, seen: Seen, read: Finding, tables: dict[int, Table], number: int) -> bool:
    """Whether a doubtful card takes part: it left a column, was put on the discard, or is exposed."""
    table = tables[place.table]
    if place.column is None:
        below = len(tables[number].discard) - 1 if tables[number].whole() and table.whole() else 0
        queen = table.rules.on_king == "queen_only" and place.row == len(table.discard) - 2
        return place.row >= below or queen
    if place.table == number:
        assert read.alignment is not None
        change = read.alignment.changes[place.column]
        if place.row >= len(change.kept):
            return True
    return table.rules.draw == "when_stuck" and place.row == len(table.columns[place.column]) - 1


def _short(doubts: list[tuple[Place, Seen]], read: Finding, number: int) -> Iterator[tuple[Place, Seen]]:
    """The doubtful cards that may be those which are supposed to have been drawn."""
    if read.question is None or read.way is None:
        return
    spare_of = Counter(kind(card) for card in read.question.pool.elements())
    spare_of.subtract(kind(move.card.plain) for move in read.way.moves if move.supposed)
    own = [doubt for doubt in doubts if doubt[0].table == number or doubt[0].column is None]
    for wanted in {kind(move.card.plain) for move in read.way.moves if move.supposed}:
        may_be = [
            doubt
            for doubt in own
            if doubt[1].others is None or wanted in {kind(card) for card in doubt[1].others}
        ]
        if len(may_be) > spare_of[wanted]:
            yield from may_be


def _doubts(old: Table, new: Table, number: int) -> list[tuple[Place, Seen]]:
    return [(place, seen) for place, seen in _places(old, new, number) if not seen.sure]


def _places(old: Table, new: Table, number: int) -> Iterator[tuple[Place, Seen]]:
    yield from old.places(number)
    yield from new.places(number + 1)


def _ask(place: Place, seen: Seen) -> Ask:
    return Ask(place, seen.card, seen.others)


def _open(doubts: list[tuple[Place, Seen]]) -> Verdict:
    """It can't be told before the doubtful cards are known."""
    asks = tuple(_ask(place, seen) for place, seen in doubts)
    return Verdict("unreadable", (look_again(asks),), cards=tuple(ask.read for ask in asks), ask=asks)


def look_again(asks: Sequence[Ask]) -> Reason:
    """The request to look at cards again."""
    where = tuple(Reason.of("at", card=ask.read, place=ask.place.reason) for ask in asks[:3])
    code = "look-again.more" if len(asks) > 3 else "look-again"
    return Reason.of(code, count=len(asks), cards=where, more=len(asks) - 3)
