"""Puts the app together, for any server or window: `create_app`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flet as ft

from companion.app.address import Address
from companion.app.app import look_of, shell
from companion.app.components.photo_picker import take_dropped
from companion.app.dress import dress
from companion.app.lean import compare_lean
from companion.app.outlive import outlive_answers, outlive_drawing, outlive_late_taps
from companion.app.page import is_drop
from companion.app.services.adviser import EngineAdviser
from companion.app.services.auditor import EngineAuditor
from companion.app.services.devices import Devices
from companion.app.services.reader import VisionReader
from companion.app.spoken import heard
from companion.app.state.app import AppState, Services
from companion.app.state.memory import FolderMemory, Memory

if TYPE_CHECKING:
    from companion.store import Store

Main = Callable[[ft.Page], Awaitable[None]]
MemoryFor = Callable[[ft.Page], Memory]


def own_services() -> Services:
    """The companion's own engine and models."""
    return Services(EngineAdviser(), VisionReader(), EngineAuditor())


def create_app(
    store: Store, memory_for: MemoryFor, services: Services | None = None, uploads: Path | None = None
) -> Main:
    """The app's `main(page)`, for `ft.run` or for an ASGI server.

    memory_for: the memory of the device behind a page; devices share the store and nothing else.
    uploads: the folder that uploads arrive in, in a browser; each file is removed once it was read.
    """
    workers = services or own_services()
    compare_lean()

    async def main(page: ft.Page) -> None:
        outlive_answers(page)
        outlive_late_taps(page)
        memory = memory_for(page)
        app = AppState(store, memory, workers)
        if not app.settings.language:
            app.locale = await _locale(page) or app.locale
        dress(page)
        app.devices = Devices(page, uploads, app.crashed)
        _measure(page, app, page.width, page.height)
        if page.route.strip("/") and not is_drop(page.route):
            app.navigation.go(page.route)
        address = Address(app.navigation, page.push_route if page.web else None, page.route)

        def resized(event: ft.PageResizeEvent) -> None:
            _measure(page, app, event.width, event.height)

        async def routed(event: ft.RouteChangeEvent) -> None:
            if is_drop(event.route):
                address.passed(event.route)
                await take_dropped(app)
            else:
                address.heard(event.route)

        def back(_: Any) -> None:
            # While a phone slept, others may have written: nothing was drawn for it meanwhile.
            address.again(page.route)
            app.card.stale()

        page.on_resize = resized
        page.on_media_change = lambda _: _measure(page, app, page.width, page.height)
        page.on_route_change = routed
        page.on_platform_brightness_change = lambda _: app.changed()
        page.on_close = lambda _: app.close()
        page.on_connect = back
        page.render_views(window, app, address)
        outlive_drawing(page, app.crashed)

    return main


@ft.component
def window(app: AppState, address: Address) -> list[ft.View]:
    """The one view; drawn again after each change of the state."""
    drawn, draw = ft.use_state(app.revision)
    page = ft.context.page

    def follow() -> Callable[[], None]:
        def changed() -> None:
            draw(app.revision)
            address.follow()  # so that the browser's back button and a reload find the place

        if app.revision != drawn:  # between the first picture and now
            changed()
        return app.subscribe(changed)

    ft.use_effect(follow, [])
    dark = _is_dark(page, app)
    mode = {"light": ft.ThemeMode.LIGHT, "dark": ft.ThemeMode.DARK}.get(
        app.settings.theme, ft.ThemeMode.SYSTEM
    )
    if page.theme_mode != mode:
        page.theme_mode = mode
    look = look_of(app, dark)

    def popped() -> None:
        app.navigation.back()

    return [
        ft.View(
            route="/",
            controls=[shell(look, app.revision)],
            padding=0,
            bgcolor=look.palette.surface,
            can_pop=not app.navigation.nested,
            on_confirm_pop=look.run(popped),
        )
    ]


def _is_dark(page: ft.Page, app: AppState) -> bool:
    if app.settings.theme == "system":
        return page.platform_brightness == ft.Brightness.DARK
    return app.settings.theme == "dark"


def _measure(page: ft.Page, app: AppState, width: float | None, height: float | None) -> None:
    """Tell the size of the window without what a phone covers of it: its bars, the notch."""
    covered = page.media.padding
    app.resize((width or 400) - covered.left - covered.right, (height or 800) - covered.top - covered.bottom)


async def _locale(page: ft.Page) -> str:
    from companion.app.state.settings import device_language

    if asked := heard():
        return device_language([*asked])
    try:
        info = await page.get_device_info()
    except Exception:
        # Not every client tells; English is then as good a guess as any.
        return ""
    return device_language([str(place.language_code) for place in info.locales]) if info else ""


def local_memory(folder: Path) -> MemoryFor:
    """One device: the machine itself."""
    return lambda page: FolderMemory(folder / "app")
