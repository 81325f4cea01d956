"""The list of rounds, newest first."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, chip, text
from companion.app.components.look import Look
from companion.app.components.tap import tap
from companion.game.round import Round


def rounds_list(look: Look) -> list[ft.Control]:
    """A line a round; a tap opens it. Older ones come when they are asked for."""
    history = look.app.history
    lines = [_line(look, number, round) for number, round in enumerate(history.rounds[: history.shown])]
    if (older := len(history.rounds) - history.shown) > 0:
        label = look.t.plural("Show {n} older round", "Show older rounds ({n})", older)
        lines.append(button(look, label, history.show_older, id="older", kind="tonal"))
    return lines


def _line(look: Look, number: int, round: Round) -> ft.Control:
    t, p, app = look.t, look.palette, look.app
    title = round.name or (
        t("Grid golf") if round.game == "grid" else t.plural("{n} hole", "{n} holes", round.holes)
    )
    people = []
    for player in round.players:
        played = round.played(player.id)
        gap = round.to_par(player.id)
        figures = t.number(round.total(player.id)) if played else "–"
        if gap is not None:
            figures += f" ({t.signed(gap)})"
        people.append(f"{player.name} {figures}")
    state = {
        "open": (t("open"), p.accent_container, p.on_accent_container),
        "finished": (t("finished"), p.primary_container, p.on_primary_container),
        "abandoned": (t("put away"), p.high, p.quiet),
    }[round.state]
    winners = (
        {winner.id for winner in round.winners}
        if len(round.players) > 1 and round.state == "finished"
        else set()
    )
    names = [
        text(look, ("★ " if player.id in winners else "") + line, 14.5, bold=player.id in winners, lines=1)
        for player, line in zip(round.players, people, strict=True)
    ]
    content = ft.Row(
        [
            ft.Container(
                ft.Icon(
                    ft.Icons.GRID_VIEW if round.game == "grid" else ft.Icons.STYLE, color=p.primary, size=22
                ),
                width=44,
                height=44,
                border_radius=22,
                bgcolor=p.primary_container,
                alignment=ft.Alignment.CENTER,
            ),
            ft.Column(
                [
                    ft.Row(
                        [
                            text(look, title, 16, display=True, lines=1, expand=True),
                            chip(look, state[0], ground=state[1], ink=state[2]),
                        ]
                    ),
                    text(look, t.date(round.begun), 12.5, quiet=True),
                    *names[:4],
                ],
                spacing=2,
                expand=True,
                tight=True,
            ),
            ft.Icon(ft.Icons.CHEVRON_RIGHT, color=p.quiet),
        ],
        spacing=12,
    )
    return tap(
        look,
        f"round-{number}",
        f"{title}, {t.date(round.begun)}, {', '.join(people)}, {state[0]}",
        lambda: app.navigation.go(f"rounds/{round.id}"),
        content=content,
        padding=12,
        bgcolor=p.raised,
        border_radius=16,
        border=ft.Border.all(1, p.outline_soft),
    )
