"""Suit signs as masks: from fonts that have them, and from curves with random proportions."""

from __future__ import annotations

import math
import random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from datasets.decks.fonts import suit_fonts

_GLYPH = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SIZE = 256


def suit_masks(rng: random.Random) -> dict[str, Image.Image]:
    """One style of the four signs: ``L`` images cropped to the sign, white on black."""
    fonts = suit_fonts()
    if fonts and rng.random() < 0.4:
        font = ImageFont.truetype(rng.choice(fonts), _SIZE)
        masks = {suit: _glyph(font, char) for suit, char in _GLYPH.items()}
    else:
        masks = _curves(rng)
    if rng.random() < 0.4:  # ink runs, or a die rounds the points
        blur = rng.uniform(2, 9)
        masks = {suit: _rounded(m, blur) for suit, m in masks.items()}
    stretch = rng.uniform(0.78, 1.15)
    return {suit: m.resize((max(8, round(m.width * stretch)), m.height)) for suit, m in masks.items()}


def _rounded(mask: Image.Image, blur: float) -> Image.Image:
    pad = round(3 * blur)
    wide = Image.new("L", (mask.width + 2 * pad, mask.height + 2 * pad))
    wide.paste(mask, (pad, pad))
    soft = wide.filter(ImageFilter.GaussianBlur(blur)).point(lambda v: min(255, max(0, (v - 104) * 6)))
    return soft.crop(soft.getbbox())


def _glyph(font: ImageFont.FreeTypeFont, char: str) -> Image.Image:
    image = Image.new("L", (2 * _SIZE, 2 * _SIZE))
    ImageDraw.Draw(image).text((_SIZE // 2, _SIZE // 4), char, fill=255, font=font)
    return image.crop(image.getbbox())


def _curves(rng: random.Random) -> dict[str, Image.Image]:
    lobe, dip = rng.uniform(0.19, 0.3), rng.uniform(0.06, 0.26)
    heart = _heart(lobe, dip, rng.uniform(-0.15, 0.3))
    stem = _stem(rng.uniform(0.05, 0.22), rng.uniform(-0.015, 0.05), rng.uniform(0.7, 0.93))
    tall = rng.uniform(0.78, 0.92)  # of the spade without its stem's foot
    spade = [(x, tall - tall * y) for x, y in _heart(lobe, dip, rng.uniform(-0.1, 0.35))]
    return {
        "H": _fill([heart]),
        "D": _fill([_diamond(rng.uniform(0.32, 0.48), rng.uniform(-0.04, 0.12))]),
        "S": _fill([spade, stem]),
        "C": _fill([*_club(rng), stem]),
    }


def _fill(polygons: list[list[tuple[float, float]]]) -> Image.Image:
    """Polygons of the unit square, over whose edges they may reach."""
    image = Image.new("L", (2 * _SIZE, 2 * _SIZE))
    draw = ImageDraw.Draw(image)
    for polygon in polygons:
        draw.polygon([((x + 0.5) * _SIZE, (y + 0.5) * _SIZE) for x, y in polygon], fill=255)
    return image.crop(image.getbbox())


def _heart(lobe: float, dip: float, flank: float) -> list[tuple[float, float]]:
    """Outline from the dip over the right lobe to the tip and back; unit square."""
    right = []
    for k in range(33):
        t = k / 32 * math.pi * 1.12
        right.append((0.5 + lobe - lobe * math.cos(t), dip + 0.1 - (lobe + 0.04) * math.sin(t) * 0.95))
    x0, y0 = right[-1]
    for k in range(1, 17):
        t = k / 16
        right.append(
            (x0 + (0.5 - x0) * t + flank * 0.35 * math.sin(math.pi * t) * 0.5, y0 + (1 - y0) * t**0.95)
        )
    return right + [(1 - x, y) for x, y in reversed(right)]


def _diamond(width: float, hollow: float) -> list[tuple[float, float]]:
    points = []
    corners = [(0.5, 0.0), (0.5 + width, 0.5), (0.5, 1.0), (0.5 - width, 0.5)]
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        for k in range(12):
            t = k / 12
            pull = hollow * math.sin(math.pi * t)
            x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            points.append((x + (0.5 - x) * pull * 2, y + (0.5 - y) * pull * 2))
    return points


def _club(rng: random.Random) -> list[list[tuple[float, float]]]:
    """Three leaves, apart or run together, round or drawn out from the middle, and what joins them."""
    radius = rng.uniform(0.16, 0.26)
    long = rng.choice([1.0, rng.uniform(0.85, 1.25)])
    reach, low = rng.uniform(max(0.2, 0.95 * radius), 0.5 - 0.5 * radius), rng.uniform(0.48, 0.64)
    middle = (0.5, rng.uniform(0.42, 0.52))
    leaves = []
    for cx, cy in ((0.5, radius * long), (0.5 - reach, low), (0.5 + reach, low)):
        out = math.atan2(cy - middle[1], cx - middle[0])
        leaf = []
        for k in range(24):
            a = k / 24 * math.tau
            u, v = long * radius * math.cos(a), radius * math.sin(a)
            leaf.append(
                (cx + u * math.cos(out) - v * math.sin(out), cy + u * math.sin(out) + v * math.cos(out))
            )
        leaves.append(leaf)
    x, y = middle
    thick = rng.uniform(0.015, 0.05)
    joints = [
        [(x - thick, radius), (x + thick, radius), (x + thick, low + 0.1), (x - thick, low + 0.1)],
        *(
            [(x, y - thick), (x, y + thick), (cx, low + thick), (cx, low - thick)]
            for cx in (0.5 - reach, 0.5 + reach)
        ),
    ]
    if rng.random() < 0.6:  # no gap in the middle
        joints.append([(0.5, radius), (0.5 + 0.7 * reach, low), (0.5, low + 0.1), (0.5 - 0.7 * reach, low)])
    return [*leaves, *joints]


def _stem(half: float, waist: float, knee: float) -> list[tuple[float, float]]:
    """From the middle down to a foot twice ``half`` wide; it spreads from ``knee`` on."""
    narrow = 0.03 + waist
    right = [(0.5 + narrow, 0.45), (0.5 + narrow, knee), (0.5 + half, 1.0)]
    return right + [(1 - x, y) for x, y in reversed(right)]
