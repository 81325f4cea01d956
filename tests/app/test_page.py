"""The page in a browser: Flet's, with our script; a picture that is dropped on it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("flet")
pytest.importorskip("starlette")
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from companion.app.dress import ASSETS
from companion.app.page import FETCHED, MODULES, SCRIPT, SCRIPTS, Scripted, is_drop

PAGE = "<html><head><title>A</title></head><body>ä</body></html>"


async def asked(answer: Response, method: str = "GET", browser: bytes = b"") -> tuple[dict[str, Any], bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "asgi": {"spec_version": "2.4"},
        "method": method,
        "headers": [(b"user-agent", browser)],
    }
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


async def test_chromium_is_told_what_it_will_need() -> None:
    chromium, firefox = b"Mozilla/5.0 (X11) Chrome/140.0 Safari/537.36", b"Mozilla/5.0 (X11) Firefox/140.0"
    headers, _ = await asked(HTMLResponse(PAGE), browser=chromium)
    links = headers["link"]
    assert "</main.dart.wasm>; rel=preload; as=fetch; crossorigin" in links
    # Others load Flutter's other client: what is told here would come for nothing.
    headers, _ = await asked(HTMLResponse(PAGE), browser=firefox)
    assert "link" not in headers
    client = Path(str(files("flet_web"))) / "web"
    for path in (*SCRIPTS, *MODULES, *FETCHED):
        name = path.lstrip("/")
        assert (client / name).exists() or (ASSETS / name).exists(), path


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
