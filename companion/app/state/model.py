"""The base of all state: something that changes, and tells who shows it."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[], None]


class Model:
    """State that calls its listeners after each change; `parent` is told too."""

    def __init__(self, parent: Model | None = None) -> None:
        self._parent = parent
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Listener:
        """Call `listener` after each change; returns what ends it."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def changed(self) -> None:
        """To be called at the end of every method that changes something."""
        for listener in tuple(self._listeners):
            listener()
        if self._parent is not None:
            self._parent.changed()
