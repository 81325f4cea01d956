"""What goes out of the app and comes in: export, import, backup, restore."""

from __future__ import annotations

import asyncio

import flet as ft

from companion.app.components.base import button, panel, text
from companion.app.components.look import Look
from companion.app.components.offer import offer
from companion.app.services.backups import Backup, backups, bring_back
from companion.app.services.exporting import archive_file, csv_file, take_in
from companion.app.state.trouble import EXPECTED, Trouble


def data_page(look: Look) -> list[ft.Control]:
    return [_export(look), _import(look), _backup(look)]


def _export(look: Look) -> ft.Control:
    t, app = look.t, look.app

    async def everything() -> None:
        await offer(look, lambda: archive_file(app.store))

    async def sheet() -> None:
        await offer(look, lambda: csv_file(app.store))

    return panel(
        look,
        [
            text(look, t("Take everything along"), 16, bold=True),
            text(
                look,
                t(
                    "Rounds, games and scans as one file that the companion reads again, or a "
                    "row a hole for a spreadsheet. Nothing leaves this device unless you send "
                    "it."
                ),
                14,
                quiet=True,
            ),
            ft.Row(
                [
                    button(look, t("Save everything"), everything, id="export-all", icon=ft.Icons.DOWNLOAD),
                    button(
                        look,
                        t("Spreadsheet (CSV)"),
                        sheet,
                        id="export-csv",
                        icon=ft.Icons.TABLE_CHART_OUTLINED,
                        kind="outlined",
                    ),
                ],
                wrap=True,
                spacing=8,
                run_spacing=8,
            ),
        ],
    )


def _import(look: Look) -> ft.Control:
    t, app = look.t, look.app

    async def taken(data: bytes, name: str) -> None:
        try:
            merged = await asyncio.to_thread(take_in, app.store, data)
        except EXPECTED as error:
            app.history.tell(trouble=Trouble.of(error))
            return
        app.history.stale()
        if merged.total:
            app.history.tell(
                done=t(
                    "Added: {rounds} rounds, {holes} scores, {games} games.",
                    rounds=merged.rounds,
                    holes=merged.entries,
                    games=merged.games,
                )
            )
        else:
            app.history.tell(done=t("Everything in the file was here already."))

    async def expect() -> None:
        app.devices.expect(taken, lambda code: app.history.tell(trouble=Trouble("file-not-arrived")))

    action = (
        ft.PickFiles(app.devices.picker, file_type=ft.FilePickerFileType.CUSTOM, allowed_extensions=["json"])
        if app.devices
        else None
    )
    return panel(
        look,
        [
            text(look, t("Bring rounds in"), 16, bold=True),
            text(
                look,
                t(
                    "A file that was saved here or on another device. What is here stays; "
                    "twice the same is added once."
                ),
                14,
                quiet=True,
            ),
            ft.Row(
                [
                    button(
                        look,
                        t("Choose a file"),
                        expect,
                        id="import",
                        icon=ft.Icons.UPLOAD_FILE,
                        kind="tonal",
                        action=action,
                    )
                ]
            ),
        ],
    )


def _backup(look: Look) -> ft.Control:
    t, app = look.t, look.app
    found = backups(app.store)
    if found is None:
        return panel(
            look,
            [
                text(look, t("Backups"), 16, bold=True),
                text(look, t("The rounds are on a server, which has backups of its own."), 14, quiet=True),
            ],
        )

    def make() -> None:
        app.history.attempt(app.store.backup, t("A backup was made and checked."))

    rows: list[ft.Control] = []
    for number, copy in enumerate(found):
        rows.append(
            ft.Row(
                [
                    text(look, _when(look, copy), 14, expand=True),
                    button(
                        look,
                        t("Bring back"),
                        lambda copy=copy: _bring_back(look, copy),
                        id=f"restore-{number}",
                        kind="plain",
                    ),
                ]
            )
        )
    return panel(
        look,
        [
            text(look, t("Backups"), 16, bold=True),
            text(
                look,
                t(
                    "A copy is made every day and after each round. "
                    "Bringing one back adds what is missing here; nothing is deleted."
                ),
                14,
                quiet=True,
            ),
            *rows,
            ft.Row(
                [button(look, t("Back up now"), make, id="backup", icon=ft.Icons.SAVE_OUTLINED, kind="tonal")]
            ),
        ],
    )


def _when(look: Look, copy: Backup) -> str:
    return f"{look.t.date(copy.day)} {copy.time} UTC" if copy.day else copy.path.name


def _bring_back(look: Look, copy: Backup) -> None:
    app = look.app

    def job() -> None:
        bring_back(app.store, copy)
        app.history.stale()

    app.history.attempt(job, look.t("The backup is back. What was written since is still here."))
