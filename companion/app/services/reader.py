"""Reading a photo of a table: bytes in, the document of a scan out. Runs in a thread of its own."""

from __future__ import annotations

from typing import Any, Protocol


class Reader(Protocol):
    """What reads tables; `companion.vision` in the app, anything in a test.

    One that also has `glance(photo) -> codes` is asked about live pictures, as often as its cost allows; it
    returns None when it has no time. A server's has `shown`, `mirrored` and `warnings` of `pictures` too, and
    does them in another process.
    """

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        """The document (`companion.scan/1`) of a photo. Raises a `ValueError` that says what is wrong.

        `decks` and `jokers` say how often each card and a joker can be on the table.
        """
        ...

    def warm(self) -> None:
        """Load the models ahead of the first photo."""
        ...


class VisionReader:
    """The companion's own models; `threads` is how many they work with, 0 means one a core."""

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads

    def read(self, photo: bytes, decks: int = 1, jokers: int = 2) -> dict[str, Any]:
        from companion.vision import load_models, scan_photo

        models = load_models(self._threads)
        return scan_photo(photo, decks=decks, jokers=jokers, models=models).document()

    def glance(self, photo: bytes) -> tuple[str, ...]:
        """The codes of what is wrong with a live picture, by the cards that are found in it; see `read`."""
        from companion.vision import load_models, scan_photo

        return tuple(
            problem.code for problem in scan_photo(photo, models=load_models(self._threads)).problems
        )

    def warm(self) -> None:
        from contextlib import suppress

        # Without models, or without the packages for them, the first photo says what is missing.
        with suppress(Exception):
            from companion.vision import load_models

            load_models(self._threads)
