"""`companion solve BOARD`: the best score with the stock known, and a line of play that reaches it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import boards, output, tables
from companion.cli.hint import move_document, strokes
from companion.cli.options import BoardArgument, JsonOption, LanguageOption, RulesOption
from companion.game import Card, CompanionError, Game, Move, Play, Position, Rules
from companion.game.letters import check_language, show

if TYPE_CHECKING:
    from companion.engine import Solution


def register(app: typer.Typer) -> None:
    app.command("solve")(solve)


def solve(
    board: BoardArgument,
    rules: RulesOption = "strict",
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Give up after N states looked at.")
    ] = None,
    language: LanguageOption = "en",
    json: JsonOption = False,
) -> None:
    """Find the best score that can be reached when the order of the stock is known."""
    from companion.engine import solve as find

    check_language(language)
    position = boards.playable(boards.load_position(board, Rules.parse(rules), language=language))
    if position.stock is None and position.stock_count:
        raise CompanionError(
            f"the stock lies face down; give its cards, next one first, as in: {'Talon: 6D KC'!r}"
        )
    start = time.perf_counter()
    # One deal takes numpy less time than loading the compiled kernel.
    solution = find(position, limit=limit, compiled=False)
    seconds = time.perf_counter() - start
    if json:
        output.emit(document(position, solution, seconds))
    else:
        show_solution(position, solution, seconds, language)


def document(position: Position, solution: Solution, seconds: float) -> dict[str, Any]:
    """The JSON of `--json`, schema `companion.solve/1`."""
    moves = [move_document(move, str(card)) for move, card in _replayed(position, solution)]
    return {
        "schema": "companion.solve/1",
        "rules": str(position.rules),
        "score": solution.score,
        "cleared": solution.cleared,
        "decided": solution.decided,
        "moves": moves,
        "states": solution.states,
        "seconds": round(seconds, 3),
    }


def show_solution(position: Position, solution: Solution, seconds: float, language: str) -> None:
    """The table, the score and the line of play, a row a run, for people."""
    console = output.console()
    console.print(tables.drawn(position, language))
    verdict = "clears the table" if solution.cleared else "the table can't be cleared"
    if not solution.decided:
        verdict = "the best found before the limit; better may be possible"
    console.print(f"\n  [bold]{strokes(solution.score)}[/bold], {verdict}.\n")
    for run in _runs(position, solution, language):
        console.print(f"  {run}")
    console.print(f"\n  [dim]{solution.states:,} states looked at in {seconds:.2f} s[/dim]")


def _replayed(position: Position, solution: Solution) -> Iterator[tuple[Move, Card]]:
    """Each move with the card it brings to the discard, replayed through the rules."""
    after = Game(position, tuple(solution.moves)).positions()
    next(after)
    for move, table in zip(solution.moves, after, strict=True):
        assert table.top is not None  # a move always leaves a card on the discard
        yield move, table.top


def _runs(position: Position, solution: Solution, language: str) -> list[str]:
    lines: list[str] = []
    for move, card in _replayed(position, solution):
        word = show(card, language)
        if isinstance(move, Play) and lines:
            lines[-1] += f" {word}"
        else:
            lines.append(f"[dim]{'play' if isinstance(move, Play) else 'draw'}[/dim] {word}")
    return lines
