"""Entering a hole: one tap on a number is enough."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD, icon_button, panel, text
from companion.app.components.fields import field
from companion.app.components.late import use_late
from companion.app.components.look import TALL, TARGET, Look
from companion.app.components.pad_head import pad_head
from companion.app.components.score import kind
from companion.app.components.tap import tap
from companion.app.components.trouble import trouble_banner
from companion.game.round import Round
from companion.game.rules import Rules

GAP = 5
"""Pixels between two keys."""


@ft.component
def score_pad(look: Look, round: Round, width: float) -> ft.Control:
    """The numbers a hole can end with: cards left on the table, or in the stock once it is cleared."""
    t, card, p = look.t, look.app.card, look.palette
    cell = card.cell
    reason, set_reason = ft.use_state("")
    assert cell is not None
    assert isinstance(round.rules, Rules)
    known = round.score(cell.player, cell.hole)
    par = round.hole_par(cell.hole)

    def key(strokes: int) -> ft.Control:
        what = "par" if par is None else kind(strokes, par)
        ink = p.under if "under" in what else p.over if "over" in what else p.on_surface
        on = known is not None and known.strokes == strokes
        return tap(
            look,
            f"strokes-{strokes}",
            t.plural("{n} stroke", "{n} strokes", strokes),
            lambda: card.enter_strokes(strokes, reason=reason),
            content=ft.Text(t.number(strokes), size=look.size(18), font_family=BOLD, color=ink),
            width=TARGET,
            height=TARGET,
            alignment=ft.Alignment.CENTER,
            bgcolor=p.accent_container if on else p.high,
            border_radius=25 if "under" in what else 8,
            border=ft.Border.all(1.5, p.primary) if strokes == par else None,
            selected=on,
        )

    roomy = look.app.wide or look.app.size[1] > TALL
    # A list makes only the keys that are seen: all fifty take a phone longer than a tap may. The others are
    # not even sent with the answer to the tap.
    a_row = max(1, int((width - 24 + GAP) // (TARGET + GAP)))
    whole = use_late(True, roomy)
    rows_first, row_first = (None, None) if whole else (a_row * 3, a_row + 1)
    left = [key(strokes) for strokes in range(1, round.rules.tableau_size + 1)[:rows_first]]
    stock = [key(-count) for count in range(round.rules.stock_size + 1)[:row_first]]
    rows: list[ft.Control] = [ft.Row(left[at : at + a_row], spacing=GAP) for at in range(0, len(left), a_row)]
    play = icon_button(
        look, ft.Icons.PLAY_CIRCLE_OUTLINE, t("Play this hole"), look.app.play_hole, id="play-hole"
    )
    parts: list[ft.Control] = [pad_head(look, round, [play] if known is None else [])]
    if card.trouble:
        parts.append(trouble_banner(look, card.trouble, id="card-trouble"))
    if round.state == "finished":
        parts.append(field(look, t("Why is it corrected?"), reason, set_reason, id="reason"))
    parts += [
        text(look, t("Cards left on the table"), 13, quiet=True),
        ft.Column(rows, spacing=GAP, tight=True)
        if roomy
        else ft.ListView(rows, spacing=GAP, height=124, cache_extent=TARGET),
        text(look, t("Cleared: cards left in the stock"), 13, quiet=True),
        # The last key that fits is cut, so that one sees that there are more.
        ft.ListView(stock, horizontal=True, spacing=GAP + 4, height=TARGET, cache_extent=TARGET),
    ]
    return panel(look, parts, padding=12, spacing=6)
