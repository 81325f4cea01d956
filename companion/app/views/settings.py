"""To come."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import text
from companion.app.components.boundary import part
from companion.app.components.look import Look


@part
def settings_view(look: Look, width: float, height: float) -> ft.Control:
    return text(look, "settings")
