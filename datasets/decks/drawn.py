"""Decks drawn from fonts: every proportion that real decks vary is drawn at random, by seed.

Figures behind the ranges: a standard index on a poker-size card is about 10 mm high with its suit sign
(11 % of the card's height), a jumbo index up to 25 %.
"""

from __future__ import annotations

import colorsys
import dataclasses
import math
import random

from PIL import Image, ImageDraw, ImageFont

from datasets.decks.backs import draw_back
from datasets.decks.fonts import index_fonts
from datasets.decks.geometry import IndexGeometry
from datasets.decks.names import CARDS, FACES, HEIGHT, WIDTH
from datasets.decks.suits import suit_masks

_LETTERS = (
    ({"J": "J", "Q": "Q", "K": "K"}, 0.64),
    ({"J": "B", "Q": "D", "K": "K"}, 0.14),
    ({"J": "Kn", "Q": "D", "K": "K"}, 0.11),
    ({"J": "V", "Q": "D", "K": "R"}, 0.11),
)
#: Pip places of the number cards, as parts of the field between the indices.
_PIPS = {
    "A": [(0.5, 0.5)], "2": [(0.5, 0), (0.5, 1)], "3": [(0.5, 0), (0.5, 0.5), (0.5, 1)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)], "5": [(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "8": [(0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)],
    "9": [(0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)],
    "T": [
        (0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3),
        (0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1),
    ],
}  # fmt: skip
_SCALE = 2  # drawn larger, then reduced
#: As parts of the card's height: no real sign is higher, no real deck has ranks this high in four corners.
_HIGHEST_SIGN, _WIDE_RANK = 0.17, 0.14


@dataclasses.dataclass
class _Style:
    paper: tuple[int, int, int]
    inks: dict[str, tuple[int, int, int]]
    font: str
    letters: dict[str, str]
    rank_height: float
    suit_height: float
    stretch: float
    margin: tuple[float, float]
    gap: float
    corners: int
    align_left: bool
    signs: dict[str, Image.Image]
    pip_height: float
    field: tuple[float, float]
    frame: float
    court_pip: bool
    border: float
    radius: float
    clear_corner: bool
    one_pip: bool


def draw_deck(
    seed: int, courts: dict[str, list[Image.Image]], mixed: bool = False
) -> tuple[dict[str, Image.Image], dict[str, IndexGeometry]]:
    """One deck by seed: RGBA faces and the place of each index.

    ``courts`` are figures by suit for the frames of court cards, for a figure may hold its suit's sign;
    without any, patterns are drawn. With ``mixed`` each card's print is of another style, on one paper:
    no real deck is like that, but a reader sees fifty styles where it saw one.
    """
    rng = random.Random(f"mixed {seed}" if mixed else f"deck {seed}")
    style = _style(rng)
    faces, index = {}, {}
    for name in CARDS:
        print_ = _other_print(rng, style) if mixed else style
        faces[name], index[name] = _face(name, print_, rng, courts)
    for name in ("J1", "J2"):
        faces[name] = _joker(name, style, rng, courts)
    faces["back"] = _rounded(draw_back(rng, WIDTH * _SCALE, HEIGHT * _SCALE), style.radius)
    return {n: faces[n] for n in FACES}, index


def _style(rng: random.Random) -> _Style:
    _, files = rng.choice(index_fonts())
    jumbo = rng.random() < 0.25
    rank = rng.uniform(0.12, 0.2) if jumbo else rng.uniform(0.062, 0.115)
    red = _hsv(
        rng.choice([rng.uniform(-0.035, 0.0), rng.uniform(0.0, 0.03)]),
        rng.uniform(0.75, 1),
        rng.uniform(0.55, 0.95),
    )
    black = _hsv(rng.random(), rng.uniform(0, 0.25), rng.uniform(0.0, 0.28))
    inks = {"H": red, "D": red, "S": black, "C": black}
    if rng.random() < 0.16:
        inks["D"] = _hsv(
            rng.choice([rng.uniform(0.55, 0.64), rng.uniform(0.07, 0.14)]), 0.95, rng.uniform(0.6, 0.9)
        )
        inks["C"] = _hsv(rng.uniform(0.32, 0.42), rng.uniform(0.7, 1), rng.uniform(0.35, 0.6))
    white = rng.uniform(0.9, 1)
    paper = tuple(
        round(255 * white * c) for c in (1, rng.uniform(0.97, 1), rng.choice([rng.uniform(0.85, 1), 1]))
    )
    field_x = rng.uniform(0.26, 0.34)
    suit = min(rank * rng.choice([rng.uniform(0.5, 0.95), rng.uniform(0.85, 1.5)]), _HIGHEST_SIGN)
    return _Style(
        paper=paper,  # type: ignore[arg-type]
        inks=inks,
        font=rng.choice(files),
        letters=rng.choices([m for m, _ in _LETTERS], [w for _, w in _LETTERS])[0],
        rank_height=rank,
        suit_height=suit,
        stretch=rng.choice([1.0, rng.uniform(0.55, 1.15), rng.uniform(0.6, 0.85)]),
        margin=(rng.uniform(0.025, 0.07), rng.uniform(0.02, 0.055)),
        gap=rng.choice([rng.uniform(0.004, 0.022), rng.uniform(0.004, 0.05)]),
        corners=4 if rng.random() < 0.22 and rank < _WIDE_RANK else 2,
        align_left=rng.random() < 0.15,
        signs=suit_masks(rng),
        pip_height=rng.uniform(0.09, 0.17),
        field=(field_x, rng.uniform(0.14, 0.2)),
        frame=rng.choice([0.0, rng.uniform(0.12, 0.2)]),
        court_pip=rng.random() < 0.75,
        border=rng.choice([0.0, 0.0, rng.uniform(0.004, 0.012)]),
        radius=rng.uniform(0.035, 0.07),
        clear_corner=rng.random() < 0.8,
        one_pip=rng.random() < (0.3 if jumbo else 0.03),
    )


def _other_print(rng: random.Random, style: _Style) -> _Style:
    """Another style on the same paper."""
    return dataclasses.replace(_style(rng), paper=style.paper, radius=style.radius, border=style.border)


def _face(
    name: str, style: _Style, rng: random.Random, courts: dict[str, list[Image.Image]]
) -> tuple[Image.Image, IndexGeometry]:
    rank, suit = name
    width, height = WIDTH * _SCALE, HEIGHT * _SCALE
    image = Image.new("RGB", (width, height), style.paper)
    if rank in "JQK":
        _court(image, style, suit, rng, courts)
    else:
        _pips(image, style, rank, suit, rng)
    ink = style.inks[suit]
    label = {"T": "10", **style.letters}.get(rank, rank)
    glyph = _label(label, style)
    sign = style.signs[suit]
    sign_h = max(6, round(style.suit_height * height))
    sign = sign.resize((max(4, round(sign.width * sign_h / sign.height)), sign_h), Image.Resampling.LANCZOS)
    widest = _label("8", style).width
    centre = style.margin[0] * width + max(widest, sign.width) / 2
    x = style.margin[0] * width if style.align_left else centre - glyph.width / 2
    x = max(0.012 * width, x)
    top = style.margin[1] * height
    below = top + glyph.height + style.gap * height
    places = [(glyph, x, top), (sign, centre - sign.width / 2, below)]
    if rank in "JQK" and style.clear_corner:
        _clear_corners(image, style, places)
    if style.corners == 4:
        for mask, px, py in places:
            image.paste(ink, (round(width - px - mask.width), round(py)), mask)
    for mask, px, py in places:
        image.paste(ink, (round(px), round(py)), mask)
    _turn_in(image, style, ink, places)
    boxes = [tuple(v / _SCALE for v in (px, py, px + m.width, py + m.height)) for m, px, py in places]
    return _rounded(image, style.radius, style.border), IndexGeometry(boxes[0], boxes[1], style.corners)


def _clear_corners(image: Image.Image, style: _Style, places: list) -> None:
    """Paper under the indices: on most decks the frame of a court card leaves the corner free."""
    width, height = image.size
    right = max(x + m.width for m, x, _ in places) + 0.015 * width
    bottom = max(y + m.height for m, _, y in places) + 0.012 * height
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, right, bottom), fill=style.paper)
    draw.rectangle((width - right, height - bottom, width, height), fill=style.paper)
    if style.corners == 4:
        draw.rectangle((width - right, 0, width, bottom), fill=style.paper)
        draw.rectangle((0, height - bottom, right, height), fill=style.paper)


def _turn_in(image: Image.Image, style: _Style, ink: tuple[int, int, int], places: list) -> None:
    """The lower half's indices, turned by 180 degrees."""
    width, height = image.size
    for mask, px, py in places:
        turned = mask.rotate(180)
        image.paste(ink, (round(width - px - mask.width), round(height - py - mask.height)), turned)
        if style.corners == 4:
            image.paste(ink, (round(px), round(height - py - mask.height)), turned)


def _label(text: str, style: _Style) -> Image.Image:
    """A rank as a mask of the deck's height; the two figures of 10 stand close."""
    size = 300
    font = ImageFont.truetype(style.font, size)
    canvas = Image.new("L", (size * 3, size * 2))
    draw = ImageDraw.Draw(canvas)
    if text == "10":
        one, nought = font.getbbox("1"), font.getbbox("0")
        draw.text((size // 2 - one[0], size // 4), "1", fill=255, font=font)
        draw.text(
            (size // 2 + one[2] - one[0] + 0.06 * size - nought[0], size // 4), "0", fill=255, font=font
        )
    else:
        draw.text((size // 2, size // 4), text, fill=255, font=font)
    mask = canvas.crop(canvas.getbbox())
    height = round(style.rank_height * HEIGHT * _SCALE)
    if text == "Q":  # the tail hangs below the line
        height = round(height * min(1.3, mask.height / max(1, _cap_height(font))))
    squeeze = style.stretch * (0.78 if len(text) > 1 else 1.0)
    width = round(mask.width * height / mask.height * squeeze)
    return mask.resize((max(3, width), max(6, height)), Image.Resampling.LANCZOS)


def _cap_height(font: ImageFont.FreeTypeFont) -> float:
    box = font.getbbox("K")
    return box[3] - box[1]


def _pips(image: Image.Image, style: _Style, rank: str, suit: str, rng: random.Random) -> None:
    width, height = image.size
    mask = style.signs[suit]
    # decks for weak eyes print one large sign on every number card
    alone = rank == "A" or style.one_pip
    tall = style.pip_height * height * (rng.choice([1.0, 1.6, 2.4]) if alone else 1)
    mask = mask.resize(
        (max(4, round(mask.width * tall / mask.height)), round(tall)), Image.Resampling.LANCZOS
    )
    x0, y0 = style.field
    for u, v in _PIPS["A" if alone else rank]:
        x, y = width * (x0 + (1 - 2 * x0) * u), height * (y0 + (1 - 2 * y0) * v)
        shape = mask.rotate(180) if v > 0.5 else mask
        image.paste(style.inks[suit], (round(x - mask.width / 2), round(y - mask.height / 2)), shape)


def _court(
    image: Image.Image, style: _Style, suit: str, rng: random.Random, courts: dict[str, list[Image.Image]]
) -> None:
    width, height = image.size
    inset = style.frame or rng.uniform(0.1, 0.22)
    box = (
        round(inset * width),
        round(inset * 0.62 * height),
        round((1 - inset) * width),
        round((1 - inset * 0.62) * height),
    )
    size = (box[2] - box[0], box[3] - box[1])
    printed = courts and rng.random() < 0.8
    figure = rng.choice(courts[suit]).resize(size) if printed else draw_back(rng, *size)
    image.paste(figure, box[:2])
    if style.frame:
        colour = rng.choice([(20, 20, 20), (30, 50, 120), style.inks[suit]])
        ImageDraw.Draw(image).rectangle(box, outline=colour, width=max(2, width // 150))
    if style.court_pip:
        mask = style.signs[suit]
        tall = round(rng.uniform(0.08, 0.13) * height)
        mask = mask.resize((max(4, round(mask.width * tall / mask.height)), tall), Image.Resampling.LANCZOS)
        x, y = box[0] + 0.02 * width, box[1] + 0.015 * height
        image.paste(style.inks[suit], (round(x), round(y)), mask)
        image.paste(
            style.inks[suit], (round(width - x - mask.width), round(height - y - tall)), mask.rotate(180)
        )


def _joker(name: str, style: _Style, rng: random.Random, courts: dict[str, list[Image.Image]]) -> Image.Image:
    width, height = WIDTH * _SCALE, HEIGHT * _SCALE
    image = Image.new("RGB", (width, height), style.paper)
    box = (round(0.22 * width), round(0.16 * height))
    size = (width - 2 * box[0], height - 2 * box[1])
    image.paste(rng.choice(courts[rng.choice("SHDC")]).resize(size) if courts else draw_back(rng, *size), box)
    ink = style.inks["S" if name == "J1" else "H"]
    corner = Image.new("L", (width, height))
    _joker_corner(ImageDraw.Draw(corner), style, rng, (width, height))
    image.paste(ink, (0, 0), corner)
    image.paste(ink, (0, 0), corner.rotate(180))
    return _rounded(image, style.radius, style.border)


def _joker_corner(
    draw: ImageDraw.ImageDraw, style: _Style, rng: random.Random, size: tuple[int, int]
) -> None:
    """What jokers have for an index: the word down the edge, a star, a J over a star, or the word across."""
    width, height = size
    x, y = style.margin[0] * width, style.margin[1] * height
    kind = rng.choices(["down", "star", "J", "star and word", "across"], [0.4, 0.2, 0.1, 0.2, 0.1])[0]
    if kind in ("star", "star and word", "J"):
        if kind == "J":
            letter = ImageFont.truetype(style.font, round(style.rank_height * height))
            draw.text((x, y), "J", fill=255, font=letter, anchor="lt")
            y += style.rank_height * height
        radius = rng.uniform(0.028, 0.055) * width * (1.4 if style.rank_height > 0.12 else 1)
        _star(draw, (x + radius, y + radius), radius, outlined=rng.random() < 0.25)
        y += 2.2 * radius
    if kind in ("down", "star and word"):
        letter_height = rng.uniform(0.026, 0.06 if kind == "down" else 0.04) * height
        font = ImageFont.truetype(style.font, round(letter_height))
        for row, letter_ in enumerate("JOKER"):
            at = (x + 0.4 * letter_height, y + row * letter_height * 1.02)
            draw.text(at, letter_, fill=255, font=font, anchor="mt")
    if kind == "across":
        draw.text((x, y), "JOKER", fill=255, font=ImageFont.truetype(style.font, round(0.05 * height)))


def _star(draw: ImageDraw.ImageDraw, at: tuple[float, float], radius: float, outlined: bool) -> None:
    spokes = [
        (
            at[0] + radius * (1 if k % 2 == 0 else 0.4) * math.sin(k * math.pi / 5),
            at[1] - radius * (1 if k % 2 == 0 else 0.4) * math.cos(k * math.pi / 5),
        )
        for k in range(10)
    ]
    draw.polygon(spokes, outline=255, fill=None if outlined else 255)


def _rounded(image: Image.Image, radius: float, border: float = 0.0) -> Image.Image:
    """The face with round corners (alpha), at texture size."""
    width, height = image.size
    mask = Image.new("L", image.size)
    box = (0, 0, width - 1, height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * width, fill=255)
    if border:
        ImageDraw.Draw(image).rounded_rectangle(
            box, radius * width, outline=(60, 60, 60), width=round(border * width)
        )
    image = image.convert("RGBA")
    image.putalpha(mask)
    return image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _hsv(hue: float, saturation: float, value: float) -> tuple[int, int, int]:
    return tuple(round(255 * c) for c in colorsys.hsv_to_rgb(hue % 1, saturation, value))  # type: ignore[return-value]
