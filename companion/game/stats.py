"""Statistics over rounds. Every number is defined here and in docs/rounds.md; only finished rounds count.

Hinted holes: `without` (the default) leaves them out, `with` counts them, `only` counts nothing else. A round
is counted in the numbers by round when none of the player's holes is left out. Records (best hole, best
round, streaks) are always those without hints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from companion.game.grid import GridRules
from companion.game.match import MatchStanding
from companion.game.round import HoleScore, Round, RoundError
from companion.game.rules import Rules

MODES = ("without", "with", "only")


@dataclass(frozen=True, slots=True)
class RoundPoint:
    """One complete round of the player, for a chart: when, holes, total, to par, hinted holes."""

    id: str
    begun: str
    holes: int
    total: int
    to_par: int | None
    hinted: int


@dataclass(frozen=True, slots=True)
class ByLength:
    """Complete rounds of one number of holes; averages are strokes a round. `best` has no hinted hole."""

    holes: int
    rounds: int
    average: float
    to_par: float | None
    best: int | None
    best_to_par: int | None


@dataclass(frozen=True, slots=True)
class Stats:
    """The numbers of one player. Means and rates are None where there is nothing to take them of.

    * `played`: rounds that the counted holes come from
    * `rounds`: complete rounds counted; `by_length` and `history` split and list them
    * `holes`: holes counted; `hinted_holes`: holes played with hints, counted or not
    * `average`: strokes a hole; `to_par`: strokes over par a hole
    * `distribution`: (strokes, holes) in rising order
    * `cleared`: holes with the tableau cleared; `cleared_rate` is their share, 0 to 1 (patience only)
    * `under_par_rate`: share of holes under par, 0 to 1
    * `best_hole`: fewest strokes on a hole
    * `longest_cleared`, `current_cleared`: most holes cleared in a row, in order of play, and now
    * `longest_under_par`: most holes under par in a row
    """

    player: str
    game: str
    mode: str
    played: int
    rounds: int
    holes: int
    hinted_holes: int
    strokes: int
    average: float | None
    to_par: float | None
    distribution: tuple[tuple[int, int], ...]
    cleared: int
    cleared_rate: float | None
    under_par_rate: float | None
    best_hole: int | None
    longest_cleared: int
    current_cleared: int
    longest_under_par: int
    by_length: tuple[ByLength, ...]
    history: tuple[RoundPoint, ...]

    @property
    def tells_complete(self) -> bool:
        """Whether complete rounds are another number than rounds, and worth telling."""
        return self.rounds != self.played and self.mode != "only"

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON and the app."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Finished rounds that both played. Rounds are won by the round's own form, holes by fewer strokes.

    `difference` is the mean of the first player's total minus the second's over rounds both completed.
    """

    first: str
    second: str
    rounds: int
    won: int
    lost: int
    level: int
    holes_won: int
    holes_lost: int
    holes_halved: int
    difference: float | None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON and the app."""
        return asdict(self)


def statistics(
    rounds: Iterable[Round],
    player: str,
    *,
    rules: Rules | GridRules | None = None,
    hinted: str = "without",
    game: str | None = None,
) -> Stats:
    """Numbers of a player (by id) over the finished rounds among `rounds`.

    `rules` keeps the holes played by rules that differ at most in number of holes and par.
    """
    if hinted not in MODES:
        raise RoundError(f"hinted holes are counted {', '.join(MODES)}, not {hinted!r}")
    played = sorted(
        (r for r in rounds if r.state == "finished" and any(p.id == player for p in r.players)),
        key=lambda r: (r.begun, r.id),
    )
    game = game or (played[0].game if played else "grid" if isinstance(rules, GridRules) else "patience")
    played = [r for r in played if r.game == game]
    if rules is not None:
        played = [r for r in played if same_play(r.rules, rules)]
    every = [(r, s) for r in played for s in r.scores(player) if s is not None]
    counted = [(r, s) for r, s in every if _counts(s, hinted)]
    clean = [(r, s) for r, s in every if not s.hinted]
    strokes = [_strokes(s) for _, s in counted]
    pars = [(_strokes(s), par) for r, s in counted if (par := r.hole_par(s.hole)) is not None]
    cleared = sum(s.cleared for _, s in counted)
    patience = game == "patience"
    complete = [r for r in played if r.complete(player)]
    whole = [r for r in complete if all(_counts(s, hinted) for s in r.scores(player) if s)]
    runs_cleared = _runs(clean, lambda r, s: s.cleared)
    return Stats(
        player=player,
        game=game,
        mode=hinted,
        played=sum(any(s and _counts(s, hinted) for s in r.scores(player)) for r in played),
        rounds=len(whole),
        holes=len(counted),
        hinted_holes=sum(s.hinted for _, s in every),
        strokes=sum(strokes),
        average=_mean(strokes),
        to_par=_mean([value - par for value, par in pars]),
        distribution=tuple(sorted(Counter(strokes).items())),
        cleared=cleared,
        cleared_rate=cleared / len(counted) if counted and patience else None,
        under_par_rate=sum(value < par for value, par in pars) / len(pars) if pars else None,
        best_hole=min((_strokes(s) for _, s in clean), default=None),
        longest_cleared=max(runs_cleared, default=0),
        current_cleared=runs_cleared[-1] if runs_cleared else 0,
        longest_under_par=max(_runs(clean, _under_par), default=0),
        by_length=tuple(
            _by_length(holes, [r for r in whole if r.holes == holes], player)
            for holes in sorted({r.holes for r in whole})
        ),
        history=tuple(
            RoundPoint(r.id, r.begun, r.holes, r.total(player), r.to_par(player), r.hinted(player))
            for r in whole
        ),
    )


def head_to_head(rounds: Iterable[Round], first: str, second: str) -> HeadToHead:
    """Two players (by id) against each other over the finished rounds, hinted holes included."""
    both = [
        r for r in rounds if r.state == "finished" and {first, second} <= {player.id for player in r.players}
    ]
    results = [_result(r, first, second) for r in both]
    pairs = [
        (a, b)
        for r in both
        for a, b in zip(r.strokes(first), r.strokes(second), strict=True)
        if a is not None and b is not None
    ]
    full = [r for r in both if r.complete(first) and r.complete(second)]
    return HeadToHead(
        first,
        second,
        len(both),
        results.count(1),
        results.count(-1),
        results.count(0),
        sum(a < b for a, b in pairs),
        sum(b < a for a, b in pairs),
        sum(a == b for a, b in pairs),
        _mean([r.total(first) - r.total(second) for r in full]),
    )


def same_play(one: Rules | GridRules, other: Rules | GridRules) -> bool:
    """True for rules that differ at most in the number of holes and the par."""
    if isinstance(one, Rules):
        return isinstance(other, Rules) and _play(one) == _play(other)
    return isinstance(other, GridRules) and _play(one) == _play(other)


def _play(rules: Rules | GridRules) -> dict[str, Any]:
    return {name: value for name, value in asdict(rules).items() if name not in ("holes", "par")}


def _result(round: Round, first: str, second: str) -> int:
    """1 when the first did better in the round, -1 when the second did, 0 when level."""
    winners = {player.id for player in round.winners}
    if len(winners & {first, second}) == 1:
        return 1 if first in winners else -1
    standing = round.standing
    if isinstance(standing, MatchStanding) and standing.winner is None:
        return 0
    a, b = round.total(first), round.total(second)
    return (a < b) - (a > b)


def _by_length(holes: int, rounds: Sequence[Round], player: str) -> ByLength:
    clean = [r for r in rounds if not r.hinted(player)]
    to_par = [par for r in rounds if (par := r.to_par(player)) is not None]
    return ByLength(
        holes,
        len(rounds),
        fmean(r.total(player) for r in rounds),
        _mean(to_par),
        min((r.total(player) for r in clean), default=None),
        min((par for r in clean if (par := r.to_par(player)) is not None), default=None),
    )


def _counts(score: HoleScore, mode: str) -> bool:
    return mode == "with" or score.hinted == (mode == "only")


def _strokes(score: HoleScore) -> int:
    assert score.strokes is not None  # scores that count have strokes
    return score.strokes


def _under_par(round: Round, score: HoleScore) -> bool:
    par = round.hole_par(score.hole)
    return par is not None and _strokes(score) < par


def _runs(holes: Sequence[tuple[Round, HoleScore]], good: Callable[[Round, HoleScore], bool]) -> list[int]:
    """Length of the run of good holes that ends with each hole."""
    runs: list[int] = []
    for round, score in holes:
        runs.append((runs[-1] if runs else 0) + 1 if good(round, score) else 0)
    return runs


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
