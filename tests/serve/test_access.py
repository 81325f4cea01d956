from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.serve.access import IDLE_SECONDS, Access, new_token
from companion.serve.throttle import FREE, Throttle


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def access(tmp_path: Path) -> Access:
    return Access(tmp_path / "access.db", clock=Clock())


def test_a_token_is_taken_as_people_type_it(access: Access) -> None:
    assert access.is_token(access.token)
    assert access.is_token(access.token.lower().replace("-", " "))
    assert not access.is_token(access.token[:-1])
    assert not access.is_token("")
    assert new_token() != new_token()


@given(st.text(max_size=60))
def test_no_other_text_is_the_token(typed: str) -> None:
    access = Access.__new__(Access)
    access.token = "ABCD-EFGH-JKMN-PQRS"
    plain = "".join(sign for sign in typed.upper() if sign.isalnum())
    assert access.is_token(typed) is (plain == "ABCDEFGHJKMNPQRS")


def test_sessions_survive_a_restart_and_end_when_revoked(tmp_path: Path) -> None:
    first = Access(tmp_path / "access.db")
    secret, device = first.open_session("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Safari/604.1")
    first.close()
    again = Access(tmp_path / "access.db")
    assert again.device_of(secret) == device.id
    assert [found.browser for found in again.devices()] == ["iPhone Safari"]
    assert again.revoke(device.id[:6]) == 1
    assert again.device_of(secret) is None
    assert again.revoke("all") == 0


def test_the_file_holds_no_secret(tmp_path: Path) -> None:
    access = Access(tmp_path / "access.db")
    secret, _ = access.open_session("Firefox")
    access.close()
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret.encode() not in held
    assert access.token.encode() not in held
    assert (tmp_path / "access.db").stat().st_mode & 0o077 == 0


def test_a_session_ends_when_it_is_not_used(tmp_path: Path) -> None:
    clock = Clock()
    access = Access(tmp_path / "access.db", clock=clock)
    secret, device = access.open_session("Chrome")
    clock.now += IDLE_SECONDS - 1
    assert access.device_of(secret) == device.id
    clock.now += IDLE_SECONDS + 1
    assert access.device_of(secret) is None


@pytest.mark.parametrize("cookie", [None, "", "x", "x" * 5000, "\x00", "å", "' OR 1=1 --"])
def test_what_is_no_cookie_lets_nobody_in(access: Access, cookie: str | None) -> None:
    assert access.device_of(cookie) is None


@pytest.mark.parametrize("name", ["", "%", "a' OR 1=1", "abc", "ALL"])
def test_only_names_are_revoked(access: Access, name: str) -> None:
    access.open_session("Chrome")
    assert access.revoke(name) == 0
    assert len(access.devices()) == 1


def test_wrong_tokens_wait_longer_and_longer() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    waits = []
    for _ in range(FREE + 6):
        waits.append(throttle.wait("192.0.2.7"))
        clock.now += waits[-1]
        throttle.wrong("192.0.2.7")
    assert waits[: FREE + 1] == [0.0] * (FREE + 1)
    assert waits[FREE + 1 :] == sorted(waits[FREE + 1 :])
    assert waits[-1] >= 16
    assert throttle.wait("192.0.2.8") == 0.0
    throttle.right("192.0.2.7")
    assert throttle.wait("192.0.2.7") == 0.0


def test_a_home_of_ipv6_addresses_is_one_address() -> None:
    throttle = Throttle(Clock())
    for number in range(FREE + 1):
        throttle.wrong(f"2001:db8::{number}")
    assert throttle.wait("2001:db8::ffff") > 0
    assert throttle.wait("2001:db8:1::1") == 0


def test_the_memory_of_wrong_tokens_is_bounded() -> None:
    throttle = Throttle(Clock())
    for number in range(6000):
        throttle.wrong(f"10.{number // 65536}.{number // 256 % 256}.{number % 256}")
    assert len(throttle._wrong) <= 4096
