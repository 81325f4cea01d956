"""The end of a hole: the score, and onto the card with it."""

from __future__ import annotations

from collections.abc import Callable

import flet as ft

from companion.app.components.base import button, panel, text
from companion.app.components.look import TARGET, Look
from companion.app.components.score import badge


def over_height(look: Look) -> float:
    """About how high it is on a phone."""
    return 38 + max(54, 1.4 * look.size(18 + 2 * 14)) + max(TARGET, look.size(48))


def onwards(look: Look) -> tuple[ft.Control, ft.Control]:
    """What comes next, and what else may: on a phone the one stands below the score, the other where the
    hint was, so that the table keeps its room."""
    t, app, play = look.t, look.app, look.app.play

    def key(label: str, work: Callable[[], object], id: str, icon: ft.IconData, kind: str) -> ft.Control:
        return button(look, label, work, id=id, icon=icon, kind=kind, expand=True)

    new = key(t("New table"), play.close, "new-table", ft.Icons.REFRESH, "outlined")
    if not play.entered:
        return key(t("Onto the card"), app.score_game, "score-it", ft.Icons.EDIT_NOTE, "filled"), new
    card = key(
        t("To the card"), lambda: app.navigation.go("card"), "to-card", ft.Icons.ARROW_FORWARD, "tonal"
    )
    if app.card.next_cell() is None:
        return card, new
    return key(t("Play the next hole"), app.play_hole, "next-hole", ft.Icons.PLAY_ARROW, "filled"), card


def over_panel(look: Look, *, wide: bool) -> ft.Control:
    """Says how the hole ended and offers the score to the card. wide: with both keys."""
    t, play, p = look.t, look.app.play, look.palette
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
    keys = onwards(look)
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
                *(ft.Row([key]) for key in (keys if wide else keys[:1])),
            ],
            padding=14,
            color=p.raised,
        ),
    )
