"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.formats.errors import FormatError


def file_named(name: str) -> Path:
    """The path of a file's name; no name is an error, and not the folder one is in as `Path` has it."""
    if not name.strip():
        raise FormatError(f"the name of a file is empty: {name!r}")
    return Path(name)


BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A photo, a board in text or JSON, a PySolFC deal such as pysolfc:906, or - for standard input.",
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules", "-r", metavar="RULES", help="A preset, and changes to it: strict,draw=when_stuck."
    ),
]
StockOption = Annotated[
    int | None,
    typer.Option("--stock", metavar="N", min=0, help="The cards left in a stock that lies face down."),
]
LanguageOption = Annotated[
    str, typer.Option("--language", "-l", metavar="LANG", help="Card letters: en, de, sv or fr.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
