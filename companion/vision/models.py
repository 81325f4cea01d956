"""The two trained models a scan needs, as anything that finds and reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from .types import Finds, Image, Index, Reading


class Finder(Protocol):
    """Finds every index, face-down back and joker sign on a photo, in its pixels."""

    def find(self, rgb: Image) -> Finds: ...


class IndexReader(Protocol):
    """Reads indices of a photo, one reading each, in their order."""

    def read(self, rgb: Image, indices: Sequence[Index]) -> list[Reading]: ...


@dataclass(frozen=True, slots=True)
class Models:
    finder: Finder
    reader: IndexReader


@lru_cache(maxsize=1)
def load_models(threads: int = 0) -> Models:
    """The models that ship with the package, loaded once a process.  Raises `ModelError`.

    `threads` is how many each works with; 0 means one a core.
    """
    from .detector import Detector
    from .reader import Reader

    return Models(Detector(threads), Reader(threads))
