"""Keeps a browser's address and the open place together; either may change while the other is on its way.

A browser tells of a new address twice: first the page has it, then an event says so. In between, and until an
address that was asked for comes back, the page's address says nothing about where its user wants to be: who
compares the two then sends people back from where they just went.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from companion.app.state.navigation import Navigation

Push = Callable[[str], Awaitable[object]]


class Address:
    """What a browser shows, as far as it told.

    push: asks it for another address and waits until it is there; None where no address is shown.
    """

    def __init__(self, navigation: Navigation, push: Push | None, route: str) -> None:
        self._navigation = navigation
        self._push = push
        self._told = route
        self._asked: list[asyncio.Task[None]] = []
        """Under way, the oldest first; each is named by its address."""
        self._return: str | None = None

    def follow(self) -> None:
        """Ask for the address of the open place, where the browser neither has it nor is asked for it."""
        wanted = self._navigation.route
        if self._push is None:
            return
        if wanted != (self._asked[-1].get_name() if self._asked else self._told):
            self._asked.append(asyncio.create_task(self._ask(self._push, wanted), name=wanted))

    def heard(self, route: str) -> None:
        """The browser has another address: one that was asked for, or else its user went there."""
        self._told, returned, self._return = route, route == self._return, None
        echo = next((task for task in self._asked if task.get_name() == route), None)
        if echo is not None:
            del self._asked[: self._asked.index(echo) + 1]
        elif not returned:
            self._navigation.go(route)
        self.follow()

    def passed(self, route: str) -> None:
        """The browser was at an address that is no place, and will go back by itself."""
        self._told, self._return = route, self._told

    def again(self, route: str) -> None:
        """A browser that was gone is back, with this address; it heard nothing meanwhile."""
        self._told, self._return = route, None
        asked, self._asked = self._asked, []
        for task in asked:
            task.cancel()

    async def _ask(self, push: Push, route: str) -> None:
        try:
            with suppress(RuntimeError):  # the page is gone
                await push(route)
        finally:
            # A browser that was there already has nothing to tell.
            mine = asyncio.current_task()
            if mine in self._asked:
                del self._asked[: self._asked.index(mine) + 1]
                self._told = route
