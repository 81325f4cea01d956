"""`companion golf`: the grid game of the same name, a single grid or a round of two to eight players."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import output, rounds
from companion.cli.options import JsonOption
from companion.cli.rounds import RoundOption, StoreOption, WordsOption
from companion.game import grid as grids
from companion.game.errors import CompanionError
from companion.game.grid import Grid, GridRules
from companion.game.keeping import NewScore
from companion.game.round import Round, RoundError

GridRulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        "-r",
        metavar="RULES",
        help="6-cards, 4-cards or 9-cards, joker=-2, four=-20, faces=dear, discard=may_turn, holes=18, 7=0.",
    ),
]
_NUMBER = re.compile(r"[-−+]?\d+")


def register(app: typer.Typer) -> None:
    group = rounds.common("grid")
    for command in (score, new, add, edit):
        group.command()(command)
    app.add_typer(
        group, name="golf", help="The grid game Golf: score a grid, keep a round of 2 to 8 players."
    )


def score(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="GRID...", help="Rows split by /, suits optional: '7S KH 5D / 7C 2S QD'; or a photo."
        ),
    ],
    rules: GridRulesOption = "",
    json: JsonOption = False,
) -> None:
    """Score grids as they lie at the end of a hole."""
    wanted = GridRules.parse(rules)
    found = [_grid(text) for text in texts]
    if not rules and found:
        wanted = replace(wanted, cards=len(found[0].rows) * len(found[0].rows[0]))
    if len(found) > 1:
        grids.check_table(found, wanted)
    lines: list[dict[str, Any]] = [
        {"grid": str(grid), "columns": grids.column_points(grid, wanted), "points": grids.score(grid, wanted)}
        for grid in found
    ]
    if json:
        output.emit({"schema": "companion.grid/1", "rules": str(wanted), "grids": lines})
        return
    for line in lines:
        columns = " + ".join(str(points) if points >= 0 else f"({points})" for points in line["columns"])
        output.console().print(f"{line['grid']}  =  {columns} = {line['points']}", markup=False)


def new(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Two to eight, in the order they sit.")
    ],
    rules: GridRulesOption = "",
    holes: Annotated[int | None, typer.Option("--holes", help="9 or 18, or what you like.")] = None,
    dealer: Annotated[str | None, typer.Option("--dealer", metavar="NAME", help="Who deals first.")] = None,
    name: Annotated[str, typer.Option("--name", help="A name for the round.")] = "",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Begin a round; the deal passes to the left after every hole."""
    wanted = GridRules.parse(rules)
    if holes is not None:
        wanted = replace(wanted, holes=holes)
    seats = [person.casefold() for person in names]
    if dealer is not None and dealer.casefold() not in seats:
        raise RoundError(f"the dealer is one of the players, not {dealer!r}")
    first = seats.index(dealer.casefold()) if dealer else 0
    with rounds.open_store(store) as opened:
        _print(opened.new_round(names, wanted, name=name, dealer=first), json, "en")


def add(
    scores: Annotated[
        list[str],
        typer.Argument(metavar="NAME=SCORE...", help="Points, or a grid: Anna=13 'Ben=7 K 5 / 7 2 Q'."),
    ],
    hole: Annotated[
        int | None, typer.Option("--hole", "-n", help="The hole; else each player's next.")
    ] = None,
    ended: Annotated[
        str | None, typer.Option("--ended", metavar="NAME", help="Who had all cards up first.")
    ] = None,
    round: RoundOption = None,
    language: WordsOption = "en",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write down a hole of several players in one step."""
    with rounds.open_store(store) as opened:
        found = rounds.pick(opened, "grid", round)
        ender = found.player(ended).id if ended else None
        new = [_read(text, found, hole) for text in scores]
        rounds.same_hole(found, new)
        new = [replace(one, ended=found.player(one.player).id == ender) for one in new]
        if ender and not any(one.ended for one in new):
            raise RoundError(f"the one who ended the hole needs a score, {ended!r}")
        _print(opened.enter_holes(found.id, new), json, language)


def edit(
    scores: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=SCORE", help="Points or a grid.")
    ] = None,
    hole: Annotated[int, typer.Option("--hole", "-n", help="The hole to correct.")] = 0,
    player: Annotated[str | None, typer.Option("--player", "-p", help="Whose score to remove.")] = None,
    ended: Annotated[bool, typer.Option("--ended", help="This player had all cards up first.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Leave the hole without a score.")] = False,
    reason: Annotated[str, typer.Option("--reason", help="Needed once the round is finished.")] = "",
    round: RoundOption = None,
    language: WordsOption = "en",
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Correct a hole: `edit --hole 3 Anna=12`. The old score stays in the history."""
    if bool(scores) == remove or len(scores or []) > 1 or hole < 1 or remove == (player is None):
        raise RoundError(
            f"a correction needs --hole and NAME=SCORE, or --remove and --player, not {scores!r}"
        )
    with rounds.open_store(store) as opened:
        found = rounds.pick(opened, "grid", round)
        if remove:
            found = opened.take_back(found.id, player or "", hole, reason=reason)
        else:
            new = _read((scores or [""])[0], found, hole)
            found = opened.correct_hole(
                found.id, new.player, hole, points=new.points, grid=new.grid, ended=ended, reason=reason
            )
        _print(found, json, language)


def _print(round: Round, json: bool, language: str) -> None:
    rounds.print_round(round, json, language)
    hole = min((n for player in round.players if (n := round.next_hole(player.id))), default=None)
    if not json and hole is not None and round.state == "open":
        seat = grids.dealer(round.dealer, hole, len(round.players))
        output.console().print(f"Hole {hole}: {round.players[seat].name} deals", style="dim", markup=False)


def _read(text: str, round: Round, hole: int | None) -> NewScore:
    """A score as typed. Raises `RoundError`."""
    name, sign, value = text.partition("=")
    if not sign or not value.strip():
        raise RoundError(f"a score is written like Anna=13, not {text!r}")
    if _NUMBER.fullmatch(value.strip()):
        return NewScore(name.strip(), hole, points=int(value.replace("−", "-")))
    return NewScore(name.strip(), hole, grid=str(_grid(value)))


def _grid(text: str) -> Grid:
    """A grid as typed, or as it lies on a photo."""
    path = Path(text)
    try:
        photo = path.is_file()
    except OSError:
        photo = False
    return _photographed(path) if photo else Grid.parse(text)


def _photographed(path: Path) -> Grid:
    """The cards of a photo as a grid: four, six or nine cards lying in straight rows."""
    from companion.formats import FormatError, scan
    from companion.vision import scan_photo

    try:
        return scan.grid(scan_photo(path.read_bytes()).document())
    except FormatError as error:
        raise CompanionError(f"{error}: {str(path)!r}") from None
