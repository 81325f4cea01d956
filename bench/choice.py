"""How often an estimate of the advisor chooses an exact optimum, and what it costs when it doesn't.

Deals are played by estimates; after so many draws the stop that the estimate chooses is valued exactly and
compared with the best.  Positions whose exact values don't fit in memory are counted and left out.

    python -m bench.choice --deals 100 --draws 5
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from bench.deals import deal
from companion.engine import EngineError, fast
from companion.engine.advisor import best_line
from companion.engine.board import board
from companion.engine.expectation import PAIRS, Expectation, expect
from companion.engine.lattice import strides
from companion.engine.outcome import CLEAR, STROKES
from companion.engine.window import view
from companion.game import Draw, Position, Rules, apply


def look(position: Position, exact: bool | None, compiled: bool | None, budget: float = 1.0) -> Expectation:
    table = view(board(position).with_hidden_stock())
    return expect(table, STROKES, CLEAR, exact=exact, compiled=compiled, budget=budget)


def cost(position: Position, chosen: Expectation, exact: Expectation) -> float:
    """The strokes that the choice loses against the best one."""
    line, _ = best_line(chosen)
    _, best = best_line(exact)
    step = strides(tuple(len(column) for column in position.columns))
    index = sum(len(column) * s for column, s in zip(position.columns, step, strict=True))
    index -= sum(step[play.column] for play in line)
    if index:
        return exact.raw(exact.draw(index))[0] - exact.raw(best)[0]
    return -position.stock_count - exact.raw(best)[0]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=300_000)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--numpy", action="store_true", help="don't use the compiled kernels")
    given = parser.parse_args()
    compiled = False if given.numpy else None
    costs, over, big, fit = [], 0, 0, 0
    for seed in range(given.first, given.first + given.deals):
        position = deal(Rules.parse(given.rules), seed)
        draws = 0
        while not position.finished and draws < given.draws:
            # Mostly the deal is played by estimates of this kernel.
            for move in best_line(look(position, None, compiled, 0.05))[0]:
                position = apply(position, move)
            if not position.finished:
                position = apply(position, Draw())
                draws += 1
        if position.finished:
            over += 1
            continue
        try:
            exact = look(position, True, None)
        except EngineError:
            big += 1
            continue
        fit += exact.root.pairs <= PAIRS[fast.available()]
        costs.append(cost(position, look(position, False, compiled), exact))
    found = np.array(costs)
    print(
        f"{given.deals} deals after {given.draws} draws: {over} over, {big} too big to value exactly,"
        f" {len(found)} compared"
    )
    print(f"within the budget of a hint exact anyway: {fit} of {len(found) + big}")
    print(
        f"of the compared, the estimate alone chooses an exact optimum in {np.mean(found < 1e-6):.1%},"
        f" costs {found.mean():.4f} ± {found.std() / math.sqrt(len(found)):.4f} strokes, at worst"
        f" {found.max():.3f}"
    )


if __name__ == "__main__":
    main()
