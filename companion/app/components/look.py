"""What every part needs to draw itself: colours, language, text size; and the way its callbacks are run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.app.languages import Language
from companion.app.theme import Palette
from companion.game import Card
from companion.game.letters import rank_letter

if TYPE_CHECKING:
    from companion.app.state.app import AppState

Handler = Callable[[], Any]

RAIL = 88
"""The width of the navigation at the side, of a window that is no phone."""
TALL = 960
"""A window that is higher has room for a whole card of nine holes above the keys."""
TARGET = 48
"""The least width and height of what is tapped, in pixels."""


@dataclass(frozen=True)
class Look:
    """Compares equal where everything would be drawn alike, so that unchanged parts are not drawn again."""

    palette: Palette
    t: Language
    letters: str
    scale: float
    hand: str
    four_colours: bool
    dark: bool
    app: AppState = field(compare=False)

    def size(self, points: float) -> float:
        """A text size, as large as the player wants it."""
        return round(points * self.scale, 1)

    @property
    def inside(self) -> float:
        """The width of a screen without the frame round it."""
        width = self.app.size[0]
        return width - (RAIL if width >= 600 else 0) - 16

    def handed(self, *groups: Any) -> list[Any]:
        """Controls, or lists of them, from the edge of the window to the thumb; a list keeps its order."""
        order = groups if self.hand == "right" else groups[::-1]
        return [part for group in order for part in (group if isinstance(group, list) else [group])]

    def ink(self, card: Card) -> str:
        """The colour a card is printed in."""
        return self.suit_ink(card.suit or ("H" if str(card.plain) == "J1" else "S"))

    def suit_ink(self, suit: str) -> str:
        p = self.palette
        if self.four_colours:
            return {"S": p.black, "H": p.red, "D": p.blue, "C": p.green}[suit]
        return p.red if suit in "HD" else p.black

    def rank(self, letter: str) -> str:
        """A rank's key cap: `10`, `B`, `Kn`."""
        return rank_letter("A23456789TJQK".index(letter) + 1, self.letters)

    def card(self, card: Card) -> str:
        """A card as people write it: `10♥`."""
        return card.short(self.letters)

    def words(self, card: Card | None) -> str:
        """A card in words, for screen readers: "4 of hearts"."""
        t = self.t
        if card is None:
            return t("no card")
        if card.rank is None:
            return t("a card that is not read")
        if card.is_joker:
            return t("joker")
        ranks = {1: t("ace"), 11: t("jack"), 12: t("queen"), 13: t("king")}
        suits = {"S": t("spades"), "H": t("hearts"), "D": t("diamonds"), "C": t("clubs")}
        rank = ranks.get(card.value, str(card.value))
        return t("{rank} of {suit}", rank=rank, suit=suits[card.suit or "S"])

    def run(self, work: Callable[..., Any] | None, *values: Any) -> Callable[..., Any] | None:
        """A callback for a control: what goes wrong in it shows the crash screen instead of a frozen app."""
        if work is None:
            return None
        app = self.app
        if inspect.iscoroutinefunction(work):

            async def later() -> None:
                try:
                    await work(*values)
                except Exception as error:
                    app.crashed(error)

            return later

        def now() -> None:
            try:
                work(*values)
            except Exception as error:
                app.crashed(error)

        return now

    def run_event(self, work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same for a callback that wants the event."""
        app = self.app
        if inspect.iscoroutinefunction(work):

            async def later(event: Any) -> None:
                try:
                    await work(event)
                except Exception as error:
                    app.crashed(error)

            return later

        def now(event: Any) -> None:
            try:
                work(event)
            except Exception as error:
                app.crashed(error)

        return now
