"""Version 2: scans with their corrections and tracked games, and scores that name them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text, text
from sqlalchemy.engine import Connection


def upgrade(connection: Connection) -> None:
    """Add the tables beside those of version 1."""
    metadata = MetaData()
    metadata.reflect(connection, only=["players", "rounds"])
    Table(
        "scans",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("at", String(32), nullable=False),
        Column("document", Text, nullable=False),
        Column("image", String(64), nullable=False),
    )
    Table(
        "scan_edits",
        metadata,
        Column("scan", ForeignKey("scans.id"), primary_key=True),
        Column("seq", Integer, primary_key=True),
        Column("at", String(32), nullable=False),
        Column("document", Text, nullable=False),
    )
    Table(
        "games",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("at", String(32), nullable=False),
        Column("start", Text, nullable=False),
        Column("round", ForeignKey("rounds.id"), index=True),
        Column("player", ForeignKey("players.id")),
        Column("hole", Integer),
        Column("scan", ForeignKey("scans.id")),
    )
    Table(
        "game_steps",
        metadata,
        Column("game", ForeignKey("games.id"), primary_key=True),
        Column("seq", Integer, primary_key=True),
        Column("kind", String(8), nullable=False),
        Column("move", Text),
        Column("at", String(32), nullable=False),
    )
    metadata.create_all(connection)
    for column in ("game", "scan"):
        connection.execute(text(f"ALTER TABLE entries ADD COLUMN {column} VARCHAR(32)"))
