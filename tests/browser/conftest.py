"""One Chromium for all browser tests, and servers for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    from tests.browser.driver import chromium, film

    with chromium(film(tmp_path_factory.mktemp("film"))) as opened:
        yield opened


@pytest.fixture(autouse=True)
def closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Pages of an ended test go on drawing, and slow down the next one until it times out."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server of the test's own."""
    from tests.browser.driver import served

    with served(tmp_path) as found:
        yield found


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for tests that begin with what they need, each page anew: to start one takes two seconds."""
    from tests.browser.driver import served

    with served(tmp_path_factory.mktemp("shared"), "--forget") as found:
        yield found
