"""What may come a moment after the answer to a tap."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import flet as ft

T = TypeVar("T")

TURNS = 4
"""Turns of the event loop until what was drawn has left for the client."""


def use_late(value: T, first: T) -> T:
    """A hook: the value as it was before this drawing; the new one comes in a second drawing, right after
    this one was sent. `first` is what the first drawing gets.

    So a tap is answered by the little that must change at once, and the client shows it while the rest is
    drawn here.
    """
    drawn, draw = ft.use_state(first)

    async def follow() -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)
        draw(value)

    # As long as it has not come, each drawing asks for it: a connection that broke may have lost the first.
    ft.use_effect(follow, [value] if drawn == value else None)
    return drawn
