"""What to do next when the stock lies face down.

Nothing is learnt between two draws, so the choice is always which heights to draw from.  All that a
player knows is the heights, the top of the discard and how many cards of each kind are unseen; the
order of the stock has no part in it, even where a position carries it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from companion.engine.board import Board, board
from companion.engine.expectation import Expectation, expect
from companion.engine.lattice import size, strides
from companion.engine.outcome import CLEAR, STROKES, Aim, figure
from companion.engine.search import search
from companion.engine.solver import named
from companion.engine.tops import JOKER, WILD
from companion.engine.window import fits, view
from companion.game import Card, Draw, Play, Position, apply, legal_moves

_STATES: Final = 150_000
"""States a search looks at for all moves together where nothing is hidden."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What follows a legal move when play goes on as the aim wants it."""

    move: Play | Draw
    card: Card | None
    """The card that is played, None for a draw."""
    strokes: float
    """The expected strokes of the hole."""
    clear: float
    """The chance to clear the tableau."""
    at_most: float | None
    """The chance of the aim's number of strokes at most; None for the other aims."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The legal moves of a position, best first."""

    moves: tuple[MoveValue, ...]
    run: tuple[Card, ...]
    """The cards to play before the next draw, in order; empty when drawing is best."""
    unseen: tuple[Card, ...]
    """The cards that are not visible: the stock in some order, and what lies buried in the discard."""
    exact: bool
    """The figures are exact; else they are estimates."""
    seconds: float


def advise(
    position: Position, aim: Aim | str = "strokes", *, compiled: bool | None = None, budget: float = 1.0
) -> Advice:
    """The value of each legal move when the stock is hidden.

    aim: what the moves are chosen for, an `Aim` or its text.
    compiled: use the Numba kernel; left out, if it is there.
    budget: seconds the figures may take on two cores, roughly; more makes more of them exact.
    Raises `EngineError` for a table with problems or an unknown aim.
    """
    clock = time.perf_counter()
    wanted = Aim.parse(aim) if isinstance(aim, str) else aim
    table = board(position).with_hidden_stock()
    if not table.count:
        return Advice((), (), position.unseen, True, time.perf_counter() - clock)
    if not table.left and not fits(table):
        return _searched(position, table, wanted, clock)
    seen = view(table)
    expectation = expect(
        seen, wanted, STROKES if wanted != STROKES else CLEAR, compiled=compiled, budget=budget
    )
    moves = _moves(position, expectation)
    if wanted.name == "at_most":
        # A number of strokes, its chance and the chance to clear are three figures, and values carry two.
        again = _moves(position, expect(seen, wanted, CLEAR, compiled=compiled, budget=budget))
        moves = [
            (value, replace(first, clear=second.clear))
            for (value, first), (_, second) in zip(moves, again, strict=True)
        ]
    moves.sort(key=lambda pair: pair[0])
    return Advice(
        tuple(value for _, value in moves),
        _run(position, best_line(expectation)[0]),
        position.unseen,
        expectation.exact,
        time.perf_counter() - clock,
    )


def _searched(position: Position, table: Board, aim: Aim, clock: float) -> Advice:
    """The moves of a table without a stock that is too big to value whole (Black Hole): nothing is hidden.

    Each move is worth the best line that a limited search finds after it; what that decides is exact.
    """
    figure_of = figure(aim, 0)
    found = []
    plays = [move for move in legal_moves(position) if isinstance(move, Play)]
    whole = search(table.with_stock(()), _STATES)
    for move in plays:
        steps = whole.steps
        if steps and steps[0][0] == move.column:
            line = replace(whole, steps=steps[1:])
        else:
            line = search(board(apply(position, move)).with_stock(()), _STATES // 4 // len(plays))
        value = MoveValue(
            move,
            position.columns[move.column][-1],
            float(line.score),
            float(line.score <= 0),
            float(line.score <= (aim.strokes or 0)) if aim.name == "at_most" else None,
        )
        found.append(((figure_of(line.score), line.score), value, line))
    found.sort(key=lambda entry: entry[0])
    run: tuple[Card, ...] = ()
    if found:
        first, line = found[0][1].move, found[0][2]
        rest = [Play(column) for column, _ in line.steps]
        run = _run(position, [Play(first.column), *rest]) if isinstance(first, Play) else ()
    return Advice(
        tuple(value for _, value, _ in found),
        run,
        position.unseen,
        all(line.decided for _, _, line in found),
        time.perf_counter() - clock,
    )


def _moves(position: Position, expectation: Expectation) -> list[tuple[float, MoveValue]]:
    """The legal moves, columns from the left and the draw last, each with its packed value.

    Of strokes and the chance to clear, one that the expectation doesn't hold is 0.
    """
    table = expectation.view.board
    index, step = size(table.heights) - 1, strides(table.heights)
    names = expectation.aim.name, expectation.second.name
    found = []

    def add(value: float, move: Play | Draw, card: Card | None) -> None:
        means = dict(zip(names, expectation.means(value), strict=True))
        strokes, clear = means.get("strokes", 0.0), means.get("clear", 0.0)
        found.append((value, MoveValue(move, card, strokes, clear, means.get("at_most"))))

    for column, kinds in enumerate(table.columns):
        for edge in table.steps.plays[kinds[-1]] if kinds else ():
            if edge.sources >> table.top & 1:
                card = position.columns[column][-1]
                declared = card.is_joker and position.rules.joker == "declared"
                play = Play(column, named(edge.result) if declared else None)
                add(expectation.play(edge.result, index - step[column]), play, card)
    if table.may_draw(table.heights, table.top):
        add(expectation.draw(index), Draw(), None)
    return found


def best_line(expectation: Expectation) -> tuple[list[Play], float]:
    """The best plays in a row, until a draw is better or nothing is left, and what they are worth."""
    table = expectation.view.board
    step = strides(table.heights)
    heights, top = list(table.heights), table.top
    line: list[Play] = []
    worth = float("inf")
    while any(heights):
        index = sum(h * s for h, s in zip(heights, step, strict=True))
        drawn = expectation.draw(index) if table.may_draw(tuple(heights), top) else float("inf")
        best, go = min(
            (
                (expectation.play(edge.result, index - step[column]), (column, edge.result))
                for column, height in enumerate(heights)
                if height
                for edge in table.steps.plays[table.columns[column][height - 1]]
                if edge.sources >> top & 1
            ),
            default=(float("inf"), (0, top)),
        )
        if not line:
            worth = min(best, drawn)
        if best == float("inf") or drawn < best:
            break
        column, top = go
        heights[column] -= 1
        joker = table.columns[column][heights[column]] == JOKER
        line.append(Play(column, named(top) if joker and top != WILD else None))
    return line, worth


def _run(position: Position, line: list[Play]) -> tuple[Card, ...]:
    """The cards of plays in a row; a joker stands for the rank it is given."""
    columns = [list(column) for column in position.columns]
    cards = [columns[play.column].pop() for play in line]
    return tuple(
        card if play.rank is None else card.named(play.rank) for card, play in zip(cards, line, strict=True)
    )
