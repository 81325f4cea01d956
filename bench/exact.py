"""What exact hints cost, by cards drawn: pairs valued, seconds, and the share that fits the time of a hint.

Deals are played by estimates; after each draw the position is valued exactly, by the compiled kernel or in
numpy, where that takes no more memory than allowed.

    python -m bench.exact --deals 10
    python -m bench.exact --deals 10 --numpy
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections import defaultdict

from bench.choice import look
from bench.deals import deal
from companion.engine import EngineError, fast
from companion.engine.advisor import best_line
from companion.engine.expectation import PAIRS
from companion.game import Draw, Position, Rules, apply


def played(rules: Rules, seed: int, draws: range, compiled: bool) -> dict[int, Position]:
    """The positions of a deal after so many draws, played by estimates."""
    position = deal(rules, seed)
    found = {}
    for drawn in range(1, draws.stop):
        for move in best_line(look(position, False, compiled))[0]:
            position = apply(position, move)
        if position.finished:
            break
        position = apply(position, Draw())
        if drawn in draws:
            found[drawn] = position
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--first", type=int, default=300_000, help="the first seed")
    parser.add_argument("--from", dest="least", type=int, default=3, help="cards drawn, at least")
    parser.add_argument("--to", dest="most", type=int, default=7, help="cards drawn, at most")
    parser.add_argument("--rules", default="strict")
    parser.add_argument("--numpy", action="store_true", help="don't use the compiled kernels")
    given = parser.parse_args()
    compiled = fast.available() and not given.numpy
    draws = range(given.least, given.most + 1)
    rows: dict[int, list[tuple[int, float, float]]] = defaultdict(list)
    big: dict[int, int] = defaultdict(int)
    warm = False
    for seed in range(given.first, given.first + given.deals):
        found = played(Rules.parse(given.rules), seed, draws, fast.available())
        for drawn, position in found.items():
            for _ in range(1 if warm else 2):  # the first time compiles
                clock, cpu = time.perf_counter(), time.process_time()
                try:
                    pairs = look(position, True, compiled).root.pairs
                except EngineError:
                    pairs = 0
                wall, cpu = time.perf_counter() - clock, time.process_time() - cpu
            warm = warm or bool(pairs)
            if pairs:
                rows[drawn].append((pairs, wall, cpu))
            else:
                big[drawn] += 1
    print("drawn  deals  too big  exact in a hint   s of these: median, worst   pairs, M: median, worst   ns")
    for drawn in draws:
        some = rows[drawn]
        walls = [wall for pairs, wall, _ in some if pairs <= PAIRS[compiled]]
        line = f"{drawn:5} {len(some) + big[drawn]:6} {big[drawn]:8} {len(walls):15}"
        if walls:
            millions = [pairs / 1e6 for pairs, _, _ in some]
            cost = sum(cpu for *_, cpu in some) / sum(millions) * 1000
            line += f" {statistics.median(walls):17.2f} {max(walls):8.2f}"
            line += f" {statistics.median(millions):16.1f} {max(millions):10.1f} {cost:6.0f}"
        print(line)
    print(f"ns: CPU a pair.  Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
