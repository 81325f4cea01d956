"""Builds the command line and runs it: finds the command, loads only that, and turns errors into one line."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import typer

from companion import __version__
from companion.cli.failures import STOPPED, fail

COMMANDS: Final = {
    "scan": "companion.cli.scan",
    "hint": "companion.cli.hint",
    "solve": "companion.cli.solve",
    "check": "companion.cli.check",
    "round": "companion.cli.round",
    "golf": "companion.cli.golf",
    "study": "companion.cli.study",
    "app": "companion.cli.app",
    "serve": "companion.cli.serve",
}
"""Each command's module, loaded only when it is used; its `register(app)` adds the command."""


def main() -> None:
    """The entry point of the console script."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    sys.exit(run(sys.argv[1:]))


def _stop(number: int, frame: object) -> NoReturn:
    """Ctrl-C stops the command; a second one doesn't disturb it while it ends."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit status: 0, 2 for bad input, 1 for anything else."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal without the suit signs shows a substitute instead of failing.
            stream.reconfigure(errors="replace")
    try:
        status = build(arguments)(args=list(arguments), prog_name="companion", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("COMPANION_DEBUG"):
            raise
        return fail(error)
    if status == STOPPED:
        # Some versions of typer end a command that was interrupted like this, without a word.
        return fail(KeyboardInterrupt())
    return status if isinstance(status, int) else 0


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"companion {__version__}")
        raise typer.Exit


def build(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line with the command that the arguments name, or with all of them."""
    app = typer.Typer(
        name="companion",
        help="Reads a table of Golf Patience, advises the next move, checks the play and keeps the score.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=app.info.help)(_companion)
    named = next((word for word in arguments if not word.startswith("-")), "")
    wanted = [named] if named in COMMANDS else [] if "--version" in arguments else list(COMMANDS)
    for name in wanted:
        importlib.import_module(COMMANDS[name]).register(app)
    return app


def _companion(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    """Holds the options that belong to no command."""
