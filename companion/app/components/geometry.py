"""Where the cards of a tableau lie on the screen."""

from __future__ import annotations

from dataclasses import dataclass

RATIO = 1.4
LEAST_STEP = 0.52
"""The least that shows of a covered card, by the card's width: its rank and suit must be readable."""

LEAST_PITCH = 48
"""Pixels from column to column, where there is room: each is tapped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Pixels: `pitch` from column to column, `width` of a card, `step` from a card to the one on it."""

    pitch: float
    width: float
    step: float

    @property
    def height(self) -> float:
        return self.width * RATIO

    def column_height(self, cards: int) -> float:
        return self.height + max(0, cards - 1) * self.step


def fit(columns: int, longest: int, width: float, height: float, largest: float = 104) -> Layout:
    """The largest cards that fit into an area, covered cards showing more where there is room."""
    pitch = min(width / max(1, columns), largest + 12)
    card = min(pitch - max(2.5, pitch * 0.06), largest)
    # Too low an area: cards get smaller rather than unreadable.
    most = height / (RATIO + max(0, longest - 1) * LEAST_STEP)
    card = max(24.0, min(card, most))
    steps = max(1, longest - 1)
    step = max(card * LEAST_STEP, min(card * 0.8, (height - card * RATIO) / steps))
    # Small cards move together, but not so that a finger hits two columns.
    return Layout(min(pitch, max(LEAST_PITCH, card + 12)), card, step)
