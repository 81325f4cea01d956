from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.app.state.app import AppState
from companion.app.state.memory import NoMemory
from companion.store import Store
from tests.app.fakes import make_app, open_store

if TYPE_CHECKING:
    from tests.app.screen import Open, Screen


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as opened:
        yield opened


@pytest.fixture
def memory() -> NoMemory:
    return NoMemory()


@pytest.fixture
def app(store: Store, memory: NoMemory) -> AppState:
    return make_app(store, memory)


@pytest.fixture
async def open_app(store: Store, memory: NoMemory) -> AsyncIterator[Open]:
    """Opens the app on a fake client, as often as a test likes, on one store and one device's memory."""
    from tests.app.screen import open_screen

    opened: list[Screen] = []

    async def open_(*values: Any, **named: Any) -> Screen:
        opened.append(await open_screen(store, memory, *values, **named))
        return opened[-1]

    yield open_
    for screen in opened:
        await screen.driver.close()
