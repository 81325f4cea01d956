"""The app in the browser of one's own machine: what its server answers, and what a page may ask for."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import uvicorn
from flet_web.fastapi.flet_app import FletApp
from flet_web.fastapi.flet_app_manager import app_manager
from flet_web.fastapi.flet_upload import FletUpload
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.app.files import app_files
from companion.app.main import Main
from companion.app.spoken import hear

UPLOAD = "/upload"
LARGEST = 40 * 1024 * 1024
"""Bytes of an upload."""
LARGEST_MESSAGE = 64 * 1024 * 1024
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:",
        "font-src 'self' data:",
        "media-src 'self' blob: mediastream:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
    )
)
"""What the app's page may load: only what it is served with. Flutter's client asks a CDN for an animation
library that this app never uses; with this the browser doesn't even ask."""
HEADERS = {
    "content-security-policy": POLICY,
    # Together they let the client draw in a thread of its own.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
}


def closed(application: ASGIApp) -> ASGIApp:
    """An ASGI application whose pages may ask nobody but it."""
    headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        # A tab that is closed while something is on its way to it is no error to tell of.
        with suppress(WebSocketDisconnect):
            await application(scope, receive, sent if scope["type"] == "http" else send)

    return served


def asgi_app(main: Main, uploads: Path, *, secret: str | None = None) -> ASGIApp:
    """The app as an ASGI application: no file from elsewhere, uploads bounded and signed."""
    secret = secret or secrets.token_urlsafe(32)

    async def page(socket: WebSocket) -> None:
        hear(socket.headers.get("accept-language", ""))
        flet = FletApp(
            loop=asyncio.get_running_loop(),
            executor=app_manager.executor,
            main=main,
            before_main=None,
            upload_endpoint_path=UPLOAD,
            secret_key=secret,
        )
        await flet.handle(socket)

    async def upload(request: Request) -> Response:
        await FletUpload(str(uploads), LARGEST, secret).handle(request)
        return Response()

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await app_manager.start()
        yield
        await app_manager.shutdown()

    routes = [
        WebSocketRoute("/ws", page),
        Route(UPLOAD, upload, methods=["PUT"]),
        Mount("/", app_files()),
    ]
    return closed(Starlette(routes=routes, lifespan=lifespan))


def serve(main: Main, uploads: Path, host: str, port: int, open_browser: bool) -> None:
    """Serve the app on this machine until it is stopped."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        address = f"http://{host}:{door.getsockname()[1]}/"
        print(f"companion: the app is at {address} (stop with Ctrl+C)", flush=True)
        if open_browser:
            threading.Timer(0.8, webbrowser.open, [address]).start()
        config = uvicorn.Config(asgi_app(main, uploads), log_level="warning", ws_max_size=LARGEST_MESSAGE)
        uvicorn.Server(config).run([door])
