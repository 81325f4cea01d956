"""What went wrong, for the screens to say in any language: the code of an error, and its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.game import CompanionError

EXPECTED = (CompanionError, OSError, ImportError)
"""What a job may fail with: the screens have words for it. Anything else is a fault of the program, of which
they show the report; neither may leave a screen waiting."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """`code` as in `CompanionError`; `reason` is its English sentence, quoted where no text is closer."""

    code: str
    reason: str = ""
    values: Mapping[str, str | int] = field(default_factory=dict)

    @classmethod
    def of(cls, error: BaseException) -> Trouble:
        """Of anything that was caught."""
        if isinstance(error, CompanionError):
            return cls(error.code, str(error), error.values)
        if isinstance(error, ImportError):
            return cls("not-installed", error.name or str(error))
        return cls("wrong", str(error))
