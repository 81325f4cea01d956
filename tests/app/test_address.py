"""A browser's address and the open place: whoever changes one is not sent back by word of the other."""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("flet")
import flet as ft

from companion.app.address import Address
from companion.app.main import create_app
from companion.app.state.app import Services
from companion.app.state.memory import NoMemory
from companion.app.state.navigation import Navigation
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document
from tests.app.harness import AppDriver


class Own(str):
    """An address that the user went to, not the app."""


class Browser:
    """Its address, and what is on its way to it and from it; each is carried on when the test says so."""

    def __init__(self, route: str) -> None:
        self.route = route
        self.coming: deque[tuple[str, asyncio.Future[None]]] = deque()
        self.going: deque[str | asyncio.Future[None]] = deque()
        self.asked = 0

    async def push(self, route: str) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.coming.append((route, done))
        self.asked += 1
        await done

    def walk(self, route: str) -> None:
        """As Flutter does: it tells of an address only where it is another one."""
        if route != self.route:
            self.route = route
            self.going.append(Own(route))

    def receive(self) -> None:
        if self.coming:
            route, done = self.coming.popleft()
            if route != self.route:
                self.route = route
                self.going.append(route)
            self.going.append(done)

    async def send(self, address: Address) -> None:
        if self.going:
            told = self.going.popleft()
            if isinstance(told, str):
                address.heard(told)
            else:
                told.set_result(None)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["receive", "send", "others"]),
        st.tuples(
            st.sampled_from(["walk", "tap"]), st.sampled_from(["/scan", "/card", "/card/new", "/play"])
        ),
    ),
    max_size=25,
)


@given(STEPS)
@example([("walk", "/card/new"), "others", "send"])
@example([("tap", "/card"), ("tap", "/scan"), "receive", "send"])
@example(
    [("tap", "/card"), ("walk", "/card"), "receive", "send", "send", ("walk", "/scan"), ("walk", "/card")]
)
@settings(max_examples=200, deadline=None)
def test_both_come_to_the_same_place(steps: list[Any]) -> None:
    asyncio.run(_both(steps))


async def _both(steps: list[Any]) -> None:
    navigation = Navigation(NoMemory())
    browser = Browser(navigation.route)
    address = Address(navigation, browser.push, browser.route)
    navigation.subscribe(address.follow)
    alone = True  # nobody went anywhere while the other's way was not known yet
    last = navigation.route
    for step in steps:
        if step == "receive":
            browser.receive()
        elif step == "send":
            await browser.send(address)
        elif step == "others":
            address.follow()  # somebody else's stroke was drawn
            await asyncio.sleep(0)
        elif step[0] == "walk":
            alone &= not browser.coming and all(isinstance(told, Own) for told in browser.going)
            if step[1] != browser.route:
                last = step[1]
            browser.walk(step[1])
        else:
            alone &= not any(isinstance(told, Own) for told in browser.going)
            navigation.go(step[1].strip("/"))
            last = step[1]
            await asyncio.sleep(0)
    for _ in range(100):
        browser.receive()
        await browser.send(address)
        if not (browser.coming or browser.going):
            break
    assert not browser.coming, "they chase each other"
    assert not browser.going
    assert browser.route == navigation.route
    if alone:
        assert navigation.route == last


async def test_a_browser_that_came_back_is_asked_again() -> None:
    navigation = Navigation(NoMemory())
    browser = Browser(navigation.route)
    address = Address(navigation, browser.push, browser.route)
    navigation.go("card")
    address.follow()
    await asyncio.sleep(0)
    browser.coming.clear()  # it was gone before that reached it
    address.again(browser.route)
    address.follow()
    await asyncio.sleep(0)
    browser.receive()
    await browser.send(address)
    assert (browser.route, navigation.route, browser.asked) == ("/card", "/card", 2)


async def test_no_address_where_none_is_shown() -> None:
    navigation = Navigation(NoMemory())
    address = Address(navigation, None, "/")
    navigation.go("card")
    address.follow()
    address.heard("/scan")
    assert navigation.route == "/scan"


async def test_a_way_back_that_the_page_takes_by_itself_moves_nobody() -> None:
    navigation = Navigation(NoMemory())
    browser = Browser(navigation.route)
    address = Address(navigation, browser.push, browser.route)
    navigation.go("check")
    address.passed("/scan/drop/0123456789abcdef01234567")
    address.heard("/play")
    assert navigation.route == "/check"
    await asyncio.sleep(0)
    assert [route for route, _ in browser.coming] == ["/check"]


class Page(AppDriver):
    """A page in a browser, which answers as Flet's client does."""

    def walks(self, route: str) -> None:
        self.session.apply_patch(1, {"route": route})

    async def tells(self, route: str) -> None:
        await self.session.dispatch_event(1, "route_change", {"route": route})

    def has(self, id: str) -> bool:
        return any(part.identifier == id for part in self.all(ft.Semantics))

    def comes_back(self, route: str) -> None:
        self.walks(route)
        self.telling = asyncio.ensure_future(self.tells(route))


async def opened(store: Store) -> Page:
    memory = NoMemory()
    services = Services(FakeAdviser(), FakeReader(document(deal())), FakeAuditor())
    found = await Page.start(
        create_app(store, lambda page: memory, services, Path("unused")),
        replies={"get_device_info": None, "push_route": lambda args: found.comes_back(args["route"])},
        page_props={"route": "/card"},
    )
    assert isinstance(found, Page)
    found.conn.page_url = "http://127.0.0.1"
    return found


async def test_a_stroke_of_others_on_the_way_to_a_form_keeps_nobody_from_it(store: Store) -> None:
    """The lost tap: the form was shown, and put away again as it was tapped."""
    page = await opened(store)
    try:
        page.walks("/card/new")
        store.new_round(["Bo"])  # by somebody else; it is shown where no round is on the card yet
        await page.tells("/card/new")
        await page.settle()
        assert page.has("begin-round")
        assert page.page.route == "/card/new"
        assert not [name for name, _ in page.conn.calls if name == "push_route"]
    finally:
        await page.close()
