"""The verdict on one step, doubts and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from companion.engine.audit.explain import explain
from companion.engine.audit.hidden import uncovered
from companion.engine.audit.step import Comparison, Finding, History
from companion.engine.audit.tables import Place, Seen, Table, sharpened, spare
from companion.engine.audit.verdict import Ask, Verdict
from companion.engine.audit.words import Reason
from companion.engine.board import kind
from companion.engine.tops import DEAD_QUEEN, QUEEN
from companion.game import UNKNOWN, Card

MOST_WORLDS: Final = 200
"""Ways to fill in unread cards that are looked at one by one."""
EFFORT: Final = 600_000
"""What is looked at, in labels of a search, to find out on which doubtful cards a verdict hangs; that of the
comparisons before is counted."""


class _Budget:
    """How much more may be looked at."""

    def __init__(self, *compared: Comparison) -> None:
        self.left = EFFORT - sum(one.effort for one in compared)

    def legal(self, old: Table, new: Table, history: History) -> bool:
        """Whether a step is certainly legal."""
        if self.left < 0:
            return False
        compared = Comparison(old, new, history, first=True, effort=self.left)
        kind = compared.legal.kind
        self.left -= compared.effort
        return kind == "legal"


def judge(
    old: Table, new: Table, history: History, number: int = 0, *, more: bool = False
) -> tuple[Verdict, Finding]:
    """The verdict on the step from table `number` to the next one, and what is known for the next ones.

    more: there is a table after the new one, so that all must be known that doubtful cards leave open.
    """
    verdict, finding = _judge(old, new, history, number, more=more)
    if verdict.verdict not in ("illegal", "impossible") or not (old.scanned or new.scanned):
        return verdict, finding
    seen = uncovered(old, new, finding, number)
    if seen is None:
        return verdict, finding
    again, found = _judge(seen.old, seen.new, history, number, more=more)
    if again.verdict == "impossible":
        return verdict, finding
    if again.verdict == "legal":
        asks = tuple(_ask(place, card) for place, card in seen.hidden)
        cards = tuple(Reason.of("at", card=ask.read, place=ask.place.reason) for ask in asks)
        why = (Reason.of("hidden", cards=cards),)
        return Verdict("unreadable", why, cards=tuple(ask.read for ask in asks), ask=asks), found
    return again, found


def _judge(old: Table, new: Table, history: History, number: int, *, more: bool) -> tuple[Verdict, Finding]:
    """The verdict on what is seen."""
    old, new = sharpened(old, new)
    doubts = _doubts(old, new, number)
    tables = {number: old.as_read(), number + 1: new.as_read()}
    # Where cards are doubtful one of them is asked for rather than that it takes long.
    compared = Comparison(tables[number], tables[number + 1], history, effort=EFFORT if doubts else None)
    if doubts and compared.legal.kind != "legal":
        # What the fewest draws are matters only to what follows.
        doubted = Comparison(old, new, history, first=not more, effort=EFFORT)
        if (old, new) == (compared.old, compared.new):
            doubted = compared
        return _not_as_read(compared, doubted, doubts, number)
    read = compared.finding
    verdict = _queen_below(explain(tables[number], tables[number + 1], read), read, number)
    if not doubts:
        return verdict, read
    matter = [(place, seen) for place, seen in doubts if _matters(place, seen, read, tables, number)]
    matter += [doubt for doubt in _short(doubts, read, number) if doubt not in matter]
    if not matter:
        return verdict, read
    verdict = _if_legal(verdict, compared, matter, number)
    return verdict, Comparison(old, new, history).finding if more else read


def _not_as_read(
    compared: Comparison, doubted: Comparison, doubts: list[tuple[Place, Seen]], number: int
) -> tuple[Verdict, Finding]:
    """The verdict where the step isn't legal as it was read: is it so whatever the doubtful cards are?

    doubted: the same with each of them taken for whatever helps most.
    """
    if doubted.legal.kind == "legal":
        wild = doubted.legal
        return _open(_settling(compared, doubted, doubts, number) or doubts), wild
    read, wild = compared.finding, doubted.finding
    verdict = explain(compared.old, compared.new, read)
    if "undecided" in (read.kind, wild.kind):
        too_big = read.kind == wild.kind and max(compared.effort, doubted.effort) <= EFFORT
        return (verdict if too_big else _open(doubts)), wild
    other = explain(doubted.old, doubted.new, wild)
    if other.verdict != verdict.verdict:
        # By some readings a rule is broken, by others it isn't the same deal.
        return _open(doubts), wild
    if verdict.verdict == "impossible":
        return other, wild
    tables = {number: compared.old, number + 1: compared.new}
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
    verdict: Verdict, compared: Comparison, matter: list[tuple[Place, Seen]], number: int
) -> Verdict:
    """Legal as it was read; is it so whatever the doubtful cards are?"""
    unread = [(place, seen) for place, seen in matter if seen.card is UNKNOWN]
    budget = _Budget(compared)
    if unread and not _legal_whatever(unread, compared, number, budget):
        return _open(unread)
    hangs = [
        _ask(place, seen)
        for place, seen in matter
        if seen.card is not UNKNOWN and not _legal_whatever([(place, seen)], compared, number, budget)
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
    unread: list[tuple[Place, Seen]], compared: Comparison, number: int, budget: _Budget
) -> bool:
    """Whether the step is certainly legal whichever cards the doubtful ones are."""
    tables = {number: compared.old, number + 1: compared.new}
    any_card = _one_of_each_rank(tables, number)
    options = [any_card if seen.others is None else seen.others for _, seen in unread]
    worlds = prod(map(len, options))
    if worlds > MOST_WORLDS or worlds * compared.effort > budget.left:
        return False
    for world in product(*options):
        filled = dict(tables)
        for (place, _), card in zip(unread, world, strict=True):
            filled[place.table] = filled[place.table].changed(place, Seen(card))
        if not budget.legal(filled[number], filled[number + 1], compared.history):
            return False
    return True


def _one_of_each_rank(tables: dict[int, Table], number: int) -> list[Card]:
    seen = [seen.card for _, seen in tables[number].places(number) if seen.sure]
    ranks: dict[int | None, Card] = {}
    for card in sorted(spare(tables[number].rules, seen)):
        ranks.setdefault(card.rank, card)
    return list(ranks.values())


def _settling(
    compared: Comparison, doubted: Comparison, doubts: list[tuple[Place, Seen]], number: int
) -> list[tuple[Place, Seen]]:
    """The doubtful cards each of which alone could make the step legal."""
    if len(doubts) == 1:
        return doubts
    found, budget = [], _Budget(compared, doubted)
    tables = {number: compared.old, number + 1: compared.new}
    # A card that was put on the discard is asked for rather than one that lies in a column.
    for place, seen in sorted(doubts, key=lambda doubt: (doubt[0].column is not None, -doubt[0].table)):
        other = {**tables, place.table: tables[place.table].changed(place, seen)}
        if budget.legal(other[number], other[number + 1], compared.history):
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
