"""A position drawn for the terminal, in colour, with the letters of a language."""

from __future__ import annotations

from itertools import zip_longest

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from companion.game import Card, Position
from companion.game.letters import show

_WORDS = {
    "en": ("discard", "stock", "empty"),
    "de": ("Ablage", "Talon", "leer"),
    "sv": ("avläggning", "talong", "tom"),
    "fr": ("défausse", "talon", "vide"),
}


def drawn(position: Position, language: str = "en") -> Group:
    """The tableau with a number over each column and the exposed cards in bold, the piles below."""
    # Black Hole's 17 columns have to fit 80 characters too.
    gap = 2 if len(position.columns) <= 12 else 1
    grid = Table.grid(padding=(0, gap, 0, 0))
    for _ in position.columns:
        grid.add_column(justify="right", min_width=3)
    grid.add_row(*(Text(str(number), style="dim") for number in range(1, len(position.columns) + 1)))
    for depth, row in enumerate(zip_longest(*position.columns)):
        grid.add_row(
            *(
                card_text(card, language, bold=depth == len(column) - 1) if card else ""
                for card, column in zip(row, position.columns, strict=True)
            )
        )
    discard, stock, empty = _WORDS[language]
    piles = Text.assemble(
        (f"{discard} ", "dim"),
        card_text(position.top, language) if position.top else (empty, "dim"),
        (f"   {stock} ", "dim"),
        str(position.stock_count),
    )
    return Group(Padding(grid, (0, 0, 1, 2), expand=False), Padding(piles, (0, 0, 0, 2), expand=False))


def card_text(card: Card, language: str = "en", *, bold: bool = False) -> Text:
    """A card in its colour; unread ones are marked by shape and colour."""
    style = "red" if card.is_red else "yellow" if card.suit is None else ""
    return Text(show(card, language), style=f"bold {style}" if bold else style)
