"""Which rank does the joker stand for?"""

from __future__ import annotations

import math

import flet as ft

from companion.app.components.base import DISPLAY, icon_button, panel, text
from companion.app.components.look import TARGET, Look
from companion.app.components.tap import tap
from companion.game.letters import rank_letter

KEY = 56
"""The width of a key, pixels."""


def joker_pad(look: Look, width: float) -> ft.Control:
    """The ranks a declared joker may be given now, one key each."""
    t, p, play = look.t, look.palette, look.app.play
    keys = [
        tap(
            look,
            f"joker-{rank}",
            rank_letter(rank, look.letters),
            play.name_joker,
            rank,
            content=ft.Text(
                rank_letter(rank, look.letters), size=look.size(20), font_family=DISPLAY, color=p.on_surface
            ),
            width=KEY,
            height=52,
            bgcolor=p.high,
            border_radius=11,
            alignment=ft.Alignment.CENTER,
        )
        for rank in play.joker_ranks
    ]
    return panel(
        look,
        [
            ft.Row(
                [
                    text(look, t("The joker stands for…"), 16, bold=True, expand=True),
                    icon_button(look, ft.Icons.CLOSE, t("Cancel"), play.dismiss, id="joker-cancel"),
                ]
            ),
            ft.Row(keys, wrap=True, spacing=6, run_spacing=6, width=width),
        ],
        padding=10,
    )


def joker_height(look: Look, width: float) -> float:
    """How high it is."""
    across = max(1, int((width - 22 + 6) // (KEY + 6)))
    rows = math.ceil(len(look.app.play.joker_ranks) / across)
    return 22 + TARGET + 10 + 58 * rows - 6
