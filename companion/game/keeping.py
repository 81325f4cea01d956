"""Keeping a round: what may be written down, and the entry that comes of it.

Each function takes the round as it is and returns what is to be added to it; nothing is changed in place.
Where the state or the rules do not allow it, `RoundError` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.game import grid as grids
from companion.game.grid import Grid, GridRules
from companion.game.round import (
    FORMS,
    SOURCES,
    STATES,
    Event,
    HoleScore,
    Player,
    Round,
    RoundError,
    clean_name,
    patience_strokes,
)
from companion.game.rules import Rules

_FROM = {"finished": ("open",), "abandoned": ("open",), "resumed": ("abandoned",)}


@dataclass(frozen=True, slots=True)
class NewScore:
    """A score as it is given. Patience: `left` or `stock`. Grid game: `grid` or plain `points`.

    Without a hole it is the player's next one. `id` makes giving it twice harmless: the same id is the same
    entry. `reason` says why a score is corrected.
    """

    player: str
    hole: int | None = None
    left: int | None = None
    stock: int | None = None
    points: int | None = None
    grid: str | None = None
    ended: bool = False
    hinted: bool = False
    source: str = "typed"
    reason: str = ""
    scan: str | None = None
    game: str | None = None
    id: str | None = None


def begin(
    id: str,
    players: Sequence[Player],
    rules: Rules | GridRules,
    at: str,
    *,
    form: str = "stroke",
    name: str = "",
    dealer: int = 0,
    event: str,
) -> Round:
    """A new round. Matches and tournaments are for two; the grid game is for two to eight."""
    if not players:
        raise RoundError("a round needs at least one player, not none")
    if len({player.id for player in players}) < len(players):
        raise RoundError(
            f"each player plays a round once, not {[player.name for player in players]!r}",
            code="player-twice",
        )
    if form not in FORMS:
        raise RoundError(f"a round is one of {', '.join(FORMS)}, not {form!r}")
    if form in ("tournament", "match") and len(players) != 2:
        raise RoundError(f"a {form} is for two players, not for {len(players)!r}", code="two-players")
    game = "grid" if isinstance(rules, GridRules) else "patience"
    if game == "grid":
        grids.check_players(len(players))
        if form != "stroke":
            raise RoundError(f"the grid game is won by the lowest total, it is not played as {form!r}")
    if not 0 <= dealer < len(players):
        raise RoundError(f"the first dealer is one of the players, not seat {dealer!r}")
    title = clean_name(name, "round name", 120) if name.strip() else ""
    first = Event(event, "begun", at)
    return Round(id, game, form, rules, tuple(players), (), (first,), title, dealer)


def enter(round: Round, new: NewScore, at: str, id: str) -> HoleScore:
    """The first score of a hole. A finished round is locked, an abandoned one has to be taken up again."""
    _check_open(round)
    player = round.player(new.player)
    hole = new.hole if new.hole is not None else round.next_hole(player.id)
    if hole is None:
        raise RoundError(f"every hole of this round has a score for {player.name!r}")
    _check_hole(round, player, hole)
    if round.score(player.id, hole) is not None:
        raise RoundError(
            f"hole {hole} already has a score, it can be corrected, for {player.name!r}",
            code="hole-scored",
            n=hole,
        )
    return _entry(round, player, hole, new, at, id)


def correct(round: Round, new: NewScore, at: str, id: str) -> HoleScore:
    """A new entry over an older one, which stays in the history. In a finished round it needs a reason."""
    player, hole = _scored(round, new)
    return _entry(round, player, hole, new, at, id)


def take_back(round: Round, new: NewScore, at: str, id: str) -> HoleScore:
    """A new entry that leaves the hole without a score, as if it had not been played yet."""
    if round.state == "finished":
        raise RoundError(
            f"the round is finished, a score can be corrected but not taken back: {round.id!r}",
            code="round-finished",
        )
    player, hole = _scored(round, new)
    revision = _revision(round, player, hole)
    return HoleScore(id, player.id, hole, revision, None, round.rules, at, reason=_reason(new.reason))


def happen(round: Round, kind: str, at: str, id: str, note: str = "") -> Event:
    """Finish, abandon or resume a round; `kind` is the event."""
    if kind not in _FROM:
        raise RoundError(f"a round can be {', '.join(_FROM)}, not {kind!r}")
    if round.state not in _FROM[kind]:
        raise RoundError(f"a round that is {round.state} cannot be {kind}: {round.name or round.id!r}")
    if kind == "finished" and not round.can_finish:
        raise RoundError(
            f"a round is finished when all is played; still missing: {_missing(round)!r}",
            code="not-all-played",
        )
    return Event(id, kind, at, _reason(note))


def status(events: Iterable[Event]) -> str:
    """State of a round after these events, newest last."""
    found = [STATES[event.kind] for event in events]
    return found[-1] if found else "open"


def check(round: Round) -> None:
    """Raise when a round from elsewhere cannot be: wrong sums, strangers, entries twice."""
    again = begin(
        round.id,
        round.players,
        round.rules,
        round.begun,
        form=round.form,
        name=round.name,
        dealer=round.dealer,
        event="",
    )
    if again.name != round.name or again.game != round.game:
        raise RoundError(f"the name or game of a round cannot be so: {(round.name, round.game)!r}")
    if not round.events or round.events[0].kind != "begun":
        raise RoundError(f"a round starts by being begun, not so {round.id!r}")
    people = {player.id for player in round.players}
    seen: set[tuple[str, int, int]] = set()
    for entry in round.entries:
        key = (entry.player, entry.hole, entry.revision)
        if entry.player not in people or not 1 <= entry.hole <= 999 or key in seen:
            raise RoundError(f"a score names no player or hole of its round: {entry.id!r}")
        if entry.source not in SOURCES or not 1 <= entry.revision <= 10**6:
            raise RoundError(f"a score cannot come from there: {(entry.source, entry.revision)!r}")
        seen.add(key)
        if entry.strokes != _strokes(entry):
            raise RoundError(f"the strokes of a score don't follow from its cards: {entry.id!r}")


def _strokes(entry: HoleScore) -> int | None:
    """What the strokes of an entry must be."""
    if isinstance(entry.rules, GridRules):
        _check_points(entry.strokes or 0)
        if not entry.grid:
            return entry.strokes
        grid = Grid.parse(entry.grid)
        return grids.score(grid, entry.rules) if str(grid) == entry.grid else None
    if entry.grid or entry.ended:
        raise RoundError(f"a hole of patience has no grid: {entry.id!r}")
    if entry.strokes is None and entry.left is None and entry.stock is None:
        return None
    return patience_strokes(entry.rules, entry.left, entry.stock)


def _check_open(round: Round) -> None:
    if round.state == "finished":
        raise RoundError(
            f"the round is finished and locked, scores can only be corrected: {round.id!r}",
            code="round-finished",
        )
    if round.state == "abandoned":
        raise RoundError(f"the round was abandoned, resume it first: {round.id!r}", code="round-away")


def _check_hole(round: Round, player: Player, hole: int) -> None:
    if hole < 1:
        raise RoundError(f"holes count from 1, not {hole!r}")
    if hole <= round.holes:
        return
    if hole != round.extra_due or not round.in_playoff(player.id):
        raise RoundError(f"the round has {round.holes} holes and no extra hole is due, not hole {hole!r}")


def _scored(round: Round, new: NewScore) -> tuple[Player, int]:
    """Player and hole of a score that is there to be changed."""
    if round.state == "abandoned":
        raise RoundError(f"the round was abandoned, resume it first: {round.id!r}", code="round-away")
    player = round.player(new.player)
    if new.hole is None or round.score(player.id, new.hole) is None:
        raise RoundError(f"{player.name} has no score to change on hole {new.hole!r}")
    if round.state == "finished" and not new.reason.strip():
        raise RoundError(
            f"the round is finished, a correction needs a reason, not {new.reason!r}", code="needs-reason"
        )
    return player, new.hole


def _entry(round: Round, player: Player, hole: int, new: NewScore, at: str, id: str) -> HoleScore:
    if new.source not in SOURCES:
        raise RoundError(f"a score comes from one of {', '.join(SOURCES)}, not {new.source!r}")
    plain = HoleScore(
        id,
        player.id,
        hole,
        _revision(round, player, hole),
        None,
        round.rules,
        at,
        hinted=new.hinted,
        source=new.source,
        reason=_reason(new.reason),
        scan=new.scan,
        game=new.game,
    )
    if isinstance(round.rules, GridRules):
        return _grid_entry(round, round.rules, new, plain)
    if new.points is not None or new.grid is not None or new.ended:
        raise RoundError("a hole of patience is scored by the cards left, not by 'points'")
    strokes = patience_strokes(round.rules, new.left, new.stock)
    if new.stock is not None or new.left == 0:
        return replace(plain, strokes=strokes, left=0, stock=new.stock or 0)
    return replace(plain, strokes=strokes, left=new.left)


def _grid_entry(round: Round, rules: GridRules, new: NewScore, plain: HoleScore) -> HoleScore:
    if new.left is not None or new.stock is not None:
        raise RoundError("a hole of the grid game is scored by a grid or by points, not by 'cards left'")
    others = [
        other
        for player in round.players
        if player.id != plain.player and (other := round.score(player.id, plain.hole)) is not None
    ]
    if new.ended and any(other.ended for other in others):
        raise RoundError(
            f"another player already had all cards up first on hole {plain.hole!r}", code="all-up-taken"
        )
    points, text = new.points, None
    if new.grid is not None:
        grid = Grid.parse(new.grid)
        scored = grids.score(grid, rules)
        if points is not None and points != scored:
            raise RoundError(f"the grid scores {scored}, not {points!r}")
        known = [Grid.parse(other.grid) for other in others if other.grid]
        grids.check_table([grid, *known], rules, len(round.players))
        points, text = scored, str(grid)
    if points is None:
        raise RoundError("a hole of the grid game needs a grid or points, not nothing")
    _check_points(points)
    return replace(plain, strokes=points, grid=text, ended=new.ended)


def _check_points(points: int) -> None:
    if abs(points) > 999:
        raise RoundError(f"no grid scores so many points: {points!r}")


def _revision(round: Round, player: Player, hole: int) -> int:
    return max((entry.revision for entry in round.history(player.id, hole)), default=0) + 1


def _reason(text: str) -> str:
    return clean_name(text, "reason", 200) if text.strip() else ""


def _missing(round: Round) -> str:
    """What keeps a round from being finished."""
    parts = [
        f"hole {hole} of {player.name}"
        for player in round.players
        for hole, value in enumerate(round.strokes(player.id), 1)
        if value is None
    ]
    if not parts:
        return f"extra hole {round.extra_due}"
    return ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
