"""What was read of a table, in a few words: how many cards, what wants a look, and onwards with it."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, button, icon_button, panel, text
from companion.app.components.camera_guide import has_camera
from companion.app.components.look import Look
from companion.app.components.messages import illegal, photo_problem
from companion.app.components.stepper import stepper
from companion.app.components.trouble import trouble_banner


def scan_summary(look: Look) -> ft.Control:
    """How many cards, what wants a look, and onwards with the table."""
    t, app, scan, p = look.t, look.app, look.app.scan, look.palette
    editor = scan.editor
    assert editor is not None
    table = editor.table
    notes: list[ft.Control] = []
    if scan.trouble:
        notes.append(trouble_banner(look, scan.trouble, id="scan-trouble"))
    for code in scan.problems:
        if message := photo_problem(look, code):
            notes.append(banner(look, message, kind="warn", id=f"problem-{code}"))
    if scan.kept:
        notes.append(
            banner(
                look,
                t.plural(
                    "{n} correction of before was kept.", "{n} corrections of before were kept.", scan.kept
                ),
                kind="good",
                id="kept",
            )
        )
    if app.play.notice and scan.purpose == "play":
        notes.append(
            banner(
                look, illegal(look, app.play.notice), kind="error", id="unplayable", on_close=app.play.dismiss
            )
        )
    twice = table.twice
    if twice and not table.unsure:
        card, places = next(iter(twice.items()))
        notes.append(
            banner(
                look,
                t("{card} is on the table twice.", card=look.card(card)),
                kind="warn",
                id="twice",
                actions=[
                    button(
                        look,
                        t("Look at it"),
                        lambda: editor.select(places[-1]),
                        id="look-twice",
                        kind="plain",
                    )
                ],
            )
        )
    unsure = table.unsure
    state = t.plural("{n} card to look at", "{n} cards to look at", len(unsure)) if unsure else t("all sure")
    said = t.plural("{n} card", "{n} cards", table.count) + " · " + state
    parts: list[ft.Control] = [
        ft.Row(
            [
                ft.Icon(
                    ft.Icons.CHECK_CIRCLE if not unsure and not twice else ft.Icons.HELP,
                    color=p.primary if not unsure and not twice else p.accent,
                    size=26,
                ),
                ft.Semantics(
                    identifier="summary", container=True, expand=True, content=text(look, said, 16, bold=True)
                ),
            ],
            spacing=10,
        ),
        *notes[:2],
    ]
    if table.needs_stock(editor.rules) or (table.stock is not None and table.count < 36):
        parts.append(
            stepper(
                look,
                t("Cards in the stock"),
                table.stock or 0,
                0,
                editor.rules.stock_size,
                editor.set_stock,
                id="stock-count",
            )
        )
    label = {"check": t("Add to the check"), "draw": t("Take the drawn card")}.get(
        scan.purpose, t("Play this table")
    )
    go = button(look, label, app.use_scan, id="use-scan", icon=ft.Icons.ARROW_FORWARD, expand=True)
    if unsure:
        go = button(
            look,
            t("Look at them"),
            lambda: editor.select(unsure[0]),
            id="look-unsure",
            icon=ft.Icons.CHECKLIST,
            expand=True,
        )
        parts.append(ft.Row([button(look, label, app.use_scan, id="use-scan", kind="outlined", expand=True)]))
    parts.append(
        ft.Row(
            look.handed(
                icon_button(
                    look,
                    ft.Icons.REFRESH,
                    t("Another photo"),
                    lambda: _again(look),
                    id="scan-again",
                    ground=p.high,
                ),
                icon_button(
                    look,
                    ft.Icons.DELETE_OUTLINE,
                    t("Put the scan away"),
                    scan.discard,
                    id="scan-discard",
                    ground=p.high,
                ),
                go,
            ),
            spacing=8,
        )
    )
    return panel(look, parts, padding=12, spacing=8)


def _again(look: Look) -> None:
    """Another photo of the same table: the corrections stay, so the scan is not put away."""
    app = look.app
    app.navigation.go("scan/camera" if app.devices and has_camera(app.devices.page) else "scan/new")
