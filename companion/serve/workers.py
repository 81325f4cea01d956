"""Heavy work in processes of its own, so that the server always answers: bounded in number and in time.

Each process does one job at a time. A job that hangs is killed with its process, one that dies with its
process is tried once more; the jobs in the other processes notice nothing of it.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, TypeVar

from companion.serve.errors import Busy, ServeError
from companion.serve.log import log

T = TypeVar("T")


@dataclass(eq=False)
class _Waiting:
    """A job that waits for a process; the short ones go first, and devices take turns."""

    who: str
    short: bool
    process: _Process | None = None
    ready: threading.Event = field(default_factory=threading.Event)


class Workers:
    """`processes` that do jobs. `most` may run or wait, `each` of them of one device.

    A job waits at most `patience` seconds for its turn, and then has `seconds`.
    """

    def __init__(
        self, processes: int, *, most: int, seconds: float, each: int | None = None, patience: float = 60.0
    ) -> None:
        self.processes, self.most, self.each = processes, most, each or most
        self.seconds, self.patience = seconds, patience
        self._lock = threading.Lock()
        self._all = [_Process() for _ in range(processes)]
        self._idle = list(self._all)
        self._waiting: list[_Waiting] = []
        self._inside: Counter[str] = Counter()
        self._running: Counter[str] = Counter()

    def call(self, job: Callable[..., T], *values: Any, who: str = "", short: bool = False) -> T:
        """Run a function of a module in one of the processes, and wait for what it returns or raises.

        Raises `Busy` when too many wait already, `ServeError` when it takes too long or its process dies.
        """
        with self._turn(who, short) as process:
            return process.run(job, values, self.seconds)

    def start(self, job: Callable[[], object]) -> None:
        """Start the processes, with this job for each, and don't wait for them."""
        for process in self._all:
            process.begin(job)

    @property
    def free(self) -> int:
        """How many processes have nothing to do."""
        return len(self._idle)

    def pids(self) -> tuple[int, ...]:
        """The processes that are running."""
        return tuple(pid for process in self._all for pid in process.pids())

    def close(self) -> None:
        for process in self._all:
            process.end(for_good=True)

    # --- whose turn it is ----------------------------------------------------------------------------------

    @contextmanager
    def _turn(self, who: str, short: bool) -> Iterator[_Process]:
        job = _Waiting(who, short)
        with self._lock:
            if self._inside.total() >= self.most or self._inside[who] >= self.each:
                raise Busy("too much is being worked on, try again in a moment")
            self._inside[who] += 1
            self._waiting.append(job)
            self._give()
        try:
            job.ready.wait(self.patience)
            with self._lock:
                if job.process is None:
                    self._waiting.remove(job)
                    raise Busy("too much is being worked on, try again in a moment")
            yield job.process
        finally:
            with self._lock:
                self._inside[who] -= 1
                if job.process is not None:
                    self._running[who] -= 1
                    self._idle.append(job.process)
                    self._give()
                self._inside, self._running = +self._inside, +self._running

    def _give(self) -> None:
        """Hand idle processes out: to short jobs first, then to who has the fewest running, then in turn."""
        while self._idle and self._waiting:
            job = min(self._waiting, key=lambda job: (not job.short, self._running[job.who]))
            self._waiting.remove(job)
            self._running[job.who] += 1
            job.process = self._idle.pop()
            job.ready.set()


class _Process:
    """One process, started when it is first needed and again after it died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._over = False

    def run(self, job: Callable[..., T], values: tuple[Any, ...], seconds: float) -> T:
        until = time.monotonic() + seconds
        for last in (False, True):
            future: Future[T] | None = None
            try:
                future = self._ready().submit(job, *values)
                return future.result(timeout=max(0.0, until - time.monotonic()))
            except BrokenProcessPool:
                self.end()
                if last:
                    log.warning("a job ended its process twice")
            except TookTooLong:
                if future is not None and future.done():
                    raise  # the job's own words
                self.end()
                log.warning("a job took longer than %.0f s and was killed", seconds)
                raise ServeError(
                    f"it took longer than {seconds:.0f} seconds and was stopped", code="took-too-long"
                ) from None
        raise ServeError("the work broke off, try again", code="broke-off")

    def begin(self, job: Callable[[], object]) -> None:
        with suppress(RuntimeError, ServeError):
            self._ready().submit(job)

    def pids(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(getattr(self._pool, "_processes", None) or ())

    def end(self, *, for_good: bool = False) -> None:
        with self._lock:
            pool, self._pool = self._pool, None
            self._over = self._over or for_good
        if pool is None:
            return
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def _ready(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._over:
                raise ServeError("the server is being stopped", code="broke-off")
            if self._pool is None:
                # A fresh interpreter: forking a process that has threads and models open is not safe.
                self._pool = ProcessPoolExecutor(
                    1, mp_context=get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
                )
            return self._pool


def _begin(parent: int) -> None:
    """In each process: the server goes first, Ctrl+C is the server's, and without it there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while hasattr(os, "getppid") and os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
