"""Writes weights into the package with the manifest that the app verifies before it loads them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

WEIGHTS = Path(__file__).parents[1] / "companion" / "vision" / "weights"


def enter(
    folder: Path,
    name: str,
    onnx: bytes,
    classes: tuple[str, ...],
    shape: list[int | None],
    recipe: dict[str, Any],
) -> Path:
    """Put a model into ``folder`` and its line into ``manifest.json`` there; returns the model's path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.onnx"
    path.write_bytes(onnx)
    manifest = folder / "manifest.json"
    document = (
        json.loads(manifest.read_text())
        if manifest.exists()
        else {"schema": "companion.models/1", "models": {}}
    )
    document["models"][name] = {
        "file": path.name,
        "sha256": hashlib.sha256(onnx).hexdigest(),
        "classes": list(classes),
        "input": shape,
        "recipe": recipe,
    }
    manifest.write_text(json.dumps(document, indent=1) + "\n")
    return path
