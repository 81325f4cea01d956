"""Small parts used everywhere: text, buttons, panels, rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flet as ft

from companion.app.components.look import TARGET, Look
from companion.app.components.tap import tap

REGULAR, BOLD, DISPLAY = "Companion", "CompanionBold", "CompanionDisplay"
"""Names of the bundled fonts; a weight is a font of its own."""


def text(
    look: Look,
    value: str,
    size: float = 14,
    *,
    bold: bool = False,
    display: bool = False,
    color: str | None = None,
    align: ft.TextAlign | None = None,
    lines: int | None = None,
    expand: bool | int | None = None,
    quiet: bool = False,
    width: float | None = None,
    selectable: bool = False,
) -> ft.Text:
    """A text in the app's fonts. `quiet` is second-rank text."""
    p = look.palette
    return ft.Text(
        value,
        size=look.size(size),
        font_family=DISPLAY if display else BOLD if bold else REGULAR,
        color=color or (p.quiet if quiet else p.on_surface),
        text_align=align or ft.TextAlign.START,
        max_lines=lines,
        overflow=ft.TextOverflow.ELLIPSIS if lines else ft.TextOverflow.CLIP,
        expand=expand,
        width=width,
        selectable=selectable or None,
    )


def heading(look: Look, value: str, size: float = 20, *, align: ft.TextAlign | None = None) -> ft.Control:
    return ft.Semantics(header=True, content=text(look, value, size, display=True, align=align))


def named(
    id: str, content: ft.Control, *, label: str | None = None, button: bool | None = None, **more: Any
) -> ft.Semantics:
    """A part with an identifier of its own for screen readers and tests."""
    return ft.Semantics(identifier=id, label=label, button=button, container=True, content=content, **more)


def button(
    look: Look,
    label: str,
    on_click: Callable[..., Any] | None,
    *,
    id: str,
    icon: ft.IconData | None = None,
    kind: str = "filled",
    expand: bool | int | None = None,
    disabled: bool = False,
    action: Any = None,
    width: float | None = None,
    danger: bool = False,
) -> ft.Control:
    """A button of 48 pixels or more. kind: `filled`, `tonal`, `outlined`, `plain`."""
    p = look.palette
    kinds: dict[str, tuple[str | None, str, ft.BorderSide | None]] = {
        "filled": (p.error if danger else p.primary, p.on_error if danger else p.on_primary, None),
        "tonal": (p.primary_container, p.on_primary_container, None),
        "gold": (p.accent_container, p.on_accent_container, None),
        "outlined": (None, p.error if danger else p.primary, ft.BorderSide(1, p.outline)),
        "plain": (None, p.error if danger else p.primary, None),
    }
    ground, ink, side = kinds[kind]
    inks: dict[ft.ControlState, ft.ColorValue] = {
        ft.ControlState.DEFAULT: ink,
        ft.ControlState.DISABLED: p.outline,
    }
    style = ft.ButtonStyle(
        color=inks,
        icon_color=inks,
        bgcolor={ft.ControlState.DEFAULT: ground, ft.ControlState.DISABLED: p.high} if ground else None,
        side=side,
        elevation=0,
        padding=ft.Padding.symmetric(horizontal=14 if kind == "plain" else 18, vertical=10),
        shape=ft.RoundedRectangleBorder(radius=14),
        text_style=ft.TextStyle(size=look.size(14.5), font_family=BOLD),
    )
    cls = {"plain": ft.TextButton, "outlined": ft.OutlinedButton}.get(kind, ft.FilledButton)
    more = {"action": action} if action is not None else {}
    made = cls(
        label,
        icon=icon,
        on_click=look.run(on_click),
        style=style,
        disabled=disabled,
        height=max(TARGET, look.size(48)),
        width=width,
        **more,
    )
    return named(id, made, expand=expand)


def icon_button(
    look: Look,
    icon: ft.IconData,
    label: str,
    on_click: Callable[..., Any] | None,
    *,
    id: str,
    disabled: bool = False,
    color: str | None = None,
    ground: str | None = None,
    selected: bool = False,
) -> ft.Control:
    """A button with a picture only; its name is read out and shown when hovered."""
    p = look.palette
    work = None if disabled else look.run(on_click)
    # A tooltip names what is round the button, not the button: a screen reader said "button" and no more.
    return named(
        id,
        ft.IconButton(
            icon,
            icon_size=24,
            icon_color=p.outline if disabled else color or p.on_surface,
            bgcolor=p.primary_container if selected else ground,
            tooltip=label,
            on_click=work,
            disabled=disabled,
            width=TARGET,
            height=TARGET,
        ),
        label=label,
        button=True,
        exclude_semantics=True,
        on_tap=work,
    )


def panel(
    look: Look,
    content: ft.Control | Sequence[ft.Control],
    *,
    padding: float | ft.Padding = 16,
    color: str | None = None,
    expand: bool | None = None,
    radius: float = 18,
    spacing: float = 10,
) -> ft.Container:
    """A raised area."""
    p = look.palette
    inner = (
        content
        if isinstance(content, ft.Control)
        else ft.Column(
            list(content), spacing=spacing, tight=True, horizontal_alignment=ft.CrossAxisAlignment.STRETCH
        )
    )
    return ft.Container(
        inner,
        padding=padding,
        bgcolor=color or p.raised,
        border_radius=radius,
        border=ft.Border.all(1, p.outline_soft),
        expand=expand,
    )


def chip(
    look: Look,
    label: str,
    *,
    ground: str | None = None,
    ink: str | None = None,
    icon: ft.IconData | None = None,
) -> ft.Control:
    """A small label that can't be tapped."""
    p = look.palette
    ink = ink or p.on_secondary_container
    name = text(look, label, 12.5, bold=True, color=ink)
    return ft.Container(
        ft.Row([ft.Icon(icon, size=16, color=ink), name], spacing=6, tight=True) if icon else name,
        padding=ft.Padding.symmetric(horizontal=10, vertical=5),
        bgcolor=ground or p.secondary_container,
        border_radius=20,
    )


def banner(
    look: Look,
    message: str,
    *,
    kind: str = "info",
    id: str = "notice",
    on_close: Callable[..., Any] | None = None,
    actions: Sequence[ft.Control] = (),
) -> ft.Control:
    """A sentence that wants to be read now; read out at once. kind: `info`, `warn`, `error`, `good`."""
    p = look.palette
    icon, ground, ink = {
        "info": (ft.Icons.INFO_OUTLINE, p.secondary_container, p.on_secondary_container),
        "warn": (ft.Icons.WARNING_AMBER_ROUNDED, p.accent_container, p.on_accent_container),
        "error": (ft.Icons.ERROR_OUTLINE, p.error_container, p.on_error_container),
        "good": (ft.Icons.CHECK_CIRCLE_OUTLINE, p.primary_container, p.on_primary_container),
    }[kind]
    row: list[ft.Control] = [
        ft.Icon(icon, color=ink, size=22),
        text(look, message, 14, color=ink, expand=True),
    ]
    if on_close:
        row.append(icon_button(look, ft.Icons.CLOSE, look.t("Close"), on_close, id=f"{id}-close", color=ink))
    body: ft.Control = ft.Row(row, spacing=10, vertical_alignment=ft.CrossAxisAlignment.CENTER)
    if actions:
        body = ft.Column([body, flow(actions)], spacing=8, tight=True)
    return ft.Semantics(
        identifier=id,
        live_region=True,
        container=True,
        content=ft.Container(
            body,
            padding=ft.Padding.only(left=14, right=6 if on_close else 14, top=8, bottom=8),
            bgcolor=ground,
            border_radius=14,
        ),
    )


def choice(
    look: Look,
    options: Sequence[tuple[str, str]],
    chosen: str,
    on_choose: Callable[[str], Any],
    *,
    id: str,
    wrap: bool = True,
) -> ft.Control:
    """One of a few: a row of keys, the chosen one filled and ticked. options: (value, label)."""
    p = look.palette
    keys: list[ft.Control] = []
    for value, label in options:
        on = value == chosen
        tick = [ft.Icon(ft.Icons.CHECK, size=18, color=p.on_primary_container)] if on else []
        name = text(look, label, 14, bold=on, color=p.on_primary_container if on else p.on_surface)
        keys.append(
            tap(
                look,
                f"{id}-{value}",
                label,
                on_choose,
                value,
                content=ft.Row([*tick, name], spacing=6, tight=True, alignment=ft.MainAxisAlignment.CENTER),
                height=max(TARGET, look.size(48)),
                selected=on,
                padding=ft.Padding.symmetric(horizontal=14 if len(label) > 2 else 20),
                bgcolor=p.primary_container if on else p.high,
                border=ft.Border.all(1.5 if on else 1, p.primary if on else p.outline_soft),
                border_radius=14,
            )
        )
    return ft.Row(keys, spacing=8, run_spacing=8, wrap=wrap)


def flow(parts: Sequence[ft.Control]) -> ft.Row:
    """Buttons side by side, in as many lines as they need."""
    return ft.Row(list(parts), wrap=True, spacing=8, run_spacing=8)


def empty(
    look: Look, icon: ft.IconData, title: str, message: str, actions: Sequence[ft.Control] = ()
) -> ft.Control:
    """A page with nothing on it yet: what it is for, and how to begin."""
    p = look.palette
    return ft.Column(
        [
            ft.Container(
                ft.Icon(icon, size=44, color=p.primary),
                width=92,
                height=92,
                border_radius=46,
                bgcolor=p.primary_container,
                alignment=ft.Alignment.CENTER,
            ),
            heading(look, title, 22, align=ft.TextAlign.CENTER),
            text(look, message, 15, quiet=True, align=ft.TextAlign.CENTER, width=320),
            *actions,
        ],
        spacing=14,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        alignment=ft.MainAxisAlignment.CENTER,
    )


def scroll(
    look: Look,
    content: Sequence[ft.Control],
    *,
    padding: float = 4,
    spacing: float = 12,
    width: float = 720,
    key: str | None = None,
) -> ft.Control:
    """A page that scrolls, its content no wider than is good to read.

    A new `key` begins at the top again; without one, another place does.
    """
    inner = ft.Container(
        ft.Column(list(content), spacing=spacing, horizontal_alignment=ft.CrossAxisAlignment.STRETCH),
        padding=padding,
        width=min(width, look.inside),
    )
    return ft.Column(
        [ft.Row([inner], alignment=ft.MainAxisAlignment.CENTER)],
        scroll=ft.ScrollMode.AUTO,
        expand=True,
        key=key or look.app.navigation.path,
    )
