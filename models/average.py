"""Averages weights of one training: ``python -m models.average A.pt B.pt --shares 0.8 0.2 --out C.pt``.

Takes checkpoints of the reader or of the finder. Weights that one run passed through, or that went on from
each other, lie in one basin, and their mean does better than each (Izmailov et al. 2018, "Averaging weights
leads to wider optima"; Wortsman et al. 2022, "Model soups").
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

State = dict[str, torch.Tensor]


def mean_of(states: list[State], shares: list[float]) -> State:
    """The states' mean, each counting by its share; what is no number with a fraction is the first one's.

    Raises `ValueError` if there isn't one share a state.
    """
    total = sum(shares)
    if len(shares) != len(states) or total <= 0:
        raise ValueError(f"{len(states)} checkpoints need as many shares, not {shares}")
    pairs = [(state, share / total) for state, share in zip(states, shares, strict=True)]
    return {
        name: sum((s[name].float() * share for s, share in pairs), torch.zeros(()))
        if value.is_floating_point()
        else value
        for name, value in states[0].items()
    }


def average(checkpoints: list[dict[str, Any]], shares: list[float]) -> dict[str, Any]:
    """A checkpoint like the first, with the averaged weights of all."""
    first = checkpoints[0]
    if "live" in first:  # the reader's: training goes on from the mean
        mean = mean_of([c["model"] for c in checkpoints], shares)
        return {"model": mean, "live": mean}
    models = [(c.get("ema") or c["model"]).float() for c in checkpoints]
    mean = mean_of([m.state_dict() for m in models], shares)
    models[0].load_state_dict(mean)
    return {**first, "ema": models[0], "model": None}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--shares", type=float, nargs="+", help="how much each counts (all alike)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    # Ultralytics keeps whole models in its checkpoints: only ever load our own
    loaded = [torch.load(path, map_location="cpu", weights_only=False) for path in args.checkpoints]
    torch.save(average(loaded, args.shares or [1.0] * len(loaded)), args.out)


if __name__ == "__main__":
    main()
