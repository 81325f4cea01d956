"""An area that can be tapped, and that a screen reader can name and tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.components.look import Look


def tap(
    look: Look,
    id: str,
    label: str,
    on_tap: Callable[..., Any] | None,
    *values: Any,
    content: ft.Control | None = None,
    width: float | None = None,
    height: float | None = None,
    selected: bool | None = None,
    disabled: bool = False,
    ink: bool = True,
    expand: bool | int | None = None,
    **style: Any,
) -> ft.Control:
    """A container with an identifier, a name to read out, and one action.

    The screen reader's tap and the finger's are two ways to the same callback.
    """
    work = None if disabled else look.run(on_tap, *values)
    return ft.Semantics(
        identifier=id,
        label=label,
        button=True,
        container=True,
        selected=selected,
        exclude_semantics=True,
        on_tap=work,
        expand=expand,
        content=ft.Container(
            content, width=width, height=height, on_click=work, ink=ink and work is not None, **style
        ),
    )
