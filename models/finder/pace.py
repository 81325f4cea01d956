"""How fast the finder learns: a rate for every step, a long average of the weights, checkpoints by the clock.

Ultralytics sets the rate once an epoch and averages over few steps at first, which suits runs of a hundred
epochs. A run of two hours on a CPU has three.
"""

from __future__ import annotations

import math
import time
from typing import Any

#: Steps from nothing to the full rate.
WARM_STEPS = 200
#: The average forgets with this factor a step (Ultralytics begins near 0 and takes 2,000 steps to 0.6).
DECAY = 0.999
#: The last rate, as part of the first.
LAST = 0.01
CHECKPOINT_SECONDS = 600


def rate_at(first: float, step: int, passed: float) -> float:
    """Learning rate of a step (0, 1, ...) when ``passed`` (0 to 1) of the run is over: warm start, cosine."""
    passed = min(max(passed, 0.0), 1.0)
    fall = LAST + (1 - LAST) * 0.5 * (1 + math.cos(math.pi * passed))
    return first * min(1.0, (step + 1) / WARM_STEPS) * fall


def decay_at(updates: int) -> float:
    """How much of the average stays at its ``updates``-th update: shorter while it is young."""
    return min(DECAY, (1 + updates) / (10 + updates))


class Pace:
    """Callbacks for a trainer of Ultralytics; give them with :meth:`attach`."""

    def __init__(self, rate: float, hours: float | None) -> None:
        self.rate, self.seconds = rate, None if hours is None else hours * 3600
        self.step = 0
        self.begun = self.kept = 0.0

    def attach(self, model: Any) -> None:
        model.add_callback("on_train_start", self.start)
        model.add_callback("on_train_batch_start", self.before)
        model.add_callback("on_train_batch_end", self.after)

    def start(self, trainer: Any) -> None:
        self.begun = self.kept = time.time()
        self.step = trainer.start_epoch * len(trainer.train_loader)
        if trainer.ema:
            trainer.ema.decay = decay_at

    def passed(self, trainer: Any) -> float:
        """Part of the run that is over, by the clock if it has hours, else by steps."""
        if self.seconds:
            return (time.time() - self.begun) / self.seconds
        return self.step / max(1, trainer.epochs * len(trainer.train_loader))

    def before(self, trainer: Any) -> None:
        rate = rate_at(self.rate, self.step, self.passed(trainer))
        for group in trainer.optimizer.param_groups:
            group["lr"] = rate
        self.step += 1

    def after(self, trainer: Any) -> None:
        if time.time() - self.kept > CHECKPOINT_SECONDS:
            trainer.save_model()
            self.kept = time.time()
