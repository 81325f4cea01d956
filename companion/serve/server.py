"""Puts a server together and runs it: store, devices, workers, web."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from companion.app.main import Main, create_app
from companion.app.state.app import Services
from companion.app.state.memory import FolderMemory
from companion.serve import addresses
from companion.serve.access import Access
from companion.serve.certificate import Certificate, certificate
from companion.serve.connection import LARGEST_MESSAGE
from companion.serve.errors import ServeError
from companion.serve.feed import Feed
from companion.serve.log import log, where
from companion.serve.rounds import DeviceStore
from companion.serve.services import HINTS_AT_MOST, SCANS_AT_MOST, Pools
from companion.serve.uploads import Uploads
from companion.serve.web import Site, application
from companion.store import Store

THREADS = SCANS_AT_MOST + HINTS_AT_MOST + 28
"""Threads that wait for the processes: as many as may be asked at once, and some for files."""
LARGEST_PICTURE = 60_000_000


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to come in: links, the likeliest first, and how to know the certificate."""

    links: tuple[str, ...]
    token: str
    fingerprint: str | None = None
    certificate_link: str | None = None


class Server:
    """One server process. `folder` holds the devices' own rounds, the sessions and the certificate."""

    def __init__(
        self,
        store: Store,
        folder: Path,
        services: Callable[[str], Services],
        uploads: Path,
        *,
        https: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.store, self.folder = store, folder
        self.access = Access(folder / "access.db")
        self.feed = Feed(store)
        self._services = services
        self._uploads = uploads
        self._devices: dict[str, tuple[DeviceStore, Main]] = {}
        self._https = https
        self._lock = threading.Lock()
        self.secret = secrets.token_urlsafe(32)
        """Signs the links that files are sent to."""

    def app(self, authority: bytes | None = None) -> ASGIApp:
        site = Site(
            self.access,
            Uploads(self._uploads, self.secret),
            self,
            self.secret,
            https=self._https,
            authority=authority,
        )
        return application(site, self.feed.follow, _more_threads)

    def main_for(self, device: str) -> Main:
        """The app of a device, with its own memory and its own rounds.

        To be called in a thread: it opens files.
        """
        with self._lock:
            return self._open(device)

    def _open(self, device: str) -> Main:
        if device not in self._devices:
            place = self.folder / "devices" / device
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            own = Store.open(place / "rounds.db")
            rounds = DeviceStore(own, self.store, self.feed, Feed(own))
            memory = FolderMemory(self.folder / "devices", device)
            main = create_app(cast(Store, rounds), lambda page: memory, self._services(device), self._uploads)
            self._devices[device] = (rounds, main)
        return self._devices[device][1]

    def open_devices(self) -> tuple[str, ...]:
        """The devices whose files are open."""
        with self._lock:
            return tuple(self._devices)

    def let_go(self, device: str) -> None:
        """Close a device's files, and delete them where that was asked for. To be called in a thread."""
        with self._lock:
            rounds, _ = self._devices.pop(device, (None, None))
            if rounds is not None:
                rounds.close()
            if self.access.is_deleted(device):
                remove(self.folder, device)

    def hand_over(self, device: str, to: str) -> None:
        """Give what a device kept to another one too; it keeps it itself. To be called in a thread."""
        with self._lock:
            self._open(device)
            self._open(to)
            self._devices[to][0].own.merge(self._devices[device][0].own.archive())

    def close(self) -> None:
        for rounds, _ in self._devices.values():
            rounds.close()
        self.feed.close()
        self.access.close()


def remove(folder: Path, device: str) -> bool:
    """Delete all that a device kept in a server's folder; False where something of it is in use still."""
    place = folder / "devices" / device
    shutil.rmtree(place, ignore_errors=True)
    return not place.exists()


def run(
    store: Store,
    folder: Path,
    *,
    host: str,
    port: int,
    https: bool,
    processes: int | None = None,
    invite: Callable[[Invitation], None],
) -> None:
    """Serve until stopped. `invite` is told how to come in once the door is open."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = LARGEST_PICTURE // 2  # Pillow refuses pictures of more than twice as many
    reached = addresses.reachable(host)
    papers: Certificate | None = certificate(folder / "certificate", reached) if https else None
    pools = Pools(processes)
    try:
        with bound(host, port) as door, tempfile.TemporaryDirectory(prefix="companion-uploads-") as place:
            server = Server(store, folder, pools.services, Path(place), https=https)
            try:
                pools.warm()
                _settle()
                roots = _roots(reached, door.getsockname()[1], papers)
                server.access.doors = roots
                invite(_invitation(server.access.token, roots, papers))
                config = uvicorn.Config(
                    server.app(papers.authority if papers else None),
                    log_config=None,
                    access_log=False,
                    server_header=False,
                    proxy_headers=False,
                    ws_max_size=LARGEST_MESSAGE,
                    limit_concurrency=1000,
                    timeout_keep_alive=15,
                    timeout_graceful_shutdown=3,
                    h11_max_incomplete_event_size=16 * 1024,
                    ssl_certfile=str(papers.chain) if papers else None,
                    ssl_keyfile=str(papers.key) if papers else None,
                )
                # To be stopped is a server's normal end; uvicorn hands the signal on once all is closed.
                with contextlib.suppress(KeyboardInterrupt):
                    signal.signal(signal.SIGTERM, signal.default_int_handler)
                    uvicorn.Server(config).run([door])
            finally:
                server.close()
    finally:
        pools.close()


def bound(host: str, port: int) -> socket.socket:
    """A socket at the door. Raises `ServeError` when it can't be had."""
    try:
        door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        door.bind((host, port))
        door.listen(256)  # from now on who comes waits, and isn't sent away
    except OSError as error:
        raise ServeError(f"the address can't be used ({error.strerror}): {f'{host}:{port}'!r}") from None
    return door


def _roots(reached: tuple[str, ...], port: int, papers: Certificate | None) -> tuple[str, ...]:
    scheme = "https" if papers else "http"
    return tuple(f"{scheme}://{addresses.link_host(address)}:{port}" for address in reached)


def links(roots: tuple[str, ...], code: str) -> tuple[str, ...]:
    """What a phone opens, or scans, to come in with a code."""
    return tuple(f"{root}/join?token={code}" for root in roots)


def _invitation(token: str, roots: tuple[str, ...], papers: Certificate | None) -> Invitation:
    return Invitation(
        links(roots, token),
        token,
        papers.fingerprint if papers else None,
        f"{roots[0]}/certificate" if papers else None,
    )


def _settle() -> None:
    """Load every screen before anybody comes, and let the collector look less often: pages are large and live
    long, and each look at all of them would hold up everybody."""
    import gc

    from companion.app.app import screens

    screens()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


async def _more_threads() -> None:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(THREADS, "companion"))
    loop.set_exception_handler(_in_the_loop)


def _in_the_loop(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    if isinstance(error, Exception):
        log.warning("in the loop: %s", where(error))
