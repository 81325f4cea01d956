"""Games that were begun, newest first, so that one put away, or left by the next hole, is taken up again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.state.model import Model
from companion.game.record import TrackedGame

if TYPE_CHECKING:
    from companion.store import Store

NEWEST = 30
"""Games in the list."""


class GamesState(Model):
    """The newest games of the store, read again after it was written."""

    def __init__(self, store: Store, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._games: tuple[TrackedGame, ...] | None = None
        self._any: bool | None = None

    def stale(self) -> None:
        self._games = self._any = None

    @property
    def any(self) -> bool:
        """Whether there is a game at all; cheaper than the list."""
        if self._any is None:
            self._any = bool(self._store.games(newest=1))
        return self._any

    @property
    def newest(self) -> tuple[TrackedGame, ...]:
        """The last begun first."""
        if self._games is None:
            self._games = self._store.games(newest=NEWEST)[::-1]
        return self._games
