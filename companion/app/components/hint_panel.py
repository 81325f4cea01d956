"""A hint: the best move, the run to play, and every move with its figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import flet as ft

from companion.app.components.base import button, chip, icon_button, panel, text
from companion.app.components.card_face import mini_card
from companion.app.components.look import TARGET, Look
from companion.app.services.adviser import Line
from companion.game import Card, Draw, Play


def rows_shown(look: Look) -> float:
    """How many moves are seen without scrolling: the half one says that there are more."""
    hint = look.app.play.hint
    room = 2.4 + min(6, max(0, (look.app.size[1] - 760) // 60))
    return min(9.5 if look.app.wide else room, len(hint.lines) if hint else room)


def _list_height(look: Look) -> float:
    """Of the figures and the moves, which scroll."""
    return look.size(40) + rows_shown(look) * look.size(34)


def hint_height(look: Look) -> float:
    """How high the panel is where it lies below the table."""
    return 78 + _list_height(look) + max(TARGET, look.size(48))


def card_size(look: Look, cards: Sequence[Card]) -> float:
    """The text size of a run's cards: as large as they fit beside each other, the longest runs scroll."""
    if look.app.wide:
        return 17
    room = look.inside - 16 - TARGET - 28 - 0.5 * look.size(18) * len(look.t("Play"))
    room -= 14 * len(cards) + 21 * (len(cards) - 1)
    letters = sum(len(look.card(card)) for card in cards)
    return max(12.0, min(17.0, room / (0.68 * letters * look.scale)))


def hint_panel(look: Look) -> ft.Control:
    """What the adviser says about the table; the figures are means over what the stock may hold."""
    t, play, p = look.t, look.app.play, look.palette
    hint = play.hint
    assert hint is not None
    if not hint.lines:
        return panel(look, text(look, t("There is no move left.")))
    best = hint.lines[0]
    drawing = isinstance(best.move, Draw)
    title: list[ft.Control] = [ft.Icon(ft.Icons.LIGHTBULB, color=p.accent, size=24)]
    if drawing:
        title.append(text(look, t("Draw a card"), 18, display=True))
    else:
        title.append(text(look, t("Play"), 18, display=True))
        cards = (hint.run or ((best.card,) if best.card else ()))[:8]
        size = card_size(look, cards)
        for at, card in enumerate(cards):
            if at:
                title.append(ft.Icon(ft.Icons.CHEVRON_RIGHT, size=13, color=p.quiet))
            title.append(mini_card(look, card, size=size))
    figures = ft.Row(
        [
            chip(
                look,
                t("{n} strokes expected", n=("" if hint.exact else "≈ ") + t.number(best.strokes, 1)),
            ),
            chip(look, t("clears {share}", share=t.percent(best.clear))),
            *(
                [text(look, t("exact figures") if hint.exact else t("an estimate"), 12.5, quiet=True)]
                if look.app.wide
                else []
            ),
            *(
                [
                    chip(
                        look,
                        t("aim reached {share}", share=t.percent(best.at_most)),
                        ground=p.accent_container,
                        ink=p.on_accent_container,
                    )
                ]
                if best.at_most is not None
                else []
            ),
        ],
        wrap=True,
        spacing=6,
        run_spacing=6,
        vertical_alignment=ft.CrossAxisAlignment.CENTER,
    )
    rows = [_line(look, line, best) for line in hint.lines]
    act = (
        button(look, t("Draw"), play.tap_stock, id="hint-do", icon=ft.Icons.STYLE, kind="filled", expand=True)
        if drawing
        else button(
            look,
            t("Play it") if len(hint.run) < 2 else t("Play the run"),
            play.play_run if hint.run else partial(_play_best, look, best),
            id="hint-do",
            icon=ft.Icons.PLAY_ARROW,
            kind="filled",
            expand=True,
        )
    )
    return ft.Semantics(
        identifier="hint-panel",
        container=True,
        live_region=True,
        content=panel(
            look,
            [
                ft.Row(
                    [
                        ft.Row(
                            title,
                            scroll=ft.ScrollMode.AUTO,
                            expand=True,
                            spacing=4,
                            vertical_alignment=ft.CrossAxisAlignment.CENTER,
                        ),
                        icon_button(
                            look, ft.Icons.CLOSE, t("Hide the hint"), play.cancel_hint, id="hint-close"
                        ),
                    ],
                    spacing=0,
                ),
                ft.Container(
                    ft.Column(
                        [figures, ft.Container(height=4), *rows],
                        spacing=0,
                        scroll=ft.ScrollMode.AUTO,
                        tight=True,
                    ),
                    height=None if look.app.wide else _list_height(look),
                ),
                ft.Row([act, _aims(look)], spacing=8),
            ],
            padding=ft.Padding.only(left=12, right=4, top=4, bottom=10),
            spacing=6,
        ),
    )


def _aims(look: Look) -> ft.Control:
    """What the hint aims at, changed on the spot."""
    t, app, p = look.t, look.app, look.palette
    names = {
        "strokes": t("fewest strokes"),
        "clear": t("clear the table"),
        "most": t("at most {n} strokes", n=app.settings.target),
        "round": t("what the round needs"),
    }

    async def aim(name: str) -> None:
        app.choose(aim=name)
        await app.play.ask(app.aim())

    menu = ft.PopupMenuButton(
        content=ft.Container(
            ft.Row(
                [
                    ft.Icon(ft.Icons.TRACK_CHANGES, size=16, color=p.primary),
                    text(
                        look, names[app.settings.aim], 12.5, bold=True, color=p.primary, lines=2, expand=True
                    ),
                    ft.Icon(ft.Icons.ARROW_DROP_DOWN, size=18, color=p.primary),
                ],
                spacing=5,
            ),
            padding=ft.Padding.only(left=10, right=4),
            height=max(TARGET, look.size(48)),
            border=ft.Border.all(1, p.outline),
            border_radius=14,
        ),
        tooltip=t("What a hint aims at"),
        items=[
            ft.PopupMenuItem(label, checked=name == app.settings.aim, on_click=look.run(aim, name))
            for name, label in names.items()
        ],
    )
    return ft.Semantics(identifier="aim", container=True, expand=True, content=menu)


def _play_best(look: Look, best: Line) -> None:
    if isinstance(best.move, Play):
        look.app.play.tap_column(best.move.column)


def _line(look: Look, line: Line, best: Line) -> ft.Control:
    t, p = look.t, look.palette
    drawing = isinstance(line.move, Draw)
    name: ft.Control = (
        text(look, t("draw"), 14, bold=True) if line.card is None else mini_card(look, line.card, size=14)
    )
    gap = line.strokes - best.strokes
    first = line is best
    where = "" if drawing else t("column {n}", n=line.move.column + 1)  # type: ignore[union-attr]
    cells: list[ft.Control] = [
        ft.Container(
            ft.Icon(
                ft.Icons.STAR_ROUNDED if first else ft.Icons.CIRCLE_OUTLINED,
                size=16 if first else 10,
                color=p.accent if first else p.outline,
            ),
            width=20,
        ),
        *(
            [ft.Container(name, expand=True)]
            if drawing
            else [
                ft.Container(name, width=52, alignment=ft.Alignment.CENTER_LEFT),
                text(look, where, 13, quiet=True, expand=True, lines=1),
            ]
        ),
        text(
            look,
            t.percent(line.at_most if line.at_most is not None else line.clear),
            13,
            quiet=True,
            width=52,
            align=ft.TextAlign.RIGHT,
        ),
        text(look, t.number(line.strokes, 2), 14, bold=first, width=46, align=ft.TextAlign.RIGHT),
        text(look, "" if first else t.signed(gap, 1), 12.5, quiet=True, width=38, align=ft.TextAlign.RIGHT),
    ]
    return ft.Container(
        ft.Row(cells, spacing=6),
        height=look.size(34),
        padding=ft.Padding.symmetric(horizontal=4),
        border=ft.Border.only(bottom=ft.BorderSide(1, p.outline_soft)),
    )
