from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.state.app import AppState
from companion.app.state.memory import NoMemory
from companion.store import Store
from tests.app.fakes import make_app, open_store


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
