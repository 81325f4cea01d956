"""A number with a less and a more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.components.base import icon_button, text
from companion.app.components.look import Look


def stepper(
    look: Look, label: str, value: int, least: int, most: int, on_change: Callable[[int], Any], *, id: str
) -> ft.Control:
    """The number's name, and keys that make it smaller and larger within its bounds."""
    t, p = look.t, look.palette
    return ft.Row(
        [
            text(look, label, 15, expand=True),
            icon_button(
                look,
                ft.Icons.REMOVE,
                t("{what}: less", what=label),
                lambda: on_change(max(least, value - 1)),
                id=f"{id}-less",
                disabled=value <= least,
                ground=p.high,
            ),
            ft.Semantics(
                identifier=id,
                container=True,
                content=text(look, t.number(value), 18, bold=True, width=44, align=ft.TextAlign.CENTER),
            ),
            icon_button(
                look,
                ft.Icons.ADD,
                t("{what}: more", what=label),
                lambda: on_change(min(most, value + 1)),
                id=f"{id}-more",
                disabled=value >= most,
                ground=p.high,
            ),
        ],
        spacing=4,
        vertical_alignment=ft.CrossAxisAlignment.CENTER,
    )
