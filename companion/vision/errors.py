"""What can be refused while a photo is read; both are a `CompanionError`."""

from __future__ import annotations

from companion.game import CompanionError


class PhotoError(CompanionError):
    """The photo can't be used as it is: one sentence that says why."""

    code = "photo"


class ModelError(CompanionError):
    """The trained weights are missing or are not those of the manifest."""

    code = "models"
    exit_status = 1
    """On the command line: no fault of the input."""
