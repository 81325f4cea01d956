"""A score by its shape, colour and figure: circles under par, squares over it, as on a golf card."""

from __future__ import annotations

import flet as ft

from companion.app.components.base import BOLD
from companion.app.components.look import Look


def kind(strokes: int, par: int) -> str:
    """`far-under` (two or more), `under`, `par`, `over`, `far-over`."""
    gap = strokes - par
    if gap == 0:
        return "par"
    return ("far-" if abs(gap) > 1 else "") + ("under" if gap < 0 else "over")


def badge(
    look: Look, strokes: int | None, par: int | None, *, size: float = 34, hinted: bool = False
) -> ft.Control:
    """The strokes of a hole. Under par: round, twice round when far; over: square, twice; par: bare."""
    p = look.palette
    if strokes is None:
        return ft.Container(width=size, height=size)
    what = "par" if par is None else kind(strokes, par)
    colour = p.under if "under" in what else p.over if "over" in what else p.on_surface
    value = look.t.number(strokes)
    label = ft.Text(
        value,
        size=min(size * 0.5, look.size(size * 0.46)),
        font_family=BOLD,
        color=colour,
        no_wrap=True,
    )
    body: ft.Control = label
    if what != "par":
        radius = size if "under" in what else 4
        body = ft.Container(
            body,
            border=ft.Border.all(1.6, colour),
            border_radius=radius,
            width=size - 5,
            height=size - 5,
            alignment=ft.Alignment.CENTER,
        )
        if "far" in what:
            body = ft.Container(
                body,
                border=ft.Border.all(1.4, colour),
                border_radius=radius if radius > 4 else 6,
                padding=1.5,
                width=size + 1,
                height=size + 1,
                alignment=ft.Alignment.CENTER,
            )
    if hinted:
        body = ft.Stack(
            [
                ft.Container(body, width=size + 2, height=size + 2, alignment=ft.Alignment.CENTER),
                ft.Container(ft.Icon(ft.Icons.LIGHTBULB, size=11, color=p.accent), right=0, top=0),
            ],
            width=size + 2,
            height=size + 2,
        )
    return body


def in_words(look: Look, strokes: int | None, par: int | None) -> str:
    """A score for screen readers: "4 strokes, one under par"."""
    t = look.t
    if strokes is None:
        return t("not played")
    said = t.plural("{n} stroke", "{n} strokes", strokes)
    if par is None or strokes == par:
        return said if par is None else t("{score}, par", score=said)
    gap = abs(strokes - par)
    return (
        t("{score}, {n} under par", score=said, n=gap)
        if strokes < par
        else t("{score}, {n} over par", score=said, n=gap)
    )
