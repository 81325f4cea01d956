"""A finding in words: the rule and the move that broke it, and how to put it right."""

from __future__ import annotations

from dataclasses import replace

from companion.engine.audit.remedy import remedy
from companion.engine.audit.step import Finding, Misplaced
from companion.engine.audit.tables import Table
from companion.engine.audit.verdict import Fault, Placed, Verdict
from companion.engine.audit.ways import Way
from companion.engine.audit.words import Reason
from companion.engine.tops import DEAD_QUEEN, NONE
from companion.game import UNKNOWN, Card, Rules


def explain(old: Table, new: Table, finding: Finding) -> Verdict:
    """The verdict that a finding gives on the step from one table to the next."""
    moves = finding.way.moves if finding.way else ()
    draws = finding.way.draws if finding.way else None
    if finding.kind == "legal":
        told = _told(moves)
        if finding.way is not None and not finding.way.fewest:
            told = Reason.of("fewer-may-do", reason=told)
        return Verdict("legal", (told,), draws, moves, tuple(move.card for move in moves))
    if finding.kind == "undecided":
        return Verdict("unreadable", (Reason.of("undecided"),))
    faults = tuple(_faults(old, new, finding)) if finding.kind != "impossible" else ()
    if not faults:
        return Verdict("impossible", (finding.why or Reason.of("no-way"),), cards=finding.cards)
    cards = tuple(fault.card for fault in faults if fault.card)
    why = tuple(fault.reason for fault in faults)
    if finding.way is not None and not finding.way.shortest:
        why = (*why, Reason.of("fewer-wrong-may-do"))
    return Verdict("illegal", why, draws, moves, cards, faults, remedy(old, new, finding, faults))


def _told(moves: tuple[Placed, ...]) -> Reason:
    plays = sum(move.column is not None for move in moves)
    draws = len(moves) - plays
    if not moves:
        return Reason.of("unchanged")
    if len(moves) == 1:
        return Reason.of("one-play" if plays else "one-draw")
    code = "plays-and-draws" if plays and draws else "plays" if plays else "draws"
    return Reason.of(code, plays=plays, draws=draws)


def _faults(old: Table, new: Table, finding: Finding) -> list[Fault]:
    faults = [_misplaced(m) for m in finding.misplaced]
    if finding.extra:
        faults.append(_extra(old, new, finding))
    if finding.way:
        top = old.discard[-1].card if old.discard else None
        cleared_at = _cleared_at(finding.way, new)
        faults += [
            move_fault(old.rules, finding.way, number, top, number > cleared_at)
            for number in finding.way.wrong
        ]
    return faults


def _cleared_at(way: Way, new: Table) -> int:
    """The number of the move that cleared the tableau, or one beyond all."""
    plays = [number for number, move in enumerate(way.moves) if move.column is not None]
    return len(way.moves) if new.tableau_count else plays[-1] if plays else -1


def move_fault(rules: Rules, way: Way, number: int, first: Card | None, over: bool) -> Fault:
    """The rule that a move of a way breaks; first: the top at the start."""
    move = way.moves[number]
    top = way.tops[number - 1] if number else way.start
    onto = way.moves[number - 1].card if number else first
    card = move.card
    supposed = move.supposed, number > 0 and way.moves[number - 1].supposed
    if move.column is None:
        rule = "over" if over else "play-first" if top == NONE else "play-possible"
        return Fault(rule, card, onto=onto, move=number, supposed=supposed)
    rank = card.value if card.rank else 0
    how = ""
    if top == 12 and not rules.wrap and (rules.on_king == "nothing" or rank == 12):
        rule = "on-king"
    elif top == DEAD_QUEEN and abs(12 - rank) == 1:
        rule = "on-queen"
    else:
        rule, how = "wrong-rank", "king" if top == 12 and not rules.wrap else ""
    return Fault(rule, card, move.column, onto=onto, move=number, how=how, supposed=supposed)


def _misplaced(m: Misplaced) -> Fault:
    how = {
        "inside-column": "under" if m.over else "",
        "from-discard": "column",
        "column-filled": "" if m.column is not None else "stock",
    }.get(m.rule, "")
    over = tuple(seen.card for seen in m.over)
    return Fault(m.rule, m.card.card, m.column, m.to, over=over, how=how)


def _extra(old: Table, new: Table, finding: Finding) -> Fault:
    card = finding.cards[0] if finding.cards else None
    held = old.stock_count if old.stock_count is not None else finding.draws.highest
    if finding.extra == "stock-empty" and finding.way:
        draws = [n for n, move in enumerate(finding.way.moves) if move.column is None]
        move = draws[held] if held < len(draws) else None
        numbers = (("needed", len(draws)), ("held", held))
        fault = Fault("stock-empty", move=move, how="counted", numbers=numbers)
        if move is None:
            return fault
        drawn = finding.way.moves[move]
        return replace(fault, card=drawn.card, supposed=(drawn.supposed, False))
    if finding.extra == "from-discard":
        top = old.discard[-1].card if old.discard else UNKNOWN
        same = bool(new.discard) and new.discard[-1].agrees(old.discard[-1])
        return Fault("from-discard", top, how="same" if same else "")
    if card is not None:
        return Fault("stock-twice", card, how="discarded")
    numbers = (("was", old.stock_count or 0), ("now", new.stock_count or 0))
    return Fault("stock-twice", how="grown", numbers=numbers)
