"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

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
