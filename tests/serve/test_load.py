from __future__ import annotations

from pathlib import Path

import pytest

from bench.load import load


@pytest.mark.slow
def test_a_short_load_loses_nothing() -> None:
    photo = Path(__file__).parents[1] / "browser" / "table.jpg"
    found = load(photo, phones=6, scanning=2, seconds=8, pause=0.5)
    assert found["failed"] == {}
    assert found["errors"] == 0
    assert found["strokes"]["count"] > 0
    assert found["scans"]["count"] > 0
    # One in flight when the time is up may be on disk and not be acknowledged; never the other way round.
    assert found["written"] <= found["kept"] <= found["written"] + 4
