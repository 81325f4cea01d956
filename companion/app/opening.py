"""Opens the app on one's own machine: in a window where there is a display, else in the browser."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import flet as ft

from companion.app.app import screens
from companion.app.dress import ASSETS
from companion.app.main import create_app, local_memory, own_services
from companion.app.state.app import Services

if TYPE_CHECKING:
    from companion.store import Store


def warm_up(services: Services) -> None:
    """Load screens, models and engine in the background, so that first page, photo and hint don't wait."""

    def load() -> None:
        screens()
        for service in (services.reader, services.adviser):
            with suppress(Exception):
                # What is missing is said when it is asked for.
                service.warm()

    threading.Thread(target=load, name="warm-up", daemon=True).start()


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
    from companion.app.hosting import serve  # a window needs none of it

    with tempfile.TemporaryDirectory(prefix="companion-uploads-") as place:
        uploads = Path(place)
        serve(create_app(store, local_memory(folder), services, uploads), uploads, host, port, open_browser)


def has_window() -> bool:
    """Whether a window can be opened: a display, and a desktop client that is installed already."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    if importlib.util.find_spec("flet_desktop") is None:
        return False
    # Without a client on disk, Flet would fetch one from the network; this app never does.
    return bool(os.environ.get("FLET_VIEW_PATH")) or any((Path.home() / ".flet" / "client").glob("*"))
