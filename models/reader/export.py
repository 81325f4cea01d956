"""Exports the reader to ONNX, calibrated and proved: ``python -m models.reader.export RUN.pt --val CUTS``."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch.nn import functional

from companion.vision.cuts import (
    AROUND_HEIGHT,
    AROUND_WIDTH,
    COVER_HEIGHT,
    COVER_WIDTH,
    CUT_HEIGHT,
    CUT_WIDTH,
)
from companion.vision.reader import CLASSES
from models.manifest import WEIGHTS, enter
from models.reader.net import Reader
from models.reader.train import RARE, pictures

KEPT = Path(__file__).parent
INPUTS = ("cuts", "around")


def random_pictures(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Noise of the shape of ``n`` cuts and of what lies round them."""
    return torch.rand(n, 3, CUT_HEIGHT, CUT_WIDTH), torch.rand(n, 3, AROUND_HEIGHT, AROUND_WIDTH)


def logits_of(model: Reader, folders: list[Path]) -> tuple[torch.Tensor, ...]:
    """Logits, ranks, suits and jokers (-1 where a shard doesn't tell) of all cuts in the folders' shards."""
    logits, ranks, suits, jokers = [], [], [], []
    for file in (f for folder in folders for f in sorted(folder.glob("*.npz"))):
        part = dict(np.load(file))
        for first in range(0, len(part["rank"]), 256):
            with torch.no_grad():
                logits.append(model(*pictures(part, slice(first, first + 256))))
        ranks.append(torch.from_numpy(part["rank"]).long())
        suits.append(torch.from_numpy(part["suit"]).long())
        jokers.append(torch.from_numpy(part.get("joker", np.full(len(part["rank"]), -1, np.int8))).long())
    return torch.cat(logits), torch.cat(ranks), torch.cat(suits), torch.cat(jokers)


def temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """The one number that logits are divided by for the least cross entropy (Guo et al. 2017)."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(3), 60))
    if logits.ndim == 1:
        losses = [
            functional.binary_cross_entropy_with_logits(logits / float(t), truth.float()).item() for t in grid
        ]
    else:
        losses = [functional.cross_entropy(logits / float(t), truth).item() for t in grid]
    return round(float(grid[int(np.argmin(losses))]), 3)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument(
        "--val", type=Path, nargs="+", required=True, help="folders of shards to calibrate on"
    )
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the ONNX file and the manifest")
    parser.add_argument(
        "--keep", type=Path, default=KEPT, help="folder of the .pt that training can go on from"
    )
    args = parser.parse_args()
    model = Reader().eval()
    model.load_state_dict(torch.load(args.weights, weights_only=True, map_location="cpu")["model"])
    with torch.no_grad():  # jokers counted more while it learnt, so that their odds are so much too high
        model.heads[-1].bias[CLASSES.index("joker")] -= float(RARE.log())
    logits, rank, suit, joker = logits_of(model, args.val)
    real, told = rank >= 0, joker >= 0
    heat = {
        "rank": temperature(logits[real, :13], rank[real]),
        "suit": temperature(logits[real, 13:17], suit[real]),
        "index": temperature(logits[:, 17], real.long()),
    }
    if joker.gt(0).any():
        heat["joker"] = temperature(logits[told, 18], joker[told])
    buffer = io.BytesIO()
    torch.onnx.export(
        model, random_pictures(2), buffer, input_names=list(INPUTS), output_names=["logits"],
        opset_version=17, dynamic_axes={name: {0: "n"} for name in (*INPUTS, "logits")}, dynamo=False,
    )  # fmt: skip
    session = onnxruntime.InferenceSession(buffer.getvalue(), providers=["CPUExecutionProvider"])
    seen = random_pictures(5)
    with torch.no_grad():
        want = model(*seen).numpy()
    have = session.run(None, dict(zip(INPUTS, (x.numpy() for x in seen), strict=True)))[0]
    worst = float(np.abs(want - have).max())
    if worst > 1e-3:
        raise ValueError(f"ONNX and PyTorch differ by {worst}")
    path = enter(
        args.to, "reader", buffer.getvalue(), CLASSES, [None, 3, CUT_HEIGHT, CUT_WIDTH],
        {"temperature": heat, "cover": [COVER_HEIGHT, COVER_WIDTH], "scale": "1/255", "order": "RGB"},
    )  # fmt: skip
    state = torch.load(args.weights, weights_only=True, map_location="cpu")
    torch.save(
        {k: {n: v.half() if v.is_floating_point() else v for n, v in s.items()} for k, s in state.items()},
        args.keep / "reader.pt",
    )
    print(path, f"{path.stat().st_size / 1e6:.2f} MB, differs by {worst:.6f}, temperatures {heat}")


if __name__ == "__main__":
    main()
