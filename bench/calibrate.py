"""Fits the corrections of the advisor's estimates to deals that `bench.advisor` played.

Each estimate before the first decision that could be valued exactly is set beside that exact value (or
beside what the deal came to, where there was none): it is what the estimate should have been, on average.
Writes `companion/engine/corrections.py`.  What can't be told from so few deals stays near 0.

    python -m bench.advisor FILE --first 100000 --deals 200 --rules strict
    python -m bench.calibrate FILE [FILE ...]
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.advisor import truth
from companion.engine import corrections
from companion.engine.calibration import Basis, chance_traits, log_odds, stroke_traits

Rows = list[tuple[Basis, float, float, float, float]]
"""Basis, strokes and chance that were said, strokes and chance that were true."""


def gather(paths: list[Path]) -> tuple[dict[tuple[str, str], Rows], dict[tuple[str, str], set[Any]]]:
    """The estimates of all deals, and the deals, by kind of estimate and family of rules."""
    rows: dict[tuple[str, str], Rows] = defaultdict(list)
    deals: dict[tuple[str, str], set[Any]] = defaultdict(set)
    for path in paths:
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            for decision in entry["decisions"]:
                if decision["basis"] is None:
                    break
                basis = Basis(**decision["basis"])
                key = ("listed" if basis.listed else "independent", basis.family)
                rows[key].append((basis, decision["strokes"], decision["clear"], *truth(entry)))
                deals[key].add((str(path), entry["seed"]))
    return rows, deals


def fit_strokes(rows: Rows) -> NDArray[np.float64]:
    """Least squares, held back a little."""
    traits = np.array([stroke_traits(strokes, basis) for basis, strokes, *_ in rows])
    off = np.array([true - strokes for _, strokes, _, true, _ in rows])
    held = np.diag([1.0] * traits.shape[1])
    solved: NDArray[np.float64] = np.linalg.solve(traits.T @ traits + held, traits.T @ off)
    return solved


def fit_chance(rows: Rows) -> NDArray[np.float64]:
    """Logistic regression with the estimate's log-odds as a fixed part, held back a little."""
    traits = np.array([chance_traits(chance, basis) for basis, _, chance, *_ in rows])
    start = np.array([log_odds(chance) for _, _, chance, *_ in rows])
    true = np.array([chance for *_, chance in rows])
    weights = np.zeros(traits.shape[1])
    for _ in range(50):
        said = 1 / (1 + np.exp(-(start + traits @ weights)))
        slope = traits.T @ (true - said) - weights
        bend = (traits * (said * (1 - said))[:, None]).T @ traits + np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    rows, deals = gather(parser.parse_args().files)
    target = Path(corrections.__file__)
    head = target.read_text().partition("CORRECTIONS: Final")[0]
    lines = ["CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {"]
    for key in sorted(rows, reverse=True):
        strokes, chance = (
            ", ".join(f"{weight:.3f}" for weight in fit(rows[key])) for fit in (fit_strokes, fit_chance)
        )
        kind, name = key
        lines.append(f'    ("{kind}", "{name}"): Correction({len(deals[key])}, ({strokes}), ({chance})),')
    target.write_text(head + "\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main()
