"""Copies of the store: made while it is in use, opened and checked, never silently put in its place."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

from companion.store.errors import StoreDamaged, StoreError

KEEP_NEWEST = 10
KEEP_WEEKS = 8
KEEP_MIGRATIONS = 5
_BEFORE = "-before-v"


def folder(path: Path) -> Path:
    """Where the backups of a store lie."""
    return path.parent / "backups"


def make(path: Path, note: str = "") -> Path:
    """Copy the store as it is at one moment, check the copy, and only then give it its name.

    Writers go on meanwhile. Raises `StoreError` when no good copy could be made; no half copy is left.
    """
    target = folder(path) / f"{path.stem}-{_stamp()}{note}{path.suffix}"
    draft = target.with_name(target.name + ".part")
    try:
        target.parent.mkdir(exist_ok=True)
        draft.unlink(missing_ok=True)
        with closing(sqlite3.connect(_uri(path, "rw"), uri=True, timeout=20, isolation_level=None)) as source:
            source.execute("BEGIN")  # one moment: the counts and the copy see the same rows
            counts = _counts(source)
            with closing(sqlite3.connect(draft)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
        if check(draft) != counts:
            raise StoreError(f"the backup did not hold what the store holds: {target.name!r}")
        _to_disk(draft)
        draft.replace(target)
        _to_disk(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"no backup could be made ({error}): {str(target)!r}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return target


def check(path: Path) -> dict[str, int]:
    """Open a copy, check every page, index and reference; returns its rows a table. Raises `StoreError`."""
    try:
        with closing(sqlite3.connect(_uri(path, "ro"), uri=True)) as copy:
            verdict = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
            astray = copy.execute("PRAGMA foreign_key_check").fetchone()
            if verdict != "ok" or astray:
                raise StoreError(f"the copy is damaged ({verdict}): {path.name!r}")
            return _counts(copy)
    except sqlite3.Error as error:
        raise StoreError(f"the copy cannot be read ({error}): {path.name!r}") from error


def found(path: Path) -> tuple[Path, ...]:
    """Backups of a store, newest first, unchecked."""
    names = folder(path).glob(f"{path.stem}-*{path.suffix}")
    return tuple(sorted(names, key=lambda file: file.name, reverse=True))


def good(path: Path) -> tuple[Path, ...]:
    """Backups of a store that open and are whole, newest first."""
    whole = []
    for file in found(path):
        with suppress(StoreError):
            check(file)
            whole.append(file)
    return tuple(whole)


def due(path: Path, every: timedelta) -> bool:
    """True when the newest backup is older than `every`, or older than the last change and there is none."""
    newest = max((file.stat().st_mtime for file in found(path)), default=0.0)
    written = max(
        (file.stat().st_mtime for file in (path, path.with_name(path.name + "-wal")) if file.exists()),
        default=0.0,
    )
    return written > newest and datetime.now(UTC).timestamp() - newest > every.total_seconds()


def prune(path: Path) -> None:
    """Keep the newest copies, one of each of the last weeks, and the last ones before a migration."""
    files = found(path)
    keep = [file for file in files if _BEFORE in file.name][:KEEP_MIGRATIONS]
    daily = [file for file in files if _BEFORE not in file.name]
    keep += daily[:KEEP_NEWEST]
    weeks: dict[str, Path] = {}
    for file in daily:
        day = datetime.strptime(file.name[len(path.stem) + 1 :][:8], "%Y%m%d")
        weeks.setdefault(day.strftime("%G-%V"), file)
    keep += list(weeks.values())[:KEEP_WEEKS]
    for file in files:
        if file not in keep:
            with suppress(OSError):
                file.unlink()


def restore(path: Path, copy: Path | None = None) -> tuple[Path, tuple[Path, ...]]:
    """Put a good backup (the newest by default) where the store is; what was there is set aside, not deleted.

    No program may have the store open. Returns the backup taken and the files set aside.
    """
    candidates = (copy,) if copy else good(path)
    if not candidates:
        raise StoreError(f"there is no good backup in {str(folder(path))!r}")
    source = candidates[0]
    check(source)
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_bytes(source.read_bytes())
        _to_disk(draft)
        aside = set_aside(path)
        draft.replace(path)
        _to_disk(path.parent)
    except OSError as error:
        raise StoreError(f"the backup could not be put in place ({error}): {str(path)!r}") from error
    return source, aside


def set_aside(path: Path) -> tuple[Path, ...]:
    """Rename a store and what belongs to it; the log goes first, so that it never meets another store."""
    moved = []
    stamp = _stamp()
    for suffix in ("-wal", "-shm", ""):
        file = path.with_name(path.name + suffix)
        if file.exists():
            moved.append(file.rename(path.with_name(f"{path.name}.damaged-{stamp}{suffix}")))
    return tuple(moved)


def examine(path: Path) -> None:
    """Raise `StoreDamaged` when the store is damaged, is no database, or is gone with backups left."""
    lost = path.with_name(path.name + "-wal")
    if not path.exists():
        if found(path) or lost.exists():
            copies = good(path)
            raise StoreDamaged(f"the store is gone, {_offer(copies)}: {str(path)!r}", path, copies)
        return
    if path.stat().st_size == 0:
        return
    try:
        with closing(sqlite3.connect(_uri(path, "ro"), uri=True, timeout=20)) as store:
            verdict = store.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_READONLY")):
            return
        verdict = str(error)
    if verdict != "ok":
        copies = good(path)
        raise StoreDamaged(
            f"the store is damaged ({verdict.splitlines()[0]}), {_offer(copies)}: {str(path)!r}", path, copies
        )


def server_copy(connection: Connection, version: int) -> None:
    """PostgreSQL: copy every table into a schema of its own, in the transaction of the migration."""
    schema = f"companion_before_v{version + 1}_{_stamp().lower()}"
    connection.execute(text(f"CREATE SCHEMA {schema}"))
    for table in inspect(connection).get_table_names():
        connection.execute(text(f'CREATE TABLE {schema}."{table}" AS TABLE "{table}"'))
        same = connection.execute(
            text(f'SELECT (SELECT count(*) FROM {schema}."{table}") = (SELECT count(*) FROM "{table}")')
        ).scalar_one()
        if not same:
            raise StoreError(f"the backup before the migration is not complete: {table!r}")


def _offer(copies: tuple[Path, ...]) -> str:
    if not copies:
        return "and there is no good backup"
    return f"the newest good backup is {copies[0].name}, 'companion round restore' brings it back"


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in tables
    } | {"version": connection.execute("PRAGMA user_version").fetchone()[0]}


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")[:-3] + "Z"


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _to_disk(path: Path) -> None:
    """Flush a file, or the names in a folder, where the system can; Windows opens no folders."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
