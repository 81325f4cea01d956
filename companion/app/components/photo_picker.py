"""Getting a photo: a file or the device's camera app, or the clipboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import flet as ft

from companion.app.components.base import button
from companion.app.components.look import Look
from companion.app.services.devices import LARGEST
from companion.app.state.app import AppState
from companion.app.state.trouble import Trouble


def pick_button(
    look: Look,
    label: str,
    take: Callable[[bytes], Awaitable[object]],
    *,
    id: str,
    kind: str = "filled",
    width: float | None = None,
    icon: ft.IconData = ft.Icons.ADD_PHOTO_ALTERNATE_OUTLINED,
    refuse: Callable[[Trouble], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> ft.Control:
    """Opens the picture chooser; on a phone it offers the camera too, on a desk one can drag a file into it.

    refuse: told why no picture came; the screen of the scan without. progress: told how much of
    it has arrived.
    """
    app = look.app

    async def expect() -> None:
        # The browser opens the chooser by itself, in the tap; this only says what becomes of the picture.
        _expect(app, take, refuse or app.scan.refuse, progress)

    return button(
        look,
        label,
        expect,
        id=id,
        icon=icon,
        kind=kind,
        width=width,
        action=ft.PickFiles(app.devices.picker, file_type=ft.FilePickerFileType.IMAGE)
        if app.devices
        else None,
    )


def _expect(
    app: AppState,
    take: Callable[[bytes], Awaitable[object]],
    refuse: Callable[[Trouble], None],
    progress: Callable[[float], None] | None,
) -> None:
    """Say what becomes of the picture that is picked next."""

    async def taken(photo: bytes, name: str) -> None:
        await take(photo)

    def refused(code: str) -> None:
        refuse(
            Trouble("photo-too-heavy", values={"n": LARGEST >> 20})
            if code == "too-large"
            else Trouble("photo-not-arrived")
        )

    app.devices.expect(taken, refused, progress)


async def take_dropped(app: AppState) -> None:
    """Open the picture that was dropped on the page: in the check as its next table, in a grid's hole as its
    cards, else as a scan."""
    try:
        files = await app.devices.dropped()
        if not files:
            return
        grid = app.card.photographed_grid
        if app.navigation.screen == "card" and grid is not None:
            entry = app.card.grid
            _expect(app, lambda photo: entry.read(photo, grid), entry.refuse, None)
        else:
            if app.navigation.screen == "check":
                app.scan_for("check")
            app.navigation.go("scan")
            _expect(app, app.read_photo, app.scan.refuse, app.scan.arrive)
        await app.devices.fetch(files)
    except Exception as error:
        app.crashed(error)


def paste_button(
    look: Look, take: Callable[[bytes], Awaitable[object]], *, width: float | None = None
) -> ft.Control:
    t, app = look.t, look.app

    async def paste() -> None:
        photo = await app.devices.pasted_image()
        if photo:
            await take(photo)
        else:
            app.scan.refuse(Trouble("no-picture-copied"))

    return button(
        look,
        t("Paste a photo"),
        paste,
        id="scan-paste",
        icon=ft.Icons.CONTENT_PASTE,
        kind="outlined",
        width=width,
    )
