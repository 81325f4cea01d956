"""Makes the estimates of the advisor true on average.

An estimate comes from play that is restricted to short lists, or that takes draws as independent of each
other, so it expects too many strokes and too few cleared tables, the more the less is known.  How far off
it is was fitted to whole deals that the advisor played (`bench/calibrate.py`, its result is in
`companion/engine/corrections.py`): straight lines for strokes, straight lines in log-odds for chances.
What can't be off with nothing left to draw fades out with the draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.engine.board import Board
from companion.engine.corrections import CORRECTIONS, Correction
from companion.engine.outcome import Aim

_STOCK = 16
"""Draws that count as a whole stock."""
_LEAST = 2e-4
"""Added to both sides of the odds: no estimate of a chance is quite 0 or 1."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What an estimate rests on.

    family: of the rules, see `family`; draws: cards in the stock.
    listed: it comes from short lists, else from draws that are independent of each other.
    gap: by how many strokes independent draws expect more of the best move (short lists only).
    width, tracked: see `shortlist_fast.Shortlist` (short lists only).
    """

    family: str
    draws: int
    listed: bool = False
    gap: float = 0.0
    width: float = 0.0
    tracked: float = 1.0


def family(board: Board) -> str:
    """Rules that are alike in how far off estimates are."""
    queen, ace, king = 11, 0, 12
    follow = board.steps.follow
    name = "strict"
    if follow[ace] >> king & 1:
        name = "wrap"
    elif follow[queen] >> king & 1:
        name = "queen"
    return f"{name}-stuck" if board.draw_when_stuck else name


def stroke_traits(strokes: float, basis: Basis) -> tuple[float, ...]:
    """What the correction of expected strokes is a sum of."""
    part = basis.draws / _STOCK
    if basis.listed:
        pooled = 1 - basis.tracked
        return basis.gap, basis.width * basis.gap, pooled, pooled * basis.gap, part * strokes
    return part, part * strokes


def chance_traits(chance: float, basis: Basis) -> tuple[float, ...]:
    """What the correction of the log-odds of a chance is a sum of."""
    part = basis.draws / _STOCK
    if basis.listed:
        return part, 1 - basis.tracked
    odds = log_odds(chance)
    return part, part * odds, part * odds * odds


def log_odds(chance: float) -> float:
    return math.log((chance + _LEAST) / (1 - chance + _LEAST))


def correct(aim: Aim, figure: float, basis: Basis) -> float:
    """The figure that an estimate of an aim stands for."""
    by = _correction(basis)
    if aim.name == "strokes":
        more = _sum(by.strokes, stroke_traits(figure, basis))
        return max(float(-basis.draws), figure + more)
    more = _sum(by.chance, chance_traits(figure, basis))
    return 1 / (1 + math.exp(-(log_odds(figure) + more)))


def _correction(basis: Basis) -> Correction:
    kind = "listed" if basis.listed else "independent"
    # Rules that were never measured take the figures of those that are most alike.
    names = (basis.family, basis.family.removesuffix("-stuck"), "strict")
    return next(found for name in names if (found := CORRECTIONS.get((kind, name))))


def _sum(weights: tuple[float, ...], traits: tuple[float, ...]) -> float:
    return sum(weight * trait for weight, trait in zip(weights, traits, strict=True))
