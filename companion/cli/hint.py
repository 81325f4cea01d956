"""`companion hint BOARD`: the legal moves, ranked, with the expected strokes and the chance to clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from companion.cli import boards, output, tables
from companion.cli.options import BoardArgument, JsonOption, LanguageOption, RulesOption, StockOption
from companion.game import Draw, Play, Position, Rules
from companion.game.letters import check_language, show

if TYPE_CHECKING:
    from companion.engine import Advice, MoveValue


def register(app: typer.Typer) -> None:
    app.command("hint")(hint)


def hint(
    board: BoardArgument,
    rules: RulesOption = "strict",
    aim: Annotated[
        str,
        typer.Option("--aim", "-a", metavar="AIM", help="strokes, clear, or '<=N' for at most N strokes."),
    ] = "strokes",
    stock: StockOption = None,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Rank the legal moves, best first, as one who can't see the stock.

    The order of the stock is never used, even when the board shows it; for that there is solve.
    """
    from companion.engine import Aim, advise

    check_language(language)
    wanted = Aim.parse(aim)
    position = boards.load_position(board, Rules.parse(rules), stock_count=stock, language=language)
    table = boards.playable(position).hidden()
    advice = advise(table, aim=wanted)
    if json:
        output.emit(document(table, advice))
    else:
        show_advice(table, advice, language)


def document(position: Position, advice: Advice) -> dict[str, Any]:
    """The JSON of `--json`, schema `companion.hint/1`."""
    return {
        "schema": "companion.hint/1",
        "rules": str(position.rules),
        "stock": "hidden",
        "exact": advice.exact,
        "moves": [_move(value) for value in advice.moves],
        "run": [str(card) for card in advice.run],
        "unseen": [str(card) for card in advice.unseen],
        "seconds": round(advice.seconds, 3),
    }


def show_advice(position: Position, advice: Advice, language: str) -> None:
    """The table, the ranked moves and the run to play now, for people."""
    console = output.console()
    console.print(tables.drawn(position, language))
    console.print()
    if not advice.moves:
        console.print(f"  The hole is over: {strokes(position.strokes)}.")
        return
    at_most = any(value.at_most is not None for value in advice.moves)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "move", "strokes", "clears", *(["reaches the aim"] if at_most else [])):
        grid.add_column(heading, justify="left" if heading in ("", "move") else "right")
    for place, value in enumerate(advice.moves):
        chances = [value.clear] + ([value.at_most or 0.0] if at_most else [])
        cells = [f"{value.strokes:+.2f}", *(f"{100 * chance:.1f} %" for chance in chances)]
        grid.add_row(
            "→" if place == 0 else "", _words(value, language), *cells, style="bold" if place == 0 else ""
        )
    console.print(grid)
    console.print()
    if advice.run:
        cards = " ".join(show(card, language) for card in advice.run)
        console.print(f"  Play now: [bold]{cards}[/bold], then look again.")
    kind = "exact" if advice.exact else "an estimate"
    console.print(f"  [dim]The figures are {kind}; {position.stock_count} cards are in the stock.[/dim]")


def strokes(count: int) -> str:
    return f"{count} stroke" if count in (1, -1) else f"{count} strokes"


def _move(value: MoveValue) -> dict[str, Any]:
    figures: dict[str, Any] = {"strokes": round(value.strokes, 4), "clear": round(value.clear, 5)}
    if value.at_most is not None:
        figures["at_most"] = round(value.at_most, 5)
    return move_document(value.move, str(value.card) if value.card else None) | figures


def move_document(move: Play | Draw, card: str | None) -> dict[str, Any]:
    """A move as the JSON of every command writes it; columns count from 0."""
    if isinstance(move, Draw):
        return {"move": "draw"} | ({"card": card} if card else {})
    named = {} if move.rank is None else {"rank": move.rank}
    return {"move": "play", "column": move.column, "card": card, **named}


def _words(value: MoveValue, language: str) -> str:
    if isinstance(value.move, Draw) or value.card is None:
        return "draw"
    card = value.card if value.move.rank is None else value.card.plain.named(value.move.rank)
    return f"play {show(card, language)} from column {value.move.column + 1}"
