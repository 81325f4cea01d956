"""Where the app on a phone begins: its own store and memory, in the folder the phone gives it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flet as ft

from companion.app.main import create_app, local_memory
from companion.store import Store, StoreDamaged, StoreError, backup

DATA = Path(os.environ.get("FLET_APP_STORAGE_DATA") or Path.home() / ".golf-patience")
"""The only folder that is written; the app's own is read-only."""


def app(data: Path) -> Callable[[ft.Page], Any]:
    """The app's main function; where the store can't be opened, a page that says so and offers the backup."""
    data.mkdir(parents=True, exist_ok=True)
    try:
        return create_app(Store.open(data / "rounds.db"), local_memory(data))
    except StoreError as error:
        said = error
    return lambda page: trouble(page, data, said)


def trouble(page: ft.Page, data: Path, error: StoreError) -> None:
    def bring_back() -> None:
        backup.restore(data / "rounds.db")
        page.controls = [
            ft.SafeArea(ft.Text("The backup is back. Close the app and open it again.", size=18))
        ]
        page.update()

    page.controls = [ft.SafeArea(ft.Text(str(error), size=18))]
    if isinstance(error, StoreDamaged) and error.backups:
        page.controls.append(ft.FilledButton("Bring back the newest backup", on_click=bring_back))
    page.update()


if __name__ == "__main__":
    ft.run(app(DATA), assets_dir="assets")
