"""How the app is dressed before the first screen: name, fonts, and the colours of what Material draws."""

from __future__ import annotations

from pathlib import Path

import flet as ft

from companion.app.components.base import BOLD, DISPLAY, REGULAR
from companion.app.theme import DARK, LIGHT, Palette

ASSETS = Path(__file__).parent / "assets"
FONTS = {
    REGULAR: "fonts/CompanionSans-Regular.ttf",
    BOLD: "fonts/CompanionSans-Bold.ttf",
    DISPLAY: "fonts/CompanionSans-Display.ttf",
}
TITLE = "Golf Patience Companion"


def dress(page: ft.Page) -> None:
    """Name, fonts and colours of a page."""
    page.title = TITLE
    # A browser has loaded them before it draws: assets/assets/FontManifest.json.
    if not page.web:
        page.fonts = FONTS
    page.theme = theme(LIGHT)
    page.dark_theme = theme(DARK)
    page.padding = 0


def theme(p: Palette) -> ft.Theme:
    """The colours for what Material draws itself: menus, fields, scroll bars."""
    return ft.Theme(
        font_family=REGULAR,
        use_material3=True,
        color_scheme=ft.ColorScheme(
            primary=p.primary,
            on_primary=p.on_primary,
            primary_container=p.primary_container,
            on_primary_container=p.on_primary_container,
            secondary=p.primary,
            on_secondary=p.on_primary,
            secondary_container=p.secondary_container,
            on_secondary_container=p.on_secondary_container,
            error=p.error,
            on_error=p.on_error,
            surface=p.surface,
            on_surface=p.on_surface,
            on_surface_variant=p.quiet,
            surface_container=p.raised,
            surface_container_high=p.raised,
            surface_container_highest=p.high,
            surface_container_low=p.raised,
            outline=p.outline,
            outline_variant=p.outline_soft,
        ),
    )
