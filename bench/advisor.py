"""Plays whole deals with the stock hidden: the advisor, and greedy on the same deals.

Prints the mean strokes and the share of cleared deals of both, with standard errors; how true the
advisor's figures were, by deciles of what it said; how often its move was an exact optimum; and the CPU
milliseconds a decision took.  One JSON line a deal is appended to a file, so a run can be broken off and
gone on with.

    python -m bench.advisor FILE --deals 1000            # plays what isn't there yet, then reports
    python -m bench.advisor FILE --report                # reports on what is there
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.deals import deal
from companion.engine import advise
from companion.game import Draw, Move, Play, Position, Rules, apply, legal_moves


def greedy(position: Position) -> Move:
    """The first play of the longest run that can be played now, else a draw."""

    def longest(now: Position) -> int:
        plays = [move for move in legal_moves(now) if isinstance(move, Play)]
        return max((1 + longest(apply(now, move)) for move in plays), default=0)

    plays = [move for move in legal_moves(position) if isinstance(move, Play)]
    return max(plays, key=lambda move: longest(apply(position, move))) if plays else Draw()


def play_greedy(position: Position) -> int:
    while not position.finished:
        position = apply(position, greedy(position))
    return position.strokes


def play_advised(position: Position, budget: float) -> tuple[int, list[dict[str, Any]]]:
    """The strokes of a deal and, for each decision, what was said of it."""
    decisions = []
    while not position.finished:
        clock = time.process_time()
        advice = advise(position.hidden(), budget=budget)
        best = advice.moves[0]
        decisions.append(
            {
                "left": position.stock_count,
                "strokes": round(best.strokes, 4),
                "clear": round(best.clear, 5),
                "exact": advice.exact,
                "cpu": round(time.process_time() - clock, 4),
            }
        )
        # The whole run is one decision: nothing is learnt before the next draw.
        for card in advice.run:
            column = next(n for n, exposed in enumerate(position.exposed) if exposed is card.plain)
            position = apply(position, Play(column, card.stands_for))
        if not position.finished:
            position = apply(position, Draw())
    return position.strokes, decisions


def run(path: Path, rules: Rules, deals: int, first: int, budget: float) -> None:
    done = {json.loads(line)["seed"] for line in path.read_text().splitlines()} if path.exists() else set()
    for seed in range(first, first + deals):
        if seed in done:
            continue
        position = deal(rules, seed)
        strokes, decisions = play_advised(position, budget)
        entry = {"seed": seed, "advised": strokes, "greedy": play_greedy(position), "decisions": decisions}
        with path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def report(path: Path) -> None:
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    print(f"{len(entries)} deals")
    for name in ("advised", "greedy"):
        scores = np.array([entry[name] for entry in entries], float)
        cleared = float((scores <= 0).mean())
        spread = math.sqrt(cleared * (1 - cleared) / len(scores))
        error = scores.std(ddof=1) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan
        print(
            f"{name:8} mean strokes {scores.mean():.3f} ± {error:.3f}, cleared {cleared:.2%} ± {spread:.2%}"
        )
    said = [(d, entry["advised"]) for entry in entries for d in entry["decisions"]]
    for exact in (False, True):
        some = [(d["strokes"], d["clear"], strokes) for d, strokes in said if d["exact"] == exact]
        if len(some) < 10:
            continue
        strokes, clear, truth = np.array(some, float).T
        print(f"\n{'exact' if exact else 'estimated'}: {len(some)} decisions, by decile of what was said")
        print("  strokes said   came   |  chance said   cleared")
        by_strokes = np.array_split(np.argsort(strokes), 10)
        by_clear = np.array_split(np.argsort(clear), 10)
        for a, b in zip(by_strokes, by_clear, strict=True):
            print(
                f"  {strokes[a].mean():12.3f} {truth[a].mean():6.3f}   |"
                f"  {clear[b].mean():11.3%} {(truth[b] <= 0).mean():9.3%}"
            )
    print("\nCPU ms a decision, by cards in the stock: median, worst; share exact")
    for left in sorted({d["left"] for d, _ in said}, reverse=True):
        some = [d for d, _ in said if d["left"] == left]
        times = np.array([d["cpu"] for d in some]) * 1000
        share = sum(d["exact"] for d in some) / len(some)
        print(f"  {left:3}  {np.median(times):8.0f} {times.max():8.0f}   {share:6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds a decision may take, roughly")
    parser.add_argument("--report", action="store_true", help="only report")
    given = parser.parse_args()
    if not given.report:
        run(given.file, Rules.parse(given.rules), given.deals, given.first, given.budget)
    report(given.file)


if __name__ == "__main__":
    main()
