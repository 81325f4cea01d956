"""Scan: photograph the table, look at what was read, put right what is wrong."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import banner, button, choice, empty, icon_button, panel, text
from companion.app.components.boundary import part
from companion.app.components.camera_guide import camera_guide, has_camera
from companion.app.components.correction import correction, correction_height
from companion.app.components.edit_table import edit_table
from companion.app.components.look import TARGET, Look
from companion.app.components.photo_overlay import photo_overlay
from companion.app.components.photo_picker import paste_button, pick_button
from companion.app.components.scan_summary import scan_summary
from companion.app.components.tableau import FELT_EDGE, felt
from companion.app.components.trouble import trouble_banner
from companion.app.components.waiting import waiting_bar


@part
def scan_view(look: Look, width: float, height: float) -> ft.Control:
    """The screen for an area of so many pixels."""
    scan, navigation = look.app.scan, look.app.navigation
    if scan.reading or scan.arriving is not None:
        return _reading(look, width, height)
    if navigation.parts == ("new",):
        return _begin(look)
    if navigation.parts == ("camera",):
        return camera_guide(look, width, height, look.app.read_photo, lambda: navigation.go("scan"))
    if scan.editor is None:
        return _begin(look)
    return _review(look, width, height)


def _begin(look: Look) -> ft.Control:
    t, app = look.t, look.app
    scan = app.scan
    purpose = {
        "check": t("This table is added to the check."),
        "draw": t("Photograph the discard: the card that came is read."),
    }.get(scan.purpose, t("Photograph the table from above: all columns, and the card on the discard."))
    actions: list[ft.Control] = []
    if scan.trouble:
        actions.append(ft.Container(trouble_banner(look, scan.trouble, id="scan-trouble"), width=320))
    if app.devices and has_camera(app.devices.page):
        actions.append(
            button(
                look,
                t("Open the camera"),
                lambda: app.navigation.go("scan/camera"),
                id="scan-camera",
                icon=ft.Icons.PHOTO_CAMERA,
                width=280,
            )
        )
    actions.append(
        pick_button(
            look,
            t("Choose a photo"),
            look.app.read_photo,
            id="scan-file",
            kind="tonal",
            width=280,
            progress=scan.arrive,
        )
    )
    actions.append(paste_button(look, look.app.read_photo, width=280))
    actions.append(
        button(
            look,
            t("Type the cards instead"),
            app.type_table,
            id="scan-type",
            icon=ft.Icons.DIALPAD,
            kind="plain",
        )
    )
    return ft.Container(
        empty(look, ft.Icons.PHOTO_CAMERA_OUTLINED, t("Scan the table"), purpose, actions),
        expand=True,
        alignment=ft.Alignment.CENTER,
        padding=20,
    )


def _reading(look: Look, width: float, height: float) -> ft.Control:
    """The photo at once, and that it is being read; one can give up at any moment."""
    t, scan, p = look.t, look.app.scan, look.palette
    said = t("Reading the cards…")
    if scan.arriving is not None:
        said = t("Fetching the photo…") + f" {round(scan.arriving * 100)} %"

    def cancel() -> None:
        if look.app.devices:
            look.app.devices.give_up()
        scan.cancel()

    picture: ft.Control = (
        ft.Image(
            src=scan.incoming,
            fit=ft.BoxFit.CONTAIN,
            width=width,
            height=max(120, height - 190),
            border_radius=14,
            gapless_playback=True,
        )
        if scan.incoming
        else ft.Container(height=max(120, height - 190))
    )
    return ft.Column(
        [
            ft.Container(picture, alignment=ft.Alignment.CENTER),
            panel(
                look,
                [
                    text(look, said, 16, bold=True),
                    waiting_bar(look, said)
                    if scan.arriving is None
                    else ft.ProgressBar(
                        value=scan.arriving,
                        color=p.primary,
                        bgcolor=p.high,
                        border_radius=4,
                        bar_height=6,
                        semantics_label=said,
                    ),
                    button(look, t("Cancel"), cancel, id="scan-cancel", kind="outlined"),
                ],
            ),
        ],
        spacing=12,
        alignment=ft.MainAxisAlignment.END,
        expand=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _review(look: Look, width: float, height: float) -> ft.Control:
    app, scan = look.app, look.app.scan
    editor = scan.editor
    assert editor is not None
    wide = width >= 820
    side = 400.0 if wide else width
    area = width - side - 14 if wide else width
    on_table = app.navigation.parts == ("table",) or scan.photo is None
    fixing = editor.cursor is not None
    if wide:
        room = height - 62
    elif fixing:
        twice = 12 + 1.4 * look.size(14) + 16 if editor.table.twice else 0
        room = height - max(TARGET, look.size(48)) - 16 - correction_height(look, editor) - twice
    else:
        room = height - 258
    if on_table:
        seen: ft.Control = ft.Container(
            felt(look, edit_table(look, editor, area - FELT_EDGE, max(150, room - 18)), expand=False),
            height=max(168, room),
        )
    else:
        assert scan.photo is not None
        seen = photo_overlay(look, editor, scan.photo, scan.whole, area, max(110, room))
    head = _head(look, on_table)
    below = _fix(look, side) if fixing else scan_summary(look)
    if wide:
        left = ft.Column(
            [head, ft.Container(seen, expand=True, alignment=ft.Alignment.TOP_CENTER)], expand=True, spacing=8
        )
        right = ft.Container(ft.Column([below], scroll=ft.ScrollMode.AUTO), width=side)
        return ft.Row(
            look.handed(left, right),
            expand=True,
            spacing=14,
            vertical_alignment=ft.CrossAxisAlignment.START,
        )
    return ft.Column(
        [head, ft.Container(seen, expand=True, alignment=ft.Alignment.CENTER), below],
        expand=True,
        spacing=6,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def _head(look: Look, on_table: bool) -> ft.Control:
    t, app = look.t, look.app
    editor = app.scan.editor
    assert editor is not None
    shown = "table" if on_table else "photo"

    def show(what: str) -> None:
        app.navigation.go("scan/table" if what == "table" else "scan")

    options = [("photo", t("Photo")), ("table", t("Table"))] if app.scan.photo else [("table", t("Table"))]
    return ft.Row(
        [
            choice(look, options, shown, show, id="view"),
            ft.Container(expand=True),
            icon_button(look, ft.Icons.UNDO, t("Undo"), editor.undo, id="undo", disabled=not editor.past),
            icon_button(look, ft.Icons.REDO, t("Redo"), editor.redo, id="redo", disabled=not editor.future),
        ],
        spacing=6,
    )


def _fix(look: Look, width: float) -> ft.Control:
    scan = look.app.scan
    assert scan.editor is not None
    notes: list[ft.Control] = []
    twice = scan.editor.table.twice
    if twice:
        notes.append(
            banner(
                look,
                look.t("{card} is on the table twice.", card=look.card(next(iter(twice)))),
                kind="warn",
                id="twice",
            )
        )
    return ft.Column(
        [*notes, correction(look, scan.editor, width, photo=scan.photo, whole=scan.whole)],
        spacing=6,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )
