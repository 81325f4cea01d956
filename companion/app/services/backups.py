"""The backups beside a store: which there are, and bringing one back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.store import Store


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the store. `day` is `YYYY-MM-DD` and `time` `HH:MM`, UTC; empty where its name tells none."""

    path: Path
    day: str = ""
    time: str = ""


def backups(store: Store, most: int = 5) -> tuple[Backup, ...] | None:
    """The newest backups, the last one first; None for a store on a server, which has its own."""
    from companion.store import backup

    place = store.location.path
    return None if place is None else tuple(map(_named, backup.found(place)[:most]))


def bring_back(store: Store, backup: Backup) -> None:
    """Merge a backup into the store, as an import does: what was written since stays."""
    from companion.store import Store

    with Store.open(backup.path, read_only=True, backups=False) as copy:
        store.merge(copy.archive())


def _named(path: Path) -> Backup:
    stamp = path.stem.split("-")[1] if "-" in path.stem else ""
    if len(stamp) <= 12:
        return Backup(path)
    return Backup(path, f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}", f"{stamp[9:11]}:{stamp[11:13]}")
