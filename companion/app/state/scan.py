"""Scanning a table: the photo, what was read in it, the corrections; as read and as corrected are kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.app.services import pictures
from companion.app.services.reader import Reader
from companion.app.state.documents import dump_editor, load_editor
from companion.app.state.editor import Editor
from companion.app.state.memory import Memory
from companion.app.state.merge import keep_corrections, same_table
from companion.app.state.model import Model
from companion.app.state.table import Table, from_scan, to_scan
from companion.app.state.trouble import EXPECTED, Trouble
from companion.game import CompanionError, Rules

if TYPE_CHECKING:
    from companion.store import Store

LARGEST = 40 * 1024 * 1024
"""Bytes of a photo."""


class ScanState(Model):
    """The photo that is being read or corrected; `editor` is there once it was read."""

    def __init__(self, store: Store, memory: Memory, reader: Reader, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._memory = memory
        self._reader = reader
        self.purpose = "play"
        """What the next table is for: `play`, `check` or `draw`."""
        self.photo: bytes | None = None
        """The photo as shown, JPEG."""
        self.incoming: bytes | None = None
        """The photo that is being read, as shown; what was there before stays until it is."""
        self.whole = (1, 1)
        """Width and height, in pixels, that the indices of the cards are given in."""
        self.document: dict[str, Any] | None = None
        self.editor: Editor | None = None
        self.scan_id: str | None = None
        self.reading = False
        self.arriving: float | None = None
        """The share of a photo that has arrived, while it is sent."""
        self.started = 0.0
        self.seconds: float | None = None
        self.trouble: Trouble | None = None
        """Why the last photo could not be read."""
        self.kept = 0
        """How many corrections of an earlier scan were kept."""
        self.warnings: tuple[str, ...] = ()
        self._token = 0
        self._before: tuple[Table, Table] | None = None
        """The last table that was put away corrected: as read and as corrected."""
        self._recall()

    # --- reading -------------------------------------------------------------------------------------------

    async def read(self, photo: bytes, rules: Rules) -> bool:
        """Read a photo in a thread; True when there is a table to show. Cancelled or failed, it leaves what
        was there before; a fault of the program is raised, for the crash screen."""
        self._token += 1
        token = self._token
        self.reading, self.started, self.trouble, self.incoming = True, time.monotonic(), None, None
        self.arriving = None
        self.changed()
        try:
            if len(photo) > LARGEST:
                most = LARGEST >> 20
                raise CompanionError(f"a photo has at most {most} MB", code="photo-too-heavy", n=most)
            # The photo shows at once, long before it is read.
            # A server's reader does this too, in a process of its own.
            show = getattr(self._reader, "shown", pictures.shown)
            shown, _, whole = await asyncio.to_thread(show, photo)
            if token != self._token:
                return False
            self.incoming = shown
            self.changed()
            document = await asyncio.to_thread(self._reader.read, photo, rules.decks, rules.jokers)
            if token != self._token:
                return False
            self._show(document, from_scan(document), rules, hashlib.sha256(photo).hexdigest(), shown, whole)
        except Exception as error:
            if token != self._token:
                return False  # nobody waits for it any more
            self.reading, self.incoming = False, None
            self.trouble = Trouble.of(error) if isinstance(error, EXPECTED) else None
            self.changed()
            if self.trouble is None:
                raise
            return False
        return True

    def cancel(self) -> None:
        """Give up on the photo that is being read; what was there before is still there."""
        self._token += 1
        self.reading, self.incoming, self.arriving = False, None, None
        self.changed()

    def discard(self) -> None:
        """Put the photo and what was read away; the store keeps both readings, and a later photo of the
        same table the corrections."""
        self._token += 1
        self._put_by()
        self.photo = self.incoming = self.editor = self.document = self.scan_id = None
        self.reading, self.trouble, self.kept = False, None, 0
        self._keep()
        self.changed()

    def refuse(self, why: Trouble) -> None:
        """Say why no photo came."""
        self.trouble, self.arriving = why, None
        self.changed()

    def arrive(self, share: float) -> None:
        """So much of a photo has arrived, from 0 to 1."""
        self.arriving, self.trouble = share, None
        self.changed()

    def guide(self, warnings: tuple[str, ...]) -> None:
        """What the live picture is warned about."""
        if warnings != self.warnings:
            self.warnings = warnings
            self.changed()

    def aim_for(self, purpose: str) -> None:
        self.purpose = purpose
        self._keep()
        self.changed()

    def go_by(self, rules: Rules) -> None:
        """Judge the scanned table by other rules than when it was read; what lies on it stays."""
        if self.editor is not None and self.editor.rules != rules:
            self.editor.rules = rules
            self._keep()

    @property
    def problems(self) -> tuple[str, ...]:
        """The codes of what was wrong with the photo itself."""
        found = (self.document or {}).get("problems") or ()
        return tuple(str(problem.get("code")) for problem in found)

    @property
    def as_read(self) -> Table | None:
        return from_scan(self.document) if self.document else None

    # --- inside --------------------------------------------------------------------------------------------

    def _put_by(self) -> None:
        """Remember the table as read and as corrected, where something was corrected."""
        if self.editor is None or self.document is None or self.editor.table == from_scan(self.document):
            return
        self._before = from_scan(self.document), self.editor.table
        self._memory.save(
            "scan-before", {"read": self.document, "corrected": to_scan(self.editor.table, self.document)}
        )

    def _show(
        self,
        document: dict[str, Any],
        table: Table,
        rules: Rules,
        image: str,
        photo: bytes,
        whole: tuple[int, int],
    ) -> None:
        self._put_by()
        read, kept = table, 0
        if self._before and same_table(self._before[1], table):
            table = keep_corrections(*self._before, table, evidence=self.purpose == "check")
            kept = sum(slot.touched for _, slot in table.places())
        # The store first: where it refuses, nothing has changed.
        scan = self._store.add_scan(json.dumps(document), image=image).id
        if kept:
            self._store.edit_scan(scan, json.dumps(to_scan(table, document)))
        size = document.get("image") or {}
        if size.get("width") and size.get("height"):
            whole = (int(size["width"]), int(size["height"]))
        self.scan_id, self.document, self.kept = scan, document, kept
        self.photo, self.whole = photo, whole
        self.editor = Editor(rules, table, parent=self)
        if table != read:
            # What was kept can be taken back, as any other edit.
            self.editor.past = [(read, None)]
        self.editor.on_edit, self.editor.on_move = self._edited, self._keep
        self.reading, self.incoming = False, None
        self.seconds = time.monotonic() - self.started
        self._keep()
        self._memory.save_bytes("scan", self.photo)
        self.changed()

    def _edited(self) -> None:
        self._keep()
        if self.scan_id and self.editor:
            self._store.edit_scan(self.scan_id, json.dumps(to_scan(self.editor.table, self.document)))

    def _keep(self) -> None:
        if self.editor is None:
            self._memory.save("scan", {"purpose": self.purpose})
            self._memory.save_bytes("scan", None)
            return
        self._memory.save(
            "scan",
            {
                "document": self.document,
                "editor": dump_editor(self.editor),
                "scan": self.scan_id,
                "whole": self.whole,
                "purpose": self.purpose,
            },
        )

    def _recall(self) -> None:
        known: Mapping[str, Any] = self._memory.load("scan") or {}
        self._recall_before()
        try:
            self.purpose = str(known.get("purpose", "play"))
            if "editor" not in known:
                return
            self.document = dict(known["document"])
            self.editor = load_editor(known["editor"], self)
            self.editor.on_edit, self.editor.on_move = self._edited, self._keep
            self.scan_id = known["scan"]
            self.whole = (int(known["whole"][0]), int(known["whole"][1]))
            self.photo = self._memory.load_bytes("scan")
        except (ValueError, KeyError, TypeError):
            self.document = self.editor = self.photo = self.scan_id = None

    def _recall_before(self) -> None:
        before = self._memory.load("scan-before") or {}
        with suppress(ValueError, KeyError, TypeError):
            self._before = from_scan(before["read"]), from_scan(before["corrected"])
