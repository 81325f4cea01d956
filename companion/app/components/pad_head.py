"""The first line of the keys that enter a hole."""

from __future__ import annotations

from collections.abc import Sequence

import flet as ft

from companion.app.components.base import icon_button, text
from companion.app.components.look import Look
from companion.game.round import Round


def pad_head(look: Look, round: Round, more: Sequence[ft.Control] = ()) -> ft.Control:
    """Whose hole is entered; a key that takes its score back, `more`, and one that closes the keys."""
    t, card = look.t, look.app.card
    cell = card.cell
    assert cell is not None
    title = t("Hole {n}", n=cell.hole)
    if len(round.players) > 1:
        title += f" · {round.player(cell.player).name}"
    keys = list(more)
    if round.score(cell.player, cell.hole) and round.state == "open":
        take_back = icon_button(
            look, ft.Icons.BACKSPACE_OUTLINED, t("Take the score back"), card.take_back, id="take-back"
        )
        keys.insert(0, take_back)
    close = icon_button(look, ft.Icons.CLOSE, t("Close"), lambda: card.select(None), id="pad-close")
    name = text(look, title, 17, display=True, expand=True, lines=1)
    return ft.Row([name, *keys, close], spacing=0)
