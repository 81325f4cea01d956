"""What the commands print: JSON documents, and a console in the colours the terminal has."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console


def emit(document: Mapping[str, Any]) -> None:
    """Prints one JSON document on standard output, for `--json`."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n")


def flush() -> None:
    """Let a reader have what was printed, for a command that goes on."""
    sys.stdout.flush()


def console() -> Console:
    """The console for people: standard output, in colour where that is a terminal."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def messages() -> Console:
    """The console for progress and remarks, on standard error."""
    return Console(stderr=True, highlight=False)
