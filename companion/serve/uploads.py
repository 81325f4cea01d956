"""Photos and files that a browser sends: each by a signed link, once, bounded in size, number and time."""

from __future__ import annotations

import asyncio
import hmac
import os
import re
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

from flet_web.uploads import build_upload_query_string, get_upload_signature
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

PATH = "/upload"
LARGEST = 40_000_000
"""Bytes of one file."""
AT_ONCE = 3
"""Files that one device may be sending."""
A_MINUTE = 30
"""Files that one device may begin to send in a minute."""
ALL_AT_ONCE = 32
MOST_BYTES = 1_000_000_000
"""Bytes of all files that were not read yet."""
SECONDS = 120.0
"""For one file; and `STALLED` for the next piece of it."""
STALLED = 20.0
KEPT_SECONDS = 600.0
"""A file that nobody fetched by then is removed."""
_NAME = re.compile(r"[0-9a-f]{32}")


class Uploads:
    """The folder that files arrive in, and who may send."""

    def __init__(self, folder: Path, secret: str) -> None:
        self.folder = folder
        self._secret = secret
        self._sending: dict[str, int] = {}
        self._begun: dict[str, deque[float]] = {}

    async def receive(self, request: Request, device: str) -> Response:
        """Take one file. Whatever is wrong with it, nothing of it stays."""
        name = self._signed_name(request)
        if isinstance(name, Response):
            return name
        length = request.headers.get("content-length", "")
        if length and (not length.isdigit() or int(length) > LARGEST):
            return _no(413, f"a file has at most {LARGEST // 1_000_000} MB")
        if not self._may_begin(device):
            return _no(429, "too many files at once, try again in a moment", {"Retry-After": "10"})
        self._sending[device] = self._sending.get(device, 0) + 1
        try:
            return await self._store(request, self.folder / name)
        finally:
            self._sending[device] -= 1
            if not self._sending[device]:
                del self._sending[device]

    def sweep(self) -> None:
        """Remove files that nobody fetched."""
        for path in self._files():
            try:
                if time.time() - path.stat().st_mtime > KEPT_SECONDS:
                    path.unlink()
            except OSError:
                continue
        now = time.monotonic()
        for device, times in tuple(self._begun.items()):
            if not times or now - times[-1] > 60:
                del self._begun[device]

    def _files(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name.removesuffix(".part"))]

    def _signed_name(self, request: Request) -> str | Response:
        query = request.query_params
        name, expires, signature = query.get("f", ""), query.get("e", ""), query.get("s", "")
        try:
            date = datetime.fromisoformat(expires)
        except ValueError:
            return _no(400, "this is no link for a file")
        if not _NAME.fullmatch(name) or date.tzinfo is None:
            return _no(400, "this is no link for a file")
        known = get_upload_signature(PATH, build_upload_query_string(name, date), date, self._secret)
        if not _same(known, signature):
            return _no(403, "this link is not signed")
        if datetime.now(UTC) >= date:
            return _no(410, "this link is too old")
        return name

    def _may_begin(self, device: str) -> bool:
        now = time.monotonic()
        times = self._begun.setdefault(device, deque())
        while times and now - times[0] > 60:
            times.popleft()
        full = self._sending.get(device, 0) >= AT_ONCE or sum(self._sending.values()) >= ALL_AT_ONCE
        if full or len(times) >= A_MINUTE:
            return False
        times.append(now)
        return sum(path.stat().st_size for path in self._files() if path.exists()) <= MOST_BYTES

    async def _store(self, request: Request, path: Path) -> Response:
        draft = path.with_name(path.name + ".part")
        try:
            # Exclusive: a link is good for one file, which nobody else can overwrite.
            if path.exists():
                raise FileExistsError
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return _no(409, "this link was used already")
        try:
            with os.fdopen(handle, "wb") as file:
                answer = await self._copy(request, file.fileno())
            if answer is None:
                draft.rename(path)
        finally:
            draft.unlink(missing_ok=True)
        return answer or Response(status_code=200)

    async def _copy(self, request: Request, handle: int) -> Response | None:
        size, until = 0, time.monotonic() + SECONDS
        pieces = request.stream()
        try:
            while True:
                left = min(STALLED, until - time.monotonic())
                if left <= 0:
                    return _no(408, "the file took too long")
                piece = await asyncio.wait_for(anext(pieces), left)
                size += len(piece)
                if size > LARGEST:
                    return _no(413, f"a file has at most {LARGEST // 1_000_000} MB")
                await asyncio.to_thread(_write, handle, piece)
        except StopAsyncIteration:
            return None if size else _no(400, "the file is empty")
        except TimeoutError:
            return _no(408, "the file took too long")
        except ClientDisconnect:
            return _no(400, "the file broke off")
        except OSError:
            return _no(507, "there is no room for the file")


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", errors="replace"))


def _no(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(sentence + "\n", status, headers)
