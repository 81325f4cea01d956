"""Suit signs as masks: from fonts that have them, and from curves with random proportions."""

from __future__ import annotations

import math
import random

from PIL import Image, ImageDraw, ImageFont

from datasets.decks.fonts import suit_fonts

_GLYPH = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SIZE = 256


def suit_masks(rng: random.Random) -> dict[str, Image.Image]:
    """One style of the four signs: ``L`` images cropped to the sign, white on black."""
    fonts = suit_fonts()
    if fonts and rng.random() < 0.55:
        font = ImageFont.truetype(rng.choice(fonts), _SIZE)
        masks = {suit: _glyph(font, char) for suit, char in _GLYPH.items()}
    else:
        masks = _curves(rng)
    stretch = rng.uniform(0.82, 1.12)
    return {suit: m.resize((max(8, round(m.width * stretch)), m.height)) for suit, m in masks.items()}


def _glyph(font: ImageFont.FreeTypeFont, char: str) -> Image.Image:
    image = Image.new("L", (2 * _SIZE, 2 * _SIZE))
    ImageDraw.Draw(image).text((_SIZE // 2, _SIZE // 4), char, fill=255, font=font)
    return image.crop(image.getbbox())


def _curves(rng: random.Random) -> dict[str, Image.Image]:
    lobe, dip = rng.uniform(0.22, 0.3), rng.uniform(0.1, 0.24)
    heart = _heart(lobe, dip, rng.uniform(0.0, 0.25))
    stem = _stem(rng.uniform(0.08, 0.2), rng.uniform(0.0, 0.05))
    spade = [(x, 0.86 - 0.86 * y) for x, y in _heart(lobe, dip, rng.uniform(0.05, 0.3))]
    return {
        "H": _fill([heart]),
        "D": _fill([_diamond(rng.uniform(0.36, 0.46), rng.uniform(-0.02, 0.09))]),
        "S": _fill([spade, stem]),
        "C": _fill([*_club(rng.uniform(0.2, 0.25), rng.uniform(0.0, 0.05)), stem]),
    }


def _fill(polygons: list[list[tuple[float, float]]]) -> Image.Image:
    image = Image.new("L", (_SIZE, _SIZE))
    draw = ImageDraw.Draw(image)
    for polygon in polygons:
        draw.polygon([(x * _SIZE, y * _SIZE) for x, y in polygon], fill=255)
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


def _club(radius: float, spread: float) -> list[list[tuple[float, float]]]:
    centres = [(0.5, radius), (radius + 0.02 - spread * 0.3, 0.56), (0.98 - radius + spread * 0.3, 0.56)]
    discs = [
        [
            (cx + radius * math.cos(a / 20 * math.tau), cy + radius * math.sin(a / 20 * math.tau))
            for a in range(20)
        ]
        for cx, cy in centres
    ]
    return [*discs, [(0.5, 0.35), (0.68, 0.55), (0.5, 0.7), (0.32, 0.55)]]


def _stem(half: float, waist: float) -> list[tuple[float, float]]:
    return [(0.5 - 0.03 - waist, 0.55), (0.5 + 0.03 + waist, 0.55), (0.53 + waist, 0.8), (0.5 + half, 1.0),
            (0.5 - half, 1.0), (0.47 - waist, 0.8)]  # fmt: skip
