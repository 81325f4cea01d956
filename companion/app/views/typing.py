"""Typing a table: every card by two taps, column by column, the discard last."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, button, icon_button, text
from companion.app.components.boundary import part
from companion.app.components.correction import step_keys
from companion.app.components.edit_table import edit_table
from companion.app.components.keypad import keypad
from companion.app.components.look import Look
from companion.app.components.messages import illegal
from companion.app.components.tableau import FELT_EDGE, felt


@part
def typing_view(look: Look, width: float, height: float) -> ft.Control:
    """The table so far, the keypad, and what is wrong with it."""
    t, play = look.t, look.app.play
    editor = play.editor
    assert editor is not None
    wide = width >= 840
    area = width - 420 if wide else width
    pad_height = 3 * max(48.0, look.size(48)) + 30
    room = height - (120 if wide else pad_height + 150)
    total = editor.rules.tableau_size + (editor.rules.start == "turned")
    done = editor.table.count
    head = ft.Row(
        [
            icon_button(look, ft.Icons.ARROW_BACK, t("Put away"), play.close, id="type-close"),
            ft.Column(
                [
                    text(look, t("Type the table"), 17, display=True),
                    text(look, t("{done} of {total} cards", done=done, total=total), 13, quiet=True),
                ],
                spacing=0,
                expand=True,
            ),
            icon_button(look, ft.Icons.UNDO, t("Undo"), editor.undo, id="undo", disabled=not editor.past),
            icon_button(look, ft.Icons.REDO, t("Redo"), editor.redo, id="redo", disabled=not editor.future),
        ]
    )
    table = felt(look, edit_table(look, editor, area - FELT_EDGE, max(150.0, room)))
    twice = editor.table.twice
    warn = (
        [
            banner(
                look,
                t("{card} is on the table twice.", card=look.card(next(iter(twice)))),
                kind="warn",
                id="twice",
            )
        ]
        if twice
        else []
    )
    if play.notice:
        warn = [banner(look, illegal(look, play.notice), kind="warn", on_close=play.dismiss)]
    pad = keypad(
        look,
        editor.ranks(),
        editor.suits(),
        min(area, 400 if wide else width),
        editor.press_rank,
        editor.press_suit,
        False,
        editor.rules.jokers > 0,
        editor.press_joker,
        key="type-pad",
    )
    tools = ft.Row(
        look.handed(
            step_keys(look, editor),
            icon_button(
                look,
                ft.Icons.BACKSPACE_OUTLINED,
                t("Remove the card"),
                editor.remove,
                id="remove",
                disabled=editor.cursor is None or editor.table.at(editor.cursor) is None,
            ),
            button(
                look,
                t("Play"),
                play.start_typed,
                id="start",
                icon=ft.Icons.PLAY_ARROW,
                disabled=done == 0,
                expand=True,
            ),
        ),
        spacing=4,
    )
    if wide:
        lower = ft.Container(ft.Column([*warn, pad, tools], spacing=10), width=400)
        return ft.Column(
            [
                head,
                ft.Row(look.handed(table, lower), expand=True, spacing=14),
            ],
            expand=True,
            spacing=6,
        )
    return ft.Column(
        [head, table, *warn, pad, tools],
        expand=True,
        spacing=6,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )
