"""Plays whole deals with the stock hidden: the advisor, and greedy on the same deals.

Prints the mean strokes and the share of cleared deals of both, with standard errors; how true the
advisor's figures were, by deciles of what it said; and the time and the memory that decisions took.  One
JSON line a deal is appended to a file, so a run can be broken off and gone on with.  Estimates are kept as
they were computed, and a report corrects them as the advisor does (`companion/engine/calibration.py`), so
`bench.calibrate` fits its corrections to such files.

    python -m bench.advisor FILE --deals 1000            # plays what isn't there yet, then reports
    python -m bench.advisor FILE --report                # reports on what is there
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.deals import deal
from companion.engine.advisor import best_line
from companion.engine.board import board
from companion.engine.calibration import Basis, correct
from companion.engine.expectation import Expectation, expect
from companion.engine.outcome import CLEAR, STROKES
from companion.engine.window import view
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


def look(position: Position, budget: float, compiled: bool | None) -> Expectation:
    """What `advise` rests on."""
    table = view(board(position).with_hidden_stock())
    return expect(table, STROKES, CLEAR, budget=budget, compiled=compiled)


def play_advised(
    position: Position, budget: float, compiled: bool | None
) -> tuple[int, list[dict[str, Any]]]:
    """The strokes of a deal and, for each decision, what was said of it."""
    decisions = []
    while not position.finished:
        clock, began = time.process_time(), time.perf_counter()
        found = look(position, budget, compiled)
        line, value = best_line(found)
        strokes, clear = found.raw(value)
        decisions.append(
            {
                "left": position.stock_count,
                "strokes": round(strokes, 5),
                "clear": round(clear, 6),
                "basis": found.basis and asdict(found.basis),
                "cpu": round(time.process_time() - clock, 4),
                "wall": round(time.perf_counter() - began, 4),
            }
        )
        # The whole run is one decision: nothing is learnt before the next draw.
        for move in line:
            position = apply(position, move)
        if not position.finished:
            position = apply(position, Draw())
    return position.strokes, decisions


def run(path: Path, rules: Rules, given: argparse.Namespace) -> None:
    done = {json.loads(line)["seed"] for line in path.read_text().splitlines()} if path.exists() else set()
    for seed in range(given.first, given.first + given.deals):
        if seed in done:
            continue
        position = deal(rules, seed)
        strokes, decisions = play_advised(position, given.budget, False if given.numpy else None)
        entry = {"seed": seed, "advised": strokes, "greedy": play_greedy(position), "decisions": decisions}
        with path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def said(decision: dict[str, Any]) -> tuple[float, float]:
    """The strokes and the chance to clear that the advisor shows for a decision."""
    strokes, clear = decision["strokes"], decision["clear"]
    if decision["basis"] is None:
        return strokes, clear
    basis = Basis(**decision["basis"])
    return correct(STROKES, strokes, basis), correct(CLEAR, clear, basis)


def truth(entry: dict[str, Any]) -> tuple[float, float]:
    """What a deal came to: the exact figures once there were some, less noisy than strokes played."""
    for decision in entry["decisions"]:
        if decision["basis"] is None:
            return decision["strokes"], decision["clear"]
    return entry["advised"], float(entry["advised"] <= 0)


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
    decisions = [(d, entry) for entry in entries for d in entry["decisions"]]
    for exact in (False, True):
        some = [(d, entry) for d, entry in decisions if (d["basis"] is None) == exact]
        if len(some) >= 10:
            print(f"\n{'exact' if exact else 'estimated'}: {len(some)} decisions, by decile of what was said")
            _deciles([(*said(d), entry["advised"], *truth(entry)) for d, entry in some], exact)
    print("\nms a decision, by cards in the stock: CPU median, worst; wall median, worst; share exact")
    for left in sorted({d["left"] for d, _ in decisions}, reverse=True):
        here = [d for d, _ in decisions if d["left"] == left]
        cpu, wall = (np.array([d.get(clock, np.nan) for d in here]) * 1000 for clock in ("cpu", "wall"))
        share = sum(d["basis"] is None for d in here) / len(here)
        print(
            f"  {left:3}  {np.median(cpu):8.0f} {cpu.max():8.0f} {np.median(wall):8.0f} {wall.max():8.0f}"
            f"   {share:6.1%}"
        )


def _deciles(rows: list[tuple[float, ...]], exact: bool) -> None:
    """What was said, what play came to, and for estimates the exact figures that came later, with errors."""
    strokes, clear, played, later, chance = np.array(rows, float).T
    print("  strokes: said    played    exact, later   |  cleared: said   played    exact, later")
    by_strokes = np.array_split(np.argsort(strokes, kind="stable"), 10)
    by_clear = np.array_split(np.argsort(clear, kind="stable"), 10)
    for a, b in zip(by_strokes, by_clear, strict=True):
        left = f"{strokes[a].mean():12.3f} {played[a].mean():9.3f}"
        right = f"{clear[b].mean():12.3%} {(played[b] <= 0).mean():9.3%}"
        if not exact:
            left += f" {later[a].mean():9.3f} ± {later[a].std() / math.sqrt(len(a)):.3f}"
            right += f" {chance[b].mean():9.3%} ± {chance[b].std() / math.sqrt(len(b)):.3%}"
        print(f"  {left}  |  {right}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds a decision may take, roughly")
    parser.add_argument("--numpy", action="store_true", help="don't use the compiled kernels")
    parser.add_argument("--report", action="store_true", help="only report")
    given = parser.parse_args()
    if not given.report:
        run(given.file, Rules.parse(given.rules), given)
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    report(given.file)


if __name__ == "__main__":
    main()
