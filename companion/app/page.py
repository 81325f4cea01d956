"""The page that holds the app in a browser: Flet's own, with one script of ours added."""

from __future__ import annotations

import re
from typing import Any

SCRIPT = b'<script src="drop.js" async></script>'
"""`assets/drop.js`: takes a picture that is dragged onto the page."""
SCRIPTS = ("/python.js", "/flutter_bootstrap.js")
MODULES = ("/main.dart.mjs", "/canvaskit/skwasm.js")
FETCHED = (
    "/main.dart.wasm",
    "/canvaskit/skwasm.wasm",
    "/assets/FontManifest.json",
    "/assets/fonts/MaterialIcons-Regular.otf",
    "/fonts/CompanionSans-Regular.ttf",
    "/fonts/CompanionSans-Bold.ttf",
    "/fonts/CompanionSans-Display.ttf",
)
AHEAD = ", ".join(
    [f"<{path}>; rel=preload; as=script" for path in SCRIPTS]
    + [f"<{path}>; rel=modulepreload" for path in MODULES]
    + [f"<{path}>; rel=preload; as=fetch; crossorigin" for path in FETCHED]
)
"""What Flutter's client asks for one after the other in a browser of Chromium's family: told with the page's
first byte, so that all of it is on its way while the first of it is read. Others load another client."""
_DROPPED = re.compile(r"/?scan/drop/[0-9a-f]{24}")


def is_drop(route: str) -> bool:
    """Whether a route is the script's word that a picture was dropped: no place to walk to."""
    return _DROPPED.fullmatch(route) is not None


class Scripted:
    """Round an ASGI application: adds the script to the head of each whole HTML page it answers with, and
    tells a browser what else it will need."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start: Any = None
        page = b""
        browser = dict(scope["headers"]).get(b"user-agent", b"")
        told = [(b"link", AHEAD.encode())] if b"Chrome/" in browser else []

        async def added(message: Any) -> None:
            nonlocal start, page
            if message["type"] == "http.response.start" and _is_page(message):
                start = message  # held back until the page's new length is known
                return
            if start is None:
                await send(message)
                return
            page += message.get("body", b"")
            if message.get("more_body"):
                return
            body = page.replace(b"</head>", SCRIPT + b"\n</head>", 1)
            # The answer to HEAD has no body, but the length of one.
            longer = len(SCRIPT) + 1 if scope["method"] == "HEAD" else len(body) - len(page)
            await send({**start, "headers": _longer(start["headers"], longer) + told})
            start = None
            await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, added)


def _is_page(start: Any) -> bool:
    return start["status"] == 200 and any(
        name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in start["headers"]
    )


def _longer(headers: Any, by: int) -> list[tuple[bytes, bytes]]:
    return [
        (name, str(int(value) + by).encode() if name.lower() == b"content-length" else value)
        for name, value in headers
    ]
