"""Which screen is open. A place is a path such as `play`, `card/new`, `rounds/3f2a/edit`."""

from __future__ import annotations

import re

from companion.app.state.memory import Memory
from companion.app.state.model import Model

SCREENS = ("scan", "play", "check", "card", "rounds")
"""The screens of the navigation bar, in its order."""
PLACES = (*SCREENS, "settings")


class Navigation(Model):
    """The open place, and for each screen where it was left."""

    def __init__(self, memory: Memory, parent: Model | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        known = memory.load("navigation") or {}
        self._left: dict[str, str] = {
            screen: path for screen, path in known.get("left", {}).items() if _valid(path) == path
        }
        self.path = _valid(str(known.get("path", ""))) or "play"
        self._before = _valid(str(known.get("before", ""))) or "play"

    @property
    def screen(self) -> str:
        """The first part of the path: one of `PLACES`."""
        return self.path.split("/")[0]

    @property
    def parts(self) -> tuple[str, ...]:
        """What follows the screen in the path."""
        return tuple(self.path.split("/")[1:])

    @property
    def route(self) -> str:
        """The path as the browser shows it."""
        return f"/{self.path}"

    @property
    def nested(self) -> bool:
        """True where a way back is offered."""
        return bool(self.parts) or self.screen == "settings"

    def go(self, path: str) -> None:
        """Open a place; unknown ones change nothing."""
        place = _valid(path)
        if place is None or place == self.path:
            return
        if self.screen != "settings":
            self._left[self.screen] = self.path
            if place.startswith("settings"):
                self._before = self.path
        self.path = place
        self._keep()

    def open(self, screen: str) -> None:
        """Open a screen where it was left; asked for again, its first page."""
        self.go(screen if screen == self.screen else self._left.get(screen, screen))

    def back(self) -> None:
        """One step up: to the page above, or from the settings to where one came from."""
        if self.parts:
            self.go("/".join(self.path.split("/")[:-1]))
        elif self.screen == "settings":
            self.go(self._before)

    def _keep(self) -> None:
        self._memory.save("navigation", {"path": self.path, "left": self._left, "before": self._before})
        self.changed()


def _valid(path: str) -> str | None:
    path = path.strip("/")
    if not re.fullmatch(r"[a-z]+(/[a-z0-9-]{1,40}){0,3}", path):
        return None
    return path if path.split("/")[0] in PLACES else None
