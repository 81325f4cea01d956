"""What the layers below refuse, in the words of the screens: a text for each code.

`tests/app/test_trouble.py` holds that no code of any layer lacks one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import flet as ft

from companion.app.components.base import banner
from companion.app.components.look import Look
from companion.app.languages import Language
from companion.app.state.trouble import Trouble

QUOTED = ("wrong", "card", "rules", "position", "grid", "round", "engine", "photo", "store", "server")
"""Codes of whole classes, hardly met by tapping: their sentence is quoted."""

Words = Callable[[Language, Mapping[str, str | int]], str]

TEXTS: dict[str, Words] = {
    # photos
    "photo-too-heavy": lambda t, v: t("A photo has at most {n} MB.", **v),
    "photo-too-large": lambda t, v: t("A photo has at most {n} megapixels.", **v),
    "photo-too-small": lambda t, _: t("The photo is too small to show a card."),
    "photo-moves": lambda t, _: t("This is an animation, not a photo."),
    "photo-damaged": lambda t, _: t("The photo is damaged or incomplete."),
    "photo-heic": lambda t, _: t("HEIC photos can't be opened here. Send the photo as JPEG."),
    "photo-memory": lambda t, _: t("The photo is too large for this device."),
    "photo-not-arrived": lambda t, _: t("The photo did not arrive. Try again."),
    "no-photo": lambda t, _: t("This is no photo: JPEG, PNG, WebP and HEIC are."),
    "no-picture-copied": lambda t, _: t("There is no picture on the clipboard."),
    "models": lambda t, _: t("The models that read cards are missing or damaged."),
    "grid-unread": lambda t, _: t("Not every card of the grid could be read."),
    "grid-size": lambda t, _: t("The photo shows no grid of 4, 6 or 9 cards."),
    "grid-cards": lambda t, v: t("This round is played with {n} cards each.", **v),
    # the server
    "took-too-long": lambda t, _: t("It took too long and was stopped. Try again."),
    "broke-off": lambda t, _: t("The server broke off. Try again."),
    "busy": lambda t, _: t("Too much is going on here. Try again in a moment."),
    "check-full": lambda t, v: t("A check has at most {n} tables.", **v),
    # rounds
    "player-twice": lambda t, _: t("Each player needs a name of their own."),
    "player-name": lambda t, _: t("Each player needs a name, not longer than a line."),
    "name-taken": lambda t, v: t("There is another player called {name}.", **v),
    "text-length": lambda t, _: t("The text is too long, or has signs that can't be kept."),
    "two-players": lambda t, _: t("A match is for two players."),
    "grid-players": lambda t, _: t("Grid golf is for 2 to 8 players."),
    "all-up-taken": lambda t, _: t("On this hole another player had all cards up first."),
    "grid-too-often": lambda t, _: t("There are more cards of one kind than the deck has."),
    "hole-scored": lambda t, v: t("Hole {n} has a score already. It can be corrected.", **v),
    "not-all-played": lambda t, _: t("The round isn't over: there are holes without a score."),
    "needs-reason": lambda t, _: t("The round is finished: say why you correct it."),
    "round-finished": lambda t, _: t("The round is finished: scores can only be corrected."),
    "round-away": lambda t, _: t("The round was put away. Take it up again first."),
    # files and the store
    "file": lambda t, v: t("This file or text can't be read: {reason}", **v),
    "file-not-arrived": lambda t, _: t("The file did not arrive. Try again."),
    "store-full": lambda t, _: t("There is no room left. What was written before is kept."),
    "store-read-only": lambda t, _: t("The rounds can be read here, but not written."),
    "store-busy": lambda t, _: t("Another program is writing to the rounds. Try again."),
    "store-damaged": lambda t, _: t("The file with the rounds is damaged. Its backups are untouched."),
    "not-installed": lambda t, v: t("A part of the program is not installed: {reason}", **v),
    **dict.fromkeys(QUOTED, lambda t, v: t("It didn't work: {reason}", **v)),
}


def sentence(look: Look, trouble: Trouble) -> str:
    """What went wrong, in the language of the screens."""
    return TEXTS.get(trouble.code, TEXTS["wrong"])(look.t, {**trouble.values, "reason": trouble.reason})


def trouble_banner(
    look: Look, trouble: Trouble, *, id: str = "notice", on_close: Callable[..., Any] | None = None
) -> ft.Control:
    """The same as a banner."""
    return banner(look, sentence(look, trouble), kind="error", id=id, on_close=on_close)
