"""The ASGI application: the door, the app's files, its web sockets and its uploads."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from flet_web.fastapi.flet_app_manager import app_manager
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from companion.app.files import app_files
from companion.app.main import Main
from companion.app.spoken import hear
from companion.game import CompanionError
from companion.serve import connection, headers
from companion.serve.access import IDLE_SECONDS, Access
from companion.serve.log import log, where
from companion.serve.pages import door
from companion.serve.throttle import Throttle
from companion.serve.uploads import PATH as UPLOAD
from companion.serve.uploads import Uploads

PAGES_AT_ONCE = 8
"""Of one device; and of all of them:"""
ALL_PAGES = 300
SESSION_SECONDS = 300
"""A page whose socket broke is kept so long; after that the device's memory brings everything back."""
FORM_SECONDS = 10.0
"""For the code that was typed to arrive."""
_LOOK_EVERY = 2.0
"""Seconds until a revoked device is cut off, at most."""
_OPEN_TO_ALL = re.compile(r"/(manifest\.json|favicon\.png|icons/[a-z0-9-]+\.png)")
"""What browsers fetch without a cookie; nothing of it is anybody's."""

LET_GO_SECONDS = 2.0 * SESSION_SECONDS
"""After its last page, a device's files are closed."""


class Devices(Protocol):
    """Where the devices' apps and files are; each of these is to be called in a thread."""

    def main_for(self, device: str) -> Main: ...

    def open_devices(self) -> tuple[str, ...]: ...

    def let_go(self, device: str) -> None: ...

    def hand_over(self, device: str, to: str) -> None: ...


class Site:
    """What the routes share."""

    def __init__(
        self,
        access: Access,
        uploads: Uploads,
        devices: Devices,
        secret: str,
        *,
        https: bool = False,
        authority: bytes | None = None,
    ) -> None:
        self.access, self.uploads, self.devices = access, uploads, devices
        self.https, self.authority = https, authority
        self.cookie = f"{'__Host-' if https else ''}companion-{access.name}"
        self.throttle = Throttle()
        self._secret = secret
        self._pages: dict[asyncio.Task[Any], tuple[str, str]] = {}
        self._last_page: dict[str, float] = {}

    # --- the door ------------------------------------------------------------------------------------------

    async def join(self, request: Request) -> Response:
        """Exchange the token, from the link or typed, for a session; a code to come back, for the session of
        the device that it was made for."""
        address = request.client.host if request.client else "?"
        token = request.query_params.get("token", "")
        if request.method == "POST":
            if not same_origin(request):
                return PlainTextResponse("not from another page\n", 403)
            token = await _form_token(request)
        # From here on nothing is waited for: codes that are tried at the same time count one after the other.
        wait = self.throttle.wait(address)
        if wait > 0:
            wrong = HTMLResponse(door("Too many wrong codes. Wait a little."), 429)
            wrong.headers["Retry-After"] = str(int(wait) + 1)
            return wrong
        invited = self.access.is_token(token)
        # Who only looks whether there is something (HEAD) uses no code up.
        back = None if invited or request.method == "HEAD" else self.access.take_return(token)
        if not invited and back is None:
            self.throttle.wrong(address)
            log.info("a wrong code")
            return HTMLResponse(door("This code is not, or no longer, right."), 403)
        self.throttle.right(address)
        answer: Response = RedirectResponse("/", 303)
        before = self.device(request)
        if before is None or back not in (None, before):
            secret, device = self.access.open_session(request.headers.get("user-agent", ""), back)
            self.remember(answer, secret)
            log.info("%s came %s: %s", device.id[:6], "back" if back else "in", device.browser)
            if before and back:
                await self._hand_over(before, back, request.cookies[self.cookie])
        return answer

    async def _hand_over(self, before: str, back: str, secret: str) -> None:
        """What a phone kept while it was taken for another one comes with it, and stays there too."""
        try:
            await asyncio.to_thread(self.devices.hand_over, before, back)
        except CompanionError as error:
            log.error("rounds were left with %s: %s", before[:6], where(error))
        else:
            self.access.end(secret)

    def remember(self, answer: Response, secret: str) -> None:
        """Give the session's cookie; the browser keeps it as long as the session lives unused."""
        answer.set_cookie(
            self.cookie,
            secret,
            max_age=int(IDLE_SECONDS),
            path="/",
            secure=self.https,
            httponly=True,
            samesite="lax",
        )

    async def leave(self, request: Request) -> Response:
        """End one's own session."""
        if not same_origin(request):
            return PlainTextResponse("not from another page\n", 403)
        device = self.device(request)
        if device:
            self.access.revoke(device)
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(self.cookie, path="/", secure=self.https, httponly=True, samesite="lax")
        return answer

    def device(self, request: Request | WebSocket) -> str | None:
        return self.access.device_of(request.cookies.get(self.cookie))

    # --- the app -------------------------------------------------------------------------------------------

    async def upload(self, request: Request) -> Response:
        device = self.device(request)
        if device is None:
            return PlainTextResponse("not let in\n", 403)
        if not same_origin(request):
            return PlainTextResponse("not from another page\n", 403)
        return await self.uploads.receive(request, device)

    async def page(self, socket: WebSocket) -> None:
        """Flet's web socket of one open page."""
        secret = socket.cookies.get(self.cookie, "")
        device = self.access.device_of(secret)
        own = sum(known == device for known, _ in self._pages.values())
        if device is None or not same_origin(socket) or own >= PAGES_AT_ONCE or len(self._pages) >= ALL_PAGES:
            await socket.close(1008)
            return
        self._last_page[device] = time.monotonic()
        hear(socket.headers.get("accept-language", ""))
        flet = connection.Connection(
            loop=asyncio.get_running_loop(),
            executor=app_manager.executor,
            main=await asyncio.to_thread(self.devices.main_for, device),
            before_main=None,
            session_timeout_seconds=SESSION_SECONDS,
            upload_endpoint_path=UPLOAD,
            secret_key=self._secret,
        )
        task = asyncio.ensure_future(connection.run(flet, socket, device))
        self._pages[task] = (device, secret)
        try:
            await asyncio.wait({task})
            if not task.cancelled() and (error := task.exception()) is not None:
                log.error("a page failed: %s", where(error))
        finally:
            task.cancel()
            del self._pages[task]
            self._last_page[device] = time.monotonic()

    async def keep_out(self) -> None:
        """Cut off the pages of devices whose session was revoked, until cancelled; and sweep."""
        swept = time.monotonic()
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            valid: dict[str, bool] = {}
            for task, (_, secret) in tuple(self._pages.items()):
                if secret not in valid:
                    valid[secret] = self.access.device_of(secret) is not None
                if not valid[secret]:
                    task.cancel()
            await self._let_go()
            if time.monotonic() - swept > 60:
                swept = time.monotonic()
                await asyncio.to_thread(self.uploads.sweep)

    async def _let_go(self) -> None:
        """Close the files of devices that may come in no longer, or have not been here for long."""
        with_pages = {device for device, _ in self._pages.values()}
        for device in self.devices.open_devices():
            if device in with_pages:
                continue
            away = time.monotonic() - self._last_page.get(device, time.monotonic())
            if away > LET_GO_SECONDS or not self.access.is_in(device):
                await asyncio.to_thread(self.devices.let_go, device)
                self._last_page.pop(device, None)

    async def certificate(self, request: Request) -> Response:
        """The authority's certificate, for phones to trust."""
        if self.authority is None:
            return PlainTextResponse("there is none\n", 404)
        disposition = {"Content-Disposition": 'attachment; filename="golf-patience-companion.crt"'}
        return Response(self.authority, media_type="application/x-x509-ca-cert", headers=disposition)

    @property
    def pages(self) -> int:
        """How many pages are open."""
        return len(self._pages)


class Files:
    """The app's own files, for those who were let in."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._files = app_files(gzipped=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        known = self._site.device(request) is not None

        async def renewed(message: Message) -> None:
            if message["type"] == "http.response.start" and known:
                found = MutableHeaders(raw=message["headers"])
                if found.get("content-type", "").startswith("text/html"):
                    carrier = Response()
                    self._site.remember(carrier, request.cookies[self._site.cookie])
                    found.append("set-cookie", carrier.headers["set-cookie"])
            await send(message)

        answer: ASGIApp = self._files
        if request.method not in ("GET", "HEAD"):
            answer = PlainTextResponse("not so\n", 405)
        elif not known and not _OPEN_TO_ALL.fullmatch(request.url.path):
            answer = HTMLResponse(door(), 403)
        await answer(scope, receive, renewed)


class Outer:
    """Round everything: headers, and for what goes wrong a number instead of a trace."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._guard(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        start: Message | None = None
        page = b""

        async def secured(message: Message) -> None:
            nonlocal start, page
            if message["type"] == "http.response.start":
                found = MutableHeaders(raw=message["headers"])
                if found.get("content-type", "").startswith("text/html"):
                    start = message  # held back until its inline scripts are known
                    return
                headers.secure(found, headers.policy(host=host))
            elif message["type"] == "http.response.body" and start is not None:
                page += message.get("body", b"")
                if message.get("more_body"):
                    return
                found = MutableHeaders(raw=start["headers"])
                found["Cache-Control"] = "no-store"
                headers.secure(found, headers.policy(headers.inline_hashes(page), host))
                await send(start)
                start, message = None, {"type": "http.response.body", "body": page}
            await send(message)

        await self._guard(scope, receive, secured)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            log.error("a request failed: %s", where(error))
            if scope["type"] == "http" and not begun:
                await PlainTextResponse("something went wrong here\n", 500)(scope, receive, noted)


def same_origin(request: Request | WebSocket) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()


def application(site: Site, *tasks: Callable[[], Any]) -> ASGIApp:
    """The whole server; `tasks` run as long as it does."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await app_manager.start()
        running = [asyncio.ensure_future(task()) for task in (site.keep_out, *tasks)]
        try:
            yield
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await app_manager.shutdown()

    app = Starlette(
        routes=[
            Route("/join", site.join, methods=["GET", "POST"]),
            Route("/leave", site.leave, methods=["POST"]),
            Route("/certificate", site.certificate, methods=["GET"]),
            Route(UPLOAD, site.upload, methods=["PUT"]),
            WebSocketRoute("/ws", site.page),
        ],
        lifespan=lifespan,
    )
    app.mount("/", Files(site))
    return Outer(app)


async def _form_token(request: Request) -> str:
    """The token of a small form; anything larger is none."""
    body = b""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FORM_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > 1000:
                    return ""
    fields = parse_qs(body.decode("ascii", errors="replace"), max_num_fields=3)
    return fields.get("token", [""])[0]
