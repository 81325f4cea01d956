"""Exports the finder to ONNX and proves it: ``python -m models.finder.export BEST.pt``.

The ``.pt`` that is kept beside the code holds the averaged weights only, in half precision; training can go
on from it anywhere.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from ultralytics import YOLO

from companion.vision.detector import CLASSES
from models.manifest import WEIGHTS, enter

KEPT = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("weights", type=Path)
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the ONNX file and the manifest")
    parser.add_argument(
        "--keep", type=Path, default=KEPT, help="folder of the .pt that training can go on from"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "finder.pt"
        shutil.copy(args.weights, source)
        exported = Path(YOLO(source).export(format="onnx", dynamic=True, imgsz=640, opset=17, simplify=True))
        agree(YOLO(source).model, exported)
        path = enter(
            args.to, "finder", bare(exported), CLASSES, [None, 3, None, None],
            {"long_side": 1280, "pad": 114, "stride": 16, "scale": "1/255", "order": "RGB"},
        )  # fmt: skip
    keep(args.weights, args.keep / "finder.pt")
    print(path, f"{path.stat().st_size / 1e6:.2f} MB")


def agree(model: torch.nn.Module, path: Path, tolerance: float = 2e-2) -> None:
    """Both give the same scores and pixels on random pictures of two sizes, or an error."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    model.float().eval()
    for height, width in ((320, 448), (480, 352)):
        picture = np.random.default_rng(0).random((1, 3, height, width), np.float32)
        with torch.no_grad():
            ours = model(torch.from_numpy(picture))
        ours = (ours[0] if isinstance(ours, (list, tuple)) else ours).numpy()
        theirs = session.run(None, {session.get_inputs()[0].name: picture})[0]
        worst = float(np.abs(ours - theirs).max())
        if ours.shape != theirs.shape or worst > tolerance:
            raise ValueError(f"ONNX and PyTorch differ by {worst}")
    print(f"ONNX and PyTorch agree, worst difference {worst:.5f}")


def bare(path: Path) -> bytes:
    """The file without Ultralytics' metadata, which names paths of this machine."""
    model = onnx.load(str(path))
    del model.metadata_props[:]
    model.doc_string = ""
    data: bytes = model.SerializeToString()
    return data


def keep(weights: Path, kept: Path) -> None:
    """Ultralytics' checkpoint without optimizer, doubles and paths."""
    checkpoint = torch.load(weights, map_location="cpu", weights_only=False)
    model = (checkpoint.get("ema") or checkpoint["model"]).half()
    model.args = {"task": "pose"}
    for name in ("yaml_file", "pt_path"):
        getattr(model, "yaml", {}).pop(name, None)
        model.__dict__.pop(name, None)
    torch.save(
        {"model": model, "ema": None, "optimizer": None, "epoch": -1, "train_args": {"task": "pose"}}, kept
    )


if __name__ == "__main__":
    main()
