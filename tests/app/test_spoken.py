"""The language of the first screen is known without asking for it."""

from __future__ import annotations

import pytest

pytest.importorskip("flet")
from companion.app.main import create_app
from companion.app.spoken import hear, heard, languages
from companion.app.state.app import Services
from companion.app.state.memory import NoMemory
from companion.store import Store
from tests.app.fakes import FakeAdviser, FakeAuditor, FakeReader, deal, document
from tests.app.harness import AppDriver


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("sv-SE,sv;q=0.9,en;q=0.8", ("sv-SE", "sv", "en")),
        ("en;q=0.7, de", ("de", "en")),
        ("*;q=0.5, de;q=0, fr ; q=1", ("fr",)),
        ("de;q=often,en", ("en",)),
        ("", ()),
        (";;,,", ()),
    ],
)
def test_the_most_wanted_comes_first(header: str, found: tuple[str, ...]) -> None:
    assert languages(header) == found


@pytest.mark.parametrize(("header", "title", "asked"), [("de-DE,en;q=0.5", "Spielen", 0), ("", "Play", 1)])
async def test_who_said_it_is_not_asked_again(store: Store, header: str, title: str, asked: int) -> None:
    """A question is a way to the browser and back, during which it draws an empty page."""
    hear(header)
    services = Services(FakeAdviser(), FakeReader(document(deal())), FakeAuditor())
    driver = await AppDriver.start(
        create_app(store, lambda page: NoMemory(), services),
        replies={"get_device_info": None},
        page_props={"route": "/play"},
    )
    await driver.settle()
    assert title in driver.texts()
    assert sum(name == "get_device_info" for name, _ in driver.conn.calls) == asked
    assert heard() == languages(header)
    await driver.close()
