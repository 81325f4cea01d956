"""Whether the compiled kernels are there (extra `fast`) and wanted."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec
from typing import Final

SWITCH: Final = "COMPANION_FAST"
"""Environment variable: `0` keeps the engine to numpy."""


@cache
def available() -> bool:
    """Numba can be imported and isn't switched off."""
    return os.environ.get(SWITCH, "1") != "0" and find_spec("numba") is not None


def loaded() -> bool:
    """Numba is there at once: importing it takes the better part of a second."""
    return available() and "numba" in sys.modules
