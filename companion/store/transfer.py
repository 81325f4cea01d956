"""All of a store as one value, and another store's value merged in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from companion.game import keeping
from companion.game.record import Archive, Scan, TrackedGame
from companion.game.round import HoleScore, Round, RoundError
from companion.store import games, rows
from companion.store import schema as t
from companion.store.games import GameBook
from companion.store.rounds import find_player, get_player


@dataclass(frozen=True, slots=True)
class Merged:
    """How much an import added. All zero when everything was there already."""

    players: int = 0
    rounds: int = 0
    entries: int = 0
    events: int = 0
    games: int = 0
    scans: int = 0

    @property
    def total(self) -> int:
        return self.players + self.rounds + self.entries + self.events + self.games + self.scans


class Transfer(GameBook):
    """Export and import."""

    def archive(self) -> Archive:
        """Everything, as of one moment per kind."""
        return Archive(self.players(), self.rounds(), self.games(), self.scans())

    def merge(self, archive: Archive) -> Merged:
        """Add what this store does not have, in one step.

        Things are known by their ids. A player with a known name is the same person. A score of a hole that
        has another one here comes after it in the history. Doing it twice changes nothing. Raises
        `RoundError` when a round or score differs from the one with the same id here.
        """
        for round in archive.rounds:
            keeping.check(round)
        with self._writing("import", "") as connection:
            people: dict[str, str] = {}
            added = dict.fromkeys(("players", "rounds", "entries", "events", "games", "scans"), 0)
            for player in archive.players:
                known = find_player(connection, player.id) or find_player(connection, player.name)
                people[player.id] = (known or get_player(connection, player.name, player.id)).id
                added["players"] += known is None
            for scan in archive.scans:
                added["scans"] += _merge_scan(connection, scan)
            for round in archive.rounds:
                new, entries, events = _merge_round(connection, _renamed(round, people))
                added["rounds"] += new
                added["entries"] += entries
                added["events"] += events
            for game in archive.games:
                mine = replace(game, player=people.get(game.player or ""))
                added["games"] += _merge_game(connection, mine)
        return Merged(**added)


def _renamed(round: Round, people: dict[str, str]) -> Round:
    """The round with the ids its players have here."""
    try:
        players = tuple(replace(player, id=people[player.id]) for player in round.players)
        entries = tuple(replace(entry, player=people[entry.player]) for entry in round.entries)
    except KeyError as error:
        raise RoundError(f"round {round.id} is played by somebody unknown, {error.args[0]!r}") from None
    return replace(round, players=players, entries=entries)


def _merge_round(connection: Connection, round: Round) -> tuple[int, int, int]:
    known = rows.load_rounds(connection, t.rounds.c.id == round.id)
    if not known:
        rows.add_round(connection, round)
        rows.add_entries(connection, round.id, round.entries)
        rows.add_events(connection, round.id, 0, round.events)
        return 1, len(round.entries), len(round.events)
    mine = known[0]
    ours = [player.id for player in mine.players]
    if (mine.game, mine.form, mine.rules, ours) != (
        round.game,
        round.form,
        round.rules,
        [p.id for p in round.players],
    ):
        raise RoundError(f"the round in the store has other rules or players than the file: {round.id!r}")
    entries = _new_entries(mine, round)
    rows.add_entries(connection, round.id, entries)
    have = {event.id for event in mine.events}
    events = [event for event in round.events if event.id not in have]
    rows.add_events(connection, round.id, len(mine.events), events)
    state = keeping.status([*mine.events, *events])
    connection.execute(update(t.rounds).where(t.rounds.c.id == round.id).values(state=state))
    return 0, len(entries), len(events)


def _new_entries(mine: Round, theirs: Round) -> list[HoleScore]:
    """Their entries that are not here, with revisions after ours where both went on."""
    have = {entry.id: entry for entry in mine.entries}
    last: dict[tuple[str, int], int] = {}
    for entry in mine.entries:
        key = (entry.player, entry.hole)
        last[key] = max(last.get(key, 0), entry.revision)
    found = []
    for entry in sorted(theirs.entries, key=lambda entry: entry.revision):
        key = (entry.player, entry.hole)
        if entry.id in have:
            if replace(have[entry.id], revision=0) != replace(entry, revision=0):
                raise RoundError(f"a score in the store is not what the file says: {entry.id!r}")
            continue
        last[key] = max(last.get(key, 0) + 1, entry.revision)
        found.append(replace(entry, revision=last[key]))
    return found


def _merge_game(connection: Connection, game: TrackedGame) -> int:
    """Add a game, or the steps it is ahead by; a game that went on differently is refused."""
    if connection.execute(select(t.games.c.id).where(t.games.c.id == game.id)).first() is None:
        games.add_game(connection, game)
        games.add_steps(connection, game.id, 0, game.steps)
        return 1
    known = games.load_game(connection, game.id).steps
    shared = min(len(known), len(game.steps))
    if known[:shared] != game.steps[:shared]:
        raise RoundError(f"the game went on differently here and in the file: {game.id!r}")
    games.add_steps(connection, game.id, len(known), game.steps[len(known) :])
    return int(len(game.steps) > len(known))


def _merge_scan(connection: Connection, scan: Scan) -> int:
    if connection.execute(select(t.scans.c.id).where(t.scans.c.id == scan.id)).first() is None:
        games.add_scan(connection, scan)
        games.add_edits(connection, scan.id, 0, scan.edits)
        return 1
    known = games.load_scan(connection, scan.id).edits
    missing = scan.edits[len(known) :] if scan.edits[: len(known)] == known else ()
    games.add_edits(connection, scan.id, len(known), missing)
    return int(bool(missing))
