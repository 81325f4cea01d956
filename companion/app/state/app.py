"""Everything one device's app knows: the parts, and what goes from one to another."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.app.languages import Language, language
from companion.app.services.adviser import Adviser
from companion.app.services.auditor import Auditor
from companion.app.services.reader import Reader
from companion.app.state import settings as chosen
from companion.app.state.card import CardState
from companion.app.state.check import CheckState
from companion.app.state.games import GamesState
from companion.app.state.history import HistoryState
from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.navigation import Navigation
from companion.app.state.play import Belongs, PlayState
from companion.app.state.scan import ScanState
from companion.app.state.trouble import Trouble
from companion.game import PRESETS, CompanionError, Rules

if TYPE_CHECKING:
    from companion.game.round import Round
    from companion.store import Changes, Store

SHOWN = ("round", "import")
"""Kinds of changes that the card and the rounds show."""
PHONE, WIDE = 600, 1000
"""Widths where the layout changes: a tablet begins at the first, two panes at the second."""


@dataclass(frozen=True, slots=True)
class Services:
    """The workers behind the screens."""

    adviser: Adviser
    reader: Reader
    auditor: Auditor
    report: Callable[[BaseException, str], str] = lambda error, where: report(error, where)
    """What a crash screen shows of an error, and the place it happened in."""


class AppState(Model):
    """The state of one device. `store` is shared, `memory` is the device's own."""

    def __init__(
        self, store: Store, memory: Memory, services: Services, locales: list[str] | None = None
    ) -> None:
        super().__init__()
        self.revision = 0
        """Counts the changes, so that each is drawn."""
        self.store = store
        self.memory = memory
        self.services = services
        self.settings = chosen.from_document(memory.load("settings"))
        self.locale = chosen.device_language(locales or [])
        self.size: tuple[float, float] = (400, 800)
        self.navigation = Navigation(memory, self)
        self.play = PlayState(store, memory, services.adviser, self)
        self.scan = ScanState(store, memory, services.reader, self)
        self.check = CheckState(memory, services.auditor, self)
        self.card = CardState(store, memory, services.reader, self)
        self.history = HistoryState(store, memory, self)
        self.games = GamesState(store, self)
        self.devices: Any = None
        """Files and clipboard of the device; set by who opens the page."""
        self.crash = ""
        """The report of a crash, until it is put away."""
        self._unsubscribe = store.subscribe(self._written)

    def changed(self) -> None:
        self.revision += 1
        super().changed()

    # --- settings ------------------------------------------------------------------------------------------

    def choose(self, **changes: Any) -> None:
        """Change settings; kept at once."""
        self.settings = replace(self.settings, **changes)
        self.memory.save("settings", chosen.to_document(self.settings))
        if "rules" in changes and self.scan.purpose == "play":
            self.scan.go_by(self.table_rules)
        self.changed()

    @property
    def t(self) -> Language:
        """The language of the screens."""
        return language(self.settings.language or self.locale)

    @property
    def letters(self) -> str:
        """The language of the card letters."""
        return self.settings.letters or self.t.code

    @property
    def rules(self) -> Rules:
        return self.settings.rule_set

    def choose_preset(self, name: str) -> None:
        """Take ready-made rules; holes and par stay."""
        rules = self.rules
        self.choose(rules=str(replace(PRESETS[name], holes=rules.holes, par=rules.par)))

    def change_rules(self, **fields: Any) -> None:
        """Change fields of the rules; what does not go together is said, and changes nothing."""
        try:
            self.choose(rules=str(replace(self.rules, **fields)))
        except CompanionError as error:
            self.history.tell(trouble=Trouble.of(error))

    @property
    def hole(self) -> Belongs | None:
        """The hole that the next table is for: as long as its round is open and it has no score."""
        belongs = self.play.belongs
        round = self.round_of(belongs)
        if belongs is None or round is None or round.state != "open":
            return None
        return belongs if round.score(belongs.player, belongs.hole) is None else None

    @property
    def table_rules(self) -> Rules:
        """The rules of the next table: its round's, else those of the settings."""
        round = self.round_of(self.hole)
        return round.rules if round is not None and isinstance(round.rules, Rules) else self.rules

    @property
    def check_rules(self) -> dict[str, Rules]:
        """The rules that a check may go by, each once: of the game in play, of the open round, and of the
        settings. The first are taken unless others are chosen; a table that was played by one's round is
        not judged by something else because the settings say so."""
        found: dict[str, Rules] = {}
        if self.play.tracked is not None:
            found["game"] = self.play.position.rules
        round = self.card.round
        if round is not None and round.state == "open" and isinstance(round.rules, Rules):
            found["round"] = round.rules
        found["settings"] = self.rules
        kept: dict[str, Rules] = {}
        for name, rules in found.items():
            if all(_of_a_hole(rules) != _of_a_hole(known) for known in kept.values()):
                kept[name] = rules
        return kept

    @property
    def checked_by(self) -> str:
        """Whose rules the check goes by: a key of `check_rules`."""
        found = self.check_rules
        return self.check.by if self.check.by in found else next(iter(found))

    def round_of(self, belongs: Belongs | None) -> Round | None:
        """The round that a game belongs to, if it is still there."""
        if belongs is None:
            return None
        shown = self.card.round
        if shown is not None and shown.id == belongs.round:
            return shown
        try:
            return self.store.round(belongs.round)
        except CompanionError:
            return None  # deleted meanwhile

    def aim(self) -> str:
        """The aim of hints as the engine writes it: `strokes`, `clear`, `<=N`."""
        if self.settings.aim == "clear":
            return "clear"
        if self.settings.aim == "most":
            return f"<={self.settings.target}"
        if self.settings.aim == "round":
            needed = self.round_needs()
            return "strokes" if needed is None else f"<={needed}"
        return "strokes"

    def round_needs(self) -> int | None:
        """The strokes this hole may take for the round to stay on par, None without a round.

        What is left of the par, shared over the holes to come.
        """
        belongs = self.play.belongs
        round = self.card.round
        if belongs is None or round is None or round.id != belongs.round or round.par is None:
            return None
        left = round.holes - round.played(belongs.player)
        return None if left <= 0 else max(-16, (round.par - round.total(belongs.player)) // left)

    # --- layout --------------------------------------------------------------------------------------------

    def resize(self, width: float, height: float) -> None:
        if (width, height) != self.size and width > 0 and height > 0:
            self.size = (width, height)
            self.changed()

    @property
    def wide(self) -> bool:
        return self.size[0] >= WIDE

    @property
    def phone(self) -> bool:
        return self.size[0] < PHONE

    # --- from one screen to another ------------------------------------------------------------------------

    def play_scan(self) -> bool:
        """Play the table that was scanned."""
        editor = self.scan.editor
        if editor is None:
            return False
        # The hole that it is for may have been chosen after the photo.
        self.scan.go_by(self.table_rules)
        started = self.play.start(editor.table.position(editor.rules), self.scan.scan_id, self.hole)
        if started:
            self.navigation.go("play")
        return started

    def use_scan(self) -> None:
        """Do with the scanned table what it was scanned for."""
        editor = self.scan.editor
        if editor is None:
            return
        if self.scan.purpose == "check":
            self.check.add(editor.table, "photo", self.scan.photo)
            self.scan.aim_for("play")
            self.navigation.go("check")
        elif self.scan.purpose == "draw" and self.play.tracked:
            self.play.drawn_from_scan(editor.table)
            self.scan.aim_for("play")
            self.navigation.go("play")
        else:
            self.play_scan()

    async def read_photo(self, photo: bytes) -> None:
        """Read a photo of the table, for what the scan is for."""
        self.navigation.go("scan")
        drawing = self.scan.purpose == "draw" and self.play.tracked
        checking = self.scan.purpose == "check"
        rules = self.check_rules[self.checked_by] if checking else self.table_rules
        await self.scan.read(photo, self.play.position.rules if drawing else rules)

    def scan_for(self, purpose: str) -> None:
        """Open the camera for a purpose: `play`, `check` or `draw`."""
        self.scan.discard()
        self.scan.aim_for(purpose)
        self.navigation.go("scan")

    def check_game(self) -> None:
        """Append the table as the game has it to the check."""
        from companion.app.state.table import from_position

        if self.play.tracked:
            self.check.add(from_position(self.play.position), "game")
            self.navigation.go("check")

    def take_up(self, game: str) -> None:
        """Go on with an earlier game; the one on the table stays in the list."""
        try:
            self.play.resume(game)
        except CompanionError:
            self.games.stale()  # deleted meanwhile
            self.changed()
            return
        self.navigation.go("play")

    def play_hole(self) -> None:
        """Clear the table for the next hole of the round on the card, or for the one that is chosen."""
        cell = self.card.cell or self.card.next_cell()
        round = self.card.round
        if cell is None or round is None or not isinstance(round.rules, Rules):
            return
        belongs = Belongs(round.id, cell.player, cell.hole)
        if self.play.over or self.play.belongs != belongs:
            # A game of this very hole goes on instead.
            self.play.prepare(belongs)
        self.navigation.go("play")

    def type_table(self) -> None:
        """Begin to type the next table."""
        hole = self.hole
        self.play.type_table(self.table_rules)
        self.play.belongs = hole
        self.navigation.go("play")

    def deal_table(self) -> None:
        """Deal the next table from a shuffled deck."""
        self.play.deal(self.table_rules, self.hole)

    def score_game(self) -> bool:
        """Offer the score of the finished game to the card: the hole it was played for, else the next."""
        tracked = self.play.tracked
        if tracked is None or self.play.entered:
            return False
        belongs = self.play.belongs or self._open_hole()
        if belongs is None:
            self.navigation.go("card/new")
            return False
        if not self.card.enter_game(belongs.round, belongs.player, belongs.hole, tracked.id):
            return False
        self.play.mark_entered()
        self.play.belongs = None
        self.navigation.go("card")
        return True

    def _open_hole(self) -> Belongs | None:
        round, cell = self.card.round, self.card.next_cell()
        if round is None or cell is None or round.game != "patience":
            return None
        return Belongs(round.id, cell.player, cell.hole)

    # --- crashes -------------------------------------------------------------------------------------------

    def crashed(self, error: BaseException, where: str = "") -> None:
        """Show the crash screen; the report holds no photo, no score and no name."""
        self.crash = self.services.report(error, where or self.navigation.screen)
        self.changed()

    def put_away_crash(self) -> None:
        self.crash = ""
        self.changed()

    # --- end -----------------------------------------------------------------------------------------------

    def close(self) -> None:
        """The device has gone: listen to the store no longer."""
        self._unsubscribe()
        self._listeners.clear()

    def _written(self, changes: Changes) -> None:
        """This device or another one wrote: what is shown of it is read again."""
        on_card = self.card.round_id
        self.history.stale()
        self.games.stale()
        self.card._round = None
        written = {subject for kind, subject in changes.subjects if kind in SHOWN}
        screen = self.navigation.screen
        if written and (screen == "rounds" or (screen == "card" and (on_card in written or on_card is None))):
            self.changed()


def _of_a_hole(rules: Rules) -> Rules:
    """The rules without what only counts for a round."""
    return replace(rules, holes=Rules().holes, par=Rules().par)


def report(error: BaseException, where: str) -> str:
    """What a developer needs to know of a crash, with no path outside the program."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"  {_module(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
    head = f"Golf Patience Companion {__version__}, Python {sys.version.split()[0]}, {sys.platform}, {where}"
    return "\n".join([head, f"{type(error).__name__}: {error}", *lines])


def _module(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    for root in ("companion", "site-packages"):
        if root in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(root) - (root == "companion") :])
    return parts[-1]
