"""A component that shows the crash screen when drawing it fails, instead of taking the app down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

import flet as ft

from companion.app.components.look import Look

log = logging.getLogger("companion.app")


Part = Callable[..., ft.Control]


def unchanged(component: Part) -> Part:
    """A component that is drawn again only when what it is given has changed."""
    memo: Callable[[Part], Part] = ft.memo
    return memo(component)


def part(draw: Callable[..., ft.Control]) -> Callable[..., ft.Control]:
    """A Flet component of a function whose first argument is the look."""

    @ft.component
    @wraps(draw)
    def safe(look: Look, *values: Any, **named: Any) -> ft.Control:
        try:
            return draw(look, *values, **named)
        except Exception as error:
            log.exception("could not draw %s", draw.__name__)
            from companion.app.components.crash import crash_panel

            return crash_panel(look, look.app.services.report(error, draw.__name__))

    return safe
