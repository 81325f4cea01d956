"""Everything a store holds as JSON, schema `companion.rounds/1`.

`dumps` and `loads` are each other's inverse: an export read back is the same value. A score carries its rules
only where they differ from the round's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import IO, Any, TypeVar

from companion.formats.errors import FormatError
from companion.formats.files import parse_json, read
from companion.game import keeping
from companion.game.errors import CompanionError
from companion.game.grid import GridRules
from companion.game.record import (
    STEPS,
    Archive,
    Scan,
    Step,
    TrackedGame,
    compact,
    move_from_dict,
    move_to_dict,
    position_from_dict,
    position_to_dict,
)
from companion.game.round import (
    STATES,
    Event,
    HoleScore,
    Player,
    Round,
    clean_name,
    rules_from_dict,
    rules_to_dict,
)
from companion.game.rules import Rules

SCHEMA = "companion.rounds/1"
_T = TypeVar("_T")


def load(file: IO[Any]) -> Archive:
    """The archive a file holds; see `loads`."""
    return loads(read(file))


def dump(archive: Archive, file: IO[str]) -> None:
    """Write an archive to a text file."""
    file.write(dumps(archive))


def dumps(archive: Archive) -> str:
    """An archive as JSON text, one line a thing so that files can be compared."""
    return json.dumps(document(archive), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> Archive:
    """The archive of a JSON text, checked: sums, names, references. Raises `FormatError`."""
    found = parse_json(text)
    schema = found.get("schema")
    if schema != SCHEMA:
        newer = isinstance(schema, str) and schema.startswith("companion.rounds/")
        wanted = "written by a newer version of the companion, update it to read" if newer else "no rounds"
        raise FormatError(f"this file is {wanted}: {schema!r}")
    try:
        return _archive(found)
    except FormatError:
        raise
    except CompanionError as error:
        raise FormatError(f"this file cannot be right: {error}") from error


def document(archive: Archive) -> dict[str, Any]:
    """An archive as plain data."""
    return {
        "schema": SCHEMA,
        "players": [{"id": player.id, "name": player.name} for player in archive.players],
        "rounds": [round_document(round) for round in archive.rounds],
        "games": [_game_document(game) for game in archive.games],
        "scans": [
            {
                "id": scan.id,
                "at": scan.at,
                "image": scan.image,
                "read": json.loads(scan.read),
                "edits": [json.loads(edit) for edit in scan.edits],
            }
            for scan in archive.scans
        ],
    }


def round_document(round: Round) -> dict[str, Any]:
    """A round as plain data, its history included."""
    return {
        "id": round.id,
        "game": round.game,
        "form": round.form,
        "name": round.name,
        "dealer": round.dealer,
        "rules": rules_to_dict(round.rules),
        "players": [player.id for player in round.players],
        "events": [
            {"id": event.id, "kind": event.kind, "at": event.at, "note": event.note} for event in round.events
        ],
        "entries": [_entry_document(entry, round) for entry in round.entries],
    }


def _entry_document(entry: HoleScore, round: Round) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": entry.id,
        "player": entry.player,
        "hole": entry.hole,
        "revision": entry.revision,
        "strokes": entry.strokes,
    }
    found |= {
        name: value for name in ("left", "stock", "grid") if (value := getattr(entry, name)) is not None
    }
    found |= {"hinted": entry.hinted, "source": entry.source, "at": entry.at}
    found |= {name: value for name in ("ended", "reason", "scan", "game") if (value := getattr(entry, name))}
    return found if entry.rules == round.rules else found | {"rules": rules_to_dict(entry.rules)}


def _game_document(game: TrackedGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "at": game.at,
        "round": game.round,
        "player": game.player,
        "hole": game.hole,
        "scan": game.scan,
        "start": position_to_dict(game.start),
        "steps": [{"kind": step.kind, "at": step.at, "move": move_to_dict(step.move)} for step in game.steps],
    }


def _archive(found: Mapping[str, Any]) -> Archive:
    players = tuple(
        Player(_id(item, "player"), clean_name(_text(item, "name", "player"), "player's name"))
        for item in _items(found, "players")
    )
    people = {player.id: player for player in players}
    if len(people) < len(players):
        raise FormatError("a player stands in the file twice, under 'players'")
    rounds = tuple(_round(item, people) for item in _items(found, "rounds"))
    scans = tuple(_scan(item) for item in _items(found, "scans"))
    known = {round.id for round in rounds}, {scan.id for scan in scans}
    games = tuple(_game(item, people, *known) for item in _items(found, "games"))
    for kind, ids in (("round", [r.id for r in rounds]), ("game", [g.id for g in games])):
        if len(set(ids)) < len(ids):
            raise FormatError(f"the file holds something twice, a {kind!r}")
    return Archive(players, rounds, games, scans)


def _round(item: Mapping[str, Any], people: Mapping[str, Player]) -> Round:
    id = _id(item, "round")
    game = _text(item, "game", id)
    rules = rules_from_dict(game, _get(item, "rules", dict, id))
    try:
        players = tuple(people[player] for player in _get(item, "players", list, id))
    except (KeyError, TypeError) as error:
        raise FormatError(f"round {id} is played by somebody unknown: {error.args[0]!r}") from None
    entries = tuple(_entry(entry, rules, game, id) for entry in _items(item, "entries", id))
    events = tuple(_event(event, id) for event in _items(item, "events", id))
    round = Round(
        id,
        game,
        _text(item, "form", id),
        rules,
        players,
        entries,
        events,
        _text(item, "name", id),
        _get(item, "dealer", int, id),
    )
    keeping.check(round)
    return round


def _entry(item: Mapping[str, Any], rules: Rules | GridRules, game: str, where: str) -> HoleScore:
    own = _maybe(item, "rules", dict, where)
    return HoleScore(
        id=_id(item, where),
        player=_text(item, "player", where),
        hole=_get(item, "hole", int, where),
        revision=_get(item, "revision", int, where),
        strokes=_maybe(item, "strokes", int, where),
        rules=rules if own is None else rules_from_dict(game, own),
        at=_moment(item, where),
        left=_maybe(item, "left", int, where),
        stock=_maybe(item, "stock", int, where),
        grid=_maybe(item, "grid", str, where),
        ended=_maybe(item, "ended", bool, where) or False,
        hinted=_get(item, "hinted", bool, where),
        source=_text(item, "source", where),
        reason=_note(item, "reason", where),
        scan=_id(item, where, "scan") if item.get("scan") else None,
        game=_id(item, where, "game") if item.get("game") else None,
    )


def _event(item: Mapping[str, Any], where: str) -> Event:
    kind = _text(item, "kind", where)
    if kind not in STATES:
        raise FormatError(f"nothing of this kind happens to a round: {kind!r}")
    return Event(_id(item, where), kind, _moment(item, where), _note(item, "note", where))


def _game(
    item: Mapping[str, Any], people: Mapping[str, Player], rounds: set[str], scans: set[str]
) -> TrackedGame:
    id = _id(item, "game")
    steps = []
    for step in _items(item, "steps", id):
        kind = _text(step, "kind", id)
        if kind not in STEPS:
            raise FormatError(f"nothing of this kind happens in a game: {kind!r}")
        steps.append(Step(kind, _moment(step, id), move_from_dict(_maybe(step, "move", dict, id))))
    game = TrackedGame(
        id,
        _moment(item, id),
        position_from_dict(_get(item, "start", dict, id)),
        tuple(steps),
        _maybe(item, "round", str, id),
        _maybe(item, "player", str, id),
        _maybe(item, "hole", int, id),
        _maybe(item, "scan", str, id),
    )
    if game.hole is not None and not 1 <= game.hole <= 999:
        raise FormatError(f"game {id} is of no hole there is: {game.hole!r}")
    for name, known in (("round", rounds), ("player", set(people)), ("scan", scans)):
        value = getattr(game, name)
        if value is not None and value not in known:
            raise FormatError(f"game {id} names a {name} that is not in the file: {value!r}")
    game.position  # noqa: B018 (raises when the log breaks a rule)
    return game


def _scan(item: Mapping[str, Any]) -> Scan:
    id = _id(item, "scan")
    edits = tuple(_compact(edit) for edit in _get(item, "edits", list, id))
    image = _maybe(item, "image", str, id) or ""
    if image and (len(image) != 64 or set(image) - set("0123456789abcdef")):
        raise FormatError(f"a scan names its photo by SHA-256, not by {image[:80]!r}")
    return Scan(id, _moment(item, id), _compact(_get(item, "read", dict, id)), edits, image)


def _compact(value: Any) -> str:
    return compact(json.dumps(value))


def _items(found: Mapping[str, Any], name: str, where: str = "file") -> Sequence[Mapping[str, Any]]:
    items = _get(found, name, list, where)
    for item in items:
        if not isinstance(item, dict):
            raise FormatError(f"{name} of the {where} must be objects, not {item!r}")
    return items


def _get(found: Mapping[str, Any], name: str, kind: type[_T], where: str) -> _T:
    value = _maybe(found, name, kind, where)
    if value is None:
        raise FormatError(f"{where} lacks {name!r}")
    return value


def _maybe(found: Mapping[str, Any], name: str, kind: type[_T], where: str) -> _T | None:
    """A field of a kind, None where it is missing or null. Numbers are not truth values."""
    value: Any = found.get(name)
    if value is not None and type(value) is not kind:
        raise FormatError(f"{name} of {where} has the wrong kind of value, {value!r}")
    checked: _T | None = value
    return checked


def _text(found: Mapping[str, Any], name: str, where: str) -> str:
    return _get(found, name, str, where)


def _note(found: Mapping[str, Any], name: str, where: str) -> str:
    text = _maybe(found, name, str, where) or ""
    return clean_name(text, name, 200) if text.strip() else ""


def _id(found: Mapping[str, Any], where: str, name: str = "id") -> str:
    id = _text(found, name, where)
    if len(id) != 32 or set(id) - set("0123456789abcdef"):
        raise FormatError(f"an id has 32 digits and letters from a to f, in {where}, not {id[:40]!r}")
    return id


def _moment(found: Mapping[str, Any], where: str) -> str:
    """A time as the store keeps it."""
    moment = _text(found, "at", where)
    try:
        if not moment.endswith("Z") or len(moment) > 32:
            raise ValueError
        datetime.fromisoformat(moment[:-1] + "+00:00")
    except ValueError:
        raise FormatError(
            f"a time is written like 2026-11-29T18:00:00Z, in {where}, not {moment!r}"
        ) from None
    return moment
