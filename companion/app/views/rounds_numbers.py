"""A player's numbers and charts."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import choice, panel, text
from companion.app.components.charts import distribution_chart, rounds_chart, titled
from companion.app.components.look import Look
from companion.game.stats import Stats


def numbers_page(look: Look, width: float) -> list[ft.Control]:
    """Whose numbers, the numbers, the charts, and who was played against."""
    t, history = look.t, look.app.history
    chosen = history.chosen
    stats = history.stats()
    pickers: list[ft.Control] = []
    if chosen is not None and len(history.players) > 1:
        pickers.append(
            choice(
                look,
                [(player.id, player.name) for player in history.players[:12]],
                chosen.id,
                lambda player: history.show(player=player),
                id="who",
            )
        )
    if any(round.game == "grid" for round in history.rounds):
        pickers.append(
            choice(
                look,
                [("patience", t("Golf Patience")), ("grid", t("Grid golf"))],
                history.game,
                lambda game: history.show(game=game),
                id="numbers-game",
            )
        )
    if stats is None or (not stats.holes and not stats.hinted_holes):
        return [*pickers, panel(look, text(look, t("Numbers begin with the first finished round.")))]
    if stats.hinted_holes:
        pickers.append(
            choice(
                look,
                [("without", t("without hints")), ("with", t("all holes")), ("only", t("only with hints"))],
                history.hinted,
                lambda hinted: history.show(hinted=hinted),
                id="hinted",
            )
        )
    page = [*pickers, _tiles(look, stats, width)]
    charts: list[ft.Control] = []
    patience = stats.game == "patience"
    if len([point for point in stats.history if point.to_par is not None]) >= 2:
        charts.append(
            panel(
                look,
                titled(
                    look, t("Round by round"), t("strokes to par, a nine"), rounds_chart(look, stats.history)
                ),
            )
        )
    if stats.distribution:
        charts.append(
            panel(
                look,
                titled(
                    look,
                    t("Hole by hole"),
                    t("how often a hole took so many strokes")
                    if patience
                    else t("how often a hole brought so many points"),
                    distribution_chart(look, stats, 5 if patience else None),
                ),
            )
        )
    if width >= 820 and len(charts) == 2:
        page.append(
            ft.Row(
                [ft.Container(chart, expand=True) for chart in charts],
                spacing=12,
                vertical_alignment=ft.CrossAxisAlignment.START,
            )
        )
    else:
        page += charts
    if rivals := _rivals(look):
        page.append(rivals)
    return page


def _tiles(look: Look, stats: Stats, width: float) -> ft.Control:
    t = look.t
    found: list[tuple[str, str]] = [(t("rounds"), t.number(stats.played))]
    if stats.tells_complete:
        # The records by round are of these alone.
        name = t("complete rounds") if stats.mode == "with" else t("rounds without hints")
        found.append((name, t.number(stats.rounds)))
    found += [
        (t("holes"), t.number(stats.holes)),
        (t("strokes a hole"), "–" if stats.average is None else t.number(stats.average, 2)),
    ]
    if stats.to_par is not None:
        found.append((t("to par a hole"), t.signed(stats.to_par, 2)))
    if stats.game == "patience":
        if stats.cleared_rate is not None:
            found.append((t("cleared"), t.percent(stats.cleared_rate)))
        if stats.under_par_rate is not None:
            found.append((t("under par"), t.percent(stats.under_par_rate)))
        found.append((t("cleared in a row"), t.number(stats.longest_cleared)))
    if stats.best_hole is not None:
        found.append((t("best hole"), t.number(stats.best_hole)))
    for length in stats.by_length:
        if length.best is not None:
            found.append((t("best of {n} holes", n=length.holes), t.number(length.best)))
    across = max(2, min(len(found), int((width - 4) // 150)))
    tile = (width - 12 - (across - 1) * 8) / across
    return ft.Row(
        [
            ft.Semantics(
                container=True,
                label=f"{name}: {value}",
                exclude_semantics=True,
                content=ft.Container(
                    panel(
                        look,
                        [
                            text(look, value, 23, display=True, color=look.palette.primary),
                            text(look, name, 12.5, quiet=True, lines=1),
                        ],
                        padding=12,
                        spacing=2,
                    ),
                    width=tile,
                ),
            )
            for name, value in found
        ],
        wrap=True,
        spacing=8,
        run_spacing=8,
    )


def _rivals(look: Look) -> ft.Control | None:
    t = look.t
    rivals = look.app.history.rivals()
    if not rivals:
        return None
    rows: list[ft.Control] = [text(look, t("Against others"), 16, bold=True)]
    for other, result in rivals:
        record = t(
            "{won} won, {lost} lost, {level} level", won=result.won, lost=result.lost, level=result.level
        )
        rows.append(
            ft.Row([text(look, other.name, 15, expand=True, lines=1), text(look, record, 14, quiet=True)])
        )
    return panel(look, rows)
