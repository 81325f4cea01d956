"""The command line.  `companion.cli:main` is the entry point; a module here is a command."""

from companion.cli.commands import main, run

__all__ = ["main", "run"]
