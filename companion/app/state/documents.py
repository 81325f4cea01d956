"""Tables and editors as plain data, for the device's memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.state.editor import Editor
from companion.app.state.model import Model
from companion.app.state.table import Table, from_scan, to_scan
from companion.game import Rules

KEPT = 12
"""Tables of the history that a restart finds again, each way."""


def dump_editor(editor: Editor) -> dict[str, Any]:
    """The table, the cursor, and the last tables of the history."""
    return {
        "rules": str(editor.rules),
        "table": to_scan(editor.table),
        "filling": editor.filling,
        "cursor": editor.cursor,
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
    cursor = document.get("cursor")
    editor.cursor = (int(cursor[0]), int(cursor[1])) if cursor else None
    editor.past = [(_table(table), None) for table in document.get("past", ())]
    editor.future = [(_table(table), None) for table in document.get("future", ())]
    return editor


def _table(document: Mapping[str, Any]) -> Table:
    return from_scan(document)
