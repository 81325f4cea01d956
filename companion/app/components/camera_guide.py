"""The live camera with its guide: a frame to fill, warnings while one aims, and the shutter."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import flet as ft

from companion.app.components.base import banner, button, icon_button, text
from companion.app.components.look import Look
from companion.app.components.messages import photo_problem
from companion.app.components.tap import tap
from companion.app.services import pictures
from companion.app.state.live import LiveJudge

log = logging.getLogger("companion.app")

LOOK_EVERY = 1.2
"""Seconds between two looks at the live picture."""


def has_camera(page: ft.Page) -> bool:
    """Whether the page can show a camera: phones, and browsers (which need HTTPS or this machine)."""
    return page.web or page.platform in (ft.PagePlatform.ANDROID, ft.PagePlatform.IOS)


@ft.component
def camera_guide(
    look: Look,
    width: float,
    height: float,
    take: Callable[[bytes], Awaitable[Any]],
    on_close: Callable[[], None],
) -> ft.Control:
    """Camera, guide and shutter in an area of so many pixels."""
    import flet_camera as fc

    t, p, app = look.t, look.palette, look.app
    # A control belongs to the drawing it was made in; the newest one speaks for the camera.
    camera: list[fc.Camera] = ft.use_memo(list, [])
    camera[:] = [fc.Camera(preview_enabled=True, expand=True)]
    ready, set_ready = ft.use_state(False)
    failed, set_failed = ft.use_state("")
    mirror, set_mirror = ft.use_state(False)
    which, set_which = ft.use_state(0)
    lenses, set_lenses = ft.use_state(0)
    # A server's reader does this in a process of its own.
    turned = getattr(app.services.reader, "mirrored", pictures.mirrored)
    judge: LiveJudge = ft.use_memo(lambda: LiveJudge(app.services.reader), [])
    live = ft.use_ref(True)
    busy = ft.use_ref(False)

    async def begin() -> None:
        try:
            found = await camera[0].get_available_cameras()
            if not found:
                set_failed(t("No camera was found."))
                return
            set_lenses(len(found))
            order = sorted(found, key=lambda lens: lens.lens_direction != fc.CameraLensDirection.BACK)
            chosen = order[which % len(order)]
            await camera[0].initialize(
                chosen,
                fc.ResolutionPreset.MAX if not look.app.devices.page.web else fc.ResolutionPreset.ULTRA_HIGH,
                enable_audio=False,
            )
            # In a browser every lens but a phone's rear one is shown, and taken, as a mirror.
            set_mirror(
                bool(look.app.devices.page.web) and chosen.lens_direction != fc.CameraLensDirection.BACK
            )
            set_ready(True)
            await watch()
        except Exception as error:
            if not live.current:
                return  # it was closed while it was asked
            # The plug-in raises whatever the platform says: no permission, no HTTPS, in use elsewhere.
            set_failed(
                t("The camera can't be used here. In a browser it needs HTTPS and your permission.")
                + f" ({type(error).__name__})"
            )

    async def watch() -> None:
        """Judge the live picture now and then, as long as the camera is open."""
        while live.current:
            await asyncio.sleep(LOOK_EVERY)
            if busy.current or not live.current:
                continue
            busy.current = True
            try:
                frame = await camera[0].take_picture()
            finally:
                busy.current = False
            try:
                found = await asyncio.to_thread(judge.look, frame)
            except Exception:
                # The guide only helps: the photo is taken without it, and says what is wrong.
                log.exception("the live picture could not be judged")
                continue
            if live.current:
                app.scan.guide(found)

    def end() -> None:
        live.current = False
        app.scan.warnings = ()

    ft.use_effect(begin, [which], end)

    async def shoot() -> None:
        if not ready:
            return
        for _ in range(40):
            if not busy.current:
                break
            await asyncio.sleep(0.05)
        busy.current = True
        live.current = False
        photo = await camera[0].take_picture()
        if mirror:
            photo = await asyncio.to_thread(turned, photo)
        await take(photo)

    if failed:
        return ft.Column(
            [
                banner(look, failed, kind="warn", id="camera-failed"),
                button(look, t("Back"), on_close, id="camera-close", kind="outlined"),
            ],
            spacing=12,
        )
    # Always flipped, if only by nothing: a camera that moves to another place of the tree is closed.
    view = ft.Container(camera[0], expand=True, bgcolor="#000000", flip=ft.Flip(flip_x=mirror))
    frame = ft.Container(
        border=ft.Border.all(2, "#ccffffff"),
        border_radius=18,
        margin=16,
        expand=True,
        ignore_interactions=True,
    )
    warnings = [photo_problem(look, code) for code in app.scan.warnings]
    saying = warnings[0] if warnings else t("Fill the frame with all columns and the discard.")
    if not ready:
        saying = t("The camera is starting…")
    tip = ft.Semantics(
        identifier="guide",
        live_region=True,
        container=True,
        content=ft.Container(
            ft.Row(
                [
                    ft.Icon(
                        ft.Icons.WARNING_AMBER_ROUNDED if warnings else ft.Icons.CHECK_CIRCLE,
                        size=18,
                        color="#ffd36b" if warnings else "#b6f2c9",
                    ),
                    text(look, saying, 14, color="#ffffff", expand=True),
                ],
                spacing=8,
            ),
            bgcolor="#b3000000",
            border_radius=12,
            padding=ft.Padding.symmetric(horizontal=12, vertical=8),
        ),
    )
    shutter = tap(
        look,
        "shutter",
        t("Take the photo"),
        shoot,
        content=ft.Container(
            width=54, height=54, border_radius=27, bgcolor="#ffffff", border=ft.Border.all(2, "#333333")
        ),
        width=70,
        height=70,
        border_radius=35,
        alignment=ft.Alignment.CENTER,
        border=ft.Border.all(4, "#ffffff"),
        disabled=not ready,
    )
    controls = ft.Row(
        [
            icon_button(
                look,
                ft.Icons.CLOSE,
                t("Close the camera"),
                on_close,
                id="camera-close",
                color="#ffffff",
                ground="#66000000",
            ),
            shutter,
            icon_button(
                look,
                ft.Icons.CAMERASWITCH_OUTLINED if lenses > 1 else ft.Icons.FLIP,
                t("Another camera") if lenses > 1 else t("Mirrored?"),
                (lambda: set_which(which + 1)) if lenses > 1 else (lambda: set_mirror(not mirror)),
                id="camera-switch",
                color="#ffffff",
                ground="#66000000",
            ),
        ],
        alignment=ft.MainAxisAlignment.SPACE_EVENLY,
    )
    return ft.Container(
        ft.Stack(
            [
                ft.Container(view, left=0, right=0, top=0, bottom=0),
                ft.Container(frame, left=0, right=0, top=0, bottom=84),
                ft.Container(tip, left=24, right=24, top=26),
                ft.Container(controls, left=0, right=0, bottom=10),
            ],
            width=width,
            height=height,
        ),
        border_radius=22,
        clip_behavior=ft.ClipBehavior.HARD_EDGE,
        bgcolor=p.felt_edge,
        width=width,
        height=height,
    )
