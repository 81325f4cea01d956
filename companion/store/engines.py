"""Connections: SQLite so that an acknowledged stroke is on disk, and PostgreSQL for a club."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, Connection
from sqlalchemy.pool import QueuePool

from companion.store.errors import StoreError

WAIT_SECONDS = 20
"""How long a writer waits for another one."""


def file_engine(path: Path, *, read_only: bool = False, immutable: bool = False) -> Engine:
    """SQLite in WAL mode; a transaction marked `write=True` takes the write lock at once.

    Taking it at the start is what makes reading the round and adding to it one step among several processes.
    `immutable` reads a file in a folder where nothing can be created.
    """
    mode = "ro" if read_only else "rwc"
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}" + ("&immutable=1" if immutable else "")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA trusted_schema=OFF")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=16)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def use_wal(engine: Engine) -> None:
    """Switch a SQLite file to WAL. The switch is refused while others read, without waiting: try again."""
    give_up = time.monotonic() + WAIT_SECONDS
    raw = engine.raw_connection()
    try:
        while True:
            try:
                raw.cursor().execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
    finally:
        raw.close()


def server_engine(url: URL) -> Engine:
    """PostgreSQL; every write is confirmed by its disk before it is acknowledged."""
    options: dict[str, Any] = {"connect_timeout": 10, "application_name": "golf-patience-companion"}
    wanted = f"-c lock_timeout={WAIT_SECONDS}s -c synchronous_commit=on -c timezone=UTC"
    given = url.query.get("options", "")  # such as a search_path, where a club shares its database
    options["options"] = f"{given if isinstance(given, str) else ' '.join(given)} {wanted}".strip()
    url = url.difference_update_query(["options"])
    try:
        return create_engine(url, connect_args=options, pool_pre_ping=True, pool_size=4, max_overflow=16)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"PostgreSQL needs the extra 'golf-patience-companion[postgres]' to be installed: {error.name!r}"
        ) from None
