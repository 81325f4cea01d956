"""Things that are not cards: under them (papers, coins, cups) and over them (hands, pens, chips)."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from datasets.decks.fonts import index_fonts
from datasets.scene.surface import colour

_LETTERS = list("A23456789TJQK10BDVREabcdefghiklmnoprstuy.,-&%$")


def under(dice: np.random.Generator, image: np.ndarray, scale: float) -> None:
    """Draw clutter on the bare table; ``scale`` is a card's width in pixels."""
    if dice.random() < 0.45:
        for _ in range(int(dice.integers(1, 6))):
            [_sheet, _sheet, _disc, _stick][int(dice.integers(0, 4))](dice, image, None, scale)


def over(dice: np.random.Generator, image: np.ndarray, owner: np.ndarray, scale: float) -> None:
    """Draw what lies on or reaches over the cards; covered pixels get owner -2."""
    if dice.random() < 0.16:
        for _ in range(int(dice.integers(1, 3))):
            [_hand, _stick, _disc][int(dice.integers(0, 3))](dice, image, owner, scale)


def _place(dice: np.random.Generator, image: np.ndarray) -> np.ndarray:
    return dice.uniform(-0.05, 1.05, 2) * (image.shape[1], image.shape[0])


def _fill(
    image: np.ndarray, owner: np.ndarray | None, polygon: np.ndarray, ink: np.ndarray, soft: float = 0.0
) -> None:
    points = np.round(polygon).astype(np.int32)
    x0, y0 = np.maximum(points.min(0) - 4, 0)
    x1, y1 = np.minimum(points.max(0) + 5, (image.shape[1], image.shape[0]))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillPoly(mask, [points - (x0, y0)], 1.0, cv2.LINE_AA)
    if owner is not None:
        owner[y0:y1, x0:x1][mask > 0.5] = -2
    if soft:
        mask = cv2.GaussianBlur(mask, (0, 0), soft)
    view = image[y0:y1, x0:x1]
    view += (ink - view) * mask[..., None]


def _turned_box(centre: np.ndarray, size: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
    return half @ np.array([[c, s], [-s, c]]) + centre


def _sheet(dice: np.random.Generator, image: np.ndarray, owner: np.ndarray | None, scale: float) -> None:
    """A paper, book, box or phone with print on it."""
    w, h = (dice.uniform(0.6, 4, 2) * scale).clip(12, 900)
    paper = np.empty((int(h), int(w), 3), np.uint8)
    paper[:] = colour(dice, (0, 0.6), (0.1, 1)) if dice.random() < 0.6 else (235, 235, 230)
    paper = _printed(dice, paper, scale)
    quad = _turned_box(_place(dice, image), np.array([w, h]), dice.uniform(0, 2 * np.pi)).astype(np.float32)
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad)
    cv2.warpPerspective(
        paper.astype(np.float32),
        matrix,
        (image.shape[1], image.shape[0]),
        dst=image,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def _printed(dice: np.random.Generator, paper: np.ndarray, scale: float) -> np.ndarray:
    """Paper with lines of print, as newspapers, books and boxes have: finders take letters for indices."""
    page = Image.fromarray(paper)
    pen = ImageDraw.Draw(page)
    for _ in range(int(dice.integers(0, 4))):
        large = dice.random() < 0.5
        size = dice.uniform(0.12, 0.7) * scale if large else dice.uniform(0.04, 0.12) * scale
        if size < 5:
            continue
        families = index_fonts()
        files = families[int(dice.integers(0, len(families)))][1]
        font = ImageFont.truetype(files[int(dice.integers(0, len(files)))], round(size))
        left, top = (int(dice.integers(-10, side)) for side in (paper.shape[1], paper.shape[0]))
        ink = tuple(colour(dice).astype(int).tolist()) if dice.random() < 0.5 else (30, 30, 30)
        for line in range(1 if dice.random() < 0.5 else int(dice.integers(2, 9))):
            words = ("".join(dice.choice(_LETTERS, int(dice.integers(1, 8)))) for _ in range(6))
            pen.text((left, top + line * 1.25 * size), " ".join(words), font=font, fill=ink)
    return np.asarray(page)


def _disc(dice: np.random.Generator, image: np.ndarray, owner: np.ndarray | None, scale: float) -> None:
    """A coin, chip, cup or plate."""
    radius = dice.choice([0.15, 0.2, 0.35, 0.8]) * scale * (0.5 if owner is not None else 1)
    angles = np.linspace(0, 2 * np.pi, 40)
    circle = np.stack([np.cos(angles), np.sin(angles)], 1)
    centre = _place(dice, image)
    for part in np.sort(dice.uniform(0.3, 1, int(dice.integers(1, 4))))[::-1]:
        _fill(image, owner, circle * radius * part + centre, colour(dice))


def _stick(dice: np.random.Generator, image: np.ndarray, owner: np.ndarray | None, scale: float) -> None:
    """A pen, a ruler, the edge of a score sheet."""
    size = np.array([dice.uniform(1, 3), dice.uniform(0.06, 0.2)]) * scale
    _fill(image, owner, _turned_box(_place(dice, image), size, dice.uniform(0, np.pi)), colour(dice))


def _hand(dice: np.random.Generator, image: np.ndarray, owner: np.ndarray | None, scale: float) -> None:
    """A skin-coloured arm with fingers, from the picture's edge."""
    skin = (
        np.array(
            colorsys.hsv_to_rgb(dice.uniform(0.02, 0.09), dice.uniform(0.25, 0.65), dice.uniform(0.25, 0.95)),
            np.float32,
        )
        * 255
    )
    tip = _place(dice, image)
    angle = dice.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    for k in range(int(dice.integers(1, 5))):
        spread = dice.normal(0, 0.15)
        way = np.array([np.cos(angle + spread), np.sin(angle + spread)])
        start = tip + np.array([-away[1], away[0]]) * (k - 1.5) * 0.3 * scale
        middle = start + way * 0.6 * scale
        _fill(
            image,
            owner,
            _turned_box(middle, np.array([1.3, 0.26]) * scale, angle + spread),
            skin * dice.uniform(0.9, 1.05),
            1.5,
        )
    palm = tip + away * 1.9 * scale
    angles = np.linspace(0, 2 * np.pi, 24)
    blob = np.stack([np.cos(angles), np.sin(angles)], 1) * dice.uniform(0.55, 0.85) * scale + palm
    _fill(image, owner, blob, skin, 2.0)
    _fill(
        image,
        owner,
        _turned_box(palm + away * 4 * scale, np.array([8.0, 0.9]) * scale, angle),
        skin * 0.97,
        2.0,
    )
