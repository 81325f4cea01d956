"""The scorecard: rounds of patience and of the grid game, entered by two taps a hole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.app.services.reader import Reader
from companion.app.state.grid_entry import GridEntry
from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.trouble import Trouble
from companion.game import CompanionError, Rules
from companion.game.grid import GridRules
from companion.game.round import Round

if TYPE_CHECKING:
    from companion.store import Changes, Store


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the card: whose hole."""

    player: str
    hole: int


class CardState(Model):
    """The round on the card and the cell that is being entered."""

    def __init__(self, store: Store, memory: Memory, reader: Reader, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._memory = memory
        self.grid = GridEntry(memory, reader, self)
        """The cards of the other game that are being entered."""
        known = memory.load("card") or {}
        self._id: str | None = known.get("round")
        self._round: Round | None = None
        self.cell: Cell | None = None
        cell = known.get("cell")
        if isinstance(cell, list) and len(cell) == 2:
            self.cell = Cell(str(cell[0]), int(cell[1]))
        self.trouble: Trouble | None = None
        self.draft = NewRound(memory)

    # --- the round -----------------------------------------------------------------------------------------

    @property
    def round(self) -> Round | None:
        """The round on the card: the one chosen, else the open one that was written last."""
        if self._round is None:
            try:
                found = self._store.round(self._id) if self._id else None
            except CompanionError:
                found = None
            self._round = found or self._store.current_round() or self._store.current_round("grid")
        return self._round

    @property
    def round_id(self) -> str | None:
        """The id of the round on the card, without asking the store."""
        return self._round.id if self._round else self._id

    def choose(self, id: str | None) -> None:
        """Put another round on the card."""
        self._id, self._round, self.cell, self.trouble = id, None, None, None
        self._keep()

    def stale(self, changes: Changes | None = None) -> None:
        """The store was written: read the round again."""
        self._round = None
        self.changed()

    @property
    def can_share(self) -> bool:
        """Whether there are others here to share a round with."""
        return hasattr(self._store, "new_shared_round")

    def begin(self, players: Sequence[str], rules: Rules | GridRules, *, form: str, name: str = "") -> bool:
        """Begin a round and put it on the card; where there are others, they see it unless it is private."""
        begin = self._store.new_round
        if self.can_share and not self.draft.private:
            begin = self._store.new_shared_round  # type: ignore[attr-defined]
        made = self._try(lambda: begin(players, rules, form=form, name=name))
        if made is None:
            return False
        self._id = made.id
        self.draft.clear()
        self._keep()
        return True

    # --- holes ---------------------------------------------------------------------------------------------

    def select(self, cell: Cell | None) -> None:
        """The first tap: which hole."""
        self.cell = None if cell == self.cell else cell
        self.grid.clear()
        self.trouble = None
        self._keep()

    def next_cell(self) -> Cell | None:
        """The hole to play next: the lowest one that anybody has still to play."""
        round = self.round
        if round is None or round.state != "open":
            return None
        found = [
            (hole, seat, player.id)
            for seat, player in enumerate(round.players)
            if (hole := round.next_hole(player.id)) is not None
        ]
        return Cell(min(found)[2], min(found)[0]) if found else None

    def enter_strokes(self, strokes: int, *, reason: str = "") -> bool:
        """The second tap: positive is cards left in the tableau, negative cards left in the stock."""
        left = strokes if strokes > 0 else None
        stock = -strokes if strokes <= 0 else None
        return self._write(left=left, stock=stock, reason=reason)

    def enter_points(self, points: int, *, ended: bool = False, reason: str = "") -> bool:
        """A hole of the grid game, by its points."""
        done = self._write(points=points, ended=ended, reason=reason)
        if done:
            self.grid.clear()
        return done

    def enter_grid(self, grid: str, *, ended: bool = False, reason: str = "") -> bool:
        """A hole of the grid game, by its cards."""
        done = self._write(grid=grid, ended=ended, reason=reason)
        if done:
            self.grid.clear()
        return done

    def enter_game(self, round: str, player: str, hole: int, game: str) -> bool:
        """The score of a game that was played in the app."""
        made = self._try(lambda: self._store.enter_game(round, player, game, hole=hole))
        if made is not None:
            self._id = made.id
            self._keep()
        return made is not None

    def take_back(self, *, reason: str = "") -> bool:
        """Leave the selected hole without a score again."""
        cell, round = self.cell, self.round
        if cell is None or round is None:
            return False
        done = self._try(lambda: self._store.take_back(round.id, cell.player, cell.hole, reason=reason))
        self._keep()
        return done is not None

    def finish(self) -> bool:
        return self._happen(self._store.finish)

    def abandon(self) -> bool:
        return self._happen(self._store.abandon)

    def resume(self) -> bool:
        return self._happen(self._store.resume)

    # --- inside --------------------------------------------------------------------------------------------

    def _write(
        self,
        *,
        left: int | None = None,
        stock: int | None = None,
        points: int | None = None,
        grid: str | None = None,
        ended: bool = False,
        reason: str = "",
    ) -> bool:
        cell, round = self.cell, self.round
        if cell is None or round is None:
            return False
        known = round.score(cell.player, cell.hole) is not None

        def write() -> Round:
            if known:
                return self._store.correct_hole(
                    round.id,
                    cell.player,
                    cell.hole,
                    left=left,
                    stock=stock,
                    points=points,
                    grid=grid,
                    ended=ended,
                    reason=reason,
                )
            return self._store.enter_hole(
                round.id,
                cell.player,
                hole=cell.hole,
                left=left,
                stock=stock,
                points=points,
                grid=grid,
                ended=ended,
            )

        if self._try(write) is None:
            return False
        # With several players the next one's same hole is what is entered next; alone, one looks at the card.
        self.cell = None if known or len(round.players) == 1 else self._seat_after(cell)
        self._keep()
        return True

    def _seat_after(self, cell: Cell) -> Cell | None:
        found = self.next_cell()
        return found if found and found.hole == cell.hole else None

    def _happen(self, change: Callable[[str], Round]) -> bool:
        round = self.round
        done = self._try(lambda: change(round.id)) if round else None
        if done is not None:
            self._id = done.id
            self.cell = None
        self._keep()
        return done is not None

    @property
    def photographed_grid(self) -> GridRules | None:
        """The rules of the grid whose cards are being entered now, None where none is."""
        rules = self.round.rules if self.round and self.cell and self.grid.way == "cards" else None
        return rules if isinstance(rules, GridRules) else None

    def _try(self, write: Callable[[], Round]) -> Round | None:
        """What the store says when it refuses becomes `trouble`."""
        try:
            self._round = write()
            self.trouble = None
        except CompanionError as error:
            self.trouble = Trouble.of(error)
            self.changed()
            return None
        return self._round

    def _keep(self) -> None:
        cell = [self.cell.player, self.cell.hole] if self.cell else None
        self._memory.save("card", {"round": self._id, "cell": cell})
        self.changed()


class NewRound:
    """The form of a new round, kept while it is being filled in."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        known = memory.load("new-round") or {}
        self.game: str = known.get("game", "patience")
        self.form: str = known.get("form", "stroke")
        self.players: list[str] = [str(name) for name in known.get("players", [""])]
        self.holes: int = int(known.get("holes", 9))
        self.par: int = int(known.get("par", 45))
        self.cards: int = int(known.get("cards", 6))
        self.joker: int = int(known.get("joker", 0))
        self.dear: bool = bool(known.get("dear", False))
        self.four: bool = bool(known.get("four", False))
        self.name: str = str(known.get("name", ""))
        self.private: bool = bool(known.get("private", False))
        """Only this device sees the round, where there are others."""

    def set(self, **values: object) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        if self.form in ("tournament", "match") and self.game == "patience":
            self.players = [*self.players, "", ""][:2]
        if self.game == "grid" and len(self.players) < 2:
            self.players = [*self.players, "", ""][:2]
        kept = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        self._memory.save("new-round", kept)

    def clear(self) -> None:
        self._memory.save("new-round", None)
        self.__init__(self._memory)  # type: ignore[misc]

    def grid_rules(self) -> GridRules:
        text = f"{self.cards}-cards,holes={self.holes}"
        text += f",joker={self.joker}" if self.joker else ""
        text += ",faces=dear" if self.dear else ""
        text += ",four=-20" if self.four and self.cards != 9 else ""
        return GridRules.parse(text)
