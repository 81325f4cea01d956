"""Asking whether a table can follow from another. Runs in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.state.table import DISCARD, Table
from companion.game import UNKNOWN, Card, Rules

if TYPE_CHECKING:
    from companion.engine.audit import Fault, Reason


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that was broken: its code, the card that broke it, what it was put on, its column (from 0)."""

    rule: str
    card: Card | None = None
    onto: Card | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What is said about one step, from a table to the next.

    `verdict` is `legal`, `illegal`, `impossible` or `unreadable`; `cards` are those it is about; `moves` a
    way from one table to the other, in words of the game (`7H`, `draw 3C`); `look` the cards to look at
    again.
    """

    verdict: str
    draws: int = 0
    moves: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    cards: tuple[Card, ...] = ()
    look: tuple[Card, ...] = ()
    remedy: str = ""
    """`put-back`, `stands` or `void`, where something went wrong."""
    put_back: tuple[tuple[Card, str], ...] = ()
    """Cards to put back, in order, each with where it belongs, as `PutBack.belongs`."""
    reasons: tuple[Reason, ...] = ()
    """What is said of it, as codes with values; `sentences` says them."""


class Auditor(Protocol):
    """What checks play; `companion.engine` in the app, anything in a test."""

    def check(self, tables: Sequence[Table], rules: Rules) -> tuple[Finding, ...]:
        """A finding for each table after the first."""
        ...


class EngineAuditor:
    """The companion's own audit."""

    def check(self, tables: Sequence[Table], rules: Rules) -> tuple[Finding, ...]:
        from companion.engine import audit

        def seen(table: Table) -> audit.Table:
            doubts = {
                (None if place == DISCARD else place[0], place[1]): slot.alternatives or None
                for place, slot in table.places()
                if slot.card is UNKNOWN or not (slot.sure or slot.touched)
            }
            known = table.stock is not None
            # what a photo doesn't show may lie under another card: it accuses nobody
            return replace(
                audit.Table.of(table.position(rules), doubts, count_known=known), scanned=not known
            )

        return tuple(_finding(step) for step in audit.audit_tables([seen(table) for table in tables]).steps)


def _finding(step: object) -> Finding:
    from companion.engine.audit import Verdict

    assert isinstance(step, Verdict)
    remedy = step.remedy
    return Finding(
        step.verdict,
        step.draws or 0,
        tuple(f"draw {move.card}" if move.column is None else str(move.card) for move in step.moves),
        tuple(map(_broken, step.faults)),
        step.cards,
        tuple(ask.read for ask in step.ask),
        remedy.kind if remedy else "",
        tuple(dict.fromkeys((back.card, back.belongs) for back in remedy.back)) if remedy else (),
        step.reasons,
    )


def _broken(fault: Fault) -> Broken:
    """A broken rule; of a card that was drawn unseen the suit is a guess, so it isn't named."""
    card, onto = (
        None if guess else one for one, guess in zip((fault.card, fault.onto), fault.supposed, strict=True)
    )
    return Broken(fault.rule, card, onto, fault.column)


def sentences(
    finding: Finding, language: str, card: Callable[[Card], str], codes: Collection[str] = ()
) -> str:
    """What is said of a step, or only the reasons with those codes; card: how cards are written."""
    from companion.engine.audit import say

    said = [say(reason, language, card) for reason in finding.reasons if not codes or reason.code in codes]
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in said)


def dump_value(value: object) -> Any:
    """A reason, or what it is about, as JSON: `{"TYPE": ...}` where JSON has no such type."""
    from companion.engine.audit.words import Guess, Ranks, Reason

    if isinstance(value, Reason):
        return {"reason": value.code, "values": [[name, dump_value(one)] for name, one in value.values]}
    if isinstance(value, Ranks):
        return {"ranks": [list(rank) for rank in value.ranks]}
    if isinstance(value, Guess):
        return {"guess": str(value.card)}
    if isinstance(value, Card):
        return {"card": str(value)}
    return {"all": [*map(dump_value, value)]} if isinstance(value, tuple) else value


def load_value(found: Any) -> Any:
    """The value of `dump_value`. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    from companion.engine.audit.words import Guess, Ranks, Reason

    if not isinstance(found, dict):
        return found
    if "reason" in found:
        return Reason(str(found["reason"]), tuple((str(n), load_value(one)) for n, one in found["values"]))
    if "ranks" in found:
        return Ranks(tuple((int(rank), int(count)) for rank, count in found["ranks"]))
    if "guess" in found:
        return Guess(Card.parse(found["guess"]))
    return Card.parse(found["card"]) if "card" in found else tuple(map(load_value, found["all"]))
