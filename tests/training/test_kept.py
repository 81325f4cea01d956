"""What is kept of the networks to go on from."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs the train extra")
pytest.importorskip("ultralytics", reason="needs the train extra")

from models.finder.export import KEPT, keep  # noqa: E402


def test_weights_name_no_path_of_the_machine_they_were_made_on(tmp_path: Path) -> None:
    checkpoint = torch.load(KEPT / "finder.pt", map_location="cpu", weights_only=False)
    model = checkpoint["model"]
    assert "pt_path" not in model.__dict__
    model.pt_path = model.yaml["yaml_file"] = "/somewhere/finder.pt"
    torch.save({"model": model, "ema": None}, tmp_path / "last.pt")
    keep(tmp_path / "last.pt", tmp_path / "finder.pt")
    assert b"somewhere" in (tmp_path / "last.pt").read_bytes()
    assert b"somewhere" not in (tmp_path / "finder.pt").read_bytes()
