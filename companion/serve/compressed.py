"""Large files of the app gzipped, each once: a phone's first visit moves 5 MB instead of 13."""

from __future__ import annotations

import asyncio
import gzip
from posixpath import normpath

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KINDS = (".wasm", ".js", ".mjs", ".otf", ".ttf")
LEAST = 20_000
"""Bytes below which it isn't worth it."""
LEVEL = 6


class Compressed:
    """Round an application of static files that don't change while the server runs.

    Asks it first what it would send: what it holds back, or has not changed, is answered by itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[tuple[str, str], bytes] = {}
        """By the file's plain path and ETag, so that there are no more than there are files."""
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        path = scope.get("path", "")
        wanted = (
            scope.get("method") == "GET"
            and path.endswith(KINDS)
            and "gzip" in headers.get("accept-encoding", "")
            and "range" not in headers
        )
        if not wanted:
            await self._app(scope, receive, send)
            return
        head, _ = await self._ask({**scope, "method": "HEAD"}, receive)
        found = MutableHeaders(raw=list(head["headers"]))
        length = int(found.get("content-length", "0"))
        etag = found.get("etag", "")
        if head["status"] != 200 or length < LEAST or not etag or "content-encoding" in found:
            await self._app(scope, receive, send)
            return
        body = await self._compressed((normpath(path.lstrip("/")), etag), scope, receive)
        found["content-encoding"] = "gzip"
        found["content-length"] = str(len(body))
        found.add_vary_header("Accept-Encoding")
        # The same file in another coding is weakly the same.
        found["etag"] = "W/" + etag.removeprefix("W/")
        await send({**head, "headers": found.raw})
        await send({"type": "http.response.body", "body": body})

    async def _compressed(self, key: tuple[str, str], scope: Scope, receive: Receive) -> bytes:
        async with self._lock:
            if key not in self._kept:
                _, plain = await self._ask(scope, receive)
                self._kept[key] = await asyncio.to_thread(gzip.compress, plain, LEVEL)
            return self._kept[key]

    async def _ask(self, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
        """What the application answers, whole."""
        start: Message = {}
        pieces: list[bytes] = []

        async def send(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            else:
                pieces.append(message.get("body", b""))

        await self._app(scope, receive, send)
        return start, b"".join(pieces)
