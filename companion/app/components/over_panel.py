"""The end of a hole: the score, and onto the card with it."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, flow, panel, text
from companion.app.components.look import TARGET, Look
from companion.app.components.score import badge


def over_height(look: Look) -> float:
    """About how high it is on a phone: large texts put its keys one below the other."""
    key = max(TARGET, look.size(48))
    keys = key if look.scale < 1.1 else 2 * key + 8
    return 40 + max(54, 1.4 * look.size(18 + 2 * 14)) + keys


def over_panel(look: Look) -> ft.Control:
    """Says how the hole ended and offers the score to the card."""
    t, app, play, p = look.t, look.app, look.app.play, look.palette
    position = play.position
    if position.cleared and position.stock_count:
        message = t.plural(
            "Cleared, with {n} card left in the stock. Magnificent!",
            "Cleared, with {n} cards left in the stock. Magnificent!",
            position.stock_count,
        )
    elif position.cleared:
        message = t("Cleared with the last card. Well played!")
    else:
        message = t.plural(
            "{n} card is left on the table.", "{n} cards are left on the table.", position.tableau_count
        )
    if play.entered:
        act = button(
            look,
            t("To the card"),
            lambda: app.navigation.go("card"),
            id="to-card",
            icon=ft.Icons.ARROW_FORWARD,
            kind="tonal",
        )
    else:
        act = button(look, t("Onto the card"), app.score_game, id="score-it", icon=ft.Icons.EDIT_NOTE)
    if play.entered and app.card.next_cell() is not None:
        again = button(
            look,
            t("Play the next hole"),
            app.play_hole,
            id="next-hole",
            icon=ft.Icons.PLAY_ARROW,
            kind="filled",
        )
    else:
        again = button(
            look, t("New table"), play.close, id="new-table", icon=ft.Icons.REFRESH, kind="outlined"
        )
    return ft.Semantics(
        identifier="over",
        container=True,
        live_region=True,
        content=panel(
            look,
            [
                ft.Row(
                    [
                        badge(look, position.strokes, play.par, size=54),
                        ft.Column(
                            [
                                text(look, t("The hole is over"), 18, display=True),
                                text(look, message, 14, quiet=True),
                            ],
                            spacing=2,
                            expand=True,
                        ),
                    ],
                    spacing=14,
                ),
                flow([act, again]),
            ],
            padding=14,
            color=p.raised,
        ),
    )
