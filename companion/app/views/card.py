"""Card: the scorecard of the round, entered by two taps a hole."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, chip, empty, flow, icon_button, scroll, text
from companion.app.components.boundary import part
from companion.app.components.grid_pad import grid_pad
from companion.app.components.look import Look
from companion.app.components.score_pad import score_pad
from companion.app.components.scorecard import scorecard
from companion.app.components.trouble import trouble_banner
from companion.app.views.new_round import new_round
from companion.formats import card_words
from companion.game.round import Round


@part
def card_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    app = look.app
    if app.navigation.parts[:1] == ("new",):
        return new_round(look)
    round = app.card.round
    if round is None:
        return _begin(look)
    return _card(look, round, width, height)


def _begin(look: Look) -> ft.Control:
    t, app = look.t, look.app
    return ft.Container(
        empty(
            look,
            ft.Icons.EDIT_NOTE,
            t("No round yet"),
            t("Nine holes, eighteen, alone or against others: the card adds up and keeps it."),
            [
                button(
                    look,
                    t("New round"),
                    lambda: app.navigation.go("card/new"),
                    id="new-round",
                    icon=ft.Icons.ADD,
                    width=260,
                )
            ],
        ),
        expand=True,
        alignment=ft.Alignment.CENTER,
        padding=20,
    )


def _card(look: Look, round: Round, width: float, height: float) -> ft.Control:
    card = look.app.card
    wide = width >= 1020
    pad: ft.Control | None = None
    if card.cell is not None and any(player.id == card.cell.player for player in round.players):
        pad_width = 380.0 if wide else width
        # Where somebody else writes the hole meanwhile, the keys are other ones: who had not seen that yet
        # and taps an old one corrects nothing by mistake.
        score = round.score(card.cell.player, card.cell.hole)
        key = f"pad-{card.cell.player}-{card.cell.hole}-{score.id if score else ''}"
        if round.game == "grid":
            pad = grid_pad(look, round, pad_width, key=key)  # type: ignore[call-arg]
        else:
            pad = score_pad(look, round, pad_width, key=key)  # type: ignore[call-arg]
    area = width - 396 if wide and pad is not None else width
    content: list[ft.Control] = [_head(look, round)]
    if card.trouble and pad is None:
        content.append(trouble_banner(look, card.trouble, id="card-trouble"))
    grid = scorecard(look, round, card.cell, min(area - 4, 1100), card.select)
    actions = _actions(look, round)
    # Once nothing is left to enter, what is left to do comes first.
    done = round.state == "open" and round.can_finish
    content += [actions, grid] if done else [grid, actions]
    # The sheet keeps its place in the window whether there are keys or not, so that it is not drawn anew.
    sheet = scroll(look, content, padding=2, spacing=10, width=min(area, 1100))
    parts: list[ft.Control] = [ft.Container(sheet, expand=True, key="sheet")]
    if wide:
        if pad is not None:
            parts.append(ft.Container(ft.Column([pad], scroll=ft.ScrollMode.AUTO), width=380, key="side"))
        return ft.Row(
            look.handed(*parts),
            spacing=14,
            expand=True,
            vertical_alignment=ft.CrossAxisAlignment.START,
        )
    if pad is not None:
        parts.append(pad)
    return ft.Column(
        parts,
        expand=True,
        spacing=8,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _head(look: Look, round: Round) -> ft.Control:
    t, p, app = look.t, look.palette, look.app
    state = {"open": t("open"), "finished": t("finished"), "abandoned": t("put away")}[round.state]
    form = {"stroke": "", "same_deal": t("same deal"), "tournament": t("tournament"), "match": t("match")}[
        round.form
    ]
    title = round.name or (
        t("Grid golf") if round.game == "grid" else t("Round of {day}", day=t.date(round.begun))
    )
    chips: list[ft.Control] = [
        chip(look, state, icon=ft.Icons.LOCK_OUTLINE if round.state == "finished" else None)
    ]
    if form:
        chips.append(chip(look, form))
    if round.game == "patience" and round.state == "open":
        done = round.projected(round.players[0].id)
        if done is not None and len(round.players) == 1 and not round.is_complete:
            chips.append(chip(look, t("on course for {n}", n=t.number(done))))
    result = card_words.result(round, t.code)
    onwards: list[ft.Control] = []
    if round.state == "open" and round.game == "patience" and not round.can_finish:
        # On a phone the key below the card is out of sight.
        onwards.append(
            icon_button(
                look,
                ft.Icons.PLAY_ARROW,
                t("Play the next hole"),
                app.play_hole,
                id="play-on",
                color=p.on_primary_container,
                ground=p.primary_container,
            )
        )
    lines: list[ft.Control] = [
        ft.Row(
            [
                text(look, title, 17, display=True, expand=True, lines=2),
                *onwards,
                icon_button(
                    look,
                    ft.Icons.IOS_SHARE,
                    t("Export and share"),
                    lambda: app.navigation.go(f"rounds/{round.id}"),
                    id="share",
                ),
                icon_button(
                    look, ft.Icons.ADD, t("New round"), lambda: app.navigation.go("card/new"), id="new-round"
                ),
            ],
            spacing=0,
        ),
    ]
    if result:
        chips.append(
            ft.Semantics(
                identifier="result",
                container=True,
                content=text(look, result[:1].upper() + result[1:], 14.5, bold=True, color=p.primary),
            )
        )
    lines.append(
        ft.Row(chips, spacing=10, run_spacing=4, wrap=True, vertical_alignment=ft.CrossAxisAlignment.CENTER)
    )
    return ft.Container(ft.Column(lines, spacing=4, tight=True), padding=ft.Padding.only(left=8))


def _actions(look: Look, round: Round) -> ft.Control:
    t, app = look.t, look.app
    parts: list[ft.Control] = []
    if round.state == "open":
        if round.can_finish:
            parts.append(
                button(look, t("Finish the round"), app.card.finish, id="finish", icon=ft.Icons.FLAG)
            )
        elif round.game == "patience":
            parts.append(
                button(look, t("Play the next hole"), app.play_hole, id="play-next", icon=ft.Icons.PLAY_ARROW)
            )
        parts.append(button(look, t("Put the round away"), app.card.abandon, id="abandon", kind="plain"))
    elif round.state == "abandoned":
        parts.append(
            button(look, t("Take the round up again"), app.card.resume, id="resume", icon=ft.Icons.PLAY_ARROW)
        )
    else:
        parts.append(
            button(look, t("New round"), lambda: app.navigation.go("card/new"), id="again", icon=ft.Icons.ADD)
        )
    return flow(parts)
