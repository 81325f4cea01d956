"""`companion study --deals N`: how many deals can be cleared, the stock known, in how few strokes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from companion.cli import output
from companion.cli.options import JsonOption, RulesOption, file_named
from companion.game import Rules

if TYPE_CHECKING:
    from companion.engine import Study


def register(app: typer.Typer) -> None:
    app.command("study")(study)


def study(
    deals: Annotated[int, typer.Option("--deals", "-n", metavar="N", min=1, help="How many deals to solve.")],
    rules: RulesOption = "strict",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Other seeds are other deals.")] = 0,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="FILE", help="Keep what is done; begun again, it goes on from there."
        ),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="Have a Dask cluster do the work.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, help="Processes; else one a core.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Give a deal up after N states.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Solve seeded deals, the stock known, and say how many can be cleared."""
    from companion.engine import study as run

    chosen = Rules.parse(rules)
    start = time.perf_counter()
    with _bar() as bar:
        task = bar.add_task("solving", total=deals)
        result = run(
            chosen,
            deals,
            seed,
            workers=workers,
            cluster=cluster,
            state=None if state is None else file_named(state),
            limit=limit,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    seconds = time.perf_counter() - start
    if json:
        output.emit(document(result, seconds))
    else:
        show_study(result, seconds)


def document(result: Study, seconds: float) -> dict[str, Any]:
    """The JSON of `--json`, schema `companion.study/1`; the intervals hold 95 %."""
    return {
        "schema": "companion.study/1",
        "rules": str(result.rules),
        "seed": result.seed,
        "deals": result.deals,
        "cleared": result.cleared,
        "undecided": result.undecided,
        "share": round(result.share, 6),
        "share_interval": [round(bound, 6) for bound in result.share_interval],
        "mean": round(result.mean, 6),
        "mean_interval": [round(bound, 6) for bound in result.mean_interval],
        "seconds": round(seconds, 3),
    }


def show_study(result: Study, seconds: float) -> None:
    """The share that can be cleared and the mean best score with their intervals, for people."""
    console = output.console()
    low, high = (100 * bound for bound in result.share_interval)
    console.print(f"  {result.deals:,} deals, rules {result.rules}, seed {result.seed}, stock known\n")
    console.print(
        f"  can be cleared   [bold]{100 * result.share:.2f} %[/bold]   (95 %: {low:.2f} to {high:.2f})"
    )
    low, high = result.mean_interval
    console.print(f"  mean best score  [bold]{result.mean:+.3f}[/bold]    (95 %: {low:+.3f} to {high:+.3f})")
    if result.undecided:
        console.print(
            f"  not decided      {result.undecided}, counted as not cleared, with the best score found"
        )
    console.print(f"\n  [dim]{seconds:.1f} s[/dim]")


def _bar() -> Progress:
    console = output.messages()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        # Elsewhere all that is left of it is an empty line, beside the one line of a failure.
        disable=not console.is_terminal,
    )
