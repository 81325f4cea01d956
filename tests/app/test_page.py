"""The page in a browser: Flet's, with our script; a picture that is dropped on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet")
pytest.importorskip("starlette")
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from companion.app.main import ASSETS
from companion.app.page import SCRIPT, Scripted, is_drop

PAGE = "<html><head><title>A</title></head><body>ä</body></html>"


async def asked(answer: Response, method: str = "GET") -> tuple[dict[str, Any], bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "asgi": {"spec_version": "2.4"}, "method": method, "headers": []}
    await Scripted(answer)(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message.get("body", b"") for message in sent[1:])


async def test_a_page_gets_the_script_and_its_length() -> None:
    headers, body = await asked(HTMLResponse(PAGE))
    assert body.count(SCRIPT) == 1
    assert body.index(SCRIPT) < body.index(b"</head>")
    assert body.replace(SCRIPT + b"\n", b"").decode() == PAGE
    assert int(headers["content-length"]) == len(body)
    assert (ASSETS / "drop.js").exists()


async def test_a_page_that_comes_in_pieces_is_one() -> None:
    async def pieces() -> Any:
        yield PAGE[:20]
        yield PAGE[20:]

    _, body = await asked(StreamingResponse(pieces(), media_type="text/html"))
    assert body.count(SCRIPT) == 1


@pytest.mark.parametrize("answer", [PlainTextResponse("</head>"), HTMLResponse(PAGE, 404)])
async def test_other_answers_stay_as_they_are(answer: Response) -> None:
    headers, body = await asked(answer)
    assert SCRIPT not in body
    assert int(headers["content-length"]) == len(body)


@pytest.mark.parametrize(
    ("route", "drop"),
    [
        ("/scan/drop/0123456789abcdef01234567", True),
        ("/scan/drop/", False),
        ("/scan/drop/0123456789abcdef0123456z", False),
        ("/scan", False),
        ("/play/drop/0123456789abcdef01234567", False),
    ],
)
def test_a_drop_is_told_from_places(route: str, drop: bool) -> None:
    assert is_drop(route) is drop


def test_the_script_asks_nobody() -> None:
    script = Path(ASSETS / "drop.js").read_text()
    assert not [word for word in ("fetch(", "XMLHttpRequest", "http:", "https:", "import(") if word in script]
