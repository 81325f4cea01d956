"""Settings: language, look, hand, rules; changed at once."""

from __future__ import annotations

import flet as ft

from companion import __version__
from companion.app.components.base import button, choice, panel, scroll, text
from companion.app.components.boundary import part
from companion.app.components.card_face import card_face
from companion.app.components.fields import field, switch
from companion.app.components.look import Look
from companion.app.components.rules_name import rules_name
from companion.app.components.stepper import stepper
from companion.app.languages import NAMES
from companion.app.state.settings import TEXT_SIZES
from companion.app.views.rules import rules_page
from companion.game import Card


@part
def settings_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    app = look.app
    if app.navigation.parts[:1] == ("rules",):
        return rules_page(look)
    left = [_language(look), _looks(look), _hints(look)]
    right = [_rules(look), _you(look), _about(look)]
    if width >= 900:
        columns: list[ft.Control] = [
            ft.Column(part, spacing=12, expand=True, horizontal_alignment=ft.CrossAxisAlignment.STRETCH)
            for part in (left, right)
        ]
        return scroll(
            look, [ft.Row(columns, spacing=14, vertical_alignment=ft.CrossAxisAlignment.START)], width=1080
        )
    return scroll(look, [left[0], right[0], left[1], left[2], *right[1:]])


def _section(look: Look, title: str, *content: ft.Control) -> ft.Control:
    return panel(
        look, [ft.Semantics(header=True, content=text(look, title, 17, display=True)), *content], padding=14
    )


def _label(look: Look, value: str) -> ft.Control:
    return text(look, value, 13.5, quiet=True)


def _language(look: Look) -> ft.Control:
    t, app = look.t, look.app
    settings = app.settings
    languages = [("", t("as the device")), *NAMES.items()]
    letters = [
        ("", t("as the language")),
        ("en", "A K Q J"),
        ("de", "A K D B"),
        ("sv", "E K D Kn"),
        ("fr", "A R D V"),
    ]
    sample = ft.Row([card_face(look, Card.parse(name), 46) for name in ("AS", "KH", "QD", "JC")], spacing=6)
    return _section(
        look,
        t("Language"),
        choice(look, languages, settings.language, lambda code: app.choose(language=code), id="language"),
        _label(look, t("Letters on the cards")),
        choice(look, letters, settings.letters, lambda code: app.choose(letters=code), id="letters"),
        sample,
        switch(
            look,
            t("Four colours: diamonds blue, clubs green"),
            settings.four_colours,
            lambda on: app.choose(four_colours=on),
            id="four-colours",
        ),
    )


def _looks(look: Look) -> ft.Control:
    t, app = look.t, look.app
    settings = app.settings
    sizes = [
        (str(size), name)
        for size, name in zip(TEXT_SIZES, (t("small"), t("normal"), t("large"), t("very large")), strict=True)
    ]
    return _section(
        look,
        t("Appearance"),
        _label(look, t("Colours")),
        choice(
            look,
            [("system", t("as the device")), ("light", t("light")), ("dark", t("dark"))],
            settings.theme,
            lambda theme: app.choose(theme=theme),
            id="theme",
        ),
        _label(look, t("Text size")),
        choice(
            look,
            sizes,
            str(settings.text_size),
            lambda size: app.choose(text_size=float(size)),
            id="text-size",
        ),
        _label(look, t("The hand that taps")),
        choice(
            look,
            [("right", t("right")), ("left", t("left"))],
            settings.hand,
            lambda hand: app.choose(hand=hand),
            id="hand",
        ),
    )


def _hints(look: Look) -> ft.Control:
    t, app = look.t, look.app
    settings = app.settings
    aims = [
        ("strokes", t("fewest strokes")),
        ("clear", t("clear the table")),
        ("most", t("at most N strokes")),
        ("round", t("what the round needs")),
    ]
    parts: list[ft.Control] = [
        _label(look, t("What a hint aims at")),
        choice(look, aims, settings.aim, lambda aim: app.choose(aim=aim), id="aim"),
    ]
    if settings.aim == "most":
        parts.append(
            stepper(
                look,
                t("At most so many strokes"),
                settings.target,
                0,
                34,
                lambda n: app.choose(target=n),
                id="target",
            )
        )
    if settings.aim == "round":
        parts.append(
            text(
                look,
                t(
                    "The strokes this hole may take for the round to stay on par; without a "
                    "round, fewest strokes."
                ),
                13.5,
                quiet=True,
            )
        )
    return _section(look, t("Hints"), *parts)


def _rules(look: Look) -> ft.Control:
    t, app = look.t, look.app
    return _section(
        look,
        t("Rules"),
        ft.Row(
            [
                ft.Semantics(
                    identifier="rules-now",
                    container=True,
                    expand=True,
                    content=text(look, rules_name(look, app.rules), 15, bold=True),
                ),
                button(
                    look,
                    t("Change"),
                    lambda: app.navigation.go("settings/rules"),
                    id="change-rules",
                    kind="tonal",
                ),
            ]
        ),
        text(
            look,
            t("Rules are kept with every hole and round: changing them changes nothing that was played."),
            13.5,
            quiet=True,
        ),
    )


def _you(look: Look) -> ft.Control:
    t, app = look.t, look.app

    def name(value: str) -> None:
        app.choose(player=value.strip())

    return _section(
        look, t("You"), field(look, t("Your name on the card"), app.settings.player, name, id="player-name")
    )


def _about(look: Look) -> ft.Control:
    t, app = look.t, look.app
    return _section(
        look,
        t("About"),
        text(look, f"Golf Patience Companion {__version__}", 15, bold=True),
        text(
            look,
            t("Works without a network. No photo and no score leaves this device unless you export it."),
            14,
            quiet=True,
        ),
        ft.Row(
            [
                button(
                    look,
                    t("Export and backups"),
                    lambda: app.navigation.go("rounds/data"),
                    id="to-data",
                    kind="outlined",
                    icon=ft.Icons.SAVE_OUTLINED,
                )
            ]
        ),
    )
