"""What `companion round` and `companion golf` share: the store, the card shown, half the commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from companion.cli import output
from companion.cli.options import JsonOption, file_named
from companion.formats import card_pdf, card_png, card_text, chart_png, round_csv, round_json, round_view
from companion.formats import card_words as words
from companion.formats.errors import FormatError
from companion.game.keeping import NewScore
from companion.game.record import Archive
from companion.game.round import HoleScore, Round, RoundError
from companion.game.stats import Stats, head_to_head
from companion.store import Store

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="PLACE", help="A file, a folder or postgresql://..., else your own store."
    ),
]
RoundOption = Annotated[
    str | None,
    typer.Option(
        "--round", "-R", metavar="ID", help="The round, by the beginning of its id; else the open one."
    ),
]
RoundArgument = Annotated[
    str | None, typer.Argument(metavar="[ROUND]", help="The beginning of a round's id; else the open one.")
]
WordsOption = Annotated[str, typer.Option("--language", "-l", metavar="LANG", help="en, de or sv.")]
NoteOption = Annotated[str, typer.Option("--note", help="A word on why.")]
PlayerOption = Annotated[
    str | None, typer.Option("--player", "-p", metavar="NAME", help="Rounds of one player.")
]
SinceOption = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="From this day on: 2026-11-29.")
]
UntilOption = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Up to and with this day.")]
EXPORTS = ("json", "csv", "pdf", "png", "txt")


def open_store(place: str | None, **how: Any) -> Store:
    """The store of a command; what did not quite work is said on standard error."""
    store = Store.open(place, **how)
    for warning in store.warnings:
        output.messages().print(f"companion: {warning}", markup=False)
    return store


def pick(store: Store, game: str, id: str | None) -> Round:
    """The round of this id, or the open round of the game. Raises `RoundError`."""
    if id:
        round = store.round(id)
        if round.game != game:
            other = "golf" if round.game == "grid" else "round"
            raise RoundError(f"this round is kept by 'companion {other}', {round.id[:8]!r}")
        return round
    current = store.current_round(game)
    if current is None:
        raise RoundError(
            f"no round is open, begin one with 'companion {'golf' if game == 'grid' else 'round'} new'"
        )
    return current


def same_hole(round: Round, scores: Sequence[NewScore]) -> None:
    """Raise when scores given together, without a hole, would fall on different ones."""
    at = {
        score.player: round.next_hole(round.player(score.player).id) for score in scores if score.hole is None
    }
    if len(set(at.values())) > 1:
        places = ", ".join(f"{name} on hole {hole}" for name, hole in at.items())
        raise RoundError(f"say with --hole which hole it is, next come {places!r}")


def print_round(round: Round, json: bool, language: str = "en") -> None:
    """A round as JSON or as a card."""
    words.check(language)
    if json:
        output.emit(round_view.document(round, language))
        return
    console = output.console()
    console.print(Text(words.title(round, language), style="bold green"), Text(round.id[:8], style="dim"))
    console.print(words.facts(round, language), style="dim", markup=False)
    for first in range(1, round.holes + 1, 9):
        console.print(_nine(round, range(first, min(first + 9, round.holes + 1)), language))
    for number, strokes in enumerate(round.extra, round.holes + 1):
        pairs = zip(round.players, strokes, strict=True)
        found = ", ".join(f"{p.name} {words.number(value)}" for p, value in pairs if value is not None)
        console.print(f"{words.word('extra', language)} {number}: {found}", markup=False)
    for player in round.players:
        projected = round.projected(player.id)
        if round.state == "open" and projected is not None and not round.complete(player.id):
            finish = words.number(int(projected + (0.5 if projected > 0 else -0.5)))
            line = f"{player.name}: {round.played(player.id)} of {round.holes} played, on course for {finish}"
            console.print(line, style="dim", markup=False)
    if result := words.result(round, language):
        console.print(result[:1].upper() + result[1:], style="bold", markup=False)


def _nine(round: Round, holes: range, language: str) -> Table:
    """Nine holes as a table; the last nine shows the totals."""
    last = holes[-1] == round.holes
    table = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="green", padding=(0, 1, 0, 0)
    )
    table.add_column(words.word("hole", language), min_width=8, max_width=18, no_wrap=True)
    for hole in holes:
        table.add_column(str(hole), justify="center", min_width=3)
    kinds = ["part"] if round.holes > 9 else []
    kinds += ["total"] if last else []
    kinds += ["to_par"] if last and round.par is not None else []
    for kind in kinds:
        table.add_column(words.word(kind, language), justify="right")
    if round.pars is not None:
        pars = [round.pars[hole - 1] for hole in holes]
        sums = {"part": str(sum(pars)), "total": str(round.par), "to_par": ""}
        table.add_row(
            words.word("par", language), *map(str, pars), *(sums[kind] for kind in kinds), style="dim"
        )
    for player in round.players:
        scores = [round.score(player.id, hole) for hole in holes]
        part = sum(score.strokes or 0 for score in scores if score)
        sums = {
            "part": words.number(part),
            "total": words.number(round.total(player.id)) if round.played(player.id) else "",
            "to_par": words.signed(round.to_par(player.id), language),
        }
        cells = [
            _cell(score, round.hole_par(hole), language) for hole, score in zip(holes, scores, strict=True)
        ]
        table.add_row(Text(player.name), *cells, *(Text(sums[kind], style="bold") for kind in kinds))
    return table


def _cell(score: HoleScore | None, par: int | None, language: str) -> Text:
    """A score; brackets and colour say the same: round and red under par, square and blue over."""
    if score is None or score.strokes is None:
        return Text("·", style="dim")
    text, style = words.number(score.strokes), ""
    if par is not None and score.strokes != par:
        left, right, style = ("(", ")", "red") if score.strokes < par else ("[", "]", "blue")
        text = left + text + right
    return Text(text + ("*" if score.hinted else "") + ("!" if score.ended else ""), style=style)


def common(game: str) -> typer.Typer:
    """A group with the commands that are the same for both games."""
    noun = "golf" if game == "grid" else "round"
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

    @group.command()
    def show(
        round: RoundArgument = None,
        language: WordsOption = "en",
        store: StoreOption = None,
        json: JsonOption = False,
    ) -> None:
        """Show the card of a round: (4) is under par, [6] over, * with hints, ! ended the hole."""
        with open_store(store) as opened:
            print_round(pick(opened, game, round), json, language)

    @group.command("list")
    def list_(
        state: Annotated[str | None, typer.Option(help="Only open, finished or abandoned rounds.")] = None,
        player: PlayerOption = None,
        since: SinceOption = None,
        until: UntilOption = None,
        newest: Annotated[int, typer.Option("--newest", "-n", min=1, help="At most so many.")] = 30,
        store: StoreOption = None,
        json: JsonOption = False,
    ) -> None:
        """List rounds, the newest last."""
        _check_choice(state, ("open", "finished", "abandoned"), "state")
        with open_store(store) as opened:
            rounds = opened.rounds(
                game=game, state=state, player=player, since=day(since), until=day(until), newest=newest
            )
        if json:
            output.emit(
                {"schema": "companion.rounds-list/1", "rounds": [round_view.summary(r) for r in rounds]}
            )
            return
        console = output.console()
        if not rounds:
            console.print(f"No rounds yet; begin one with: companion {noun} new NAME ...")
            return
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="green")
        for heading in ("id", "begun", "state", "players", "rules"):
            table.add_column(heading)
        for found in rounds:
            players = ", ".join(_line(found, player.id, player.name) for player in found.players)
            name = f"{found.name}: " if found.name else ""
            begun = words.day(found.begun, "sv")
            table.add_row(found.id[:8], begun, found.state, Text(name + players), str(found.rules))
        console.print(table)

    @group.command()
    def history(round: RoundArgument = None, store: StoreOption = None, json: JsonOption = False) -> None:
        """Everything that happened in a round, corrections included."""
        with open_store(store) as opened:
            found = pick(opened, game, round)
        items = round_view.history(found)
        if json:
            output.emit({"schema": "companion.round-history/1", "id": found.id, "history": items})
            return
        for item in items:
            output.console().print(_happened(item), markup=False)

    def _change(name: str, text: str, change: Callable[[Store, str, str], Round]) -> None:
        def command(
            round: RoundArgument = None,
            note: NoteOption = "",
            store: StoreOption = None,
            json: JsonOption = False,
        ) -> None:
            with open_store(store) as opened:
                print_round(change(opened, pick(opened, game, round).id, note), json)

        command.__doc__ = text
        group.command(name)(command)

    _change("finish", "Finish and lock a round that is played to the end.", Store.finish)
    _change("abandon", "Put a round away; resume takes it up again.", Store.abandon)
    _change(
        "resume", "Take an abandoned round up again (by its id, see list --state abandoned).", Store.resume
    )

    @group.command()
    def stats(
        player: Annotated[str, typer.Argument(metavar="NAME", help="Whose numbers.")],
        against: Annotated[
            str | None,
            typer.Option("--against", "-a", metavar="NAME", help="Head to head with another player."),
        ] = None,
        rules: Annotated[
            str | None, typer.Option("--rules", "-r", help="Only holes played by these rules.")
        ] = None,
        since: SinceOption = None,
        until: UntilOption = None,
        hinted: Annotated[
            str, typer.Option("--hinted", help="Holes with hints: without, with, or only them.")
        ] = "without",
        chart: Annotated[
            str | None, typer.Option("--chart", metavar="FILE.png", help="Draw a picture as well.")
        ] = None,
        draw: Annotated[
            str, typer.Option("--draw", help="What the picture shows: scores or rounds.")
        ] = "scores",
        language: WordsOption = "en",
        store: StoreOption = None,
        json: JsonOption = False,
    ) -> None:
        """The numbers of a player over finished rounds."""
        _check_choice(draw, ("scores", "rounds"), "picture")
        wanted = None if rules is None else parse_rules(game, rules)
        first, last = day(since), day(until)
        with open_store(store) as opened:
            found = opened.stats(player, rules=wanted, hinted=hinted, game=game, since=first, until=last)
            people = {p.id: p.name for p in opened.players()}
            duel = None
            if against:
                other = next(
                    (id for id, name in people.items() if name.casefold() == against.casefold()), None
                )
                if other is None:
                    raise RoundError(f"nobody is called {against!r}")
                duel = head_to_head(
                    opened.rounds(game=game, player=player, since=first, until=last), found.player, other
                )
        name = people[found.player]
        if chart is not None:
            picture = chart_png.distribution if draw == "scores" else chart_png.rounds
            file_named(chart).write_bytes(picture(found, name, language))
        if json:
            extra = {"against": duel.as_dict() | {"name": people[duel.second]} if duel else None}
            output.emit({"schema": "companion.stats/1", "name": name, **found.as_dict(), **extra})
            return
        print_stats(name, found)
        if duel:
            text = (
                f"Against {people[duel.second]}: {_count(duel.rounds, 'round')}, {duel.won} won, "
                f"{duel.lost} lost, {duel.level} level; holes {duel.holes_won}:{duel.holes_lost}, "
                f"{duel.holes_halved} halved"
            )
            output.console().print(text, markup=False)

    @group.command()
    def export(
        file: Annotated[
            Path, typer.Argument(metavar="FILE", help="Ends in .json, .csv, .pdf, .png or .txt; - is text.")
        ],
        round: RoundOption = None,
        language: WordsOption = "en",
        separator: Annotated[str, typer.Option("--separator", help="Between CSV fields: , or ;")] = ",",
        store: StoreOption = None,
        json: JsonOption = False,
    ) -> None:
        """Write rounds to a file: all of them as JSON or CSV, one card as PDF, PNG or text."""
        kind = "txt" if str(file) == "-" else file.suffix.lstrip(".").lower()
        if kind not in EXPORTS:
            raise FormatError(
                f"the file's ending says what is written, one of {', '.join(EXPORTS)}, not {file.name!r}"
            )
        with open_store(store) as opened:
            data = export_bytes(opened, game, kind, round, language, separator)
        if str(file) == "-":
            typer.echo(data.decode(), nl=False)
            return
        file.write_bytes(data)
        if json:
            output.emit({"schema": "companion.export/1", "file": str(file), "bytes": len(data)})
        else:
            output.console().print(f"Written: {file}", markup=False)

    return group


def export_bytes(store: Store, game: str, kind: str, id: str | None, language: str, separator: str) -> bytes:
    """A file of a kind: JSON holds everything, or one round with its players; a card is of one round."""
    if kind == "json":
        if id is None:
            return round_json.dumps(store.archive()).encode()
        round = store.round(id)
        return round_json.dumps(Archive(players=tuple(round.players), rounds=(round,))).encode()
    if kind == "csv":
        if separator not in (",", ";", "\t"):
            raise FormatError(f"fields are separated by a comma, a semicolon or a tab, not {separator!r}")
        rounds = (store.round(id),) if id else store.rounds(game=game)
        return round_csv.dumps(rounds, separator).encode()
    round = pick(store, game, id)
    if kind == "txt":
        return card_text.dumps(round, language).encode()
    return card_pdf.dumps(round, language) if kind == "pdf" else card_png.dumps(round, language)


def parse_rules(game: str, text: str) -> Any:
    """Rules of either game by their text."""
    from companion.game import Rules
    from companion.game.grid import GridRules

    return GridRules.parse(text) if game == "grid" else Rules.parse(text)


def day(text: str | None) -> str | None:
    """A date of an option, checked. Raises `RoundError`."""
    from datetime import date

    if text is None:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise RoundError(f"a day is written like 2026-11-29, not {text!r}") from None


def print_stats(name: str, stats: Stats) -> None:
    """The numbers for people."""
    console = output.console()
    how = {
        "without": "holes with hints left out",
        "with": "holes with hints counted",
        "only": "only with hints",
    }
    console.print(Text(name, style="bold green"), Text(f"({how[stats.mode]})", style="dim"))
    table = Table(show_header=False, show_edge=False, box=None, padding=(0, 2, 0, 0))
    rows: list[tuple[str, str]] = [("rounds", str(stats.played))]
    if stats.tells_complete:
        rows.append(
            ("complete rounds" if stats.mode == "with" else "rounds without hints", str(stats.rounds))
        )
    rows.append(("holes", str(stats.holes)))
    if stats.hinted_holes:
        rows.append(("holes with hints", str(stats.hinted_holes)))
    if stats.average is not None:
        rows.append(("strokes a hole", f"{stats.average:.2f}"))
    if stats.to_par is not None:
        rows.append(("to par a hole", f"{stats.to_par:+.2f}"))
    if stats.cleared_rate is not None:
        rows.append(("cleared", f"{stats.cleared} ({100 * stats.cleared_rate:.1f} %)"))
        rows.append(("cleared in a row", f"{stats.longest_cleared}, now {stats.current_cleared}"))
    if stats.under_par_rate is not None:
        rows.append(
            ("holes under par", f"{100 * stats.under_par_rate:.1f} %, {stats.longest_under_par} in a row")
        )
    if stats.best_hole is not None:
        rows.append(("best hole", words.number(stats.best_hole)))
    for line in stats.by_length:
        best = "–" if line.best is None else words.number(line.best)
        rows.append(
            (
                f"{line.holes} holes",
                f"{_count(line.rounds, 'round')}, average {line.average:.1f}, best {best}",
            )
        )
    for label, value in rows:
        table.add_row(label, value)
    console.print(table)
    most = max((count for _, count in stats.distribution), default=1)
    for strokes, count in stats.distribution:
        bar = "█" * max(1, round(30 * count / most))
        console.print(f"{words.number(strokes):>4} {bar} {count}", markup=False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _line(round: Round, id: str, name: str) -> str:
    if not round.played(id):
        return name
    to_par = words.signed(round.to_par(id), "en")
    return f"{name} {words.number(round.total(id))}" + (f" ({to_par})" if to_par else "")


def _happened(item: dict[str, Any]) -> str:
    line = f"{item['at'][:19].replace('T', ' ')}  {item['what']}"
    if "player" in item:
        strokes = "" if item["strokes"] is None else f", {words.number(item['strokes'])} strokes"
        hints = " with hints" if item["hinted"] else ""
        reason = f" ({item['reason']})" if item["reason"] else ""
        return f"{line}: {item['player']}, hole {item['hole']}{strokes}{hints}{reason}"
    return line + (f" ({item['note']})" if item.get("note") else "")


def _check_choice(value: str | None, known: tuple[str, ...], what: str) -> None:
    if value is not None and value not in known:
        raise RoundError(f"the {what} is one of {', '.join(known)}, not {value!r}")
