"""A game as its start and its moves: the log is the undo, the export and the audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from companion.game.errors import IllegalMove
from companion.game.moves import Move, apply
from companion.game.position import Position


@dataclass(frozen=True)
class Game:
    """A hole from its start; immutable, each step gives a new one."""

    start: Position
    moves: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()
    """Moves taken back, the one that `redo` brings next last."""

    @cached_property
    def position(self) -> Position:
        """The table now.  Raises `IllegalMove` if the log holds a move the rules don't allow."""
        position = self.start
        for position in self.positions():  # noqa: B007 (the last one counts)
            pass
        return position

    def positions(self) -> Iterator[Position]:
        """The start and the table after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = apply(position, move)
            yield position

    def do(self, move: Move) -> Game:
        """The game after one more move; what was undone is forgotten.  Raises `IllegalMove`."""
        after = apply(self.position, move)
        return self._with(replace(self, moves=(*self.moves, move), undone=()), after)

    def undo(self) -> Game:
        """The game without its last move.  Raises `IllegalMove` at the start."""
        if not self.moves:
            raise IllegalMove("over", f"there is no move to take back: {len(self.moves)!r}")
        return replace(self, moves=self.moves[:-1], undone=(*self.undone, self.moves[-1]))

    def redo(self) -> Game:
        """The game with the last undone move again.  Raises `IllegalMove` when there is none."""
        if not self.undone:
            raise IllegalMove("over", f"there is no move to bring back: {len(self.undone)!r}")
        again = replace(self, moves=(*self.moves, self.undone[-1]), undone=self.undone[:-1])
        return self._with(again, apply(self.position, self.undone[-1]))

    def audit(self) -> IllegalMove | None:
        """The first move of the log that breaks a rule, as the error it raises; None when all are allowed."""
        try:
            for _ in self.positions():
                pass
        except IllegalMove as broken:
            return broken
        return None

    @staticmethod
    def _with(game: Game, position: Position) -> Game:
        game.__dict__["position"] = position
        return game
