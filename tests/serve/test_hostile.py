"""Hostile photos on the way that every photo takes: a real server, its processes, the real models."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from bench.phone import Phone
from companion.app.services import pictures
from companion.serve.errors import ServeError
from companion.serve.services import _read, _shown
from companion.serve.workers import Workers
from companion.vision import PhotoError, open_photo
from tests.serve import hostile
from tests.serve.conftest import Outside

GOOD = (Path(__file__).parents[1] / "browser" / "table.jpg").read_bytes()


@pytest.mark.parametrize("kind", tuple(hostile.photos(GOOD)), ids=lambda kind: kind[0])
def test_a_hostile_photo_is_read_or_refused_in_a_sentence(kind: hostile.Hostile) -> None:
    _, data, said = kind
    for opening in (open_photo, pictures.shown):
        sentence = ""
        try:
            opening(data)
        except PhotoError as error:
            sentence = str(error)
        assert said in sentence
        assert "\n" not in sentence
        assert "object at" not in sentence


@pytest.mark.slow
def test_the_server_answers_every_hostile_photo_and_then_a_good_one(tmp_path: Path) -> None:
    server = Outside(tmp_path, "--store", str(tmp_path / "rounds.db"), "--port", "0")
    kinds = [*hostile.photos(GOOD), ("forty megapixels", hostile.large_but_good(), "")]

    async def visit() -> None:
        for begin in range(0, len(kinds), 15):  # a device may send thirty a minute
            phone = await (await Phone(server.link, timeout=120).join()).open("/scan")
            for name, data, said in kinds[begin : begin + 15]:
                await phone.scan(data)
                if said or "scan-trouble" in phone.controls:
                    (sentence,) = phone.shown("scan-trouble")
                    assert sentence[0].isupper(), name
                    assert "\n" not in sentence, name
                    assert "object at" not in sentence, name
                else:
                    await phone.put_away()
                assert phone.crashes == [], name
            await phone.scan(GOOD)
            assert "scan-trouble" not in phone.controls
            await phone.leave()

    with server:
        asyncio.run(visit())
    log = (tmp_path / "log").read_text()
    assert " error " not in log
    assert "Traceback" not in log


@pytest.mark.slow
def test_a_photo_without_end_is_stopped_and_the_next_one_read() -> None:
    workers = Workers(1, most=4, seconds=60)
    try:
        assert len(workers.call(_read, GOOD, 1, 0)["cards"]) > 20
        workers.seconds = 3
        endless = hostile.endless()
        for job, more in ((_shown, ()), (_read, (1, 0))):
            begun = time.monotonic()
            with pytest.raises(ServeError, match="longer than 3 seconds"):
                workers.call(job, endless, *more)
            assert time.monotonic() - begun < 15
        workers.seconds = 60
        assert len(workers.call(_read, GOOD, 1, 0)["cards"]) > 20
    finally:
        workers.close()


@pytest.mark.slow
def test_a_photo_is_read_though_its_process_is_killed(tmp_path: Path) -> None:
    server = Outside(tmp_path, "--store", str(tmp_path / "rounds.db"), "--port", "0")

    async def visit() -> None:
        phone = await (await Phone(server.link, timeout=120).join()).open("/scan")
        reading = asyncio.ensure_future(phone.scan(GOOD))
        while not _busy(server.process.pid) and not reading.done():
            await asyncio.sleep(0.02)
        for pid in _workers(server.process.pid):
            os.kill(pid, signal.SIGKILL)
        await reading
        assert "scan-trouble" not in phone.controls
        await phone.put_away()
        await phone.scan(GOOD)
        assert "scan-trouble" not in phone.controls
        await phone.leave()

    with server:
        asyncio.run(visit())


def _workers(server: int) -> list[int]:
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return [pid for pid in map(int, children) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def _busy(server: int) -> bool:
    """Whether one of the server's processes is at work."""
    return any(
        Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "R" for pid in _workers(server)
    )
