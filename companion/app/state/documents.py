"""Editors and hints as plain data, for the device's memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.services.adviser import Hint, Line
from companion.app.state.editor import Editor
from companion.app.state.model import Model
from companion.app.state.table import Place, Table, from_scan, to_scan
from companion.game import Card, Draw, Move, Play, Rules

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


def dump_hint(hint: Hint) -> dict[str, Any]:
    """A hint as JSON: of each move its column, none for a draw, and a joker's rank."""
    return {
        "lines": [
            {
                "column": line.move.column if isinstance(line.move, Play) else None,
                "rank": line.move.rank if isinstance(line.move, Play) else None,
                "card": str(line.card) if line.card else None,
                "figures": [line.strokes, line.clear, line.at_most],
            }
            for line in hint.lines
        ],
        "run": [str(card) for card in hint.run],
        "exact": hint.exact,
        "aim": hint.aim,
    }


def load_hint(document: Mapping[str, Any]) -> Hint:
    """The hint of a document. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""

    def line(found: Mapping[str, Any]) -> Line:
        column, rank, card = found["column"], found["rank"], found["card"]
        move: Move = Draw() if column is None else Play(int(column), None if rank is None else int(rank))
        strokes, clear, at_most = found["figures"]
        return Line(move, Card.parse(card) if card else None, float(strokes), float(clear), at_most)

    return Hint(
        tuple(map(line, document["lines"])),
        tuple(map(Card.parse, document["run"])),
        bool(document["exact"]),
        str(document["aim"]),
    )
