"""The files of the app in a browser: Flet's client and ours, told of ahead, in large pieces or gzipped."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

from flet_web.fastapi.flet_static_files import FletStaticFiles
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response

from companion.app.dress import ASSETS, TITLE
from companion.app.page import Scripted

PIECE = 1 << 20
"""Bytes read at a time: with Starlette's 64 kB, 40 MB a second leave the server, with this ten times that."""
KINDS = (".wasm", ".js", ".mjs", ".otf", ".ttf")
LEAST = 20_000
"""Bytes below which a file is not worth compressing."""
LEVEL = 6


class AppFiles(FletStaticFiles):  # type: ignore[misc]
    """Flet's files and ours. gzipped: for a network; a phone's first visit moves 5 MB instead of 13.

    Each large file is gzipped once and kept. Starlette's own middleware does it anew for each phone, half a
    second of a processor for the largest, while nobody else is answered.
    """

    def __init__(self, *, gzipped: bool) -> None:
        super().__init__(
            assets_dir=str(ASSETS),
            app_name=TITLE,
            app_short_name="Golf Patience",
            app_description="Reads the table, advises the next move, keeps the score.",
            no_cdn=True,
        )
        self._gzipped = gzipped
        self._kept: dict[tuple[str, str], bytes] = {}
        """By the file's path and ETag, so that there are no more than there are files."""
        self._lock = asyncio.Lock()

    async def get_response(self, path: str, scope: Any) -> Response:
        answer: Response = await super().get_response(path, scope)
        if not isinstance(answer, FileResponse):
            return answer
        answer.chunk_size = PIECE
        asked = Headers(scope=scope)
        if (
            not self._gzipped
            or scope["method"] != "GET"
            or not str(answer.path).endswith(KINDS)
            or int(answer.headers["content-length"]) < LEAST
            or "range" in asked
            or "gzip" not in asked.get("accept-encoding", "")
        ):
            return answer
        body = await self._small(str(answer.path), answer.headers["etag"])
        # The same file in another coding is weakly the same.
        headers = {
            "content-type": answer.headers["content-type"],
            "last-modified": answer.headers["last-modified"],
            "etag": f"W/{answer.headers['etag']}",
            "content-encoding": "gzip",
            "vary": "Accept-Encoding",
        }
        return Response(body, headers=headers)

    async def _small(self, path: str, etag: str) -> bytes:
        def squeeze() -> bytes:
            with open(path, "rb") as file:
                return gzip.compress(file.read(), LEVEL)

        async with self._lock:
            if (path, etag) not in self._kept:
                self._kept[path, etag] = await asyncio.to_thread(squeeze)
            return self._kept[path, etag]


def app_files(*, gzipped: bool = False) -> Scripted:
    """An ASGI application of all files, the page with our script."""
    return Scripted(AppFiles(gzipped=gzipped))
