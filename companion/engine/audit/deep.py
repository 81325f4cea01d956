"""A search in depth for a way that draws no card more often than it exists.

It follows only states from which the end is in reach as far as the tables tell, and remembers where it
failed: with fewer cards to draw it would fail again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from numpy.typing import NDArray

from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.tops import KINDS, NONE

LIMIT: Final = 25_000
"""States after which a search gives up."""

_GUARD: Final = sum(8 << 4 * kind for kind in range(KINDS))


class Undecided(Exception):
    """A search met its limit: neither a way nor a proof that there is none."""


class _Limit(Exception):
    """Leaves the recursion."""


def search(
    task: Task,
    draws: int,
    faults: int,
    *,
    need: bool,
    limit: int,
    least: Sequence[NDArray[Any]],
    counts: Sequence[NDArray[Any]] | None,
    prices: Sequence[NDArray[Any]] | None,
    extra: Sequence[int],
    scale: int,
    budget: int,
    order: int = 0,
) -> tuple[tuple[Step, ...] | None, int]:
    """A way with so many draws, None if there is none, and the states looked at (above `limit`: given up).

    At will the way has at most `draws` draws, each right before a play, and one at least where `need`;
    under `when_stuck` exactly `draws`.  least, counts, prices: the tables of `Prices` at price 1, of
    `Costs`, and of `Prices` at `scale + extra`, by faults; budget: what a way may cost at those; order:
    which order steps are tried in: where one is unlucky another may be lucky.
    """
    exact = counts is not None
    cells = task.grid.cells
    reach = [table.reshape(-1).data for table in (counts if counts is not None else least)]
    dear = None if prices is None else [table.reshape(-1).data for table in prices]
    shuffle = Random(order).shuffle if order else lambda _: None
    drawable = list(task.drawable)
    shuffle(drawable)
    columns = list(range(len(task.columns)))
    shuffle(columns)
    below = [row.data for row in task.grid.below]
    digits = [row.data for row in task.grid.digits]
    playable = task.playable.data if task.when_stuck else None
    # plays[column][height]: (sources, top, kind) of each way to play the exposed card.
    plays = [
        [
            [],
            *(
                [(e.sources, e.result, kind) for kind in card for e in task.steps.plays[kind]]
                for card in column
            ),
        ]
        for column in task.columns
    ]
    wrong = [
        [[], *([(top, kind) for kind in card for top in task.forced(kind)] for card in column)]
        for column in task.columns
    ]
    over = task.over()
    ones = [1 << 4 * kind for kind in range(KINDS)]
    start = sum(min(count, 7) << 4 * kind for kind, count in enumerate(task.supply))
    failed: dict[tuple[int, int, int, int, bool], list[tuple[int, int]]] = {}
    way: list[Step] = []
    looked_at = 0

    def within(top: int, cell: int, draws: int, faults: int, budget: int) -> bool:
        at = top * cells + cell
        if exact:
            if not reach[faults][at] >> draws & 1:
                return False
        elif reach[faults][at] > draws:
            return False
        return dear is None or dear[faults][at] <= budget

    def finish(number: int, top: int, draws: int, faults: int, need: bool) -> bool:
        if number == len(task.last):
            return draws == 0 if exact else not need
        for step in task.last_moves(number, top, faults > 0):
            left, rest = faults - step.fault, draws - (step.column == DRAW)
            if rest < 0 or left < 0:
                continue
            way.append(step)
            if finish(number + 1, step.top, rest, left, need and step.column != DRAW):
                return True
            way.pop()
        return False

    def visit(
        cell: int, top: int, draws: int, faults: int, supply: int, budget: int, drew: int, need: bool
    ) -> bool:
        # drew: 0 after a play; after draws in a row 1 + the kind of the last but one, where it was another
        # draw too, else 1.  Cards drawn in vain one after the other are drawn in rising order.
        nonlocal looked_at
        key = (cell, top, faults, drew, need)
        seen = failed.get(key)
        if seen is not None:
            for more, had in seen:
                if (
                    (more == draws and had == supply)
                    if exact
                    else (more >= draws and ((had | _GUARD) - supply) & _GUARD == _GUARD)
                ):
                    return False
        looked_at += 1
        if looked_at > limit:
            raise _Limit
        if cell == 0 and finish(0, top, draws, faults, need):
            return True
        for column in columns:
            if not (height := digits[column][cell]):
                continue
            after = below[column][cell]
            for sources, result, kind in plays[column][height]:
                if sources >> top & 1 and within(result, after, draws, faults, budget):
                    way.append(Step(column, kind, result))
                    if visit(after, result, draws, faults, supply, budget, 0, need):
                        return True
                    way.pop()
            if faults:
                for result, kind in wrong[column][height]:
                    if not task.steps.follow[kind] >> top & 1 and within(
                        result, after, draws, faults - 1, budget
                    ):
                        way.append(Step(column, kind, result, True))
                        if visit(after, result, draws, faults - 1, supply, budget, 0, need):
                            return True
                        way.pop()
        in_vain = way[-1].kind if drew else 0
        if (
            draws
            and (not drew or (exact and in_vain + 1 >= drew))
            and (top != NONE or task.draw_first)
            and (cell or not over)
        ):
            fault = playable is not None and playable[cell] >> top & 1
            left = faults - fault
            if left >= 0:
                for kind, result in drawable:
                    if not supply >> 4 * kind & 7:
                        continue
                    rest = budget - scale - extra[kind]
                    if within(result, cell, draws - 1, left, rest):
                        way.append(Step(DRAW, kind, result, bool(fault)))
                        if visit(
                            cell, result, draws - 1, left, supply - ones[kind], rest, 1 + in_vain, False
                        ):
                            return True
                        way.pop()
        failed.setdefault(key, []).append((draws, supply))
        return False

    try:
        for top in bits(task.start):
            if within(top, cells - 1, draws, faults, budget) and visit(
                cells - 1, top, draws, faults, start, budget, 0, need
            ):
                return tuple(way), looked_at
    except _Limit:
        return None, looked_at
    return None, looked_at


__all__ = ["LIMIT", "Undecided", "search"]
