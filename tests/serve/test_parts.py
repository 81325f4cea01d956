"""The device's rounds, the processes, the certificate, the log."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import ssl
import time
from pathlib import Path

import pytest
from cryptography import x509

from companion.game import Position, Rules, full_deck
from companion.serve.certificate import certificate
from companion.serve.errors import Busy, ServeError
from companion.serve.feed import Feed
from companion.serve.log import Formatter
from companion.serve.rounds import DeviceStore
from companion.serve.workers import Workers
from companion.store import Store


async def make(tmp_path: Path) -> DeviceStore:
    own, shared = Store.open(tmp_path / "own.db"), Store.open(tmp_path / "shared.db")
    return DeviceStore(own, shared, Feed(shared), Feed(own))


async def test_a_player_in_both_stores_is_one_person(tmp_path: Path) -> None:
    device = await make(tmp_path)
    mine = device.new_round(["Åsa", "Bo"])
    theirs = device.new_shared_round(["åsa", "Cia"])
    assert [player.name.casefold() for player in device.players()] == ["bo", "cia", "åsa"]
    asa = theirs.players[0].id
    assert device.round(mine.id).players[0].id == asa
    device.enter_hole(mine.id, asa, left=3)
    device.enter_hole(theirs.id, asa, left=5)
    assert device.round(mine.id).score(asa, 1).strokes == 3  # type: ignore[union-attr]
    assert device.shared.round(theirs.id).score(asa, 1).strokes == 5  # type: ignore[union-attr]
    device.correct_hole(mine.id, asa, 1, left=4)
    assert device.take_back(mine.id, asa, 1).score(asa, 1) is None
    assert {round.id for round in device.rounds()} == {mine.id, theirs.id}
    assert {round.id for round in device.rounds(player=asa)} == {mine.id, theirs.id}
    assert device.is_shared(theirs.id)
    assert not device.is_shared(mine.id)
    assert [round.id for round in device.shared.rounds()] == [theirs.id]
    archive = device.archive()
    assert {round.id for round in archive.rounds} == {mine.id, theirs.id}
    with Store.open(tmp_path / "elsewhere.db") as elsewhere:
        elsewhere.merge(archive)
        assert len(elsewhere.players()) == 3
    device.close()
    device.shared.close()


def test_the_devices_rounds_are_a_store_to_the_app() -> None:
    """The list of earlier games was asked for what they lacked, and no screen of play opened."""
    asked = set()
    for file in (Path(__file__).parents[2] / "companion" / "app").rglob("*.py"):
        asked |= set(re.findall(r"\b_?store\.([a-z]\w*)\b", file.read_text("utf-8")))
    known = {name for name in asked if hasattr(Store, name)}
    assert {"games", "step", "new_round"} <= known
    assert [name for name in sorted(known) if not hasattr(DeviceStore, name)] == []


async def test_earlier_games_are_the_devices_own(tmp_path: Path) -> None:
    device = await make(tmp_path)
    start = Position.deal(Rules(), full_deck(Rules()))
    theirs = device.new_shared_round(["Cia"])
    mine = [device.new_game(start).id for _ in range(3)]
    other = device.new_game(start, round=theirs.id, player=theirs.players[0].id, hole=1)
    assert {game.id for game in device.games()} == set(mine)
    assert len(device.games(newest=1)) == 1
    assert [game.id for game in device.games(round=theirs.id)] == [other.id]
    device.close()
    device.shared.close()


async def test_games_and_scans_stay_private_unless_their_round_is_shared(tmp_path: Path) -> None:
    device = await make(tmp_path)
    start = Position.deal(Rules(), full_deck(Rules()))
    scan = device.add_scan('{"columns": []}')
    theirs = device.new_shared_round(["Åsa"])
    alone = device.new_game(start, scan=scan.id)
    shared = device.new_game(start, round=theirs.id, player=theirs.players[0].id, hole=1, scan=scan.id)
    assert [game.id for game in device.own.games()] == [alone.id]
    assert [game.id for game in device.shared.games()] == [shared.id]
    assert device.shared.scans() == ()
    device.step(alone.id, "hint")
    entered = device.enter_game(theirs.id, theirs.players[0].id, alone.id, hole=1)
    score = entered.score(theirs.players[0].id, 1)
    assert score is not None
    assert (score.strokes, score.hinted) == (35, True)
    device.close()
    device.shared.close()


# --- processes ---


def test_jobs_are_bounded_in_time_and_number_and_survive_a_dead_process() -> None:
    workers = Workers(1, most=2, seconds=60)
    try:
        assert workers.call(abs, -3) == 3
        with pytest.raises(ServeError, match="broke off"):
            workers.call(os._exit, 3)
        assert workers.call(abs, -4) == 4
        with pytest.raises(ZeroDivisionError):
            workers.call(divmod, 1, 0)
        workers.seconds = 1.0
        begun = time.monotonic()
        with pytest.raises(ServeError, match="longer than 1 second"):
            workers.call(time.sleep, 30)
        assert time.monotonic() - begun < 10
        workers.seconds = 60
        assert workers.call(abs, -5) == 5
    finally:
        workers.close()


async def test_too_many_jobs_are_refused_at_once() -> None:
    workers = Workers(1, most=2, seconds=60)
    try:
        running = [asyncio.ensure_future(asyncio.to_thread(workers.call, time.sleep, 1)) for _ in range(2)]
        await asyncio.sleep(0.2)
        with pytest.raises(Busy):
            workers.call(abs, 1)
        await asyncio.gather(*running)
        assert workers.call(abs, -1) == 1
    finally:
        workers.close()


# --- certificate ---


def test_a_phone_that_trusts_the_authority_trusts_the_server_and_nothing_else(tmp_path: Path) -> None:
    papers = certificate(tmp_path, ["192.168.7.5"])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(papers.chain, papers.key)
    trust = ssl.create_default_context(cadata=papers.authority)
    for name, good in (
        ("192.168.7.5", True),
        ("localhost", True),
        ("192.168.7.6", False),
        ("bank.example", False),
    ):
        to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
        server = context.wrap_bio(to_server, to_client, server_side=True)
        client = trust.wrap_bio(to_client, to_server, server_hostname=name)
        assert _shake(client, server) is good, name
    authority = x509.load_der_x509_certificate(papers.authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert limits.value.permitted_subtrees
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.glob("*.key"))
    # Kept from one start to the next; a new address needs a new certificate, of the same authority.
    again = certificate(tmp_path, ["192.168.7.5"])
    before = again.chain.read_bytes()
    assert before == papers.chain.read_bytes()
    moved = certificate(tmp_path, ["10.0.0.9"])
    assert moved.chain.read_bytes() != before
    assert moved.fingerprint == papers.fingerprint


def _shake(client: ssl.SSLObject, server: ssl.SSLObject) -> bool:
    for _ in range(6):
        for end in (client, server):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError:
                return False
    return True


# --- log ---


def test_the_log_quotes_nobody() -> None:
    try:
        raise ValueError("secret photo bytes")
    except ValueError:
        import sys

        said = ("flet", logging.ERROR, __file__, 1, "message with %s", ("a token",), sys.exc_info())
    line = Formatter().format(logging.LogRecord(*said))
    assert "token" not in line
    assert "secret" not in line
    assert "ValueError at serve/test_parts.py" in line
