"""`companion round`: rounds of Golf Patience, their statistics, and what goes in and out of the store."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from companion.cli import output, rounds
from companion.cli.options import JsonOption, RulesOption, file_named
from companion.cli.rounds import RoundOption, StoreOption, WordsOption
from companion.formats import round_json
from companion.game import Rules
from companion.game.keeping import NewScore
from companion.game.round import FORMS, Round, RoundError
from companion.store import Store, locate

_SCORE = re.compile(
    r"(?:(?P<name>[^=]+)=)?(?:(?P<left>\d+)|(?:s|stock)[: ]?(?P<stock>\d+))(?P<hinted>\*)?", re.I
)

ScoresArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME=]SCORE...",
        help="4 is four cards left in the tableau, s3 cleared with three left in the stock; 4* with hints.",
    ),
]


def register(app: typer.Typer) -> None:
    group = rounds.common("patience")
    for command in (new, add, edit, players, rename, backup, backups, restore):
        group.command()(command)
    group.command("import")(import_)
    app.add_typer(
        group, name="round", help="Keep rounds of Golf Patience: new, add, edit, show, list, stats ..."
    )


def new(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Who plays.")],
    rules: RulesOption = "strict",
    holes: Annotated[int | None, typer.Option("--holes", help="9 or 18, or what you like.")] = None,
    par: Annotated[int | None, typer.Option("--par", help="Of the whole round; else 5 a hole.")] = None,
    form: Annotated[str, typer.Option("--form", help="stroke, same-deal, tournament or match.")] = "stroke",
    name: Annotated[str, typer.Option("--name", help="A name for the round.")] = "",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Begin a round."""
    played = Rules.parse(rules)
    if holes is not None:
        played = replace(played, holes=holes, par=5 * holes)
    if par is not None:
        played = replace(played, par=par)
    kind = form.replace("-", "_")
    if kind not in FORMS:
        raise RoundError(f"a round is stroke, same-deal, tournament or match, not {form!r}")
    with rounds.open_store(store) as opened:
        rounds.print_round(opened.new_round(names, played, form=kind, name=name), json)


def add(
    scores: ScoresArgument = None,
    hole: Annotated[
        int | None, typer.Option("--hole", "-n", help="The hole; else each player's next.")
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", "-p", help="Whose score, when there are several.")
    ] = None,
    hinted: Annotated[bool, typer.Option("--hinted", help="The hole was played with hints.")] = False,
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="BOARD", help="Count the cards on a photo or a typed board."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="Take the score of a tracked game.")
    ] = None,
    round: RoundOption = None,
    language: WordsOption = "en",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write down a hole: `add 4`, `add s3`, `add Anna=4 Ben=s3*`."""
    if sum(given is not None for given in (scores or None, board, game)) != 1:
        raise RoundError(f"give a score, or a board, or a tracked game, not {scores or board or 'nothing'!r}")
    with rounds.open_store(store) as opened:
        found = rounds.pick(opened, "patience", round)
        if game:
            found = opened.enter_game(found.id, _who(found, player), game, hole=hole)
        elif board:
            found = _add_board(opened, found, _who(found, player), board, hole, hinted)
        else:
            new = [_read(text, found, player, hole, hinted) for text in scores or []]
            rounds.same_hole(found, new)
            found = opened.enter_holes(found.id, new)
        rounds.print_round(found, json, language)


def edit(
    scores: ScoresArgument = None,
    hole: Annotated[int, typer.Option("--hole", "-n", help="The hole to correct.")] = 0,
    player: Annotated[
        str | None, typer.Option("--player", "-p", help="Whose score, when there are several.")
    ] = None,
    hinted: Annotated[
        bool | None, typer.Option("--hinted/--no-hinted", help="Whether hints were used; else as before.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Leave the hole without a score.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Needed once the round is finished.")] = "",
    round: RoundOption = None,
    language: WordsOption = "en",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Correct a hole: `edit --hole 3 5`. The old score stays in the history."""
    if bool(scores) == remove or len(scores or []) > 1 or hole < 1:
        raise RoundError(
            f"a correction needs --hole and one score, or --remove, not {' '.join(scores or [])!r}"
        )
    with rounds.open_store(store) as opened:
        found = rounds.pick(opened, "patience", round)
        if remove:
            found = opened.take_back(found.id, _who(found, player), hole, reason=reason)
        else:
            new = _read((scores or [""])[0], found, player, hole, False)
            found = opened.correct_hole(
                found.id,
                new.player,
                hole,
                left=new.left,
                stock=new.stock,
                hinted=True if new.hinted else hinted,
                reason=reason,
            )
        rounds.print_round(found, json, language)


def _who(round: Round, player: str | None) -> str:
    if player is None and len(round.players) > 1:
        raise RoundError(f"say whose score it is, as in {round.players[0].name + '=4'!r}")
    return player or round.players[0].id


def _read(text: str, round: Round, player: str | None, hole: int | None, hinted: bool) -> NewScore:
    """A score as typed. Raises `RoundError`."""
    match = _SCORE.fullmatch(text.strip())
    if not match:
        raise RoundError(f"a score is the cards left, 4, or what is left in the stock, s3, not {text!r}")
    who = match["name"].strip() if match["name"] else _who(round, player)
    left = None if match["left"] is None else int(match["left"])
    stock = None if match["stock"] is None else int(match["stock"])
    return NewScore(who, hole, left, stock, hinted=hinted or bool(match["hinted"]))


def _add_board(store: Store, round: Round, player: str, board: str, hole: int | None, hinted: bool) -> Round:
    """The score of a table as it lies at the end of a hole."""
    from companion.cli import boards

    assert isinstance(round.rules, Rules)
    path = Path(board)
    photo = path.is_file() and boards.is_photo(path.open("rb").read(16))
    position = boards.load_position(board, round.rules)
    cleared = position.cleared
    return store.enter_hole(
        round.id,
        player,
        hole=hole,
        left=None if cleared else position.tableau_count,
        stock=position.stock_count if cleared else None,
        hinted=hinted,
        source="scan" if photo else "typed",
    )


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON written by export.")],
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Read an export in; what is there already stays as it is."""
    with file_named(file).open("rb") as source:
        archive = round_json.load(source)
    with rounds.open_store(store) as opened:
        merged = opened.merge(archive)
    counts = {name: getattr(merged, name) for name in merged.__slots__}
    if json:
        output.emit({"schema": "companion.import/1", **counts})
        return
    added = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    output.console().print(f"Added: {added or 'nothing, all of it was there'}", markup=False)


def players(store: StoreOption = None, json: JsonOption = False) -> None:
    """Everybody who has played."""
    with rounds.open_store(store) as opened:
        known = opened.players()
    if json:
        people = [{"id": player.id, "name": player.name} for player in known]
        output.emit({"schema": "companion.players/1", "players": people})
    else:
        for player in known:
            output.console().print(player.name, markup=False)


def rename(
    old: Annotated[str, typer.Argument(metavar="NAME")],
    new: Annotated[str, typer.Argument(metavar="NEW")],
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Give a player another name, in old rounds too."""
    with rounds.open_store(store) as opened:
        player = opened.rename_player(old, new)
    if json:
        output.emit({"schema": "companion.player/1", "id": player.id, "name": player.name})
    else:
        output.console().print(f"Now called {player.name}", markup=False)


def backup(store: StoreOption = None, json: JsonOption = False) -> None:
    """Make a backup now, opened and checked; this also happens by itself every day."""
    with rounds.open_store(store) as opened:
        made = opened.backup()
    if json:
        output.emit({"schema": "companion.backup/1", "file": str(made)})
    else:
        output.console().print(f"Backup: {made}", markup=False)


def backups(store: StoreOption = None, json: JsonOption = False) -> None:
    """List the backups that are whole, the newest first."""
    from companion.store import backup as copies

    place = locate(store)
    found = copies.good(place.path) if place.path else ()
    if json:
        output.emit({"schema": "companion.backups/1", "files": [str(file) for file in found]})
    else:
        for file in found:
            output.console().print(str(file), markup=False)


def restore(
    file: Annotated[
        str | None, typer.Argument(metavar="[BACKUP]", help="Else the newest that is whole.")
    ] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Put a backup in the store's place; what was there is set aside. Close the app first."""
    from companion.store import backup as copies

    place = locate(store)
    if place.path is None:
        raise RoundError(f"a server is restored by its own tools, not {str(place)!r}")
    taken, aside = copies.restore(place.path, None if file is None else file_named(file))
    if json:
        answer = {"restored": str(taken), "set_aside": [str(old) for old in aside]}
        output.emit({"schema": "companion.restore/1", **answer})
        return
    output.console().print(f"Restored: {taken}", markup=False)
    for old in aside:
        output.console().print(f"Set aside: {old}", markup=False)
