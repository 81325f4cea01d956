"""Every failure as one line on standard error and an exit status: 2 for bad input, 1 for anything else."""

from __future__ import annotations

import sys
from typing import Final

from companion.game import CompanionError

STOPPED: Final = 130
"""The exit status after Ctrl-C."""


def fail(error: BaseException) -> int:
    """Prints the failure and returns the exit status."""
    if type(error).__name__ == "NoArgsIsHelpError":
        # Not a failure to report but a question; the message is the whole help.
        print(error, file=sys.stderr)
        return 2
    status, sentence = _explain(error)
    print(f"companion: {' '.join(sentence.split())}", file=sys.stderr)
    return status


def _explain(error: BaseException) -> tuple[int, str]:
    if isinstance(error, CompanionError):
        return getattr(error, "exit_status", 2), str(error)
    if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
        return STOPPED, "stopped"
    if callable(format_message := getattr(error, "format_message", None)):
        # An error of the command line itself; typer's own classes differ from version to version.
        return int(getattr(error, "exit_code", 2)), _lower(format_message())
    if isinstance(error, OSError):
        asked_for = isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError)
        where = f": {error.filename!r}" if error.filename else ""
        return 2 if asked_for else 1, _lower(error.strerror or type(error).__name__) + where
    if isinstance(error, ModuleNotFoundError):
        return 1, f"this needs a package that is not installed: {error.name!r}"
    if isinstance(error, MemoryError):
        return 1, "not enough memory"
    return 1, f"unexpected {type(error).__name__}: {error}"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
