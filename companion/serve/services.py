"""The app's workers, each behind a pool of processes: reading photos, advising, checking."""

from __future__ import annotations

import os
import uuid
from functools import cache
from typing import Any

from companion import __version__
from companion.app.services import pictures
from companion.app.services.adviser import Adviser, EngineAdviser, Hint
from companion.app.services.auditor import Auditor, EngineAuditor, Finding
from companion.app.services.reader import VisionReader
from companion.app.state.app import Services
from companion.game import Position
from companion.serve.log import log, where
from companion.serve.workers import Workers

SCANS_AT_MOST = 40
HINTS_AT_MOST = 60
SCANS_OF_ONE, HINTS_OF_ONE = 4, 10
"""Of one device, running and waiting."""
SECONDS = 60.0
"""A photo, a hint or a check takes no longer, and waits no longer for its turn."""


class PoolReader:
    """Reads photos; also decodes them for the screen, so that no photo is opened by the server itself."""

    def __init__(self, workers: Workers, device: str) -> None:
        self._workers, self._device = workers, device

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        return self._workers.call(_read, photo, decks, jokers, who=self._device)

    def shown(self, photo: bytes) -> tuple[bytes, tuple[int, int], tuple[int, int]]:
        return self._workers.call(_shown, photo, who=self._device, short=True)

    def mirrored(self, photo: bytes) -> bytes:
        return self._workers.call(_mirrored, photo, who=self._device, short=True)

    def warnings(self, photo: bytes) -> tuple[str, ...]:
        """What is wrong with a live picture by its light."""
        return self._workers.call(_warnings, photo, who=self._device, short=True)

    def glance(self, photo: bytes) -> tuple[str, ...] | None:
        """What is wrong with it by what is found in it; None while others might wait for that."""
        if self._workers.free < 2:
            return None
        return self._workers.call(_glance, photo, who=self._device)

    def warm(self) -> None:
        """The server starts its processes before anybody comes; nothing is left to do for one page."""


class PoolAdviser:
    def __init__(self, workers: Workers, device: str) -> None:
        self._workers, self._device = workers, device

    def advise(self, position: Position, aim: str) -> Hint:
        return self._workers.call(_advise, position, aim, who=self._device)

    def warm(self) -> None:
        """See `PoolReader.warm`."""


class PoolAuditor:
    def __init__(self, workers: Workers, device: str) -> None:
        self._workers, self._device = workers, device

    def check(self, *question: Any) -> tuple[Finding, ...]:
        return self._workers.call(_check, *question, who=self._device)


class Pools:
    """The processes of a server: photos in one pool, thinking in another; neither waits for the other."""

    def __init__(self, processes: int | None = None) -> None:
        count = processes or max(1, min(4, os.cpu_count() or 1))
        self.reading = Workers(count, most=SCANS_AT_MOST, each=SCANS_OF_ONE, seconds=SECONDS)
        self.thinking = Workers(max(1, count // 2), most=HINTS_AT_MOST, each=HINTS_OF_ONE, seconds=SECONDS)

    def services(self, device: str) -> Services:
        """What a device's app works with; devices take turns."""
        return Services(
            PoolAdviser(self.thinking, device),
            PoolReader(self.reading, device),
            PoolAuditor(self.thinking, device),
            _numbered,
        )

    def warm(self) -> None:
        """Start the processes and load what they need, ahead of the first photo and the first hint."""
        self.reading.start(_warm_reader)
        self.thinking.start(_warm_adviser)

    def close(self) -> None:
        self.reading.close()
        self.thinking.close()


def _numbered(error: BaseException, place: str) -> str:
    """What a client is told of a crash: a number, under which the log has where it happened."""
    number = uuid.uuid4().hex[:8]
    log.error("the app failed in %s, %s: %s", place, number, where(error))
    return f"{__version__} {number}"


# --- in the processes --------------------------------------------------------------------------------------


@cache
def _reader() -> VisionReader:
    # A process a core: more threads would only wait for each other.
    return VisionReader(threads=1)


def _warm_reader() -> None:
    _reader().warm()


def _warm_adviser() -> None:
    _adviser().warm()


@cache
def _adviser() -> Adviser:
    return EngineAdviser()


@cache
def _auditor() -> Auditor:
    return EngineAuditor()


def _read(photo: bytes, decks: int, jokers: int) -> dict[str, Any]:
    return _reader().read(photo, decks, jokers)


def _glance(photo: bytes) -> tuple[str, ...]:
    return _reader().glance(photo)


def _mirrored(photo: bytes) -> bytes:
    return pictures.mirrored(photo)


def _warnings(photo: bytes) -> tuple[str, ...]:
    return pictures.warnings(photo)


def _shown(photo: bytes) -> tuple[bytes, tuple[int, int], tuple[int, int]]:
    return pictures.shown(photo)


def _advise(position: Position, aim: str) -> Hint:
    return _adviser().advise(position, aim)


def _check(*question: Any) -> tuple[Finding, ...]:
    return _auditor().check(*question)
