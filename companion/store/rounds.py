"""Players and rounds in the store. What is allowed is decided by `companion.game.keeping`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.engine import Connection

from companion.game import keeping
from companion.game.grid import GridRules
from companion.game.keeping import NewScore
from companion.game.round import HoleScore, Player, Round, RoundError, clean_name, fold
from companion.game.rules import Rules
from companion.game.stats import Stats, statistics
from companion.store import rows
from companion.store import schema as t
from companion.store.database import Database, new_id, now

Keep = Callable[[Round, NewScore, str, str], HoleScore]


class RoundBook(Database):
    """Rounds and the people who play them."""

    # --- players -------------------------------------------------------------------------------------------

    def players(self) -> tuple[Player, ...]:
        """Everybody known, by name."""
        with self._reading() as connection:
            found = connection.execute(select(t.players.c.id, t.players.c.name))
            return tuple(sorted((Player(row.id, row.name) for row in found), key=lambda p: fold(p.name)))

    def player(self, name: str) -> Player:
        """The player with this name, upper and lower case alike, or this id; added where new."""
        with self._reading() as connection:
            known = find_player(connection, name)
        if known:
            return known
        id = new_id()
        with self._writing("player", id) as connection:
            return get_player(connection, name, id)

    def rename_player(self, player: str, name: str) -> Player:
        """Give a player, named or by id, another name; old rounds show the new one."""
        with self._reading() as connection:
            found = find_player(connection, player)
        if found is None:
            raise RoundError(f"nobody is called {player!r}")
        new = Player(found.id, clean_name(name, "player's name"))
        with self._writing("player", new.id) as connection:
            other = find_player(connection, new.name)
            if other and other.id != new.id:
                raise RoundError(
                    f"there is another player called {new.name!r}", code="name-taken", name=new.name
                )
            change = update(t.players).where(t.players.c.id == new.id)
            connection.execute(change.values(name=new.name, folded=fold(new.name)))
        return new

    # --- rounds --------------------------------------------------------------------------------------------

    def new_round(
        self,
        players: Sequence[str],
        rules: Rules | GridRules | None = None,
        *,
        form: str = "stroke",
        name: str = "",
        dealer: int = 0,
    ) -> Round:
        """Begin a round for players by name or id (new ones are added); `GridRules` make it the grid game."""
        id = new_id()
        with self._writing("round", id) as connection:
            seats = [get_player(connection, player, new_id()) for player in players]
            round = keeping.begin(
                id, seats, rules or Rules(), now(), form=form, name=name, dealer=dealer, event=new_id()
            )
            rows.add_round(connection, round)
            rows.add_events(connection, id, 0, round.events)
        return self.round(id)

    def round(self, id: str) -> Round:
        """A round by its id or the beginning of it. Raises `RoundError` when there is none, or several."""
        with self._reading() as connection:
            return _round(connection, id)

    def rounds(
        self,
        *,
        game: str | None = None,
        state: str | None = None,
        player: str | None = None,
        since: str | None = None,
        until: str | None = None,
        newest: int | None = None,
    ) -> tuple[Round, ...]:
        """Rounds, oldest first, narrowed by game, state, player (name or id), and time of beginning.

        `since` and `until` are ISO dates or times in UTC; a date `until` includes that day.
        """
        where: list[ColumnElement[bool]] = []
        if game:
            where.append(t.rounds.c.game == game)
        if state:
            where.append(t.rounds.c.state == state)
        if since:
            where.append(t.rounds.c.begun >= since)
        if until:
            where.append(t.rounds.c.begun <= (until + "T99" if len(until) == 10 else until))
        with self._reading() as connection:
            if player:
                found = find_player(connection, player)
                if found is None:
                    raise RoundError(f"nobody is called {player!r}")
                played = select(t.round_players.c.round).where(t.round_players.c.player == found.id)
                where.append(t.rounds.c.id.in_(played))
            return rows.load_rounds(connection, *where, newest=newest)

    def current_round(self, game: str = "patience") -> Round | None:
        """The open round that was written last, None when none is open."""
        return max(self.rounds(game=game, state="open"), key=lambda round: round.changed, default=None)

    # --- scores --------------------------------------------------------------------------------------------

    def enter_hole(
        self,
        round: str,
        player: str,
        *,
        hole: int | None = None,
        left: int | None = None,
        stock: int | None = None,
        points: int | None = None,
        grid: str | None = None,
        ended: bool = False,
        hinted: bool = False,
        source: str = "typed",
        scan: str | None = None,
        game: str | None = None,
        id: str | None = None,
    ) -> Round:
        """Write down one hole, the next one unless told; see `NewScore`. On disk when this returns."""
        new = NewScore(
            player, hole, left, stock, points, grid, ended, hinted, source, scan=scan, game=game, id=id
        )
        return self.enter_holes(round, [new])

    def enter_holes(self, round: str, scores: Iterable[NewScore]) -> Round:
        """Write down several scores in one step: all of them or none."""
        return self._keep(round, scores, keeping.enter)

    def correct_hole(
        self,
        round: str,
        player: str,
        hole: int,
        *,
        left: int | None = None,
        stock: int | None = None,
        points: int | None = None,
        grid: str | None = None,
        ended: bool = False,
        hinted: bool | None = None,
        reason: str = "",
        source: str = "typed",
        scan: str | None = None,
        game: str | None = None,
    ) -> Round:
        """Correct a score by a new entry; the old one stays in the history. Without `hinted` that stays."""
        known = self.round(round)
        before = known.score(known.player(player).id, hole)
        kept = before.hinted if before and hinted is None else bool(hinted)
        new = NewScore(player, hole, left, stock, points, grid, ended, kept, source, reason, scan, game)
        return self._keep(round, [new], keeping.correct)

    def take_back(self, round: str, player: str, hole: int, *, reason: str = "") -> Round:
        """Leave a hole without a score again, by a new entry."""
        return self._keep(round, [NewScore(player, hole, reason=reason)], keeping.take_back)

    def _keep(self, id: str, scores: Iterable[NewScore], keep: Keep) -> Round:
        full = self._full_id(id)
        with self._writing("round", full) as connection:
            round = _round(connection, full)
            for new in scores:
                if new.id and any(entry.id == new.id for entry in round.entries):
                    continue  # given before, and acknowledged or not: it is there
                entry = keep(round, new, now(), new.id or new_id())
                rows.add_entries(connection, full, [entry])
                round = replace(round, entries=rows.in_order([*round.entries, entry]))
        return round

    # --- the round as a whole ------------------------------------------------------------------------------

    def finish(self, round: str, note: str = "") -> Round:
        """End and lock a round of which everything is played."""
        found = self._happen(round, "finished", note)
        self.backup_if_due(timedelta(hours=1))
        return found

    def abandon(self, round: str, note: str = "") -> Round:
        """Put an open round away; it counts nowhere until it is resumed."""
        return self._happen(round, "abandoned", note)

    def resume(self, round: str, note: str = "") -> Round:
        """Take an abandoned round up again."""
        return self._happen(round, "resumed", note)

    def _happen(self, id: str, kind: str, note: str) -> Round:
        full = self._full_id(id)
        with self._writing("round", full) as connection:
            round = _round(connection, full)
            event = keeping.happen(round, kind, now(), new_id(), note)
            rows.add_events(connection, full, len(round.events), [event])
            state = keeping.status([*round.events, event])
            connection.execute(update(t.rounds).where(t.rounds.c.id == full).values(state=state))
        return replace(round, events=(*round.events, event))

    def _full_id(self, id: str) -> str:
        return id if len(id) == 32 else self.round(id).id

    # --- numbers -------------------------------------------------------------------------------------------

    def stats(
        self,
        player: str,
        *,
        rules: Rules | GridRules | None = None,
        since: str | None = None,
        until: str | None = None,
        hinted: str = "without",
        game: str = "patience",
    ) -> Stats:
        """Statistics of a player over finished rounds; see `companion.game.stats` for every number."""
        rounds = self.rounds(game=game, state="finished", player=player, since=since, until=until)
        with self._reading() as connection:
            found = find_player(connection, player)
        assert found is not None
        return statistics(rounds, found.id, rules=rules, hinted=hinted)


def find_player(connection: Connection, name: str) -> Player | None:
    where = (t.players.c.id == name) | (t.players.c.folded == fold(name))
    row = connection.execute(select(t.players.c.id, t.players.c.name).where(where)).first()
    return Player(row.id, row.name) if row else None


def get_player(connection: Connection, name: str, id: str) -> Player:
    known = find_player(connection, name)
    if known:
        return known
    new = Player(id, clean_name(name, "player's name"))
    values = {"id": new.id, "name": new.name, "folded": fold(new.name), "created": now()}
    connection.execute(insert(t.players).values(values))
    return new


def _round(connection: Connection, id: str) -> Round:
    if not id or len(id) > 32 or set(id) - set("0123456789abcdef"):
        raise RoundError(f"the number of a round has digits and letters from a to f, not {id!r}")
    where = t.rounds.c.id == id if len(id) == 32 else t.rounds.c.id.startswith(id)
    found = rows.load_rounds(connection, where, newest=2)
    if not found:
        raise RoundError(f"there is no round {id!r}")
    if len(found) > 1:
        raise RoundError(f"several rounds begin with {id!r}")
    return found[0]
