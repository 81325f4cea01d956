"""Play: the table as it lies; tap to play, tap the stock to draw, ask for a hint."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, button, chip, empty, heading, icon_button, panel, text
from companion.app.components.boundary import part
from companion.app.components.geometry import fit
from companion.app.components.hint_panel import hint_panel, rows_shown
from companion.app.components.joker_pad import joker_pad
from companion.app.components.keypad import keypad
from companion.app.components.look import Look
from companion.app.components.messages import illegal
from companion.app.components.over_panel import over_panel
from companion.app.components.tableau import draw_piles, felt, tableau
from companion.app.state.editor import Key
from companion.app.views.typing import typing_view
from companion.game import RANKS, Card, Play


@part
def play_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    play = look.app.play
    if play.editor is not None:
        return typing_view(look, width, height)
    if play.tracked is None:
        return _begin(look)
    return _game(look, width, height)


def _begin(look: Look) -> ft.Control:
    t, app = look.t, look.app
    return ft.Container(
        empty(
            look,
            ft.Icons.STYLE_OUTLINED,
            t("No table yet"),
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
                    lambda: app.play.type_table(app.rules),
                    id="begin-type",
                    icon=ft.Icons.DIALPAD,
                    kind="tonal",
                    width=280,
                ),
                button(
                    look,
                    t("Deal a table to practise"),
                    lambda: app.play.deal(app.rules),
                    id="begin-deal",
                    icon=ft.Icons.SHUFFLE,
                    kind="outlined",
                    width=280,
                ),
            ],
        ),
        expand=True,
        alignment=ft.Alignment.CENTER,
        padding=20,
    )


def _game(look: Look, width: float, height: float) -> ft.Control:
    play = look.app.play
    position = play.position
    wide = width >= 840
    side = min(400.0, width * 0.38) if wide else 0.0
    area = width - side - (16 if wide else 0)
    below = _lower(look, min(area, width))
    # What the tableau may take: the area without the bar, the strokes, the piles and what is asked below.
    room = height - 54 - 34 - 24 - (0 if wide else _below_height(look)) - (66 if play.notice else 0)
    pile = max(44.0, min(84.0, area * 0.15, room * 0.17))
    longest = max((len(column) for column in position.columns), default=1)
    layout = fit(len(position.columns), longest, area - 20, max(96.0, room - pile * 1.4 - 26), 108)
    best = play.hint.lines[0].move if play.hint and play.hint.lines else None
    hinted = best.column if isinstance(best, Play) else None
    draw = best is not None and not isinstance(best, Play)
    table = felt(
        look,
        ft.Column(
            [
                _status(look),
                ft.Container(
                    tableau(look, position.columns, layout, hinted=hinted, on_tap=play.tap_column),
                    expand=True,
                ),
                draw_piles(
                    look,
                    position.discard,
                    position.stock_count,
                    pile,
                    draw,
                    play.drawing,
                    None if play.over else play.tap_stock,
                    key="piles",
                ),
            ],
            spacing=4,
            horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
        ),
        padding=6,
    )
    bar = _bar(look)
    notice = _notice(look)
    if wide:
        aside: list[ft.Control] = [below] if below is not None else [_advice_invitation(look)]
        return ft.Row(
            _handed(
                look,
                [
                    ft.Column([table, *notice, bar], expand=True, spacing=8),
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
                ],
            ),
            expand=True,
            spacing=16,
            vertical_alignment=ft.CrossAxisAlignment.STRETCH,
        )
    lower = [ft.Container(below, padding=ft.Padding.symmetric(horizontal=2))] if below is not None else []
    return ft.Column(
        [table, *notice, *lower, bar],
        expand=True,
        spacing=6,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _below_height(look: Look) -> float:
    """About how high the part below the table is on a phone, so that the cards make room for it."""
    play = look.app.play
    line = look.size(16) - 16
    if play.naming is not None:
        return 190 + 3 * line
    if play.drawing:
        return 226 + 4 * line
    if play.over:
        return 156 + 5 * line
    if play.hint is None:
        return 0
    return 250 + 5 * line + (rows_shown(look) - 2.4) * look.size(34)


def _handed(look: Look, parts: list[ft.Control]) -> list[ft.Control]:
    return parts if look.hand == "right" else parts[::-1]


def _status(look: Look) -> ft.Control:
    """Strokes if one stopped now, cards in the stock, and whose hole it is."""
    t, play, p = look.t, look.app.play, look.palette
    position = play.position
    parts: list[ft.Control] = [
        ft.Semantics(
            identifier="strokes",
            container=True,
            content=text(
                look, t.plural("{n} stroke", "{n} strokes", position.strokes), 15, bold=True, color=p.on_felt
            ),
        ),
    ]
    belongs = play.belongs
    if belongs:
        parts.append(text(look, "· " + t("hole {n}", n=belongs.hole), 13, color=p.on_felt))
    parts.append(ft.Container(expand=True))
    if play.hinted:
        parts.append(chip(look, t("with hints"), icon=ft.Icons.LIGHTBULB, ground=p.felt_edge, ink=p.on_felt))
    if play.practice:
        parts.append(chip(look, t("practice"), ground=p.felt_edge, ink=p.on_felt))
    return ft.Container(ft.Row(parts, spacing=8), padding=ft.Padding.only(left=8, right=8, top=2), height=34)


def _bar(look: Look) -> ft.Control:
    """Undo, redo, hint and more, where the thumb is."""
    t, app, play = look.t, look.app, look.app.play

    async def ask() -> None:
        if play.hint or play.thinking:
            play.cancel_hint()
        else:
            await play.ask(app.aim())

    p = look.palette
    menu = ft.PopupMenuButton(
        icon=ft.Icons.MORE_VERT,
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
                t("Put the table away"), icon=ft.Icons.DELETE_OUTLINE, on_click=look.run(play.close)
            ),
        ],
    )
    hint = button(
        look,
        t("Thinking…") if play.thinking else t("Hide the hint") if play.hint else t("Hint"),
        ask,
        id="hint",
        icon=ft.Icons.CLOSE if play.thinking or play.hint else ft.Icons.LIGHTBULB_OUTLINE,
        kind="gold" if not play.hint else "tonal",
        expand=True,
        disabled=play.over,
    )
    parts: list[ft.Control] = [
        ft.Semantics(
            identifier="more",
            container=True,
            content=ft.Container(menu, width=48, height=48, bgcolor=p.high, border_radius=14),
        ),
        icon_button(
            look, ft.Icons.UNDO, t("Undo"), play.undo, id="undo", disabled=not play.can_undo, ground=p.high
        ),
        icon_button(
            look, ft.Icons.REDO, t("Redo"), play.redo, id="redo", disabled=not play.can_redo, ground=p.high
        ),
        hint,
    ]
    return ft.Row(parts if look.hand == "right" else parts[::-1], spacing=8)


def _notice(look: Look) -> list[ft.Control]:
    play = look.app.play
    if play.notice is None:
        return []
    return [banner(look, illegal(look, play.notice), kind="warn", id="notice", on_close=play.dismiss)]


def _lower(look: Look, width: float) -> ft.Control | None:
    """What is asked or said below the table: the drawn card, a joker's rank, the end, the hint."""
    play = look.app.play
    if play.naming is not None:
        return joker_pad(look, min(width, 420))
    if play.drawing:
        return _drawn(look, min(width, 420))
    if play.over:
        return over_panel(look)
    if play.hint is not None:
        return hint_panel(look)
    return None


def _drawn(look: Look, width: float) -> ft.Control:
    """Which card came from the stock?"""
    t, app, play = look.t, look.app, look.app.play
    left = [str(card) for card in play.drawable]
    ranks = tuple(Key(rank, sum(name[0] == rank for name in left), rank == play.drawn_rank) for rank in RANKS)
    suits = tuple(
        Key(
            suit,
            sum(name == f"{play.drawn_rank}{suit}" for name in left)
            if play.drawn_rank
            else int(any(name[1] == suit for name in left)),
        )
        for suit in "SHDC"
    )
    joker = next((card for card in play.drawable if card.is_joker), None)
    return panel(
        look,
        [
            ft.Row(
                [
                    ft.Container(
                        text(look, t("Which card came?"), 16, bold=True),
                        expand=True,
                        padding=ft.Padding.only(left=10),
                    ),
                    icon_button(
                        look,
                        ft.Icons.PHOTO_CAMERA_OUTLINED,
                        t("Photograph the card"),
                        lambda: app.scan_for("draw"),
                        id="draw-photo",
                    ),
                    icon_button(look, ft.Icons.CLOSE, t("Cancel"), play.dismiss, id="draw-cancel"),
                ]
            ),
            keypad(
                look,
                ranks,
                suits,
                width - 6,
                play.press_drawn_rank,
                play.press_drawn_suit,
                True,
                joker is not None,
                (lambda: play.drawn(joker)) if isinstance(joker, Card) else None,
                key="draw-pad",
            ),
        ],
        padding=2,
        spacing=2,
    )


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
