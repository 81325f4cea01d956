"""The scorecard: holes, front and back nine, total, and how it stands to par, by shape, colour and figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flet as ft

from companion.app.components.base import REGULAR, text
from companion.app.components.boundary import part, unchanged
from companion.app.components.look import TALL, Look
from companion.app.components.score import badge, in_words
from companion.app.components.tap import tap
from companion.app.state.card import Cell
from companion.game.round import HoleScore, Player, Round

LINE, RULE = 48, 0.6
"""Heights, pixels: of a hole that is tapped, and of the rule below it."""


@dataclass(frozen=True)
class _Line:
    """A hole of everybody: equal where it would be drawn alike."""

    hole: int
    extra: int
    """The number of an extra hole, 0 for the others."""
    par: int | None
    players: tuple[Player, ...]
    scores: tuple[HoleScore | None, ...]


def _line_of(round: Round, hole: int) -> _Line:
    scores = tuple(round.score(player.id, hole) for player in round.players)
    return _Line(hole, max(0, hole - round.holes), round.hole_par(hole), tuple(round.players), scores)


@part
def scorecard(
    look: Look, round: Round, cell: Cell | None, width: float, on_cell: Callable[[Cell], Any]
) -> ft.Control:
    """The card in a width: hole by hole downwards on a phone, as on paper where there is room."""
    holes = list(range(1, round.holes + 1 + len(round.extra)))
    if round.extra_due and round.extra_due not in holes:
        holes.append(round.extra_due)
    if width >= 760:
        return _paper(look, round, cell, width, holes, on_cell)
    return _upright(look, round, cell, width, holes, on_cell)


def _upright(
    look: Look,
    round: Round,
    cell: Cell | None,
    width: float,
    holes: list[int],
    on_cell: Callable[[Cell], Any],
) -> ft.Control:
    t = look.t
    first = 92.0
    column = max(56.0, (width - first) / max(1, len(round.players)))
    rows: list[ft.Control] = [_names(look, round, first, column)]
    room = look.app.size[1] > TALL and len(holes) < 10
    near = holes
    if cell is not None and cell.hole in holes and not room:
        # While a hole is entered the keys need the room: its neighbours are enough.
        at = min(max(0, holes.index(cell.hole) - 1), max(0, len(holes) - 3))
        near = holes[at : at + 3]
    for hole in holes:
        line = _line_of(round, hole)
        row = hole_row(look, line, _chosen(cell, hole), first, column, on_cell, key=f"hole-{hole}")
        # Hidden, not gone: so neither a tap on the hole nor its end draws the others again.
        rows.append(ft.Container(row, visible=hole in near, key=f"line-{hole}"))
        if hole == 9 and round.holes == 18 and cell is None:
            rows.append(_sum_row(look, round, t("Out"), range(1, 10), first, column))
        if hole == 18 and round.holes == 18 and cell is None:
            rows.append(_sum_row(look, round, t("In"), range(10, 19), first, column))
    rows.append(_total_row(look, round, first, column))
    body = ft.Column(rows, spacing=0, tight=True)
    inner: ft.Control = (
        ft.Row([body], scroll=ft.ScrollMode.AUTO) if first + column * len(round.players) > width + 1 else body
    )
    return _sheet(look, inner)


def _chosen(cell: Cell | None, hole: int) -> str | None:
    """Whose score of a hole is entered."""
    return cell.player if cell is not None and cell.hole == hole else None


def _sheet(look: Look, content: ft.Control) -> ft.Control:
    """The paper of the card."""
    return ft.Container(
        content,
        bgcolor=look.palette.raised,
        border_radius=16,
        border=ft.Border.all(1, look.palette.outline_soft),
        clip_behavior=ft.ClipBehavior.ANTI_ALIAS,
    )


def _row(
    look: Look, cells: list[ft.Control], *, tint: bool = False, strong: bool = False, key: str | None = None
) -> ft.Control:
    p = look.palette
    height = max(LINE, look.size(44)) + RULE
    if not strong and not tint:
        return ft.Row(cells, spacing=0, height=height, key=key)
    ground = p.secondary_container if strong else p.high
    return ft.Container(ft.Row(cells, spacing=0), bgcolor=ground, height=height, key=key)


def _names(look: Look, round: Round, first: float, column: float) -> ft.Control:
    p = look.palette
    heads: list[ft.Control] = [
        ft.Container(
            text(look, look.t("Hole"), 13, bold=True, color=p.on_primary_container),
            width=first,
            padding=ft.Padding.only(left=14),
            alignment=ft.Alignment.CENTER_LEFT,
        )
    ]
    heads += [
        ft.Container(
            text(look, player.name, 14, bold=True, color=p.on_primary_container, lines=1),
            width=column,
            alignment=ft.Alignment.CENTER,
            padding=ft.Padding.symmetric(horizontal=3),
        )
        for player in round.players
    ]
    return ft.Container(ft.Row(heads, spacing=0), bgcolor=p.primary_container, height=36, key="names")


@part
def _hole_row(
    look: Look,
    line: _Line,
    chosen: str | None,
    first: float,
    column: float,
    on_cell: Callable[[Cell], Any],
) -> ft.Control:
    """A hole's number and everybody's score; `chosen` is the player whose score is entered."""
    cells = [_cell(look, line, seat, chosen, column, on_cell) for seat in range(len(line.players))]
    return _row(look, [_hole_label(look, line, first), *cells], tint=line.hole % 2 == 0)


hole_row = unchanged(_hole_row)


def _hole_label(look: Look, line: _Line, width: float) -> ft.Control:
    t = look.t
    name = t("extra {n}", n=line.extra) if line.extra else str(line.hole)
    label = text(look, name, 15, bold=True)
    if line.par is not None:
        style = ft.TextStyle(size=look.size(12), font_family=REGULAR, color=look.palette.quiet)
        label.spans = [ft.TextSpan("  " + t("par {n}", n=line.par), style)]
    return ft.Container(
        label,
        width=width,
        padding=ft.Padding.only(left=14),
        alignment=ft.Alignment.CENTER_LEFT,
    )


def _cell(
    look: Look,
    line: _Line,
    seat: int,
    player_chosen: str | None,
    width: float,
    on_cell: Callable[[Cell], Any],
) -> ft.Control:
    t, p = look.t, look.palette
    player, score, hole, par = line.players[seat], line.scores[seat], line.hole, line.par
    chosen = player_chosen == player.id
    strokes = score.strokes if score else None
    label = t("Hole {n}, {name}: {score}", n=hole, name=player.name, score=in_words(look, strokes, par))
    if score and score.hinted:
        label += ", " + t("with hints")
    inner: ft.Control = (
        badge(look, strokes, par, hinted=bool(score and score.hinted))
        if score
        else text(look, "·", 18, quiet=True)
    )
    return tap(
        look,
        f"cell-{seat}-{hole}",
        label,
        on_cell,
        Cell(player.id, hole),
        content=inner,
        width=width,
        height=max(LINE, look.size(44)),
        selected=chosen,
        bgcolor=p.accent_container if chosen else None,
        border=ft.Border.all(2, p.accent) if chosen else None,
        alignment=ft.Alignment.CENTER,
    )


def _sum_row(look: Look, round: Round, name: str, holes: range, first: float, column: float) -> ft.Control:
    cells: list[ft.Control] = [
        ft.Container(
            text(look, name, 14, bold=True),
            width=first,
            padding=ft.Padding.only(left=14),
            alignment=ft.Alignment.CENTER_LEFT,
        )
    ]
    for player in round.players:
        found = [
            score.strokes
            for hole in holes
            if (score := round.score(player.id, hole)) and score.strokes is not None
        ]
        cells.append(
            ft.Container(
                text(look, look.t.number(sum(found)) if found else "", 15, bold=True),
                width=column,
                alignment=ft.Alignment.CENTER,
            )
        )
    return _row(look, cells, strong=True, key=name)


def _total_row(look: Look, round: Round, first: float, column: float) -> ft.Control:
    t, p = look.t, look.palette
    cells: list[ft.Control] = [
        ft.Container(
            ft.Column(
                [
                    text(look, t("Total"), 15, display=True),
                    *(
                        [text(look, t("par {n}", n=round.par), 12, quiet=True)]
                        if round.par is not None
                        else []
                    ),
                ],
                spacing=0,
                tight=True,
            ),
            width=first,
            padding=ft.Padding.only(left=14),
            alignment=ft.Alignment.CENTER_LEFT,
        )
    ]
    cells += [_total(look, round, seat, column) for seat in range(len(round.players))]
    return ft.Container(
        ft.Row(cells, spacing=0), bgcolor=p.secondary_container, height=max(48, look.size(45)), key="total"
    )


def _total(look: Look, round: Round, seat: int, width: float) -> ft.Control:
    """A player's sum, and how it stands to par."""
    t, p, player = look.t, look.palette, round.players[seat]
    gap = round.to_par(player.id)
    lines: list[ft.Control] = [
        text(look, t.number(round.total(player.id)) if round.played(player.id) else "–", 20, display=True)
    ]
    if gap is not None:
        colour = p.on_surface if not gap else p.under if gap < 0 else p.over
        sign = "●" if gap < 0 else "■" if gap > 0 else ""
        lines.append(text(look, f"{sign} {t.signed(gap)}".strip(), 12.5, bold=True, color=colour))
    return ft.Container(
        ft.Semantics(
            identifier=f"total-{seat}",
            container=True,
            content=ft.Column(
                lines, spacing=0, tight=True, horizontal_alignment=ft.CrossAxisAlignment.CENTER
            ),
        ),
        width=width,
        alignment=ft.Alignment.CENTER,
    )


def _paper(
    look: Look,
    round: Round,
    cell: Cell | None,
    width: float,
    holes: list[int],
    on_cell: Callable[[Cell], Any],
) -> ft.Control:
    """As on paper: holes across, nine to a strip."""
    strips = [holes[at : at + 9] for at in range(0, len(holes), 9)]
    body = ft.Column(
        [_strip(look, round, cell, width - 2, strip, strip is strips[-1], on_cell) for strip in strips],
        spacing=12,
        tight=True,
    )
    return _sheet(look, body)


def _strip(
    look: Look,
    round: Round,
    cell: Cell | None,
    width: float,
    holes: list[int],
    last: bool,
    on_cell: Callable[[Cell], Any],
) -> ft.Control:
    t, p = look.t, look.palette
    name, ends = 130.0, max(84.0, look.size(84))
    two = round.holes == 18
    tail = ends * (1 + (last and two))
    column = max(48.0, min(72.0, (width - name - tail) / 9))
    name = width - tail - column * 9
    half = (t("Out") if holes[0] == 1 else t("In")) if two else ""
    nine = range(holes[0], holes[0] + 9)

    def line(
        label: ft.Control, cells: list[ft.Control], sums: list[ft.Control], ground: str | None, height: float
    ) -> ft.Control:
        filler = [ft.Container(width=column * (9 - len(cells)))] if len(cells) < 9 else []
        return ft.Container(
            ft.Row(
                [
                    ft.Container(
                        label,
                        width=name,
                        padding=ft.Padding.only(left=16),
                        alignment=ft.Alignment.CENTER_LEFT,
                    ),
                    *cells,
                    *filler,
                    *sums,
                ],
                spacing=0,
            ),
            bgcolor=ground,
            height=height,
            border=ft.Border.only(bottom=ft.BorderSide(RULE, p.outline_soft)),
        )

    def figure(
        value: str, size: float = 14, bold: bool = True, ink: str | None = None, wide: float = column
    ) -> ft.Control:
        return ft.Container(
            text(look, value, size, bold=bold, color=ink), width=wide, alignment=ft.Alignment.CENTER
        )

    labels = [str(hole) if hole <= round.holes else t("extra {n}", n=hole - round.holes) for hole in holes]
    heads = ([figure(half, wide=ends, ink=p.on_primary_container)] if two else []) + (
        [figure(t("Total"), wide=ends, ink=p.on_primary_container)] if last else []
    )
    rows = [
        line(
            text(look, t("Hole"), 14, bold=True, color=p.on_primary_container),
            [figure(label, 13.5, ink=p.on_primary_container) for label in labels],
            heads,
            p.primary_container,
            44,
        )
    ]
    if round.pars is not None:
        sums = (
            [
                figure(
                    str(sum(round.hole_par(hole) or 0 for hole in nine if hole <= round.holes)),
                    13,
                    False,
                    p.quiet,
                    ends,
                )
            ]
            if two
            else []
        ) + ([figure(str(round.par), 13, False, p.quiet, ends)] if last else [])
        rows.append(
            line(
                text(look, t("Par"), 13, quiet=True),
                [figure(str(round.hole_par(hole)), 13, False, p.quiet) for hole in holes],
                sums,
                None,
                34,
            )
        )
    for seat, player in enumerate(round.players):
        cells = [
            _cell(look, _line_of(round, hole), seat, _chosen(cell, hole), column, on_cell) for hole in holes
        ]
        found = [
            score.strokes
            for hole in nine
            if hole <= round.holes and (score := round.score(player.id, hole)) and score.strokes is not None
        ]
        sums = [figure(look.t.number(sum(found)) if found else "", 16, wide=ends)] if two else []
        if last:
            sums.append(_total(look, round, seat, ends))
        rows.append(
            line(
                text(look, player.name, 15, bold=True, lines=1),
                cells,
                sums,
                p.high if seat % 2 else None,
                max(54, look.size(54)),
            )
        )
    return ft.Column(rows, spacing=0, tight=True)
