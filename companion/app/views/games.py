"""Earlier games: each can be taken up where it was left."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import chip, empty, scroll, text
from companion.app.components.look import Look
from companion.app.components.rules_name import rules_name
from companion.app.components.tap import tap
from companion.app.state.play import Belongs
from companion.game.record import TrackedGame


def games_page(look: Look) -> ft.Control:
    """The games, newest first."""
    t, games = look.t, look.app.games.newest
    if not games:
        return ft.Container(
            empty(look, ft.Icons.HISTORY, t("No games yet"), t("Every table that is played is kept here.")),
            expand=True,
            alignment=ft.Alignment.CENTER,
            padding=20,
        )
    return scroll(look, [_line(look, at, game) for at, game in enumerate(games)])


def _line(look: Look, at: int, game: TrackedGame) -> ft.Control:
    t, p, app = look.t, look.palette, look.app
    position = game.position
    title = _title(look, game)
    lying = sum(len(column) for column in position.columns)
    left = t.plural("{n} card on the table", "{n} cards on the table", lying)
    ended = t("ended") if position.finished else ""
    when = f"{t.date(game.at)} · {rules_name(look, position.rules)}"
    head: list[ft.Control] = [text(look, title, 16, display=True, lines=1, expand=True)]
    if ended:
        head.append(chip(look, ended))
    return tap(
        look,
        f"game-{at}",
        ", ".join(filter(None, (title, when, left, ended))),
        app.take_up,
        game.id,
        content=ft.Column(
            [ft.Row(head), text(look, when, 12.5, quiet=True, lines=1), text(look, left, 14)],
            spacing=2,
            tight=True,
        ),
        padding=12,
        bgcolor=p.raised,
        border_radius=16,
        border=ft.Border.all(1, p.outline_soft),
    )


def _title(look: Look, game: TrackedGame) -> str:
    """The hole it was played for, or that it was for none."""
    t, app = look.t, look.app
    if game.round and game.player and game.hole:
        title = t("Hole {n}", n=game.hole)
        round = app.round_of(Belongs(game.round, game.player, game.hole))
        if round is not None and len(round.players) > 1:
            title += f" · {round.player(game.player).name}"
        return title
    return t("Practice") if game.start.stock is not None else t("A table of its own")
