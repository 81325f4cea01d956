"""Nothing acknowledged is lost when the writer is killed; `kill_writer.py` is the program."""

from __future__ import annotations

import os

import pytest

from .kill_writer import torture

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path):
    assert torture(tmp_path, kills=25, seed=1) > 50


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_in_a_thousand_kills(tmp_path):
    assert torture(tmp_path, kills=1000, seed=1000) > 5000
