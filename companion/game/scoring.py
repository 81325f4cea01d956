"""The score of a hole."""

from __future__ import annotations

from companion.game.errors import CompanionError


def hole(tableau: int, stock: int) -> int:
    """The strokes of a hole: the cards left in the tableau, or, cleared, minus those left in the stock."""
    if tableau < 0 or stock < 0:
        raise CompanionError(f"no pile holds fewer than no cards: {(tableau, stock)!r}")
    return tableau or -stock
