"""What the photo, the store and the grid refuse, in the words of the screens.

The parts below the app say it in English; what can be met by tapping is known here, all else is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import flet as ft

from companion.app.components.base import banner
from companion.app.components.look import Look
from companion.app.languages import Language

Words = Callable[[Language, re.Match[str]], str]

_KNOWN: tuple[tuple[str, Words], ...] = (
    # photos
    ("at most 40 MB|larger than .* MB", lambda t, _: t("A photo has at most 40 MB.")),
    (r"more than (\d+) megapixels", lambda t, m: t("A photo has at most {n} megapixels.", n=m[1])),
    ("too small to show a card", lambda t, _: t("The photo is too small to show a card.")),
    ("an animation", lambda t, _: t("This is an animation, not a photo.")),
    ("breaks off|photo is damaged|photo is empty", lambda t, _: t("The photo is damaged or incomplete.")),
    ("heic extra", lambda t, _: t("HEIC photos can't be opened here. Send the photo as JPEG.")),
    ("this is no photo", lambda t, _: t("This is no photo: JPEG, PNG, WebP and HEIC are.")),
    ("does not fit into memory", lambda t, _: t("The photo is too large for this device.")),
    ("weights|No module named", lambda t, _: t("The models that read cards are missing or damaged.")),
    ("not every card of the grid", lambda t, _: t("Not every card of the grid could be read.")),
    ("a grid has 4, 6 or 9 cards", lambda t, _: t("The photo shows no grid of 4, 6 or 9 cards.")),
    (r"rules play with (\d+) cards", lambda t, m: t("This round is played with {n} cards each.", n=m[1])),
    # the server
    ("took longer than", lambda t, _: t("It took too long and was stopped. Try again.")),
    ("broke off, try again|being stopped", lambda t, _: t("The server broke off. Try again.")),
    ("too many|too much is being|busy", lambda t, _: t("Too much is going on here. Try again in a moment.")),
    (r"check has at most (\d+) tables", lambda t, m: t("A check has at most {n} tables.", n=m[1])),
    # rounds
    ("plays a round once", lambda t, _: t("Each player needs a name of their own.")),
    ("player's name has 1 to", lambda t, _: t("Each player needs a name, not longer than a line.")),
    ("round name has 1 to", lambda t, _: t("The name of the round is too long.")),
    ("is for two players", lambda t, _: t("A match is for two players.")),
    ("is for 2 to 8 players", lambda t, _: t("Grid golf is for 2 to 8 players.")),
    ("already had all cards up", lambda t, _: t("On this hole another player had all cards up first.")),
    ("hole has more than", lambda t, _: t("There are more cards of one kind than the deck has.")),
    ("a correction needs a reason", lambda t, _: t("The round is finished: say why you correct it.")),
    ("round is finished", lambda t, _: t("The round is finished: scores can only be corrected.")),
    ("abandoned, resume it", lambda t, _: t("The round was put away. Take it up again first.")),
)  # fmt: skip


def sentence(look: Look, trouble: str) -> str:
    """What went wrong, in the language of the screens; unknown reasons are quoted as they are."""
    for pattern, words in _KNOWN:
        if found := re.search(pattern, trouble):
            return words(look.t, found)
    # Sentences that the screens themselves made begin with a capital letter.
    return trouble if trouble[:1].isupper() else look.t("It didn't work: {reason}", reason=trouble)


def trouble_banner(
    look: Look, trouble: str, *, id: str = "notice", on_close: Callable[..., Any] | None = None
) -> ft.Control:
    """The same as a banner."""
    return banner(look, sentence(look, trouble), kind="error", id=id, on_close=on_close)
