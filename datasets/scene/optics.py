"""What lens, sensor and file do to a picture. In: float32 RGB 0..255; out: uint8."""

from __future__ import annotations

import cv2
import numpy as np

#: Blur of a photo in focus, standard deviation in pixels.
_IN_FOCUS = 1.3


def photograph(rng: np.random.Generator, image: np.ndarray, index_height: float) -> np.ndarray:
    """Blur, noise, tone and JPEG; the blur leaves an index of ``index_height`` pixels readable."""
    image = _blur(rng, image, index_height)
    image = _tone(rng, image)
    sigma = rng.choice([0.5, rng.uniform(0, 6), rng.uniform(0, 14)])
    if sigma:
        grain = rng.normal(0, sigma, image.shape).astype(np.float32)
        if rng.random() < 0.5:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.5
        image = image + grain
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        out = _sharpen(out, rng.uniform(0.3, 1.5))
    if rng.random() < 0.85:
        quality = int(rng.choice([rng.integers(60, 97), rng.integers(30, 97)]))
        _, code = cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.ascontiguousarray(cv2.imdecode(code, cv2.IMREAD_COLOR)[..., ::-1])
    return out


def _blur(rng: np.random.Generator, image: np.ndarray, index_height: float) -> np.ndarray:
    limit = 0.055 * index_height + 0.35
    if rng.random() < 0.5:  # in focus: blur of the lens and the sensor, however large the index
        limit = min(limit, _IN_FOCUS)
    kind = rng.random()
    if kind < 0.55:
        sigma = rng.uniform(0.2, limit)
        return cv2.GaussianBlur(image, (0, 0), sigma)
    if kind < 0.72:
        length = max(2, int(rng.uniform(1, 3.0) * limit + 1))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        tip = np.array([np.cos(angle), np.sin(angle)]) * length
        centre = np.array([length, length])
        cv2.line(
            kernel,
            tuple((centre - tip / 2).astype(int).tolist()),
            tuple((centre + tip / 2).astype(int).tolist()),
            1.0,
            1,
        )
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    if kind < 0.85:  # a picture made smaller and larger again
        h, w = image.shape[:2]
        factor = rng.uniform(max(0.35, min(1.0, 9.0 / index_height)), 1.0)
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return cv2.resize(small, (w, h), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC])))
    return image


def _tone(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    balance = (1 + rng.normal(0, rng.choice([0.01, 0.05, 0.1]), 3)).astype(np.float32)
    scaled = np.clip(image * balance * rng.uniform(0.8, 1.25), 0, 255) / 255
    scaled = scaled ** rng.uniform(0.6, 1.35)
    grey = scaled.mean(-1, keepdims=True)
    scaled = grey + (scaled - grey) * rng.uniform(0.55, 1.35)
    contrast, black = rng.uniform(0.75, 1.15), rng.uniform(-0.04, 0.08)
    return (scaled * contrast + black) * 255


def _sharpen(image: np.ndarray, amount: float) -> np.ndarray:
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    return cv2.addWeighted(image, 1 + amount, soft, -amount, 0)
