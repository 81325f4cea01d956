"""What the server writes down: what happened, never a photo, a token, a name, or what a client sent."""

from __future__ import annotations

import logging
import sys
import traceback

log = logging.getLogger("companion.serve")

_QUIET = ("flet", "uvicorn", "websockets", "asyncio", "companion.app")
"""Programs whose messages can quote what a client sent; only where they come from is written."""


class Formatter(logging.Formatter):
    """One line a record; of an exception its type and where it came from, not its words."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        own = record.name.startswith("companion.serve")
        said = record.getMessage() if own else f"{record.name}: {record.module}:{record.lineno}"
        error = record.exc_info[1] if record.exc_info else None
        at, level = self.formatTime(record, self.datefmt), record.levelname.lower()
        line = f"{at} {level} {' '.join(said.split())[:300]}"
        return f"{line} ({where(error)})" if error else line


def where(error: BaseException) -> str:
    """An exception's type, and the last places it passed, without its words or any folder."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    places = " < ".join(f"{_module(frame.filename)}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}" if places else type(error).__name__


def set_up(level: int = logging.INFO) -> None:
    """Write to standard error, everything in the same careful form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Formatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    log.setLevel(level)
    for name in _QUIET:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)


def _module(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-2:])
