"""Puts the app together: `create_app` for any server or window, `run_app` for one's own machine."""

from __future__ import annotations

import os
import secrets
import tempfile
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flet as ft

from companion.app.address import Address
from companion.app.app import look_of, screens, shell
from companion.app.components.base import BOLD, DISPLAY, REGULAR
from companion.app.components.photo_picker import take_dropped
from companion.app.lean import compare_lean
from companion.app.outlive import outlive_answers, outlive_drawing, outlive_late_taps
from companion.app.page import Scripted, is_drop
from companion.app.services.adviser import EngineAdviser
from companion.app.services.auditor import EngineAuditor
from companion.app.services.devices import Devices
from companion.app.services.reader import VisionReader
from companion.app.state.app import AppState, Services
from companion.app.state.memory import FolderMemory, Memory
from companion.app.theme import DARK, LIGHT, Palette

if TYPE_CHECKING:
    from companion.store import Store

ASSETS = Path(__file__).parent / "assets"
FONTS = {
    REGULAR: "fonts/CompanionSans-Regular.ttf",
    BOLD: "fonts/CompanionSans-Bold.ttf",
    DISPLAY: "fonts/CompanionSans-Display.ttf",
}
TITLE = "Golf Patience Companion"

Main = Callable[[ft.Page], Awaitable[None]]
MemoryFor = Callable[[ft.Page], Memory]


def warm_up(services: Services) -> None:
    """Load screens, models and engine in the background, so that the first tap, photo and hint don't wait."""

    def load() -> None:
        screens()
        for service in (services.reader, services.adviser):
            with suppress(Exception):
                # What is missing is said when it is asked for.
                service.warm()

    threading.Thread(target=load, name="warm-up", daemon=True).start()


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
        _dress(page)
        app.devices = Devices(page, uploads)
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

    try:
        info = await page.get_device_info()
    except Exception:
        # Not every client tells; English is then as good a guess as any.
        return ""
    return device_language([str(place.language_code) for place in info.locales]) if info else ""


def _dress(page: ft.Page) -> None:
    page.title = TITLE
    # A browser has loaded them before it draws: assets/assets/FontManifest.json.
    if not page.web:
        page.fonts = FONTS
    page.theme = _theme(LIGHT)
    page.dark_theme = _theme(DARK)
    page.padding = 0


def _theme(p: Palette) -> ft.Theme:
    """The colours for what Material draws itself: menus, fields, scroll bars."""
    return ft.Theme(
        font_family=REGULAR,
        use_material3=True,
        color_scheme=ft.ColorScheme(
            primary=p.primary,
            on_primary=p.on_primary,
            primary_container=p.primary_container,
            on_primary_container=p.on_primary_container,
            secondary=p.primary,
            on_secondary=p.on_primary,
            secondary_container=p.secondary_container,
            on_secondary_container=p.on_secondary_container,
            error=p.error,
            on_error=p.on_error,
            surface=p.surface,
            on_surface=p.on_surface,
            on_surface_variant=p.quiet,
            surface_container=p.raised,
            surface_container_high=p.raised,
            surface_container_highest=p.high,
            surface_container_low=p.raised,
            outline=p.outline,
            outline_variant=p.outline_soft,
        ),
    )


# --- on one's own machine ---


def local_memory(folder: Path) -> MemoryFor:
    """One device: the machine itself."""
    return lambda page: FolderMemory(folder / "app")


POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:",
        "font-src 'self' data:",
        "media-src 'self' blob: mediastream:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
    )
)
"""What the app's page may load: only what it is served with. Flutter's client asks a CDN for an animation
library that this app never uses; with this the browser doesn't even ask."""


def closed(application: Any) -> Any:
    """An ASGI application whose pages may ask nobody but it."""
    from starlette.websockets import WebSocketDisconnect

    scripted = Scripted(application)

    async def served(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"content-security-policy", POLICY.encode())]
            await send(message)

        if scope["type"] == "http":
            await scripted(scope, receive, sent)
            return
        # A tab that is closed while something is on its way to it is no error to tell of.
        with suppress(WebSocketDisconnect):
            await application(scope, receive, send)

    return served


def asgi_app(main: Main, uploads: Path, *, secret: str | None = None) -> Any:
    """The app as an ASGI application: no file from elsewhere, uploads bounded and signed."""
    from flet_web.fastapi import app

    return app(
        main,
        assets_dir=str(ASSETS),
        app_name=TITLE,
        app_short_name="Golf Patience",
        app_description="Reads the table, advises the next move, keeps the score.",
        no_cdn=True,
        upload_dir=str(uploads),
        max_upload_size=40 * 1024 * 1024,
        secret_key=secret or secrets.token_urlsafe(32),
    )


def run_app(
    store: Store,
    folder: Path,
    *,
    browser: bool = False,
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    services: Services | None = None,
) -> None:
    """Open the app: in a window where there is a display and a desktop client, else in the browser."""
    services = services or own_services()
    warm_up(services)
    if not browser and has_window():
        ft.run(create_app(store, local_memory(folder), services), assets_dir=str(ASSETS))
        return
    with tempfile.TemporaryDirectory(prefix="companion-uploads-") as place:
        uploads = Path(place)
        serve(create_app(store, local_memory(folder), services, uploads), uploads, host, port, open_browser)


def serve(main: Main, uploads: Path, host: str, port: int, open_browser: bool) -> None:
    """Serve the app on this machine until it is stopped."""
    import socket
    import webbrowser

    import uvicorn

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        address = f"http://{host}:{door.getsockname()[1]}/"
        print(f"companion: the app is at {address} (stop with Ctrl+C)", flush=True)
        if open_browser:
            threading.Timer(0.8, webbrowser.open, [address]).start()
        config = uvicorn.Config(
            closed(asgi_app(main, uploads)), log_level="warning", ws_max_size=64 * 1024 * 1024
        )
        uvicorn.Server(config).run([door])


def has_window() -> bool:
    """Whether a window can be opened: a display, and a desktop client that is installed already."""
    import importlib.util
    import sys

    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    if importlib.util.find_spec("flet_desktop") is None:
        return False
    # Without a client on disk, Flet would fetch one from the network; this app never does.
    return bool(os.environ.get("FLET_VIEW_PATH")) or any((Path.home() / ".flet" / "client").glob("*"))
