"""The colours of the app, as plain values: light and dark, and the felt of the card table.

`tests/app/test_theme.py` computes the contrast of every pair that `PAIRS` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by their part in the design, `#rrggbb`."""

    primary: str
    on_primary: str
    primary_container: str
    on_primary_container: str
    secondary_container: str
    on_secondary_container: str
    accent: str
    """Gold: hints, and what wants a look."""
    on_accent: str
    accent_container: str
    on_accent_container: str
    error: str
    on_error: str
    error_container: str
    on_error_container: str
    surface: str
    """The page."""
    raised: str
    """Panels on the page."""
    high: str
    """Keys, fields."""
    on_surface: str
    quiet: str
    """Second-rank text."""
    outline: str
    outline_soft: str
    felt: str
    felt_edge: str
    on_felt: str
    card: str
    card_edge: str
    black: str
    """Spades and clubs."""
    red: str
    """Hearts and diamonds."""
    blue: str
    """Diamonds of a four-colour deck."""
    green: str
    """Clubs of a four-colour deck."""
    glow: str
    """The ring of a hint on the felt."""
    under: str
    """Under par."""
    over: str
    """Over par."""
    unread: str = "#515a52"
    """On a card, which is bright in the dark too: what is not read."""
    doubt: str = "#7d5000"
    """On a card: what is not sure."""
    gone: str = "#ffe3a8"
    """The ground of a card that a step took away; `new` and `wrong` alike."""
    new: str = "#d5f5df"
    wrong: str = "#ffd9d4"


LIGHT: Final = Palette(
    primary="#0f5c3f", on_primary="#ffffff", primary_container="#cdebd9", on_primary_container="#00391f",
    secondary_container="#e2e9dc", on_secondary_container="#2c3a2e",
    accent="#8a5a00", on_accent="#ffffff", accent_container="#ffe3a8", on_accent_container="#4a2f00",
    error="#b3261e", on_error="#ffffff", error_container="#fcdcd8", on_error_container="#6a100b",
    surface="#f6f4ec", raised="#fffdf7", high="#ece9de", on_surface="#1c211d", quiet="#515a52",
    outline="#767d74", outline_soft="#d9d7ca",
    felt="#14613f", felt_edge="#0d472e", on_felt="#f1f7ee",
    card="#fffefa", card_edge="#c9c5b5", black="#17191c", red="#c0182b", blue="#1551b5", green="#14692d",
    glow="#ffd36b", under="#b3261e", over="#24508f",
)  # fmt: skip

DARK: Final = Palette(
    primary="#8ed8ae", on_primary="#00391f", primary_container="#174d36", on_primary_container="#c4efd5",
    secondary_container="#2c3a31", on_secondary_container="#d3e2d5",
    accent="#f1c46b", on_accent="#3f2a00", accent_container="#4b3608", on_accent_container="#ffe2a6",
    error="#ffb4ab", on_error="#690005", error_container="#6e1a15", on_error_container="#ffdad6",
    surface="#101512", raised="#191f1b", high="#262d28", on_surface="#e4e9e2", quiet="#b1bab1",
    outline="#8a948b", outline_soft="#333b35",
    felt="#0e3f2a", felt_edge="#082a1b", on_felt="#e6f1e7",
    card="#f4f1e6", card_edge="#8f8c80", black="#17191c", red="#b5152a", blue="#1551b5", green="#14602a",
    glow="#ffd36b", under="#ffb4ab", over="#a9c7ff",
)  # fmt: skip

PAIRS: Final[tuple[tuple[str, str, float], ...]] = (
    ("on_primary", "primary", 4.5),
    ("on_primary_container", "primary_container", 4.5),
    ("on_secondary_container", "secondary_container", 4.5),
    ("on_accent", "accent", 4.5),
    ("on_accent_container", "accent_container", 4.5),
    ("on_error", "error", 4.5),
    ("on_error_container", "error_container", 4.5),
    *((text, ground, 4.5) for text in ("on_surface", "quiet", "primary", "accent", "error", "under", "over")
      for ground in ("surface", "raised")),
    *((text, "high", 4.5) for text in ("on_surface", "quiet", "primary")),
    ("on_felt", "felt", 4.5),
    ("on_felt", "felt_edge", 4.5),
    *((ink, ground, 4.5) for ink in ("black", "red", "blue", "green", "unread", "doubt")
      for ground in ("card", "gone", "new", "wrong")),
    ("outline", "surface", 3.0),
    ("outline", "raised", 3.0),
    ("glow", "felt", 3.0),
)  # fmt: skip
"""Text, or sign, and ground, and the least contrast by WCAG 2.2 AA: 4.5 for text, 3 for signs and edges."""


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2.2, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


PALETTES: Final[Mapping[str, Palette]] = {"light": LIGHT, "dark": DARK}
