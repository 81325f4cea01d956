"""The rounds one device sees: its own, which nobody else sees, and those that are shared at the table.

To the app this is one store. A player who is in both is one person, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from companion.game import CompanionError, Move, Position, Rules
from companion.game.grid import GridRules
from companion.game.record import Archive, Scan, TrackedGame
from companion.game.round import HoleScore, Player, Round, RoundError, fold
from companion.game.stats import Stats, statistics
from companion.serve.feed import Feed
from companion.store import Changes, Location, Merged, Store


class DeviceStore:
    """What the app needs of a store, over two. `own` is the device's file, `shared` the server's store."""

    def __init__(self, own: Store, shared: Store, feed: Feed, own_feed: Feed) -> None:
        self.own, self.shared = own, shared
        self._feed, self._own_feed = feed, own_feed

    @property
    def location(self) -> Location:
        """Where the device's own rounds are; backups are made of those."""
        return self.own.location

    @property
    def read_only(self) -> str | None:
        return self.own.read_only or self.shared.read_only

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.own.warnings

    def subscribe(self, listener: Callable[[Changes], None]) -> Callable[[], None]:
        ends = (self._feed.subscribe(listener), self._own_feed.subscribe(listener))

        def end() -> None:
            for stop in ends:
                stop()

        return end

    # --- rounds --------------------------------------------------------------------------------------------

    def players(self) -> tuple[Player, ...]:
        """Everybody in either store, each once."""
        names = self._names()
        found = {**{player.id: player for player in self.shared.players()}}
        for player in self.own.players():
            if names.get(player.id, player.id) == player.id:
                found[player.id] = player
        return tuple(sorted(found.values(), key=lambda player: fold(player.name)))

    def round(self, id: str) -> Round:
        try:
            return self._as_shared(self.own.round(id))
        except RoundError:
            return self.shared.round(id)

    def rounds(self, **narrowed: Any) -> tuple[Round, ...]:
        """Rounds of both, oldest first; narrowed as `Store.rounds` is."""
        newest = narrowed.get("newest")
        mine = self._as_shared_all(self._narrowed(self.own, narrowed))
        found = sorted(
            (*mine, *self._narrowed(self.shared, narrowed)), key=lambda round: (round.begun, round.id)
        )
        return tuple(found if newest is None else found[-newest:] if newest else ())

    def current_round(self, game: str = "patience") -> Round | None:
        found = self.rounds(game=game, state="open")
        return max(found, key=lambda round: round.changed, default=None)

    def is_shared(self, round: str) -> bool:
        """Whether others see this round."""
        return self._of_round(round) is self.shared

    def new_round(self, players: Sequence[str], rules: Rules | GridRules | None = None, **how: Any) -> Round:
        """A round of this device alone."""
        return self._as_shared(self.own.new_round([self._name(name) for name in players], rules, **how))

    def new_shared_round(
        self, players: Sequence[str], rules: Rules | GridRules | None = None, **how: Any
    ) -> Round:
        """A round that everybody at the table sees and writes."""
        return self.shared.new_round([self._name(name) for name in players], rules, **how)

    def enter_hole(self, round: str, player: str, **score: Any) -> Round:
        store = self._of_round(round)
        return self._seen(store, store.enter_hole(round, self._there(store, player), **score))

    def correct_hole(self, round: str, player: str, hole: int, **score: Any) -> Round:
        store = self._of_round(round)
        return self._seen(store, store.correct_hole(round, self._there(store, player), hole, **score))

    def take_back(self, round: str, player: str, hole: int, *, reason: str = "") -> Round:
        store = self._of_round(round)
        return self._seen(store, store.take_back(round, self._there(store, player), hole, reason=reason))

    def finish(self, round: str, note: str = "") -> Round:
        store = self._of_round(round)
        return self._seen(store, store.finish(round, note))

    def abandon(self, round: str, note: str = "") -> Round:
        store = self._of_round(round)
        return self._seen(store, store.abandon(round, note))

    def resume(self, round: str, note: str = "") -> Round:
        store = self._of_round(round)
        return self._seen(store, store.resume(round, note))

    def stats(
        self, player: str, *, hinted: str = "without", game: str = "patience", **narrowed: Any
    ) -> Stats:
        """Numbers over the finished rounds of both."""
        rules = narrowed.pop("rules", None)
        rounds = self.rounds(game=game, state="finished", **narrowed)
        return statistics(rounds, self._names().get(player, player), rules=rules, hinted=hinted)

    # --- games and scans -----------------------------------------------------------------------------------

    def new_game(
        self,
        start: Position,
        *,
        round: str | None = None,
        player: str | None = None,
        hole: int | None = None,
        scan: str | None = None,
    ) -> TrackedGame:
        """A game is kept beside its round; what was read in a photo stays with the device."""
        store = self._of_round(round) if round else self.own
        who = self._there(store, player) if player else None
        return store.new_game(
            start, round=round, player=who, hole=hole, scan=scan if store is self.own else None
        )

    def step(self, game: str, kind: str, move: Move | None = None) -> TrackedGame:
        return self._of_game(game).step(game, kind, move)

    def game(self, id: str) -> TrackedGame:
        return self._of_game(id).game(id)

    def games(self, *, round: str | None = None, newest: int | None = None) -> tuple[TrackedGame, ...]:
        """Of a round where given, else of the device: what others play isn't offered to be taken up."""
        store = self._of_round(round) if round else self.own
        return store.games(round=round, newest=newest)

    def enter_game(self, round: str, player: str, game: str, *, hole: int | None = None) -> Round:
        store, played = self._of_round(round), self._of_game(game)
        who = self._there(store, player)
        if store is played:
            return self._seen(store, store.enter_game(round, who, game, hole=hole))
        # The game stays where it is; of it the card needs what was left, and whether there were hints.
        tracked = played.game(game)
        position = tracked.position
        cleared = position.cleared
        made = store.enter_hole(
            round,
            who,
            hole=hole if hole is not None else tracked.hole,
            left=None if cleared else position.tableau_count,
            stock=position.stock_count if cleared else None,
            hinted=tracked.hints > 0,
            source="tracked",
        )
        return self._seen(store, made)

    def add_scan(self, document: str, *, image: str = "") -> Scan:
        return self.own.add_scan(document, image=image)

    def edit_scan(self, id: str, document: str) -> Scan:
        return self.own.edit_scan(id, document)

    def scan(self, id: str) -> Scan:
        return self.own.scan(id)

    # --- out and in ----------------------------------------------------------------------------------------

    def archive(self) -> Archive:
        """Everything the device sees, as one value."""
        mine, theirs, names = self.own.archive(), self.shared.archive(), self._names()
        games = [replace(game, player=names.get(game.player or "", game.player)) for game in mine.games]
        return Archive(self.players(), self.rounds(), (*games, *theirs.games), mine.scans)

    def merge(self, archive: Archive) -> Merged:
        """What is brought in becomes the device's own."""
        return self.own.merge(archive)

    def backup(self) -> Path:
        return self.own.backup()

    def backups(self) -> tuple[Path, ...]:
        return self.own.backups()

    def backup_if_due(self, every: timedelta = timedelta(days=1)) -> None:
        self.own.backup_if_due(every)

    def close(self) -> None:
        """The device's own file; the shared store is the server's."""
        self._own_feed.close()
        self.own.close()

    # --- which is where ------------------------------------------------------------------------------------

    def _of_round(self, id: str) -> Store:
        try:
            self.own.round(id)
        except RoundError:
            return self.shared
        return self.own

    def _of_game(self, id: str) -> Store:
        try:
            self.own.game(id)
        except CompanionError:
            return self.shared
        return self.own

    def _seen(self, store: Store, round: Round) -> Round:
        return self._as_shared(round) if store is self.own else round

    def _names(self) -> dict[str, str]:
        """Ids in the device's store, by the id that the same name has in the shared one."""
        shared = {fold(player.name): player.id for player in self.shared.players()}
        return {player.id: shared.get(fold(player.name), player.id) for player in self.own.players()}

    def _name(self, player: str) -> str:
        """A player's name, given that or an id of either store."""
        for known in (*self.own.players(), *self.shared.players()):
            if known.id == player:
                return known.name
        return player

    def _there(self, store: Store, player: str) -> str:
        """How a store knows a player that the app names by id."""
        if store is self.shared:
            return self._names().get(player, player)
        return next((own for own, shared in self._names().items() if shared == player), player)

    def _as_shared(self, round: Round) -> Round:
        return self._as_shared_all((round,))[0]

    def _as_shared_all(self, rounds: Sequence[Round]) -> tuple[Round, ...]:
        names = {mine: theirs for mine, theirs in self._names().items() if mine != theirs} if rounds else {}
        if not names:
            return tuple(rounds)

        def player(known: Player) -> Player:
            return replace(known, id=names.get(known.id, known.id))

        def entry(known: HoleScore) -> HoleScore:
            return replace(known, player=names.get(known.player, known.player))

        return tuple(
            replace(
                round, players=tuple(map(player, round.players)), entries=tuple(map(entry, round.entries))
            )
            for round in rounds
        )

    def _narrowed(self, store: Store, narrowed: dict[str, Any]) -> tuple[Round, ...]:
        player = narrowed.get("player")
        if player is None:
            return store.rounds(**narrowed)
        try:
            return store.rounds(**{**narrowed, "player": self._there(store, player)})
        except RoundError:
            return ()  # somebody who has never played in this store
