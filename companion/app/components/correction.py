"""Correcting the card that is chosen: its picture, what else it may be, the keypad, and the tools."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD, button, icon_button, text
from companion.app.components.keypad import keypad, keypad_height
from companion.app.components.look import TARGET, Look
from companion.app.components.tap import tap
from companion.app.services import pictures
from companion.app.state.editor import Editor
from companion.game import UNKNOWN, Card


def correction(
    look: Look, editor: Editor, width: float, *, photo: bytes | None = None, whole: tuple[int, int] = (1, 1)
) -> ft.Control:
    """Everything about the chosen card."""
    t, p = look.t, look.palette
    cursor = editor.cursor
    assert cursor is not None
    slot = editor.table.at(cursor)
    unsure = editor.table.unsure
    head: list[ft.Control] = []
    if slot and photo and (slot.index or slot.outline):
        head.append(
            ft.Image(
                src=pictures.cutting(photo, whole, slot.index or slot.outline),
                width=76,
                height=76,
                fit=ft.BoxFit.COVER,
                border_radius=12,
                gapless_playback=True,
                semantics_label=t("The card in the photo"),
            )
        )
    place = t("Discard") if cursor[0] < 0 else t("Column {n}, card {m}", n=cursor[0] + 1, m=cursor[1] + 1)
    line = place
    if slot and not slot.sure and not slot.touched:
        line += " · " + t.plural("{n} card to look at", "{n} cards to look at", len(unsure))
    words: list[ft.Control] = [text(look, line, 13, quiet=True, lines=2)]
    options: list[Card] = []
    if slot and slot.card is not UNKNOWN:
        options.append(slot.card)
    options += [card for card in (slot.alternatives if slot else ()) if card not in options][
        : 3 if width > 380 else 2
    ]
    words.append(
        ft.Row(
            [
                _option(look, editor, card, first=at == 0 and bool(slot and slot.card is card))
                for at, card in enumerate(options)
            ]
            or [text(look, t("Which card is this?"), 16, bold=True)],
            spacing=6,
        )
    )
    head.append(ft.Column(words, spacing=5, expand=True, tight=True))
    tools = [
        *step_keys(look, editor),
        icon_button(look, ft.Icons.ADD_CARD, t("Add a card after this one"), editor.insert, id="insert"),
        icon_button(
            look,
            ft.Icons.DELETE_OUTLINE,
            t("Remove this card"),
            editor.remove,
            id="remove",
            disabled=slot is None,
        ),
        icon_button(
            look,
            ft.Icons.OPEN_WITH,
            t("Move this card"),
            editor.pick_up,
            id="move",
            selected=editor.moving is not None,
            disabled=slot is None,
        ),
    ]
    done = button(look, t("Done"), lambda: editor.select(None), id="done", kind="plain")
    parts: list[ft.Control] = [ft.Row(head, spacing=10, vertical_alignment=ft.CrossAxisAlignment.CENTER)]
    if editor.moving is not None:
        parts.append(text(look, t("Tap the place where the card belongs."), 15, bold=True, color=p.accent))
    parts.append(
        keypad(
            look,
            editor.ranks(),
            editor.suits(),
            width,
            editor.press_rank,
            editor.press_suit,
            False,
            editor.rules.jokers > 0,
            editor.press_joker,
            key="fix-pad",
        )
    )
    parts.append(ft.Row(look.handed(tools, ft.Container(expand=True), done), spacing=0))
    return ft.Column(parts, spacing=7, tight=True, horizontal_alignment=ft.CrossAxisAlignment.STRETCH)


def correction_height(look: Look, editor: Editor) -> float:
    """About how high it is on a phone."""
    moving = 0.0 if editor.moving is None else 7 + 1.4 * look.size(15)
    head = max(76, 1.4 * look.size(13) + 5 + 50)
    return head + 7 + keypad_height(look) + 7 + max(TARGET, look.size(48)) + moving


def step_keys(look: Look, editor: Editor) -> list[ft.Control]:
    """To the card before and the card after: a strip of a covered card is too narrow for some fingers."""
    t = look.t
    return [
        icon_button(
            look, ft.Icons.NAVIGATE_BEFORE, t("The card before"), lambda: editor.step(-1), id="card-before"
        ),
        icon_button(
            look, ft.Icons.NAVIGATE_NEXT, t("The card after"), lambda: editor.step(1), id="card-after"
        ),
    ]


def _option(look: Look, editor: Editor, card: Card, *, first: bool) -> ft.Control:
    """A card that it may be, one tap away."""
    t, p = look.t, look.palette
    parts: list[ft.Control] = [
        ft.Text(look.card(card), size=look.size(19), font_family=BOLD, color=look.ink(card), no_wrap=True)
    ]
    if first:
        parts.insert(0, ft.Icon(ft.Icons.CHECK, size=18, color=p.green))
    return tap(
        look,
        f"option-{card}",
        t("It is the {card}", card=look.words(card)),
        editor.enter,
        card,
        content=ft.Row(parts, spacing=4, tight=True, alignment=ft.MainAxisAlignment.CENTER),
        height=48,
        padding=ft.Padding.symmetric(horizontal=14 if first else 12),
        bgcolor=p.card,
        border_radius=12,
        border=ft.Border.all(2 if first else 1, p.primary if first else p.outline),
    )
