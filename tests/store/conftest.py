"""A store to test with: SQLite always, PostgreSQL where `COMPANION_TEST_POSTGRES` names a server."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.store import Store

SERVER = os.environ.get("COMPANION_TEST_POSTGRES", "")
"""The URL of any database on a server where schemas may be created."""


@contextmanager
def fresh_database() -> Iterator[str]:
    """The URL of a new, empty schema."""
    import psycopg
    from sqlalchemy.engine import make_url

    name = f"companion_{uuid.uuid4().hex[:12]}"
    url = make_url(SERVER).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as admin:
        admin.execute(f"CREATE SCHEMA {name}")
        try:
            there = url.update_query_dict({"options": f"-c search_path={name}"})
            yield there.render_as_string(hide_password=False)
        finally:
            admin.execute("SET client_min_messages = error")
            admin.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param(
            "postgres", marks=pytest.mark.skipif(not SERVER, reason="COMPANION_TEST_POSTGRES not set")
        ),
    ]
)
def place(request: pytest.FixtureRequest, tmp_path) -> Iterator[str]:
    """Where an empty store can be opened."""
    if request.param == "sqlite":
        yield str(tmp_path / "rounds.db")
    else:
        with fresh_database() as url:
            yield url


@pytest.fixture
def store(place) -> Iterator[Store]:
    with Store.open(place) as opened:
        yield opened


def play(store: Store, names=("Anna",), lefts=(4, 0, 7), **how):
    """A round with these cards left on the first holes, the same for everybody."""
    round = store.new_round(list(names), **how)
    for left in lefts:
        for name in names:
            round = store.enter_hole(round.id, name, left=left)
    return round
