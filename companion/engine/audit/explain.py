"""A finding in words: the rule and the move that broke it, and how to put it right."""

from __future__ import annotations

from companion.engine.audit.remedy import remedy
from companion.engine.audit.step import Finding, Misplaced
from companion.engine.audit.tables import Table
from companion.engine.audit.verdict import RULES, Fault, Placed, Verdict
from companion.engine.audit.ways import Way
from companion.engine.tops import DEAD_QUEEN, NONE
from companion.game import UNKNOWN, Card, Rules


def explain(old: Table, new: Table, finding: Finding) -> Verdict:
    """The verdict that a finding gives on the step from one table to the next."""
    moves = finding.way.moves if finding.way else ()
    draws = finding.way.draws if finding.way else None
    if finding.kind == "legal":
        return Verdict("legal", _told(moves), draws, moves, tuple(move.card for move in moves))
    if finding.kind == "undecided":
        return Verdict("unreadable", "the search met its limit before it was decided")
    if finding.kind == "impossible":
        return Verdict("impossible", f"not the same deal: {finding.why}", cards=finding.cards)
    faults = tuple(_faults(old, new, finding))
    if not faults:
        return Verdict("impossible", f"not the same deal: {finding.why}", cards=finding.cards)
    cards = tuple(fault.card for fault in faults if fault.card)
    why = "; ".join(fault.message for fault in faults)
    return Verdict("illegal", why, draws, moves, cards, faults, remedy(old, new, finding, faults))


def _told(moves: tuple[Placed, ...]) -> str:
    plays = sum(move.column is not None for move in moves)
    if not moves:
        return "nothing has changed"
    words = []
    if plays:
        words.append(plural(plays, "play"))
    if len(moves) - plays:
        words.append(plural(len(moves) - plays, "draw"))
    return f"{' and '.join(words)} {'explains' if len(moves) == 1 else 'explain'} it"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
    if move.column is None:
        rule = "over" if over else "play-first" if top == NONE else "play-possible"
        message = {
            "over": f"{card} was drawn after the hole was over",
            "play-first": f"{card} was drawn, where a card of the tableau opens the discard",
            "play-possible": f"{card} was drawn on {onto}, though a card could be played",
        }[rule]
        return Fault(rule, message, card, None, None, onto, number)
    rank = card.value if card.rank else 0
    put = f"{card} from column {move.column + 1} was put on {onto}"
    if top == 12 and not rules.wrap and (rules.on_king == "nothing" or rank == 12):
        return Fault("on-king", f"{put}: nothing may follow a king", card, move.column, None, onto, number)
    if top == DEAD_QUEEN and abs(12 - rank) == 1:
        message = f"{put}: nothing may follow a queen that lies on a king"
        return Fault("on-queen", message, card, move.column, None, onto, number)
    why = (
        "only a queen may follow a king"
        if top == 12 and not rules.wrap
        else ("only a card one rank higher or lower fits")
    )
    return Fault("wrong-rank", f"{put}: {why}", card, move.column, None, onto, number)


def _misplaced(m: Misplaced) -> Fault:
    card = m.card.card
    source = f"column {m.column + 1}" if m.column is not None else "the stock"
    to = f"column {m.to + 1}" if m.to is not None else "the discard"
    message = {
        "inside-column": f"{card} was taken from the inside of {source}",
        "between-columns": f"{card} was moved from {source} to {to}",
        "onto-column": f"{card} was put on {to}",
        "from-discard": f"{card} was taken back from the discard to {to}",
        "column-filled": f"{card} from {source} was put on {to}, which was empty",
    }[m.rule]
    if m.rule == "inside-column" and m.over:
        message += f", from under {', '.join(str(seen.card) for seen in m.over)}"
    return Fault(m.rule, message, card, m.column, m.to)


def _extra(old: Table, new: Table, finding: Finding) -> Fault:
    card = finding.cards[0] if finding.cards else None
    held = old.stock_count if old.stock_count is not None else finding.draws.highest
    if finding.extra == "stock-empty" and finding.way:
        draws = [n for n, move in enumerate(finding.way.moves) if move.column is None]
        move = draws[held] if held < len(draws) else None
        drawn = finding.way.moves[move].card if move is not None else None
        message = f"it takes {plural(len(draws), 'draw')}, but the stock held {plural(held, 'card')}"
        return Fault("stock-empty", message, drawn, move=move)
    if finding.extra == "from-discard":
        top = old.discard[-1].card if old.discard else UNKNOWN
        if new.discard and new.discard[-1].agrees(old.discard[-1]):
            message = f"{top} lies on top as before, though cards have left the columns"
        else:
            message = f"{top} was taken back from the discard"
        return Fault("from-discard", message, top)
    if card is not None:
        message = f"{card} lay in the discard already and is on top again: {RULES['stock-twice']}"
        return Fault("stock-twice", message, card)
    message = f"the stock held {old.stock_count} and holds {new.stock_count} now: it was gone through twice"
    return Fault("stock-twice", message)
