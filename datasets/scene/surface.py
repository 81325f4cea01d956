"""What the cards lie on: felt, wood, marble, carpet, cloth, cork, tiles, print, plain; float32 RGB 0..255."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np


def surface(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A table top of any kind, ``(height, width, 3)``."""
    kind = rng.choice(
        [_felt, _wood, _marble, _carpet, _check, _cork, _tiles, _print, _plain, _plain, _wood, _felt]
    )
    image = kind(rng, width, height)
    if rng.random() < 0.12:  # the table's edge and the floor behind it
        other = kind(rng, width, height) if rng.random() < 0.5 else _plain(rng, width, height)
        normal = rng.uniform(-1, 1, 2)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        side = (xs - width / 2) * normal[0] + (ys - height / 2) * normal[1] > np.hypot(*normal) * rng.uniform(
            0.2, 0.5
        ) * width
        image[side] = other[side]
    return np.clip(image, 0, 255).astype(np.float32)


def noise(
    rng: np.random.Generator, width: int, height: int, cell_x: float, cell_y: float | None = None
) -> np.ndarray:
    """Smooth noise in -1..1 with cells of the given size in pixels."""
    cell_y = cell_y or cell_x
    small = rng.uniform(-1, 1, (max(2, int(height / cell_y) + 2), max(2, int(width / cell_x) + 2))).astype(
        np.float32
    )
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def colour(
    rng: np.random.Generator,
    saturation: tuple[float, float] = (0, 1),
    value: tuple[float, float] = (0.08, 0.95),
) -> np.ndarray:
    rgb = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return np.array(rgb, np.float32) * 255


def _shade(base: np.ndarray, pattern: np.ndarray, strength: float) -> np.ndarray:
    return base[None, None] * (1 + strength * pattern[..., None])


def _plain(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    return _shade(colour(rng, (0, 0.7)), noise(rng, w, h, w / 2), 0.08) + rng.normal(
        0, rng.uniform(0, 3), (h, w, 1)
    )


def _felt(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    base = (
        np.array(
            colorsys.hsv_to_rgb(
                rng.choice([0.36, 0.4, 0.6, 0.98, rng.random()]),
                rng.uniform(0.4, 0.9),
                rng.uniform(0.2, 0.65),
            ),
            np.float32,
        )
        * 255
    )
    grain = noise(rng, w, h, rng.uniform(1.5, 3)) * 0.7 + noise(rng, w, h, 40) * 0.3
    return _shade(base, grain, rng.uniform(0.05, 0.25))


def _wood(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    base = (
        np.array(
            colorsys.hsv_to_rgb(rng.uniform(0.03, 0.11), rng.uniform(0.15, 0.75), rng.uniform(0.2, 0.9)),
            np.float32,
        )
        * 255
    )
    size = int(1.5 * max(w, h))
    thickness = rng.uniform(2, 12)
    grain = noise(rng, size, size, rng.uniform(60, 300), thickness) + 0.5 * noise(rng, size, size, 30, 2.5)
    if rng.random() < 0.4:  # boards
        board = int(rng.uniform(60, 240))
        offsets = rng.uniform(-0.5, 0.5, size // board + 2)
        grain += offsets[np.arange(size) // board][:, None]
        grain[np.arange(size) % board < 2] -= 1.5
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 180), 1)
    matrix[:, 2] -= (size - np.array([w, h])) / 2
    grain = cv2.warpAffine(grain.astype(np.float32), matrix, (w, h), borderMode=cv2.BORDER_REFLECT)
    return _shade(base, grain, rng.uniform(0.08, 0.35))


def _marble(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    warp = noise(rng, w, h, w / 3) * 3 + noise(rng, w, h, w / 9)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    veins = (
        np.abs(np.sin((xs * rng.uniform(-1, 1) + ys * rng.uniform(-1, 1)) / rng.uniform(20, 90) + warp * 2))
        ** 0.3
    )
    return _shade(colour(rng, (0, 0.2), (0.5, 1)), veins - 0.8, rng.uniform(0.1, 0.5))


def _carpet(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    grain = noise(rng, w, h, rng.uniform(2, 6)) + 0.6 * noise(rng, w, h, rng.uniform(5, 12))
    return _shade(colour(rng, (0, 0.5), (0.2, 0.8)), grain, rng.uniform(0.15, 0.45))


def _cork(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    base = (
        np.array(
            colorsys.hsv_to_rgb(rng.uniform(0.05, 0.1), rng.uniform(0.4, 0.7), rng.uniform(0.4, 0.8)),
            np.float32,
        )
        * 255
    )
    specks = (noise(rng, w, h, rng.uniform(2, 5)) > 0.55).astype(np.float32)
    return _shade(base, noise(rng, w, h, 4) * 0.4 - specks, rng.uniform(0.1, 0.4))


def _check(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    first, second = colour(rng), colour(rng)
    angle, step = rng.uniform(0, np.pi), rng.uniform(12, 160)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = xs * np.cos(angle) + ys * np.sin(angle), ys * np.cos(angle) - xs * np.sin(angle)
    weave = ((u // step) % 2 + (v // step) % 2) / 2 if rng.random() < 0.7 else (u // step) % 2
    weave = weave[..., None]
    return first * weave + second * (1 - weave) + noise(rng, w, h, 2)[..., None] * 8


def _tiles(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    image = _plain(rng, w, h)
    angle, step = rng.uniform(0, np.pi), rng.uniform(60, 400)
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = xs * np.cos(angle) + ys * np.sin(angle), ys * np.cos(angle) - xs * np.sin(angle)
    joint = (u % step < step * 0.03) | (v % step < step * 0.03)
    image[joint] *= rng.uniform(0.5, 1.5)
    return image


def _print(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    """Cloth or paper with writing, figures and suit-like blobs: what a reader must not take for an index."""
    image = np.empty((h, w, 3), np.uint8)
    image[:] = colour(rng, (0, 0.6), (0.3, 1))
    for _ in range(int(rng.integers(10, 90))):
        text = "".join(rng.choice(list("A23456789TJQK10BDVREabcdefgmnosty .,-&%"), int(rng.integers(1, 12))))
        at = (int(rng.integers(-40, w)), int(rng.integers(0, h)))
        font = int(
            rng.choice(
                [
                    cv2.FONT_HERSHEY_SIMPLEX,
                    cv2.FONT_HERSHEY_COMPLEX,
                    cv2.FONT_HERSHEY_TRIPLEX,
                    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
                ]
            )
        )
        cv2.putText(
            image,
            text,
            at,
            font,
            float(rng.uniform(0.3, 2.5)),
            colour(rng).tolist(),
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
        )
    if rng.random() < 0.5:
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(0, 360), 1.4)
        image = cv2.warpAffine(image, matrix, (w, h), borderMode=cv2.BORDER_REFLECT)
    return image.astype(np.float32) + noise(rng, w, h, 3)[..., None] * 5
