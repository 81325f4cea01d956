"""Weights are opened only when they are the manifest's."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from companion.vision.errors import ModelError
from companion.vision.manifest import FOLDER, open_model, read_manifest, read_model

CLASSES = ("index", "back")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = b"weights"
    (tmp_path / "finder.onnx").write_bytes(data)
    write(tmp_path, sha256=hashlib.sha256(data).hexdigest())
    return tmp_path


def write(folder: Path, **changes: object) -> None:
    entry = {
        "file": "finder.onnx",
        "sha256": "",
        "classes": list(CLASSES),
        "input": [1, 3, None, None],
        **changes,
    }
    (folder / "manifest.json").write_text(
        json.dumps({"schema": "companion.models/1", "models": {"finder": entry}})
    )


def test_matching_weights_are_read(folder: Path) -> None:
    entry, data = read_model("finder", classes=CLASSES, folder=folder)
    assert data == b"weights"
    assert entry.input == (1, 3, None, None)


def test_changed_weights_are_refused(folder: Path) -> None:
    (folder / "finder.onnx").write_bytes(b"weightS")
    with pytest.raises(ModelError, match=r"SHA-256 differs: 'finder\.onnx'"):
        read_model("finder", classes=CLASSES, folder=folder)


def test_other_classes_are_refused(folder: Path) -> None:
    with pytest.raises(ModelError, match="other classes: 'index, back'"):
        read_model("finder", classes=("back", "index"), folder=folder)


def test_missing_things(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such model: 'reader'"):
        read_model("reader", classes=CLASSES, folder=folder)
    (folder / "finder.onnx").unlink()
    with pytest.raises(ModelError, match=r"missing: 'finder\.onnx'"):
        read_model("finder", classes=CLASSES, folder=folder)
    with pytest.raises(ModelError, match="not installed"):
        read_manifest(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"schema": "companion.models/2", "models": {}}'])
def test_broken_manifests(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(ModelError, match=r"'manifest\.json'"):
        read_manifest(folder)


def test_incomplete_entry(folder: Path) -> None:
    write(folder, input="wide")
    with pytest.raises(ModelError, match="incomplete"):
        read_manifest(folder)


def test_file_outside_the_folder(folder: Path) -> None:
    write(folder, file="../finder.onnx")
    with pytest.raises(ModelError, match="outside its folder"):
        read_model("finder", classes=CLASSES, folder=folder)


def test_no_model_at_all_is_said_in_one_sentence(folder: Path) -> None:
    write(folder, sha256=hashlib.sha256(b"weights").hexdigest())
    with pytest.raises(ModelError, match="can't be opened"):
        open_model("finder", classes=CLASSES, folder=folder)


@pytest.mark.skipif(not (FOLDER / "manifest.json").exists(), reason="no weights yet")
def test_shipped_weights_match_their_manifest() -> None:
    entries = read_manifest()
    size = 0
    for entry in entries.values():
        session, _ = open_model(entry.name, classes=entry.classes)
        assert session.get_inputs()
        size += (FOLDER / entry.file).stat().st_size
    assert size <= 15_000_000
