"""Averages checkpoints of one training: ``python -m models.finder.average A.pt B.pt --out C.pt``.

Weights that one run passed through, or that went on from each other, lie in one basin, and their mean does
better than each (Izmailov et al. 2018, "Averaging weights leads to wider optima"; Wortsman et al. 2022,
"Model soups").
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch


def weights_of(checkpoint: dict[str, Any]) -> torch.nn.Module:
    """The averaged model of an Ultralytics checkpoint, else the model itself, in float32."""
    model: torch.nn.Module = (checkpoint.get("ema") or checkpoint["model"]).float()
    return model


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    loaded = [torch.load(path, map_location="cpu", weights_only=False) for path in args.checkpoints]
    states = [weights_of(checkpoint).state_dict() for checkpoint in loaded]
    mean = {
        name: torch.stack([s[name] for s in states]).mean(0) if value.is_floating_point() else value
        for name, value in states[0].items()
    }
    model = weights_of(loaded[0])
    model.load_state_dict(mean)
    torch.save({**loaded[0], "ema": model, "model": None}, args.out)


if __name__ == "__main__":
    main()
