"""Getting a photo: a file or the device's camera app, or the clipboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import flet as ft

from companion.app.components.base import button
from companion.app.components.look import Look


def pick_button(
    look: Look,
    label: str,
    take: Callable[[bytes], Awaitable[object]],
    *,
    id: str,
    kind: str = "filled",
    width: float | None = None,
    icon: ft.IconData = ft.Icons.ADD_PHOTO_ALTERNATE_OUTLINED,
    refuse: Callable[[str], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> ft.Control:
    """Opens the picture chooser; on a phone it offers the camera too, on a desk one can drag a file into it.

    refuse: told in a sentence why no picture came; the screen of the scan without. progress: told how much of
    it has arrived.
    """
    app = look.app

    async def taken(photo: bytes, name: str) -> None:
        try:
            await take(photo)
        except Exception as error:
            app.crashed(error)

    def refused(code: str) -> None:
        t = look.t
        why = {
            "too-large": t("A photo has at most 40 MB."),
            "upload-failed": t("The photo did not arrive. Try again."),
        }.get(code, code)
        (refuse or app.scan.refuse)(why)

    async def expect() -> None:
        # The browser opens the chooser by itself, in the tap; this only says what becomes of the picture.
        app.devices.expect(taken, refused, progress)

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


def paste_button(
    look: Look, take: Callable[[bytes], Awaitable[object]], *, width: float | None = None
) -> ft.Control:
    t, app = look.t, look.app

    async def paste() -> None:
        photo = await app.devices.pasted_image()
        if photo:
            await take(photo)
        else:
            app.scan.refuse(t("There is no picture on the clipboard."))

    return button(
        look,
        t("Paste a photo"),
        paste,
        id="scan-paste",
        icon=ft.Icons.CONTENT_PASTE,
        kind="outlined",
        width=width,
    )
