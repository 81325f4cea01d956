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
        faces.append(
            card_face(
                look,
                card,
                layout.width,
                open=last,
                ring=ring if last else None,
                lift=bool(ring) and last,
                left=(layout.pitch - layout.width) / 2,
                top=row * layout.step,
            )
        )
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
    beside: bool = False,
) -> ft.Control:
    """The stock and the discard, its last cards fanned, so that one sees what was played.

    beside: the numbers stand beside the piles instead of under them, and the fan is shorter.
    """
    t, p = look.t, look.palette
    last = discard[-2:] if beside else discard[-4:]
    shift = width * 0.46
    fan: list[ft.Control] = []
    for at, card in enumerate(last):
        top = at == len(last) - 1
        fan.append(card_face(look, card, width, open=top, lift=top, left=at * shift, top=0))
    if not last:
        fan.append(card_place(look, width, "↓"))
    fan_width = width + max(0, len(last) - 1) * shift

    def counted(pile: ft.Control, name: str, number: int) -> ft.Control:
        if beside:
            number_only = text(look, str(number), 12, bold=True, color=p.on_felt)
            return ft.Row([pile, number_only], spacing=3, tight=True)
        return ft.Column(
            [pile, text(look, f"{name} {number}", 12, bold=True, color=p.on_felt)],
            spacing=2,
            horizontal_alignment=ft.CrossAxisAlignment.CENTER,
            tight=True,
        )

    named_pile = t("Discard: {card} on top", card=look.words(discard[-1])) if discard else t("Discard, empty")
    pile = ft.Semantics(
        identifier="discard",
        label=named_pile,
        container=True,
        exclude_semantics=True,
        content=counted(ft.Stack(fan, width=fan_width, height=width * RATIO + 4), t("discard"), len(discard)),
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
        content=counted(face, t("stock"), stock),
        disabled=on_stock is None,
        ink=False,
        padding=ft.Padding.symmetric(horizontal=6),
    )
    order: list[ft.Control] = [deck, pile] if look.hand == "right" else [pile, deck]
    # The stock lies where the thumb is.
    return ft.Row(
        order[::-1],
        spacing=width * 0.4,
        tight=beside,
        alignment=ft.MainAxisAlignment.CENTER,
        vertical_alignment=ft.CrossAxisAlignment.END,
    )


draw_piles = unchanged(piles)


def piles_height(look: Look, width: float) -> float:
    """How high the piles are with cards of this width: a thick stock, its ring, and the number below."""
    return width * RATIO + 3 * max(1.0, width * 0.03) + 9 + 2 + 1.35 * look.size(12)


FELT_EDGE, FELT_TOP = 6, 14
"""What the felt's edge takes of its width and of its height, pixels."""


def felt(look: Look, content: ft.Control, *, expand: bool = True) -> ft.Container:
    """The card table: `FELT_EDGE` narrower inside than outside, that a phone's columns are wide enough."""
    p = look.palette
    return ft.Container(
        content,
        expand=expand,
        padding=ft.Padding.symmetric(horizontal=2, vertical=6),
        border_radius=22,
        gradient=ft.RadialGradient([p.felt, p.felt_edge], center=ft.Alignment(0, -0.4), radius=1.3),
        border=ft.Border.all(1, p.felt_edge),
    )
