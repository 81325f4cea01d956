"""A client that was let in and then says what no browser would: paths of the server, events of nothing."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import msgpack
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.phone import EVENT, INVOKE, UPDATE, Phone
from tests.app.fakes import FakeReader, deal, document, photo
from tests.serve.conftest import Inside


class Noting(FakeReader):
    """Notes which photos were to be read."""

    def __init__(self) -> None:
        super().__init__(document(deal()))
        self.photos: list[bytes] = []

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        self.photos.append(photo)
        return super().read(photo, decks, jokers)


def test_a_path_that_a_client_names_is_not_read(tmp_path: Path) -> None:
    """As a page that says it is no web page, and that its player picked a file of the server."""
    reader, sent = Noting(), photo()
    secret = tmp_path / "somebody.jpg"
    Image.new("RGB", (300, 200)).save(secret)

    async def visit(inside: Inside) -> None:
        phone = await (await Phone(inside.link).join()).open("/scan")
        phone._photo = sent
        await phone._send(UPDATE, {"id": 1, "props": {"web": False, "platform": "linux"}})
        await phone.until(lambda: "scan-file" in phone.controls and phone.picker > 0)
        await phone._send(EVENT, phone._tapped("scan-file"))
        file = {"id": 1, "name": "x.jpg", "size": 9, "path": str(secret), "bytes": None}
        await phone._send(EVENT, {"target": phone.picker, "name": "result", "data": {"files": [file]}})
        # The server asks the phone for the file instead.
        await phone.until(lambda: len(reader.photos) > 0)
        await phone.leave()

    with Inside(tmp_path, reader) as inside:
        asyncio.run(visit(inside))
    assert reader.photos == [sent]


def test_a_path_that_a_client_names_is_not_written(tmp_path: Path) -> None:
    target = tmp_path / "authorized_keys"

    class Liar(Phone):
        async def _asked(self, body: dict[str, Any]) -> None:
            if body["name"] == "save_file":
                answer = {"control_id": body["control_id"], "call_id": body["call_id"]}
                await self._send(INVOKE, answer | {"result": str(target), "error": None})
                self.asked = True
            else:
                await super()._asked(body)

        asked = False

    async def visit(inside: Inside) -> None:
        phone = Liar(inside.link)
        await phone.join()
        await phone.open("/rounds")
        await phone._send(UPDATE, {"id": 1, "props": {"web": False, "platform": "linux"}})
        await phone.until(lambda: "tab-data" in phone.controls)
        await phone.tap("tab-data", shows="export-all")
        await phone._send(EVENT, phone._tapped("export-all"))
        await phone.until(lambda: phone.asked)
        await asyncio.sleep(1)
        await phone.leave()

    with Inside(tmp_path) as inside:
        asyncio.run(visit(inside))
    assert not target.exists()


def test_a_page_that_crashes_tells_a_number_only(tmp_path: Path) -> None:
    async def visit(inside: Inside) -> list[str]:
        phone = await (await Phone(inside.link).join()).open("/card")
        await phone._send(EVENT, {"target": 1, "name": "route_change", "data": {"route": 5}})
        await phone._send(EVENT, {"target": 1, "name": "resize", "data": {"width": "wide", "height": []}})
        await asyncio.sleep(1)
        heard = [*phone.crashes, *phone.texts]
        await phone.leave()
        return heard

    with Inside(tmp_path) as inside:
        heard = asyncio.run(visit(inside))
    for said in heard:
        assert "Traceback" not in said
        assert ".py" not in said
        assert str(Path(__file__).parents[2]) not in said


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**40) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["tap", "click", "change", "result", "upload", "route_change", "resize", "disconnect", "close", "error",
     "platform_brightness_change", "media_change", "confirm_pop", "__init__", "mount", "app_lifecycle_state"]
)  # fmt: skip
EVENTS = st.tuples(
    st.just(EVENT), st.fixed_dictionaries({"target": st.integers(0, 400), "name": NAMES, "data": VALUE})
)
UPDATES = st.tuples(
    st.just(UPDATE),
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 400),
            "props": st.dictionaries(
                st.sampled_from(["route", "value", "width", "web", "session", "_i"]), VALUE
            ),
        }
    ),
)
ANSWERS = st.tuples(
    st.just(INVOKE),
    st.fixed_dictionaries(
        {"control_id": st.integers(0, 400), "call_id": st.text(max_size=10), "result": VALUE, "error": VALUE}
    ),
)
ANYTHING = st.tuples(st.integers(-1, 9), VALUE)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages=st.lists(EVENTS | UPDATES | ANSWERS | ANYTHING, min_size=5, max_size=60))
def test_whatever_one_page_says_the_others_go_on(inside: Inside, messages: list[Any]) -> None:
    async def visit() -> None:
        other = await (await Phone(inside.link).join()).open("/card/new")
        phone = await (await Phone(inside.link).join()).open("/scan")
        with contextlib.suppress(OSError, websockets.ConnectionClosed):  # to be cut off is an answer too
            for message in messages:
                await phone._socket.send(b"\x00" + msgpack.packb(message))
            await asyncio.sleep(0.2)
        assert not any("Traceback" in said for said in (*phone.crashes, *phone.texts))
        await other.tap("begin-round", shows="cell-0-1")
        await other.leave()
        await phone.leave()

    asyncio.run(visit())
