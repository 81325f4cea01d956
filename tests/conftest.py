"""What all tests share."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import settings

settings.register_profile("fast", max_examples=60, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("fast")


@pytest.fixture(autouse=True)
def own_store(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test touches the store of whoever runs it; each has an empty one of its own."""
    place = tmp_path_factory.getbasetemp() / f"store-{uuid.uuid4().hex}" / "rounds.db"
    monkeypatch.setenv("COMPANION_STORE", str(place))
