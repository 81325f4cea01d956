"""Puts one scene together: layout, deck, camera, table, light, optics; and the truth about it."""

from __future__ import annotations

import dataclasses
import math
import random

import cv2
import numpy as np

from datasets.decks.names import HEIGHT, JOKERS, WIDTH
from datasets.decks.store import Deck
from datasets.scene import camera, clutter, light, optics, surface
from datasets.scene.layout import ASPECT, Placed

#: How much of the rank must show for an index to count as there. The suit sign may be covered: where cards
#: lie close, the next card hides it, and the rank alone lets the game go on.
RANK_SEEN = 0.86
#: Part of the rank that must show for people to read it, mostly: half a 10 is a 10.
LEGIBLE = 0.5


@dataclasses.dataclass(frozen=True)
class SeenIndex:
    """One corner index, in pixels: key points, corners (8, 2) of both boxes, parts of rank and suit seen."""

    card: str
    rank_xy: np.ndarray
    suit_xy: np.ndarray
    outline: np.ndarray
    placed: int
    rank_seen: float = 1.0
    suit_seen: float = 1.0


@dataclasses.dataclass(frozen=True)
class Back:
    """A face-down card that shows: its corners (4, 2) in pixels and the part of it that is seen."""

    quad: np.ndarray
    seen: float
    placed: int


@dataclasses.dataclass(frozen=True)
class Scene:
    """``image`` is uint8 RGB; ``quads[i]`` the corners of ``placed[i]``.

    ``indices`` show their rank, ``partial`` show less; ``jokers`` are the places in a joker's corners where
    other cards have their index.
    """

    image: np.ndarray
    placed: list[Placed]
    quads: list[np.ndarray]
    indices: list[SeenIndex]
    partial: list[SeenIndex]
    backs: list[Back]
    jokers: list[SeenIndex]

    @property
    def legible(self) -> list[SeenIndex]:
        """Indices whose rank is not wholly in view, but can be read."""
        return [index for index in self.partial if index.rank_seen >= LEGIBLE]


def compose(
    rng: random.Random, deck: Deck, placed: list[Placed], matrix: np.ndarray, size: tuple[int, int]
) -> Scene:
    """Draw ``placed`` cards of ``deck`` through ``matrix`` (card widths to pixels) into ``size`` (w, h)."""
    width, height = size
    dice = np.random.default_rng(rng.getrandbits(64))
    image = surface.surface(dice, width, height)
    owner = np.full((height, width), -1, np.int16)
    glossy = np.full((height, width), dice.choice([0.15, 0.5, 1.0]), np.float32)
    scale = _local_scale(matrix, placed, size)
    clutter.under(dice, image, scale)
    quads = [camera.project(matrix, card_corners(p)) for p in placed]
    gloss, edge, lift = dice.uniform(0.4, 1.0), dice.uniform(0, 0.5), dice.choice([0.0, 0.004, 0.012])
    shadow = _ShadowStyle(dice, scale)
    for number, (card, quad) in enumerate(zip(placed, quads, strict=True)):
        if not _inside(quad, size):
            continue
        if lift:
            quads[number] = quad = quad + dice.normal(0, lift, (4, 2)).astype(np.float32) * scale
        face = _shown(deck, card)
        texture = _reduced(deck, face, quad)
        _draw(image, owner, glossy, number, texture, quad, shadow, (gloss, edge), dice)
    clutter.over(dice, image, owner, scale)
    light.illuminate(dice, image, glossy)
    labels = _labels(deck, placed, quads, owner, size)
    heights = [2.1 * float(np.hypot(*(i.suit_xy - i.rank_xy))) for i in labels.indices]
    shot = optics.photograph(dice, image, float(np.median(heights)) if heights else 20.0)
    return dataclasses.replace(labels, image=shot)


def _shown(deck: Deck, card: Placed) -> str:
    """The face that is drawn: a deck without jokers lays a face-down card instead."""
    return card.face if card.face in deck else "back"


class _ShadowStyle:
    def __init__(self, dice: np.random.Generator, scale: float) -> None:
        angle = dice.uniform(0, 2 * math.pi)
        reach = dice.uniform(0.005, 0.05) * scale
        self.offset = np.array([math.cos(angle), math.sin(angle)]) * reach
        self.sigma = max(0.6, dice.uniform(0.3, 1.2) * reach)
        self.depth = dice.uniform(0.15, 0.6)


def card_corners(card: Placed) -> np.ndarray:
    """Corners (4, 2) of a card in card widths, from its top left clockwise."""
    c, s = math.cos(card.turn), math.sin(card.turn)
    half = np.array([[-0.5, -ASPECT / 2], [0.5, -ASPECT / 2], [0.5, ASPECT / 2], [-0.5, ASPECT / 2]])
    return half @ np.array([[c, s], [-s, c]]) + (card.x, card.y)


def _local_scale(matrix: np.ndarray, placed: list[Placed], size: tuple[int, int]) -> float:
    """Pixels a card width near the picture's middle."""
    centres = np.array([[p.x, p.y] for p in placed])
    seen = camera.project(matrix, centres)
    nearest = int(np.argmin(((seen - np.array(size) / 2) ** 2).sum(1)))
    quad = camera.project(matrix, card_corners(placed[nearest]))
    return max(4.0, float(math.sqrt(abs(cv2.contourArea(quad.astype(np.float32))) / ASPECT)))


def _inside(quad: np.ndarray, size: tuple[int, int]) -> bool:
    low, high = quad.min(0), quad.max(0)
    return bool(
        np.isfinite(quad).all()
        and high[0] > 1
        and high[1] > 1
        and low[0] < size[0] - 1
        and low[1] < size[1] - 1
    )


def _draw(
    image: np.ndarray, owner: np.ndarray, glossy: np.ndarray, number: int, texture: np.ndarray,
    quad: np.ndarray,    shadow: _ShadowStyle, look: tuple[float, float], dice: np.random.Generator,
) -> None:  # fmt: skip
    height, width = owner.shape
    pad = int(3 * shadow.sigma + np.abs(shadow.offset).max() + 3)
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - pad, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + pad, (width, height))
    if x1 - x0 < 2 or y1 - y0 < 2 or (x1 - x0) > 4 * width:
        return
    view = image[y0:y1, x0:x1]
    _cast(view, quad - (x0, y0), shadow)
    th, tw = texture.shape[:2]
    source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - (x0, y0)).astype(np.float32))
    drawn = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = drawn[..., 3:].astype(np.float32) / 255
    colour = drawn[..., :3].astype(np.float32)
    gloss, edge = look
    if edge > 0.1:  # the rim of a card catches less light
        rim = cv2.blur(alpha, (3, 3))[..., None]
        colour *= 1 - edge * (1 - rim)
    shade = (
        1
        + dice.normal(0, 0.03)
        + dice.normal(0, 0.04) * np.linspace(-1, 1, x1 - x0, dtype=np.float32)[None, :, None]
    )
    colour *= shade
    view *= 1 - alpha
    view += colour * alpha
    solid = alpha[..., 0] > 0.5
    owner[y0:y1, x0:x1][solid] = number
    glossy[y0:y1, x0:x1][solid] = gloss


def _cast(view: np.ndarray, quad: np.ndarray, shadow: _ShadowStyle) -> None:
    mask = np.zeros(view.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.round(quad + shadow.offset).astype(np.int32), 1.0, cv2.LINE_AA)
    view *= 1 - shadow.depth * cv2.GaussianBlur(mask, (0, 0), shadow.sigma)[..., None]


def _reduced(deck: Deck, name: str, quad: np.ndarray) -> np.ndarray:
    """The texture near the size it is drawn at, so that nothing is skipped."""
    across = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[3] - quad[0]))
    want_w, want_h = max(8, round(1.15 * across[0])), max(8, round(1.15 * across[1]))
    face = deck.face(name, max(want_w, want_h * WIDTH / HEIGHT))
    if want_w >= WIDTH or want_h >= HEIGHT:
        return np.ascontiguousarray(face)
    return cv2.resize(face, (want_w, want_h), interpolation=cv2.INTER_AREA)


def _labels(
    deck: Deck, placed: list[Placed], quads: list[np.ndarray], owner: np.ndarray, size: tuple[int, int]
) -> Scene:
    """The scene without its picture."""
    texture = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    scene = Scene(np.zeros(0, np.uint8), placed, quads, [], [], [], [])
    for number, (card, quad) in enumerate(zip(placed, quads, strict=True)):
        if not _inside(quad, size):
            continue
        matrix = cv2.getPerspectiveTransform(texture, quad.astype(np.float32))
        face = _shown(deck, card)
        if face == "back":
            seen = _seen(
                owner, matrix, (0.04 * WIDTH, 0.03 * HEIGHT, 0.96 * WIDTH, 0.97 * HEIGHT), number, 12
            )
            if seen > 0.03:
                scene.backs.append(Back(quad, seen, number))
            continue
        for rank, suit in index_places(deck, face):
            rank_seen, suit_seen = _seen(owner, matrix, rank, number), _seen(owner, matrix, suit, number)
            points = np.array([_middle(rank), _middle(suit), *_box_corners(rank), *_box_corners(suit)])
            points = camera.project(matrix, points)
            index = SeenIndex(face, points[0], points[1], points[2:], number, rank_seen, suit_seen)
            in_picture = bool((points[1] > 0).all() and (points[1] < size).all())
            if rank_seen >= RANK_SEEN and in_picture:
                (scene.jokers if face in JOKERS else scene.indices).append(index)
            elif face not in JOKERS and (rank_seen > 0.1 or suit_seen > 0.3):
                scene.partial.append(index)
    return scene


def index_places(deck: Deck, face: str) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Rank and suit boxes in texture pixels, for each corner of a face; a joker's as most cards have them."""
    geometry = deck.index.get(face) or deck.usual_index
    first = (geometry.rank, geometry.suit)
    places = [first, tuple(_turned(b) for b in first)]
    if geometry.corners == 4:
        right = tuple((WIDTH - b[2], b[1], WIDTH - b[0], b[3]) for b in first)
        places += [right, tuple(_turned(b) for b in right)]
    return places  # type: ignore[return-value]


def _turned(box: tuple[float, ...]) -> tuple[float, ...]:
    return (WIDTH - box[2], HEIGHT - box[3], WIDTH - box[0], HEIGHT - box[1])


def _middle(box: tuple[float, ...]) -> tuple[float, float]:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _box_corners(box: tuple[float, ...]) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = box
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _seen(owner: np.ndarray, matrix: np.ndarray, box: tuple[float, ...], number: int, grid: int = 6) -> float:
    """Which part of a box of texture ``number`` shows in the picture, 0 to 1."""
    xs, ys = np.meshgrid(np.linspace(box[0], box[2], grid), np.linspace(box[1], box[3], grid))
    points = camera.project(matrix, np.stack([xs.ravel(), ys.ravel()], 1))
    columns, rows = np.floor(points).astype(int).T
    inside = (columns >= 0) & (rows >= 0) & (columns < owner.shape[1]) & (rows < owner.shape[0])
    hit = owner[rows[inside], columns[inside]] == number
    return float(hit.sum()) / len(points)
