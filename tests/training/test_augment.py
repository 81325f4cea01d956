"""How the reader's cuts are changed from one look to the next."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")

from models.reader.train import _some, _weighed, augment  # noqa: E402


def test_only_the_chosen_pictures_change() -> None:
    x = torch.zeros(4, 3, 5, 5)
    chosen = torch.tensor([True, False, False, True])
    changed = _some(x, chosen, lambda y: y + 1)
    assert changed.sum((1, 2, 3)).tolist() == [75.0, 0.0, 0.0, 75.0]


def test_ink_grows_or_shrinks_by_a_pixel_at_most() -> None:
    torch.manual_seed(0)
    x = torch.ones(200, 3, 9, 9)
    x[:, :, 3:6, 3:6] = 0
    inks = (1 - _weighed(x.clone())).sum((2, 3))[:, 0]
    assert inks.min() < 9 < inks.max()
    assert inks.min() >= 1
    assert inks.max() <= 25


def test_light_is_the_same_for_a_cut_and_what_lies_round_it() -> None:
    """Else the colour of a sign says nothing about the colour of the pips beside it."""
    torch.manual_seed(1)
    flat = torch.full((64, 3, 40, 40), 0.4)
    cuts, around = augment(flat.clone(), flat.clone())
    means = [x.mean((2, 3)) for x in (cuts, around)]
    assert torch.allclose(*means, atol=0.01)
    assert (means[0] - 0.4).abs().max() > 0.1
    assert cuts.min() >= 0
    assert cuts.max() <= 1
