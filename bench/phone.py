"""A phone without a screen: speaks Flet's protocol to `companion serve`, taps by identifier, sends photos.

It keeps no tree of controls, only what it was last told of each identifier, which is enough to tap.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import time
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import msgpack
import websockets

REGISTER, PATCH, EVENT, UPDATE, INVOKE, CRASHED = 1, 2, 3, 4, 5, 6
AIMING, AGAIN = 0.3, 10.0
"""Seconds that a person takes to aim; and to tap again where nothing came of it."""


class Phone:
    """One device with one open page."""

    def __init__(self, link: str, *, width: int = 360, height: int = 740, timeout: float = 60.0) -> None:
        parts = urlsplit(link)
        self.root, self.link = f"{parts.scheme}://{parts.netloc}", link
        self.timeout = timeout
        self.size = (width, height)
        self.cookie = ""
        self.controls: dict[str, tuple[int, str]] = {}
        """By identifier, the control that a tap goes to and what the tap is called there."""
        self.parts: dict[str, Any] = {}
        """By identifier, what was last drawn of it."""
        self.texts: list[str] = []
        self.values: list[str] = []
        """What was drawn as text."""
        self.crashes: list[str] = []
        self.again = 0
        """Taps that met nothing, since what was tapped was drawn anew just then; they were made again."""
        self.picker = 0
        self.session: str | None = None
        self._photo: bytes | None = None
        self._socket: Any = None
        self._sending: asyncio.Task[None] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self._tls: ssl.SSLContext | None = None
        if parts.scheme == "https":
            self._tls = ssl._create_unverified_context()  # tests of the certificate check it themselves
        self.http = httpx.AsyncClient(base_url=self.root, verify=self._tls or False, timeout=timeout)

    # --- coming and going ----------------------------------------------------------------------------------

    async def join(self) -> Self:
        """Exchange the link for a session."""
        answer = await self.http.get(self.link)
        if answer.status_code != 303:
            raise PermissionError(f"not let in: {answer.status_code}")
        jar = SimpleCookie(answer.headers["set-cookie"])
        self.cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
        self.http.cookies.clear()
        self.http.headers["cookie"] = self.cookie
        return self

    async def open(self, route: str = "/") -> Self:
        """Open the app's page, or open it again."""
        self._socket = await websockets.connect(
            re.sub("^http", "ws", self.root) + "/ws",
            additional_headers={"Cookie": self.cookie, "User-Agent": "phone of the bench"},
            origin=self.root,  # type: ignore[arg-type]
            ssl=self._tls,
            max_size=None,
            open_timeout=self.timeout,
            compression=None,
        )
        nothing = {"left": 0, "top": 0, "right": 0, "bottom": 0}
        page = {
            "route": route,
            "pwa": False,
            "web": True,
            "debug": False,
            "wasm": False,
            "platform": "android",
            "platform_brightness": "light",
            "width": float(self.size[0]),
            "height": float(self.size[1]),
            "media": {
                "padding": nothing,
                "view_padding": nothing,
                "view_insets": nothing,
                "device_pixel_ratio": 1.0,
                "orientation": "portrait",
            },
        }
        self._reader = asyncio.ensure_future(self._read())
        await self._send(REGISTER, {"session_id": self.session, "page_name": "", "page": page})
        await self.until(lambda: "title" in self.controls)
        return self

    async def reload(self, route: str = "/") -> list[str]:
        """Open the page anew, as after a restart; returns the texts on it once it has been drawn."""
        await self.close()
        self.session = None
        for known in (self.controls, self.parts, self.texts, self.values):
            known.clear()
        await self.open(route)
        drawn = -1
        while drawn < len(self.texts):
            drawn = len(self.texts)
            await asyncio.sleep(1)
        return list(self.values)

    async def close(self) -> None:
        if self._reader:
            self._reader.cancel()
        if self._socket:
            await self._socket.close()

    async def leave(self) -> None:
        await self.close()
        await self.http.aclose()

    @property
    def connected(self) -> bool:
        return self._reader is not None and not self._reader.done()

    # --- what a person does --------------------------------------------------------------------------------

    async def tap(self, id: str, *, shows: str = "", says: str = "") -> float:
        """Tap; returns the seconds until the screen changed: where one is given, until it has drawn what is
        called `shows` anew, and says `says`."""
        await self.until(lambda: id in self.controls)
        await self.still()
        self.forget(shows)
        heard, begun = len(self.texts), time.perf_counter()

        def changed() -> bool:
            drawn = not shows or shows in self.controls
            return drawn and len(self.texts) > heard and self.said(says, heard)

        tapped: tuple[int, str] | None = None

        def answered() -> bool:
            return changed() or self.controls[id] != tapped

        try:
            while not changed():
                self.again += tapped is not None
                tapped = self.controls[id]
                await self._send(EVENT, self._tapped(id))
                await self.until(answered)
                # Where it was drawn anew just as it was tapped, the tap met nothing: a person taps again.
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.until(changed), AGAIN)
        except TimeoutError:
            raise TimeoutError(f"tapped, and nothing came of it: {id!r}") from None
        return time.perf_counter() - begun

    async def still(self) -> None:
        """Wait until the screen has stood still for as long as a person takes to aim."""
        drawn = -1
        while drawn < len(self.texts):
            drawn = len(self.texts)
            await asyncio.sleep(AIMING)

    async def go(self, route: str) -> None:
        """Open a place by its address."""
        await self._send(UPDATE, {"id": 1, "props": {"route": route}})
        await self._send(EVENT, {"target": 1, "name": "route_change", "data": {"route": route}})

    async def scan(self, photo: bytes) -> float:
        """Choose a photo; returns the seconds until it was read, or refused."""
        self._photo = photo
        await self.until(lambda: "scan-file" in self.controls and self.picker > 0)
        self.forget("view-photo", "scan-trouble")
        begun = time.perf_counter()
        await self._send(EVENT, self._tapped("scan-file"))
        self.forget("scan-file", "scan-discard", "done")
        file = {"id": 1, "name": "IMG_1.jpg", "size": len(photo), "path": None, "bytes": None}
        await self._send(EVENT, {"target": self.picker, "name": "result", "data": {"files": [file]}})
        await self.until(lambda: "view-photo" in self.controls or "scan-trouble" in self.controls)
        return time.perf_counter() - begun

    async def put_away(self) -> None:
        """Put a scan away that was read, cards to look at first; the next photo can be chosen then."""
        await self.until(lambda: "done" in self.controls or "scan-discard" in self.controls)
        if "scan-discard" not in self.controls:
            await self.tap("done")
        await self.tap("scan-discard", shows="scan-file")

    def _tapped(self, id: str) -> dict[str, Any]:
        target, name = self.controls[id]
        return {"target": target, "name": name, "data": None}

    def shown(self, id: str) -> list[str]:
        """The texts in a part of the screen, as it was last drawn."""
        return [text for text in _texts(self.parts.get(id)) if text]

    def forget(self, *ids: str) -> None:
        for id in ids:
            self.controls.pop(id, None)

    def said(self, text: str, since: int = 0) -> bool:
        """Whether the app has shown a text since."""
        return any(text in found for found in self.texts[since:])

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something holds. Raises `TimeoutError`."""
        async with asyncio.timeout(self.timeout), self._news:
            while not true():
                if not self.connected:
                    raise ConnectionError("the page was closed")
                await self._news.wait()

    # --- the protocol --------------------------------------------------------------------------------------

    async def _send(self, action: int, body: Any) -> None:
        try:
            await self._socket.send(b"\x00" + msgpack.packb([action, body]))
        except websockets.ConnectionClosed:
            raise ConnectionError("the page was closed") from None

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                if data[:1] == b"\x00":
                    action, body = msgpack.unpackb(data[1:], strict_map_key=False)
                    await self._heard(action, body)
        except websockets.ConnectionClosed:
            pass
        finally:
            async with self._news:
                self._news.notify_all()

    async def _heard(self, action: int, body: Any) -> None:
        if action == CRASHED:
            self.crashes.append(str(body))
        elif action == INVOKE:
            await self._asked(body)
        elif action == REGISTER:
            self.session = body["session_id"]
        self.values += filter(None, _texts(body))
        async with self._news:
            self.texts.append("\n".join(self._words(body)))
            self._news.notify_all()

    def _words(self, found: Any) -> Iterator[str]:
        if isinstance(found, dict):
            if "identifier" in found:
                self.parts[found["identifier"]] = found
                self.controls[found["identifier"]] = _tapped_at(found) or (found["_i"], "tap")
            if found.get("_c") == "FilePicker":
                self.picker = found["_i"]
            for value in found.values():
                yield from self._words(value)
        elif isinstance(found, list):
            for value in found:
                yield from self._words(value)
        elif isinstance(found, str):
            yield found

    async def _asked(self, body: dict[str, Any]) -> None:
        """What the server asks of the device; the photo is sent where it says."""
        result = None
        if body["name"] == "upload":
            self._sending = asyncio.ensure_future(self._upload(body["control_id"], body["args"]["files"][0]))
        elif body["name"] == "push_route":
            await self.go(body["args"]["route"])  # a browser tells of every change of its address
        answer = {
            "control_id": body["control_id"],
            "call_id": body["call_id"],
            "result": result,
            "error": None,
        }
        await self._send(INVOKE, answer)

    async def _upload(self, picker: int, file: dict[str, Any]) -> None:
        assert self._photo is not None
        error = None
        try:
            answer = await self.http.put(
                file["upload_url"], content=self._photo, headers={"Origin": self.root}
            )
            if answer.status_code != 200:
                error = f"status {answer.status_code}"
        except httpx.HTTPError as failed:
            error = type(failed).__name__
        data = {"file_name": "IMG_1.jpg", "progress": None if error else 1.0, "error": error}
        await self._send(EVENT, {"target": picker, "name": "upload", "data": data})


def _texts(control: Any) -> Iterator[str]:
    if isinstance(control, dict):
        if control.get("_c") == "Text":
            yield str(control.get("value", ""))
        control = list(control.values())
    for part in control if isinstance(control, list) else ():
        yield from _texts(part)


def _tapped_at(control: Any) -> tuple[int, str] | None:
    """The first control in it that is listening for a tap, and how it calls that."""
    if isinstance(control, dict):
        for flag, name in (("on_tap", "tap"), ("on_click", "click")):
            if control.get(flag) and "_i" in control:
                return control["_i"], name
        parts: Any = control.values()
    else:
        parts = control if isinstance(control, list) else ()
    return next((found for found in map(_tapped_at, parts) if found), None)
