"""From two or more tables in time order: a verdict on each step, and what the hole scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.engine.audit.joint import Explained, possible
from companion.engine.audit.judge import judge
from companion.engine.audit.remedy import repaired
from companion.engine.audit.step import Finding, History, without
from companion.engine.audit.tables import Seen, Table
from companion.engine.audit.verdict import Audit, Fault, Remedy, Score, Verdict
from companion.engine.audit.words import Reason
from companion.engine.errors import EngineError
from companion.game import Card


def audit_tables(tables: Sequence[Table]) -> Audit:
    """Whether each table can follow from the one before.  Raises `EngineError` for fewer than two."""
    if len(tables) < 2:
        raise EngineError(f"it takes two tables, one before and one after: {len(tables)!r}")
    old, history = tables[0], History()
    steps: list[Verdict] = []
    together = _Together(tables[0])
    mended: tuple[Table, History] | None = None
    for number, new in enumerate(tables[1:]):
        history = replace(history, later=_seen_later(tables, number + 1))
        more = number + 2 < len(tables)
        verdict, finding = judge(old, new, history, number, more=more)
        if verdict.verdict != "legal" and mended is not None:
            # The wrong move may have been put back before play went on.
            again, found = judge(mended[0], new, mended[1], number, more=more)
            if again.verdict == "legal":
                why = Reason.of("after-put-back", reason=again.reasons[0])
                verdict = replace(again, reasons=(why,))
                old, history, finding = mended[0], mended[1], found
        wrong = together.wrong(old, new, finding)
        if verdict.verdict == "legal" and wrong is not None:
            if isinstance(wrong, Fault):
                verdict = _with_fault(old, verdict, wrong)
            else:
                verdict = Verdict("impossible", (wrong,))
        steps.append(verdict)
        mended = _mended(old, new, verdict, finding, history)
        history = _after(old, new, history, finding)
        old = new
    return Audit(tuple(steps), _score(tables, steps, history))


def _seen_later(tables: Sequence[Table], number: int) -> tuple[Card, ...]:
    """The cards that were put on the discard only after a table: nobody can have drawn them before."""
    top = tables[number].discard[-1:]
    if tables[0].rules.decks > 1 or not top:
        return ()
    later: list[Card] = []
    for table in tables[number + 1 :]:
        # What lies on the card that was on top then, wherever it may be, came later.
        below = [row for row, seen in enumerate(table.discard) if seen.agrees(top[0])]
        later += [seen.card.plain for seen in table.discard[max(below, default=-1) + 1 :] if seen.sure]
    now = {seen.card.plain for table in tables[: number + 1] for _, seen in table.places(0)}
    return tuple(card for card in dict.fromkeys(later) if card not in now)


class _Together:
    """The steps that are legal alone: can they have happened one after the other?"""

    def __init__(self, first: Table) -> None:
        self._first = first
        self._explained: list[Explained] = []
        self._follows, self._certain, self._all_right = True, True, True
        self._drawn, self._since = 0, 0
        """Cards drawn by the ways that were found: in all, and since the stock was counted."""
        self._counted = first.stock_count
        self._group = 0
        """Which of the steps was the first since then."""

    def wrong(self, old: Table, new: Table, finding: Finding) -> Fault | Reason | None:
        """The rule that one step more breaks together with those before, or why no moves explain them."""
        if finding.kind != "legal" or finding.question is None or finding.way is None:
            self._follows = self._all_right = False
            return None
        step = Explained(finding.question, old.stock_count, new.stock_count, self._follows)
        if step.before is not None or not step.follows:
            self._counted, self._since, self._group = step.before, 0, len(self._explained)
        self._explained.append(step)
        self._follows, self._certain = True, self._certain and not finding.alone
        self._drawn, self._since = self._drawn + finding.way.draws, self._since + finding.way.draws
        rules, most = self._first.rules, self._first.stock_count
        # What was drawn by wrong moves, or put back, isn't told.
        most = rules.stock_size if most is None or not self._all_right else most - (new.stock_count or 0)
        closed = self._counted is not None and new.stock_count is not None
        as_counted = not closed or self._counted - new.stock_count == self._since  # type: ignore[operator]
        # The ways that were found draw no card twice.
        if finding.question.stock is not None or (self._certain and self._drawn <= most and as_counted):
            return None
        last = finding.question
        # A card on top that left a column is none of the pool.
        pool = without(last.pool, [s.card for s in last.after if s.sure and last.pool[s.card.plain] > 0])
        return self._broken(pool, most, (self._counted or 0) - (new.stock_count or 0))

    def _broken(self, pool: Counter[Card], most: int, drawn: int) -> Fault | Reason | None:
        """What is wrong with all steps together; drawn: since the stock was counted."""
        steps, rules = self._explained, self._first.rules
        if not possible(steps, pool, most, totals=False):
            enough = possible(steps, pool, pool.total() + most, totals=False)
            return Fault("stock-empty" if enough else "stock-twice", how="again")
        if possible(steps, pool, most):
            return None
        if rules.draw == "when_stuck":
            at_will = replace(rules, draw="at_will")
            freely = [replace(s, question=replace(s.question, rules=at_will)) for s in steps]
            if possible(freely, pool, most):
                return Fault("play-possible", how="counted", numbers=(("drawn", drawn),))
        if possible(steps[self._group :], pool, most):
            return Fault("stock-twice", how="again")
        return Reason.of("no-way-with", draws=drawn)


def _with_fault(old: Table, verdict: Verdict, fault: Fault) -> Verdict:
    void = old.rules.illegal_move == "void_hole"
    remedy = Remedy("void") if void else Remedy("stands")
    return replace(verdict, verdict="illegal", reasons=(fault.reason,), faults=(fault,), remedy=remedy)


def _after(old: Table, new: Table, history: History, finding: Finding) -> History:
    """What is known at the next table."""
    discarded = [*history.discarded, *(seen.card.plain for seen in old.discard if seen.sure)]
    if finding.alignment is not None and finding.kind in ("legal", "faults"):
        put = [m.card for m in finding.misplaced if m.to is not None]
        for change in finding.alignment.changes:
            discarded += [s.card for s in (*change.gone, *change.inner) if s.sure and s not in put]
    visible = [seen.card.plain for _, seen in new.places(0) if seen.sure]
    for card in visible:
        if card in discarded:
            discarded.remove(card)
    most = old.stock_count if old.stock_count is not None else history.most
    if finding.kind == "legal" and finding.way is not None and most is not None:
        fewest = finding.way.fewest and not finding.apart
        most -= finding.way.draws if fewest else finding.draws.lowest
    moves = finding.way.moves if finding.way else ()
    top_drawn = bool(moves) and moves[-1].column is None and _only_drawn(finding)
    drawn = (*history.drawn, *(move.card.plain for move in moves if move.supposed))
    return History(tuple(discarded), most, top_drawn, drawn)


def _only_drawn(finding: Finding) -> bool:
    """Whether the card that is on top now can't have come from a column."""
    question = finding.question
    if question is None or not question.after or not question.after[-1].sure:
        return False
    return not any(seen.agrees(question.after[-1]) for lost in question.lost for seen in lost.cards)


def _mended(
    old: Table, new: Table, verdict: Verdict, finding: Finding, history: History
) -> tuple[Table, History] | None:
    remedy = verdict.remedy
    if verdict.verdict != "illegal" or remedy is None or remedy.kind != "put-back":
        return None
    moves = finding.way.moves if finding.way else ()
    top = Seen(moves[-2].card) if len(moves) > 1 else (old.discard[-1] if old.discard else None)
    table = repaired(new, remedy.back, top)
    return None if table is None else (table, _after(old, table, history, finding))


def _score(tables: Sequence[Table], steps: Sequence[Verdict], history: History) -> Score:
    last = tables[-1]
    void = last.rules.illegal_move == "void_hole" and any(step.verdict == "illegal" for step in steps)
    exact = True
    strokes: int | None = last.tableau_count
    if not last.tableau_count:
        left = last.stock_count
        if left is None:
            left, exact = history.most, False
        strokes = None if left is None else -left
    return Score(not void, strokes, exact)


__all__ = ["audit_tables"]
