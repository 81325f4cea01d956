"""Forward-only steps from each version of the store to the next.

A step is never edited once it has shipped: it builds on what the one before left, not on `schema`. Each
runs in one transaction together with the new version number, after a verified backup.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine, inspect, text
from sqlalchemy.engine import Connection

from companion.store.errors import StoreError
from companion.store.migrations import v1, v2, v3

STEPS: tuple[Callable[[Connection], None], ...] = (v1.upgrade, v2.upgrade, v3.upgrade)
LATEST = len(STEPS)

APPLICATION_ID = 0x476F6C66
"""`Golf`, in the header of the SQLite file."""
_LOCK = 0x476F6C66


def read_version(connection: Connection) -> int:
    """Version of the store, 0 for an empty one. Raises `StoreError` for a database of something else."""
    tables = set(inspect(connection).get_table_names())
    if connection.dialect.name == "sqlite":
        ours = connection.exec_driver_sql("PRAGMA application_id").scalar_one() == APPLICATION_ID
        number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        strangers = tables
    else:
        ours = "companion_version" in tables
        query = text("SELECT max(version) FROM companion_version")
        number = connection.execute(query).scalar() if ours else 0
        strangers = tables & {"players", "rules", "rounds", "entries", "events", "games", "scans", "changes"}
    if strangers and not ours:
        raise StoreError(f"this database holds something else, not rounds of golf: {min(strangers)!r}")
    return int(number or 0)


def write_version(connection: Connection, version: int) -> None:
    """Set the version inside the transaction of its step."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {version:d}")
        return
    connection.execute(text("CREATE TABLE IF NOT EXISTS companion_version (version INTEGER NOT NULL)"))
    connection.execute(text("DELETE FROM companion_version"))
    connection.execute(text("INSERT INTO companion_version VALUES (:version)"), {"version": version})


def migrate(engine: Engine, backup: Callable[[Connection, int], None], until: int = LATEST) -> int:
    """Bring a store to version `until`, one step a transaction; returns the version it has then.

    `backup(connection, version)` is called inside the transaction before a step changes a store that already
    has a version, and raises if it cannot make a copy that opens. Several programs may do this at once.
    """
    had: int | None = None
    while True:
        with engine.execution_options(write=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            version = read_version(connection)
            had = version if had is None else had
            if version >= until:
                return version
            if had:
                backup(connection, version)
            STEPS[version](connection)
            write_version(connection, version + 1)
