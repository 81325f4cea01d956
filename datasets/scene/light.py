"""Light on the finished table: uneven lamps, cast shadows, glare. Images are float32 RGB 0..255."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.scene.surface import noise


def illuminate(rng: np.random.Generator, image: np.ndarray, glossy: np.ndarray) -> np.ndarray:
    """Light ``image`` in place; ``glossy`` (h, w) in 0..1 says how much of a glare a pixel throws back."""
    h, w = image.shape[:2]
    level = rng.uniform(0.6, 1.15)
    field = level * (1 + noise(rng, w, h, w / rng.uniform(0.8, 2.5)) * rng.uniform(0, 0.35))
    if rng.random() < 0.35:
        field *= _shadow(rng, w, h)
    tint = 1 + rng.normal(0, rng.choice([0.02, 0.07, 0.12])) * np.array([1, 0, -1], np.float32)
    image *= field[..., None] * tint.astype(np.float32)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            image += _glare(rng, w, h)[..., None] * glossy[..., None] * rng.uniform(40, 230)
    return image


def _polygon(rng: np.random.Generator, w: int, h: int, reach: tuple[float, float]) -> np.ndarray:
    mask = np.zeros((h, w), np.float32)
    count = int(rng.integers(3, 8))
    angles = np.sort(rng.uniform(0, 2 * np.pi, count))
    radius = rng.uniform(*reach, count) * max(w, h)
    centre = rng.uniform(0, 1, 2) * (w, h)
    points = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radius[:, None]
    cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
    return mask


def _shadow(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    """A hand's, a head's or a window frame's shadow with a soft rim."""
    small = _polygon(rng, max(8, w // 4), max(8, h // 4), (0.1, 0.6))
    soft = cv2.GaussianBlur(small, (0, 0), rng.uniform(1, 12))
    return 1 - rng.uniform(0.25, 0.65) * cv2.resize(soft, (w, h))


def _glare(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    small = _polygon(rng, max(8, w // 4), max(8, h // 4), (0.02, 0.18))
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), rng.uniform(2, 14)), (w, h))
