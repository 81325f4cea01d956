"""How far off the approximation of the advisor is: whole deals are played, estimates beside exact values.

Each deal is played by the advisor with the stock hidden.  Every estimate before the first decision that
can be valued exactly is kept, with that exact value: it is what the estimate should have been, on
average.  One JSON line a deal is appended to the file; run again, it goes on where it stopped.  `--fit`
prints the correction by draws left that `companion/engine/calibration.py` holds.

    python -m bench.calibrate run FILE --deals 200 --first 100000
    python -m bench.calibrate fit FILE
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.deals import deal
from companion.engine.advisor import best_line
from companion.engine.board import board
from companion.engine.expectation import expect
from companion.engine.outcome import CLEAR, STROKES, Aim
from companion.engine.window import view
from companion.game import Draw, Position, Rules, apply


def play(
    position: Position, aim: Aim, budget: float
) -> tuple[list[tuple[int, float, float]], tuple[float, float]]:
    """The estimates (draws left, first figure, second figure) of a deal, and the exact figures after them."""
    estimates = []
    while True:
        seen = view(board(position).with_hidden_stock())
        expectation = expect(seen, aim, STROKES if aim != STROKES else CLEAR, budget=budget)
        line, value = best_line(expectation)
        figures = expectation.means(value)
        if expectation.exact:
            return estimates, figures
        estimates.append((seen.draws, *figures))
        for move in line:
            position = apply(position, move)
        if position.cleared:
            return estimates, figures
        position = apply(position, Draw())


def run(path: Path, deals: int, first: int, rules: Rules, aim: Aim, budget: float) -> None:
    done = {json.loads(line)["seed"] for line in path.read_text().splitlines()} if path.exists() else set()
    for seed in range(first, first + deals):
        if seed in done:
            continue
        estimates, truth = play(deal(rules, seed), aim, budget)
        with path.open("a") as file:
            file.write(json.dumps({"seed": seed, "estimates": estimates, "truth": truth}) + "\n")


def fit(path: Path) -> None:
    pairs: dict[int, list[tuple[float, float, float, float]]] = defaultdict(list)
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        for left, first, second in entry["estimates"]:
            pairs[left].append((first, second, *entry["truth"]))
    for left, rows in sorted(pairs.items()):
        first, second, true_first, true_second = np.array(rows).T
        slope, offset = np.polyfit(first, true_first, 1) if len(rows) > 2 else (1.0, 0.0)
        print(
            left, len(rows), f"strokes: {slope:.3f} * x {offset:+.3f}",
            "means", first.mean().round(3), true_first.mean().round(3),
            "clear: means", second.mean().round(4), true_second.mean().round(4),
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["run", "fit"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=100_000)
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--aim", default="strokes")
    parser.add_argument("--budget", type=float, default=0.4)
    given = parser.parse_args()
    if given.what == "run":
        run(
            given.file, given.deals, given.first, Rules.parse(given.rules), Aim.parse(given.aim), given.budget
        )
    else:
        fit(given.file)


if __name__ == "__main__":
    main()
