"""The form of a new round."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import flet as ft

from companion.app.components.base import button, choice, icon_button, panel, scroll, text
from companion.app.components.fields import field, switch
from companion.app.components.look import Look
from companion.app.components.rules_name import rules_name
from companion.app.components.stepper import stepper
from companion.app.components.trouble import trouble_banner


def new_round(look: Look) -> ft.Control:
    """Which game, who plays, how many holes, against what par."""
    t, app = look.t, look.app
    card, draft = app.card, app.card.draft

    def set_(**values: Any) -> None:
        draft.set(**values)
        card.trouble = None
        card.changed()

    parts: list[ft.Control] = []
    if card.trouble:
        parts.append(trouble_banner(look, card.trouble, id="card-trouble"))
    parts.append(
        _section(
            look,
            t("Game"),
            choice(
                look,
                [("patience", t("Golf Patience")), ("grid", t("Grid golf"))],
                draft.game,
                lambda game: set_(game=game, form="stroke"),
                id="game",
            ),
        )
    )
    parts.append(_players(look, set_))
    if card.can_share:
        parts.append(
            _section(
                look,
                t("Who sees the round"),
                choice(
                    look,
                    [("shared", t("everybody here")), ("private", t("only this device"))],
                    "private" if draft.private else "shared",
                    lambda who: set_(private=who == "private"),
                    id="shared",
                ),
            )
        )
    if draft.game == "patience":
        forms = [
            ("stroke", t("each for themselves")),
            ("match", t("match")),
            ("tournament", t("tournament")),
            ("same_deal", t("same deal")),
        ]
        told = {
            "stroke": t("Everybody plays, the lowest total is best."),
            "match": t("Two players: who wins more holes."),
            "tournament": t("Two players: a point a hole, three for the lower total."),
            "same_deal": t("All play the same deals; a tie is broken by an extra hole."),
        }
        parts.append(
            _section(
                look,
                t("Played as"),
                choice(look, forms, draft.form, lambda form: set_(form=form), id="form"),
                text(look, told[draft.form], 13, quiet=True),
            )
        )
        length = choice(
            look,
            [("9", t("9 holes")), ("18", t("18 holes"))],
            str(draft.holes),
            lambda holes: set_(holes=int(holes), par=5 * int(holes)),
            id="holes",
        )
        parts.append(
            _section(
                look,
                t("Length and par"),
                length,
                stepper(
                    look,
                    t("Par of the round"),
                    draft.par,
                    draft.holes,
                    10 * draft.holes,
                    lambda par: set_(par=par),
                    id="par",
                ),
            )
        )
        rules = app.rules
        parts.append(
            _section(
                look,
                t("Rules"),
                ft.Row(
                    [
                        text(look, rules_name(look, rules), 14, expand=True),
                        button(
                            look,
                            t("Change"),
                            lambda: app.navigation.go("settings/rules"),
                            id="change-rules",
                            kind="plain",
                        ),
                    ]
                ),
            )
        )
    else:
        parts.append(
            _section(
                look,
                t("Grid"),
                choice(
                    look,
                    [("6", t("6 cards")), ("4", t("4 cards")), ("9", t("9 cards"))],
                    str(draft.cards),
                    lambda cards: set_(cards=int(cards)),
                    id="cards",
                ),
            )
        )
        parts.append(
            _section(
                look,
                t("Length"),
                choice(
                    look,
                    [("9", t("9 holes")), ("18", t("18 holes"))],
                    str(draft.holes),
                    lambda holes: set_(holes=int(holes)),
                    id="holes",
                ),
            )
        )
        parts.append(
            _section(
                look,
                t("Options"),
                choice(
                    look,
                    [("0", t("no jokers")), ("-2", t("jokers −2")), ("-5", t("jokers −5"))],
                    str(draft.joker),
                    lambda points: set_(joker=int(points)),
                    id="jokers",
                ),
                switch(look, t("Jack 11, queen 12"), draft.dear, lambda on: set_(dear=on), id="dear"),
                switch(
                    look,
                    t("Four of a kind −20"),
                    draft.four and draft.cards != 9,
                    lambda on: set_(four=on),
                    id="four",
                ),
            )
        )
    parts.append(
        _section(
            look,
            t("Name (if you like)"),
            field(
                look, t("Name of the round"), draft.name, lambda name: draft.set(name=name), id="round-name"
            ),
        )
    )

    def begin() -> None:
        names = [name.strip() for name in draft.players if name.strip()]
        if not names and draft.game == "patience":
            names = [app.settings.player or t("Me")]
        rules = (
            replace(app.rules, holes=draft.holes, par=draft.par)
            if draft.game == "patience"
            else draft.grid_rules()
        )
        if card.begin(names, rules, form=draft.form, name=draft.name):
            if not app.settings.player:
                app.choose(player=names[0])
            app.navigation.go("card")

    parts.append(button(look, t("Begin"), begin, id="begin-round", icon=ft.Icons.FLAG))
    return scroll(look, parts, width=620)


def _section(look: Look, title: str, *content: ft.Control) -> ft.Control:
    return panel(look, [text(look, title, 15, bold=True), *content], padding=14)


def _players(look: Look, set_: Any) -> ft.Control:
    t, app = look.t, look.app
    draft = app.card.draft

    def name(at: int, value: str) -> None:
        draft.set(players=[*draft.players[:at], value, *draft.players[at + 1 :]])

    def remove(at: int) -> None:
        set_(players=[*draft.players[:at], *draft.players[at + 1 :]])

    def known(player: str) -> None:
        players = list(draft.players)
        if player.casefold() in {typed.strip().casefold() for typed in players}:
            set_(players=players)  # typed meanwhile: offered no longer
            return
        free = next((at for at, typed in enumerate(players) if not typed.strip()), None)
        if free is None:
            players.append(player)
        else:
            players[free] = player
        set_(players=players)

    least = 2 if draft.game == "grid" or draft.form in ("match", "tournament") else 1
    most = 2 if draft.form in ("match", "tournament") else 8
    rows: list[ft.Control] = []
    for at, value in enumerate(draft.players):
        line: list[ft.Control] = [
            field(
                look,
                t("Player {n}", n=at + 1),
                value,
                partial(name, at),
                id=f"player-{at}",
                expand=True,
            )
        ]
        if len(draft.players) > least:
            line.append(
                icon_button(
                    look,
                    ft.Icons.CLOSE,
                    t("Remove {name}", name=value or t("Player {n}", n=at + 1)),
                    lambda at=at: remove(at),
                    id=f"remove-{at}",
                )
            )
        rows.append(ft.Row(line, spacing=4))
    taken = {value.strip().casefold() for value in draft.players}
    others = [player.name for player in app.history.players if player.name.casefold() not in taken][:6]
    if others and len([value for value in draft.players if value.strip()]) < most:
        rows.append(
            ft.Row(
                [
                    button(
                        look,
                        other,
                        lambda other=other: known(other),
                        id=f"known-{index}",
                        kind="outlined",
                        icon=ft.Icons.PERSON_ADD_ALT,
                    )
                    for index, other in enumerate(others)
                ],
                wrap=True,
                spacing=6,
                run_spacing=6,
            )
        )
    if len(draft.players) < most:
        rows.append(
            button(
                look,
                t("Another player"),
                lambda: set_(players=[*draft.players, ""]),
                id="add-player",
                kind="plain",
                icon=ft.Icons.ADD,
            )
        )
    return panel(look, [text(look, t("Players"), 15, bold=True), *rows], padding=14)
