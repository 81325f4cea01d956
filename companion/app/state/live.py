"""Judging the live picture while one aims: its light at every look, its framing by what is found in it."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.app.services import pictures
from companion.app.services.reader import Reader

FRAMING = ("cut-off", "too-far", "no-cards")
TOLD = (*FRAMING, "glare", "blurred")
"""What is taken from a glance; a doubtful card is no reason to hold the camera otherwise."""
EVERY = 2.5
"""Seconds between two glances, at least; and as a share of what a glance costs:"""
SHARE = 5.0
LATER = 30.0
"""Seconds until the models are asked again after they refused."""


class LiveJudge:
    """The warnings of one open camera. Not for two threads at once.

    Every picture is judged by its light and by where its white lies, which is cheap. Now and then the models
    look at one, and what they find counts until the picture has changed.
    """

    def __init__(self, reader: Reader, clock: Callable[[], float] = time.monotonic) -> None:
        self._warnings = getattr(reader, "warnings", pictures.warnings)
        self._glance = getattr(reader, "glance", None)
        self._clock = clock
        self._next = 0.0
        self._found: tuple[str, ...] | None = None
        self._at: tuple[str, ...] = ()

    def look(self, picture: bytes) -> tuple[str, ...]:
        """The codes of what is wrong with a picture, worst first. Raises `ValueError` for what is none."""
        cheap: tuple[str, ...] = self._warnings(picture)
        if any(code not in FRAMING for code in cheap):
            self._found = None
            return cheap
        if cheap != self._at:
            self._found = None
        if self._glance is not None and self._clock() >= self._next:
            self._at, self._found = cheap, self._seen(picture)
        return cheap if self._found is None else self._found

    def _seen(self, picture: bytes) -> tuple[str, ...] | None:
        """What the models say, None where they can't or have no time."""
        begun = self._clock()
        assert self._glance is not None
        try:
            codes = self._glance(picture)
        except ImportError:
            self._glance = None
            return None
        except Exception:
            # Whatever it is, the photo itself will say so: the guide only helps to take it.
            self._next = self._clock() + LATER
            return None
        now = self._clock()
        self._next = now + max(EVERY, SHARE * (now - begun))
        return None if codes is None else tuple(code for code in codes if code in TOLD)
