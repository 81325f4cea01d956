"""The load program, small and without its limits of time: a busy machine may be slow, nothing may be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.load import load


@pytest.mark.slow
def test_a_short_load_loses_nothing() -> None:
    photo = Path(__file__).parents[1] / "browser" / "table.jpg"
    phones, scanning = 8, 3
    found = load(photo, phones=phones, scanning=scanning, seconds=10, pause=0.5, patience=300)
    assert found["failed"] == {}
    assert found["errors"] == 0
    assert found["strokes"]["count"] >= phones - scanning
    assert found["scans"]["count"] >= 1
    # One in flight when the time is up may be on disk and not be acknowledged; never the other way round.
    assert found["written"] <= found["kept"] <= found["written"] + phones
