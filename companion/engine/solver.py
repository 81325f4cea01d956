"""The best score of a table whose stock is known, and a line of play that reaches it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.engine import fast, sweep
from companion.engine.board import Board, board
from companion.engine.errors import EngineError
from companion.engine.lattice import LIMIT, size, strides
from companion.engine.search import STATES, search
from companion.game import RANKS, Card, Draw, Move, Play, Position, Rules

_ANY: Final = -1


@dataclass(frozen=True, slots=True)
class Solution:
    """What perfect play reaches when the stock is known."""

    score: int
    """The strokes of the hole: cards left, or minus the cards left in the stock once cleared."""
    moves: tuple[Move, ...]
    """A line of play that reaches the score."""
    states: int
    """How many states were looked at."""
    decided: bool
    """The score is the best possible; False when a search met its limit, then it is the best found."""
    cleared: bool
    """The tableau is cleared by the moves."""


def solve(position: Position, limit: int | None = None, *, compiled: bool | None = None) -> Solution:
    """The best score of a position whose stock is known.

    limit: states a search may look at where the heights don't fit in memory (Double Golf, Black Hole).
    compiled: use the Numba kernel; left out, if it is there.
    Raises `EngineError` for a hidden stock or a table with problems.
    """
    if position.stock is None and position.stock_count:
        raise EngineError(f"the stock is face down, so there is no best score: {position.stock_count!r}")
    table = board(position)
    if table.stock is None:
        table = table.with_stock(())
    if size(table.heights) > LIMIT or len(table.stock or ()) >= sweep.STAGES:
        return _searched(position, table, limit or STATES)
    if fast.available() if compiled is None else compiled:
        from companion.engine import sweep_fast

        reached = sweep_fast.reach(table)
    else:
        reached = sweep.reach(table)
    moves = tuple(_line(position, table, reached))
    left = table.left - sum(isinstance(move, Draw) for move in moves)
    plays = len(moves) - (table.left - left)
    cleared = plays == table.count
    return Solution(-left if cleared else table.count - plays, moves, reached.states, True, cleared)


def _searched(position: Position, table: Board, limit: int) -> Solution:
    found = search(table, limit)
    moves: list[Move] = []
    stock = list(position.stock or ())
    columns = [list(column) for column in position.columns]
    for column, top in found.steps:
        moves.append(
            play(columns[column].pop(), column, top, position.rules)
            if column >= 0
            else draw(stock.pop(0), top)
        )
    left = len(stock)
    count = sum(map(len, columns))
    return Solution(count or -left, tuple(moves), found.states, found.decided, count == 0)


def _line(position: Position, table: Board, reached: sweep.Reached) -> list[Move]:
    """The moves to the best state, found by going back from it."""
    assert table.stock is not None
    step = strides(table.heights)
    start = sum(h * s for h, s in zip(table.heights, step, strict=True))
    index = reached.best
    top, stage = _earliest(reached, index)
    moves: list[Move] = []
    while (index, stage) != (start, 0):
        came = _drawn_from(table, reached, index, top, stage, step)
        if came is not None:
            moves.append(draw((position.stock or ())[stage - 1], top))
            top, stage = came, stage - 1
            continue
        column, before = _played_from(table, reached, index, top, stage, step)
        height = index // step[column] % (table.heights[column] + 1)
        moves.append(play(position.columns[column][height], column, top, position.rules))
        index, top = index + step[column], before
    return moves[::-1]


def _earliest(reached: sweep.Reached, index: int) -> tuple[int, int]:
    stage, top = min(
        ((bits & -bits).bit_length() - 1, top) for top in range(16) if (bits := reached.at(top, index))
    )
    return top, stage


def _drawn_from(
    table: Board, reached: sweep.Reached, index: int, top: int, stage: int, step: tuple[int, ...]
) -> int | None:
    """The top before a draw that leads to a state, if one does."""
    assert table.stock is not None
    if not stage or top not in table.steps.draws[table.stock[stage - 1]]:
        return None
    never = table.no_draw()
    if table.draw_when_stuck:
        heights = tuple(index // s % (h + 1) for s, h in zip(step, table.heights, strict=True))
        never |= table.follow(heights)
    for before in range(16):
        if not never >> before & 1 and reached.at(before, index) >> (stage - 1) & 1:
            return before
    return None


def _played_from(
    table: Board, reached: sweep.Reached, index: int, top: int, stage: int, step: tuple[int, ...]
) -> tuple[int, int]:
    """The column and the top before a play that leads to a state."""
    for column, (s, full) in enumerate(zip(step, table.heights, strict=True)):
        height = index // s % (full + 1)
        if height == full:
            continue
        for edge in table.steps.plays[table.columns[column][height]]:
            if edge.result == top:
                for before in range(16):
                    if edge.sources >> before & 1 and reached.at(before, index + s) >> stage & 1:
                        return column, before
    raise AssertionError("a state that was reached has no state before it")


def play(card: Card, column: int, top: int, rules: Rules) -> Play:
    """The play of a card that becomes a top."""
    return Play(column, named(top) if card.is_joker and rules.joker == "declared" else None)


def draw(card: Card, top: int) -> Draw:
    """The draw of a card that becomes a top."""
    if card.is_joker and top < 14:
        return Draw(Card.parse(f"{card.plain!s}={RANKS[named(top) - 1]}"))
    return Draw()


def named(top: int) -> int:
    """The rank from 1 to 13 of a top that is a rank."""
    return 12 if top == 13 else top + 1
