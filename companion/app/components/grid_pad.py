"""Entering a hole of the grid game: its points, or its cards and the points are reckoned."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD, DISPLAY, banner, button, choice, icon_button, panel, text
from companion.app.components.fields import switch
from companion.app.components.look import Look
from companion.app.components.pad_head import pad_head
from companion.app.components.photo_picker import pick_button
from companion.app.components.tap import tap
from companion.app.components.trouble import trouble_banner
from companion.app.state.grid_entry import GridEntry
from companion.game import RANKS
from companion.game.grid import GridRules
from companion.game.round import Round


@ft.component
def grid_pad(look: Look, round: Round, width: float) -> ft.Control:
    """Keys for points, or keys for the cards of the grid, row by row."""
    t, card, p = look.t, look.app.card, look.palette
    entry = card.grid
    cell = card.cell
    rules = round.rules
    assert cell is not None
    assert isinstance(rules, GridRules)
    known = round.score(cell.player, cell.hole)
    reason = t("corrected on the card") if round.state == "finished" else ""

    def enter(points: int) -> None:
        card.enter_points(points, ended=entry.ended, reason=reason)

    def enter_cards() -> None:
        card.enter_grid(entry.text(rules), ended=entry.ended, reason=reason)

    parts: list[ft.Control] = [
        pad_head(look, round),
        choice(
            look, [("points", t("Points")), ("cards", t("Cards"))], entry.way, entry.choose, id="grid-way"
        ),
    ]
    if trouble := card.trouble or entry.trouble:
        parts.append(trouble_banner(look, trouble, id="card-trouble"))
    if entry.way == "points":
        keys = [
            tap(
                look,
                f"points-{points}",
                t.plural("{n} point", "{n} points", points),
                enter,
                points,
                content=ft.Text(t.number(points), size=look.size(17), font_family=BOLD, color=p.on_surface),
                width=48,
                height=48,
                alignment=ft.Alignment.CENTER,
                border_radius=9,
                border=ft.Border.all(1, p.outline_soft),
                bgcolor=p.accent_container if known and known.strokes == points else p.high,
            )
            for points in range(-10, 61)
        ]
        parts.append(
            ft.Container(
                ft.Column([ft.Row(keys, wrap=True, spacing=5, run_spacing=6)], scroll=ft.ScrollMode.AUTO),
                height=186,  # the last row is cut, so that one sees that there are more
            )
        )
    else:
        parts.append(_cards(look, entry, rules))
        if entry.doubts:
            doubted = ", ".join(look.card(card) for card in entry.doubts)
            parts.append(
                banner(look, t("Look at {cards}: not sure.", cards=doubted), kind="warn", id="doubts")
            )
        parts.append(_photo_key(look, entry, rules))
        points_now = entry.points(rules)
        full = len(entry.letters) == rules.cards
        parts.append(
            ft.Row(
                [
                    text(
                        look,
                        t.plural("{n} point", "{n} points", points_now)
                        if full and points_now is not None
                        else t("{done} of {total} cards", done=len(entry.letters), total=rules.cards),
                        16,
                        bold=True,
                        expand=True,
                    ),
                    button(
                        look,
                        t("Enter"),
                        enter_cards,
                        id="grid-enter",
                        icon=ft.Icons.CHECK,
                        disabled=not full or points_now is None,
                    ),
                ]
            )
        )
    parts.append(switch(look, t("Had all cards up first"), entry.ended, entry.end, id="ended"))
    return panel(look, parts, padding=12, spacing=8)


def _photo_key(look: Look, entry: GridEntry, rules: GridRules) -> ft.Control:
    """The cards from a photo, instead of typing them."""
    t = look.t
    if entry.reading:
        return ft.Row(
            [
                ft.ProgressRing(width=22, height=22, stroke_width=3, color=look.palette.primary),
                text(look, t("Reading the cards…"), 15, expand=True),
                button(look, t("Cancel"), entry.clear, id="grid-cancel", kind="plain"),
            ]
        )
    return pick_button(
        look,
        t("Photograph the grid"),
        lambda photo: entry.read(photo, rules),
        id="grid-photo",
        kind="outlined",
        refuse=entry.refuse,
    )


def _cards(look: Look, entry: GridEntry, rules: GridRules) -> ft.Control:
    t, p, typed = look.t, look.palette, entry.letters

    places: list[ft.Control] = []
    for row in range(rules.rows):
        line: list[ft.Control] = []
        for column in range(rules.columns):
            at = row * rules.columns + column
            letter = typed[at] if at < len(typed) else ""
            cap = "★" if letter == "*" else look.rank(letter) if letter else ""
            line.append(
                ft.Container(
                    ft.Text(cap, size=18, font_family=DISPLAY, color=p.black),
                    width=40,
                    height=54,
                    bgcolor=p.card if letter else None,
                    border=ft.Border.all(1.2, p.primary if at == len(typed) else p.outline),
                    border_radius=7,
                    alignment=ft.Alignment.CENTER,
                )
            )
        places.append(ft.Row(line, spacing=5, tight=True))
    letters = list(RANKS) + (["*"] if rules.joker is not None else [])
    keys = [
        tap(
            look,
            f"grid-{letter}",
            "★" if letter == "*" else look.rank(letter),
            entry.press,
            letter,
            rules,
            content=ft.Text(
                "★" if letter == "*" else look.rank(letter),
                size=look.size(18),
                font_family=DISPLAY,
                color=p.on_surface,
            ),
            width=48,
            height=48,
            bgcolor=p.high,
            border_radius=9,
            alignment=ft.Alignment.CENTER,
        )
        for letter in letters
    ]
    keys.append(
        icon_button(
            look,
            ft.Icons.BACKSPACE_OUTLINED,
            t("Remove the card"),
            entry.back,
            id="grid-back",
            disabled=not typed,
        )
    )
    return ft.Row(
        [
            ft.Column(places, spacing=5, tight=True),
            ft.Row(keys, wrap=True, spacing=5, run_spacing=5, expand=True),
        ],
        spacing=12,
        vertical_alignment=ft.CrossAxisAlignment.START,
    )
