"""Card backs and other printed patterns, by seed."""

from __future__ import annotations

import colorsys
import random

from PIL import Image, ImageDraw


def draw_back(rng: random.Random, width: int, height: int) -> Image.Image:
    """A printed pattern with or without a white margin, RGB of ``width`` x ``height``."""
    base = _colour(rng)
    light = rng.choice([(255, 255, 255), (245, 240, 225), _colour(rng)])
    image = Image.new("RGB", (width, height), light if rng.random() < 0.8 else base)
    margin = round(rng.choice([0, 0.03, 0.06, 0.08]) * width)
    field = Image.new("RGB", (max(8, width - 2 * margin), max(8, height - 2 * margin)), base)
    rng.choice([_lattice, _dots, _stripes, _tiles, _rings])(field, light, rng)
    image.paste(field, (margin, margin))
    if margin and rng.random() < 0.5:
        box = (margin // 2, margin // 2, width - margin // 2, height - margin // 2)
        ImageDraw.Draw(image).rectangle(box, outline=base, width=max(1, width // 160))
    return image


def _colour(rng: random.Random) -> tuple[int, int, int]:
    hue = rng.choice([0.0, 0.6, 0.62, rng.random()])
    rgb = colorsys.hsv_to_rgb(hue, rng.uniform(0.3, 1), rng.uniform(0.2, 0.9))
    return tuple(round(255 * c) for c in rgb)  # type: ignore[return-value]


def _lattice(image: Image.Image, ink: tuple[int, int, int], rng: random.Random) -> None:
    draw, (w, h) = ImageDraw.Draw(image), image.size
    step, width = w * rng.uniform(0.04, 0.2), max(1, round(w * rng.uniform(0.004, 0.03)))
    slope = rng.uniform(0.6, 1.7)
    for k in range(int((w + h / slope) / step) + 2):
        x = k * step
        draw.line((x, 0, x - h / slope, h), fill=ink, width=width)
        draw.line((x - h / slope, 0, x, h), fill=ink, width=width)


def _dots(image: Image.Image, ink: tuple[int, int, int], rng: random.Random) -> None:
    draw, (w, h) = ImageDraw.Draw(image), image.size
    step = w * rng.uniform(0.05, 0.15)
    radius = step * rng.uniform(0.15, 0.45)
    for row in range(int(h / step) + 2):
        for column in range(int(w / step) + 2):
            x, y = (column + 0.5 * (row % 2)) * step, row * step
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def _stripes(image: Image.Image, ink: tuple[int, int, int], rng: random.Random) -> None:
    draw, (w, h) = ImageDraw.Draw(image), image.size
    step = w * rng.uniform(0.03, 0.12)
    for k in range(int(max(w, h) / step) + 1):
        if rng.random() < 0.5:
            draw.line((k * step, 0, k * step, h), fill=ink, width=max(1, round(step * 0.4)))
        else:
            draw.line((0, k * step, w, k * step), fill=ink, width=max(1, round(step * 0.4)))


def _tiles(image: Image.Image, ink: tuple[int, int, int], rng: random.Random) -> None:
    draw, (w, h) = ImageDraw.Draw(image), image.size
    step = w * rng.uniform(0.06, 0.25)
    other = _colour(rng)
    for row in range(int(h / step) + 1):
        for column in range(int(w / step) + 1):
            x, y = column * step, row * step
            colour = ink if (row + column) % 2 else other
            if rng.random() < 0.8:
                draw.polygon(
                    [
                        (x + step / 2, y),
                        (x + step, y + step / 2),
                        (x + step / 2, y + step),
                        (x, y + step / 2),
                    ],
                    fill=colour,
                )


def _rings(image: Image.Image, ink: tuple[int, int, int], rng: random.Random) -> None:
    draw, (w, h) = ImageDraw.Draw(image), image.size
    for _ in range(rng.randrange(8, 40)):
        x, y, r = rng.uniform(0, w), rng.uniform(0, h), w * rng.uniform(0.03, 0.3)
        draw.ellipse(
            (x - r, y - r, x + r, y + r),
            outline=rng.choice([ink, _colour(rng)]),
            width=max(1, round(w * rng.uniform(0.004, 0.04))),
        )
