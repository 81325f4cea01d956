"""Two phones at the same hole: who did not see the other's stroke yet corrects nothing by mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("flet")
import flet as ft

from companion.app.main import create_app
from companion.app.state.app import Services
from companion.app.state.memory import NoMemory
from companion.game import Rules
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document
from tests.app.harness import AppDriver


async def phone(store: Store) -> AppDriver:
    memory = NoMemory()
    services = Services(FakeAdviser(), FakeReader(document(deal())), FakeAuditor())
    return await AppDriver.start(
        create_app(store, lambda page: memory, services, Path("unused")),
        replies={"get_device_info": None, "push_route": None},
        page_props={"route": "/card"},
    )


def part(page: AppDriver, id: str) -> ft.Control:
    (found,) = [part for part in page.all(ft.Semantics) if part.identifier == id]
    return found


async def test_a_stroke_on_its_way_does_not_correct_one_that_was_not_seen(store: Store) -> None:
    round = store.new_round(["Anna"], Rules())
    player = round.players[0].id
    first, second = await phone(store), await phone(store)
    for page in (first, second):
        await page.fire(part(page, "cell-0-3"), "tap")
    seen = part(second, "strokes-5")  # as the second phone still has it on its screen
    await first.fire(part(first, "strokes-4"), "tap")
    await second.settle()
    await second.session.dispatch_event(seen._i, "tap", None)
    await second.session.dispatch_event(seen.content._i, "click", None)
    await second.settle()
    found = store.round(round.id).score(player, 3)
    assert found is not None
    assert (found.strokes, len(store.round(round.id).entries)) == (4, 1)
    # Who has seen it may correct it.
    await second.fire(part(second, "strokes-5"), "tap")
    found = store.round(round.id).score(player, 3)
    assert found is not None
    assert (found.strokes, len(store.round(round.id).entries)) == (5, 2)
    for page in (first, second):
        await page.close()
