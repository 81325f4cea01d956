"""A table in small: columns of slips, with some cards marked."""

from __future__ import annotations

from collections.abc import Mapping

import flet as ft

from companion.app.components.base import BOLD, text
from companion.app.components.look import Look
from companion.app.state.table import DISCARD, Place, Table
from companion.game import UNKNOWN


def small_table(
    look: Look, table: Table, width: float, marks: Mapping[Place, str] | None = None
) -> ft.Control:
    """Every card as a slip. marks: `gone` (struck out), `new` or `wrong` (framed), by place."""
    p, t = look.palette, look.t
    count = max(1, len(table.columns))
    slip = min(46.0, (width - 12 - (count - 1) * 3) / count)
    columns: list[ft.Control] = []
    for number, column in enumerate(table.columns):
        cells = [
            _slip(look, table, (number, row), slip, (marks or {}).get((number, row)))
            for row in range(len(column))
        ]
        columns.append(ft.Column(cells or [ft.Container(width=slip, height=20)], spacing=2, tight=True))
    said = "; ".join(", ".join(look.words(slot.card) for slot in column) for column in table.columns)
    top = [_slip(look, table, DISCARD, slip + 6, (marks or {}).get(DISCARD))] if table.discard else []
    body = ft.Column(
        [
            ft.Row(
                columns,
                spacing=3,
                alignment=ft.MainAxisAlignment.CENTER,
                vertical_alignment=ft.CrossAxisAlignment.START,
            ),
            ft.Row(
                [text(look, t("discard"), 11.5, color=p.on_felt), *top],
                spacing=6,
                alignment=ft.MainAxisAlignment.CENTER,
            ),
        ],
        spacing=8,
        tight=True,
    )
    return ft.Semantics(
        label=said,
        container=True,
        exclude_semantics=True,
        content=ft.Container(body, bgcolor=p.felt, border_radius=12, padding=6, width=width),
    )


def _slip(look: Look, table: Table, place: Place, width: float, mark: str | None) -> ft.Control:
    p = look.palette
    slot = table.at(place)
    assert slot is not None
    ring = {"gone": p.accent, "new": p.primary, "wrong": p.error}.get(mark or "")
    return ft.Container(
        ft.Text(
            "?" if slot.card is UNKNOWN else look.card(slot.card),
            size=min(12.5, width * 0.32),
            font_family=BOLD,
            no_wrap=True,
            color=p.unread if slot.card is UNKNOWN else look.ink(slot.card),
            style=ft.TextStyle(decoration=ft.TextDecoration.LINE_THROUGH, decoration_thickness=2)
            if mark == "gone"
            else None,
        ),
        width=width,
        height=21,
        alignment=ft.Alignment.CENTER,
        border_radius=4,
        bgcolor={"gone": p.gone, "wrong": p.wrong, "new": p.new}.get(mark or "", p.card),
        border=ft.Border.all(2, ring) if ring else ft.Border.all(0.6, p.card_edge),
    )
