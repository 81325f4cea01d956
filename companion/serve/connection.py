"""One page's web socket: Flet's protocol, with bounds, and without telling a client how we failed."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgpack  # type: ignore[import-untyped]
from flet.controls.base_control import BaseControl
from flet.messaging.protocol import (
    Message,
    MessageAction,
    SessionCrashedBody,
    configure_encode_object_for_msgpack,
)
from flet_web.fastapi.flet_app import FletApp
from starlette.datastructures import URL, Address, Headers
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.serve.log import log

FIRST_SECONDS = 15.0
"""For a client to say hello."""
MESSAGES_IN_TEN_SECONDS = 2000
LARGEST_MESSAGE = 24 * 1024 * 1024
"""Bytes; a picture of a phone's camera comes as one message."""
_POLICY = 1008


_encode = configure_encode_object_for_msgpack(BaseControl)  # type: ignore[no-untyped-call]


class Guarded:
    """The part of a web socket that `FletApp` uses. A client that doesn't speak the protocol is cut off
    before it reaches that."""

    def __init__(self, socket: WebSocket, device: str) -> None:
        self._socket = socket
        self._greeted = False
        self.refused = asyncio.Event()
        self._since, self._count = time.monotonic(), 0
        self.client: Address | None = socket.client
        # The device is part of the key by which Flet finds a page again: nobody can take over another's.
        self.headers = Headers({"user-agent": f"{socket.headers.get('user-agent', '')[:200]} {device}"})
        self.cookies: Mapping[str, str] = {}
        self.url: URL = socket.url

    @property
    def greeted(self) -> bool:
        return self._greeted

    async def accept(self) -> None:
        await self._socket.accept()

    async def receive_bytes(self) -> bytes:
        if self._greeted:
            data = await self._socket.receive_bytes()
        else:
            data = await self._greeting()
            self._greeted = True
        now = time.monotonic()
        if now - self._since > 10:
            self._since, self._count = now, 0
        self._count += 1
        if self._count > MESSAGES_IN_TEN_SECONDS:
            raise WebSocketDisconnect(_POLICY)
        return data

    async def _greeting(self) -> bytes:
        try:
            data = await asyncio.wait_for(self._socket.receive_bytes(), FIRST_SECONDS)
            if is_greeting(data):
                return data
        except (TimeoutError, KeyError, WebSocketDisconnect):
            pass  # silent, text instead of bytes, or gone again
        self.refused.set()
        raise WebSocketDisconnect(_POLICY)

    async def send_bytes(self, data: bytes) -> None:
        await self._socket.send_bytes(data)


class Connection(FletApp):  # type: ignore[misc]
    """Flet's connection, except that a crash is told to the client by number only."""

    def send_message(self, message: Message) -> None:
        if message.action == MessageAction.SESSION_CRASHED:
            number = uuid.uuid4().hex[:8]
            log.error("a page crashed, %s", number)
            message = Message(
                MessageAction.SESSION_CRASHED,
                SessionCrashedBody(f"Something went wrong ({number}). Load the page again: nothing is lost."),
            )
        # As `FletApp` does, without writing all of a page into a debug message that nobody reads.
        queue = self._FletApp__send_queue
        if queue is not None:
            packed = msgpack.packb([message.action, message.body], default=_encode)
            queue.put_nowait(b"\x00" + packed)


def is_greeting(data: bytes) -> bool:
    """Whether a message is Flet's first one: its client registers, with what its page is like."""
    if not data or data[0] != 0 or len(data) > 1 << 20:
        return False
    try:
        found: Any = msgpack.unpackb(data[1:], strict_map_key=True)
    except (ValueError, msgpack.exceptions.UnpackException, RecursionError):
        return False
    if not (isinstance(found, list) and len(found) == 2 and found[0] == MessageAction.REGISTER_CLIENT.value):
        return False
    body = found[1]
    return (
        isinstance(body, dict)
        and set(body) == {"session_id", "page_name", "page"}
        and isinstance(body["session_id"], str | None)
        and isinstance(body["page_name"], str | None)
        and isinstance(body["page"], dict)
        and all(isinstance(name, str) and not name.startswith("_") for name in body["page"])
    )


async def run(connection: Connection, socket: WebSocket, device: str) -> None:
    """Serve one page until its socket closes, or until it is cancelled (its device was revoked)."""
    guarded = Guarded(socket, device)
    work = asyncio.ensure_future(connection.handle(guarded))
    refused = asyncio.ensure_future(guarded.refused.wait())
    try:
        # Without a session Flet would wait for ever for something to send: a refusal ends it here.
        await asyncio.wait({work, refused}, return_when=asyncio.FIRST_COMPLETED)
        if work.done() and (error := work.exception()) is not None:
            log.debug("a page ended: %s", type(error).__name__)
    finally:
        work.cancel()
        refused.cancel()
        with suppress(RuntimeError, OSError, WebSocketDisconnect):  # closed already
            await socket.close(1001 if guarded.greeted else _POLICY)
