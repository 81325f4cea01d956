"""What goes out of the app and comes in: export, import, backup, restore."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import flet as ft

from companion.app.components.base import button, panel, text
from companion.app.components.look import Look
from companion.app.services.exporting import archive_file, csv_file, take_in
from companion.app.state.trouble import Trouble

if TYPE_CHECKING:
    from companion.store import Merged


def data_page(look: Look) -> list[ft.Control]:
    return [_export(look), _import(look), _backup(look)]


def _export(look: Look) -> ft.Control:
    t, app = look.t, look.app

    async def everything() -> None:
        name, data = await asyncio.to_thread(archive_file, app.store)
        if await app.devices.save(name, data):
            app.history.tell(done=t("Saved as {name}.", name=name))

    async def sheet() -> None:
        name, data = await asyncio.to_thread(csv_file, app.store)
        if await app.devices.save(name, data):
            app.history.tell(done=t("Saved as {name}.", name=name))

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
            merged: Merged = await asyncio.to_thread(take_in, app.store, data)
        except ValueError as error:
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
    store = app.store
    if store.location.path is None:
        return panel(
            look,
            [
                text(look, t("Backups"), 16, bold=True),
                text(look, t("The rounds are on a server, which has backups of its own."), 14, quiet=True),
            ],
        )

    def make() -> None:
        app.history.attempt(store.backup, t("A backup was made and checked."))

    from companion.store import backup

    rows: list[ft.Control] = []
    for number, path in enumerate(backup.found(store.location.path)[:5]):
        rows.append(
            ft.Row(
                [
                    text(look, _when(look, path), 14, expand=True),
                    button(
                        look,
                        t("Bring back"),
                        lambda path=path: _bring_back(look, path),
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


def _when(look: Look, path: Path) -> str:
    stamp = path.stem.split("-")[1] if "-" in path.stem else ""
    return (
        f"{look.t.date(f'{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}')} {stamp[9:11]}:{stamp[11:13]} UTC"
        if len(stamp) > 12
        else path.name
    )


def _bring_back(look: Look, path: Path) -> None:
    """Merge a backup into the store, as an import does: what was written since stays."""
    t, history = look.t, look.app.history
    from companion.store import Store

    def job() -> None:
        with Store.open(path, read_only=True, backups=False) as copy:
            look.app.store.merge(copy.archive())
        history.stale()

    history.attempt(job, t("The backup is back. What was written since is still here."))
