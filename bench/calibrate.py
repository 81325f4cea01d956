"""Fits the corrections of the advisor's estimates to deals that `bench.advisor` played.

Each estimate before the first decision that could be valued exactly is set beside that exact value (or
beside what the deal came to, where there was none): it is what the estimate should have been, on average.
Writes `companion/engine/corrections.py`.  Families of rules with few deals stay near the strict rules.

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

_AGREEING = 100
"""Estimates that the prior weights count for."""

Weights = NDArray[np.float64]
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


def fit_strokes(rows: Rows, prior: Weights | None) -> Weights:
    """Least squares, held to the prior weights."""
    traits = np.array([stroke_traits(strokes, basis) for basis, strokes, *_ in rows])
    off = np.array([true - strokes for _, strokes, _, true, _ in rows])
    start = np.zeros(traits.shape[1]) if prior is None else prior
    solved: Weights = np.linalg.solve(traits.T @ traits + _held(traits), traits.T @ (off - traits @ start))
    return start + solved


def fit_chance(rows: Rows, prior: Weights | None) -> Weights:
    """Logistic regression with the estimate's log-odds as a fixed part, held to the prior weights."""
    traits = np.array([chance_traits(chance, basis) for basis, _, chance, *_ in rows])
    fixed = np.array([log_odds(chance) for _, _, chance, *_ in rows])
    true = np.array([chance for *_, chance in rows])
    start = np.zeros(traits.shape[1]) if prior is None else prior
    weights, held = start.copy(), _held(traits) / 20
    for _ in range(50):
        said = 1 / (1 + np.exp(-(fixed + traits @ weights)))
        slope = traits.T @ (true - said) - held @ (weights - start)
        bend = (traits * (said * (1 - said))[:, None]).T @ traits + held
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def _held(traits: Weights) -> Weights:
    """What keeps weights near the prior ones: as much as some more estimates would that agree with those."""
    return np.diag(_AGREEING * (traits**2).mean(axis=0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    rows, deals = gather(parser.parse_args().files)
    target = Path(corrections.__file__)
    head = target.read_text().partition("CORRECTIONS: Final")[0]
    lines = ["CORRECTIONS: Final[dict[tuple[str, str], Correction]] = {"]
    fitted: dict[tuple[str, str], list[Weights]] = {}
    for kind in ("listed", "independent"):
        # The strict rules come first: the others are held to them.
        for name in sorted({name for some, name in rows if some == kind}, key=lambda name: name != "strict"):
            key = (kind, name)
            prior = fitted.get((kind, "strict"), [None, None])
            fits = zip((fit_strokes, fit_chance), prior, strict=True)
            fitted[key] = [fit(rows[key], start) for fit, start in fits]
            strokes, chance = (", ".join(f"{weight:.3f}" for weight in part) for part in fitted[key])
            lines.append(f'    ("{kind}", "{name}"): Correction({len(deals[key])}, ({strokes}), ({chance})),')
    target.write_text(head + "\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main()
