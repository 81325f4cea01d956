"""Tracked games and scans in the store: every move, hint and correction is kept as it happens."""

from __future__ import annotations

import json
from dataclasses import replace

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from companion.game.moves import Move
from companion.game.position import Position
from companion.game.record import (
    STEPS,
    Scan,
    Step,
    TrackedGame,
    compact,
    move_from_dict,
    move_to_dict,
    position_from_dict,
    position_to_dict,
)
from companion.game.round import Round, RoundError
from companion.store import schema as t
from companion.store.database import new_id, now
from companion.store.rounds import RoundBook


class GameBook(RoundBook):
    """Games being played and tables that were read."""

    # --- tracked games -------------------------------------------------------------------------------------

    def new_game(
        self,
        start: Position,
        *,
        round: str | None = None,
        player: str | None = None,
        hole: int | None = None,
        scan: str | None = None,
    ) -> TrackedGame:
        """Begin to track a hole, for a round's player (name or id) where given."""
        found = self.round(round) if round else None
        who = found.player(player).id if found and player else None
        game = TrackedGame(new_id(), now(), start, (), found.id if found else None, who, hole, scan)
        with self._writing("game", game.id) as connection:
            add_game(connection, game)
        return game

    def step(self, game: str, kind: str, move: Move | None = None) -> TrackedGame:
        """Add a `move`, `undo`, `redo` or `hint` to a game. On disk when this returns.

        Raises `IllegalMove` for a move the rules don't allow; nothing is kept of it then.
        """
        if kind not in STEPS:
            raise RoundError(f"a step of a game is one of {', '.join(STEPS)}, not {kind!r}")
        with self._writing("game", game) as connection:
            known = load_game(connection, game)
            step = Step(kind, now(), move)
            after = _with_steps(known, (*known.steps, step))
            after.position  # noqa: B018 (raises when the step is not allowed)
            add_steps(connection, game, len(known.steps), (step,))
        return after

    def game(self, id: str) -> TrackedGame:
        """A tracked game by its id."""
        with self._reading() as connection:
            return load_game(connection, id)

    def games(self, *, round: str | None = None, newest: int | None = None) -> tuple[TrackedGame, ...]:
        """Tracked games, oldest first; those of one round where given."""
        query = select(t.games.c.id).order_by(t.games.c.at.desc(), t.games.c.id.desc()).limit(newest)
        if round:
            query = query.where(t.games.c.round == self.round(round).id)
        with self._reading() as connection:
            ids = [row.id for row in connection.execute(query)][::-1]
            return tuple(load_game(connection, id) for id in ids)

    def enter_game(self, round: str, player: str, game: str, *, hole: int | None = None) -> Round:
        """Score a hole by a tracked game: the cards left, and whether a hint was asked for."""
        tracked = self.game(game)
        position = tracked.position
        cleared = position.cleared
        return self.enter_hole(
            round,
            player,
            hole=hole if hole is not None else tracked.hole,
            left=None if cleared else position.tableau_count,
            stock=position.stock_count if cleared else None,
            hinted=tracked.hints > 0,
            source="tracked",
            game=game,
        )

    # --- scans ---------------------------------------------------------------------------------------------

    def add_scan(self, document: str, *, image: str = "") -> Scan:
        """Keep what was read in a photo: JSON text, and the SHA-256 of the photo."""
        scan = Scan(new_id(), now(), compact(document), (), image)
        with self._writing("scan", scan.id) as connection:
            add_scan(connection, scan)
        return scan

    def edit_scan(self, id: str, document: str) -> Scan:
        """Keep the document after a correction; what was read stays."""
        document = compact(document)
        with self._writing("scan", id) as connection:
            known = load_scan(connection, id)
            add_edits(connection, id, len(known.edits), (document,))
        return self.scan(id)

    def scan(self, id: str) -> Scan:
        """A scan by its id."""
        with self._reading() as connection:
            return load_scan(connection, id)

    def scans(self, *, newest: int | None = None) -> tuple[Scan, ...]:
        """Scans, oldest first."""
        query = select(t.scans.c.id).order_by(t.scans.c.at.desc(), t.scans.c.id.desc()).limit(newest)
        with self._reading() as connection:
            ids = [row.id for row in connection.execute(query)][::-1]
            return tuple(load_scan(connection, id) for id in ids)


def add_game(connection: Connection, game: TrackedGame) -> None:
    """A game without its steps."""
    connection.execute(
        insert(t.games).values(
            id=game.id,
            at=game.at,
            start=json.dumps(position_to_dict(game.start)),
            round=game.round,
            player=game.player,
            hole=game.hole,
            scan=game.scan,
        )
    )


def add_steps(connection: Connection, game: str, first: int, steps: tuple[Step, ...]) -> None:
    """Append steps; `first` is the number of steps there are."""
    rows = [
        {
            "game": game,
            "seq": seq,
            "kind": step.kind,
            "move": None if step.move is None else json.dumps(move_to_dict(step.move)),
            "at": step.at,
        }
        for seq, step in enumerate(steps, first)
    ]
    if rows:
        connection.execute(insert(t.game_steps), rows)


def add_scan(connection: Connection, scan: Scan) -> None:
    """A scan without its corrections."""
    values = {"id": scan.id, "at": scan.at, "document": scan.read, "image": scan.image}
    connection.execute(insert(t.scans).values(values))


def add_edits(connection: Connection, scan: str, first: int, documents: tuple[str, ...]) -> None:
    """Append corrected documents; `first` is the number there are."""
    rows = [
        {"scan": scan, "seq": seq, "at": now(), "document": document}
        for seq, document in enumerate(documents, first)
    ]
    if rows:
        connection.execute(insert(t.scan_edits), rows)


def load_game(connection: Connection, id: str) -> TrackedGame:
    row = connection.execute(select(t.games).where(t.games.c.id == id)).first()
    if row is None:
        raise RoundError(f"there is no tracked game {id!r}")
    found = connection.execute(
        select(t.game_steps).where(t.game_steps.c.game == id).order_by(t.game_steps.c.seq)
    )
    steps = tuple(
        Step(step.kind, step.at, move_from_dict(json.loads(step.move)) if step.move else None)
        for step in found
    )
    start = position_from_dict(json.loads(row.start))
    return TrackedGame(row.id, row.at, start, steps, row.round, row.player, row.hole, row.scan)


def _with_steps(game: TrackedGame, steps: tuple[Step, ...]) -> TrackedGame:
    return replace(game, steps=steps)


def load_scan(connection: Connection, id: str) -> Scan:
    row = connection.execute(select(t.scans).where(t.scans.c.id == id)).first()
    if row is None:
        raise RoundError(f"there is no scan {id!r}")
    edits = connection.execute(
        select(t.scan_edits.c.document).where(t.scan_edits.c.scan == id).order_by(t.scan_edits.c.seq)
    )
    return Scan(row.id, row.at, row.document, tuple(edits.scalars()), row.image)
