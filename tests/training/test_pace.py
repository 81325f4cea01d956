"""The finder's pace: a rate for every step, an average that is long from early on."""

from __future__ import annotations

import types

import pytest

from models.finder.pace import DECAY, LAST, WARM_STEPS, Pace, decay_at, rate_at


def test_the_rate_rises_from_nothing_then_falls_along_a_cosine() -> None:
    rising = [rate_at(0.002, step, 0.0) for step in range(WARM_STEPS)]
    assert rising[0] == pytest.approx(0.002 / WARM_STEPS)
    assert rising == sorted(rising)
    assert rising[-1] == pytest.approx(0.002)
    falling = [rate_at(0.002, WARM_STEPS, passed / 10) for passed in range(11)]
    assert falling == sorted(falling, reverse=True)
    assert falling[5] == pytest.approx(0.002 * (1 + LAST) / 2)
    assert falling[-1] == rate_at(0.002, WARM_STEPS, 3.0) == pytest.approx(0.002 * LAST)


def test_the_average_is_short_at_first_and_never_shorter_again() -> None:
    decays = [decay_at(updates) for updates in (0, 10, 100, 1_000, 100_000)]
    assert decays == sorted(decays)
    assert decays[0] < 0.2
    assert decays[-1] == DECAY


def test_a_trainer_gets_a_rate_before_every_batch_and_the_long_average() -> None:
    group = {"lr": 9.0}
    trainer = types.SimpleNamespace(
        ema=types.SimpleNamespace(decay=None), start_epoch=0, epochs=2, train_loader=range(200),
        optimizer=types.SimpleNamespace(param_groups=[group]),
    )  # fmt: skip
    calls = {}
    pace = Pace(0.001, None)
    pace.attach(types.SimpleNamespace(add_callback=calls.__setitem__))
    calls["on_train_start"](trainer)
    rates = []
    for _ in range(400):
        calls["on_train_batch_start"](trainer)
        rates.append(group["lr"])
        calls["on_train_batch_end"](trainer)
    assert trainer.ema.decay is decay_at
    assert max(rates) < 0.001 < 9
    assert rates.index(max(rates)) == pytest.approx(WARM_STEPS, abs=40)
    assert rates[-1] == pytest.approx(0.001 * LAST, rel=0.02)
