"""Several phones: shared rounds seen at once, private ones not, scans apart from the loop."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

from bench.phone import Phone
from companion.store import Store
from tests.app.fakes import FakeReader, deal, document, photo
from tests.serve.conftest import Inside


async def begin(phone: Phone, who: str) -> None:
    """A new round, `shared` or `private`, on the card."""
    await phone.open("/card/new")
    if who == "private":
        await phone.tap("shared-private")
    await phone.tap("begin-round")
    await phone.until(lambda: "cell-0-1" in phone.controls)


def test_phones_share_a_round_and_see_each_stroke(inside: Inside) -> None:
    async def visit() -> float:
        one = await Phone(inside.link).join()
        await begin(one, "shared")
        other = await (await Phone(inside.link).join()).open("/card")
        await other.until(lambda: "cell-0-1" in other.controls)
        heard = len(other.texts)
        await one.tap("cell-0-1")
        began = time.perf_counter()
        await one.tap("strokes-7")
        await other.until(lambda: len(other.texts) > heard)
        seen = time.perf_counter() - began
        # And the other way, while the first one looks on.
        heard = len(one.texts)
        await other.tap("cell-0-2")
        await other.tap("strokes-3")
        await one.until(lambda: len(one.texts) > heard)
        assert not one.crashes
        assert not other.crashes
        await one.leave()
        await other.leave()
        return seen

    seen = asyncio.run(visit())
    round = inside.store.current_round()
    assert round is not None
    assert [score.strokes for score in round.entries] == [7, 3]
    assert seen < 10


def test_a_private_round_is_seen_by_its_device_only(tmp_path: Path) -> None:
    async def visit(inside: Inside) -> None:
        one = await Phone(inside.link).join()
        await begin(one, "private")
        await one.tap("cell-0-1")
        await one.tap("strokes-5")
        other = await (await Phone(inside.link).join()).open("/card")
        await other.until(lambda: "new-round" in other.controls)
        assert "cell-0-1" not in other.controls
        assert inside.store.rounds() == ()
        # The same device finds it again, in a new page.
        await one.close()
        one.controls.clear()
        one.session = None
        await one.open("/card")
        await one.until(lambda: "cell-0-1" in one.controls)
        await one.leave()
        await other.leave()

    with Inside(tmp_path) as inside:
        asyncio.run(visit(inside))
        own = [
            Store.open(path, read_only=True)
            for path in (inside.folder / "serve" / "devices").glob("*/rounds.db")
        ]
        assert sorted(len(store.rounds()) for store in own) == [0, 1]


class Gate(FakeReader):
    """Reads no photo before it is opened."""

    def __init__(self) -> None:
        super().__init__(document(deal()))
        self.inside = threading.Semaphore(0)
        self.open = threading.Event()

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        self.inside.release()
        assert self.open.wait(60)
        return super().read(photo, decks, jokers)


def test_while_ten_photos_are_read_everybody_is_answered(tmp_path: Path) -> None:
    reader = Gate()

    async def visit(inside: Inside) -> None:
        phones = [await (await Phone(inside.link).join()).open("/scan") for _ in range(10)]
        scans = [asyncio.ensure_future(phone.scan(photo())) for phone in phones]
        for _ in phones:
            assert await asyncio.to_thread(reader.inside.acquire, timeout=60)
        # All ten are being read now, and none is done: a page, and a stroke, are answered all the same.
        watcher = await Phone(inside.link).join()
        assert (await watcher.http.get("/")).status_code == 200
        await begin(watcher, "private")
        await watcher.tap("cell-0-1")
        assert not any(scan.done() for scan in scans)
        reader.open.set()
        await asyncio.gather(*scans)
        assert all("view-photo" in phone.controls for phone in phones)
        for phone in [*phones, watcher]:
            await phone.leave()

    with Inside(tmp_path, reader) as inside:
        asyncio.run(visit(inside))
        assert list((inside.folder / "uploads").iterdir()) == []
