"""Every height vector that play can reach, stage by stage of a known stock, in one sweep.

Stage s is the time after s draws.  For each height vector and each top, a set of stages (bit s) says when
that top can lie on the discard at those heights.  Plays keep the stage and lower the heights, draws keep
the heights and raise the stage; so one pass over the heights in falling order meets every state once,
all stages at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.lattice import lattice
from companion.engine.tops import BLANK, TOPS

STAGES: Final = 32
"""Bits of a stage set; the stock may hold one card less."""

StageSets = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Reached:
    """Which states play can reach.

    at(top, index): stage set of a top at the height vector of a mixed-radix index.
    best: index of the best vector, 0 if the tableau can be cleared, else one with fewest cards.
    states: how many states (heights, top, stage) are reached.
    """

    at: Callable[[int, int], int]
    best: int
    states: int


def reach(board: Board) -> Reached:
    """Everything that can be reached from a board whose stock is known.

    The stock must hold fewer than `STAGES` cards and the heights fit `companion.engine.lattice.LIMIT`.
    """
    stages = stage_sets(board, turned(board))
    grid = lattice(board.heights)
    best = int(grid.index[np.flatnonzero(np.bitwise_or.reduce(stages[:, :-1], axis=0))[0]])
    return Reached(lambda top, index: int(stages[top, grid.cell[index]]), best, _ones(stages))


def stage_sets(board: Board, drawn: list[int], seeds: StageSets | None = None) -> StageSets:
    """The stage set of each top and cell of the lattice, shape (TOPS, cells + 1); the last cell is empty.

    drawn: for each top the stages whose draw can put it on the discard, as `turned` gives them.
    seeds: where to start from, like the result; left out, the board's own heights and top.
    """
    grid = lattice(board.heights)
    cells = grid.cells
    width = cells + 1
    stages = np.zeros((TOPS, width), np.uint32) if seeds is None else seeds.copy()
    flat = stages.reshape(-1)
    if seeds is None:
        stages[board.top, cells - 1] = 1
    sources = _sources(board)
    # played[k]: the stages at which a card of kind k could be played, by cell; blanks never.
    played = np.zeros((BLANK + 1, width), np.uint32)
    kinds = sorted(set().union(*board.columns)) if board.columns else []
    padded = np.array(board.padded(), np.int64).reshape(len(board.columns), -1)
    first = np.zeros_like(padded)
    extra: list[tuple[int, int, int, int]] = []
    for i, row in enumerate(padded):
        for h, kind in enumerate(row):
            edges = board.steps.plays[kind]
            if len(edges) == 1:
                first[i, h] = edges[0].result * width
            elif edges:
                # Cards that can become several tops are few; they are added apart.
                extra += [(i, h, edge.sources, edge.result) for edge in edges]
                padded[i, h] = BLANK
    offset = padded * width
    drawing = Drawing(board, drawn)
    for layer in range(len(grid.starts) - 2, -1, -1):
        start, end = grid.starts[layer], grid.starts[layer + 1]
        if layer < len(grid.starts) - 2:
            for i in range(len(board.columns)):
                above, height = grid.above[i, start:end], grid.digits[i, start:end]
                came = played.reshape(-1)[offset[i][height] + above]
                flat[first[i][height] + np.arange(start, end)] |= came
            for i, h, mask, result in extra:
                at = start + np.flatnonzero(grid.digits[i, start:end] == h)
                at = at[grid.above[i, at] < cells]
                stages[result, at] |= np.bitwise_or.reduce(stages[:, grid.above[i, at]][_bits(mask)], axis=0)
        drawing.draw(stages[:, start:end], grid.digits[:, start:end])
        for kind in kinds:
            if sources[kind]:
                part = stages[sources[kind], start:end]
                np.bitwise_or.reduce(part, axis=0, out=played[kind, start:end])
    return stages


class Drawing:
    """Adds what draws reach to the stage sets of a layer."""

    def __init__(self, board: Board, drawn: list[int]) -> None:
        self.full = np.uint32((1 << (board.left + 1)) - 1)
        self.when_stuck = board.draw_when_stuck
        self.never = board.no_draw()
        self.allowed = [top for top in range(TOPS) if not self.never >> top & 1]
        self.turned = drawn
        self.follow = [
            np.array([0, *(board.steps.follow[k] for k in column)], np.uint16) for column in board.columns
        ]
        if self.when_stuck:
            # stuck_at[mask]: stages whose drawn card is stuck where only the mask's tops can be played on.
            masks = np.arange(1 << TOPS)
            self.stuck_at = np.zeros(1 << TOPS, np.uint32)
            for top, bits in enumerate(self.turned):
                if bits:
                    self.stuck_at |= np.where(masks >> top & 1, 0, bits).astype(np.uint32)

    def ready(self, stages: StageSets, digits: NDArray[np.uint8]) -> tuple[StageSets, NDArray[np.uint16]]:
        """The stages at which each cell allows a draw, and the tops its exposed cards can be played on."""
        playable = np.zeros(stages.shape[1], np.uint16)
        if not self.when_stuck:
            return np.bitwise_or.reduce(stages[self.allowed], axis=0).astype(np.uint32), playable
        for follow, height in zip(self.follow, digits, strict=True):
            playable |= follow[height]
        ready = np.zeros(stages.shape[1], np.uint32)
        for top in self.allowed:
            ready |= np.where(playable >> top & 1, 0, stages[top]).astype(np.uint32)
        return ready, playable

    def draw(self, stages: StageSets, digits: NDArray[np.uint8]) -> None:
        """Draws wherever it is allowed, again and again.  stages: (TOPS, cells); digits: (columns, cells)."""
        ready, playable = self.ready(stages, digits)
        if self.when_stuck:
            came = ready << np.uint32(1)
            passing = self.stuck_at[playable]
            # A drawn card that is stuck lets the next one be drawn: carry on in steps of 1, 2, 4, ...
            for shift in (1, 2, 4, 8, 16):
                came |= (came & passing) << np.uint32(shift)
                passing &= passing >> np.uint32(shift)
            came &= self.full
        else:
            lowest = ready & (~ready + np.uint32(1))
            came = np.where(ready, ~(lowest | (lowest - np.uint32(1))) & self.full, 0).astype(np.uint32)
        for top, bits in enumerate(self.turned):
            if bits:
                stages[top] |= came & np.uint32(bits)


def turned(board: Board) -> list[int]:
    """For each top the set of stages whose last drawn card can be that top, shape (TOPS,)."""
    assert board.stock is not None
    sets = [0] * TOPS
    for stage, kind in enumerate(board.stock, 1):
        for top in board.steps.draws[kind]:
            sets[top] |= 1 << stage
    return sets


def drawable(board: Board, counted: tuple[int, ...] = ()) -> list[int]:
    """The stages at which each top can be drawn if the order is free and the supply endless: all, or none.

    counted: kinds left out.
    """
    every = (1 << (board.left + 1)) - 2
    kinds = [kind for kind, count in enumerate(board.unseen) if count and kind not in counted]
    tops = {top for kind in kinds for top in board.steps.draws[kind]}
    return [every if top in tops else 0 for top in range(TOPS)]


def _sources(board: Board) -> list[list[int]]:
    return [_bits(edges[0].sources) if len(edges) == 1 else [] for edges in board.steps.plays]


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(TOPS) if mask >> bit & 1]


def _ones(array: StageSets) -> int:
    # np.bitwise_count came with numpy 2.
    count = getattr(np, "bitwise_count", None)
    return int(count(array).sum()) if count else int(np.unpackbits(array.view(np.uint8)).sum())
