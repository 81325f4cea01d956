"""Playing a hole: the table, its moves, hints, and the score at the end. Every step is in the store."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.app.services.adviser import Adviser, Hint
from companion.app.state.documents import dump_editor, dump_hint, load_editor, load_hint
from companion.app.state.editor import Editor
from companion.app.state.memory import Memory
from companion.app.state.model import Model
from companion.app.state.table import Table
from companion.app.state.trouble import EXPECTED, Trouble
from companion.game import (
    Card,
    Draw,
    Game,
    IllegalMove,
    Move,
    Play,
    Position,
    Rules,
    joker_ranks,
    verify,
)
from companion.game.record import TrackedGame

if TYPE_CHECKING:
    from companion.store import Store


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell the player: a code the screens have words for, and what it is about."""

    code: str
    card: Card | None = None
    top: Card | None = None
    text: str = ""
    trouble: Trouble | None = None
    """Why there is no hint."""


@dataclass(frozen=True, slots=True)
class Belongs:
    """The hole of a round that a game is played for."""

    round: str
    player: str
    hole: int


class PlayState(Model):
    """The hole on the table. Nothing, or a table being typed (`editor`), or a game (`game`)."""

    def __init__(self, store: Store, memory: Memory, adviser: Adviser, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._memory = memory
        self._adviser = adviser
        self.editor: Editor | None = None
        self.correcting: str | None = None
        """The game whose table is being corrected in the editor."""
        self.tracked: TrackedGame | None = None
        self.belongs: Belongs | None = None
        self.entered = False
        """The score of this game is on a card."""
        self.notice: Notice | None = None
        self.hint: Hint | None = None
        self.thinking = False
        self.drawing = False
        """The stock was tapped, and the card that came is asked for."""
        self.drawn_rank: str | None = None
        self.naming: int | None = None
        """The column whose joker waits for the rank it stands for."""
        self._asked = 0
        self._kept: tuple[object, ...] = (False, None, None, None)
        """What is asked and said, as it was kept last."""
        self._known: tuple[TrackedGame | None, Game | None] = (None, None)
        self._recall()

    def changed(self) -> None:
        if self._asks != self._kept:
            self._keep_quietly()
        super().changed()

    @property
    def _asks(self) -> tuple[object, ...]:
        return (self.drawing, self.drawn_rank, self.naming, self.hint)

    # --- beginning -----------------------------------------------------------------------------------------

    def prepare(self, belongs: Belongs | None) -> None:
        """Clear the table for a hole of a round, or for none: the next table that comes is its."""
        self._clear()
        self.belongs = belongs
        self._keep()

    def type_table(self, rules: Rules) -> None:
        """Begin to type a table, a card after the other."""
        self._clear()
        self._edit_with(Editor(rules, filling=True, parent=self))

    def edit_table(self) -> None:
        """Correct the table: a game begins anew from what comes of it; closed, the old one goes on."""
        if self.tracked is None:
            return
        from companion.app.state.table import from_position

        editor = Editor(self.position.rules, from_position(self.position), parent=self)
        game, belongs = self.tracked.id, self.belongs
        self._clear()
        self.correcting, self.belongs = game, belongs
        self._edit_with(editor)

    def start(self, position: Position, scan: str | None = None, belongs: Belongs | None = None) -> bool:
        """Begin a game from a table. Where the table can't be played nothing changes but the notice."""
        wrong = [problem for problem in position.problems() if problem.code not in ("card-twice",)]
        if wrong:
            self.notice = Notice(
                wrong[0].code, wrong[0].cards[0] if wrong[0].cards else None, text=wrong[0].message
            )
            self.changed()
            return False
        self._clear()
        self.belongs = belongs
        self.tracked = self._store.new_game(
            position,
            round=belongs.round if belongs else None,
            player=belongs.player if belongs else None,
            hole=belongs.hole if belongs else None,
            scan=scan,
        )
        self._keep()
        return True

    def start_typed(self) -> bool:
        """Play the table that was typed."""
        if self.editor is None:
            return False
        return self.start(self.editor.table.position(self.editor.rules), belongs=self.belongs)

    def deal(self, rules: Rules, belongs: Belongs | None = None) -> None:
        """Shuffle and deal a table to practise on; the stock stays unseen, also for hints."""
        import random

        from companion.game import full_deck

        cards = list(full_deck(rules))
        random.SystemRandom().shuffle(cards)
        self.start(Position.deal(rules, cards), belongs=belongs)

    def close(self) -> None:
        """Put the table away; the correction of a game goes back to the game."""
        if self.correcting is not None:
            self.resume(self.correcting)
            return
        self._clear()
        self._keep()

    def resume(self, game: str) -> None:
        """Take up a game from the store."""
        self._clear()
        self.tracked = self._store.game(game)
        found = self.tracked
        self.belongs = None
        if found.round and found.player and found.hole:
            self.belongs = Belongs(found.round, found.player, found.hole)
        self._keep()

    # --- the table now -------------------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The log of the game, worked out once for each state of it."""
        if self._known[0] is not self.tracked:
            self._known = (self.tracked, self.tracked.game if self.tracked else None)
        return self._known[1]

    @property
    def position(self) -> Position:
        """The table now; there must be a game."""
        game = self.game
        assert game is not None
        return game.position

    @property
    def can_undo(self) -> bool:
        return bool(self.game and self.game.moves)

    @property
    def can_redo(self) -> bool:
        return bool(self.game and self.game.undone)

    @property
    def over(self) -> bool:
        return self.tracked is not None and self.position.finished

    @property
    def hinted(self) -> bool:
        return self.tracked is not None and self.tracked.hints > 0

    @property
    def practice(self) -> bool:
        """The stock was dealt here, so no one has to say which card comes."""
        return self.tracked is not None and self.position.stock is not None

    # --- moves ---------------------------------------------------------------------------------------------

    def tap_column(self, column: int) -> None:
        """Play the exposed card of a column, or say why not."""
        if self.tracked is None:
            return
        self.drawing = False
        position = self.position
        card = position.exposed[column] if column < len(position.columns) else None
        if card is not None and card.is_joker and position.rules.joker == "declared":
            ranks = self.joker_ranks
            if len(ranks) > 1:
                self.naming = column
                self.notice = None
                self.changed()
                return
            self._do(Play(column, ranks[0] if ranks else None), card)
            return
        self._do(Play(column), card)

    def name_joker(self, rank: int) -> None:
        """The rank a joker stands for that is being played."""
        if self.naming is not None:
            column, self.naming = self.naming, None
            self._do(Play(column, rank), self.position.exposed[column])

    def tap_stock(self) -> None:
        """Draw: at once where the stock is known, else ask which card came."""
        if self.tracked is None:
            return
        self.naming = None
        if self.drawing:
            self.drawing = False
            self.changed()
        elif self.practice:
            self._do(Draw(), None)
        else:
            try:
                verify(self.position, Draw())
            except IllegalMove as broken:
                self._say(broken, None)
                return
            self._asked += 1  # a hint that is thought of comes too late
            self.drawing, self.drawn_rank, self.notice = True, None, None
            self.thinking, self.hint = False, None
            self.changed()

    def drawn(self, card: Card) -> None:
        """The card that came from the stock."""
        self.drawing = False
        self.drawn_rank = None
        self._do(Draw(card), card)

    def press_drawn_rank(self, rank: str) -> None:
        """The rank of the card that came; enough where a single card of it is unseen."""
        left = [card for card in self.drawable if str(card)[0] == rank]
        if len(left) == 1:
            self.drawn(left[0])
            return
        self.drawn_rank = None if self.drawn_rank == rank else rank
        self.changed()

    def press_drawn_suit(self, suit: str) -> None:
        if self.drawn_rank:
            self.drawn(Card.parse(self.drawn_rank + suit))

    def drawn_from_scan(self, table: Table) -> bool:
        """Take the card that came from a photo, if it shows one card that wasn't seen before."""
        unseen = set(self.drawable)
        if table.discard and table.discard.card in unseen:
            self.drawn(table.discard.card)
            return True
        found = {slot.card for _, slot in table.places() if slot.card in unseen}
        if len(found) == 1:
            self.drawn(found.pop())
            return True
        self.notice = Notice("photo-unclear")
        self.changed()
        return False

    @property
    def joker_ranks(self) -> tuple[int, ...]:
        """The ranks that a declared joker may be given now."""
        return tuple(joker_ranks(self.position)) if self.tracked else ()

    @property
    def par(self) -> int:
        """What the hole is expected to take."""
        rules = self.position.rules
        return round(rules.par / rules.holes) if rules.holes else 5

    @property
    def drawable(self) -> tuple[Card, ...]:
        """The cards that may come from the stock, each once."""
        return tuple(dict.fromkeys(self.position.unseen)) if self.tracked else ()

    def undo(self) -> None:
        if self.can_undo:
            self._step("undo")

    def redo(self) -> None:
        if self.can_redo:
            self._step("redo")

    def play_run(self) -> None:
        """Play the cards of the hint's run, as far as they can be found."""
        run = self.hint.run if self.hint else ()
        for card in run:
            exposed = self.position.exposed
            if card.plain not in exposed:
                break
            column = exposed.index(card.plain)
            if not self._do(Play(column, card.stands_for), card):
                break

    # --- hints ---------------------------------------------------------------------------------------------

    async def ask(self, aim: str) -> None:
        """Ask for a hint; the screen stays free. `aim` is `strokes`, `clear` or `<=N`."""
        if self.tracked is None or self.over:
            return
        self._asked += 1
        asked, position = self._asked, self.position
        self.thinking, self.notice = True, None
        self.changed()
        try:
            hint = await asyncio.to_thread(self._adviser.advise, position, aim)
            if asked != self._asked:
                return
            # The hint is part of the game: a hole played with hints is marked, also when the move is taken
            # back.
            best = hint.lines[0].move if hint.lines else None
            self.tracked = self._store.step(self.tracked.id, "hint", best)
        except Exception as error:
            if asked != self._asked:
                return
            self.thinking, self.hint = False, None
            known = isinstance(error, EXPECTED)
            self.notice = Notice("no-hint", trouble=Trouble.of(error)) if known else None
            self.changed()
            if not known:
                raise
            return
        self.thinking, self.hint = False, hint
        self.changed()

    def cancel_hint(self) -> None:
        self._asked += 1
        self.thinking, self.hint = False, None
        self.changed()

    def dismiss(self) -> None:
        """Close whatever is asked or said."""
        self.notice, self.drawing, self.naming = None, False, None
        self.changed()

    # --- the end -------------------------------------------------------------------------------------------

    def mark_entered(self) -> None:
        self.entered = True
        self._keep()

    # --- inside --------------------------------------------------------------------------------------------

    def _do(self, move: Move, card: Card | None) -> bool:
        assert self.tracked is not None
        try:
            self.tracked = self._store.step(self.tracked.id, "move", move)
        except IllegalMove as broken:
            self._say(broken, card)
            return False
        self._moved()
        return True

    def _step(self, kind: str) -> None:
        assert self.tracked is not None
        self.tracked = self._store.step(self.tracked.id, kind)
        self._moved()

    def _moved(self) -> None:
        self._asked += 1
        self.thinking, self.hint, self.notice = False, None, None
        self.drawing, self.naming = False, None
        if self.entered and not self.over:
            self.entered = False
        self.changed()

    def _say(self, broken: IllegalMove, card: Card | None) -> None:
        self.drawing = False
        self.notice = Notice(broken.code, card, self.position.top, str(broken))
        self.changed()

    def _edit_with(self, editor: Editor) -> None:
        self.editor = editor
        editor.on_edit = editor.on_move = self._keep_quietly
        self._keep()

    def _clear(self) -> None:
        self._asked += 1
        self.editor = self.correcting = self.tracked = self.hint = self.notice = None
        self.thinking = self.drawing = self.entered = False
        self.naming = self.drawn_rank = None

    def _keep(self) -> None:
        self._keep_quietly()
        self.changed()

    def _keep_quietly(self) -> None:
        document: dict[str, Any] = {"entered": self.entered}
        if self.belongs:
            document["belongs"] = [self.belongs.round, self.belongs.player, self.belongs.hole]
        if self.tracked:
            document["game"] = self.tracked.id
        if self.editor:
            document["editor"] = dump_editor(self.editor)
            document["correcting"] = self.correcting
        self._kept = self._asks
        if self.drawing or self.naming is not None:
            document["asked"] = [self.drawing, self.drawn_rank, self.naming]
        if self.hint is not None:
            document["hint"] = dump_hint(self.hint)
        self._memory.save("play", document)

    def _recall(self) -> None:
        known = self._memory.load("play") or {}
        try:
            if "game" in known:
                self.tracked = self._store.game(str(known["game"]))
            if "editor" in known:
                self.editor = load_editor(known["editor"], self)
                self.editor.on_edit = self.editor.on_move = self._keep_quietly
                self.correcting = known.get("correcting")
            if "belongs" in known:
                round, player, hole = known["belongs"]
                self.belongs = Belongs(str(round), str(player), int(hole))
            self.entered = bool(known.get("entered"))
            if self.tracked and not self.over:
                drawing, rank, naming = known.get("asked", (False, None, None))
                self.drawing, self.drawn_rank = bool(drawing), str(rank) if rank else None
                self.naming = int(naming) if naming is not None else None
                self.hint = load_hint(known["hint"]) if "hint" in known else None
        except (ValueError, KeyError, TypeError):
            # The store or the memory has lost what the other remembers: begin with an empty table.
            self._clear()
