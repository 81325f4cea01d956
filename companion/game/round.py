"""A round as one frozen value: who plays by which rules, every score ever entered, and what follows.

A `Round` holds the whole history. `entries` only grows: a correction is a new `HoleScore` of the same player
and hole with the next revision, and the newest revision is the score that counts. So is `events`, which says
when the round was begun, finished, abandoned or taken up again. Everything else is computed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from companion.game import match, scoring
from companion.game.errors import CompanionError
from companion.game.grid import GridRules
from companion.game.rules import Rules

GAMES = ("patience", "grid")
FORMS = ("stroke", "same_deal", "tournament", "match")
"""How players meet: each for himself; all play the same deal; tournament points; match play."""
SOURCES = ("typed", "scan", "tracked")
STATES = {"begun": "open", "resumed": "open", "finished": "finished", "abandoned": "abandoned"}
"""Kinds of events and the state of a round after each."""


class RoundError(CompanionError):
    """Something the state or the rules of a round do not allow."""

    code = "round"


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays. `id` never changes, `name` may."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class HoleScore:
    """One entry for one player's hole. `strokes` is None where the entry takes a score back.

    Patience: `left` are the cards left in the tableau; `stock` the cards left in the stock when it was
    cleared, else None. Grid game: `grid` holds the cards when they were written down, `ended` says that this
    player had all cards up first. `rules` are those the hole was played by, whatever becomes of a preset.
    `at` is UTC, ISO 8601. `scan` and `game` name where the score came from.
    """

    id: str
    player: str
    hole: int
    revision: int
    strokes: int | None
    rules: Rules | GridRules
    at: str
    left: int | None = None
    stock: int | None = None
    grid: str | None = None
    ended: bool = False
    hinted: bool = False
    source: str = "typed"
    reason: str = ""
    scan: str | None = None
    game: str | None = None

    @property
    def cleared(self) -> bool:
        """True when the tableau was cleared, with or without cards left in the stock."""
        return self.left == 0


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to a round as a whole; `kind` is one of `STATES`."""

    id: str
    kind: str
    at: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of patience or of the grid game. `dealer` is the seat of the first dealer (grid game)."""

    id: str
    game: str
    form: str
    rules: Rules | GridRules
    players: tuple[Player, ...]
    entries: tuple[HoleScore, ...] = ()
    events: tuple[Event, ...] = ()
    name: str = ""
    dealer: int = 0
    _current: Mapping[tuple[str, int], HoleScore] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        newest: dict[tuple[str, int], HoleScore] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.revision):
            newest[entry.player, entry.hole] = entry
        current = {key: entry for key, entry in newest.items() if entry.strokes is not None}
        object.__setattr__(self, "_current", current)

    # --- state ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """`open`, `finished` (locked) or `abandoned`."""
        return STATES[self.events[-1].kind] if self.events else "open"

    @property
    def begun(self) -> str:
        """When the round was begun, ISO 8601; empty when unknown."""
        return self.events[0].at if self.events else ""

    @property
    def changed(self) -> str:
        """When anything was last written."""
        return max([event.at for event in self.events] + [entry.at for entry in self.entries], default="")

    @property
    def holes(self) -> int:
        """Holes of the round, extra holes not counted."""
        return self.rules.holes

    @property
    def par(self) -> int | None:
        """Strokes agreed as par of the whole round; None in the grid game."""
        return self.rules.par if isinstance(self.rules, Rules) else None

    @property
    def pars(self) -> tuple[int, ...] | None:
        """Par of each hole: par of the round spread evenly in whole strokes; None in the grid game."""
        return None if self.par is None else hole_pars(self.par, self.holes)

    def hole_par(self, hole: int) -> int | None:
        """Par of one hole; extra holes begin again with the par of the first."""
        return None if self.pars is None else self.pars[(hole - 1) % self.holes]

    def player(self, name: str) -> Player:
        """The player with this id or name (upper and lower case alike)."""
        for player in self.players:
            if name == player.id or fold(name) == fold(player.name):
                return player
        known = ", ".join(player.name for player in self.players)
        raise RoundError(f"this round is played by {known}, not by {name!r}")

    # --- scores --------------------------------------------------------------------------------------------

    def score(self, player: str, hole: int) -> HoleScore | None:
        """The score that counts, None where there is none."""
        return self._current.get((player, hole))

    def history(self, player: str, hole: int) -> tuple[HoleScore, ...]:
        """Every entry for a hole, oldest first."""
        found = (entry for entry in self.entries if (entry.player, entry.hole) == (player, hole))
        return tuple(sorted(found, key=lambda entry: entry.revision))

    def scores(self, player: str) -> tuple[HoleScore | None, ...]:
        """Scores of the holes of the round in order, extra holes not counted."""
        return tuple(self.score(player, hole) for hole in range(1, self.holes + 1))

    def strokes(self, player: str) -> tuple[int | None, ...]:
        """Strokes of the holes of the round in order, None where there is no score."""
        return tuple(entry.strokes if entry else None for entry in self.scores(player))

    def played(self, player: str) -> int:
        """Holes with a score, extra holes not counted."""
        return sum(value is not None for value in self.strokes(player))

    def total(self, player: str) -> int:
        """Strokes so far, extra holes not counted. Hinted holes are in it: see `hinted`."""
        return sum(value for value in self.strokes(player) if value is not None)

    def hinted(self, player: str) -> int:
        """Holes of the round that were played with hints."""
        return sum(entry is not None and entry.hinted for entry in self.scores(player))

    def to_par(self, player: str) -> int | None:
        """Strokes over (positive) or under par of the holes played so far; None without par or score."""
        if self.pars is None or not self.played(player):
            return None
        pairs = zip(self.strokes(player), self.pars, strict=True)
        return sum(value - par for value, par in pairs if value is not None)

    def projected(self, player: str) -> float | None:
        """Total if the holes to come are played like the mean of those played; None before the first."""
        played = self.played(player)
        return self.total(player) / played * self.holes if played else None

    def complete(self, player: str) -> bool:
        """True when every hole of the round has a score."""
        return self.played(player) == self.holes

    @property
    def is_complete(self) -> bool:
        """True when every hole of every player has a score."""
        return all(self.complete(player.id) for player in self.players)

    def next_hole(self, player: str) -> int | None:
        """The first hole without a score; an extra hole where one is due; None when all is played."""
        for hole, value in enumerate(self.strokes(player), 1):
            if value is None:
                return hole
        return self.extra_due if self.in_playoff(player) else None

    # --- who wins ------------------------------------------------------------------------------------------

    @property
    def places(self) -> tuple[match.Place, ...]:
        """Players by total over the holes all of them have scored; `side` is the seat."""
        return match.table([self.strokes(player.id) for player in self.players], self.holes)

    @property
    def extra(self) -> tuple[tuple[int | None, ...], ...]:
        """Strokes of the extra holes, one entry a player in order of the seats."""
        last = max((hole for _, hole in self._current), default=0)
        return tuple(
            tuple(s.strokes if (s := self.score(player.id, hole)) else None for player in self.players)
            for hole in range(self.holes + 1, last + 1)
        )

    @property
    def standing(self) -> match.MatchStanding | match.TournamentStanding | None:
        """Standing of a match or tournament; None in the other forms."""
        if self.form not in ("match", "tournament"):
            return None
        first, second = (self.strokes(player.id) for player in self.players)
        count = match.match_play if self.form == "match" else match.tournament
        return count(first, second, self.holes, self.extra)

    @property
    def playoff(self) -> match.Playoff | None:
        """The extra holes, once all holes are played and the first place is shared; else None.

        Stroke rounds are not decided by extra holes.
        """
        if self.form == "stroke" or len(self.players) < 2 or not self.is_complete:
            return None
        standing = self.standing
        if standing is not None:
            level = standing.extra > 0 or standing.winner is None
            return match.playoff((0, 1), self.extra) if level else None
        first = tuple(place.side for place in self.places if place.place == 1)
        return match.playoff(first, self.extra) if len(first) > 1 else None

    @property
    def extra_due(self) -> int | None:
        """Number of the extra hole to play next, None when none is due."""
        playoff = self.playoff
        return None if playoff is None or playoff.winner is not None else self.holes + playoff.played + 1

    def in_playoff(self, player: str) -> bool:
        """True when the player has the next extra hole still to play."""
        playoff, due = self.playoff, self.extra_due
        if playoff is None or due is None:
            return False
        seat = [p.id for p in self.players].index(player)
        return seat in playoff.contenders and self.score(player, due) is None

    @property
    def winners(self) -> tuple[Player, ...]:
        """Who has won; several when a stroke round ends level; empty while the round is open to all."""
        standing, playoff = self.standing, self.playoff
        seats: tuple[int, ...] = ()
        if standing is not None:
            seats = () if standing.winner is None else (standing.winner,)
        elif playoff is not None:
            seats = playoff.contenders if playoff.winner is not None else ()
        elif len(self.players) > 1 and self.is_complete:
            seats = tuple(place.side for place in self.places if place.place == 1)
        return tuple(self.players[seat] for seat in seats)

    @property
    def can_finish(self) -> bool:
        """True when nothing is left to play: all holes scored and no extra hole due, or the match decided."""
        standing = self.standing
        if isinstance(standing, match.MatchStanding) and standing.state == "decided":
            return True
        return self.is_complete and self.extra_due is None


def hole_pars(par: int, holes: int) -> tuple[int, ...]:
    """Par of each hole in whole strokes, as even as can be, adding up to `par`."""
    return tuple(hole * par // holes - (hole - 1) * par // holes for hole in range(1, holes + 1))


def patience_strokes(rules: Rules, left: int | None, stock: int | None) -> int:
    """Strokes of a hole given as cards left in the tableau, or as cards left in the stock once it is cleared.

    Exactly one of the two says how the hole went; the other is None or 0. Raises `RoundError`.
    """
    if left is None and stock is None:
        raise RoundError("a hole needs the cards left in the tableau or in the stock, not nothing")
    if left is not None and not 0 <= left <= rules.tableau_size:
        raise RoundError(f"a hole ends with 0 to {rules.tableau_size} cards in the tableau, not {left!r}")
    if stock is not None and not 0 <= stock <= rules.stock_size:
        raise RoundError(f"a hole ends with 0 to {rules.stock_size} cards in the stock, not {stock!r}")
    if left and stock:
        raise RoundError(f"cards in the stock count only when the tableau is cleared, not with {left!r} left")
    return scoring.hole(left or 0, stock or 0)


def clean_name(text: str, what: str = "name", longest: int = 60) -> str:
    """A name as it is kept: NFC, single spaces, no control characters, 1 to `longest` characters."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    hidden = any(unicodedata.category(char) in ("Cc", "Cs", "Cn") for char in name)
    if hidden or not 1 <= len(name) <= longest:
        raise RoundError(
            f"a {what} has 1 to {longest} printable characters, not {text!r}",
            code="player-name" if what == "player's name" else "text-length",
        )
    return name


def fold(name: str) -> str:
    """A name for comparing: case and width of letters don't matter."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def rules_to_dict(rules: Rules | GridRules) -> dict[str, Any]:
    """Every field of the rules, so that they stay what they were when a preset changes."""
    found = asdict(rules)
    return found | {"values": list(rules.values)} if isinstance(rules, GridRules) else found


def rules_from_dict(game: str, found: Mapping[str, Any]) -> Rules | GridRules:
    """The rules of `game` from their fields; a missing field has its default. Raises `RoundError`."""
    kind = {"patience": Rules, "grid": GridRules}.get(game)
    if kind is None:
        raise RoundError(f"unknown game {game!r}")
    unknown = set(found) - {item.name for item in fields(kind)}
    if unknown:
        raise RoundError(f"unknown rule {sorted(unknown)[0]!r}")
    values = dict(found)
    if game == "grid" and isinstance(values.get("values"), list):
        values["values"] = tuple(values["values"])
    if game == "grid" and not isinstance(values.get("values", ()), tuple):
        raise RoundError(f"the values of the cards are a list, not {values['values']!r}")
    rules: Rules | GridRules = replace(kind(), **values)
    return rules
