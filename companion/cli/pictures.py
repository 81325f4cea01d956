"""Tables drawn side by side, the changed cards marked by shape and colour; photos are drawn over.

A card that left has a dashed orange frame and a minus, one that came a thick blue frame and a plus, one that
broke a rule a red frame and an octagon with an exclamation mark, one to look at again an amber frame and a
diamond with a question mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from companion.cli.seen import Loaded
from companion.engine.audit import Audit, Place, Reason, Table, Verdict, say
from companion.game import Card
from companion.game.letters import show

Box = tuple[float, float, float, float]

_FONTS: Final = Path(__file__).parents[1] / "assets" / "fonts"
_WIDTH, _HEIGHT, _STRIP, _GAP, _EDGE = 96, 134, 40, 14, 28
_CLOTH, _PAPER, _INK, _RED = (34, 94, 66), (255, 255, 255), (24, 24, 24), (176, 0, 24)
_MARKS: Final = {
    "gone": ((230, 126, 0), "−"),
    "came": ((0, 90, 200), "+"),
    "wrong": ((200, 0, 30), "!"),
    "ask": ((200, 150, 0), "?"),
}
_PANEL_HEIGHT: Final = 1100
"""Photos are drawn at this height."""


def draw_steps(loaded: list[Loaded], audit: Audit, language: str = "en") -> Image.Image:
    """The tables from left to right, as an RGB picture."""
    panels = []
    for number, one in enumerate(loaded):
        marks = _marks([each.table for each in loaded], audit, number)
        panel = _photo(one, marks) if one.photo is not None else _table(one.table, marks, language)
        panels.append(panel)
    height = max(panel.height for panel in panels)
    head = 64
    width = sum(panel.width for panel in panels) + _GAP * (len(panels) - 1)
    picture = Image.new("RGB", (width, height + head), (245, 245, 240))
    draw = ImageDraw.Draw(picture)
    x = 0
    for number, panel in enumerate(panels):
        picture.paste(panel, (x, head))
        words = f"{number + 1}"
        if number:
            words += f": {say(Reason.of(f'verdict.{audit.steps[number - 1].verdict}'), language)}"
        draw.text((x + 16, 14), words, _INK, _font(32))
        x += panel.width + _GAP
    return picture


def _marks(tables: list[Table], audit: Audit, number: int) -> dict[Place, str]:
    """What is marked on one table: by place, the name of the mark."""
    marks: dict[Place, str] = {}
    here = [(Place(number, p.column, p.row), seen.card.plain) for p, seen in tables[number].places(number)]
    if number + 1 < len(tables):
        later = [seen.card.plain for column in tables[number + 1].columns for seen in column]
        for place, card in here:
            if place.column is not None and card not in later:
                marks[place] = "gone"
    if number:
        earlier = [seen.card.plain for _, seen in tables[number - 1].places(0)]
        tops = [seen.card.plain for seen in tables[number - 1].discard]
        for place, card in here:
            if card not in (earlier if place.column is not None else tops):
                marks[place] = "came"
    for step_number in (number - 1, number):
        if 0 <= step_number < len(audit.steps):
            marks |= dict(_judged(audit.steps[step_number], here))
    return marks


def _judged(step: Verdict, here: list[tuple[Place, Card]]) -> Iterator[tuple[Place, str]]:
    wrong = {fault.card.plain for fault in step.faults if fault.card}
    for place, card in here:
        if card in wrong:
            yield place, "wrong"
    for ask in step.ask:
        if any(place == ask.place for place, _ in here):
            yield ask.place, "ask"


def _table(table: Table, marks: dict[Place, str], language: str) -> Image.Image:
    rows = max((len(column) for column in table.columns), default=1)
    width = 2 * _EDGE + max(3, len(table.columns)) * (_WIDTH + _GAP) - _GAP
    tall = _EDGE + _HEIGHT + _STRIP * (max(rows, 1) - 1)
    picture = Image.new("RGB", (width, tall + 2 * _EDGE + _HEIGHT), _CLOTH)
    draw = ImageDraw.Draw(picture)
    boxes: dict[Place, Box] = {}
    number = next(iter(marks), Place(0, None, 0)).table
    for column, cards in enumerate(table.columns):
        x = _EDGE + column * (_WIDTH + _GAP)
        if not cards:
            draw.rounded_rectangle(
                (x, _EDGE, x + _WIDTH, _EDGE + _HEIGHT), 9, outline=(90, 150, 120), width=2
            )
        for row, seen in enumerate(cards):
            y = _EDGE + row * _STRIP
            boxes[Place(number, column, row)] = (x, y, x + _WIDTH, y + _HEIGHT)
            _card(draw, (x, y), seen.card, language)
    y = tall + _EDGE
    if table.discard:
        place = Place(number, None, len(table.discard) - 1)
        boxes[place] = (_EDGE, y, _EDGE + _WIDTH, y + _HEIGHT)
        _card(draw, (_EDGE, y), table.discard[-1].card, language)
    if table.stock_count:
        x = _EDGE + 2 * (_WIDTH + _GAP)
        draw.rounded_rectangle((x, y, x + _WIDTH, y + _HEIGHT), 9, (40, 70, 140), (255, 255, 255), 3)
        draw.text((x + _WIDTH / 2, y + _HEIGHT / 2), str(table.stock_count), _PAPER, _font(36), "mm")
    for place, mark in marks.items():
        if place in boxes:
            x0, y0, x1, y1 = boxes[place]
            covered = place.column is not None and place.row < len(table.columns[place.column]) - 1
            _mark(
                draw,
                [
                    (x0, y0),
                    (x1, y0),
                    (x1, y0 + _STRIP if covered else y1),
                    (x0, y0 + _STRIP if covered else y1),
                ],
                mark,
                15,
            )
    return picture


def _card(draw: ImageDraw.ImageDraw, at: tuple[float, float], card: Card, language: str) -> None:
    x, y = at
    draw.rounded_rectangle((x, y, x + _WIDTH, y + _HEIGHT), 9, _PAPER, (110, 110, 110), 1)
    ink = _RED if card.is_red else _INK
    draw.text((x + 8, y + 5), show(card, language), ink, _font(27))
    if card.suit:
        draw.text((x + _WIDTH / 2, y + _HEIGHT * 0.66), show(card, language)[-1], ink, _font(50), "mm")


def _photo(one: Loaded, marks: dict[Place, str]) -> Image.Image:
    assert one.photo is not None
    assert one.scan is not None
    picture = Image.fromarray(one.photo.pixels)
    scale = _PANEL_HEIGHT / picture.height
    picture = picture.resize((round(picture.width * scale), _PANEL_HEIGHT))
    scale = picture.width / one.scan.width
    draw = ImageDraw.Draw(picture)
    for card in one.scan.cards:
        column = card.column if card.where == "column" else None
        row = card.row if column is not None and card.row is not None else 0
        quad = card.index if card.index is not None else card.outline
        mark = next((m for p, m in marks.items() if (p.column, p.row) == (column, row)), None)
        if card.where == "loose" or mark is None or quad is None:
            continue
        middle = np.mean(quad, 0)
        wide = [tuple((middle + (np.array(corner) - middle) * 1.5) * scale) for corner in quad]
        _mark(draw, [(float(x), float(y)) for x, y in wide], mark, 16)
    return picture


def _mark(draw: ImageDraw.ImageDraw, quad: list[tuple[float, float]], mark: str, size: float) -> None:
    """A frame, dashed for a card that left, and a badge of the mark's own shape at its right upper corner."""
    colour, sign = _MARKS[mark]
    for (x0, y0), (x1, y1) in zip(quad, quad[1:] + quad[:1], strict=True):
        if mark == "gone":
            steps = max(2, round(float(np.hypot(x1 - x0, y1 - y0)) / 9))
            for n in range(0, steps, 2):
                a, b = n / steps, (n + 1) / steps
                ends = [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (a, b)]
                draw.line(ends, colour, 4)
        else:
            draw.line([(x0, y0), (x1, y1)], colour, 5)
    x, y = max(quad, key=lambda corner: corner[0] - corner[1])
    # Beside a frame that it would cover, else inside.
    small = max(corner[0] for corner in quad) - min(corner[0] for corner in quad) < 5 * size
    x, y = (x + size, y - size * 0.6) if small else (x - size * 0.6, y + size * 0.6)
    corners = {"gone": 0, "came": 4, "wrong": 8, "ask": 4}[mark]
    if corners:
        turn = pi / corners if mark in ("came", "wrong") else 0
        reach = size * (1.25 if corners == 4 else 1.1)
        shape = [
            (x + reach * cos(turn + 2 * pi * n / corners), y + reach * sin(turn + 2 * pi * n / corners))
            for n in range(corners)
        ]
        draw.polygon(shape, colour, _PAPER)
    else:
        draw.ellipse((x - size, y - size, x + size, y + size), colour, _PAPER)
    draw.text((x, y), sign, _PAPER, _font(round(size * 1.4)), "mm")


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / "DejaVuSans-Bold.ttf", size)
