"""Play: the table as it lies; tap to play, tap the stock to draw, ask for a hint."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, empty, heading, icon_button, panel, text
from companion.app.components.below_table import below_height, below_table, notice, notice_height
from companion.app.components.boundary import part
from companion.app.components.game_table import game_table
from companion.app.components.look import TARGET, Look
from companion.app.components.over_panel import onwards
from companion.app.views.games import games_page
from companion.app.views.typing import typing_view


@part
def play_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    play = look.app.play
    if look.app.navigation.parts == ("games",):
        return games_page(look)
    if play.editor is not None:
        return typing_view(look, width, height)
    if play.tracked is None:
        return _begin(look)
    return _game(look, width, height)


def _begin(look: Look) -> ft.Control:
    t, app = look.t, look.app
    hole = app.hole
    round = app.round_of(hole)
    title = t("No table yet")
    more: list[ft.Control] = []
    if hole is not None and round is not None:
        title = t("Hole {n}", n=hole.hole)
        if len(round.players) > 1:
            title += f" · {round.player(hole.player).name}"
        more.append(
            button(
                look, t("Not for the round"), lambda: app.play.prepare(None), id="begin-free", kind="plain"
            )
        )
    if app.games.any:
        more.append(
            button(
                look,
                t("Earlier games"),
                lambda: app.navigation.go("play/games"),
                id="begin-earlier",
                icon=ft.Icons.HISTORY,
                kind="plain",
            )
        )
    return ft.Container(
        empty(
            look,
            ft.Icons.STYLE_OUTLINED,
            title,
            t("Photograph the cards on your table, or type them: a tap for the rank, a tap for the suit."),
            [
                button(
                    look,
                    t("Photograph the table"),
                    lambda: app.scan_for("play"),
                    id="begin-scan",
                    icon=ft.Icons.PHOTO_CAMERA_OUTLINED,
                    width=280,
                ),
                button(
                    look,
                    t("Type the cards"),
                    app.type_table,
                    id="begin-type",
                    icon=ft.Icons.DIALPAD,
                    kind="tonal",
                    width=280,
                ),
                button(
                    look,
                    t("Deal a table to practise"),
                    app.deal_table,
                    id="begin-deal",
                    icon=ft.Icons.SHUFFLE,
                    kind="outlined",
                    width=280,
                ),
                *more,
            ],
        ),
        expand=True,
        alignment=ft.Alignment.CENTER,
        padding=20,
    )


def _game(look: Look, width: float, height: float) -> ft.Control:
    wide = width >= 840
    side = min(400.0, width * 0.38) if wide else 0.0
    area = width - side - (16 if wide else 0)
    below = below_table(look, side or area, wide=wide)
    said = notice(look)
    asked = look.app.play.drawing or look.app.play.naming is not None
    # While something is said and asked at once, on a phone, the cards need the bar's room.
    bar = [] if said and asked and not wide else [_bar(look, wide)]
    spacing = 8 if wide else 6
    # What the table may take: the area without the bar and what is said and asked below.
    taken = [max(TARGET, look.size(48)) for _ in bar] + ([notice_height(look, area)] if said else [])
    if below is not None and not wide:
        taken.append(below_height(look, area))
    table = game_table(look, area, height - sum(taken) - spacing * len(taken))
    if wide:
        aside: list[ft.Control] = [below] if below is not None else [_advice_invitation(look)]
        return ft.Row(
            look.handed(
                ft.Column([table, *said, *bar], expand=True, spacing=spacing),
                ft.Container(
                    ft.Column(
                        aside,
                        scroll=ft.ScrollMode.AUTO,
                        spacing=12,
                        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
                    ),
                    width=side,
                    padding=ft.Padding.only(top=2),
                ),
            ),
            expand=True,
            spacing=16,
            vertical_alignment=ft.CrossAxisAlignment.STRETCH,
        )
    return ft.Column(
        [table, *said, *([below] if below is not None else []), *bar],
        expand=True,
        spacing=spacing,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _bar(look: Look, wide: bool) -> ft.Control:
    """Undo, redo, hint and more, where the thumb is."""
    t, app, play = look.t, look.app, look.app.play

    async def ask() -> None:
        if play.hint or play.thinking:
            play.cancel_hint()
        else:
            await play.ask(app.aim())

    p = look.palette
    menu = ft.PopupMenuButton(
        # A name of the icon is read out as the button's; a tooltip is not.
        content=ft.Container(
            ft.Icon(ft.Icons.MORE_VERT, color=p.on_surface, semantics_label=t("More")),
            width=TARGET,
            height=TARGET,
            alignment=ft.Alignment.CENTER,
        ),
        tooltip=t("More"),
        items=[
            ft.PopupMenuItem(
                t("Scan the table again"),
                icon=ft.Icons.PHOTO_CAMERA_OUTLINED,
                on_click=look.run(app.scan_for, "play"),
            ),
            ft.PopupMenuItem(
                t("Correct the table"), icon=ft.Icons.EDIT_OUTLINED, on_click=look.run(play.edit_table)
            ),
            ft.PopupMenuItem(
                t("Add this table to a check"),
                icon=ft.Icons.FACT_CHECK_OUTLINED,
                on_click=look.run(app.check_game),
            ),
            ft.PopupMenuItem(
                t("Stop here and score the hole"),
                icon=ft.Icons.FLAG_OUTLINED,
                on_click=look.run(app.score_game),
            ),
            ft.PopupMenuItem(
                t("Put the table away"), icon=ft.Icons.INVENTORY_2_OUTLINED, on_click=look.run(play.close)
            ),
            ft.PopupMenuItem(
                t("Earlier games"),
                icon=ft.Icons.HISTORY,
                on_click=look.run(app.navigation.go, "play/games"),
            ),
        ],
    )
    hint = (
        onwards(look)[1]
        if play.over and not wide
        else button(
            look,
            t("Thinking…") if play.thinking else t("Hide the hint") if play.hint else t("Hint"),
            ask,
            id="hint",
            icon=ft.Icons.CLOSE if play.thinking or play.hint else ft.Icons.LIGHTBULB_OUTLINE,
            kind="gold" if not play.hint else "tonal",
            expand=True,
            disabled=play.over or play.drawing or play.naming is not None,
        )
    )
    more = ft.Semantics(
        identifier="more",
        container=True,
        content=ft.Container(menu, width=48, height=48, bgcolor=p.high, border_radius=14),
    )
    back_and_forth = [
        icon_button(
            look, ft.Icons.UNDO, t("Undo"), play.undo, id="undo", disabled=not play.can_undo, ground=p.high
        ),
        icon_button(
            look, ft.Icons.REDO, t("Redo"), play.redo, id="redo", disabled=not play.can_redo, ground=p.high
        ),
    ]
    return ft.Row(look.handed(more, back_and_forth, hint), spacing=8)


def _advice_invitation(look: Look) -> ft.Control:
    t = look.t
    return panel(
        look,
        [
            heading(look, t("Your move"), 18),
            text(
                look,
                t(
                    "Tap a column to play its exposed card, or the stock to draw. The hint "
                    "ranks every move by the strokes it leads to."
                ),
                14,
                quiet=True,
            ),
        ],
    )
