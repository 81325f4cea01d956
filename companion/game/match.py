"""Who wins: tournament points, match play, the same deal for all, and extra holes.

Every function takes plain strokes, a sequence a side and one entry a hole, `None` where a hole has no score
yet, and returns a frozen value. Sides are numbered from 0 in the order given. Fewer strokes are better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Strokes = Sequence[int | None]

TOTAL_POINTS = 3
"""Tournament points for the lower total, on top of one point a hole won."""


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """Match play between two sides.

    `up` counts the holes side 0 leads by, negative when side 1 leads. `left` is the number of holes that were
    still to play when the match stood so: once it is decided both stay as they were at that moment, however
    many holes are played out afterwards. `state` is one of

    * `all_square`: level, holes to play
    * `up`: one side leads
    * `dormie`: the lead equals the holes left, so the leader cannot lose any more
    * `decided`: the lead is larger than the holes left, or an extra hole was won
    * `extra_hole`: level after the last hole, an extra hole decides
    """

    up: int
    played: int
    left: int
    state: str
    extra: int = 0

    @property
    def leader(self) -> int | None:
        """The side that leads or has won, None when level."""
        return None if self.up == 0 else int(self.up < 0)

    @property
    def winner(self) -> int | None:
        """The side that has won, None while it is open."""
        return self.leader if self.state == "decided" else None

    @property
    def result(self) -> str:
        """The usual short form: `3 and 2`, `1 up`, `all square`, `dormie 2`, `extra hole 1`."""
        lead = abs(self.up)
        if self.state == "decided":
            if self.extra:
                return f"extra hole {self.extra}"
            return f"{lead} and {self.left}" if self.left else f"{lead} up"
        if self.state == "dormie":
            return f"dormie {lead}"
        return f"{lead} up" if lead else "all square"


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """Tournament golf: a point a hole won, three more for the lower total once every hole is played.

    `decided` is true when the points still to be had cannot change the leader. Equal points after the last
    hole leave `winner` empty: an extra hole decides (`extra` counts those played).
    """

    points: tuple[int, int]
    holes_won: tuple[int, int]
    halved: int
    totals: tuple[int, int]
    left: int
    extra: int = 0
    winner: int | None = None

    @property
    def complete(self) -> bool:
        return self.left == 0

    @property
    def open_points(self) -> int:
        """Points nobody has yet."""
        return self.left + TOTAL_POINTS if self.left else 0

    @property
    def leader(self) -> int | None:
        first, second = self.points
        return self.winner if first == second else int(second > first)

    @property
    def decided(self) -> bool:
        return self.winner is not None or abs(self.points[0] - self.points[1]) > self.open_points


@dataclass(frozen=True, slots=True)
class Playoff:
    """Extra holes between the sides that are level.

    `contenders` are the sides still in after `played` whole extra holes; one contender is the winner.
    """

    contenders: tuple[int, ...]
    played: int

    @property
    def winner(self) -> int | None:
        return self.contenders[0] if len(self.contenders) == 1 else None


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a table: equal totals share a place, the next place is skipped (1, 1, 3)."""

    side: int
    place: int
    total: int


def match_play(first: Strokes, second: Strokes, holes: int, extra: Sequence[Strokes] = ()) -> MatchStanding:
    """Standing of a match over `holes` holes; `extra` holds one pair of strokes an extra hole.

    Only holes that both have scored count, in the order of the holes.
    """
    up = played = 0
    for mine, theirs in zip(first[:holes], second[:holes], strict=False):
        if mine is None or theirs is None:
            continue
        played += 1
        up += (mine < theirs) - (mine > theirs)
        if abs(up) > holes - played:
            return MatchStanding(up, played, holes - played, "decided")
    left = holes - played
    if left:
        state = "all_square" if up == 0 else "dormie" if abs(up) == left else "up"
        return MatchStanding(up, played, left, state)
    result = playoff((0, 1), extra)
    if result.winner is None:
        return MatchStanding(0, played, 0, "extra_hole", result.played)
    return MatchStanding(1 if result.winner == 0 else -1, played, 0, "decided", result.played)


def tournament(
    first: Strokes, second: Strokes, holes: int, extra: Sequence[Strokes] = ()
) -> TournamentStanding:
    """Points of two players over `holes` holes; a halved hole and a halved total bring nobody a point."""
    pairs = [
        (mine, theirs)
        for mine, theirs in zip(first[:holes], second[:holes], strict=False)
        if mine is not None and theirs is not None
    ]
    won = (sum(a < b for a, b in pairs), sum(b < a for a, b in pairs))
    totals = (sum(a for a, _ in pairs), sum(b for _, b in pairs))
    left = holes - len(pairs)
    points = list(won)
    if not left and totals[0] != totals[1]:
        points[totals[1] < totals[0]] += TOTAL_POINTS
    winner, extras = None, 0
    if not left:
        if points[0] != points[1]:
            winner = int(points[1] > points[0])
        else:
            result = playoff((0, 1), extra)
            winner, extras = result.winner, result.played
    halved = len(pairs) - sum(won)
    return TournamentStanding((points[0], points[1]), won, halved, totals, left, extras, winner)


def playoff(contenders: Sequence[int], extra: Sequence[Strokes]) -> Playoff:
    """Play extra holes: the fewest strokes of each hole stay in, until one is left.

    `extra[n][side]` are the strokes of a side on the n-th extra hole. A hole that a contender has not
    played yet ends the count; strokes of sides that are out are ignored.
    """
    still = tuple(contenders)
    played = 0
    for hole in extra:
        strokes = {side: hole[side] if side < len(hole) else None for side in still}
        scores = [value for value in strokes.values() if value is not None]
        if len(still) < 2 or len(scores) < len(still):
            break
        played += 1
        still = tuple(side for side in still if strokes[side] == min(scores))
    return Playoff(still, played)


def table(sides: Sequence[Strokes], holes: int) -> tuple[Place, ...]:
    """Places by total over the holes every side has scored, best first."""
    common = [n for n in range(holes) if all(n < len(side) and side[n] is not None for side in sides)]
    totals = [sum(side[n] or 0 for n in common) for side in sides]
    order = sorted(range(len(sides)), key=lambda side: (totals[side], side))
    return tuple(
        Place(side, 1 + sum(total < totals[side] for total in totals), totals[side]) for side in order
    )
