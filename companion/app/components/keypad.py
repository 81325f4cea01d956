"""The keypad of 13 ranks and 4 suits: a card in two taps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flet as ft

from companion.app.components.base import BOLD, DISPLAY
from companion.app.components.boundary import part, unchanged
from companion.app.components.look import TARGET, Look
from companion.app.components.tap import tap
from companion.app.state.editor import Key
from companion.game.cards import SUIT_SIGNS

GAP = 4
"""Pixels between what is drawn of two keys."""


@part
def card_keypad(
    look: Look,
    ranks: tuple[Key, ...],
    suits: tuple[Key, ...],
    width: float,
    on_rank: Callable[[str], Any],
    on_suit: Callable[[str], Any],
    strict: bool,
    jokers: bool,
    on_joker: Callable[[], Any] | None,
) -> ft.Control:
    """Ranks in two rows, suits below. A key whose cards are all on the table is crossed through.

    strict: such keys can't be tapped (a card drawn can't be one that lies on the table).
    """
    across = 7
    # The keys touch, and what is drawn is a little smaller: so seven of 48 pixels fit across a phone.
    key = max(44.0, min(76.0, width / across))
    height = _key_height(look)
    upper = [_rank_key(look, item, key, height, on_rank, strict) for item in ranks[:7]]
    lower = [_rank_key(look, item, key, height, on_rank, strict) for item in ranks[7:]]
    if jokers:
        lower.append(
            _key(look, "key-joker", look.t("joker"), "★", key, height, on_joker, (), ink=look.palette.accent)
        )
    wide = 7 * key / 4
    waiting = any(item.chosen for item in ranks)
    signs = [_suit_key(look, item, wide, height + 4, on_suit, strict, waiting) for item in suits]
    return ft.Column(
        [ft.Row(row, spacing=0, alignment=ft.MainAxisAlignment.CENTER) for row in (upper, lower, signs)],
        spacing=0,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.CENTER,
    )


def _key_height(look: Look) -> float:
    return max(TARGET, look.size(48)) + GAP


def keypad_height(look: Look) -> float:
    """How high the keypad is."""
    return 3 * _key_height(look) + 4


def _rank_key(
    look: Look, item: Key, width: float, height: float, on_tap: Callable[[str], Any], strict: bool
) -> ft.Control:
    t, p = look.t, look.palette
    cap = look.rank(item.value)
    label = cap if item.left else t("{key}, all on the table", key=cap)
    return _key(
        look,
        f"rank-{item.value}",
        label,
        cap,
        width,
        height,
        on_tap,
        (item.value,),
        chosen=item.chosen,
        off=strict and not item.left,
        gone=not item.left,
        ink=p.on_surface,
    )


def _suit_key(
    look: Look,
    item: Key,
    width: float,
    height: float,
    on_tap: Callable[[str], Any],
    strict: bool,
    waiting: bool,
) -> ft.Control:
    t = look.t
    name = {"S": t("spades"), "H": t("hearts"), "D": t("diamonds"), "C": t("clubs")}[item.value]
    label = name if item.left else t("{key}, already on the table", key=name)
    return _key(
        look,
        f"suit-{item.value}",
        label,
        SUIT_SIGNS[item.value],
        width,
        height,
        on_tap,
        (item.value,),
        chosen=item.chosen,
        off=strict and not item.left,
        gone=not item.left,
        ink=look.suit_ink(item.value),
        card=True,
        glow=waiting,
    )


def _key(
    look: Look,
    id: str,
    label: str,
    cap: str,
    width: float,
    height: float,
    on_tap: Callable[..., Any] | None,
    values: Sequence[Any],
    *,
    chosen: bool = False,
    off: bool = False,
    gone: bool = False,
    ink: str,
    card: bool = False,
    glow: bool = False,
) -> ft.Control:
    p = look.palette
    ground = p.primary if chosen else p.card if card else p.high
    size = look.size(24 if card else 20)
    return tap(
        look,
        id,
        label,
        on_tap,
        *values,
        content=ft.Container(
            ft.Text(
                cap,
                size=min(size, 26 if card else 22),
                font_family=BOLD if card else DISPLAY,
                color=p.on_primary if chosen else ink,
                style=ft.TextStyle(decoration=ft.TextDecoration.LINE_THROUGH, decoration_thickness=2)
                if gone
                else None,
                no_wrap=True,
            ),
            width=width - GAP,
            height=height - GAP,
            alignment=ft.Alignment.CENTER,
            bgcolor=ground,
            border_radius=11,
            border=ft.Border.all(2 if glow else 1, p.primary if glow else p.outline_soft),
        ),
        width=width,
        height=height,
        selected=chosen,
        disabled=off,
        alignment=ft.Alignment.CENTER,
        border_radius=11,
        opacity=0.38 if off else 0.7 if gone else 1,
    )


keypad = unchanged(card_keypad)
