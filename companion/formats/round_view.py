"""A round as it stands, as plain data for `--json`: scores, totals, to par, projection, who leads.

Everything in it follows from the round; what is kept, with the history, is in `round_json`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from companion.formats import card_words as words
from companion.game.round import HoleScore, Player, Round, rules_to_dict

SCHEMA = "companion.round/1"


def document(round: Round, language: str = "en") -> dict[str, Any]:
    """The round as it stands."""
    standing, places = round.standing, round.places
    return {
        "schema": SCHEMA,
        "id": round.id,
        "game": round.game,
        "form": round.form,
        "name": round.name,
        "state": round.state,
        "begun": round.begun,
        "changed": round.changed,
        "rules": str(round.rules),
        "rule_fields": rules_to_dict(round.rules),
        "holes": round.holes,
        "par": round.par,
        "pars": None if round.pars is None else list(round.pars),
        "players": [_player(round, player) for player in round.players],
        "places": [
            {"player": round.players[place.side].name, "place": place.place, "total": place.total}
            for place in places
        ],
        "standing": None if standing is None else asdict(standing) | {"leader": standing.leader},
        "extra_due": round.extra_due,
        "winners": [player.name for player in round.winners],
        "result": words.result(round, language),
        "can_finish": round.can_finish,
    }


def summary(round: Round) -> dict[str, Any]:
    """A round in a list."""
    return {
        "id": round.id,
        "game": round.game,
        "form": round.form,
        "name": round.name,
        "state": round.state,
        "begun": round.begun,
        "rules": str(round.rules),
        "holes": round.holes,
        "par": round.par,
        "players": [
            {
                "name": p.name,
                "played": round.played(p.id),
                "total": round.total(p.id),
                "to_par": round.to_par(p.id),
            }
            for p in round.players
        ],
    }


def history(round: Round) -> list[dict[str, Any]]:
    """Everything that happened, oldest first: events and every entry, also those corrected since."""
    names = {player.id: player.name for player in round.players}
    items = [{"at": event.at, "what": event.kind, "note": event.note} for event in round.events]
    for entry in round.entries:
        what = "taken back" if entry.strokes is None else "entered" if entry.revision == 1 else "corrected"
        items.append({"at": entry.at, "what": what, "player": names[entry.player], **score(entry, None)})
    return sorted(items, key=lambda item: item["at"])


def score(entry: HoleScore, par: int | None) -> dict[str, Any]:
    """One score."""
    return {
        "hole": entry.hole,
        "strokes": entry.strokes,
        "to_par": None if par is None or entry.strokes is None else entry.strokes - par,
        "left": entry.left,
        "stock": entry.stock,
        "grid": entry.grid,
        "ended": entry.ended,
        "hinted": entry.hinted,
        "source": entry.source,
        "revision": entry.revision,
        "reason": entry.reason,
    }


def _player(round: Round, player: Player) -> dict[str, Any]:
    projected = round.projected(player.id)
    extra = [s for n in range(len(round.extra)) if (s := round.score(player.id, round.holes + 1 + n))]
    return {
        "id": player.id,
        "name": player.name,
        "scores": [s and score(s, round.hole_par(s.hole)) for s in round.scores(player.id)],
        "extra": [score(s, round.hole_par(s.hole)) for s in extra],
        "played": round.played(player.id),
        "next_hole": round.next_hole(player.id),
        "total": round.total(player.id),
        "to_par": round.to_par(player.id),
        "projected": None if projected is None else float(f"{projected:.2f}"),
        "hinted": round.hinted(player.id),
    }
