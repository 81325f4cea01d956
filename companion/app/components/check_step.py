"""One step of a check: two tables side by side, the changed cards marked, and what is said about them."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import panel, text
from companion.app.components.card_face import mini_card
from companion.app.components.changes import marks
from companion.app.components.look import Look
from companion.app.components.messages import belongs, broken_rule, remedy
from companion.app.components.small_table import small_table
from companion.app.services.auditor import Finding, sentences
from companion.game import Card, CardError


def table_name(look: Look, at: int) -> str:
    """What a table of the check is called."""
    t, count = look.t, len(look.app.check.shots)
    if at == 0:
        return t("Before")
    if at == count - 1:
        return t("After")
    return t("In between, {n}", n=at)


def check_step(look: Look, at: int, finding: Finding, width: float) -> ft.Control:
    """Two tables side by side, the changed cards marked, and what is said about them."""
    t, check, p = look.t, look.app.check, look.palette
    before, after = check.shots[at].table, check.shots[at + 1].table
    half = (width - 24 - 10) / 2 if width >= 560 else width - 24
    pictures: list[ft.Control] = []
    for number, table, other, first in ((at, before, after, True), (at + 1, after, before, False)):
        shown: list[ft.Control] = [text(look, table_name(look, number), 14, bold=True)]
        if photo := check.photos.get(check.shots[number].number):
            shown.append(
                ft.Image(
                    src=photo,
                    height=170,
                    width=half,
                    fit=ft.BoxFit.CONTAIN,
                    border_radius=10,
                    gapless_playback=True,
                    semantics_label=table_name(look, number),
                )
            )
        shown.append(
            small_table(
                look,
                table,
                half,
                marks(table, other, () if finding.verdict == "legal" else finding.cards, before=first),
            )
        )
        pictures.append(ft.Column(shown, spacing=6, tight=True, width=half))
    word, icon, ink = {
        "legal": (t("by the rules"), ft.Icons.CHECK_CIRCLE, p.primary),
        "illegal": (t("against the rules"), ft.Icons.CANCEL, p.error),
        "impossible": (t("not by playing"), ft.Icons.REPORT, p.error),
        "unreadable": (t("unclear"), ft.Icons.HELP, p.accent),
    }[finding.verdict]
    step = f"{table_name(look, at)} → {table_name(look, at + 1)}: {word}"
    lines: list[ft.Control] = [
        ft.Row(
            [
                ft.Icon(icon, color=ink, size=24),
                text(look, step, 16, bold=True, expand=True),
            ],
            spacing=10,
        ),
        ft.Row(
            pictures, wrap=True, spacing=10, run_spacing=10, vertical_alignment=ft.CrossAxisAlignment.START
        ),
    ]
    words = said(look, finding)
    if words:
        lines.append(ft.Semantics(identifier=f"why-{at}", container=True, content=text(look, words, 15)))
    if finding.moves:
        way = " → ".join(_move(look, move) for move in finding.moves)
        lines.append(text(look, t("One way it can have gone: {moves}", moves=way), 14, quiet=True))
    if finding.remedy:
        lines.append(text(look, remedy(look, finding.remedy), 14, bold=True))
    lines += [
        ft.Row([mini_card(look, card), text(look, belongs(look, where), 14)], spacing=8)
        for card, where in finding.put_back
    ]
    return ft.Semantics(identifier=f"step-{at}", container=True, content=panel(look, lines, padding=12))


def said(look: Look, finding: Finding) -> str:
    """The finding in sentences."""
    t = look.t
    if finding.broken:
        broken = " ".join(broken_rule(look, fault) for fault in finding.broken)
        return f"{broken} {sentences(finding, t.code, look.card, ('fewer-wrong-may-do',))}".rstrip()
    if finding.reasons and (finding.look or finding.verdict in ("impossible", "unreadable")):
        return sentences(finding, t.code, look.card)
    cards = ", ".join(look.card(card) for card in (finding.look or finding.cards))
    if finding.verdict == "unreadable":
        return t("It depends on cards that were not read for sure: {cards}.", cards=cards or "?")
    if finding.verdict == "impossible":
        return t("No moves lead from one table to the other. Look at: {cards}.", cards=cards or "?")
    played = sum(not move.startswith("draw") for move in finding.moves)
    plays = t.plural("{n} card played", "{n} cards played", played)
    return f"{plays}, " + t.plural("{n} card drawn", "{n} cards drawn", finding.draws) + "."


def _move(look: Look, move: str) -> str:
    words = move.split()
    try:
        card = look.card(Card.parse(words[-1]))
    except (CardError, IndexError):
        return look.t("draw") if move == "draw" else move
    return f"{look.t('draw')} {card}" if words[0] == "draw" else card
