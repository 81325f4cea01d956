"""The rules, a preset or field by field, each in plain words with a small example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flet as ft

from companion.app.components.base import choice, panel, scroll, text
from companion.app.components.card_face import mini_card
from companion.app.components.look import Look
from companion.app.components.rules_name import preset_names, preset_of
from companion.app.components.stepper import stepper
from companion.app.components.trouble import trouble_banner
from companion.game import Card


def rules_page(look: Look) -> ft.Control:
    """Presets on top, every field below."""
    t, app = look.t, look.app
    rules, change = app.rules, app.change_rules
    presets = list(preset_names(t).items())
    now = preset_of(rules)
    told = {
        "strict": t("Nothing follows a king. The usual game."),
        "queen-on-king": t("A queen may follow a king, and play goes on from her."),
        "queen-only": t("A queen may follow a king, but nothing follows that queen."),
        "putt-putt": t("The ranks are a circle: ace on king, king on ace."),
        "free-start": t("No card is turned: any exposed card opens the discard."),
        "jokers": t("Two jokers that stand for the rank you name."),
        "double": t("Two decks, nine columns of seven."),
        "black-hole": t("Seventeen columns of three, no stock, the ace of spades opens."),
        "": t("Rules of your own."),
    }
    content: list[ft.Control] = [
        panel(
            look,
            [
                _title(look, t("Ready-made rules")),
                choice(look, presets, now, app.choose_preset, id="preset"),
                text(look, told[now], 14.5),
                ft.Semantics(
                    identifier="rules-text",
                    container=True,
                    content=text(look, t("On the command line: {rules}", rules=str(rules)), 12.5, quiet=True),
                ),
            ],
        ),
    ]
    if app.history.trouble:
        content.append(trouble_banner(look, app.history.trouble, on_close=app.history.tell))
    content += [
        _field(
            look,
            t("On a king"),
            [
                ("nothing", t("nothing")),
                ("queen", t("a queen, and on")),
                ("queen_only", t("a queen, then nothing")),
            ],
            rules.on_king,
            lambda v: change(on_king=v, wrap=False),
            "on_king",
            t("Many say that a king ends a run. Others let a queen follow."),
            ("KS", "QH", "JD")
            if rules.on_king == "queen"
            else ("KS", "QH")
            if rules.on_king == "queen_only"
            else ("QH", "KS"),
        ),
        _field(
            look,
            t("Round the corner"),
            [("no", t("no")), ("yes", t("ace and king touch"))],
            "yes" if rules.wrap else "no",
            lambda v: change(wrap=v == "yes", on_king="queen" if v == "yes" else rules.on_king),
            "wrap",
            t("In Putt Putt the ranks are a circle."),
            ("2C", "AH", "KS") if rules.wrap else ("3D", "2C", "AH"),
        ),
        _field(
            look,
            t("The discard begins"),
            [("turned", t("with a turned card")), ("free", t("with any exposed card"))],
            rules.start,
            lambda v: change(start=v),
            "start",
            t("With a turned card 16 are left in the stock, else 17."),
            ("5C", "6D") if rules.start == "turned" else ("6D", "5C"),
            t("Here {card} was turned.", card=look.card(Card.parse("5C")))
            if rules.start == "turned"
            else t("Here {card} was played first.", card=look.card(Card.parse("6D"))),
        ),
        _field(
            look,
            t("Drawing"),
            [("at_will", t("whenever you like")), ("when_stuck", t("only when stuck"))],
            rules.draw,
            lambda v: change(draw=v),
            "draw",
            t("Some let you draw only when no exposed card can be played."),
            ("6S", "7H"),
            t("You may draw all the same.")
            if rules.draw == "at_will"
            else t("As it can be played, you may not draw."),
        ),
        _field(
            look,
            t("Jokers"),
            [("0", t("none")), ("1", "1"), ("2", "2")],
            str(rules.jokers),
            lambda v: change(jokers=int(v)),
            "jokers",
            t("Jokers are shuffled in with the deck."),
            ("J1",),
        ),
    ]
    if rules.jokers:
        content.append(
            _field(
                look,
                t("A joker"),
                [("declared", t("is the rank you name")), ("any", t("takes and gives any card"))],
                rules.joker,
                lambda v: change(joker=v),
                "joker",
                t("Named a seven, a joker is followed by a six or an eight."),
                ("8S", "J1=7", "6H") if rules.joker == "declared" else ("8S", "J1", "KH"),
            )
        )
    content += [
        _field(
            look,
            t("A deal that can't be cleared"),
            [("no", t("is played")), ("yes", t("may be dealt again"))],
            "yes" if rules.redeal_impossible else "no",
            lambda v: change(redeal_impossible=v == "yes"),
            "redeal",
            t("For instance when every queen lies under a king."),
            ("QS", "KS"),
            t("in each of four columns: a king needs a queen, and each queen needs a king gone."),
        ),
        _field(
            look,
            t("A wrong card"),
            [("put_back", t("is put back")), ("void_hole", t("voids the hole"))],
            rules.illegal_move,
            lambda v: change(illegal_move=v),
            "illegal",
            t(
                "Put back if it is noticed before the next move; later it stands. Strict tables "
                "void the hole."
            ),
            ("9H", "4C"),
            t("Noticed at once, it goes back.")
            if rules.illegal_move == "put_back"
            else t("The hole doesn't count."),
        ),
        panel(look, _deal(look), padding=14, spacing=8),
        panel(look, _round(look), padding=14, spacing=8),
    ]
    return scroll(look, content, width=720)


def _deal(look: Look) -> list[ft.Control]:
    """How the table is laid out."""
    t, rules, change = look.t, look.app.rules, look.app.change_rules
    lying = t.plural("{n} card lies open", "{n} cards lie open", rules.tableau_size)
    stock = t.plural("{n} is left in the stock", "{n} are left in the stock", rules.stock_size)
    return [
        _title(look, t("The table")),
        choice(
            look,
            [("1", t("one deck")), ("2", t("two decks"))],
            str(rules.decks),
            lambda v: change(decks=int(v)),
            id="decks",
        ),
        stepper(look, t("Columns"), rules.columns, 1, 20, lambda n: change(columns=n), id="columns"),
        stepper(look, t("Cards in a column"), rules.depth, 1, 12, lambda n: change(depth=n), id="depth"),
        text(look, t("Most play seven columns of five; Double Golf has more of both."), 13.5, quiet=True),
        text(look, t("for example") + f": {lying}, {stock}.", 13, quiet=True),
    ]


def _round(look: Look) -> list[ft.Control]:
    """Holes and par."""
    t, rules, change = look.t, look.app.rules, look.app.change_rules
    over = t.number(rules.par + 2)
    return [
        _title(look, t("The round")),
        choice(
            look,
            [("9", t("9 holes")), ("18", t("18 holes"))],
            str(rules.holes),
            lambda v: change(holes=int(v), par=5 * int(v)),
            id="holes",
        ),
        stepper(look, t("Par of the round"), rules.par, 0, 360, lambda par: change(par=par), id="par"),
        text(look, t("What a good round takes; mostly five strokes a hole."), 13.5, quiet=True),
        text(
            look,
            t("for example") + ": " + t("{n} strokes in all are two over par.", n=over),
            13,
            quiet=True,
        ),
    ]


def _title(look: Look, value: str) -> ft.Control:
    return ft.Semantics(header=True, content=text(look, value, 16, display=True))


def _field(
    look: Look,
    title: str,
    options: Sequence[tuple[str, str]],
    value: str,
    on_choose: Any,
    id: str,
    why: str,
    example: tuple[str, ...],
    then: str = "",
) -> ft.Control:
    """One rule: its choices, why tables differ, cards that follow one another by it, and what `then` is."""
    cards: list[ft.Control] = []
    for at, name in enumerate(example):
        if at:
            cards.append(ft.Icon(ft.Icons.CHEVRON_RIGHT, size=16, color=look.palette.quiet))
        cards.append(mini_card(look, Card.parse(name)))
    if example and example[-1].startswith("K") and id == "on_king":
        cards += [
            ft.Icon(ft.Icons.CHEVRON_RIGHT, size=16, color=look.palette.quiet),
            ft.Icon(ft.Icons.BLOCK, size=18, color=look.palette.error),
        ]
    parts: list[ft.Control] = [
        _title(look, title),
        choice(look, options, value, on_choose, id=id),
        text(look, why, 13.5, quiet=True),
    ]
    if cards:
        parts.append(
            ft.Row(
                [
                    text(look, look.t("for example"), 13, quiet=True),
                    *cards,
                    *([text(look, then, 13, quiet=True)] if then else []),
                ],
                spacing=6,
                wrap=True,
                vertical_alignment=ft.CrossAxisAlignment.CENTER,
            )
        )
    return panel(look, parts, padding=14, spacing=8)
