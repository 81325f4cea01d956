"""Check: tables one after another; was everything played by the rules?"""

from __future__ import annotations

import flet as ft

from companion.app.components.base import button, chip, choice, empty, flow, icon_button, panel, scroll, text
from companion.app.components.boundary import part
from companion.app.components.check_step import check_step, table_name
from companion.app.components.look import Look
from companion.app.components.rules_name import rules_name
from companion.app.components.small_table import small_table
from companion.app.components.trouble import trouble_banner


@part
def check_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    check = look.app.check
    if not check.shots:
        return _begin(look)
    return _steps(look, min(width, 1080))


def _begin(look: Look) -> ft.Control:
    t, app = look.t, look.app
    actions: list[ft.Control] = [
        button(
            look,
            t("Photograph the table before"),
            lambda: app.scan_for("check"),
            id="check-scan",
            icon=ft.Icons.PHOTO_CAMERA_OUTLINED,
            width=300,
        )
    ]
    if app.play.tracked:
        actions.append(
            button(
                look,
                t("Begin with the table in play"),
                app.check_game,
                id="check-game",
                icon=ft.Icons.STYLE_OUTLINED,
                kind="tonal",
                width=300,
            )
        )
    return ft.Container(
        empty(
            look,
            ft.Icons.FACT_CHECK_OUTLINED,
            t("Was it played by the rules?"),
            t(
                "Photograph the table before and after a turn, with more in between if you "
                "like. The check says whether each can follow from the one before."
            ),
            actions,
        ),
        expand=True,
        alignment=ft.Alignment.CENTER,
        padding=20,
    )


def _steps(look: Look, width: float) -> ft.Control:
    t, check, p = look.t, look.app.check, look.palette
    content: list[ft.Control] = []
    if check.trouble:
        content.append(trouble_banner(look, check.trouble, id="check-trouble"))
    if check.checking:
        content.append(
            panel(
                look,
                [
                    ft.Row(
                        [
                            ft.ProgressRing(width=22, height=22, stroke_width=3, color=p.primary),
                            text(look, t("Checking…"), 16, bold=True, expand=True),
                            button(look, t("Cancel"), check.cancel, id="check-cancel", kind="plain"),
                        ]
                    )
                ],
            )
        )
    if check.verdict:
        content.append(_verdict(look, check.verdict))
    across = 2 if width >= 640 else 1
    card_width = (width - 16 - (across - 1) * 12) / across
    tables = [_shot(look, at, card_width) for at in range(len(check.shots))]
    if check.findings is None:
        content.append(
            ft.Row(
                tables, wrap=True, spacing=12, run_spacing=12, vertical_alignment=ft.CrossAxisAlignment.START
            )
        )
    else:
        for at, finding in enumerate(check.findings):
            content.append(check_step(look, at, finding, width - 12))
    content += [_by(look), _actions(look)]
    # The verdict stands on top: one is taken there from the key at the end.
    return scroll(look, content, width=width, key="checked" if check.findings is not None else "tables")


def _by(look: Look) -> ft.Control:
    """Whose rules it goes by; a choice where the game, its round and the settings differ."""
    t, app = look.t, look.app
    rules, by = app.check_rules, app.checked_by
    said = t("By the rules of {rules}.", rules=rules_name(look, rules[by]).rstrip("."))
    if len(rules) == 1:
        return text(look, said, 13.5, quiet=True)
    names = {"game": t("the game in play"), "round": t("the round"), "settings": t("the settings")}
    return ft.Column(
        [
            text(look, t("Whose rules?"), 15, bold=True),
            choice(look, [(whose, names[whose]) for whose in rules], by, app.check.go_by, id="check-by"),
            text(look, said, 13.5, quiet=True),
        ],
        spacing=6,
        tight=True,
    )


def _actions(look: Look) -> ft.Control:
    t, app, check = look.t, look.app, look.app.check

    async def run() -> None:
        await check.check(app.check_rules[app.checked_by])

    parts: list[ft.Control] = []
    if check.findings is None:
        parts.append(
            button(look, t("Check"), run, id="check-run", icon=ft.Icons.FACT_CHECK, disabled=not check.ready)
        )
    label = t("Photograph the table after") if len(check.shots) == 1 else t("One more table")
    parts.append(
        button(
            look,
            label,
            lambda: app.scan_for("check"),
            id="check-scan",
            icon=ft.Icons.PHOTO_CAMERA_OUTLINED,
            kind="filled" if len(check.shots) == 1 else "tonal",
        )
    )
    if app.play.tracked:
        parts.append(
            button(
                look,
                t("Add the table in play"),
                app.check_game,
                id="check-game",
                icon=ft.Icons.STYLE_OUTLINED,
                kind="outlined",
            )
        )
    parts.append(button(look, t("Begin anew"), check.clear, id="check-clear", kind="plain"))
    return flow(parts)


def _shot(look: Look, at: int, width: float) -> ft.Control:
    """One table before the check: its picture and what was read."""
    t, check = look.t, look.app.check
    shot = check.shots[at]
    head = ft.Row(
        [
            text(look, table_name(look, at), 16, display=True, expand=True),
            icon_button(
                look,
                ft.Icons.ARROW_UPWARD,
                t("Move before"),
                lambda: check.move(at, -1),
                id=f"shot-up-{at}",
                disabled=at == 0,
            ),
            icon_button(
                look, ft.Icons.DELETE_OUTLINE, t("Remove"), lambda: check.remove(at), id=f"shot-remove-{at}"
            ),
        ],
        spacing=0,
    )
    parts: list[ft.Control] = [head]
    if photo := check.photos.get(shot.number):
        parts.append(
            ft.Image(
                src=photo,
                height=200,
                width=width - 26,
                fit=ft.BoxFit.CONTAIN,  # the discard counts, and lies at the edge
                border_radius=10,
                gapless_playback=True,
                semantics_label=table_name(look, at),
            )
        )
    parts.append(small_table(look, shot.table, width - 26))
    if unsure := len(shot.table.unsure):
        parts.append(
            chip(
                look,
                t.plural("{n} card not sure", "{n} cards not sure", unsure),
                ground=look.palette.accent_container,
                ink=look.palette.on_accent_container,
            )
        )
    return ft.Container(panel(look, parts, padding=12), width=width)


def _verdict(look: Look, verdict: str) -> ft.Control:
    t, p = look.t, look.palette
    icon, title, ground, ink = {
        "legal": (ft.Icons.VERIFIED, t("Played by the rules"), p.primary_container, p.on_primary_container),
        "illegal": (ft.Icons.GPP_BAD, t("A rule was broken"), p.error_container, p.on_error_container),
        "impossible": (
            ft.Icons.REPORT_OUTLINED,
            t("This can't have come about by playing"),
            p.error_container,
            p.on_error_container,
        ),
        "unreadable": (
            ft.Icons.HELP_OUTLINE,
            t("Not to be said for sure"),
            p.accent_container,
            p.on_accent_container,
        ),
    }[verdict]
    return ft.Semantics(
        identifier="verdict",
        container=True,
        live_region=True,
        content=ft.Container(
            ft.Row(
                [
                    ft.Icon(icon, size=34, color=ink),
                    text(look, title, 19, display=True, color=ink, expand=True),
                ],
                spacing=12,
            ),
            bgcolor=ground,
            border_radius=16,
            padding=16,
        ),
    )
