"""One round of the history: its card, and the ways to take it along."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, button, flow, panel, scroll, text
from companion.app.components.look import Look
from companion.app.components.offer import offer
from companion.app.components.scorecard import scorecard
from companion.app.components.trouble import trouble_banner
from companion.app.services.exporting import card_file
from companion.formats import card_words
from companion.game.round import Round


def one_round(look: Look, id: str) -> ft.Control:
    """The round of an id; one that isn't there says so."""
    t, app = look.t, look.app
    round = next((found for found in app.history.rounds if found.id == id), None)
    if round is None:
        return banner(look, t("This round is not here any more."), kind="warn")
    width = min(1080.0, look.inside)
    title = round.name or (
        t("Grid golf") if round.game == "grid" else t("Round of {day}", day=t.date(round.begun))
    )
    result = card_words.result(round, t.code)
    notes: list[ft.Control] = []
    if app.history.done:
        notes.append(
            banner(look, app.history.done, kind="good", id="history-done", on_close=app.history.tell)
        )
    if app.history.trouble:
        notes.append(
            trouble_banner(
                look,
                app.history.trouble,
                id="history-trouble",
                on_close=app.history.tell,
            )
        )

    def edit(cell: object = None) -> None:
        app.card.choose(round.id)
        app.navigation.go("card")

    return scroll(
        look,
        [
            ft.Column(
                [
                    text(look, title, 20, display=True),
                    text(look, card_words.facts(round, t.code), 13, quiet=True),
                    *(
                        [
                            text(
                                look,
                                result[:1].upper() + result[1:],
                                15,
                                bold=True,
                                color=look.palette.primary,
                            )
                        ]
                        if result
                        else []
                    ),
                ],
                spacing=4,
            ),
            *notes,
            scorecard(look, round, None, width - 12, edit),
            panel(
                look,
                [
                    text(look, t("Take it along"), 15, bold=True),
                    flow([_save(look, round, kind, label, icon) for kind, label, icon in _kinds(look)]),
                ],
            ),
            ft.Row([button(look, t("Open on the scorecard"), edit, id="open-card", icon=ft.Icons.EDIT_NOTE)]),
        ],
        width=width,
    )


def _kinds(look: Look) -> list[tuple[str, str, ft.IconData]]:
    t = look.t
    return [
        ("pdf", t("PDF"), ft.Icons.PICTURE_AS_PDF_OUTLINED),
        ("png", t("Picture"), ft.Icons.IMAGE_OUTLINED),
        ("csv", t("Spreadsheet (CSV)"), ft.Icons.TABLE_CHART_OUTLINED),
        ("text", t("Text"), ft.Icons.NOTES),
        ("copy", t("Copy as text"), ft.Icons.CONTENT_COPY),
    ]


def _save(look: Look, round: Round, kind: str, label: str, icon: ft.IconData) -> ft.Control:
    t, app = look.t, look.app

    async def save() -> None:
        if kind == "copy":
            _, data = card_file(round, "text", t.code)
            await ft.Clipboard().set(data.decode())
            app.history.tell(done=t("Copied."))
            return
        await offer(look, lambda: card_file(round, kind, t.code))

    return button(look, label, save, id=f"save-{kind}", icon=icon, kind="outlined")
