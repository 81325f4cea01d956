"""One drawing surface in millimetres for two kinds of output: pixels (Pillow) and PDF (fpdf2)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from PIL import Image, ImageDraw, ImageFont

Colour = str
"""`#rrggbb`."""

FONTS: Final = Path(__file__).parent.parent / "assets" / "fonts"
_FILES: Final = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}
_POINT: Final = 25.4 / 72
# Where the middle of capital letters and figures lies above the base line, in parts of the size.
_MIDDLE: Final = 0.365


class Canvas(Protocol):
    """Shapes and text; lengths in mm from the upper left corner, sizes of type in points."""

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None: ...

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, line: float) -> None: ...

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, line: float) -> None: ...

    def circle(self, x: float, y: float, radius: float, colour: Colour, line: float) -> None: ...

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None: ...

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: Colour,
        bold: bool = False,
        align: str = "left",
    ) -> None:
        """Text with its middle at height y; x is its `left`, `centre` or `right`."""

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Width of a text in mm."""


class Pixels:
    """A canvas of pixels, drawn at twice the size and shrunk, so that circles are smooth."""

    def __init__(self, width: float, height: float, dots_a_mm: float, paper: Colour) -> None:
        self._scale = 2 * dots_a_mm
        size = (round(width * self._scale), round(height * self._scale))
        self._image = Image.new("RGB", size, paper)
        self._draw = ImageDraw.Draw(self._image)
        self._fonts: dict[tuple[int, bool], ImageFont.FreeTypeFont] = {}

    def png(self) -> bytes:
        """The picture as a PNG file."""
        width, height = self._image.size
        small = self._image.resize((width // 2, height // 2), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        small.save(buffer, "PNG", optimize=True)
        return buffer.getvalue()

    def _px(self, *lengths: float) -> tuple[float, ...]:
        return tuple(length * self._scale for length in lengths)

    def _pen(self, line: float) -> int:
        return max(1, round(line * self._scale))

    def _font(self, size: float, bold: bool) -> ImageFont.FreeTypeFont:
        key = (round(size * _POINT * self._scale), bold)
        if key not in self._fonts:
            self._fonts[key] = ImageFont.truetype(str(_FILES[bold]), key[0])
        return self._fonts[key]

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        left, top, right, bottom = self._px(x, y, x + width, y + height)
        self._draw.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), fill=colour)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, line: float) -> None:
        left, top, right, bottom = self._px(x, y, x + width, y + height)
        self._draw.rectangle((left, top, right, bottom), outline=colour, width=self._pen(line))

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, line: float) -> None:
        self._draw.line(self._px(x0, y0, x1, y1), fill=colour, width=self._pen(line), joint="curve")

    def circle(self, x: float, y: float, radius: float, colour: Colour, line: float) -> None:
        box = self._px(x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse((box[0], box[1], box[2], box[3]), outline=colour, width=self._pen(line))

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        self._draw.polygon([(x * self._scale, y * self._scale) for x, y in points], fill=colour)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: Colour,
        bold: bool = False,
        align: str = "left",
    ) -> None:
        left, base = self._px(x, y + _MIDDLE * size * _POINT)
        anchor = {"left": "ls", "centre": "ms", "right": "rs"}[align]
        self._draw.text((left, base), text, fill=colour, font=self._font(size, bold), anchor=anchor)

    def width(self, text: str, size: float, bold: bool = False) -> float:
        return float(self._font(size, bold).getlength(text)) / self._scale


class Paper:
    """A one-page PDF. Its dates are `moment`, so that the same card is the same file."""

    def __init__(self, width: float, height: float, title: str, language: str, moment: datetime) -> None:
        from fpdf import FPDF

        self._pdf = FPDF(orientation="portrait", unit="mm", format=(width, height))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.add_font("card", "", str(_FILES[False]))
        self._pdf.add_font("card", "B", str(_FILES[True]))
        self._pdf.set_title(title)
        self._pdf.set_lang(language)
        self._pdf.set_creator("Golf Patience Companion")
        self._pdf.set_creation_date(moment)
        self._pdf.add_page()

    def pdf(self) -> bytes:
        """The file."""
        return bytes(self._pdf.output())

    def fill(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        self._pdf.set_fill_color(colour)
        self._pdf.rect(x, y, width, height, style="F")

    def box(self, x: float, y: float, width: float, height: float, colour: Colour, line: float) -> None:
        self._stroke(colour, line)
        self._pdf.rect(x, y, width, height)

    def line(self, x0: float, y0: float, x1: float, y1: float, colour: Colour, line: float) -> None:
        self._stroke(colour, line)
        self._pdf.line(x0, y0, x1, y1)

    def circle(self, x: float, y: float, radius: float, colour: Colour, line: float) -> None:
        self._stroke(colour, line)
        self._pdf.ellipse(x - radius, y - radius, 2 * radius, 2 * radius)

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        self._pdf.set_fill_color(colour)
        self._pdf.polygon(points, style="F")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: Colour,
        bold: bool = False,
        align: str = "left",
    ) -> None:
        part = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        left = x - part * self.width(text, size, bold)
        self._pdf.set_text_color(colour)
        self._pdf.text(left, y + _MIDDLE * size * _POINT, text)

    def width(self, text: str, size: float, bold: bool = False) -> float:
        self._pdf.set_font("card", "B" if bold else "", size)
        return float(self._pdf.get_string_width(text))

    def _stroke(self, colour: Colour, line: float) -> None:
        self._pdf.set_draw_color(colour)
        self._pdf.set_line_width(line)
