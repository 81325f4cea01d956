"""`companion app`: the app with one's own rounds, in a window where there is one, else in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.rounds import StoreOption
from companion.store import Store
from companion.store.location import data_folder


def register(app: typer.Typer) -> None:
    app.command("app")(open_app)


def open_app(
    store: StoreOption = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Open the browser even where there is a window.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The browser's port; 0 takes a free one.")
    ] = 0,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser by itself.")] = True,
) -> None:
    """Open the app: scan, play, check, and keep the card.

    It listens on this machine only; for phones on the same network there is serve.
    """
    from companion.app.opening import run_app

    with Store.open(store) as kept:
        folder = kept.location.path.parent if kept.location.path else data_folder()
        run_app(kept, folder, browser=browser, port=port, open_browser=show)
