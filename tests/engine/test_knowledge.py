"""Classes of knowledge: how many there are, and that chances add up."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine.board import board
from companion.engine.knowledge import classes, count, track
from tests.engine.tables import deal, small


@pytest.mark.parametrize("rules", ["strict", "jokers"])
def test_counts_classes_without_listing_them(rules: str) -> None:
    for seed in range(4):
        table = board(small(rules, seed, buried=seed, size=5))
        kinds = [kind for kind, copies in enumerate(table.unseen) if copies]
        for followed in range(len(kinds) + 1):
            tracked = tuple(kinds[:followed])
            sizes = np.diff(track(table, tracked).stages)
            assert classes(table.unseen, tracked, table.left) == sizes.tolist()
        assert track(table).classes == count(table.unseen, table.left)


def test_chances_add_up() -> None:
    table = board(deal("strict", 1))
    kinds = [kind for kind, copies in enumerate(table.unseen) if copies]
    know = track(table, tuple(kinds[:3]))
    for stage in range(table.left):
        low, high = know.stages[stage], know.stages[stage + 1]
        for number in range(low, high):
            assert know.weight[know.source == number].sum() == pytest.approx(1)
