"""Fields to type in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.components.base import named, text
from companion.app.components.look import TARGET, Look


def switch(look: Look, label: str, value: bool, on_change: Callable[[bool], Any], *, id: str) -> ft.Control:
    """A switch whose label wraps; a tap anywhere on the line turns it."""
    p = look.palette
    turn = look.run(on_change, not value)
    return named(
        id,
        ft.Container(
            ft.Row(
                [
                    ft.Switch(
                        value=value,
                        active_color=p.primary,
                        on_change=look.run_event(lambda event: on_change(event.control.value)),
                    ),
                    text(look, label, 14.5, expand=True),
                ],
                spacing=8,
            ),
            height=max(TARGET, look.size(48)),
            on_click=turn,
        ),
        label=label,
        toggled=value,
        exclude_semantics=True,
        on_tap=turn,
    )


def field(
    look: Look,
    label: str,
    value: str,
    on_change: Callable[[str], Any],
    *,
    id: str,
    key: str | None = None,
    expand: bool | None = None,
) -> ft.Control:
    """A line of text; `on_change` is called with every letter."""
    p = look.palette
    return named(
        id,
        ft.TextField(
            label=label,
            value=value,
            on_change=look.run_event(lambda event: on_change(event.control.value)),
            border={
                ft.ControlState.DEFAULT: _outline(p.outline, 1),
                ft.ControlState.FOCUSED: _outline(p.primary, 2),
            },
            bgcolor=p.raised,
            text_size=look.size(16),
            label_style=ft.TextStyle(size=look.size(14), color=p.quiet),
            color=p.on_surface,
            height=max(56, look.size(54)),
            max_length=60,
            counter="",
            key=key or id,
        ),
        expand=expand,
    )


def _outline(color: str, width: float) -> ft.OutlineInputBorder:
    return ft.OutlineInputBorder(border_radius=12, side=ft.BorderSide(width, color))
