"""Trains the reader: ``python -m models.reader.train CUTS_DIR... --out RUN.pt --minutes 60``.

Reads the shards ``datasets.generate`` wrote, new ones as they appear, and goes on from RUN.pt if it is there.
What changes a cut from one look to the next: light (gain, tint, gamma), noise, small shifts and turns,
blur, and the print: letters wider or narrower, bent a little, bolder or thinner, as another deck's may be.
Nothing is mirrored.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.reader.net import Reader

SMOOTH = 0.02
#: What a joker's corner counts: one in a hundred cuts is one.
RARE = torch.tensor(6.0)
KEYS = ("cuts", "around", "rank", "suit", "joker")


class Shards:
    """A growing list of shards on disk; those seen least come next, the cuts of three of them mixed."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.rng = np.random.default_rng()
        self.seen: Counter[tuple[int, Path]] = Counter()

    def files(self) -> list[tuple[int, Path]]:
        """All shards with the number of their folder: one that is named twice is seen twice as often."""
        return [(k, f) for k, folder in enumerate(self.folders) for f in sorted(folder.glob("*.npz"))]

    def next_files(self) -> list[Path]:
        """Three of the shards seen least, at random."""
        files = self.files()
        order = sorted(self.rng.permutation(len(files)), key=lambda k: self.seen[files[k]])[:3]
        self.seen.update(files[k] for k in order)
        return [files[k][1] for k in order]

    def batches(self, size: int) -> Iterator[dict[str, torch.Tensor]]:
        """Batches of ``size`` cuts without end."""
        while True:
            parts = [dict(np.load(file)) for file in self.next_files()]
            for part in parts:
                part.setdefault("joker", np.full(len(part["rank"]), -1, np.int8))
            whole = {k: np.concatenate([p[k] for p in parts]) for k in KEYS}
            mix = self.rng.permutation(len(whole["rank"]))
            for first in range(0, len(mix) - size + 1, size):
                pick = mix[first : first + size]
                yield {k: torch.from_numpy(v[pick]) for k, v in whole.items()}


def pictures(part: dict[str, Any], pick: Any = slice(None)) -> tuple[torch.Tensor, torch.Tensor]:
    """Cuts and what lies round them, ``(n, 3, h, w)`` in 0..1, of uint8 ``(n, h, w, 3)`` in a shard."""
    both = (torch.as_tensor(part[k][pick]).permute(0, 3, 1, 2).float() / 255 for k in ("cuts", "around"))
    return tuple(both)  # type: ignore[return-value]


def augment(cuts: torch.Tensor, around: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Random place for each, and the same random light, ink and faults for both, ``(n, 3, h, w)`` in 0..1."""
    n = len(cuts)
    soft = _chosen(n, 0.25)
    gamma = torch.exp(torch.randn(n, 1, 1, 1) * 0.25)
    gain = (1 + torch.randn(n, 3, 1, 1) * 0.07) * (1 + torch.randn(n, 1, 1, 1) * 0.15)
    lift = torch.randn(n, 1, 1, 1) * 0.04
    colour = (1 + torch.randn(n, 1, 1, 1) * 0.15).clamp(0.6, 1.5)
    noisy = _chosen(n, 0.5)

    def seen(x: torch.Tensor) -> torch.Tensor:
        x = _moved(x)
        x = _some(x, soft, _blurred).clamp_(1e-4, 1) ** gamma * gain + lift
        grey = x.mean(1, keepdim=True)
        x = torch.lerp(grey, x, colour)
        return _some(x, noisy, lambda y: y + torch.randn_like(y) * 0.03 * torch.rand(len(y), 1, 1, 1)).clamp_(
            0, 1
        )

    return seen(_weighed(cuts)), seen(around)


def _chosen(n: int, share: float) -> torch.Tensor:
    return torch.rand(n) < share


def _some(
    x: torch.Tensor, chosen: torch.Tensor, change: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    """``x`` with some of its pictures changed: the work is done for those alone."""
    x[chosen] = change(x[chosen])
    return x


def _blurred(x: torch.Tensor) -> torch.Tensor:
    return functional.avg_pool2d(functional.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)


def _weighed(x: torch.Tensor) -> torch.Tensor:
    """Some with bolder ink, some with thinner: one pixel more or less on each side, mixed in by halves."""

    def thinner(y: torch.Tensor) -> torch.Tensor:
        return torch.lerp(y, functional.max_pool2d(y, 3, 1, 1), torch.rand(len(y), 1, 1, 1))

    kind = torch.rand(len(x))
    x = _some(x, kind < 0.15, thinner)
    return _some(x, kind > 0.85, lambda y: -thinner(-y))


def _moved(x: torch.Tensor) -> torch.Tensor:
    """Slightly turned, sheared, scaled, stretched, shifted, and some of them bent."""
    n, _, height, width = x.shape
    ratio = height / width
    angle, scale = torch.randn(n) * 0.06, torch.exp(torch.randn(n) * 0.09)
    stretch = torch.exp(torch.randn(n) * 0.09)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1] = torch.cos(angle) * scale, -torch.sin(angle) * scale * ratio
    theta[:, 1, 0], theta[:, 1, 1] = torch.sin(angle) * scale / ratio, torch.cos(angle) * scale
    theta[:, 0, 1] += torch.randn(n) * 0.05
    theta[:, 0] *= stretch[:, None]
    theta[:, 1] /= stretch[:, None]
    theta[:, :, 2] = torch.randn(n, 2) * 0.03
    grid = functional.affine_grid(theta, list(x.shape), False)
    bends = torch.randn(n, 2, 4, 4) * 0.03 * torch.rand(n, 1, 1, 1) * _chosen(n, 0.5).view(n, 1, 1, 1)
    bent = functional.interpolate(bends, (height, width), mode="bicubic", align_corners=True)
    grid = grid + bent.permute(0, 2, 3, 1)
    return functional.grid_sample(x, grid, align_corners=False, padding_mode="border")


def loss_of(logits: torch.Tensor, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Cross entropy of rank and suit where the cut is an index, and of "is an index" everywhere.

    That of "is a joker's corner" where the shard tells it; older ones have -1.
    """
    rank, suit = batch["rank"].long(), batch["suit"].long()
    real = rank >= 0
    total = functional.binary_cross_entropy_with_logits(logits[:, 17], real.float())
    known = real | (batch["joker"] >= 0)
    if known.any():
        joker = batch["joker"][known].float().clamp(0)
        total = total + functional.binary_cross_entropy_with_logits(logits[known, 18], joker, pos_weight=RARE)
    if real.any():
        total = total + functional.cross_entropy(logits[real, :13], rank[real], label_smoothing=SMOOTH)
        total = total + functional.cross_entropy(logits[real, 13:17], suit[real], label_smoothing=SMOOTH)
    return total


@torch.no_grad()
def measure(model: nn.Module, files: list[Path]) -> dict[str, float]:
    """Share right of rank, suit and both among indices, of "is an index", and of jokers' corners found."""
    model.eval()
    right = np.zeros(5)
    count = np.zeros(5)
    for file in files:
        part = dict(np.load(file))
        for first in range(0, len(part["rank"]), 256):
            logits = model(*pictures(part, slice(first, first + 256))).numpy()
            rank, suit = part["rank"][first : first + 256], part["suit"][first : first + 256]
            real = rank >= 0
            joker = part.get("joker", np.zeros(len(part["rank"]), np.int8))[first : first + 256] > 0
            r, s = logits[:, :13].argmax(1) == rank, logits[:, 13:17].argmax(1) == suit
            right += [
                (r & real).sum(),
                (s & real).sum(),
                (r & s & real).sum(),
                ((logits[:, 17] > 0) == real).sum(),
                ((logits[:, 18] > 0) & joker).sum(),
            ]
            count += [real.sum(), real.sum(), real.sum(), len(real), max(1, joker.sum())]
    model.train()
    return dict(
        zip(("rank", "suit", "both", "index", "joker"), (right / count).round(5).tolist(), strict=True)
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cuts", type=Path, nargs="+", help="folders of shards to learn from")
    parser.add_argument("--val", type=Path, nargs="*", default=[], help="folders of shards to measure on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    model = Reader()
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    if args.out.exists():
        state = torch.load(args.out, weights_only=True)
        model.load_state_dict(state["live"])
        average.module.load_state_dict(state["model"])
        print("going on from", args.out)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.02)
    shards = Shards(args.cuts)
    start = seen_at = time.time()
    running = 0.0
    for step, batch in enumerate(shards.batches(args.batch), start=1):
        passed = (time.time() - start) / 60 / args.minutes
        if passed >= 1:
            break
        rate = args.rate * min(1.0, step / 200) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * passed)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        seen = augment(*pictures(batch))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(*(x.contiguous(memory_format=torch.channels_last) for x in seen)).float()
        loss = loss_of(logits, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        average.update_parameters(model)
        running += (loss.item() - running) / min(step, 100)
        if step % 50 == 0:
            print(
                f"{step} {(time.time() - start) / 60:.1f} min loss {running:.4f} rate {rate:.5f}", flush=True
            )
        if time.time() - seen_at > 300:
            _keep(model, average, args.out)
            for folder in args.val:
                print(folder, measure(average.module, sorted(folder.glob("*.npz"))), flush=True)
            seen_at = time.time()
    _keep(model, average, args.out)
    for folder in args.val:
        print(folder, measure(average.module, sorted(folder.glob("*.npz"))), flush=True)


def _keep(model: nn.Module, average: nn.Module, out: Path) -> None:
    temporary = out.with_suffix(".part")
    torch.save({"model": average.module.state_dict(), "live": model.state_dict()}, temporary)
    temporary.replace(out)


if __name__ == "__main__":
    main()
