"""Tells every open page what others wrote: at once within this process, twice a second from other ones."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable

from companion.serve.log import log
from companion.store import Changes, Store, StoreError

EVERY = 0.5
"""Seconds between two looks at what other processes wrote."""

Listener = Callable[[Changes], None]


class Feed:
    """Changes of one store. A listener is called on the loop and in the context it subscribed in: Flet finds
    the page to draw by that context."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._listeners: dict[int, tuple[Listener, contextvars.Context, asyncio.AbstractEventLoop]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._last = store.last_change
        self._own: set[int] = set()
        self._end = store.subscribe(self._written_here)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after each change by anybody; returns what ends it. To be called on a loop."""
        with self._lock:
            self._number += 1
            key = self._number
            self._listeners[key] = (listener, contextvars.copy_context(), asyncio.get_running_loop())

        def end() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return end

    async def follow(self) -> None:
        """Watch for changes of other processes until cancelled."""
        troubled = False
        while True:
            await asyncio.sleep(EVERY)
            try:
                found = await asyncio.to_thread(self._store.changes_since, self._last)
                troubled = False
            except StoreError as error:
                # A database that restarts is back soon; strokes written meanwhile are seen then.
                if not troubled:
                    log.warning("the store does not answer: %s", type(error).__name__)
                troubled = True
                continue
            self._look(found)

    def close(self) -> None:
        self._end()

    def _look(self, found: Changes) -> None:
        with self._lock:
            ours = {seq for seq in self._own if seq <= found.seq}
            others = found.seq - self._last > len(ours)
            self._own -= ours
            self._last = found.seq
        if others:
            self._tell(found)

    def _written_here(self, changes: Changes) -> None:
        with self._lock:
            if changes.seq > self._last:
                self._own.add(changes.seq)
        self._tell(changes)

    def _tell(self, changes: Changes) -> None:
        with self._lock:
            listeners = tuple(self._listeners.values())
        for listener, context, loop in listeners:
            if not loop.is_closed():
                loop.call_soon_threadsafe(listener, changes, context=context)
