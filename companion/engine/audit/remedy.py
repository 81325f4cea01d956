"""Putting a wrong move right: what goes back where while that is still possible, and what stands otherwise.

`put_back`: a wrong card goes back if that is noticed before the next move; later the cards stay where they
are.  `void_hole`: the hole doesn't count.
"""

from __future__ import annotations

from companion.engine.audit.step import Finding, Misplaced
from companion.engine.audit.tables import Seen, Table
from companion.engine.audit.verdict import Fault, PutBack, Remedy, drawn_from


def remedy(old: Table, new: Table, finding: Finding, faults: tuple[Fault, ...]) -> Remedy:
    """How the faults of a step are put right under the rules that were agreed."""
    if old.rules.illegal_move == "void_hole":
        return Remedy("void")
    back: list[PutBack] = []
    stood: list[Fault] = []
    sure = True
    for fault in faults:
        misplaced = next(
            (m for m in finding.misplaced if m.card.card is fault.card and m.rule == fault.rule), None
        )
        one = _misplaced(misplaced, old, new, finding) if misplaced else _moved(fault, finding, new)
        if one is None:
            stood.append(fault)
            continue
        back.append(one)
        sure = sure and _is_last(fault, finding)
    if stood and (finding.misplaced or not back or not _seen(finding)):
        return _stands(faults)
    # Of several wrong moves the last one can be put right alone.
    return Remedy("put-back", tuple(back), sure, _stands(tuple(stood)).cards, others=bool(stood))


def repaired(new: Table, back: tuple[PutBack, ...], top: Seen | None) -> Table | None:
    """The table with the cards put back; top: what then lies on the discard.  None where that isn't known."""
    columns = [list(column) for column in new.columns]
    discard = list(new.discard)
    count = new.stock_count
    for one in back:
        if one.lies == "the discard":
            if not discard:
                return None
            card = discard.pop()
        else:
            number = _number(one.lies)
            if not 0 <= number < len(columns) or not columns[number]:
                return None
            card = columns[number].pop()
        if one.belongs == "discard":
            discard.append(card)
        elif one.belongs == "stock":
            count = None if count is None else count + 1
        elif one.belongs != "before":
            number = _number(one.belongs)
            if number >= len(columns):
                return None
            at = len(columns[number]) - len(one.under)
            columns[number].insert(at, card)
    if not discard and top is not None:
        discard = [top]
    return Table(new.rules, tuple(map(tuple, columns)), tuple(discard), None, count)


def _seen(finding: Finding) -> bool:
    """Whether all that was put on the discard can be seen there, so that its order is none of many."""
    moves = finding.way.moves if finding.way else ()
    return finding.question is not None and len(finding.question.after) >= len(moves)


def _stands(faults: tuple[Fault, ...]) -> Remedy:
    return Remedy(
        "stands", cards=tuple(fault.card for fault in faults if fault.card and not fault.supposed[0])
    )


def _is_last(fault: Fault, finding: Finding) -> bool:
    """Whether nothing else can have been moved after it."""
    moves = finding.way.moves if finding.way else ()
    if fault.move is not None:
        return fault.move == len(moves) - 1 and not finding.misplaced
    others = len(moves) - (1 if fault.rule == "inside-column" else 0)
    return others == 0


def _moved(fault: Fault, finding: Finding, new: Table) -> PutBack | None:
    """A card that lies on the discard and doesn't belong there, if it lies on top."""
    if fault.move is None or finding.way is None or fault.card is None:
        if (
            fault.rule == "from-discard"
            and fault.card is not None
            and not (finding.way and finding.way.moves)
        ):
            return PutBack(fault.card, "your hand", "discard")
        return None
    if fault.move != len(finding.way.moves) - 1:
        return None
    belongs = drawn_from(fault.rule) if fault.column is None else f"column {fault.column + 1}"
    return PutBack(fault.card, "the discard", belongs)


def _misplaced(m: Misplaced, old: Table, new: Table, finding: Finding) -> PutBack | None:
    card = m.card.card
    alignment = finding.alignment
    assert alignment is not None
    if m.rule == "inside-column":
        on_top = bool(new.discard) and new.discard[-1].agrees(m.card)
        change = next(change for change in alignment.changes if change.before == m.column)
        still = tuple(seen.card for seen in m.over if seen not in change.gone)
        gone = [seen for seen in m.over if seen in change.gone]
        if not on_top or gone:
            return None
        return PutBack(card, "the discard", f"column {(m.column or 0) + 1}", still)
    lies = _column_now(m, finding)
    if lies is None or not lies[1] or not lies[1][-1].agrees(m.card):
        return None
    where = f"column {lies[0] + 1}"
    if m.column is not None:
        change = next(change for change in alignment.changes if change.before == m.column)
        if change.added or change.inner or not change.gone or change.gone[0] != m.card:
            return None
        return PutBack(card, where, f"column {m.column + 1}")
    if m.rule == "from-discard":
        return None if finding.way and finding.way.moves else PutBack(card, where, "discard")
    return PutBack(card, where, "stock")


def _column_now(m: Misplaced, finding: Finding) -> tuple[int, tuple[Seen, ...]] | None:
    """The column a card was put on, and the cards that were put there."""
    assert finding.alignment is not None
    for change in finding.alignment.changes:
        if change.before == m.to and change.added:
            return change.after if change.after is not None else change.before, change.added
    for number, cards in finding.alignment.extra:
        if any(card.agrees(m.card) for card in cards):
            return number, cards
    return None


def _number(place: str) -> int:
    """The column from 0 that a place names, -1 for another place."""
    return int(place.split()[-1]) - 1 if place.startswith("column") else -1
