"""From two or more tables in time order: a verdict on each step, and what the hole scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.engine.audit.judge import judge
from companion.engine.audit.remedy import repaired
from companion.engine.audit.step import Finding, History
from companion.engine.audit.tables import Seen, Table
from companion.engine.audit.verdict import Audit, Score, Verdict
from companion.engine.audit.words import Reason
from companion.engine.errors import EngineError


def audit_tables(tables: Sequence[Table]) -> Audit:
    """Whether each table can follow from the one before.  Raises `EngineError` for fewer than two."""
    if len(tables) < 2:
        raise EngineError(f"it takes two tables, one before and one after: {len(tables)!r}")
    old, history = tables[0], History()
    steps: list[Verdict] = []
    mended: tuple[Table, History] | None = None
    for number, new in enumerate(tables[1:]):
        verdict, finding = judge(old, new, history, number)
        if verdict.verdict != "legal" and mended is not None:
            # The wrong move may have been put back before play went on.
            again, found = judge(*mended[:1], new, mended[1], number)
            if again.verdict == "legal":
                why = Reason.of("after-put-back", reason=again.reasons[0])
                verdict = replace(again, reasons=(why,))
                old, history, finding = mended[0], mended[1], found
        steps.append(verdict)
        mended = _mended(old, new, verdict, finding, history)
        history = _after(old, new, history, finding)
        old = new
    return Audit(tuple(steps), _score(tables, steps, history))


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
        most -= finding.way.draws
    top_drawn = bool(finding.way and finding.way.moves and finding.way.moves[-1].column is None)
    return History(tuple(discarded), most, top_drawn)


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
