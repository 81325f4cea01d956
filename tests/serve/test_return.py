"""A phone that lost its cookie is a new device; the owner of the computer brings it back to its rounds."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("flet_web")
from companion.cli.commands import run
from companion.game import Rules
from companion.serve.access import RETURN_SECONDS, Access
from companion.store import Store
from tests.serve.conftest import Inside
from tests.serve.test_access import Clock


def command(folder: Path, *words: str) -> tuple[int, str]:
    """Run `companion serve` with some words; its exit status and what it wrote."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = run(["serve", "--folder", str(folder), *words])
    return status, said.getvalue()


def phone(server: Inside, code: str | None = None) -> httpx.Client:
    """A phone that came in with a code, the server's own where none is given."""
    client = httpx.Client(base_url=server.root, headers={"User-Agent": "iPhone Safari"})
    answer = client.get("/join", params={"token": code or server.server.access.token})
    assert answer.status_code == (303 if code is None else answer.status_code)
    return client


def device(server: Inside, client: httpx.Client) -> str | None:
    return server.server.access.device_of(next(iter(client.cookies.values()), None))


def rounds(server: Inside, device: str) -> list[str]:
    """The names of the rounds that a device alone sees."""
    server.server.main_for(device)
    return [round.name for round in server.server._devices[device][0].own.rounds()]


def plays(server: Inside, device: str, name: str) -> None:
    server.server.main_for(device)
    server.server._devices[device][0].new_round(["Anna"], Rules(), name=name)


def test_a_phone_that_lost_its_cookie_has_its_rounds_again(inside: Inside) -> None:
    first = phone(inside)
    was = device(inside, first)
    assert was
    plays(inside, was, "before")
    first.cookies.clear()
    again = phone(inside)
    new = device(inside, again)
    assert new
    assert new != was
    assert rounds(inside, new) == []
    plays(inside, new, "meanwhile")
    lost = next(iter(again.cookies.values()))

    folder = inside.folder / "serve"
    inside.server.access.doors = (inside.root,)
    status, said = command(folder, "--json", "--devices")
    assert status == 0
    known = {found["device"]: found for found in json.loads(said)["devices"]}
    assert known[was]["players"] == ["Anna"]
    assert known[was]["rounds"] == 1
    status, said = command(folder, "--json", "--return", was[:8])
    assert status == 0
    made = json.loads(said)
    assert made["device"] == was
    assert made["links"] == [f"{inside.root}/join?token={made['code']}"]

    answer = again.get(made["links"][0])
    assert answer.status_code == 303
    assert device(inside, again) == was
    assert sorted(rounds(inside, was)) == ["before", "meanwhile"]
    assert rounds(inside, new) == ["meanwhile"]  # copied, not moved
    assert inside.server.access.device_of(lost) is None
    with httpx.Client(base_url=inside.root) as other:
        assert other.get("/join", params={"token": made["code"]}).status_code == 403  # it was good for once
    again.close()
    first.close()


def test_the_code_can_be_typed_and_looking_uses_nothing_up(inside: Inside) -> None:
    was = device(inside, phone(inside))
    assert was
    code = inside.server.access.offer_return(was)
    with httpx.Client(base_url=inside.root) as client:
        client.head("/join", params={"token": code})
        answer = client.post("/join", data={"token": code.lower().replace("-", " ")})
        assert answer.status_code == 303
        assert device(inside, client) == was
        assert len([found for found in inside.server.access.devices() if found.id == was]) == 1


def test_who_is_in_and_comes_with_the_servers_code_stays_who_it_is(inside: Inside) -> None:
    client = phone(inside)
    was = device(inside, client)
    client.get(inside.link)
    assert device(inside, client) == was


def test_a_code_from_before_brings_nobody_back(tmp_path: Path) -> None:
    clock = Clock()
    access = Access(tmp_path / "access.db", clock=clock)
    _, made = access.open_session("iPhone Safari")
    late = access.offer_return(made.id)
    clock.now += RETURN_SECONDS + 1
    assert access.take_return(late) is None
    replaced, code = access.offer_return(made.id), access.offer_return(made.id)
    assert access.take_return(replaced) is None
    assert access.take_return(code) == made.id
    assert access.take_return(code) is None
    for gone in (
        lambda: access.revoke(made.id),
        lambda: access.revoke("all"),
        lambda: access.delete(made.id),
    ):
        code = access.offer_return(made.id)
        gone()
        assert access.take_return(code) is None
    access.offer_return(made.id)
    assert access.take_return(access.offer_return(made.id)) is None  # what was deleted is not brought back
    access.close()


def test_no_other_text_brings_back(tmp_path: Path) -> None:
    access = Access(tmp_path / "access.db")
    _, made = access.open_session("iPhone Safari")
    code = access.offer_return(made.id)
    for typed in ("", made.id, access.token, code[:-1], code + "2", "' OR 1 --", "\ud800"):
        assert access.take_return(typed) is None
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert code.encode() not in stored
    assert code.replace("-", "").encode() not in stored
    assert access.take_return(code) == made.id
    access.close()


def test_wrong_codes_slow_down_those_who_guess_to_come_back(tmp_path: Path) -> None:
    with Inside(tmp_path) as server:
        access = server.server.access
        _, made = access.open_session("iPhone Safari")
        code = access.offer_return(made.id)
        with httpx.Client(base_url=server.root) as client:
            statuses = [client.get("/join", params={"token": f"guess-{n}"}).status_code for n in range(6)]
            assert statuses[-1] == 429
            assert client.get("/join", params={"token": code}).status_code == 429
        assert access.take_return(code) == made.id  # waiting costs no code


@pytest.mark.parametrize("name", ["", "zz", "abc", "all", "../..", "ffffffff"])
def test_only_a_device_that_is_known_is_brought_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    status, said = command(tmp_path, "--return", name)
    assert (status, said) == (2, "")
    assert capsys.readouterr().err.count("\n") == 1


def test_a_device_whose_session_is_long_over_is_found_by_its_rounds(tmp_path: Path) -> None:
    for name, player in (("aaaa000000000000", "Åsa"), ("aaaa111111111111", "Bo")):
        with Store.open(tmp_path / "devices" / name / "rounds.db") as store:
            store.new_round([player])
    status, said = command(tmp_path, "--devices")
    assert status == 0
    assert "1 of Åsa; last 2" in " ".join(said.split())
    assert command(tmp_path, "--return", "aaaa")[0] == 2  # which of the two?
    status, said = command(tmp_path, "--return", "aaaa1")
    assert status == 0
    assert "good for once" in said
    access = Access(tmp_path / "access.db")
    code: Any = next(word.strip(",") for word in said.split() if word.count("-") == 3)
    assert access.take_return(code) == "aaaa111111111111"
    access.close()
