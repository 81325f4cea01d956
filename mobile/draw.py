"""Draws the app's icons and splash: three cards and a golf flag. `python mobile/draw.py` writes them all.

Everything is drawn from shapes, twice as large as needed, and made smaller; no picture of anybody else.
"""

from __future__ import annotations

import math
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

HERE = Path(__file__).parent
ASSETS = HERE / "src" / "assets"
WEB = HERE.parent / "companion" / "app" / "assets"
FELT, DEEP, CARD, RED, BLACK, GOLD = "#0f5c3f", "#083a28", "#fffdf6", "#c0182b", "#1c211d", "#f4c95d"
SIZE = 1024
_OVER = 2


def emblem(share: float = 0.8) -> Image.Image:
    """The cards and the flag on nothing, filling a share of the square."""
    side = SIZE * _OVER
    whole = Image.new("RGBA", (side, side))
    unit = side * share / 100
    for turn, suit in ((26.0, "diamond"), (0.0, "spade"), (-26.0, "heart")):
        card = _card(unit, suit)
        turned = card.rotate(turn, Image.Resampling.BICUBIC, expand=True)
        reach = 34 * unit
        x = side / 2 - math.sin(math.radians(turn)) * reach
        y = side / 2 + 38 * unit - math.cos(math.radians(turn)) * reach
        shadow = Image.new("RGBA", whole.size)
        shadow.paste(
            (0, 0, 0, 90),
            (round(x - turned.width / 2 + unit), round(y - turned.height / 2 + 1.4 * unit)),
            turned,
        )
        whole.alpha_composite(shadow.filter(ImageFilter.GaussianBlur(unit * 1.2)))
        whole.alpha_composite(turned, (round(x - turned.width / 2), round(y - turned.height / 2)))
    _flag(ImageDraw.Draw(whole), side, unit)
    return whole.resize((SIZE, SIZE), Image.Resampling.LANCZOS)


def on_felt(share: float, *, corner: float = 0.0) -> Image.Image:
    """The emblem on the table's green; `corner` is the radius as a share of the side."""
    side = SIZE * 2
    ground = Image.new("RGBA", (side, side))
    light = (
        Image.radial_gradient("L")
        .resize((side * 2, side * 2))
        .crop((side // 2, side // 2, side * 3 // 2, side * 3 // 2))
    )
    felt = Image.composite(Image.new("RGBA", ground.size, DEEP), Image.new("RGBA", ground.size, FELT), light)
    mask = Image.new("L", ground.size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), side * corner, fill=255)
    ground.paste(felt, mask=mask)
    ground = ground.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    ground.alpha_composite(emblem(share))
    return ground


def _card(unit: float, suit: str) -> Image.Image:
    width, height = round(44 * unit), round(62 * unit)
    card = Image.new("RGBA", (width, height))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle(
        (0, 0, width - 1, height - 1), 5 * unit, fill=CARD, outline="#cfcab8", width=round(0.6 * unit)
    )
    draw = {"spade": _spade, "heart": _heart, "diamond": _diamond}[suit]
    draw(pen, width / 2, height * 0.36, 13 * unit)
    draw(pen, 7.5 * unit, 8.5 * unit, 4.2 * unit)
    return card


def _heart(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, ink: str = RED) -> None:
    points = [
        (
            x + r * 16 * math.sin(t) ** 3 / 16,
            y - r * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16,
        )
        for t in (step * math.tau / 180 for step in range(180))
    ]
    pen.polygon(points, fill=ink)


def _diamond(pen: ImageDraw.ImageDraw, x: float, y: float, r: float) -> None:
    pen.polygon([(x, y - 1.15 * r), (x + 0.8 * r, y), (x, y + 1.15 * r), (x - 0.8 * r, y)], fill=RED)


def _spade(pen: ImageDraw.ImageDraw, x: float, y: float, r: float) -> None:
    points = [
        (
            x + r * 16 * math.sin(t) ** 3 / 16,
            y
            + r * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16
            - 0.1 * r,
        )
        for t in (step * math.tau / 180 for step in range(180))
    ]
    pen.polygon(points, fill=BLACK)
    pen.polygon(
        [(x - 0.1 * r, y), (x + 0.1 * r, y), (x + 0.45 * r, y + 1.15 * r), (x - 0.45 * r, y + 1.15 * r)],
        fill=BLACK,
    )


def _flag(pen: ImageDraw.ImageDraw, side: float, unit: float) -> None:
    """The flag stands in the hole that the fan's lower end leaves."""
    x, foot, top = side / 2, side / 2 + 47 * unit, side / 2 - 8 * unit
    pen.ellipse((x - 13 * unit, foot - 3.4 * unit, x + 13 * unit, foot + 3.4 * unit), fill="#06281c")
    pen.rounded_rectangle(
        (x - 1.1 * unit, top, x + 1.1 * unit, foot),
        unit,
        fill="#f2efe4",
        outline="#8f8b7c",
        width=round(0.3 * unit),
    )
    pen.polygon(
        [(x + unit, top + 0.5 * unit), (x + 24 * unit, top + 8 * unit), (x + unit, top + 15.5 * unit)],
        fill=GOLD,
    )


def main() -> None:
    """Write every picture that a build and the web app need."""
    ASSETS.mkdir(parents=True, exist_ok=True)
    icons = WEB / "icons"
    icons.mkdir(parents=True, exist_ok=True)
    emblem(0.86).save(ASSETS / "icon.png", optimize=True)
    on_felt(0.80).convert("RGB").save(ASSETS / "icon_ios.png", optimize=True)
    emblem(0.62).save(ASSETS / "icon_android.png", optimize=True)
    emblem(0.60).save(ASSETS / "splash.png", optimize=True)
    app, full = on_felt(0.80, corner=0.2), on_felt(0.62)
    for pixels in (192, 512):
        app.resize((pixels, pixels), Image.Resampling.LANCZOS).save(
            icons / f"icon-{pixels}.png", optimize=True
        )
        full.convert("RGB").resize((pixels, pixels), Image.Resampling.LANCZOS).save(
            icons / f"icon-maskable-{pixels}.png", optimize=True
        )
    on_felt(0.80).convert("RGB").resize((192, 192), Image.Resampling.LANCZOS).save(
        icons / "apple-touch-icon-192.png", optimize=True
    )
    app.resize((384, 384), Image.Resampling.LANCZOS).save(icons / "loading-animation.png", optimize=True)
    app.resize((64, 64), Image.Resampling.LANCZOS).save(WEB / "favicon.png", optimize=True)


if __name__ == "__main__":
    main()
