"""A scorecard as plain text to paste into a chat, readable in any typeface.

Under par stands in round brackets, `(4)`, two or more under in double ones; over par in square ones, `[6]`.
`*` marks a hole played with hints.
"""

from __future__ import annotations

from typing import IO

from companion.formats import card_words as words
from companion.game.round import HoleScore, Round


def dump(round: Round, file: IO[str], language: str = "en") -> None:
    """Write the card to a text file."""
    file.write(dumps(round, language))


def dumps(round: Round, language: str = "en") -> str:
    """The card as lines of text."""
    lines = [words.title(round, language), words.facts(round, language), ""]
    lines += [_player(round, seat, language) for seat in range(len(round.players))]
    if extra := _extra(round, language):
        lines.append(extra)
    if result := words.result(round, language):
        lines += ["", result[:1].upper() + result[1:]]
    if any(entry.hinted for player in round.players for entry in round.scores(player.id) if entry):
        lines += ["", f"* {words.word('hinted', language)}"]
    return "\n".join(lines) + "\n"


def _player(round: Round, seat: int, language: str) -> str:
    player = round.players[seat]
    nines = []
    for first in range(1, round.holes + 1, 9):
        holes = range(first, min(first + 9, round.holes + 1))
        nines.append(" ".join(_hole(round, hole, round.score(player.id, hole)) for hole in holes))
    to_par = words.signed(round.to_par(player.id), language)
    total = words.number(round.total(player.id)) if round.played(player.id) else "–"
    return f"{player.name}: {' | '.join(nines)} = {total}" + (f" ({to_par})" if to_par else "")


def _hole(round: Round, hole: int, score: HoleScore | None) -> str:
    if score is None or score.strokes is None:
        return "–"
    text = words.number(score.strokes)
    par = round.hole_par(hole)
    if par is not None and score.strokes != par:
        times = min(abs(score.strokes - par), 2)
        left, right = ("(", ")") if score.strokes < par else ("[", "]")
        text = left * times + text + right * times
    return text + ("*" if score.hinted else "")


def _extra(round: Round, language: str) -> str:
    parts = []
    for number, strokes in enumerate(round.extra, round.holes + 1):
        found = [
            f"{player.name} {words.number(value)}"
            for player, value in zip(round.players, strokes, strict=True)
            if value is not None
        ]
        parts.append(f"{number}: {', '.join(found)}")
    return f"{words.word('extra', language)} {'; '.join(parts)}" if parts else ""
