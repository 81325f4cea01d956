"""Rounds as CSV for spreadsheets: a row a hole, the scores that count.

The file begins with a byte order mark and has Windows line ends, as spreadsheets like it. Numbers stand as
numbers; text that a spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import IO

from companion.game.round import HoleScore, Player, Round

FIELDS = (
    "round",
    "name",
    "begun",
    "state",
    "game",
    "form",
    "rules",
    "player",
    "hole",
    "extra_hole",
    "par",
    "strokes",
    "to_par",
    "cards_left",
    "stock_left",
    "cleared",
    "hinted",
    "source",
    "grid",
    "ended_hole",
    "entered",
    "corrections",
)
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")

Value = str | int | None


def dump(rounds: Iterable[Round], file: IO[str], separator: str = ",") -> None:
    """Write rounds to a file opened for text with `newline=""`."""
    file.write(dumps(rounds, separator))


def dumps(rounds: Iterable[Round], separator: str = ",") -> str:
    """Rounds as CSV text; a `;` suits spreadsheets set to German or Swedish."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    writer.writerow(FIELDS)
    for round in rounds:
        for player, score in _scores(round):
            writer.writerow([safe(value) for value in _row(round, player, score)])
    return "\ufeff" + out.getvalue()


def safe(value: Value) -> Value:
    """A value that no spreadsheet runs: numbers as they are, text disarmed."""
    if isinstance(value, str) and value.lstrip().startswith(_DANGEROUS):
        return "'" + value
    return value


def _scores(round: Round) -> Iterator[tuple[Player, HoleScore]]:
    last = round.holes + len(round.extra)
    for hole in range(1, last + 1):
        for player in round.players:
            score = round.score(player.id, hole)
            if score is not None:
                yield player, score


def _row(round: Round, player: Player, score: HoleScore) -> tuple[Value, ...]:
    par = round.hole_par(score.hole)
    to_par = None if par is None or score.strokes is None else score.strokes - par
    patience = round.game == "patience"
    return (
        round.id,
        round.name,
        round.begun,
        round.state,
        round.game,
        round.form,
        str(score.rules),
        player.name,
        score.hole,
        int(score.hole > round.holes),
        par,
        score.strokes,
        to_par,
        score.left,
        score.stock,
        int(score.cleared) if patience else None,
        int(score.hinted),
        score.source,
        score.grid,
        int(score.ended) if not patience else None,
        score.at,
        score.revision - 1,
    )
