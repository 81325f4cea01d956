"""The reader's network: a trunk for the index, a small one for what lies round it, and their heads.

They say 13 ranks, 4 suits, "there is an index at all" and "it is a joker's corner".
"""

from __future__ import annotations

import torch
from torch import nn

from companion.vision.cuts import AROUND_HEIGHT, AROUND_WIDTH, CUT_HEIGHT, CUT_WIDTH

#: Channels and residual blocks of the stages; each stage halves the sides.
STAGES = ((20, 0), (40, 1), (80, 2), (144, 1))
AROUND_STAGES = ((16, 0), (32, 1), (64, 1), (96, 0))


class _Block(nn.Module):
    """Two 3 x 3 convolutions with a way past them.

    Full convolutions, not depthwise ones: on a CPU they take half the time for the same accuracy.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.body(x))


def _down(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def _trunk(stages: tuple[tuple[int, int], ...]) -> nn.Sequential:
    layers: list[nn.Module] = []
    before = 3
    for width, blocks in stages:
        layers.append(_down(before, width))
        layers.extend(_Block(width) for _ in range(blocks))
        before = width
    return nn.Sequential(*layers)


def _flat(stages: tuple[tuple[int, int], ...], height: int, width: int) -> int:
    for _ in stages:
        height, width = (height + 1) // 2, (width + 1) // 2
    return stages[-1][0] * height * width


class Reader(nn.Module):
    """Logits ``(n, 19)`` of float cuts ``(n, 3, 80, 64)`` and what is round them ``(n, 3, 44, 104)``, 0..1.

    Both are brought to the cut's mean 0 and deviation 1 over all channels: exposure goes, colour stays.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = _trunk(STAGES)
        self.around = _trunk(AROUND_STAGES)
        # flattened, not pooled: the rank stands above, the suit sign below
        flat = _flat(STAGES, CUT_HEIGHT, CUT_WIDTH) + _flat(AROUND_STAGES, AROUND_HEIGHT, AROUND_WIDTH)
        self.drop = nn.Dropout(0.15)
        self.heads = nn.Sequential(nn.Linear(flat, 128), nn.ReLU(inplace=True), nn.Linear(128, 19))

    def forward(self, cuts: torch.Tensor, around: torch.Tensor) -> torch.Tensor:
        mean = cuts.mean((1, 2, 3), keepdim=True)
        spread = (cuts - mean).square().mean((1, 2, 3), keepdim=True).add(1e-4).sqrt()
        features = torch.cat(
            [
                torch.flatten(self.trunk((cuts - mean) / spread), 1),
                torch.flatten(self.around((around - mean) / spread), 1),
            ],
            1,
        )
        logits: torch.Tensor = self.heads(self.drop(features))
        return logits
