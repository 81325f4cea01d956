"""A playing card: face, back, and the empty place."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD, DISPLAY
from companion.app.components.look import Look
from companion.game import UNKNOWN, Card

RATIO = 1.4
"""Height of a card by its width."""


def card_face(
    look: Look,
    card: Card,
    width: float,
    *,
    open: bool = True,
    ring: str | None = None,
    dim: bool = False,
    mark: str | None = None,
    lift: bool = False,
    left: float | None = None,
    top: float | None = None,
) -> ft.Container:
    """A card face up. open: all of it shows, so it carries a large suit; else only its upper edge does.

    ring: the colour of a frame round it; mark: a small sign in the upper right corner; left, top: its place
    on the table. A table has forty: each is as few controls as it can be, and only what is open has a shadow.
    """
    p = look.palette
    ink = p.unread if card is UNKNOWN else look.ink(card)
    name = "?" if card is UNKNOWN else look.card(card)
    rank, sign = (name, "") if card.suit is None else (name[:-1], name[-1])
    size = width * (0.36 if len(rank) > 1 else 0.4)
    corner = ft.Text(
        rank,
        size=size,
        font_family=DISPLAY,
        color=ink,
        no_wrap=True,
        spans=[ft.TextSpan("\u200a" + sign, ft.TextStyle(size=size, font_family=BOLD, color=ink))],
    )
    parts: list[ft.Control] = []
    if open:
        large = sign or ("★" if card.is_joker else "")
        parts.append(
            ft.Container(
                ft.Text(large, size=width * 0.62, font_family=BOLD, color=ink),
                right=width * 0.07,
                bottom=-width * 0.06,
            )
        )
    if mark:
        parts.append(
            ft.Container(ft.Text(mark, size=width * 0.26, font_family=BOLD, color=p.doubt), right=3, top=2)
        )
    if parts:  # only what lies in a stack has a place in it
        corner.left, corner.top = width * 0.09, width * 0.015
    return ft.Container(
        ft.Stack([corner, *parts], width=width, height=width * RATIO) if parts else corner,
        left=left,
        top=top,
        padding=None if parts else ft.Padding.only(left=width * 0.09, top=width * 0.015),
        width=width,
        height=width * RATIO,
        bgcolor=p.card,
        border_radius=max(5, width * 0.11),
        border=ft.Border.all(2.5 if ring else 0.8, ring or p.card_edge),
        shadow=ft.BoxShadow(
            blur_radius=8 if lift else 3,
            offset=ft.Offset(0, 3 if lift else 1),
            color="#59000000" if lift else "#38000000",
        )
        if open
        else None,
        opacity=0.55 if dim else 1,
        clip_behavior=ft.ClipBehavior.HARD_EDGE if parts else None,
    )


def card_back(look: Look, width: float, *, layers: int = 1) -> ft.Control:
    """A pile face down, thicker with more layers."""
    p = look.palette
    step = max(1.0, width * 0.03)
    sheets: list[ft.Control] = []
    for layer in range(layers):
        top = layer == layers - 1
        sheets.append(
            ft.Container(
                ft.Container(
                    ft.Text("♣", size=width * 0.4, font_family=BOLD, color="#4dffffff") if top else None,
                    alignment=ft.Alignment.CENTER,
                    border=ft.Border.all(1.5, "#66ffffff"),
                    border_radius=max(3, width * 0.07),
                    margin=width * 0.07,
                    gradient=ft.LinearGradient(
                        ["#27496f", "#16304f"], begin=ft.Alignment.TOP_LEFT, end=ft.Alignment.BOTTOM_RIGHT
                    ),
                ),
                left=layer * step,
                top=(layers - 1 - layer) * step,
                width=width,
                height=width * RATIO,
                bgcolor=p.card,
                border_radius=max(5, width * 0.11),
                border=ft.Border.all(0.8, p.card_edge),
                shadow=ft.BoxShadow(blur_radius=3, offset=ft.Offset(0, 1), color="#38000000"),
            )
        )
    return ft.Stack(sheets, width=width + (layers - 1) * step, height=width * RATIO + (layers - 1) * step)


def card_place(look: Look, width: float, sign: str = "", *, ring: str | None = None) -> ft.Container:
    """A place where no card lies."""
    p = look.palette
    return ft.Container(
        ft.Text(sign, size=width * 0.34, font_family=BOLD, color=p.on_felt) if sign else None,
        width=width,
        height=width * RATIO,
        border_radius=max(5, width * 0.11),
        border=ft.Border.all(2.5 if ring else 1.2, ring or "#5cffffff"),
        bgcolor=p.felt_edge if ring else "#14ffffff",
        alignment=ft.Alignment.CENTER,
    )


def mini_card(look: Look, card: Card, *, size: float = 15, on_card: bool = True) -> ft.Control:
    """A card's name on a slip the size of a word, for running text."""
    p = look.palette
    return ft.Container(
        ft.Text(
            look.card(card),
            size=look.size(size),
            font_family=BOLD,
            color=p.unread if card is UNKNOWN else look.ink(card),
        ),
        bgcolor=p.card,
        border=ft.Border.all(0.8, p.card_edge),
        border_radius=6,
        padding=ft.Padding.symmetric(horizontal=6, vertical=2),
    )
