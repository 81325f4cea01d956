"""Tables, editors and findings as plain data, for the device's memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.services.auditor import Broken, Finding
from companion.app.state.editor import Editor
from companion.app.state.model import Model
from companion.app.state.table import Place, Table, from_scan, to_scan
from companion.game import Card, Rules

KEPT = 12
"""Tables of the history that a restart finds again, each way."""


def dump_editor(editor: Editor) -> dict[str, Any]:
    """The table, the cursor, and the last tables of the history."""
    return {
        "rules": str(editor.rules),
        "table": to_scan(editor.table),
        "filling": editor.filling,
        "cursor": editor.cursor,
        "rank": editor.rank,
        "moving": editor.moving,
        "past": [to_scan(table) for table, _ in editor.past[-KEPT:]],
        "future": [to_scan(table) for table, _ in editor.future[-KEPT:]],
    }


def load_editor(document: Mapping[str, Any], parent: Model | None = None) -> Editor:
    """The editor of a document. Raises `ValueError` or `KeyError` for one that can't be read."""
    editor = Editor(
        Rules.parse(document["rules"]),
        _table(document["table"]),
        filling=bool(document["filling"]),
        parent=parent,
    )
    editor.cursor, editor.moving = _place(document.get("cursor")), _place(document.get("moving"))
    editor.rank = str(document["rank"]) if document.get("rank") else None
    editor.past = [(_table(table), None) for table in document.get("past", ())]
    editor.future = [(_table(table), None) for table in document.get("future", ())]
    return editor


def _place(found: Any) -> Place | None:
    return (int(found[0]), int(found[1])) if found else None


def _table(document: Mapping[str, Any]) -> Table:
    return from_scan(document)


def dump_finding(finding: Finding) -> dict[str, Any]:
    """A finding of a check as JSON; cards by their names."""
    broken = [
        {
            "rule": fault.rule,
            "card": _name(fault.card),
            "onto": _name(fault.onto),
            "column": fault.column,
        }
        for fault in finding.broken
    ]
    return {
        "verdict": finding.verdict,
        "draws": finding.draws,
        "moves": list(finding.moves),
        "broken": broken,
        "cards": [str(card) for card in finding.cards],
        "look": [str(card) for card in finding.look],
        "remedy": finding.remedy,
        "put_back": [[str(card), where] for card, where in finding.put_back],
    }


def load_finding(document: Mapping[str, Any]) -> Finding:
    """The finding of a document. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    return Finding(
        str(document["verdict"]),
        int(document["draws"]),
        tuple(map(str, document["moves"])),
        tuple(
            Broken(str(fault["rule"]), _card(fault["card"]), _card(fault["onto"]), fault["column"])
            for fault in document["broken"]
        ),
        tuple(map(Card.parse, document["cards"])),
        tuple(map(Card.parse, document["look"])),
        str(document["remedy"]),
        tuple((Card.parse(card), str(where)) for card, where in document["put_back"]),
    )


def _name(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _card(name: str | None) -> Card | None:
    return None if name is None else Card.parse(name)
