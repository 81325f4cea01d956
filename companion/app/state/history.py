"""Past rounds, statistics, and what goes out of the app and comes in: exports, backups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.trouble import EXPECTED, Trouble
from companion.game.round import Player, Round
from companion.game.stats import MODES, HeadToHead, Stats, head_to_head

if TYPE_CHECKING:
    from companion.store import Store


STEP = 10
"""Rounds that the list shows at first: about what a window has room for."""


class HistoryState(Model):
    """Rounds as the lists show them, newest first, read again after the store was written."""

    def __init__(self, store: Store, memory: Memory, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._memory = memory
        self._rounds: tuple[Round, ...] | None = None
        self._players: tuple[Player, ...] | None = None
        self._stats: dict[tuple[str, str, str], Stats] = {}
        known = memory.load("history") or {}
        self.game = "grid" if known.get("game") == "grid" else "patience"
        self.player: str | None = str(known["player"]) if known.get("player") else None
        self.hinted = str(known["hinted"]) if known.get("hinted") in MODES else "without"
        self.shown = STEP
        self.trouble: Trouble | None = None
        self.done = ""

    def stale(self) -> None:
        self._rounds = self._players = None
        self._stats.clear()

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds of both games, the last begun first."""
        if self._rounds is None:
            self._rounds = self._store.rounds()[::-1]
        return self._rounds

    @property
    def players(self) -> tuple[Player, ...]:
        if self._players is None:
            self._players = self._store.players()
        return self._players

    def show(self, *, player: str | None = None, game: str | None = None, hinted: str | None = None) -> None:
        """Choose whose numbers are shown, of which game, hinted holes or not."""
        self.player = player or self.player
        self.game = game or self.game
        self.hinted = hinted or self.hinted
        chosen = {"player": self.player, "game": self.game, "hinted": self.hinted}
        self._memory.save("history", chosen)
        self.changed()

    def show_older(self) -> None:
        """Show twice as many rounds as before."""
        self.shown *= 2
        self.changed()

    @property
    def chosen(self) -> Player | None:
        """The player whose numbers are shown: the one chosen, else the one who played last."""
        found = {player.id: player for player in self.players}
        if self.player in found:
            return found[self.player]
        played = (player for round in self.rounds for player in round.players)
        return next(played, None)

    def stats(self) -> Stats | None:
        """The numbers of the chosen player."""
        player = self.chosen
        if player is None:
            return None
        key = (player.id, self.game, self.hinted)
        if key not in self._stats:
            self._stats[key] = self._store.stats(player.id, game=self.game, hinted=self.hinted)
        return self._stats[key]

    def rivals(self) -> tuple[tuple[Player, HeadToHead], ...]:
        """The chosen player against everybody met in a finished round."""
        player = self.chosen
        if player is None:
            return ()
        met: dict[str, Player] = {}
        for round in self.rounds:
            if round.state == "finished" and any(p.id == player.id for p in round.players):
                met |= {p.id: p for p in round.players if p.id != player.id}
        finished = [round for round in self.rounds if round.state == "finished" and round.game == self.game]
        found = ((other, head_to_head(finished, player.id, other.id)) for other in met.values())
        return tuple((other, result) for other, result in found if result.rounds)

    # --- out and in ----------------------------------------------------------------------------------------

    def tell(self, *, done: str = "", trouble: Trouble | None = None) -> None:
        self.done, self.trouble = done, trouble
        self.changed()

    def attempt(self, job: Callable[[], object], done: str) -> bool:
        """Run something that the store may refuse; says `done`, or what is wrong."""
        try:
            job()
        except EXPECTED as error:
            self.tell(trouble=Trouble.of(error))
            return False
        self.tell(done=done)
        return True
