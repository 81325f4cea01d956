"""Offering a file to be kept: a card, the sheet of all holes, everything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.app.components.look import Look
from companion.app.state.trouble import EXPECTED, Trouble


async def offer(look: Look, make: Callable[[], tuple[str, bytes]]) -> None:
    """Make a file in a thread and offer it under its name; says that it is kept, or why it is not."""
    app = look.app
    try:
        name, data = await asyncio.to_thread(make)
        kept = await app.devices.save(name, data)
    except EXPECTED as error:
        app.history.tell(trouble=Trouble.of(error))
        return
    if kept:
        app.history.tell(done=look.t("Saved as {name}.", name=name))
