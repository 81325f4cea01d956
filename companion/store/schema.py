"""The tables as they are now. How older stores get there is in `migrations`; a test compares the two."""

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
)

metadata = MetaData()

# Ids are UUIDs in 32 hex digits, so that stores can be merged. Times are UTC, ISO 8601, ending in Z.

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("folded", String(120), nullable=False, unique=True),
    Column("created", String(32), nullable=False),
)

rules = Table(
    "rules",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("body", Text, nullable=False, unique=True),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("form", String(16), nullable=False),
    Column("rules", ForeignKey("rules.id"), nullable=False),
    Column("name", String(120), nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("begun", String(32), nullable=False, index=True),
    Column("game", String(16), nullable=False),
    Column("dealer", Integer, nullable=False),
)

round_players = Table(
    "round_players",
    metadata,
    Column("round", ForeignKey("rounds.id"), primary_key=True),
    Column("player", ForeignKey("players.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    UniqueConstraint("round", "seat"),
)

entries = Table(
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
    Column("game", String(32)),
    Column("scan", String(32)),
    Column("grid", String(80)),
    Column("ended", Boolean, nullable=False),
    UniqueConstraint("round", "player", "hole", "revision"),
    ForeignKeyConstraint(["round", "player"], ["round_players.round", "round_players.player"]),
)

events = Table(
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

changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("subject", String(32), nullable=False),
    Column("at", String(32), nullable=False),
)

scans = Table(
    "scans",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", String(32), nullable=False),
    Column("document", Text, nullable=False),
    Column("image", String(64), nullable=False),
)

scan_edits = Table(
    "scan_edits",
    metadata,
    Column("scan", ForeignKey("scans.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", String(32), nullable=False),
    Column("document", Text, nullable=False),
)

games = Table(
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

game_steps = Table(
    "game_steps",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("move", Text),
    Column("at", String(32), nullable=False),
)
