"""Builds the app's font files: Inter, cut down to the letters we need, with DejaVu's suit signs in it.

    python tools/fonts.py INTER_FOLDER DEJAVU.ttf companion/app/assets/fonts

Both may be changed and given on (see LICENSE.txt beside the fonts); the result has a name of its own. One
font with every sign means that no text ever asks for a substitute font, which a browser would fetch.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

WEIGHTS = {"Regular": "Inter-Regular", "Bold": "Inter-SemiBold", "Display": "InterDisplay-Bold"}
SUITS = "♠♥♦♣"
KEEP = {*range(0x20, 0x17F), *map(ord, "–—‘’‚“”„…•·×−≤≥±½≈→←↑↓✓✗★☆●○■□▲△▼◆Σ€ " + SUITS)}


def build(inter: Path, dejavu: Path, weight: str) -> TTFont:
    font = _to_truetype(_cut(TTFont(inter), KEEP - set(map(ord, SUITS))))
    _add_signs(font, TTFont(dejavu))
    family = "Companion Sans"
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = family
        elif record.nameID in (2, 17):
            record.string = weight
        elif record.nameID in (3, 4, 6):
            record.string = f"{family} {weight}".replace(" ", "" if record.nameID == 6 else " ")
    return font


def _cut(font: TTFont, keep: set[int]) -> TTFont:
    options = subset.Options(
        layout_features=["kern", "tnum", "calt", "ccmp", "mark"], name_IDs=["*"], hinting=False
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=keep)
    cutter.subset(font)
    return font


def _to_truetype(font: TTFont) -> TTFont:
    """Cubic outlines as quadratic ones, so that glyphs of a TrueType font can be added."""
    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    table = newTable("glyf")
    table.glyphOrder, table.glyphs = order, {}
    for name in order:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, max_err=1.0, reverse_direction=True))
        table.glyphs[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), table
    del font["CFF "]
    font.sfntVersion = "\000\001\000\000"
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    for field in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs"):
        setattr(maxp, field, 1 if field == "maxZones" else 0)
    for field in ("maxStackElements", "maxSizeOfInstructions"):
        setattr(maxp, field, 0)
    maxp.maxComponentElements = 0
    font["post"].formatType, font["post"].extraNames, font["post"].mapping = 2.0, [], {}
    return font


def _add_signs(font: TTFont, other: TTFont) -> None:
    scale = font["head"].unitsPerEm / other["head"].unitsPerEm
    glyphs, names = other.getGlyphSet(), other.getBestCmap()
    order = list(font.getGlyphOrder())
    for sign in SUITS:
        source, name = names[ord(sign)], f"uni{ord(sign):04X}"
        pen = TTGlyphPen(None)
        glyphs[source].draw(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
        order.append(name)
        font["glyf"].glyphs[name] = pen.glyph()
        width, bearing = other["hmtx"][source]
        font["hmtx"][name] = (round(width * scale), round(bearing * scale))
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(sign)] = name
    font.setGlyphOrder(order)
    font["glyf"].glyphOrder = order
    font["maxp"].numGlyphs = len(order)


def main() -> None:
    folder, dejavu, target = map(Path, sys.argv[1:4])
    for weight, name in WEIGHTS.items():
        build(folder / f"{name}.otf", dejavu, weight).save(target / f"CompanionSans-{weight}.ttf")


if __name__ == "__main__":
    main()
