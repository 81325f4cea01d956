"""Trains the finder with Ultralytics: ``python -m models.finder.train DATA.yaml --project RUNS --hours 1.5``.

From random values, or from our own earlier weights with ``--weights``; ``--resume`` goes on from ``last.pt``.
With more GPUs, ``--device 0,1`` uses Ultralytics' own distributed training. Nothing is mirrored: a mirrored
index is one that no card has.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch
from ultralytics import YOLO
from ultralytics.nn.tasks import PoseModel

from models.finder.pace import Pace

ARCHITECTURE = Path(__file__).with_name("finder.yaml")


def half_on_cpu() -> None:
    """Run the network itself in bfloat16 while it trains on a CPU; losses stay float32.

    Measured here on one core with AVX-512 BF16: 94 instead of 167 ms a picture of 448 pixels.
    Ultralytics' own ``amp`` is for GPUs only. The class is patched, so checkpoints hold nothing of ours.
    """
    predict = PoseModel.predict

    def in_bfloat16(self: PoseModel, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not self.training:
            return predict(self, x, *args, **kwargs)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return _as_float(predict(self, x.contiguous(memory_format=torch.channels_last), *args, **kwargs))

    PoseModel.predict = in_bfloat16


def _as_float(value: Any) -> Any:
    if torch.is_tensor(value):
        return value.float()
    if isinstance(value, dict):
        return {k: _as_float(v) for k, v in value.items()}
    return type(value)(_as_float(v) for v in value) if isinstance(value, (list, tuple)) else value


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--project", type=Path, required=True, help="where runs and checkpoints go")
    parser.add_argument("--name", default="finder")
    parser.add_argument("--weights", type=Path, help="our own earlier weights (.pt) to go on from")
    parser.add_argument("--resume", action="store_true", help="go on from PROJECT/NAME/weights/last.pt")
    parser.add_argument("--hours", type=float, help="stop after this time; the rate falls with it")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.002, help="first learning rate")
    parser.add_argument("--side", type=int, default=448)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--validate", action="store_true", help="measure after every epoch, not at the end only"
    )
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    if args.device == "cpu":
        half_on_cpu()
    if args.resume:
        model = YOLO(args.project / args.name / "weights" / "last.pt")
        Pace(args.rate, args.hours).attach(model)
        model.train(resume=True)
        return
    model = YOLO(ARCHITECTURE, task="pose")
    if args.weights:
        model = model.load(args.weights)
    Pace(args.rate, args.hours).attach(model)
    model.train(
        data=str(args.data),
        project=str(args.project),
        name=args.name,
        exist_ok=True,
        pretrained=args.weights is not None,  # else Ultralytics forgets what was loaded
        imgsz=args.side,
        batch=args.batch,
        nbs=args.batch,  # a step a batch: by default gradients are gathered until 64 pictures
        epochs=args.epochs,
        time=args.hours,
        device=args.device,
        optimizer="AdamW",
        lr0=args.rate,
        warmup_epochs=0.0,  # the pace warms up; Ultralytics' way undoes earlier weights
        weight_decay=0.0005,
        fliplr=0.0,
        flipud=0.0,
        mosaic=0.0,
        scale=0.15,
        translate=0.05,
        hsv_h=0.01,
        hsv_s=0.3,
        hsv_v=0.2,
        erasing=0.0,
        amp=args.device != "cpu",
        workers=0 if args.device == "cpu" else 8,
        max_det=300,
        plots=False,
        save_period=-1,
        val=args.validate,
        seed=0,
    )


if __name__ == "__main__":
    main()
