"""What a device kept is gone when it is deleted, also while its page is open; what is not kept is nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import json
import time
from pathlib import Path

import pytest

from bench.phone import Phone
from companion.cli.commands import run
from companion.serve.access import Access
from companion.store import Store
from tests.serve.conftest import Outside

PHOTO = (Path(__file__).parents[1] / "browser" / "table.jpg").read_bytes()


def command(*words: str) -> tuple[int, str]:
    """Run `companion serve` with some words; its exit status and what it wrote."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = run(["serve", "--json", *words])
    return status, said.getvalue()


@pytest.mark.slow
def test_a_device_is_deleted_while_it_is_there(tmp_path: Path) -> None:
    server = Outside(tmp_path, "--store", str(tmp_path / "rounds.db"), "--port", "0")
    folder = tmp_path / "serve"

    async def visit() -> None:
        other = await (await Phone(server.link, timeout=120).join()).open("/card/new")
        await other.tap("begin-round", shows="cell-0-1")
        (kept,) = (folder / "devices").iterdir()
        phone = await (await Phone(server.link, timeout=120).join()).open("/card/new")
        await phone.tap("shared-private")
        await phone.tap("begin-round", shows="cell-0-1")
        phone.forget("scan-file")
        await phone.go("/scan")
        await phone.scan(PHOTO)
        (place,) = (path for path in (folder / "devices").iterdir() if path != kept)
        assert (place / "scan.jpg").exists()
        assert (place / "rounds.db-wal").exists()
        assert _holds(tmp_path, hashlib.sha256(PHOTO).hexdigest().encode())
        assert not _holds(server.temporary, PHOTO[5000:5040])  # it was read, and removed
        status, said = await asyncio.to_thread(command, "--folder", str(folder), "--delete", place.name[:6])
        assert status == 0
        let_in = [found["device"] for found in json.loads(said)["devices"] if found["made"]]
        assert let_in == [kept.name]
        # The page is open still: whatever it does until it is cut off, nothing of it comes back.
        for _ in range(100):
            if not phone.connected:
                break
            with contextlib.suppress(ConnectionError):
                await phone.go("/card")
                await phone.go("/play")
            await asyncio.sleep(0.1)
        assert not phone.connected
        until = time.monotonic() + 20
        while place.exists() and time.monotonic() < until:
            await asyncio.sleep(0.2)
        await asyncio.sleep(2.5)
        assert not place.exists()
        assert not _holds(tmp_path, hashlib.sha256(PHOTO).hexdigest().encode())
        await other.tap("cell-0-1", shows="strokes-5")  # nobody else notices
        await other.tap("strokes-5", says="Hole 1,")
        assert kept.exists()
        await other.leave()
        await phone.leave()

    with server:
        asyncio.run(visit())
    assert list(server.temporary.glob("companion-*")) == []


def test_those_who_were_revoked_are_deleted_too(tmp_path: Path) -> None:
    access = Access(tmp_path / "access.db")
    devices = [access.open_session("Chrome")[1].id for _ in range(3)]
    access.close()
    for device in devices:
        Store.open(tmp_path / "devices" / device / "rounds.db").close()
    folder = ("--folder", str(tmp_path))
    assert command(*folder, "--revoke", devices[0])[0] == 0
    listed = json.loads(command(*folder, "--devices")[1])["devices"]
    assert {found["device"] for found in listed} == set(devices)
    assert [found["device"] for found in listed if found["made"] is None] == [devices[0]]
    assert command(*folder, "--delete", devices[0])[0] == 0
    assert sorted(path.name for path in (tmp_path / "devices").iterdir()) == sorted(devices[1:])
    for wrong in ("", "..", "../..", "f", "%", devices[0][:3], "zzzz"):
        assert command(*folder, "--delete", wrong)[0] == 2, wrong
        assert command(*folder, "--revoke", wrong)[0] == 2, wrong
    assert len(list((tmp_path / "devices").iterdir())) == 2
    assert command(*folder, "--delete", "all")[0] == 0
    assert list((tmp_path / "devices").iterdir()) == []


def _holds(folder: Path, secret: bytes) -> bool:
    return any(secret in path.read_bytes() for path in folder.rglob("*") if path.is_file())
