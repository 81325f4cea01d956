"""How often deals can be cleared, and how few strokes they take, with perfect information."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, Final

from companion.engine.errors import EngineError
from companion.engine.solver import solve
from companion.game import Position, Rules, full_deck

CHUNK: Final = 25
"""Deals that are solved and kept together."""
PATIENCE: Final = 10
"""Seconds that a Dask scheduler has to answer."""
_Z: Final = 1.959963984540054
"""Standard errors to either side that hold 95 % of a normal distribution."""

Result = tuple[int, bool, bool]
"""Best score, whether it clears the tableau, whether it is decided."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Study:
    """What a number of deals came to."""

    rules: Rules
    seed: int
    deals: int
    cleared: int
    undecided: int
    """Deals whose search met its limit without clearing them: counted as not cleared."""
    mean: float
    """The mean best score in strokes."""
    deviation: float
    """The standard deviation of the best score."""

    @property
    def share(self) -> float:
        """The share of deals that can be cleared."""
        return self.cleared / self.deals

    @property
    def share_interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, after Wilson."""
        return wilson(self.cleared, self.deals)

    @property
    def mean_interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean best score."""
        half = _Z * self.deviation / math.sqrt(self.deals)
        return self.mean - half, self.mean + half


def study(
    rules: Rules,
    deals: int,
    seed: int = 0,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    state: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Study:
    """Solves seeded deals, stock known.

    workers: processes, all cores unless said otherwise.
    cluster: address of a Dask scheduler that does the work instead (extra `cluster`).
    state: file that keeps what is done; the same study begun again goes on from there.
    limit: states a search may look at, for `solve`.
    progress: called with the deals done and all deals.
    Raises `EngineError`.
    """
    if deals < 1:
        raise EngineError(f"a study needs at least one deal: {deals!r}")
    tasks = {first: min(CHUNK, deals - first) for first in range(0, deals, CHUNK)}
    kept = _State(state, rules, seed, limit)
    results = {
        first: done for first, done in kept.results.items() if first in tasks and len(done) >= tasks[first]
    }
    waiting = [
        (str(rules), seed, first, count, limit) for first, count in tasks.items() if first not in results
    ]

    def report() -> None:
        if progress:
            progress(sum(min(len(done), tasks[first]) for first, done in results.items()), deals)

    report()
    if waiting:
        with _runner(workers, cluster) as run:
            for first, done in run(waiting):
                results[first] = done
                kept.keep(first, done)
                report()
    flat = [result for first, count in tasks.items() for result in results[first][:count]]
    return _summary(rules, seed, flat)


def deal(rules: Rules, seed: int, number: int) -> Position:
    """A deal of a study: the sorted deck, shuffled by the seed and the number, dealt in rows."""
    cards = list(full_deck(rules))
    random.Random(f"{seed}/{number}").shuffle(cards)
    return Position.deal(rules, cards)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson."""
    share, square = successes / trials, _Z * _Z / trials
    middle = (share + square / 2) / (1 + square)
    half = _Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    return middle - half, middle + half


Task = tuple[str, int, int, int, int | None]
"""Rules, seed, first deal, number of deals, limit."""


Solved = tuple[int, list[Result]]
"""The first deal of a task and its results."""


def solve_chunk(task: Task) -> Solved:
    """Solves the deals of a task.  Runs in another process or on another machine."""
    text, seed, first, count, limit = task
    rules = Rules.parse(text)
    solutions = [solve(deal(rules, seed, number), limit) for number in range(first, first + count)]
    return first, [(s.score, s.cleared, s.decided) for s in solutions]


Run = Callable[[list[Task]], Iterator[Solved]]


@contextmanager
def _runner(workers: int | None, cluster: str | None) -> Iterator[Run]:
    """What runs tasks and yields their results as they come."""
    count = workers or os.cpu_count() or 1
    with ExitStack() as stack:
        if cluster is not None:
            client = stack.enter_context(_client(cluster))
            yield lambda tasks: _on_cluster(client, tasks)
        elif count == 1:
            yield lambda tasks: map(solve_chunk, tasks)
        else:
            # Forked processes and threads of a numeric library don't mix.
            pool = stack.enter_context(ProcessPoolExecutor(count, mp_context=get_context("spawn")))
            yield lambda tasks: _in_processes(pool, tasks)


def _in_processes(pool: ProcessPoolExecutor, tasks: list[Task]) -> Iterator[Solved]:
    others = set(active_children())
    try:
        with _deaf():
            pending: set[Future[Solved]] = {pool.submit(solve_chunk, task) for task in tasks}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BaseException:
        # What was begun is worth nothing any more.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.terminate()
        raise


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C, not even while they import.

    This one hears it when they have all they need: they inherit what is blocked, not what is handled.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, handler)
    if heard:
        signal.raise_signal(signal.SIGINT)


def _client(address: str) -> Any:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise EngineError(
            f"a cluster needs the extra `cluster` (pip install distributed): {address!r}"
        ) from None
    try:
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise EngineError(f"no Dask scheduler answers at this address: {address!r}") from error


def _on_cluster(client: Any, tasks: list[Task]) -> Iterator[Solved]:
    distributed: Any = import_module("distributed")
    # A chunk whose worker is lost is solved again by another one: its result depends on nothing else.
    futures = client.map(solve_chunk, tasks, pure=False, retries=3)
    for future in distributed.as_completed(futures):
        yield future.result()


def _summary(rules: Rules, seed: int, results: list[Result]) -> Study:
    scores = [score for score, _, _ in results]
    mean = sum(scores) / len(scores)
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1))
    cleared = sum(clear for _, clear, _ in results)
    undecided = sum(not decided and not clear for _, clear, decided in results)
    return Study(rules, seed, len(results), cleared, undecided, mean, spread)


class _State:
    """The results of a study in a file, one JSON document, replaced as a whole."""

    def __init__(self, path: Path | None, rules: Rules, seed: int, limit: int | None) -> None:
        self.path = path
        self.head = {"schema": "companion.study-state/1", "rules": str(rules), "seed": seed, "limit": limit}
        self.results: dict[int, list[Result]] = {}
        if path is None or not path.exists():
            return
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            head = {key: document[key] for key in self.head}
            self.results = {
                int(first): [(int(score), bool(clear), bool(decided)) for score, clear, decided in done]
                for first, done in document["results"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise EngineError(f"not the state of a study: {str(path)!r}") from error
        if head != self.head:
            raise EngineError(f"the state of another study, with other rules, seed or limit: {str(path)!r}")

    def keep(self, first: int, done: list[Result]) -> None:
        self.results[first] = done
        if self.path is None:
            return
        text = json.dumps(self.head | {"results": {str(n): self.results[n] for n in sorted(self.results)}})
        part = self.path.with_name(f"{self.path.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(self.path)
