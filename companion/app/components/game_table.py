"""The table in play: the strokes, the columns, the stock and the discard, in an area of a given size."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import chip, text
from companion.app.components.geometry import Layout, fit
from companion.app.components.look import Look
from companion.app.components.tableau import FELT_EDGE, FELT_TOP, draw_piles, felt, piles_height, tableau
from companion.game import Play

STATUS, GAP = 34, 4
"""Pixels: the line with the strokes, between the parts."""
FLAT_STATUS, FLAT_PILE = 56, 32
"""The line and the width of a card in it, where there is no room for the piles below the columns."""
READABLE = 36
"""A card that is narrower is hard to read, pixels."""


def game_table(look: Look, width: float, height: float) -> ft.Control:
    """All of it. In a low area the piles stand beside the strokes, so that the cards can be read."""
    play = look.app.play
    position = play.position
    inner = height - FELT_TOP
    pile = max(44.0, min(84.0, width * 0.15, inner * 0.17))
    layout = _fit(look, width, inner - STATUS - 2 * GAP - piles_height(look, pile))
    flat = layout.width < READABLE
    if flat:
        layout = _fit(look, width, inner - FLAT_STATUS - GAP)
    best = play.hint.lines[0].move if play.hint and play.hint.lines else None
    stacks = draw_piles(
        look,
        position.discard,
        position.stock_count,
        FLAT_PILE if flat else pile,
        best is not None and not isinstance(best, Play),
        play.drawing,
        None if play.over else play.tap_stock,
        flat,
        key="piles",
    )
    columns = tableau(
        look,
        position.columns,
        layout,
        hinted=best.column if isinstance(best, Play) else None,
        on_tap=play.tap_column,
    )
    parts = [_status(look, stacks if flat else None), ft.Container(columns, expand=True)]
    return felt(
        look,
        ft.Column(
            parts if flat else [*parts, stacks],
            spacing=GAP,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
    )


def _fit(look: Look, width: float, height: float) -> Layout:
    columns = look.app.play.position.columns
    longest = max((len(column) for column in columns), default=1)
    # A column is a little higher than its cards.
    return fit(len(columns), longest, width - FELT_EDGE, height - 6, 108)


def _status(look: Look, stacks: ft.Control | None) -> ft.Control:
    """Strokes if one stopped now, whose hole it is, and the piles where they stand here."""
    t, play, p = look.t, look.app.play, look.palette
    strokes = play.position.strokes
    parts: list[ft.Control] = [
        ft.Semantics(
            identifier="strokes",
            container=True,
            content=text(
                look, t.plural("{n} stroke", "{n} strokes", strokes), 15, bold=True, color=p.on_felt
            ),
        ),
    ]
    if play.belongs:
        parts.append(text(look, "· " + t("hole {n}", n=play.belongs.hole), 13, color=p.on_felt))
    parts.append(ft.Container(expand=True))
    if stacks is not None:
        parts.append(stacks)
    else:
        if play.hinted or play.practice:
            # one chip for both: two are wider than a phone
            label = t("practice") if play.practice else t("with hints")
            icon = ft.Icons.LIGHTBULB if play.hinted else None
            mark = chip(look, label, icon=icon, ground=p.felt_edge, ink=p.on_felt)
            parts.append(
                ft.Semantics(label=t("with hints"), container=True, content=mark) if play.hinted else mark
            )
    return ft.Container(
        ft.Row(parts if look.hand == "right" or stacks is None else parts[::-1], spacing=8),
        padding=ft.Padding.only(left=8, right=8, top=2),
        height=STATUS if stacks is None else FLAT_STATUS,
    )
