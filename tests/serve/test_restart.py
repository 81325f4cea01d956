"""The server is killed, as by a power cut, and started again: every phone goes on where it was."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from bench.phone import Phone
from companion.game.round import Round
from companion.store import Store
from tests.serve.conftest import Outside

HOLES = 6
PHOTO = (Path(__file__).parents[1] / "browser" / "table.jpg").read_bytes()


class Place:
    """A server that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "rounds.db"
        self.server = Outside(folder, "--store", str(self.store), "--port", "0")
        self.port = self.server.link.split(":")[2].split("/")[0]

    def kill(self) -> None:
        self.server.kill()
        self.server = Outside(self.folder, "--store", str(self.store), "--port", self.port)

    def rounds(self) -> list[Round]:
        """Everybody's, shared and private."""
        found: list[Round] = []
        for path in (self.store, *(self.folder / "serve" / "devices").glob("*/rounds.db")):
            with Store.open(path, read_only=True) as store:
                found += store.rounds()
        return found


@pytest.mark.slow
def test_every_screen_is_as_it_was(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def visit() -> None:
        link = place.server.link
        shared = await (await Phone(link, timeout=120).join()).open("/card/new")
        await shared.tap("begin-round", shows="cell-0-1")
        await shared.tap("cell-0-1", shows="strokes-4")
        await shared.tap("strokes-4", says="Hole 1,")
        await shared.tap("cell-0-2", shows="strokes-1")  # the keys are open when it happens

        private = await (await Phone(link, timeout=120).join()).open("/card/new")
        await private.tap("shared-private")
        await private.tap("begin-round", shows="cell-0-1")
        await private.tap("cell-0-1", shows="strokes-6")
        await private.tap("strokes-6", says="Hole 1,")

        reading = await (await Phone(link, timeout=120).join()).open("/scan")
        await reading.scan(PHOTO)
        await reading.until(lambda: "view-photo" in reading.controls)

        typing = await (await Phone(link, timeout=120).join()).open("/play")
        await typing.tap("begin-type")
        await asyncio.sleep(1)

        settings = await (await Phone(link, timeout=120).join()).open("/settings")
        await settings.tap("language-sv")
        await asyncio.sleep(1)

        phones = {
            "/card": shared,
            "/card/": private,
            "/scan": reading,
            "/play": typing,
            "/settings": settings,
        }
        before = {route: await phone.reload(route) for route, phone in phones.items()}
        assert all(len(texts) > 5 for texts in before.values())
        place.kill()
        for route, phone in phones.items():
            assert await phone.reload(route) == before[route], route
            assert phone.crashes == []
        await shared.tap("strokes-2", says="Hole 2,")
        await private.tap("cell-0-2", shows="strokes-3")
        await private.tap("strokes-3", says="Hole 2,")
        for phone in phones.values():
            await phone.leave()

    try:
        asyncio.run(visit())
    finally:
        place.server.stop()
    assert sorted([e.strokes for e in round.entries] for round in place.rounds()) == [[4, 2], [6, 3]]
    log = (tmp_path / "log").read_text()
    assert "Traceback" not in log


def said(phone: Phone, hole: int, strokes: int) -> bool:
    """Whether the card, as it was last drawn, has that score."""
    words = re.compile(rf"^Hole {hole}, .*: {strokes} strokes?\b", re.MULTILINE)
    return any(words.search(text) for text in phone.texts)


@pytest.mark.slow
def test_killed_at_any_moment_no_acknowledged_stroke_is_lost(tmp_path: Path) -> None:
    place, chance = Place(tmp_path), random.Random(3)
    acknowledged: list[dict[int, int]] = [{} for _ in range(4)]

    async def score(phone: Phone, number: int) -> None:
        """Enter hole after hole until the server is gone."""
        known = acknowledged[number]
        open_already = "strokes-1" in phone.controls  # the keys of a hole, when it happened
        while (hole := len(known) + 1) <= HOLES:
            strokes = 1 + (number + hole) % 9
            if said(phone, hole, strokes):
                # Written before the server could say so: the same again changes nothing on the card.
                known[hole] = strokes
                if open_already:
                    await phone.tap("pad-close")
                    open_already = False
                continue
            if not open_already:
                await phone.tap(f"cell-0-{hole}", shows=f"strokes-{strokes}")
            open_already = False
            await phone.tap(f"strokes-{strokes}", says=f"Hole {hole},")
            known[hole] = strokes
            await asyncio.sleep(0.3)

    async def visit() -> None:
        phones = []
        for number in range(4):
            phone = await (await Phone(place.server.link, timeout=120).join()).open("/card/new")
            if number % 2:
                await phone.tap("shared-private")
            await phone.tap("begin-round", shows="cell-0-1")
            phones.append(phone)
        for _ in range(3):
            scoring = [asyncio.ensure_future(score(phone, number)) for number, phone in enumerate(phones)]
            already = sum(map(len, acknowledged))
            while sum(map(len, acknowledged)) == already:
                await asyncio.sleep(0.05)
            await asyncio.sleep(chance.uniform(0, 0.5))
            place.kill()
            ended = await asyncio.gather(*scoring, return_exceptions=True)
            assert all(isinstance(error, ConnectionError | OSError | None) for error in ended), ended
            for phone in phones:
                await phone.reload("/card")
                assert phone.crashes == []
        await asyncio.gather(*(score(phone, number) for number, phone in enumerate(phones)))
        for phone in phones:
            await phone.leave()

    try:
        asyncio.run(visit())
    finally:
        place.server.stop()
    rounds = place.rounds()
    assert len(rounds) == 4
    kept = [
        {hole: round.score(round.players[0].id, hole) for hole in range(1, HOLES + 1)} for round in rounds
    ]
    strokes = [{hole: score.strokes for hole, score in card.items() if score} for card in kept]
    for known in acknowledged:
        assert len(known) == HOLES
        assert known in strokes
