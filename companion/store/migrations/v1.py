"""Version 1: players, rounds of patience, and every score ever entered."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
)
from sqlalchemy.engine import Connection


def upgrade(connection: Connection) -> None:
    """Create the first tables."""
    metadata = MetaData()
    Table(
        "players",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("name", String(60), nullable=False),
        Column("folded", String(120), nullable=False, unique=True),
        Column("created", String(32), nullable=False),
    )
    Table(
        "rules",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("body", Text, nullable=False, unique=True),
    )
    Table(
        "rounds",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("form", String(16), nullable=False),
        Column("rules", ForeignKey("rules.id"), nullable=False),
        Column("name", String(120), nullable=False),
        Column("state", String(16), nullable=False, index=True),
        Column("begun", String(32), nullable=False, index=True),
    )
    Table(
        "round_players",
        metadata,
        Column("round", ForeignKey("rounds.id"), primary_key=True),
        Column("player", ForeignKey("players.id"), primary_key=True),
        Column("seat", Integer, nullable=False),
        UniqueConstraint("round", "seat"),
    )
    Table(
        "entries",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("round", String(32), nullable=False),
        Column("player", String(32), nullable=False),
        Column("hole", Integer, nullable=False),
        Column("revision", Integer, nullable=False),
        Column("strokes", Integer),
        Column("cards_left", Integer),
        Column("stock_left", Integer),
        Column("rules", ForeignKey("rules.id"), nullable=False),
        Column("hinted", Boolean, nullable=False),
        Column("source", String(16), nullable=False),
        Column("reason", String(200), nullable=False),
        Column("at", String(32), nullable=False),
        UniqueConstraint("round", "player", "hole", "revision"),
        ForeignKeyConstraint(["round", "player"], ["round_players.round", "round_players.player"]),
    )
    Table(
        "events",
        metadata,
        Column("id", String(32), primary_key=True),
        Column("round", ForeignKey("rounds.id"), nullable=False),
        Column("seq", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("at", String(32), nullable=False),
        Column("note", String(200), nullable=False),
        UniqueConstraint("round", "seq"),
    )
    counter = Table(
        "counter",
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("value", Integer, nullable=False),
    )
    Table(
        "changes",
        metadata,
        Column("seq", Integer, primary_key=True, autoincrement=False),
        Column("kind", String(16), nullable=False),
        Column("subject", String(32), nullable=False),
        Column("at", String(32), nullable=False),
    )
    metadata.create_all(connection)
    connection.execute(insert(counter).values(id=1, value=0))
