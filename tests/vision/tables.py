"""Simulated tables: cards laid on a plane, seen by a tilted camera, told as key points and readings.

Lengths on the table are millimetres, x to the right and y towards the player.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.vision.types import NAMES, RANKS, SUITS, Back, Finds, Index, Reading

WIDTH, HEIGHT = 63.5, 88.9


@dataclass
class Laid:
    """A card on the table: its centre, its turn in degrees, and where the truth says it belongs."""

    name: str
    x: float
    y: float
    turn: float = 0.0
    where: str = "loose"
    column: int = 0

    def place(self, local: np.ndarray) -> np.ndarray:
        """Table points of points on the card, which are given from its centre."""
        a = np.radians(self.turn)
        rotation = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        return local @ rotation.T + (self.x, self.y)

    def covers(self, points: np.ndarray) -> np.ndarray:
        a = np.radians(self.turn)
        rotation = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        local = (points - (self.x, self.y)) @ rotation
        return (np.abs(local[:, 0]) < WIDTH / 2) & (np.abs(local[:, 1]) < HEIGHT / 2)


@dataclass
class Design:
    """Where a deck prints its indices, in millimetres from the corner."""

    inset_x: float = 5.5
    rank_y: float = 8.0
    suit_y: float = 14.5
    corners: int = 2

    @staticmethod
    def random(rng: np.random.Generator) -> Design:
        jumbo = rng.random() < 0.25
        four = rng.random() < 0.25
        rank_y = rng.uniform(8.5, 11) if jumbo else rng.uniform(6, 9)
        gap = rng.uniform(9, 12) if jumbo else rng.uniform(5, 8)
        return Design(
            rng.uniform(6.5, 9) if jumbo else rng.uniform(4.5, 6.5), rank_y, rank_y + gap, 4 if four else 2
        )


@dataclass
class Scene:
    cards: list[Laid] = field(default_factory=list)
    backs: list[Laid] = field(default_factory=list)
    design: Design = field(default_factory=Design)

    @property
    def columns(self) -> list[list[str]]:
        found: dict[int, list[str]] = {}
        for card in self.cards:
            if card.where == "column":
                found.setdefault(card.column, []).append(card.name)
        return [found[k] for k in sorted(found)]

    @property
    def discard(self) -> str | None:
        pile = [card.name for card in self.cards if card.where == "discard"]
        return pile[-1] if pile else None


def visible(scene: Scene, owners: list[str]) -> tuple[list[list[str]], str | None]:
    """Columns and discard as far as at least one index of a card was found."""
    columns = [[name for name in column if name in owners] for column in scene.columns]
    return [column for column in columns if column], scene.discard if scene.discard in owners else None


@dataclass
class Noise:
    """What goes wrong between the table and the finds."""

    point: float = 0.03  # standard deviation of a key point, in index heights
    missing: float = 0.0
    false: float = 0.0
    confusion: float = 0.0  # chance that a reading favours a wrong rank or suit
    soft: float = 0.02  # probability left over for everything else
    ranks_do: bool = False  # an index is found though its suit sign is covered


def golf(
    rng: np.random.Generator,
    *,
    state: str = "deal",
    care: float = 0.5,
    below: str = "random",
    narrow: bool = False,
) -> Scene:
    """A golf table; `care` from 0 (tidy) to 1 (careless); `narrow`: a jumbo deck with hidden suit signs."""
    names = [str(name) for name in rng.permutation(NAMES)]
    scene = Scene(design=Design(8.0, 9.5, 22.5) if narrow else Design.random(rng))
    lengths = {
        "deal": [5] * 7,
        "mid": list(rng.integers(1, 6, 7) if rng.random() < 0.5 else rng.integers(2, 6, 7)),
        "late": list(rng.choice([0, 0, 1, 2, 3, 4], 7)),
    }[state]
    if state == "mid" and rng.random() < 0.4:
        lengths[int(rng.integers(7))] = 0
    gap = WIDTH * rng.uniform(1.06, 1.3)
    # the next card must leave the index of the one below it free
    step = max(HEIGHT * rng.uniform(0.2, 0.34), scene.design.suit_y + 7.5)
    if narrow:
        step = scene.design.rank_y + 6.5
    lean = rng.normal(0, 0.03) * step
    slope = rng.normal(0, 0.01)
    deepest = 0.0
    for column, length in enumerate(lengths):
        x = column * gap + rng.normal(0, 1.5) * care
        y = column * gap * slope + rng.normal(0, 5) * care
        for _ in range(length):
            scene.cards.append(
                Laid(
                    names.pop(),
                    x + rng.normal(0, 2.2) * care,
                    y + rng.normal(0, 1.5) * care,
                    rng.normal(0, 3.0) * care + 180 * (rng.random() < 0.4),
                    "column",
                    column,
                )
            )
            deepest = max(deepest, y)
            x, y = x + lean, y + step * rng.uniform(1 - 0.15 * care, 1 + 0.25 * care)
    side = below if below != "random" else rng.choice(["below", "below", "below", "beside"])
    if side == "below":
        # half of the tables keep the place of a full deal, the others move up behind the play
        deep = max(deepest, 4 * step) if rng.random() < 0.6 else max(deepest, step)
        px, py = rng.uniform(1.5, 4.0) * gap, deep + HEIGHT * rng.uniform(1.04, 1.5)
    else:
        px, py = 7.1 * gap + WIDTH * 0.3, rng.uniform(0.5, 3.0) * step
    stock_first = rng.random() < 0.5
    other = px + WIDTH * rng.uniform(1.12, 1.5)
    dx, sx = (other, px) if stock_first else (px, other)
    for _ in range(int(rng.integers(0, 3)) if state != "deal" else 0):
        scene.cards.append(
            Laid(names.pop(), dx + rng.normal(0, 2), py + rng.normal(0, 2), rng.normal(0, 6), "discard")
        )
    scene.cards.append(
        Laid(
            names.pop(),
            dx + rng.normal(0, 1) * care,
            py + rng.normal(0, 1) * care,
            rng.normal(0, 5) * care + 180 * (rng.random() < 0.5),
            "discard",
        )
    )
    if state == "deal" or rng.random() < 0.9:
        scene.backs.append(Laid("", sx, py + rng.normal(0, 3) * care, rng.normal(0, 4) * care))
    return scene


def fans(rng: np.random.Generator, hands: int = 4, size: int = 13) -> Scene:
    """Hands fanned like those of bridge players."""
    names = [str(name) for name in rng.permutation(NAMES)]
    scene = Scene(design=Design.random(rng))
    scene.design.corners = 2
    for hand in range(hands):
        facing = rng.uniform(-20, 20) + (0, 90, 180, 270)[hand % 4] * (rng.random() < 0.5)
        cx, cy = (hand % 2) * 330.0, (hand // 2) * 260.0
        for k in range(size):
            a = np.radians(facing + (k - size / 2) * rng.uniform(4.5, 6))
            radius = 120.0
            scene.cards.append(
                Laid(names.pop(), cx + radius * np.sin(a), cy - radius * np.cos(a), float(np.degrees(a)))
            )
    return scene


def scattered(rng: np.random.Generator, count: int = 12) -> Scene:
    """Loose cards at any turn, none on another."""
    names = [str(name) for name in rng.permutation(NAMES)]
    scene = Scene(design=Design.random(rng))
    cells = rng.permutation(20)[:count]
    for cell in cells:
        x, y = (cell % 5) * 125.0 + rng.uniform(-8, 8), (cell // 5) * 125.0 + rng.uniform(-8, 8)
        scene.cards.append(Laid(names.pop(), x, y, rng.uniform(0, 360)))
    return scene


@dataclass
class Camera:
    """A pinhole camera over the table; its size is the photo's, `turn` and `tilt` are degrees."""

    size: tuple[int, int]
    focal: float
    matrix: np.ndarray  # 3x3, table millimetres to pixels

    @staticmethod
    def over(
        points: np.ndarray,
        *,
        turn: float,
        tilt: float,
        size: tuple[int, int],
        fov: float = 1.0,
        fill: float = 0.9,
        azimuth: float = 0.0,
    ) -> Camera:
        """Looks at the middle of `points`, tilted about an axis at `azimuth`, far enough to see them all."""
        focal = 0.75 * max(size) * fov
        centre = (points.min(0) + points.max(0)) / 2
        t, z, a = np.radians([tilt, turn, azimuth])
        turn_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
        axis = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, np.cos(t), np.sin(t)], [0, -np.sin(t), np.cos(t)]])
        rotation = axis @ lean @ axis.T @ turn_z
        intrinsic = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
        low, high = 100.0, 20000.0
        for _ in range(40):
            middle = (low * high) ** 0.5
            matrix = intrinsic @ np.column_stack(
                [rotation[:, 0], rotation[:, 1], -rotation[:, :2] @ centre + (0, 0, middle)]
            )
            pixels, depth = project(matrix, points)
            inside = (depth > 0).all() and (
                np.abs(pixels - np.array(size) / 2) < np.array(size) / 2 * fill
            ).all()
            low, high = (low, middle) if inside else (middle, high)
        matrix = intrinsic @ np.column_stack(
            [rotation[:, 0], rotation[:, 1], -rotation[:, :2] @ centre + (0, 0, high)]
        )
        return Camera(size, focal, matrix)

    def see(self, points: np.ndarray) -> np.ndarray:
        return project(self.matrix, points)[0]


def project(matrix: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return seen[:, :2] / seen[:, 2:], seen[:, 2]


CARD = np.array([[-WIDTH, -HEIGHT], [WIDTH, -HEIGHT], [WIDTH, HEIGHT], [-WIDTH, HEIGHT]]) / 2


def snap(
    rng: np.random.Generator,
    scene: Scene,
    *,
    turn: float,
    tilt: float,
    azimuth: float = 0.0,
    fov: float = 1.0,
    size: tuple[int, int] = (4000, 3000),
) -> Camera:
    corners = np.concatenate([card.place(CARD) for card in scene.cards + scene.backs])
    return Camera.over(
        corners, turn=turn, tilt=tilt, azimuth=azimuth, size=size, fov=fov, fill=rng.uniform(0.6, 0.95)
    )


def reading(rng: np.random.Generator, name: str, noise: Noise) -> Reading:
    ranks, suits = np.full(13, noise.soft / 12), np.full(4, noise.soft / 3)
    ranks[RANKS.index(name[0])], suits[SUITS.index(name[1])] = 1 - noise.soft, 1 - noise.soft
    if rng.random() < noise.confusion:
        target, size = (ranks, 13) if rng.random() < 0.4 else (suits, 4)
        other, share = int(rng.integers(size)), rng.uniform(0.3, 0.9)
        target *= 1 - share
        target[other] += share
    return Reading(ranks / ranks.sum(), suits / suits.sum(), 0.995)


def shoot(
    rng: np.random.Generator, scene: Scene, camera: Camera, noise: Noise
) -> tuple[Finds, list[Reading], list[str]]:
    """Finds and readings of the visible indices, and the card that each belongs to ("" for a false one)."""
    design = scene.design
    indices: list[Index] = []
    readings: list[Reading] = []
    owners: list[str] = []
    for k, card in enumerate(scene.cards):
        later = scene.cards[k + 1 :]
        for sx, sy in [(1, 1), (-1, -1)] + ([(-1, 1), (1, -1)] if design.corners == 4 else []):
            x, rank, suit = (
                -WIDTH / 2 + design.inset_x,
                -HEIGHT / 2 + design.rank_y,
                -HEIGHT / 2 + design.suit_y,
            )
            half = (suit - rank) * 0.5
            local = np.array(
                [
                    [x, rank],
                    [x, suit],
                    [x - half * 0.6, rank - half * 0.8],
                    [x + half * 0.6, suit + half * 0.6],
                    [x + half * 0.6, rank - half * 0.8],
                    [x - half * 0.6, suit + half * 0.6],
                ]
            ) * (sx, sy)
            world = card.place(local)
            needed = world[[0, 2, 4]] if noise.ranks_do else world
            if any(other.covers(needed).any() for other in later) or rng.random() < noise.missing:
                continue
            rank_xy, suit_xy = camera.see(world[:2])
            tall = float(np.hypot(*(rank_xy - suit_xy))) * 2
            rank_xy, suit_xy = (p + rng.normal(0, noise.point, 2) * tall for p in (rank_xy, suit_xy))
            indices.append(
                Index(
                    tuple(map(float, rank_xy)),
                    tuple(map(float, suit_xy)),
                    tall,
                    float(rng.uniform(0.6, 0.95)),
                )
            )
            read = reading(rng, card.name, noise)
            if any(other.covers(world[1:2]).any() for other in later):
                read = Reading(read.ranks, np.full(4, 0.25), read.is_index)
            readings.append(read)
            owners.append(card.name)
    for _ in range(rng.binomial(len(indices), noise.false)):
        model = indices[int(rng.integers(len(indices)))]
        place = np.array([rng.uniform(0, camera.size[0]), rng.uniform(0, camera.size[1])])
        angle = rng.uniform(0, 2 * np.pi)
        arm = np.array([np.cos(angle), np.sin(angle)]) * model.height / 4
        indices.append(
            Index(
                tuple(map(float, place - arm)),
                tuple(map(float, place + arm)),
                model.height,
                float(rng.uniform(0.25, 0.6)),
            )
        )
        weak = reading(rng, str(rng.choice(NAMES)), Noise(soft=0.5))
        readings.append(Reading(weak.ranks, weak.suits, float(rng.uniform(0.02, 0.6))))
        owners.append("")
    order = rng.permutation(len(indices))
    backs = []
    for back in scene.backs:
        corners = camera.see(back.place(CARD))
        backs.append(Back(tuple((float(x), float(y)) for x, y in corners), 0.9))  # type: ignore[arg-type]
    return (
        Finds(tuple(indices[k] for k in order), tuple(backs)),
        [readings[k] for k in order],
        [owners[k] for k in order],
    )
