"""What Flet 1.0.5 lets a page die of, kept from doing so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import flet as ft
from flet.components.component import Component
from flet.controls.base_control import BaseControl


def outlive_answers(page: ft.Page) -> None:
    """Let the answer of a control that has gone meanwhile, such as a closed camera, pass unheard.

    Flet raises on it, and with that stops to listen to the page.
    """
    session = page.session
    heard = session.handle_invoke_method_results

    def hear(control_id: int, call_id: str, result: Any, error: str | None) -> None:
        with suppress(RuntimeError):
            heard(control_id, call_id, result, error)

    session.handle_invoke_method_results = hear  # type: ignore[method-assign]


def outlive_late_taps(page: ft.Page) -> None:
    """Let the tap on a control that has gone meanwhile pass unheard.

    Flet keeps some of those, and then either fails, which puts the page away, or does what they did.
    """
    session = page.session
    resolve = session._Session__resolve_event_control  # type: ignore[attr-defined]

    def resolve_shown(control_id: int) -> BaseControl | None:
        found: BaseControl | None = resolve(control_id)
        return found if found is not None and _is_shown(found, page) else None

    session._Session__resolve_event_control = resolve_shown  # type: ignore[attr-defined]


def _is_shown(control: BaseControl, page: ft.Page) -> bool:
    part: BaseControl | None = control
    while part is not None and part is not page:
        if isinstance(part, Component) and not part._state.mounted:
            return False
        part = part.parent
    return part is page


def outlive_drawing(page: ft.Page, crashed: Callable[[BaseException, str], None]) -> None:
    """Go on drawing after a picture that could not be drawn; to be called once the page is drawn.

    Flet draws no more then, and says nothing: every tap would be in vain. The first time `crashed` is told,
    which shows what happened; where that can't be drawn either, the page has to be loaded again.
    """
    session = page.session
    failed = False

    def ended(task: asyncio.Task[None]) -> None:
        nonlocal failed
        if task.cancelled() or (error := task.exception()) is None:
            return
        again = failed
        failed = True
        crashed(error, "drawing")
        if again:
            session.error("The screen can't be drawn. Load the page again: nothing is lost.")
        else:
            watch()

    def watch() -> None:
        session.start_updates_scheduler()  # type: ignore[no-untyped-call]
        drawing: asyncio.Task[None] = session._Session__updates_task  # type: ignore[attr-defined]
        drawing.add_done_callback(ended)

    watch()
