"""A bar that fills while one waits for the reader."""

from __future__ import annotations

import asyncio
import math
import time

import flet as ft

from companion.app.components.look import Look

STEP = 0.4
"""Seconds between two looks at the clock."""
USUAL = 1.5
"""Seconds that a photo takes, until one was read."""


def share(elapsed: float, usual: float) -> float:
    """How far the bar is after so many seconds, from 0 to less than 1: two thirds at the usual time."""
    return 1 - math.exp(-1.1 * max(0.0, elapsed) / usual)


@ft.component
def waiting_bar(look: Look, said: str) -> ft.Control:
    """Moves a few times, not sixty times a second: a picture that moves all the time takes one of two
    processors from the reader."""
    scan, p = look.app.scan, look.palette
    filled, fill = ft.use_state(0.0)
    here = ft.use_ref(True)

    async def tick() -> None:
        while here.current and scan.reading:
            await asyncio.sleep(STEP)
            if here.current:
                fill(share(time.monotonic() - scan.started, scan.seconds or USUAL))

    def leave() -> None:
        here.current = False

    ft.use_effect(tick, [], leave)
    return ft.ProgressBar(
        value=filled, color=p.primary, bgcolor=p.high, border_radius=4, bar_height=6, semantics_label=said
    )
