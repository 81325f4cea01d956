"""Pages that go on where Flet would stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet")
import flet as ft

from companion.app.main import create_app
from companion.app.state.app import AppState, Services
from companion.app.state.memory import NoMemory
from companion.store import Store, StoreError
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document
from tests.app.harness import AppDriver


async def opened(store: Store) -> tuple[AppDriver, AppState]:
    """A page, and the state behind it."""
    memory, kept = NoMemory(), list[AppState]()

    def crashed(error: BaseException, where: str) -> str:
        return f"{type(error).__name__} in {where}"

    services = Services(FakeAdviser(), FakeReader(document(deal())), FakeAuditor(), crashed)
    begin = AppState.__init__

    def remember(self: AppState, *values: Any) -> None:
        begin(self, *values)
        kept.append(self)

    AppState.__init__ = remember  # type: ignore[method-assign]
    try:
        page = await AppDriver.start(
            create_app(store, lambda page: memory, services, Path("unused")),
            replies={"get_device_info": None, "push_route": None},
            page_props={"route": "/card/new"},
        )
    finally:
        AppState.__init__ = begin  # type: ignore[method-assign]
    return page, kept[-1]


def has(page: AppDriver, id: str) -> bool:
    return any(part.identifier == id for part in page.all(ft.Semantics))


def broken(page: AppDriver, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """So many pictures can't be sent."""
    session, left = page.session, [times]
    patch = session.patch_control

    def fail(*values: Any, **named: Any) -> None:
        if left[0] > 0:
            left[0] -= 1
            raise KeyError("a control")
        patch(*values, **named)

    monkeypatch.setattr(session, "patch_control", fail)


async def test_a_picture_that_fails_is_told_and_the_next_one_is_drawn(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, app = await opened(store)
    broken(page, monkeypatch, 1)
    app.navigation.go("settings")
    await page.settle()
    assert app.crash == "KeyError in drawing"
    assert has(page, "crash-go-on")
    app.put_away_crash()
    await page.settle()
    assert has(page, "title")
    app.navigation.go("card/new")
    await page.settle()
    assert has(page, "begin-round")
    await page.close()


async def test_a_page_that_can_not_be_drawn_at_all_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, app = await opened(store)
    broken(page, monkeypatch, 100)
    app.navigation.go("settings")
    with pytest.raises(AssertionError, match="Load the page again"):
        await page.settle()
    await page.close()


async def test_a_change_between_the_first_picture_and_listening_is_drawn(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that is turned just then."""
    render = ft.Page.render_views

    def turned(self: ft.Page, component: Any, app: AppState, *more: Any) -> None:
        render(self, component, app, *more)
        app.navigation.go("settings")

    monkeypatch.setattr(ft.Page, "render_views", turned)
    page, _ = await opened(store)
    assert not has(page, "begin-round")
    await page.close()


async def test_a_round_that_the_store_refuses_is_told_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that is tapped does nothing."""
    page, _ = await opened(store)

    def full(*values: Any, **named: Any) -> Any:
        raise StoreError("no room is left on the disk")

    monkeypatch.setattr(store, "new_round", full)
    (begin,) = [part for part in page.all(ft.Semantics) if part.identifier == "begin-round"]
    await page.fire(begin.content, "click")
    assert has(page, "card-trouble")
    await page.close()
