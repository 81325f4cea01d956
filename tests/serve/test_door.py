"""Who comes in, what is served, and what is not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import msgpack
import pytest
import websockets
from flet_web.uploads import build_upload_url
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.phone import Phone
from companion.serve import headers
from companion.serve.connection import is_greeting
from companion.serve.throttle import FREE
from tests.serve.conftest import Inside

FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def stranger(inside: Inside) -> httpx.Client:
    return httpx.Client(base_url=inside.root)


@pytest.fixture(scope="module")
def guest(inside: Inside) -> httpx.Client:
    """A device that came in by the link."""
    client = httpx.Client(base_url=inside.root)
    answer = client.get(inside.link)
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    return client


def test_large_files_come_compressed_to_who_takes_it(guest: httpx.Client, stranger: httpx.Client) -> None:
    path = "/main.dart.mjs"
    plain = guest.get(path, headers={"Accept-Encoding": "identity"})
    packed = guest.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert packed.content == plain.content
    same = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]}
    assert guest.get(path, headers=same).status_code == 304
    assert guest.get("/no/such.wasm", headers={"Accept-Encoding": "gzip"}).status_code == 404
    assert stranger.get(path, headers={"Accept-Encoding": "gzip"}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/main.dart.js",
        "/card",
        "/index.html",
        "/fonts/CompanionSans-Regular.ttf",
        "/upload",
        "/ws",
        "/.git/config",
    ],
)
def test_a_stranger_sees_the_door_only(stranger: httpx.Client, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code in (403, 405)
    assert "flutter" not in answer.text


@pytest.mark.parametrize("path", ["/manifest.json", "/icons/icon-512.png", "/favicon.png"])
def test_what_makes_it_installable_is_open(stranger: httpx.Client, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 200
    if path == "/manifest.json":
        manifest = answer.json()
        assert manifest["display"] == "standalone"
        assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
        for icon in manifest["icons"]:
            assert stranger.get(f"/{icon['src']}").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/%2e%2e/main.py", "/..%2f..%2fmain.py", "/main.py",
     "//etc/passwd", "/fonts/../../main.py", "/assets/%00", "/....//....//etc/passwd",
     "/oauth_callback", "/docs", "/openapi.json"],
)  # fmt: skip
def test_nothing_outside_its_folders_is_served(inside: Inside, guest: httpx.Client, path: str) -> None:
    async def raw() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", inside.port)
        cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
        writer.close()
        return answer

    answer = asyncio.run(raw())
    assert b"root:" not in answer
    assert b"import " not in answer.split(b"\r\n\r\n", 1)[-1]
    assert b"openapi" not in answer


def test_the_app_and_its_headers(guest: httpx.Client) -> None:
    page = guest.get("/")
    assert page.status_code == 200
    found = page.headers
    policy = found["content-security-policy"]
    scripts = re.search(r"script-src ([^;]+)", policy)
    assert scripts is not None
    assert "'unsafe-inline'" not in scripts[1]
    assert "'unsafe-eval'" not in scripts[1]
    assert set(headers.inline_hashes(page.content)) <= set(scripts[1].split())
    assert "frame-ancestors 'none'" in policy
    assert found["x-content-type-options"] == "nosniff"
    assert found["cache-control"] == "no-store"
    assert "server" not in found
    assert "access-control-allow-origin" not in found
    assert guest.get("/main.dart.js").headers["content-security-policy"]


def test_wrong_codes_are_slowed_down_and_right_ones_typed(tmp_path: Path) -> None:
    with Inside(tmp_path) as inside, httpx.Client(base_url=inside.root) as client:
        statuses = [client.get("/join?token=WRONG").status_code for _ in range(6)]
        assert statuses[:4] == [403] * 4
        assert statuses[-1] == 429
        # Not even the right one is looked at then: trying on is of no use.
        assert client.get(inside.link).status_code == 429
    with Inside(tmp_path) as inside, httpx.Client(base_url=inside.root) as client:
        typed = inside.server.access.token.lower()
        elsewhere = client.post(
            "/join", data={"token": typed}, headers={"Origin": "http://elsewhere.example"}
        )
        assert elsewhere.status_code == 403
        assert client.post("/join", data={"token": typed}, headers={"Origin": inside.root}).status_code == 303
        assert client.get("/").status_code == 200


async def test_codes_that_are_tried_at_the_same_time_count_one_by_one(tmp_path: Path) -> None:
    with Inside(tmp_path) as inside:
        async with httpx.AsyncClient(base_url=inside.root) as client:
            go = asyncio.Event()

            async def body(number: int) -> AsyncIterator[bytes]:
                yield b"token="
                await go.wait()  # until all of them are being waited for
                yield b"WRONG%d" % number

            async def attempt(number: int) -> int:
                form = {"Content-Type": "application/x-www-form-urlencoded"}
                return (await client.post("/join", content=body(number), headers=form)).status_code

            tried = [asyncio.ensure_future(attempt(number)) for number in range(20)]
            await asyncio.sleep(1)
            go.set()
            statuses = await asyncio.gather(*tried)
    assert statuses.count(403) == FREE + 1
    assert statuses.count(429) == 20 - FREE - 1


def test_the_cookie_lives_as_long_as_it_is_used(inside: Inside, guest: httpx.Client) -> None:
    again = guest.get("/").headers["set-cookie"]
    (name, value), *_ = guest.cookies.items()
    assert again.startswith(f"{name}={value};")
    assert f"Max-Age={90 * 24 * 3600}" in again
    assert "HttpOnly" in again
    assert "set-cookie" not in guest.get("/manifest.json").headers


def test_two_servers_on_one_computer_keep_their_cookies_apart(tmp_path: Path) -> None:
    with Inside(tmp_path / "north") as north, Inside(tmp_path / "south") as south, httpx.Client() as phone:
        assert phone.get(north.link).status_code == 303
        assert phone.get(south.link).status_code == 303
        assert phone.get(north.root).status_code == 200
        assert phone.get(south.root).status_code == 200


def test_who_is_revoked_is_cut_off(tmp_path: Path) -> None:
    async def visit(inside: Inside) -> None:
        phone = await (await Phone(inside.link).join()).open()
        device = inside.server.access.devices()[0].id
        inside.server.access.revoke(device)
        assert (await phone.http.get("/")).status_code == 403
        await asyncio.wait_for(asyncio.shield(phone._reader), 20)  # type: ignore[arg-type]
        with pytest.raises(websockets.InvalidStatus):
            await phone.open()
        await phone.leave()

    with Inside(tmp_path) as inside:
        asyncio.run(visit(inside))


def test_no_page_from_elsewhere_opens_a_socket(inside: Inside) -> None:
    async def visit() -> None:
        phone = await Phone(inside.link).join()
        phone_root, phone.root = phone.root, phone.root
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(
                phone_root.replace("http", "ws") + "/ws",
                additional_headers={"Cookie": phone.cookie},
                origin="http://elsewhere.example",  # type: ignore[arg-type]
            )
        await phone.leave()

    asyncio.run(visit())


def test_an_error_tells_a_client_nothing(guest: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.serve.uploads import Uploads

    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail in /some/path")

    monkeypatch.setattr(Uploads, "receive", broken)
    answer = guest.put("/upload?f=1")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["content-security-policy"]


# --- uploads ---


def link(inside: Inside, name: str, seconds: int = 60) -> str:
    return build_upload_url("/upload", name, seconds, _secret(inside))


def _secret(inside: Inside) -> str:
    return str(inside.server.secret)


def test_a_file_arrives_once(inside: Inside, guest: httpx.Client) -> None:
    name = "0" * 31 + "1"
    assert guest.put(link(inside, name), content=b"photo").status_code == 200
    assert (inside.folder / "uploads" / name).read_bytes() == b"photo"
    assert guest.put(link(inside, name), content=b"other").status_code == 409
    assert (inside.folder / "uploads" / name).read_bytes() == b"photo"


def test_what_is_not_taken(inside: Inside, guest: httpx.Client, stranger: httpx.Client) -> None:
    name = "0" * 31 + "2"
    good = link(inside, name)
    assert stranger.put(good, content=b"x").status_code == 403
    assert guest.put(good, content=b"x", headers={"Origin": "http://elsewhere.example"}).status_code == 403
    assert guest.put(good[:-1] + ("0" if good[-1] != "0" else "1"), content=b"x").status_code == 403
    assert guest.put(link(inside, name, -5), content=b"x").status_code == 410
    assert guest.put(link(inside, "../../x"), content=b"x").status_code == 400
    assert guest.put(good, content=b"").status_code == 400
    assert (
        sorted(path.name for path in (inside.folder / "uploads").iterdir() if path.name.startswith(name))
        == []
    )


async def test_what_says_that_it_is_too_large_is_not_waited_for(inside: Inside, guest: httpx.Client) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    target = link(inside, "0" * 31 + "4")
    reader, writer = await asyncio.open_connection("127.0.0.1", inside.port)
    head = f"PUT {target} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: 41000000\r\n\r\n"
    writer.write(head.encode())
    assert b" 413 " in await asyncio.wait_for(reader.readline(), 20)
    writer.close()


def test_a_file_has_a_largest_size_even_when_it_does_not_say_so(
    inside: Inside, guest: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.serve.uploads.LARGEST", 1000)
    name = "0" * 31 + "3"
    answer = guest.put(link(inside, name), content=(b"x" * 300 for _ in range(10)))
    assert answer.status_code == 413
    assert not (inside.folder / "uploads" / name).exists()


def test_files_that_nobody_fetches_are_removed(tmp_path: Path) -> None:
    import os

    from companion.serve.uploads import KEPT_SECONDS, Uploads

    old, new, other = (tmp_path / name for name in ("a" * 32, "b" * 32, "notes.txt"))
    past = (datetime.now(UTC) - timedelta(seconds=KEPT_SECONDS + 60)).timestamp()
    for path in (old, new, other):
        path.write_bytes(b"x")
    os.utime(old, (past, past))
    os.utime(other, (past, past))
    Uploads(tmp_path, "secret").sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b" * 32, "notes.txt"]


# --- fuzzing ---


@FEW
@given(query=st.text(max_size=60), body=st.binary(max_size=200), token=st.text(max_size=60))
def test_no_upload_or_join_breaks_the_server(
    inside: Inside, guest: httpx.Client, query: str, body: bytes, token: str
) -> None:
    before = sorted((inside.folder / "uploads").iterdir())
    fields = {"f": query, "e": token, "s": query}
    assert guest.put("/upload", params=fields, content=body).status_code in (400, 403, 429)
    assert guest.post("/join", content=body).status_code in (403, 429)
    assert guest.get("/join", params={"token": token}).status_code in (403, 429)
    assert sorted((inside.folder / "uploads").iterdir()) == before


@FEW
@given(name=st.text(alphabet="0123456789abcdef/.%\x00\\", max_size=40), seconds=st.integers(-5, 60))
def test_no_name_writes_outside(inside: Inside, guest: httpx.Client, name: str, seconds: int) -> None:
    before = {path for path in inside.folder.rglob("*") if "uploads" not in path.parts}
    status = guest.put(link(inside, name, seconds), content=b"x").status_code
    assert status in (200, 400, 409, 410, 429)
    assert {path for path in inside.folder.rglob("*") if "uploads" not in path.parts} == before


GREETING = {"session_id": None, "page_name": "", "page": {"route": "/", "width": 360.0, "height": 740.0}}
NESTED = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8) | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@FEW
@given(st.binary(max_size=80) | NESTED.map(lambda value: b"\x00" + msgpack.packb(value)))
def test_only_a_greeting_is_one(data: bytes) -> None:
    assert is_greeting(data) in (True, False)
    assert is_greeting(b"\x00" + msgpack.packb([1, GREETING]))
    assert not is_greeting(b"\x00" + msgpack.packb([1, {**GREETING, "page": {"_i": 2}}]))


MESSAGE = st.binary(max_size=60) | NESTED.map(lambda value: b"\x00" + msgpack.packb([3, value]))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server of its own: the wrong tokens of other tests slow nobody down here."""
    with Inside(tmp_path_factory.mktemp("calm")) as inside:
        yield inside


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages=st.lists(MESSAGE, min_size=1, max_size=4), greeted=st.booleans())
def test_no_message_breaks_the_server(calm: Inside, messages: list[bytes], greeted: bool) -> None:
    async def visit() -> None:
        phone = await Phone(calm.link).join()
        socket = await websockets.connect(
            calm.root.replace("http", "ws") + "/ws",
            additional_headers={"Cookie": phone.cookie},
            max_size=None,
        )
        try:
            if greeted:
                await socket.send(b"\x00" + msgpack.packb([1, GREETING]))
            for message in messages:
                await socket.send(message)
            answer = await asyncio.wait_for(socket.recv(), 10)
            assert b"Traceback" not in bytes(answer)
        except (websockets.ConnectionClosed, TimeoutError):
            pass
        finally:
            await socket.close()
        assert (await phone.http.get("/manifest.json")).status_code == 200
        await phone.leave()

    asyncio.run(visit())


# --- every answer, whatever is asked ---

ROUTES = (
    "/",
    "/join",
    "/leave",
    "/upload",
    "/certificate",
    "/ws",
    "/manifest.json",
    "/main.dart.js",
    "/nothing",
)


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_every_answer_has_its_headers(stranger: httpx.Client, method: str, path: str) -> None:
    answer = stranger.request(method, path)
    assert answer.status_code < 500
    found = answer.headers
    assert "default-src 'none'" in found["content-security-policy"]
    assert found["x-frame-options"] == "DENY"
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    assert "set-cookie" not in found or '=""' in found["set-cookie"]  # or taken back
    assert "server" not in found
    assert "access-control-allow-origin" not in found


def test_who_leaves_is_out_and_nobody_else_can_say_so(tmp_path: Path) -> None:
    with Inside(tmp_path) as inside, httpx.Client(base_url=inside.root) as client:
        client.get(inside.link)
        elsewhere = {"Origin": "http://elsewhere.example"}
        assert client.post("/leave", headers=elsewhere).status_code == 403
        assert client.get("/").status_code == 200
        old = dict(client.cookies)
        assert client.post("/leave", headers={"Origin": inside.root}).status_code == 303
        assert client.get("/").status_code == 403
        assert httpx.get(inside.root, cookies=old).status_code == 403


PATH = st.text(alphabet="/%.?&=#abc0\\;:@~", min_size=1, max_size=30).map("/".__add__)
NAME = st.sampled_from(
    ["Cookie", "Origin", "Host", "Content-Length", "Transfer-Encoding", "Upgrade", "Range", "Connection",
     "Content-Type", "X-Forwarded-For", "Sec-WebSocket-Key"]
)  # fmt: skip
VALUE = st.text(
    alphabet=st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=80
)


@FEW
@given(
    path=st.sampled_from(ROUTES) | PATH,
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "FOO"]),
    named=st.dictionaries(NAME, VALUE, max_size=5),
    body=st.binary(max_size=60),
)
def test_no_request_breaks_a_route(
    calm: Inside, path: str, method: str, named: dict[str, str], body: bytes
) -> None:
    async def ask() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", calm.port)
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: x",
            *(f"{name}: {value}" for name, value in named.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        writer.write_eof()
        answer = await asyncio.wait_for(reader.read(400), 30)
        writer.close()
        return answer

    answer = asyncio.run(ask())
    status = answer.split(b" ", 2)[1:2]
    assert not status or int(status[0]) < 500 or status[0] == b"501"
    assert b"Traceback" not in answer
    assert httpx.get(calm.root + "/manifest.json").status_code == 200
