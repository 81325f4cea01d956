"""The table of a game on green felt: columns, stock, discard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.components.base import text
from companion.app.components.boundary import part, unchanged
from companion.app.components.card_face import RATIO, card_back, card_face, card_place
from companion.app.components.geometry import Layout
from companion.app.components.look import Look
from companion.app.components.tap import tap
from companion.game import Card


@part
def column_of_cards(
    look: Look,
    number: int,
    cards: tuple[Card, ...],
    layout: Layout,
    ring: str | None,
    on_tap: Callable[[int], Any] | None,
) -> ft.Control:
    """A column; a tap anywhere on it plays its exposed card."""
    t = look.t
    faces: list[ft.Control] = []
    for row, card in enumerate(cards):
        last = row == len(cards) - 1
        face = card_face(
            look, card, layout.width, open=last, ring=ring if last else None, lift=bool(ring) and last
        )
        faces.append(ft.Container(face, top=row * layout.step, left=(layout.pitch - layout.width) / 2))
    if not cards:
        faces.append(
            ft.Container(card_place(look, layout.width), top=0, left=(layout.pitch - layout.width) / 2)
        )
    height = layout.column_height(len(cards)) + 4
    stack = ft.Stack(faces, width=layout.pitch, height=height, clip_behavior=ft.ClipBehavior.NONE)
    covered = ", ".join(look.words(card) for card in cards[:-1])
    if not cards:
        label = t("Column {n}, empty", n=number + 1)
    elif covered:
        label = t(
            "Column {n}: play {card}; under it {covered}",
            n=number + 1,
            card=look.words(cards[-1]),
            covered=covered,
        )
    else:
        label = t("Column {n}: play {card}", n=number + 1, card=look.words(cards[-1]))
    return tap(
        look,
        f"column-{number}",
        label,
        on_tap,
        number,
        content=stack,
        width=layout.pitch,
        height=max(48, height),
        disabled=not cards or on_tap is None,
        ink=False,
    )


draw_column = unchanged(column_of_cards)


def tableau(
    look: Look,
    columns: tuple[tuple[Card, ...], ...],
    layout: Layout,
    *,
    hinted: int | None = None,
    on_tap: Callable[[int], Any] | None,
) -> ft.Control:
    """All columns, side by side."""
    return ft.Row(
        [
            draw_column(
                look,
                number,
                cards,
                layout,
                look.palette.glow if number == hinted else None,
                on_tap,
                key=f"c{number}",
            )
            for number, cards in enumerate(columns)
        ],
        spacing=0,
        alignment=ft.MainAxisAlignment.CENTER,
        vertical_alignment=ft.CrossAxisAlignment.START,
    )


@part
def piles(
    look: Look,
    discard: tuple[Card, ...],
    stock: int,
    width: float,
    hinted: bool,
    asking: bool,
    on_stock: Callable[[], Any] | None,
) -> ft.Control:
    """The stock and the discard, its last cards fanned, so that one sees what was played."""
    t, p = look.t, look.palette
    last = discard[-4:]
    shift = width * 0.46
    fan: list[ft.Control] = []
    for at, card in enumerate(last):
        top = at == len(last) - 1
        fan.append(ft.Container(card_face(look, card, width, open=top, lift=top), left=at * shift, top=0))
    if not last:
        fan.append(card_place(look, width, "↓"))
    fan_width = width + max(0, len(last) - 1) * shift
    named_pile = t("Discard: {card} on top", card=look.words(discard[-1])) if discard else t("Discard, empty")
    pile = ft.Semantics(
        identifier="discard",
        label=named_pile,
        container=True,
        exclude_semantics=True,
        content=ft.Column(
            [
                ft.Stack(fan, width=fan_width, height=width * RATIO + 4),
                _count(look, t("discard"), len(discard)),
            ],
            spacing=2,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            tight=True,
        ),
    )
    ring = p.glow if hinted or asking else None
    back: ft.Control = (
        card_back(look, width, layers=min(4, 1 + stock // 4)) if stock else card_place(look, width, "✗")
    )
    face = ft.Container(back, border_radius=12, padding=2, border=ft.Border.all(2.5, ring) if ring else None)
    deck = tap(
        look,
        "stock",
        t.plural("Draw from the stock, {n} card left", "Draw from the stock, {n} cards left", stock),
        on_stock,
        content=ft.Column(
            [face, _count(look, t("stock"), stock)],
            spacing=2,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            tight=True,
        ),
        disabled=on_stock is None,
        ink=False,
        padding=ft.Padding.symmetric(horizontal=6),
    )
    order: list[ft.Control] = [deck, pile] if look.hand == "right" else [pile, deck]
    # The stock lies where the thumb is.
    return ft.Row(
        order[::-1],
        spacing=width * 0.4,
        alignment=ft.MainAxisAlignment.CENTER,
        vertical_alignment=ft.CrossAxisAlignment.END,
    )


draw_piles = unchanged(piles)


def _count(look: Look, label: str, number: int) -> ft.Control:
    return text(look, f"{label} {number}", 12, bold=True, color=look.palette.on_felt)


def felt(
    look: Look, content: ft.Control, *, expand: bool = True, padding: float = 4, radius: float = 22
) -> ft.Container:
    """The card table."""
    p = look.palette
    return ft.Container(
        content,
        expand=expand,
        padding=padding,
        border_radius=radius,
        gradient=ft.RadialGradient([p.felt, p.felt_edge], center=ft.Alignment(0, -0.4), radius=1.3),
        border=ft.Border.all(1, p.felt_edge),
    )
