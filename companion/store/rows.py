"""Between rows and values: rounds, their scores and events, players."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.engine import Connection

from companion.game.grid import GridRules
from companion.game.round import Event, HoleScore, Player, Round, rules_from_dict, rules_to_dict
from companion.game.rules import Rules
from companion.store import schema as t


def load_rounds(
    connection: Connection, *where: ColumnElement[bool], newest: int | None = None
) -> tuple[Round, ...]:
    """Rounds by a condition on `rounds`, oldest first; `newest` keeps so many of the newest."""
    query = select(t.rounds).where(*where).order_by(t.rounds.c.begun.desc(), t.rounds.c.id.desc())
    rows = connection.execute(query.limit(newest)).all()[::-1]
    if not rows:
        return ()
    ids = select(t.rounds.c.id).where(*where)
    if newest is not None:
        ids = select(t.rounds.c.id).where(t.rounds.c.id.in_([row.id for row in rows]))
    rules = load_rules(connection)
    players = _players(connection, ids)
    entries = _entries(connection, ids, rules)
    events = _events(connection, ids)
    return tuple(
        Round(
            row.id,
            row.game,
            row.form,
            rules[row.rules],
            tuple(players[row.id]),
            in_order(entries[row.id]),
            tuple(events[row.id]),
            row.name,
            row.dealer,
        )
        for row in rows
    )


def in_order(entries: Iterable[HoleScore]) -> tuple[HoleScore, ...]:
    """Entries by time; those of one moment in an order that is the same everywhere."""
    return tuple(sorted(entries, key=lambda entry: (entry.at, entry.hole, entry.revision, entry.id)))


def load_rules(connection: Connection) -> dict[int, Rules | GridRules]:
    """All rules ever used, by their row."""
    return {row.id: _rules(row.body) for row in connection.execute(select(t.rules))}


def _rules(body: str) -> Rules | GridRules:
    found = json.loads(body)
    return rules_from_dict(found.pop("game"), found)


def rules_row(connection: Connection, rules: Rules | GridRules) -> int:
    """The row of these rules, added where they are new."""
    game = "grid" if isinstance(rules, GridRules) else "patience"
    body = json.dumps({"game": game, **rules_to_dict(rules)}, sort_keys=True)
    known = connection.execute(select(t.rules.c.id).where(t.rules.c.body == body)).scalar()
    if known is not None:
        return int(known)
    key = connection.execute(insert(t.rules).values(body=body)).inserted_primary_key
    assert key is not None
    return int(key[0])


def add_round(connection: Connection, round: Round) -> None:
    """A new round with its players; scores and events follow by `add_entries` and `add_events`."""
    connection.execute(
        insert(t.rounds).values(
            id=round.id,
            game=round.game,
            form=round.form,
            rules=rules_row(connection, round.rules),
            name=round.name,
            state=round.state,
            begun=round.begun,
            dealer=round.dealer,
        )
    )
    seats = [
        {"round": round.id, "player": player.id, "seat": seat} for seat, player in enumerate(round.players)
    ]
    connection.execute(insert(t.round_players), seats)


def add_entries(connection: Connection, round: str, entries: Iterable[HoleScore]) -> None:
    """Append scores to the history."""
    entries = tuple(entries)
    keys = {rules: rules_row(connection, rules) for rules in {entry.rules for entry in entries}}
    rows = [
        {
            "id": entry.id,
            "round": round,
            "player": entry.player,
            "hole": entry.hole,
            "revision": entry.revision,
            "strokes": entry.strokes,
            "cards_left": entry.left,
            "stock_left": entry.stock,
            "rules": keys[entry.rules],
            "hinted": entry.hinted,
            "source": entry.source,
            "reason": entry.reason,
            "at": entry.at,
            "game": entry.game,
            "scan": entry.scan,
            "grid": entry.grid,
            "ended": entry.ended,
        }
        for entry in entries
    ]
    if rows:
        connection.execute(insert(t.entries), rows)


def add_events(connection: Connection, round: str, first: int, events: Iterable[Event]) -> None:
    """Append events; `first` is the number of events the round has already."""
    rows: list[dict[str, Any]] = [
        {"id": event.id, "round": round, "seq": seq, "kind": event.kind, "at": event.at, "note": event.note}
        for seq, event in enumerate(events, first)
    ]
    if rows:
        connection.execute(insert(t.events), rows)


def _players(connection: Connection, ids: Any) -> dict[str, list[Player]]:
    query = (
        select(t.round_players.c.round, t.players.c.id, t.players.c.name)
        .join(t.players, t.players.c.id == t.round_players.c.player)
        .where(t.round_players.c.round.in_(ids))
        .order_by(t.round_players.c.seat)
    )
    found: dict[str, list[Player]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.round].append(Player(row.id, row.name))
    return found


def _entries(
    connection: Connection, ids: Any, rules: dict[int, Rules | GridRules]
) -> dict[str, list[HoleScore]]:
    query = select(t.entries).where(t.entries.c.round.in_(ids))
    found: dict[str, list[HoleScore]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.round].append(
            HoleScore(
                id=row.id,
                player=row.player,
                hole=row.hole,
                revision=row.revision,
                strokes=row.strokes,
                rules=rules[row.rules],
                at=row.at,
                left=row.cards_left,
                stock=row.stock_left,
                grid=row.grid,
                ended=row.ended,
                hinted=row.hinted,
                source=row.source,
                reason=row.reason,
                scan=row.scan,
                game=row.game,
            )
        )
    return found


def _events(connection: Connection, ids: Any) -> dict[str, list[Event]]:
    query = select(t.events).where(t.events.c.round.in_(ids)).order_by(t.events.c.seq)
    found: dict[str, list[Event]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.round].append(Event(row.id, row.kind, row.at, row.note))
    return found
