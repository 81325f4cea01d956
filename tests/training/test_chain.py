"""The whole chain on very little: decks, scenes, both trainings, both exports, and a scan with the result."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ultralytics", reason="needs the train extra")
pytestmark = pytest.mark.slow


def run(*words: object) -> str:
    done = subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_from_decks_to_weights(tmp_path: Path) -> None:
    decks, scenes, weights = tmp_path / "decks", tmp_path / "scenes", tmp_path / "weights"
    run("datasets.decks.build", decks, "--drawn", 2, "--art", 2)
    for part in ("train", "val"):
        run("datasets.generate", scenes, "--store", decks, "--part", part, "--batches", 1, "--scenes", 24)
    before = sorted((scenes / "train" / "images").iterdir())
    run(
        "datasets.generate", scenes, "--store", decks, "--batches", 1, "--scenes", 24
    )  # nothing is drawn again
    assert sorted((scenes / "train" / "images").iterdir()) == before
    run("datasets.preview", tmp_path / "sheet.jpg", "--store", decks, "--rows", 1, "--columns", 2)
    options = ("--project", tmp_path / "runs", "--epochs", 1, "--side", 256, "--batch", 8)
    run("models.finder.train", scenes / "data.yaml", *options)
    best = tmp_path / "runs" / "finder" / "weights" / "last.pt"
    run("models.finder.export", best, "--to", weights, "--keep", tmp_path)
    run(
        "models.finder.train",
        scenes / "data.yaml",
        *options,
        "--name",
        "second",
        "--weights",
        tmp_path / "finder.pt",
    )
    cuts = scenes / "train" / "cuts"
    reader = tmp_path / "reader.pt"
    for _ in range(2):  # the second goes on from the first
        run("models.reader.train", cuts, "--out", reader, "--minutes", 0.05, "--batch", 32)
    kept = tmp_path / "kept"
    kept.mkdir()
    run("models.reader.export", reader, "--val", scenes / "val" / "cuts", "--to", weights, "--keep", kept)
    check_weights(weights)


def check_weights(weights: Path) -> None:
    """The fresh weights match their manifest and run without PyTorch's help."""
    from companion.vision import detector, reader
    from companion.vision.manifest import open_model

    for name, classes in (("finder", detector.CLASSES), ("reader", reader.CLASSES)):
        session, _ = open_model(name, classes=classes, folder=weights)
        feed = {
            i.name: np.zeros([1, *(d if isinstance(d, int) else 64 for d in i.shape[1:])], np.float32)
            for i in session.get_inputs()
        }
        assert np.isfinite(session.run(None, feed)[0]).all()
