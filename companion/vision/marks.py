"""Indices and joker signs as one table of arrays on the plane: what the layout works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .plane import FOCAL, Plane, find_plane
from .quads import inside
from .types import NAMES, Back, Finds, FloatArray, Index, JokerSign, Reading

JOKER = len(NAMES)
ALL_NAMES: tuple[str, ...] = (*NAMES, "J")
"""The 52 names and the joker, of which there are two."""

DOUBT = 0.001
"""How often a reading is worth nothing at all, whatever it says of itself."""
_LEAST_INDEX, _CLEAR_INDEX = 0.35, 0.9
_CLEAR_SUIT, _FEW = 0.9, 10
_SAME_PLACE, _SAME_CARD = 0.55, 1.0
"""Within these parts of an index's length two finds are one; within the second if they read alike."""
_ALIKE = 0.3
_FAR_LONGER, _UNTRUSTED = 1.9, 0.7
"""A less trusted find so many times as long as the cards' indices is print on something else."""
_SURE_BACK, _MIDDLE = 0.5, 0.7
"""A sign in the middle of a back is part of its print; that part of its extent is the middle.

The signs of a card that lies on a pile are nearer to the edge.
"""
_FINDERS_SAY = 0.4
"""Power of the finder's confidence beside the reader's: it is low for many a true index.

It counts as part of what clear indices have on the same photo, for all are low where the photo is poor.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """N marks: `places` (N, 2) on the plane, `ups` (N, 2) unit vectors, `names` (N, 53) probabilities.

    `sources` are the finds they come from, `real` (N,) the reader's opinion that each is a mark at all,
    `trust` (N,) that, how clearly it reads, and the finder's.
    """

    places: FloatArray
    ups: FloatArray
    names: FloatArray
    real: FloatArray
    trust: FloatArray
    sources: tuple[Index, ...]
    plane: Plane

    def __len__(self) -> int:
        return len(self.sources)


def gather(finds: Finds, readings: Sequence[Reading], size: tuple[int, int]) -> Marks:
    """The believable finds of a photo of `size` (width, height), each once.

    `readings` are those of ``finds.signs``, in order: what the finder took for an index may be a joker's
    corner and the other way round, and the reader sees it better.
    """
    signs = finds.signs
    if len(readings) != len(signs):
        raise ValueError(f"{len(signs)} indices and jokers need as many readings, not {len(readings)!r}")
    sources: list[Index] = []
    names: list[FloatArray] = []
    real: list[float] = []
    trust: list[float] = []
    clear = [i.confidence for i, r in zip(signs, readings, strict=True) if r.is_sign > _CLEAR_INDEX]
    usual = float(np.quantile(clear, 0.75)) if clear else 1.0
    for sign, read in zip(signs, readings, strict=True):
        if read.is_sign < _LEAST_INDEX or sign.rank_xy == sign.suit_xy or _printed_on(finds.backs, sign):
            continue
        joker = read.is_joker / (read.is_joker + read.is_index)
        known = np.append((1 - joker) * read.names / max(read.names.sum(), 1e-9), joker)
        names.append((1 - DOUBT) * known + DOUBT / len(ALL_NAMES))
        kind = JokerSign if joker > 0.5 else Index
        sources.append(kind(sign.rank_xy, sign.suit_xy, sign.height, sign.confidence))
        real.append(read.is_sign)
        # a drawing taken for an index reads as many ranks at once; so does a blurred index, but that
        # shows as well as others
        shows = min(1.0, sign.confidence / usual)
        clear_rank = max((1 - joker) * float(read.ranks.max()), joker, shows**2)
        trust.append(read.is_sign * shows**_FINDERS_SAY * clear_rank)
    keep = _once(sources, trust, names)
    sources = [sources[k] for k in keep]
    table = np.array([names[k] for k in keep]).reshape(-1, len(ALL_NAMES))
    certain, trusted = np.array([real[k] for k in keep]), np.array([trust[k] for k in keep])
    marks = lay(sources, table, certain, trusted, size)
    fit = ~_too_long(marks)
    if fit.all():
        return marks
    sources = [source for source, fits in zip(sources, fit, strict=True) if fits]
    return lay(sources, table[fit], certain[fit], trusted[fit], size)


def _printed_on(backs: Sequence[Back], sign: Index) -> bool:
    """Whether the sign lies in the middle of a face-down card: some backs have aces printed on them."""
    for back in backs:
        if back.confidence >= _SURE_BACK:
            corners = np.array(back.quad) - back.centre
            if inside(corners, *(np.subtract(sign.centre, back.centre) / _MIDDLE)):
                return True
    return False


def _too_long(marks: Marks) -> NDArray[np.bool_]:
    """Which finds are far too long on the plane to be of these cards, (N,) bool; none where few are found."""
    if len(marks) < _FEW:
        return np.zeros(len(marks), bool)
    arms = marks.plane.place(np.array([source.suit_xy for source in marks.sources])) - marks.places
    lengths = np.hypot(arms[:, 0], arms[:, 1])
    far: NDArray[np.bool_] = (lengths > _FAR_LONGER * np.median(lengths)) & (marks.trust < _UNTRUSTED)
    return far


def lay(
    sources: Sequence[Index],
    names: FloatArray,
    real: FloatArray,
    trust: FloatArray,
    size: tuple[int, int],
    spans: Sequence[FloatArray] = (),
    focal: float = FOCAL,
) -> Marks:
    """Marks on the plane that their own lengths and those of `spans` tell; see `find_plane`."""
    plain = np.array([type(source) is Index for source in sources], bool)
    tops = np.array([source.rank_xy for source in sources], float).reshape(-1, 2)
    bottoms = np.array([source.suit_xy for source in sources], float).reshape(-1, 2)
    measure = _whole(names, plain) if plain.any() else ~plain
    plane = find_plane(tops[measure], bottoms[measure], size, spans, focal)
    high, low = plane.place(tops), plane.place(bottoms)
    arms = high - low
    ups = arms / np.maximum(np.hypot(arms[:, 0], arms[:, 1]), 1e-9)[:, None]
    return Marks(high, ups, names, real, trust, tuple(sources), plane)


def _whole(names: FloatArray, plain: np.ndarray) -> np.ndarray:
    """Which indices are all in view, told by a suit that is read clearly; all of them where few are.

    Where the next card covers the suit sign its place is a guess, and guessed lengths tilt the plane.
    """
    suits = names[:, : len(NAMES)].reshape(-1, 13, 4).sum(1)
    clear = plain & (suits.max(1) > _CLEAR_SUIT)
    return clear if clear.sum() >= _FEW else plain


def _once(sources: Sequence[Index], trust: Sequence[float], names: Sequence[FloatArray]) -> list[int]:
    """Positions of the finds without those that lie on a more trusted one, in the given order."""
    kept: list[int] = []
    centres = np.array([s.centre for s in sources], float).reshape(-1, 2)
    for k in sorted(range(len(sources)), key=lambda k: -trust[k]):
        arm = np.subtract(sources[k].rank_xy, sources[k].suit_xy)
        away = np.hypot(*(centres[kept] - centres[k]).T) / max(float(np.hypot(*arm)), 1e-9)
        alike = np.array([names[k] @ names[other] > _ALIKE for other in kept], bool)
        if (away > np.where(alike, _SAME_CARD, _SAME_PLACE)).all():
            kept.append(k)
    return sorted(kept)
