"""Draws what was read over the photo: a name at each card, its shape and colour telling how sure it is.

A sure card is a white plate with round corners, an unsure one an amber plate with pointed ends and a
question mark, an unread one a red eight-cornered plate.  Names stand upright on the picture, whatever the
camera's turn.  A line joins the cards of a column from the buried to the exposed one, which has a ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from .photo import Photo
from .scan import Scan, ScannedCard
from .types import UNREAD, Point, Quad

_FONT = Path(__file__).parents[1] / "assets" / "fonts" / "DejaVuSans-Bold.ttf"
_LARGEST_SIDE = 2400
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_BLACK, _RED, _WHITE = (20, 20, 20), (176, 0, 24), (255, 255, 255)
_SURE, _UNSURE, _UNREAD_FILL = (255, 255, 255), (255, 191, 0), (196, 30, 30)
_LINE = (0, 114, 178)
_PLATE, _LEAST = 1.36, 9
"""Height of a plate in heights of its letters, and the least height of letters in pixels."""


def draw_overlay(photo: Photo, scan: Scan) -> Pillow.Image:
    """The photo with the cards of its scan drawn over it, an RGB picture of at most 2400 pixels a side."""
    picture = Pillow.fromarray(photo.pixels)
    shrink = min(1.0, _LARGEST_SIDE / max(picture.size))
    if shrink < 1:
        picture = picture.resize(
            (round(picture.width * shrink), round(picture.height * shrink)), Pillow.Resampling.BOX
        )
    scale = picture.width / scan.width
    draw = ImageDraw.Draw(picture)
    places = _places(scan, scale)
    size = _text_size(scan, scale, picture.size)
    for column in range(len(scan.columns)):
        line = [
            places[k] for k, card in enumerate(scan.cards) if card.where == "column" and card.column == column
        ]
        if len(line) > 1:
            draw.line(line, fill=_LINE, width=max(2, size // 7))
        _ring(draw, line[-1], size)
    for card, place in zip(scan.cards, places, strict=True):
        _plate(draw, card, place, size)
    return picture


def _places(scan: Scan, scale: float) -> list[Point]:
    """Where names go: in the middle of an exposed card, on the visible strip of a covered one."""
    last = {card.column: k for k, card in enumerate(scan.cards) if card.where == "column"}
    places: list[Point | None] = []
    for k, card in enumerate(scan.cards):
        if card.index is None or card.outline is None:
            places.append(None)
        elif card.where == "discard" or last.get(card.column) == k:
            places.append(_middle(card.outline, scale))
        elif card.where == "column":
            # beside the index, so that it can be compared with its name
            along = np.subtract(card.outline[1], card.outline[0]) * 0.3 * scale
            x, y = _middle(card.index, scale)
            side = np.sign(np.dot(np.mean(card.outline, 0) - np.mean(card.index, 0), along)) or 1.0
            places.append((x + side * float(along[0]), y + side * float(along[1])))
        else:
            places.append(_middle(card.index, scale))
    return [place or _between(places, k) for k, place in enumerate(places)]


def _middle(quad: Quad, scale: float) -> Point:
    x, y = np.mean(quad, 0) * scale
    return float(x), float(y)


def _between(places: Sequence[Point | None], k: int) -> Point:
    """The place of a card that was not found: between its neighbours."""
    near = [place for place in (*places[max(k - 1, 0) : k], *places[k + 1 : k + 2]) if place]
    return (sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)) if near else (0.0, 0.0)


def _text_size(scan: Scan, scale: float, size: tuple[int, int]) -> int:
    """Height of the letters: large, but so that names in one column don't hide each other."""
    heights = [np.hypot(*np.subtract(c.index[0], c.index[3])) for c in scan.cards if c.index is not None]
    tall = float(np.median(heights)) * scale if heights else 24.0
    wanted = min(max(tall * 0.7, 13), max(size) / 40)
    return round(max(min(wanted, _narrowest_step(scan) * scale / _PLATE), _LEAST, max(size) / 140))


def _narrowest_step(scan: Scan) -> float:
    """From a covered card to the next in its column, in pixels of the photo, where it is narrow."""
    steps = []
    for here, below in pairwise(scan.cards):
        if (
            here.where == below.where == "column"
            and here.column == below.column
            and here.index
            and below.index
        ):
            steps.append(float(np.hypot(*(np.mean(here.index, 0) - np.mean(below.index, 0)))))
    return float(np.quantile(steps, 0.1)) if steps else np.inf


def _ring(draw: ImageDraw.ImageDraw, place: Point, size: int) -> None:
    x, y = place
    reach = size * 1.7
    draw.ellipse((x - reach, y - reach, x + reach, y + reach), outline=_LINE, width=max(2, size // 7))


def _plate(draw: ImageDraw.ImageDraw, card: ScannedCard, place: Point, size: int) -> None:
    text, ink = _text(card)
    font = _font(size)
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    half_wide, half_tall = (right - left) / 2 + size * 0.3, size * _PLATE / 2
    x, y = place
    box = (x - half_wide, y - half_tall, x + half_wide, y + half_tall)
    edge = max(1, size // 10)
    if card.card == UNREAD:
        draw.polygon(_cornered(box, half_tall * 0.6), fill=_UNREAD_FILL, outline=_WHITE, width=edge)
    elif card.sure:
        draw.rounded_rectangle(box, radius=size * 0.35, fill=_SURE, outline=_BLACK, width=edge)
    else:
        points = [
            (box[0], box[1]),
            (box[2], box[1]),
            (box[2] + half_tall, y),
            (box[2], box[3]),
            (box[0], box[3]),
            (box[0] - half_tall, y),
        ]
        draw.polygon(points, fill=_UNSURE, outline=_BLACK, width=edge)
    draw.text((x - (left + right) / 2, y - (top + bottom) / 2), text, font=font, fill=ink)


def _cornered(box: tuple[float, float, float, float], cut: float) -> Sequence[Point]:
    left, top, right, bottom = box
    return [
        (left + cut, top),
        (right - cut, top),
        (right, top + cut),
        (right, bottom - cut),
        (right - cut, bottom),
        (left + cut, bottom),
        (left, bottom - cut),
        (left, top + cut),
    ]


def _text(card: ScannedCard) -> tuple[str, tuple[int, int, int]]:
    if card.card == UNREAD:
        return UNREAD, _WHITE
    if card.card.startswith("J") and card.card[1].isdigit():
        name, ink = "★", _BLACK
    else:
        rank, suit = card.card[0], card.card[1]
        name, ink = ("10" if rank == "T" else rank) + _SIGNS[suit], _RED if suit in "HD" else _BLACK
    return (name if card.sure else f"{name}?"), ink


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONT), size)
