"""Labels over a photo: as large as there is room for, so that none hides its neighbour."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("flet")

from companion.app.components.photo_overlay import LEAST, TALLEST, label_height, window
from companion.app.state.table import Table, from_scan
from tests.app.fakes import deal, document


def narrow(step: float) -> Table:
    """A table whose strips are so many pixels of the photo high."""
    found: dict[str, Any] = document(deal())
    for card in found["cards"]:
        if card["where"] == "column":
            x, y = card["index"][0][0], 40 + card["row"] * step
            card["index"] = [[x, y], [x + 50, y], [x + 50, y + 95], [x, y + 95]]
    return from_scan(found)


@pytest.mark.parametrize("step", [20, 30, 45, 60, 110])
def test_labels_of_a_column_lie_apart(step: float) -> None:
    table = narrow(step)
    view = window(table, (1600, 1200), 344, 400)
    tall = label_height(table, view)
    assert LEAST <= tall <= TALLEST
    assert tall <= max(LEAST, step * view.scale)


def test_wide_strips_have_large_labels() -> None:
    table = narrow(110)
    assert label_height(table, window(table, (1600, 1200), 1000, 900)) == TALLEST
    assert label_height(Table(((),), None), window(Table(((),), None), (1600, 1200), 344, 400)) == TALLEST
