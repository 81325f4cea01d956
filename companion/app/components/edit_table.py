"""A table that is being typed or corrected: tap a card to put the cursor on it."""

from __future__ import annotations

import flet as ft

from companion.app.components.boundary import part, unchanged
from companion.app.components.card_face import card_face, card_place
from companion.app.components.geometry import Layout, fit
from companion.app.components.look import Look
from companion.app.components.tap import tap
from companion.app.state.editor import Editor
from companion.app.state.table import DISCARD, Place, Slot
from companion.game import UNKNOWN


def edit_table(look: Look, editor: Editor, width: float, height: float) -> ft.Control:
    """The columns and, beside or below them, the discard; every card can be tapped."""
    table, rules = editor.table, editor.rules
    columns = max(rules.columns if editor.filling else 0, len(table.columns))
    longest = max([rules.depth if editor.filling else 1, *map(len, table.columns)])
    below = 1.5 * min(60.0, width / 8)
    layout = fit(max(columns, 3), longest, width, height - below, 92)
    shown: list[ft.Control] = []
    for number in range(columns):
        slots = table.columns[number] if number < len(table.columns) else ()
        shown.append(
            edited(
                look,
                number,
                slots,
                layout,
                _row(editor.cursor, number),
                _row(editor.moving, number),
                editor.filling,
                editor,
                key=f"e{number}",
            )
        )
    pile = _discard(look, editor, min(60.0, width / 8))
    return ft.Column(
        [
            ft.Row(
                shown,
                spacing=0,
                alignment=ft.MainAxisAlignment.CENTER,
                vertical_alignment=ft.CrossAxisAlignment.START,
            ),
            ft.Row([pile], alignment=ft.MainAxisAlignment.CENTER),
        ],
        alignment=ft.MainAxisAlignment.SPACE_BETWEEN,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        spacing=6,
    )


@part
def edited_column(
    look: Look,
    number: int,
    slots: tuple[Slot, ...],
    layout: Layout,
    cursor: int | None,
    moving: int | None,
    filling: bool,
    editor: Editor,
) -> ft.Control:
    """A column; `cursor` and `moving` are rows in it, so that it is drawn again only when its own change."""
    t, p = look.t, look.palette
    parts: list[ft.Control] = []
    left = (layout.pitch - layout.width) / 2
    for row, slot in enumerate(slots):
        place = (number, row)
        last = row == len(slots) - 1
        ring = p.glow if row in (cursor, moving) else None
        face = card_face(
            look,
            slot.card,
            layout.width,
            open=last and cursor != len(slots),
            ring=ring or (None if slot.sure or slot.touched else p.accent),
            dim=moving == row,
            mark="?" if not slot.sure and not slot.touched and slot.card is not UNKNOWN else None,
            left=left,
            top=row * layout.step,
        )
        label = t("Column {n}, card {m}: {card}", n=number + 1, m=row + 1, card=look.words(slot.card))
        if not slot.sure and not slot.touched:
            label += ", " + t("not sure")
        height = layout.height if last else layout.step
        # Only the strip that shows belongs to a covered card; the face is drawn whole behind the next one.
        parts.append(face)
        parts.append(
            ft.Container(
                tap(
                    look,
                    f"slot-{number}-{row}",
                    label,
                    editor.select,
                    place,
                    content=None,
                    width=layout.pitch,
                    height=height,
                    selected=cursor == row,
                    ink=False,
                ),
                left=0,
                top=row * layout.step,
            )
        )
    if filling or not slots:
        at = (number, len(slots))
        on = cursor == len(slots)
        if on or not slots:
            place_mark = card_place(look, layout.width, "?" if on else "", ring=p.glow if on else None)
            parts.append(ft.Container(place_mark, left=left, top=len(slots) * layout.step))
            parts.append(
                ft.Container(
                    tap(
                        look,
                        f"slot-{number}-{len(slots)}",
                        t("Column {n}, next card", n=number + 1),
                        editor.select,
                        at,
                        content=None,
                        width=layout.pitch,
                        height=layout.height,
                        selected=on,
                        ink=False,
                    ),
                    left=0,
                    top=len(slots) * layout.step,
                )
            )
    rows = len(slots) + (cursor == len(slots))
    return ft.Stack(parts, width=layout.pitch, height=layout.column_height(max(1, rows)) + 4)


edited = unchanged(edited_column)


def _row(place: Place | None, column: int) -> int | None:
    return place[1] if place and place[0] == column else None


def _discard(look: Look, editor: Editor, width: float) -> ft.Control:
    t, p = look.t, look.palette
    slot = editor.table.discard
    on = editor.cursor == DISCARD
    ring = p.glow if on else None
    face: ft.Control = (
        card_face(look, slot.card, width, ring=ring or (None if slot.sure or slot.touched else p.accent))
        if slot
        else card_place(look, width, "?" if on else "", ring=ring)
    )
    label = t("Discard: {card} on top", card=look.words(slot.card)) if slot else t("Discard, empty")
    row = ft.Row([face, ft.Text(t("discard"), size=look.size(12), color=p.on_felt)], spacing=8, tight=True)
    return tap(
        look,
        "slot-discard",
        label,
        editor.select,
        DISCARD,
        content=row,
        selected=on,
        ink=False,
        height=width * 1.4 + 4,
    )
