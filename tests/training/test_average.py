"""Averages of weights, of the reader's checkpoints and of Ultralytics'."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from models.average import average, mean_of  # noqa: E402


def test_each_counts_by_its_share_and_counters_are_kept() -> None:
    states = [{"w": torch.tensor([v]), "n": torch.tensor(k)} for v, k in ((1.0, 7), (3.0, 9))]
    mean = mean_of(states, [3, 1])
    assert mean["w"].tolist() == [1.5]
    assert mean["n"].item() == 7


def test_half_precision_is_averaged_in_full() -> None:
    halves = [{"w": torch.tensor([v]).half()} for v in (1.0, 1.001)]
    assert mean_of(halves, [1, 1])["w"].dtype == torch.float32


def test_a_share_is_wanted_for_each() -> None:
    with pytest.raises(ValueError, match="2 checkpoints need as many shares"):
        mean_of([{}, {}], [1.0])


def test_checkpoints_of_both_networks() -> None:
    readers = [{"model": {"w": torch.tensor([v])}, "live": {"w": torch.tensor([9.0])}} for v in (0.0, 1.0)]
    both = average(readers, [1, 1])
    assert both["model"]["w"].tolist() == both["live"]["w"].tolist() == [0.5]
    modules = [torch.nn.Linear(1, 1, bias=False) for _ in range(2)]
    for module, value in zip(modules, (2.0, 4.0), strict=True):
        torch.nn.init.constant_(module.weight, value)
    ours = average([{"ema": m, "model": None, "epoch": 3} for m in modules], [1, 1])
    assert ours["epoch"] == 3
    assert ours["ema"].weight.item() == 3
