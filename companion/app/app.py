"""The frame of the app: app bar, navigation, the open screen."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

import flet as ft

from companion.app.components.base import BOLD, REGULAR, icon_button, text
from companion.app.components.boundary import part, unchanged
from companion.app.components.crash import crash_panel
from companion.app.components.late import use_late
from companion.app.components.look import RAIL, Look
from companion.app.languages import Language
from companion.app.state.app import PHONE, AppState
from companion.app.state.navigation import PLACES, SCREENS
from companion.app.theme import DARK, LIGHT

BAR, TITLE = 68, 52
"""Heights of the frame, pixels."""
SHORT = 480
"""A window that is less high is a phone on its side."""


def look_of(app: AppState, dark: bool) -> Look:
    settings = app.settings
    return Look(
        palette=DARK if dark else LIGHT,
        t=app.t,
        letters=app.letters,
        scale=settings.text_size,
        hand=settings.hand,
        four_colours=settings.four_colours,
        dark=dark,
        app=app,
    )


View = Callable[..., ft.Control]


def view_of(screen: str) -> View:
    """A place's view, `view(look, width, height)`; loaded when it is opened first, or ahead by `screens`."""
    return cast(View, getattr(import_module(f"companion.app.views.{screen}"), f"{screen}_view"))


CONTROLS = (
    "Column Container FilledButton FilePicker Icon IconButton OutlinedButton Row SafeArea Semantics Stack "
    "Switch TextButton Theme View use_effect use_memo use_state"
)
"""What all screens are drawn with."""


def screens() -> dict[str, View]:
    """All views, loaded, and the controls: Flet imports each when it is first named, 0.1 s in all."""
    for name in CONTROLS.split():
        getattr(ft, name)
    return {screen: view_of(screen) for screen in PLACES}


def titles(t: Language) -> dict[str, tuple[str, ft.IconData, ft.IconData]]:
    """Each place's name, icon, and icon when it is open."""
    i = ft.Icons
    return {
        "scan": (t("Scan"), i.PHOTO_CAMERA_OUTLINED, i.PHOTO_CAMERA),
        "play": (t("Play"), i.STYLE_OUTLINED, i.STYLE),
        "check": (t("Check"), i.FACT_CHECK_OUTLINED, i.FACT_CHECK),
        "card": (t("Scorecard"), i.EDIT_NOTE, i.EDIT_NOTE),
        "rounds": (t("Rounds"), i.INSIGHTS, i.INSIGHTS),
        "settings": (t("Settings"), i.SETTINGS_OUTLINED, i.SETTINGS),
    }


@part
def shell(look: Look, version: int) -> ft.Control:
    """The whole window. `version` counts the changes of the state, so that each is drawn."""
    app, p = look.app, look.palette
    width, height = app.size
    navigation = app.navigation
    place = navigation.screen, navigation.nested
    drawn = use_late(place, place)
    kept: list[ft.Control] = ft.use_memo(list, [])
    if app.crash:
        kept.clear()
        return ft.Container(
            ft.Column([crash_panel(look, app.crash)], scroll=ft.ScrollMode.AUTO),
            bgcolor=p.surface,
            expand=True,
        )
    short = height < SHORT
    rail = width >= PHONE
    body_height = height - TITLE - (0 if rail else BAR) - 12
    if drawn == place or not kept:
        view = view_of(navigation.screen)(look, look.inside, body_height)
        kept[:] = [ft.Container(view, expand=True, padding=ft.Padding.only(left=8, right=8, bottom=6))]
    # On the way to another place title and navigation say at once that the tap was heard; what was there
    # stays until the new screen is drawn.
    bar = title_bar(look, *place, settings=not _has_settings(look) and navigation.screen != "settings")
    page = ft.Column([bar, *kept], spacing=0, expand=True)
    if rail:
        side = navigation_rail(look, navigation.screen, short, _has_settings(look))
        parts: list[ft.Control] = [side, ft.Container(page, expand=True)]
        whole: ft.Control = ft.Row(
            parts if look.hand == "right" else parts[::-1],
            spacing=0,
            expand=True,
            vertical_alignment=ft.CrossAxisAlignment.STRETCH,
        )
    else:
        whole = ft.Column([page, navigation_bar(look, navigation.screen)], spacing=0, expand=True)
    return ft.Container(ft.SafeArea(whole, expand=True), bgcolor=p.surface, expand=True)


@part
def _title_bar(look: Look, screen: str, nested: bool, settings: bool) -> ft.Control:
    """The open screen's name; the way back from a page inside it; and the way to the settings."""
    t, navigation = look.t, look.app.navigation
    parts: list[ft.Control] = []
    if nested:
        parts.append(icon_button(look, ft.Icons.ARROW_BACK, t("Back"), navigation.back, id="back"))
    else:
        parts.append(
            ft.Container(
                ft.Text("♣", size=22, font_family=BOLD, color=look.palette.primary),
                width=34,
                alignment=ft.Alignment.CENTER_RIGHT,
            )
        )
    parts.append(
        ft.Semantics(
            identifier="title",
            header=True,
            container=True,
            expand=True,
            content=text(look, titles(t)[screen][0], 20, display=True, lines=1),
        )
    )
    if settings:
        parts.append(
            icon_button(
                look,
                ft.Icons.SETTINGS_OUTLINED,
                t("Settings"),
                lambda: navigation.go("settings"),
                id="open-settings",
            )
        )
    return ft.Container(
        ft.Row(parts, spacing=8, vertical_alignment=ft.CrossAxisAlignment.CENTER),
        height=TITLE,
        padding=ft.Padding.symmetric(horizontal=8),
    )


@part
def _bar(look: Look, screen: str) -> ft.Control:
    """The navigation of a phone, at the thumb."""
    p = look.palette
    keys = [_destination(look, place, place == screen, expand=True) for place in SCREENS]
    return ft.Container(
        ft.Row(keys, spacing=0),
        height=BAR,
        bgcolor=p.raised,
        border=ft.Border.only(top=ft.BorderSide(1, p.outline_soft)),
    )


def _has_settings(look: Look) -> bool:
    """Whether the navigation itself leads to the settings: at the side, where they have room."""
    width, height = look.app.size
    return width >= PHONE and height >= SHORT


@part
def _rail(look: Look, screen: str, short: bool, settings: bool) -> ft.Control:
    """The navigation at the side."""
    p = look.palette
    keys: list[ft.Control] = [_destination(look, place, place == screen) for place in SCREENS]
    if settings:
        keys += [ft.Container(expand=True), _destination(look, "settings", screen == "settings")]
    edge = ft.BorderSide(1, p.outline_soft)
    return ft.Container(
        ft.Column(keys, spacing=0 if short else 6, horizontal_alignment=ft.CrossAxisAlignment.CENTER),
        width=RAIL,
        bgcolor=p.raised,
        padding=ft.Padding.symmetric(vertical=8),
        border=ft.Border.only(right=edge) if look.hand == "right" else ft.Border.only(left=edge),
    )


title_bar, navigation_bar, navigation_rail = unchanged(_title_bar), unchanged(_bar), unchanged(_rail)


def _destination(look: Look, screen: str, on: bool, expand: bool | None = None) -> ft.Control:
    from companion.app.components.tap import tap

    p, navigation = look.palette, look.app.navigation
    name, icon, open_icon = titles(look.t)[screen]
    ink = p.on_primary_container if on else p.quiet
    pill = ft.Container(
        ft.Icon(open_icon if on else icon, size=23, color=ink),
        width=56,
        height=30,
        border_radius=15,
        alignment=ft.Alignment.CENTER,
        bgcolor=p.primary_container if on else None,
    )
    label = ft.Text(
        name,
        size=min(12, look.size(11.5)),
        font_family=BOLD if on else REGULAR,
        color=p.on_surface if on else p.quiet,
        no_wrap=True,
    )
    inner = ft.Column(
        [pill, label],
        spacing=3,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
        alignment=ft.MainAxisAlignment.CENTER,
    )
    return tap(
        look,
        f"nav-{screen}",
        name,
        navigation.open,
        screen,
        content=inner,
        height=64,
        width=None if expand else RAIL,
        selected=on,
        expand=expand,
        alignment=ft.Alignment.CENTER,
        border_radius=12,
    )
