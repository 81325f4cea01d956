"""Charts of a player's numbers; each says in words, too, what it shows."""

from __future__ import annotations

import math

import flet as ft
import flet_charts as fch

from companion.app.components.base import REGULAR, text
from companion.app.components.look import Look
from companion.game.stats import RoundPoint, Stats


def _label(look: Look, value: str, size: float = 11) -> ft.Control:
    return ft.Text(value, size=look.size(size), font_family=REGULAR, color=look.palette.quiet)


def distribution_chart(look: Look, stats: Stats, par: int | None, height: float = 210) -> ft.Control:
    """How often a hole took so many strokes; under par, par and over it in their colours."""
    t, p = look.t, look.palette
    counts = dict(stats.distribution)
    low, high = min(counts), max(counts)
    most = max(counts.values())
    step = max(1, (high - low) // 12)
    groups = []
    for strokes in range(low, high + 1):
        colour = p.primary if par is None or strokes == par else p.under if strokes < par else p.over
        groups.append(
            fch.BarChartGroup(
                x=strokes - low,
                rods=[
                    fch.BarChartRod(
                        from_y=0,
                        to_y=counts.get(strokes, 0),
                        width=max(4, min(22, 240 / (high - low + 1))),
                        color=colour,
                        border_radius=ft.BorderRadius.only(top_left=4, top_right=4),
                        tooltip=f"{t.number(strokes)}: {counts.get(strokes, 0)}×",
                    )
                ],
            )
        )
    chart = fch.BarChart(
        groups=groups,
        max_y=most * 1.15,
        min_y=0,
        border=ft.Border.only(bottom=ft.BorderSide(1, p.outline_soft)),
        horizontal_grid_lines=fch.ChartGridLines(
            interval=max(1, round(most / 4)), color=p.outline_soft, width=0.8
        ),
        left_axis=fch.ChartAxis(label_size=30, label_spacing=max(1, round(most / 4)), show_max=False),
        bottom_axis=fch.ChartAxis(
            label_size=26,
            labels=[
                fch.ChartAxisLabel(value=strokes - low, label=_label(look, t.number(strokes)))
                for strokes in range(low, high + 1, step)
            ],
        ),
        height=height,
    )
    said = ", ".join(f"{t.number(strokes)}: {count}" for strokes, count in stats.distribution)
    return ft.Semantics(
        identifier="chart-distribution",
        image=True,
        label=t("Strokes a hole: {list}", list=said),
        container=True,
        exclude_semantics=True,
        content=chart,
    )


def rounds_chart(look: Look, history: tuple[RoundPoint, ...], height: float = 210) -> ft.Control:
    """The rounds in their order: strokes to par a nine, so that 9 and 18 holes compare."""
    t, p = look.t, look.palette
    points = [point for point in history if point.to_par is not None][-30:]
    values = [(point.to_par or 0) * 9 / point.holes for point in points]
    low, high = min([*values, 0]), max([*values, 0])
    interval = max(1, round((high - low) / 4))
    floor = math.floor((low - 1) / interval) * interval
    ceiling = math.ceil((high + 1) / interval) * interval
    line = fch.LineChartData(
        points=[
            fch.LineChartDataPoint(
                x=at,
                y=round(value, 1),
                tooltip=f"{t.date(point.begun)}: {t.signed(value, 0 if value == int(value) else 1)}",
            )
            for at, (value, point) in enumerate(zip(values, points, strict=True))
        ],
        color=p.primary,
        stroke_width=3,
        rounded_stroke_cap=True,
        curved=len(points) > 2,
        prevent_curve_over_shooting=True,
        point=fch.ChartCirclePoint(radius=4, color=p.primary, stroke_color=p.raised, stroke_width=1.5),
    )
    every = max(1, len(points) // 5)
    chart = fch.LineChart(
        data_series=[
            line,
            fch.LineChartData(
                points=[
                    fch.LineChartDataPoint(x=0, y=0, show_tooltip=False),
                    fch.LineChartDataPoint(x=max(1, len(points) - 1), y=0, show_tooltip=False),
                ],
                color=p.outline,
                stroke_width=1,
                dash_pattern=[5, 4],
                point=False,
            ),
        ],
        min_y=floor,
        max_y=ceiling,
        min_x=-0.3,
        max_x=max(1, len(points) - 1) + 0.3,
        horizontal_grid_lines=fch.ChartGridLines(interval=interval, color=p.outline_soft, width=0.8),
        left_axis=fch.ChartAxis(
            label_size=36,
            label_spacing=interval,
            labels=[
                fch.ChartAxisLabel(value=value, label=_label(look, t.signed(value)))
                for value in range(floor, ceiling + 1, interval)
            ],
        ),
        bottom_axis=fch.ChartAxis(
            label_size=26,
            labels=[
                fch.ChartAxisLabel(value=at, label=_label(look, t.day(points[at].begun), 10))
                for at in range(0, len(points), every)
            ],
        ),
        border=ft.Border.only(bottom=ft.BorderSide(1, p.outline_soft)),
        height=height,
    )
    said = ", ".join(
        f"{t.date(point.begun)} {t.signed(value)}" for value, point in zip(values, points, strict=True)
    )
    return ft.Semantics(
        identifier="chart-rounds",
        image=True,
        label=t("Strokes to par: {list}", list=said),
        container=True,
        exclude_semantics=True,
        content=chart,
    )


def titled(look: Look, title: str, note: str, chart: ft.Control) -> ft.Control:
    return ft.Column(
        [
            text(look, title, 16, bold=True),
            text(look, note, 13, quiet=True),
            ft.Container(chart, padding=ft.Padding.only(top=6)),
        ],
        spacing=6,
        tight=True,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )
