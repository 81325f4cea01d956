"""The crash screen: says sorry, shows what to send, lets one go on."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, heading, panel, text
from companion.app.components.look import Look


def crash_panel(look: Look, report: str) -> ft.Control:
    """What went wrong, to copy, and the way back. Nothing that was played or scored is lost."""
    t, app = look.t, look.app

    async def copy() -> None:
        await ft.Clipboard().set(report)

    return ft.Container(
        panel(
            look,
            [
                ft.Row(
                    [
                        ft.Icon(ft.Icons.HEALING, size=36, color=look.palette.error),
                        heading(look, t("Something went wrong")),
                    ],
                    spacing=12,
                ),
                text(
                    look,
                    t(
                        "Nothing that was played or scored is lost. The report holds no photos, "
                        "names or scores."
                    ),
                ),
                ft.Container(
                    text(look, report, 12, selectable=True),
                    bgcolor=look.palette.high,
                    padding=12,
                    border_radius=10,
                ),
                ft.Row(
                    [
                        button(
                            look,
                            t("Go on"),
                            app.put_away_crash,
                            id="crash-go-on",
                            icon=ft.Icons.ARROW_FORWARD,
                        ),
                        button(
                            look,
                            t("Copy the report"),
                            copy,
                            id="crash-copy",
                            kind="outlined",
                            icon=ft.Icons.CONTENT_COPY,
                        ),
                    ],
                    wrap=True,
                ),
            ],
        ),
        padding=16,
    )
