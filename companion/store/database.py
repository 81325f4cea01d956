"""An open store: its file or server, transactions, changes other clients made, and backups."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Engine, insert, select, update
from sqlalchemy.engine import Connection

from companion.store import backup, engines, migrations
from companion.store import schema as t
from companion.store.errors import StoreError, StoreReadOnly, said_plainly
from companion.store.location import Location, locate

BACKUP_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Changes:
    """What was written since a number: `seq` is the number to ask with next, `subjects` are (kind, id) pairs.

    Kinds are `round`, `player`, `game` and `scan`.
    """

    seq: int
    subjects: frozenset[tuple[str, str]]


class Database:
    """Opening, transactions, changes and backups; what is kept is in the classes built on this one."""

    def __init__(self, location: Location, engine: Engine, read_only: str | None) -> None:
        self.location = location
        self.read_only = read_only
        """Why the store cannot be written, as a sentence; None when it can."""
        self.warnings: tuple[str, ...] = ()
        """What did not work without being in the way, such as a backup on a full disk."""
        self._engine = engine
        self._listeners: list[Callable[[Changes], None]] = []

    @classmethod
    def open(
        cls, where: str | os.PathLike[str] | None = None, *, read_only: bool = False, backups: bool = True
    ) -> Self:
        """Open the store at a path, folder or URL (see `location.locate`), making or migrating it as needed.

        A store written by a newer version, or one that cannot be written, is opened for reading: see
        `read_only`. Raises `StoreDamaged` (with the backups that can be restored) or another `StoreError`.
        """
        location = locate(where)
        with said_plainly(str(location)):
            if location.path is None:
                return cls._open_server(location, read_only)
            return cls._open_file(location, location.path, read_only, backups)

    @classmethod
    def _open_server(cls, location: Location, read_only: bool) -> Self:
        assert location.url is not None
        engine = engines.server_engine(location.url)
        with engine.connect() as connection:
            version = migrations.read_version(connection)
        if version > migrations.LATEST:
            return cls(location, engine, _newer(version))
        if not read_only and version < migrations.LATEST:
            migrations.migrate(engine, backup.server_copy)
        return cls(location, engine, "the store was opened for reading only" if read_only else None)

    @classmethod
    def _open_file(cls, location: Location, path: Path, read_only: bool, backups: bool) -> Self:
        if not read_only:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"the store has no folder ({error.strerror}): {str(path.parent)!r}"
                ) from None
        backup.examine(path)
        if read_only or not _writable(path):
            if not path.exists():
                raise StoreError(f"there is no store and none can be made here: {str(path)!r}")
            reason = "the store was opened for reading only" if read_only else _locked(path)
            return cls(location, _reader(path), reason)
        fresh = not path.exists() or path.stat().st_size == 0
        engine = engines.file_engine(path)
        if fresh:
            engines.use_wal(engine)
        with engine.connect() as connection:
            version = migrations.read_version(connection)
        if version > migrations.LATEST:
            engine.dispose()
            return cls(location, _reader(path), _newer(version))
        if version < migrations.LATEST:
            engines.use_wal(engine)
            migrations.migrate(engine, lambda _, old: backup_before(path, old))
        store = cls(location, engine, None)
        if backups and not fresh:
            store.backup_if_due(BACKUP_EVERY)
        return store

    def close(self) -> None:
        """Close all connections. What was acknowledged is on disk already."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- transactions --------------------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """One moment of the store."""
        with said_plainly(str(self.location)), self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def _writing(self, kind: str, subject: str) -> Iterator[Connection]:
        """A change of one thing. Writers take turns: the counter's row is locked before anything is read.

        So the numbers of `changes` are seen in their order, and what a writer read is still true when it
        writes. After the block everything is on disk, or, after an error, nothing.
        """
        if self.read_only:
            raise StoreReadOnly(f"{self.read_only}: {str(self.location)!r}")
        writer = self._engine.execution_options(write=True)
        with said_plainly(str(self.location)), writer.begin() as connection:
            turn = update(t.counter).where(t.counter.c.id == 1).values(value=t.counter.c.value + 1)
            seq = connection.execute(turn.returning(t.counter.c.value)).scalar_one()
            yield connection
            connection.execute(insert(t.changes).values(seq=seq, kind=kind, subject=subject, at=now()))
        self._tell(Changes(seq, frozenset({(kind, subject)})))

    # --- changes -------------------------------------------------------------------------------------------

    @property
    def last_change(self) -> int:
        """Number of the last change by anybody; it only grows."""
        with self._reading() as connection:
            return int(connection.execute(select(t.counter.c.value)).scalar_one())

    def changes_since(self, seq: int) -> Changes:
        """What any client, in this process or another, wrote after change `seq`; cheap to ask often."""
        query = select(t.changes.c.seq, t.changes.c.kind, t.changes.c.subject).where(t.changes.c.seq > seq)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return Changes(
            max((row.seq for row in rows), default=seq), frozenset((row.kind, row.subject) for row in rows)
        )

    def subscribe(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        """Call `listener` after each change made through this object; returns what ends it.

        For the changes of other processes ask `changes_since`.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, changes: Changes) -> None:
        for listener in tuple(self._listeners):
            listener(changes)

    # --- backups -------------------------------------------------------------------------------------------

    def backup(self) -> Path:
        """Make a checked backup of the file now. A server is backed up by its own tools."""
        if self.location.path is None:
            raise StoreError(f"a server is backed up with pg_dump, not from here: {str(self.location)!r}")
        made = backup.make(self.location.path)
        backup.prune(self.location.path)
        return made

    def backups(self) -> tuple[Path, ...]:
        """Backups of this store that open and are whole, newest first."""
        return backup.good(self.location.path) if self.location.path else ()

    def backup_if_due(self, every: timedelta = BACKUP_EVERY) -> None:
        """Make a backup unless a newer one than `every` is there; trouble becomes one of `warnings`."""
        path = self.location.path
        if path is None or self.read_only:
            return
        try:
            if backup.due(path, every):
                self.backup()
        except (StoreError, OSError) as error:
            self.warnings = (*self.warnings, str(error))


def backup_before(path: Path, version: int) -> None:
    """The copy before a migration, without which there is no migration."""
    backup.make(path, f"-before-v{version + 1}")
    backup.prune(path)


def now() -> str:
    """The time as it is kept: UTC, milliseconds, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_id() -> str:
    return uuid.uuid4().hex


def _writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _reader(path: Path) -> Engine:
    """A reading connection, also where SQLite cannot make the files that go with a log."""
    log = path.with_name(path.name + "-wal")
    alone = not log.exists() or log.stat().st_size == 0
    return engines.file_engine(path, read_only=True, immutable=alone and not os.access(path.parent, os.W_OK))


def _newer(version: int) -> str:
    return (
        f"the store was written by a newer version of the companion (format {version}, this one knows "
        f"{migrations.LATEST}), so it is opened for reading only; update the companion to write"
    )


def _locked(path: Path) -> str:
    return f"the folder or file may not be written, so the store is opened for reading only ({path.parent})"
