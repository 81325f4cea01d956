"""Heavy work in processes of its own, so that the server always answers: bounded in number and in time.

A job that hangs is killed with its process, one that dies with its process is tried once more; the others of
that pool are started again.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, TypeVar

from companion.serve.errors import Busy, ServeError
from companion.serve.log import log

T = TypeVar("T")


class Workers:
    """A pool of processes. `most` jobs may run or wait, each for `seconds` in all."""

    def __init__(self, processes: int, *, most: int, seconds: float) -> None:
        self.processes, self.most, self.seconds = processes, most, seconds
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._inside = 0

    def call(self, job: Callable[..., T], *values: Any) -> T:
        """Run a function of a module in one of the processes, and wait for what it returns or raises.

        Raises `Busy` when too many wait already, `ServeError` when it takes too long or its process dies.
        """
        with self._lock:
            if self._inside >= self.most:
                raise Busy("too much is being worked on, try again in a moment")
            self._inside += 1
        try:
            return self._run(job, values)
        finally:
            with self._lock:
                self._inside -= 1

    def start(self, job: Callable[[], object]) -> None:
        """Start the processes, with this job for each, and don't wait for them."""
        for _ in range(self.processes):
            with suppress(RuntimeError):
                self._ready().submit(job)

    def close(self) -> None:
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            _kill(pool)

    def _run(self, job: Callable[..., T], values: tuple[Any, ...]) -> T:
        until = time.monotonic() + self.seconds
        died = 0
        while True:
            pool = self._ready()
            future: Future[T] | None = None
            try:
                future = pool.submit(job, *values)
                return future.result(timeout=max(0.0, until - time.monotonic()))
            except BrokenProcessPool:
                self._drop(pool)
                died += 1
                if died == 2 or time.monotonic() > until:
                    raise ServeError("the work broke off, try again") from None
            except TookTooLong:
                if future is not None and not future.cancel():
                    log.warning("a job took longer than %.0f s and was killed", self.seconds)
                    self._drop(pool)
                raise ServeError(f"it took longer than {self.seconds:.0f} seconds and was stopped") from None

    def _ready(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # A fresh interpreter: forking a process that has threads and models open is not safe.
                self._pool = ProcessPoolExecutor(
                    self.processes,
                    mp_context=get_context("spawn"),
                    initializer=_begin,
                    initargs=(os.getpid(),),
                )
            return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is pool:
                self._pool = None
        _kill(pool)


def _kill(pool: ProcessPoolExecutor) -> None:
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


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
