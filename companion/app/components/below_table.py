"""What is asked or said below the table: the drawn card, a joker's rank, the end of the hole, the hint."""

from __future__ import annotations

import math

import flet as ft

from companion.app.components.base import banner, icon_button, panel, text
from companion.app.components.hint_panel import hint_height, hint_panel
from companion.app.components.joker_pad import joker_height, joker_pad
from companion.app.components.keypad import keypad, keypad_height
from companion.app.components.look import TARGET, Look
from companion.app.components.messages import illegal
from companion.app.components.over_panel import over_height, over_panel
from companion.app.state.editor import Key
from companion.game import RANKS, Card

WIDEST = 420
"""Pixels; keys further apart would be harder to hit."""


def below_table(look: Look, width: float, *, wide: bool) -> ft.Control | None:
    """The part below the table, or beside it (wide); None where nothing is asked and nothing said."""
    play = look.app.play
    if play.naming is not None:
        return joker_pad(look, min(width, WIDEST))
    if play.drawing:
        return _drawn(look, min(width, WIDEST))
    if play.over:
        return over_panel(look, wide=wide)
    if play.hint is not None:
        return hint_panel(look)
    return None


def below_height(look: Look, width: float) -> float:
    """How high it is on a phone, so that the cards make room for it."""
    play = look.app.play
    if play.naming is not None:
        return joker_height(look, min(width, WIDEST))
    if play.drawing:
        return TARGET + 8 + keypad_height(look)
    if play.over:
        return over_height(look)
    return 0 if play.hint is None else hint_height(look)


def notice(look: Look) -> list[ft.Control]:
    """Why something can't be done, if something can't."""
    play = look.app.play
    if play.notice is None:
        return []
    return [banner(look, illegal(look, play.notice), kind="warn", id="notice", on_close=play.dismiss)]


def notice_height(look: Look, width: float) -> float:
    """About how high that is: letters are half as wide as high."""
    said = look.app.play.notice
    if said is None:
        return 0
    lines = math.ceil(len(illegal(look, said)) * 0.55 * look.size(14) / (width - 112))
    return 16 + max(TARGET, lines * 1.4 * look.size(14))


def _drawn(look: Look, width: float) -> ft.Control:
    """Which card came from the stock?"""
    t, app, play = look.t, look.app, look.app.play
    left = [str(card) for card in play.drawable]
    ranks = tuple(Key(rank, sum(name[0] == rank for name in left), rank == play.drawn_rank) for rank in RANKS)
    suits = tuple(
        Key(
            suit,
            sum(name == f"{play.drawn_rank}{suit}" for name in left)
            if play.drawn_rank
            else int(any(name[1] == suit for name in left)),
        )
        for suit in "SHDC"
    )
    joker = next((card for card in play.drawable if card.is_joker), None)
    return panel(
        look,
        [
            ft.Row(
                [
                    ft.Container(
                        text(look, t("Which card came?"), 16, bold=True),
                        expand=True,
                        padding=ft.Padding.only(left=10),
                    ),
                    icon_button(
                        look,
                        ft.Icons.PHOTO_CAMERA_OUTLINED,
                        t("Photograph the card"),
                        lambda: app.scan_for("draw"),
                        id="draw-photo",
                    ),
                    icon_button(look, ft.Icons.CLOSE, t("Cancel"), play.dismiss, id="draw-cancel"),
                ]
            ),
            keypad(
                look,
                ranks,
                suits,
                width - 6,
                play.press_drawn_rank,
                play.press_drawn_suit,
                True,
                joker is not None,
                (lambda: play.drawn(joker)) if isinstance(joker, Card) else None,
                key="draw-pad",
            ),
        ],
        padding=2,
        spacing=2,
    )
