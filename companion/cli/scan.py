"""`companion scan PHOTO`: reads the table on a photo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from companion.cli import output
from companion.cli.options import JsonOption, LanguageOption, file_named
from companion.game import Card
from companion.game.letters import check_language, show

if TYPE_CHECKING:
    from companion.vision import Scan, ScannedCard

_WRITABLE = (".png", ".jpg", ".jpeg", ".webp")


def register(app: typer.Typer) -> None:
    app.command("scan")(scan)


def scan(
    photo: Annotated[
        str, typer.Argument(metavar="PHOTO", help="JPEG, PNG or WebP; HEIC with the heic extra.")
    ],
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", "-o", metavar="OUT.png", help="Draw what was read over the photo."),
    ] = None,
    decks: Annotated[
        int, typer.Option("--decks", min=1, max=2, help="How often each card can be on the table.")
    ] = 1,
    jokers: Annotated[
        int, typer.Option("--jokers", min=0, max=2, help="How many jokers can be on the table.")
    ] = 2,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Read the table on a photo: columns, discard, loose cards."""
    from companion.vision import open_photo, scan_pixels
    from companion.vision.scan import Clock

    check_language(language)
    if overlay is not None and overlay.suffix.lower() not in _WRITABLE:
        raise typer.BadParameter(f"the overlay can be written as {', '.join(_WRITABLE)}: {overlay.name!r}")
    clock = Clock()
    opened = open_photo(file_named(photo))
    clock.stop("load")
    result = scan_pixels(opened, decks=decks, jokers=jokers, clock=clock)
    if overlay is not None:
        from companion.vision.overlay import draw_overlay

        draw_overlay(opened, result).save(overlay)
    if json:
        output.emit(result.document())
    else:
        show_scan(result, language)


def show_scan(result: Scan, language: str) -> None:
    """Prints a scan for people: unsure cards have a question mark."""
    console = output.console()
    if result.columns:
        table = Table(box=None, pad_edge=False)
        for number in range(len(result.columns)):
            table.add_column(str(number + 1), justify="center")
        for row in range(max(map(len, result.columns))):
            table.add_row(*(_cell(result, column, row, language) for column in range(len(result.columns))))
        console.print(table)
    if result.discard:
        console.print(
            Text("Discard: ") + _named([c for c in result.cards if c.where == "discard"][-1:], language)
        )
    if result.loose:
        console.print(Text("Loose: ") + _named([c for c in result.cards if c.where == "loose"], language))
    if result.stock_seen:
        count = "" if result.stock_count is None else f", {result.stock_count} cards"
        console.print(f"Stock: seen{count}")
    for problem in result.problems:
        console.print(Text(f"{problem.code}: {problem.message}", style="yellow"))


def _cell(result: Scan, column: int, row: int, language: str) -> Text:
    here = [card for card in result.cards if (card.where, card.column, card.row) == ("column", column, row)]
    return _named(here, language)


def _named(cards: Sequence[ScannedCard], language: str) -> Text:
    text = Text()
    for card in cards:
        if text:
            text.append(" ")
        shown = Card.parse(card.card)
        style = "bold yellow" if not card.sure else "red" if shown.is_red else ""
        text.append(show(shown, language) + ("" if card.sure or card.card == "??" else "?"), style=style)
    return text
