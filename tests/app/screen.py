"""The app on a real Flet session with a fake client: no browser, no window. What `open_app` opens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import flet as ft

from companion.app.main import create_app
from companion.app.state.app import AppState, Services
from companion.app.state.memory import Memory
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document, photo
from tests.app.harness import AppDriver

PHONE, DESK = (360, 740), (1280, 800)
Open = Callable[..., Any]
"""Like `open_screen` without its first two values, to be awaited."""
LENS = {"name": "lens", "lens_direction": "external", "sensor_orientation": 0, "lens_type": "unknown"}


class Screen:
    """The app on a fake client."""

    def __init__(self, driver: AppDriver, app: AppState) -> None:
        self.driver, self.app = driver, app

    def find(self, id: str) -> ft.Semantics:
        return self.driver.one(ft.Semantics, identifier=id)

    def has(self, id: str) -> bool:
        return bool(self.driver.all(ft.Semantics, identifier=id))

    async def tap(self, id: str) -> None:
        part = self.find(id)
        if part.on_tap is not None:
            await self.driver.fire(part, "tap")
        else:
            await self.driver.fire(part.content, "click")

    def texts(self) -> str:
        return "\n".join(text for text in self.driver.texts() if text)

    def listen(self) -> list[str]:
        """What the app sends from now on, as it comes."""
        sent: list[str] = []
        send = self.driver.conn.send_message

        def noted(message: Any) -> None:
            send(message)
            sent.append(repr(self.driver.conn.pack(message.body)))

        self.driver.conn.send_message = noted  # type: ignore[method-assign]
        return sent

    async def until(self, true: Callable[[], bool], seconds: float = 5) -> None:
        for _ in range(int(seconds / 0.02)):
            if true():
                break
            await asyncio.sleep(0.02)
        await self.driver.settle()
        assert true()


async def open_screen(
    store: Store,
    memory: Memory,
    size: tuple[int, int] = PHONE,
    prepare: Callable[[AppState], Any] | None = None,
    reader: FakeReader | None = None,
    route: str = "/",
    brightness: str = "light",
    **settings: Any,
) -> Screen:
    """The app at a route in a window of a size, after `prepare` and with settings as if chosen before."""
    services = Services(FakeAdviser(), reader or FakeReader(document(deal())), FakeAuditor())
    if prepare or settings:
        before = AppState(store, memory, services)
        before.choose(**({"language": "en"} | settings))
        if prepare:
            found = prepare(before)
            if asyncio.iscoroutine(found):
                await found
        before.close()
    kept: list[AppState] = []
    original = AppState.__init__

    def remember(self: AppState, *values: Any) -> None:
        original(self, *values)
        kept.append(self)

    AppState.__init__ = remember  # type: ignore[method-assign]
    try:
        driver = await AppDriver.start(
            create_app(store, lambda page: memory, services, Path("unused")),
            replies={
                "get_device_info": None,
                "get_available_cameras": [LENS],
                "initialize": None,
                "take_picture": photo(),
            },
            page_props={
                "width": size[0],
                "height": size[1],
                "route": route,
                "platform_brightness": brightness,
            },
        )
    finally:
        AppState.__init__ = original  # type: ignore[method-assign]
    return Screen(driver, kept[-1])
