"""Two server processes on one store: a club's rounds. With PostgreSQL where there is one (see .ci)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from bench.phone import Phone
from companion.serve.feed import Feed
from companion.store import Changes, Store
from tests.serve.conftest import Outside
from tests.serve.test_together import begin

POSTGRES = os.environ.get("COMPANION_TEST_POSTGRES")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_two_servers_share_a_clubs_rounds(tmp_path: Path, kind: str) -> None:
    if kind == "postgres" and not POSTGRES:
        pytest.skip("no PostgreSQL here")
    place = (
        POSTGRES.replace("postgresql:", "postgresql+psycopg:")
        if kind == "postgres" and POSTGRES
        else str(tmp_path / "club.db")
    )
    north = Outside(tmp_path / "north", "--store", place, "--port", "0")
    south = Outside(tmp_path / "south", "--store", place, "--port", "0")

    async def visit() -> None:
        one = await Phone(north.link, timeout=120).join()
        await begin(one, "shared")
        other = await (await Phone(south.link, timeout=120).join()).open("/card")
        await other.until(lambda: "cell-0-1" in other.controls)
        heard = len(other.texts)
        await one.tap("cell-0-1")
        await one.tap("strokes-8")
        await other.until(lambda: len(other.texts) > heard)
        heard = len(one.texts)
        await other.tap("cell-0-2")
        await other.tap("strokes-2")
        await one.until(lambda: len(one.texts) > heard)
        assert not one.crashes
        assert not other.crashes
        await one.leave()
        await other.leave()

    with north, south:
        asyncio.run(visit())
    with Store.open(place) as store:
        round = store.current_round()
        assert round is not None
        assert [entry.strokes for entry in round.entries] == [8, 2]


async def test_a_feed_tells_of_others_once(tmp_path: Path) -> None:
    mine, theirs = Store.open(tmp_path / "a.db"), Store.open(tmp_path / "a.db")
    feed = Feed(mine)
    told: list[Changes] = []
    end = feed.subscribe(told.append)
    follower = asyncio.ensure_future(feed.follow())
    mine.new_round(["Anna"])
    await asyncio.sleep(1.5)
    assert len(told) == 1  # at once, and not a second time when the others are looked for
    round = theirs.new_round(["Bo"])
    for _ in range(100):
        if len(told) > 1:
            break
        await asyncio.sleep(0.1)
    assert ("round", round.id) in told[-1].subjects
    end()
    mine.new_round(["Cia"])
    await asyncio.sleep(0.1)
    assert len(told) == 2
    follower.cancel()
    for store in (mine, theirs):
        store.close()
