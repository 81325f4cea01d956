"""Checking play: tables one after another, and what is said about each step."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.app.services.auditor import Auditor, Finding
from companion.app.state.findings import dump_finding, load_finding
from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.table import Table, from_scan, to_scan
from companion.app.state.trouble import EXPECTED, Trouble
from companion.game import Rules

MOST = 12
"""Tables in a check."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One table of a check; `source` is `photo`, `game` or `typed`."""

    table: Table
    source: str = "photo"
    number: int = 0
    """Names the picture in the device's memory."""


class CheckState(Model):
    """The tables in their order, and the findings once they were checked."""

    def __init__(self, memory: Memory, auditor: Auditor, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._auditor = auditor
        self.shots: tuple[Shot, ...] = ()
        self.photos: dict[int, bytes] = {}
        self.findings: tuple[Finding, ...] | None = None
        self.checking = False
        self.by = ""
        """Whose rules were chosen, a key of `AppState.check_rules`; empty for the first of them."""
        self.trouble: Trouble | None = None
        self._token = 0
        self._next = 1
        self._recall()

    @property
    def ready(self) -> bool:
        return len(self.shots) >= 2 and not self.checking

    @property
    def verdict(self) -> str | None:
        """The worst finding: `illegal`, `impossible`, `unreadable` or `legal`; None while unchecked."""
        if self.findings is None:
            return None
        found = {finding.verdict for finding in self.findings}
        return next((word for word in ("illegal", "impossible", "unreadable") if word in found), "legal")

    def go_by(self, whose: str) -> None:
        """Choose whose rules the check goes by; what was found by others is forgotten."""
        self.by = whose
        self._changed_tables()

    def add(self, table: Table, source: str, photo: bytes | None = None) -> None:
        """Append a table; only `MOST` are taken."""
        if len(self.shots) >= MOST:
            self.trouble = Trouble("check-full", values={"n": MOST})
            self.changed()
            return
        shot = Shot(table, source, self._next)
        self._next += 1
        if photo:
            self.photos[shot.number] = photo
            self._memory.save_bytes(f"check-{shot.number}", photo)
        self.shots = (*self.shots, shot)
        self._changed_tables()

    def replace_table(self, at: int, table: Table) -> None:
        """The table of a shot after a correction."""
        self.shots = (*self.shots[:at], replace(self.shots[at], table=table), *self.shots[at + 1 :])
        self._changed_tables()

    def remove(self, at: int) -> None:
        self._forget(self.shots[at])
        self.shots = (*self.shots[:at], *self.shots[at + 1 :])
        self._changed_tables()

    def move(self, at: int, by: int) -> None:
        """Exchange a table with its neighbour."""
        to = at + by
        if not 0 <= to < len(self.shots):
            return
        order = list(self.shots)
        order[at], order[to] = order[to], order[at]
        self.shots = tuple(order)
        self._changed_tables()

    def clear(self) -> None:
        for shot in self.shots:
            self._forget(shot)
        self.shots = ()
        self._changed_tables()

    async def check(self, rules: Rules) -> None:
        """Check every step, in a thread."""
        if not self.ready:
            return
        self._token += 1
        token = self._token
        self.checking, self.trouble, self.findings = True, None, None
        self.changed()
        tables = [shot.table for shot in self.shots]
        try:
            findings = await asyncio.to_thread(self._auditor.check, tables, rules)
        except Exception as error:
            if token != self._token:
                return
            self.checking = False
            self.trouble = Trouble.of(error) if isinstance(error, EXPECTED) else None
            self.changed()
            if self.trouble is None:
                raise
            return
        if token == self._token:
            self.checking, self.findings = False, findings
            self._keep()
            self.changed()

    def cancel(self) -> None:
        self._token += 1
        self.checking = False
        self.changed()

    # --- inside --------------------------------------------------------------------------------------------

    def _forget(self, shot: Shot) -> None:
        self.photos.pop(shot.number, None)
        self._memory.save_bytes(f"check-{shot.number}", None)

    def _changed_tables(self) -> None:
        self._token += 1
        self.findings, self.checking, self.trouble = None, False, None
        self._keep()
        self.changed()

    def _keep(self) -> None:
        self._memory.save(
            "check",
            {
                "next": self._next,
                "by": self.by,
                "findings": None if self.findings is None else [*map(dump_finding, self.findings)],
                "shots": [
                    {"table": to_scan(shot.table), "source": shot.source, "number": shot.number}
                    for shot in self.shots
                ],
            },
        )

    def _recall(self) -> None:
        known: Mapping[str, Any] = self._memory.load("check") or {}
        try:
            self.shots = tuple(
                Shot(from_scan(shot["table"]), str(shot["source"]), int(shot["number"]))
                for shot in known.get("shots", ())
            )
            self._next = int(known.get("next", 1))
            self.by = str(known.get("by", ""))
            if known.get("findings") is not None:
                self.findings = tuple(map(load_finding, known["findings"]))
        except (ValueError, KeyError, TypeError):
            self.shots, self.findings = (), None
        for shot in self.shots:
            if photo := self._memory.load_bytes(f"check-{shot.number}"):
                self.photos[shot.number] = photo
