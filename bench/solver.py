"""CPU milliseconds and states a deal of the solver, numpy and compiled, for every preset.

python -m bench.solver --deals 50
python -m bench.solver --check ../shared/engine/deals.json   # every answer of a file of reference deals
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from bench.deals import deal
from companion.engine import fast, solve
from companion.game import PRESETS

KINDS = (
    *("strict", "queen_on_king", "wrap", "free_start", "queen_only"),
    *("strict_when_stuck", "queen_on_king_when_stuck", "wrap_when_stuck"),
)


def measure(deals: int) -> None:
    print(f"{'rules':14} {'kernel':8} {'median ms':>10} {'worst':>8} {'states':>10} {'cleared':>8}")
    for name, rules in PRESETS.items():
        big = name in ("double", "black-hole")
        for compiled in [False] + [True] * (fast.available() and not big):
            solve(deal(rules, 0), compiled=compiled)
            times, states, cleared = [], [], 0
            for seed in range(deals if not big else max(1, deals // 10)):
                position = deal(rules, seed)
                clock = time.process_time()
                solution = solve(position, compiled=compiled)
                times.append((time.process_time() - clock) * 1000)
                states.append(solution.states)
                cleared += solution.cleared
            print(
                f"{name:14} {'numba' if compiled else 'numpy':8} {statistics.median(times):10.1f}"
                f" {max(times):8.1f} {statistics.mean(states):10.0f} {cleared / len(times):8.1%}"
            )


def check(path: Path) -> None:
    """Solves every deal of a file under every rule set; says how many answers differ."""
    from tests.engine.tables import references

    scores: dict[str, list[int]] = {}
    for kind in KINDS:
        pairs = list(references(path, kind))
        scores[kind] = [solve(position).score for position, _ in pairs]
        wrong = sum(score != wanted for score, (_, wanted) in zip(scores[kind], pairs, strict=True))
        print(f"{kind:26} {len(pairs)} deals, {wrong} differ")
    # `free_first_card` starts with a play or with a draw: the better of two rule sets.
    entries = json.loads(path.read_text(encoding="utf-8"))["deals"]
    wanted = [entry["best_score"]["free_first_card"] for entry in entries]
    pairs = zip(scores["free_start"], scores["strict"], wanted, strict=True)
    print(f"{'free_first_card':26} {len(wanted)} deals, {sum(min(a, b) != c for a, b, c in pairs)} differ")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--check", type=Path, metavar="FILE")
    given = parser.parse_args()
    if given.check:
        check(given.check)
    else:
        measure(given.deals)


if __name__ == "__main__":
    main()
