"""The trained weights and what they must be: a manifest is checked before a model is opened.

``weights/manifest.json``::

    {"schema": "companion.models/1",
     "models": {"finder": {"file": "finder.onnx", "sha256": "...", "classes": ["index", "back", "joker"],
                           "input": [1, 3, null, null], "recipe": {...}}, ...}}

`input` is the shape of the first input, null where it may vary; `recipe` says how pictures are prepared
and is for the model's own module to read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FOLDER = Path(__file__).parent / "weights"
SCHEMA = "companion.models/1"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """What the manifest says of one model."""

    name: str
    file: str
    sha256: str
    classes: tuple[str, ...]
    input: tuple[int | None, ...]
    recipe: Mapping[str, Any] = field(default_factory=dict)


def read_manifest(folder: Path = FOLDER) -> dict[str, ModelEntry]:
    """The entries of a folder's manifest by name.  Raises `ModelError`."""
    path = folder / "manifest.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(
            f"the trained weights are not installed, there is no manifest: {path.name!r}"
        ) from None
    except (OSError, ValueError):
        raise ModelError(f"the manifest of the weights can't be read: {path.name!r}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ModelError(f"this is no manifest of weights that this version knows: {path.name!r}")
    try:
        return {
            name: ModelEntry(
                name,
                str(entry["file"]),
                str(entry["sha256"]).lower(),
                tuple(map(str, entry["classes"])),
                tuple(None if size is None else int(size) for size in entry["input"]),
                dict(entry.get("recipe", {})),
            )
            for name, entry in document["models"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ModelError(f"an entry in the manifest of the weights is incomplete: {path.name!r}") from None


def read_model(name: str, *, classes: Sequence[str], folder: Path = FOLDER) -> tuple[ModelEntry, bytes]:
    """A model's entry and its bytes, which are those the manifest names.  Raises `ModelError`.

    `classes` are those the calling code was written for, in its order.
    """
    entry = read_manifest(folder).get(name)
    if entry is None:
        raise ModelError(f"the manifest of the weights has no such model: {name!r}")
    if entry.classes != tuple(classes):
        raise ModelError(f"the {name} was trained for other classes: {', '.join(entry.classes)!r}")
    if Path(entry.file).name != entry.file:
        raise ModelError(f"the manifest names a file outside its folder: {entry.file!r}")
    try:
        data = (folder / entry.file).read_bytes()
    except OSError:
        raise ModelError(f"the weights that the manifest names are missing: {entry.file!r}") from None
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(f"the weights are not those of the manifest, their SHA-256 differs: {entry.file!r}")
    return entry, data


def open_model(
    name: str, *, classes: Sequence[str], folder: Path = FOLDER, threads: int = 0
) -> tuple[InferenceSession, ModelEntry]:
    """A session on the CPU with a model that matches its manifest.  `threads` 0 means one a core."""
    import onnxruntime

    entry, data = read_model(name, classes=classes, folder=folder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"the weights can't be opened, {type(error).__name__}: {entry.file!r}") from None
    shape = session.get_inputs()[0].shape
    fits = len(shape) == len(entry.input) and all(
        want == have if want is not None else not isinstance(have, int)
        for want, have in zip(entry.input, shape, strict=True)
    )
    if not fits:
        raise ModelError(f"the {name} takes another input than its manifest says: {shape!r}")
    return session, entry
