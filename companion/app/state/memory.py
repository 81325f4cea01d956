"""Where a device's unfinished work is kept, so that a reload or a restart loses nothing.

Rounds, games and scans are in the store; this is the rest: the screen that is open, the table that is being
typed, the settings. A document a name, small JSON, replaced as a whole.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol


class Memory(Protocol):
    """Documents and pictures by name."""

    def load(self, name: str) -> dict[str, Any] | None: ...

    def save(self, name: str, document: dict[str, Any] | None) -> None: ...

    def load_bytes(self, name: str) -> bytes | None: ...

    def save_bytes(self, name: str, data: bytes | None) -> None: ...


class NoMemory:
    """Keeps everything as long as the process lives; for tests, and where nothing can be written."""

    def __init__(self) -> None:
        self.documents: dict[str, str] = {}
        self.pictures: dict[str, bytes] = {}

    def load(self, name: str) -> dict[str, Any] | None:
        text = self.documents.get(name)
        return None if text is None else json.loads(text)

    def save(self, name: str, document: dict[str, Any] | None) -> None:
        if document is None:
            self.documents.pop(name, None)
        else:
            self.documents[name] = json.dumps(document)

    def load_bytes(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def save_bytes(self, name: str, data: bytes | None) -> None:
        if data is None:
            self.pictures.pop(name, None)
        else:
            self.pictures[name] = data


class FolderMemory:
    """A folder a device: `NAME.json` and `NAME.jpg`. A file is written beside and renamed, never half."""

    def __init__(self, folder: Path, device: str = "local") -> None:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", device):
            raise ValueError(f"a device has up to 64 letters and digits, not {device!r}")
        self.folder = folder / device

    def load(self, name: str) -> dict[str, Any] | None:
        data = self._read(f"{name}.json")
        with suppress(ValueError):
            found = json.loads(data) if data else None
            return found if isinstance(found, dict) else None
        return None

    def save(self, name: str, document: dict[str, Any] | None) -> None:
        self._write(f"{name}.json", None if document is None else json.dumps(document).encode())

    def load_bytes(self, name: str) -> bytes | None:
        return self._read(f"{name}.jpg")

    def save_bytes(self, name: str, data: bytes | None) -> None:
        self._write(f"{name}.jpg", data)

    def _read(self, file: str) -> bytes | None:
        try:
            return (self.folder / file).read_bytes()
        except OSError:
            return None

    def _write(self, file: str, data: bytes | None) -> None:
        path = self.folder / file
        # A full or read-only disk must not stop the game: what is shown stays right, only a restart forgets.
        with suppress(OSError):
            if data is None:
                path.unlink(missing_ok=True)
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(path.name + ".part")
            draft.write_bytes(data)
            os.replace(draft, path)
