"""The languages a browser asks for, told by the request that opens its socket.

Asked over that socket instead, the first screen would wait for an answer of a client that draws an empty page
meanwhile.
"""

from __future__ import annotations

from contextvars import ContextVar

_heard: ContextVar[tuple[str, ...]] = ContextVar("heard", default=())


def hear(header: str) -> None:
    """Note an `Accept-Language` header, for what runs from here on in the same context."""
    _heard.set(languages(header))


def heard() -> tuple[str, ...]:
    """The languages of the browser behind this context, its favourite first; none where it said none."""
    return _heard.get()


def languages(header: str) -> tuple[str, ...]:
    """The languages of a header, the most wanted first: `en;q=0.7, sv-SE` is `sv-SE`, `en`."""
    found = []
    for part in header.split(","):
        name, _, weight = part.partition(";")
        try:
            wanted = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        if (name := name.strip()) and name != "*" and wanted > 0:
            found.append((name, wanted))
    return tuple(name for name, _ in sorted(found, key=lambda one: -one[1]))
