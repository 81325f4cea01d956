"""Version 3: rounds of the grid game, and a history that the database itself does not let anybody rewrite."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.engine import Connection

_KEPT = ("entries", "events", "game_steps", "scan_edits")


def upgrade(connection: Connection) -> None:
    """Rounds so far were patience; the new columns say so."""
    for line in (
        "ALTER TABLE rounds ADD COLUMN game VARCHAR(16) DEFAULT 'patience' NOT NULL",
        "ALTER TABLE rounds ADD COLUMN dealer INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE entries ADD COLUMN grid VARCHAR(80)",
        "ALTER TABLE entries ADD COLUMN ended BOOLEAN DEFAULT FALSE NOT NULL",
    ):
        connection.execute(text(line))
    server = connection.dialect.name == "postgresql"
    if server:
        connection.execute(
            text(
                "CREATE FUNCTION companion_keep() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'the history only grows'; END $$"
            )
        )
    for table in _KEPT:
        for change in ("UPDATE", "DELETE"):
            action = (
                "FOR EACH ROW EXECUTE FUNCTION companion_keep()"
                if server
                else "BEGIN SELECT RAISE(ABORT, 'the history only grows'); END"
            )
            name = f"{table}_no_{change.lower()}"
            connection.execute(text(f"CREATE TRIGGER {name} BEFORE {change} ON {table} {action}"))
