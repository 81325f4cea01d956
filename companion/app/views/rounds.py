"""Rounds: history, numbers and charts, and what goes out and comes in."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, choice, empty, scroll
from companion.app.components.boundary import part
from companion.app.components.look import Look
from companion.app.components.trouble import trouble_banner
from companion.app.views.rounds_data import data_page
from companion.app.views.rounds_list import rounds_list
from companion.app.views.rounds_numbers import numbers_page
from companion.app.views.rounds_one import one_round


@part
def rounds_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    t, app = look.t, look.app
    history, parts = app.history, app.navigation.parts
    page = parts[0] if parts else "list"
    if page not in ("list", "numbers", "data"):
        return one_round(look, page)
    tabs = choice(
        look,
        [("list", t("History")), ("numbers", t("Statistics")), ("data", t("Data"))],
        page,
        lambda tab: app.navigation.go("rounds" if tab == "list" else f"rounds/{tab}"),
        id="tab",
    )
    notes: list[ft.Control] = []
    if history.trouble:
        notes.append(
            trouble_banner(
                look,
                history.trouble,
                id="history-trouble",
                on_close=history.tell,
            )
        )
    elif history.done:
        notes.append(banner(look, history.done, kind="good", id="history-done", on_close=history.tell))
    if page == "data":
        return scroll(look, [tabs, *notes, *data_page(look)])
    if not history.rounds:
        nothing = empty(
            look,
            ft.Icons.INSIGHTS,
            t("No rounds yet"),
            t("Rounds that were played are listed here, with their numbers and charts."),
        )
        return ft.Column(
            [tabs, *notes, ft.Container(nothing, expand=True, alignment=ft.Alignment.CENTER)],
            expand=True,
            spacing=10,
        )
    body = numbers_page(look, min(look.inside, 1080)) if page == "numbers" else rounds_list(look)
    return scroll(look, [tabs, *notes, *body], width=1080 if page == "numbers" else 720)
