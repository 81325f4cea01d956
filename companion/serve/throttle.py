"""Slows down whoever tries wrong tokens: each wrong one doubles the wait, by address."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

FREE = 3
"""Wrong tokens without a wait: people mistype."""
LONGEST = 600.0
"""Seconds of the longest wait."""
FORGET = 1800.0
"""Seconds after which an address starts afresh."""
MOST = 4096
"""Addresses remembered."""


class Throttle:
    """Waits by address; an IPv6 network of one home (/64) counts as one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        count, last = self._known(address)
        if count <= FREE:
            return 0.0
        return max(0.0, last + min(LONGEST, 2.0 ** (count - FREE)) - self._clock())

    def wrong(self, address: str) -> None:
        """Note a wrong token."""
        count, _ = self._known(address)
        key = _network(address)
        self._wrong[key] = (count + 1, self._clock())
        self._wrong.move_to_end(key)
        while len(self._wrong) > MOST:
            self._wrong.popitem(last=False)

    def right(self, address: str) -> None:
        self._wrong.pop(_network(address), None)

    def _known(self, address: str) -> tuple[int, float]:
        count, last = self._wrong.get(_network(address), (0, 0.0))
        return (0, 0.0) if count and self._clock() - last > FORGET else (count, last)


def _network(address: str) -> str:
    try:
        found = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return "?"
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
