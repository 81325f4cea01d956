"""A search with a limit, for tables too big to sweep whole: Double Golf and Black Hole.

It goes through the game in layers, one for each card that has left the columns within a stage of the
stock, all states of a layer at once.  Equal states are met once.  When a layer is larger than the beam
only the most promising states are kept, and what is found is no longer known to be the best; the beam
is widened as long as the limit allows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.engine.board import Board
from companion.engine.tops import BLANK, JOKER, KINDS

STATES: Final = 2_000_000
"""The states looked at before a search gives up, unless its caller says otherwise."""
_BEAMS: Final = (1_000, 8_000, 64_000, 512_000, 4_096_000)

Keys = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    steps: (column, top it becomes) for each play, (-1, top) for each draw.
    decided: nothing was left out, so the score is the best.
    """

    steps: tuple[tuple[int, int], ...]
    states: int
    decided: bool
    score: int


def search(board: Board, limit: int = STATES) -> Found:
    """The best line found.  limit: states to look at, over all widths of the beam."""
    best = _widened(board, limit, 0)
    if best.decided and best.score > 0 and not board.left:
        # Whether it can be cleared is known; now the best score, where there is something to leave out.
        again = _widened(board, limit - best.states, best.score - 1)
        better = again if again.score < best.score else best
        return replace(better, states=best.states + again.states, decided=again.decided)
    return best


def _widened(board: Board, limit: int, aim: int) -> Found:
    """The best line found with wider and wider beams.  decided: nothing that reaches the aim was left out."""
    best: Found | None = None
    states = 0
    for beam in _BEAMS:
        found = _Beam(board, min(beam, max(limit, 1)), limit - states, aim).run()
        states += found.states
        if best is None or found.score < best.score or found.decided:
            best = found
        # Nothing beats a hole that is cleared before the first draw.
        if best.decided or best.score == -board.left or states >= limit:
            break
    assert best is not None
    return replace(best, states=states, decided=best.decided or best.score == -board.left)


class _Beam:
    """One pass over the game with a beam of one width."""

    def __init__(self, board: Board, beam: int, limit: int, aim: int) -> None:
        self.board, self.beam, self.limit, self.aim = board, beam, limit, aim
        width = max(board.heights, default=0).bit_length()
        self.mask = np.uint64((1 << width) - 1)
        self.shifts = [np.uint64(4 + width * i) for i in range(len(board.columns))]
        rows = np.array(board.padded(), np.int64)
        # exposed[i][h]: kind of the exposed card of column i at height h.
        self.exposed = np.column_stack([np.full(len(rows), BLANK), rows])[:, : rows.shape[1]]
        self.ways = max(map(len, board.steps.plays))
        self.sources = np.zeros((KINDS + 1, self.ways), np.int64)
        self.results = np.zeros((KINDS + 1, self.ways), np.uint64)
        for kind, edges in enumerate(board.steps.plays):
            for way, edge in enumerate(edges):
                self.sources[kind, way], self.results[kind, way] = edge.sources, edge.result
        self.follow = np.array([*board.steps.follow, 0][: KINDS + 1], np.int64)
        self.parents: list[NDArray[np.int64]] = []
        self.columns: list[NDArray[np.int8]] = []
        self.tops: list[NDArray[np.int8]] = []
        self.states = 0
        self.whole = True
        self.random = np.random.default_rng(0)

    def run(self) -> Found:
        board = self.board
        assert board.stock is not None
        start = sum(h << int(shift) for h, shift in zip(board.heights, self.shifts, strict=True)) | board.top
        keys = np.array([start], np.uint64)
        first = np.array([-1], np.int64)
        pending = {board.count: [(keys, first, np.array([-1], np.int8))]}
        best, best_node = board.count, 0
        for stage in range(board.left + 1):
            ready: dict[int, list[tuple[Keys, NDArray[np.int64]]]] = {}
            for count in range(max(pending), -1, -1):
                if count not in pending:
                    continue
                keys, nodes = self._layer(pending.pop(count))
                if count == 0 and len(keys):
                    return self._found(stage - board.left, int(nodes[0]))
                if count < best and len(keys):
                    best, best_node = count, int(nodes[0])
                if self.states >= self.limit:
                    self.whole = False
                    return self._found(best, best_node)
                played = self._plays(keys, nodes)
                if len(played[0]):
                    pending.setdefault(count - 1, []).append(played)
                    # The loop goes on to count - 1 next.
                if stage < board.left:
                    ready.setdefault(count, []).append(self._before_draw(keys, nodes))
            if stage < board.left:
                pending = self._draws(ready, board.steps.draws[board.stock[stage]])
                if not pending:
                    break
        return self._found(best, best_node)

    def _layer(
        self, parts: list[tuple[Keys, NDArray[np.int64], NDArray[np.int8]]]
    ) -> tuple[Keys, NDArray[np.int64]]:
        """Joins states of equal count, drops the doubles and those beyond the beam, and numbers them."""
        keys = np.concatenate([part[0] for part in parts])
        keys, at = np.unique(keys, return_index=True)
        parents = np.concatenate([part[1] for part in parts])[at]
        columns = np.concatenate([part[2] for part in parts])[at]
        if not self.board.left:
            possible = self._possible(keys)
            keys, parents, columns = keys[possible], parents[possible], columns[possible]
        if len(keys) > self.beam:
            self.whole = False
            keep = np.argpartition(self._hope(keys), -self.beam)[-self.beam :]
            keys, parents, columns = keys[keep], parents[keep], columns[keep]
        nodes = np.arange(self.states, self.states + len(keys))
        self.states += len(keys)
        self.parents.append(parents)
        self.columns.append(columns)
        self.tops.append((keys & np.uint64(15)).astype(np.int8))
        return keys, nodes

    def _plays(
        self, keys: Keys, nodes: NDArray[np.int64]
    ) -> tuple[Keys, NDArray[np.int64], NDArray[np.int8]]:
        tops = (keys & np.uint64(15)).astype(np.int64)
        found: list[tuple[Keys, NDArray[np.int64], NDArray[np.int8]]] = []
        for i, shift in enumerate(self.shifts):
            kinds = self.exposed[i][(keys >> shift & self.mask).astype(np.int64)]
            for way in range(self.ways):
                able = np.flatnonzero(self.sources[kinds, way] >> tops & 1)
                if len(able):
                    after = keys[able] - (np.uint64(1) << shift)
                    after = after & ~np.uint64(15) | self.results[kinds[able], way]
                    found.append((after, nodes[able], np.full(len(able), i, np.int8)))
        if not found:
            return keys[:0], nodes[:0], np.zeros(0, np.int8)
        return (
            np.concatenate([part[0] for part in found]),
            np.concatenate([part[1] for part in found]),
            np.concatenate([part[2] for part in found]),
        )

    def _before_draw(self, keys: Keys, nodes: NDArray[np.int64]) -> tuple[Keys, NDArray[np.int64]]:
        """The states a card may be drawn in, one for each vector of heights, without the top."""
        tops = (keys & np.uint64(15)).astype(np.int64)
        never = np.full(len(keys), self.board.no_draw(), np.int64)
        if self.board.draw_when_stuck:
            for i, shift in enumerate(self.shifts):
                never |= self.follow[self.exposed[i][(keys >> shift & self.mask).astype(np.int64)]]
        able = np.flatnonzero(~(never >> tops) & 1)
        bare, at = np.unique(keys[able] & ~np.uint64(15), return_index=True)
        return bare, nodes[able][at]

    def _draws(
        self, ready: dict[int, list[tuple[Keys, NDArray[np.int64]]]], tops: tuple[int, ...]
    ) -> dict[int, list[tuple[Keys, NDArray[np.int64], NDArray[np.int8]]]]:
        pending: dict[int, list[tuple[Keys, NDArray[np.int64], NDArray[np.int8]]]] = {}
        total = sum(len(keys) for parts in ready.values() for keys, _ in parts)
        for count, parts in ready.items():
            for keys, nodes in parts:
                if total > self.beam:
                    # Shares the beam out among the counts: fewer cards left count for more.
                    self.whole = False
                    share = max(1, int(self.beam * 0.3 * 0.75 ** (count - min(ready))))
                    if len(keys) > share:
                        keep = np.argpartition(self._hope(keys), -share)[-share:]
                        keys, nodes = keys[keep], nodes[keep]
                for top in tops:
                    drawn = (keys | np.uint64(top), nodes, np.full(len(keys), -1, np.int8))
                    pending.setdefault(count, []).append(drawn)
        return pending

    def _possible(self, keys: Keys) -> NDArray[np.bool_]:
        """Without a stock, every card must find a place between cards that it can lie beside.

        Drops states where ranks have so many more cards left than their neighbours could part that the
        aim can't be reached.  Only where that is certain: ranks in a circle and no jokers.
        """
        if self.follow[12] >> 0 & 1 == 0 or any(JOKER in column for column in self.board.columns):
            return np.ones(len(keys), np.bool_)
        left = np.zeros((13, len(keys)), np.int16)
        for column, shift in zip(self.board.columns, self.shifts, strict=True):
            heights = (keys >> shift & self.mask).astype(np.int64)
            for h, kind in enumerate(column):
                left[kind] += heights > h
        tops = (keys & np.uint64(15)).astype(np.int64)
        stay = np.zeros(len(keys), np.int16)
        for rank in range(13):
            low, high = (rank - 1) % 13, (rank + 1) % 13
            beside = (tops == low) | (tops == high) | (tops >= 13)
            stay += np.maximum(left[rank] - left[low] - left[high] - beside, 0)
        return stay <= self.aim

    def _hope(self, keys: Keys) -> NDArray[np.float64]:
        """How promising states of one count are: many different ranks exposed, many of them neighbours."""
        tops = (keys & np.uint64(15)).astype(np.int64)
        shown = np.zeros(len(keys), np.int64)
        movable = np.zeros(len(keys))
        empty = np.zeros(len(keys))
        for i, shift in enumerate(self.shifts):
            kinds = self.exposed[i][(keys >> shift & self.mask).astype(np.int64)]
            shown |= np.int64(1) << kinds
            movable += self.follow[kinds] >> tops & 1
            empty += kinds == BLANK
        shown &= (1 << KINDS) - 1
        linked = shown & (shown << 1 | shown >> 1)
        return (
            _ones(shown)
            + _ones(linked)
            + 0.5 * np.minimum(movable, 3)
            - 0.5 * empty
            + self.random.random(len(keys))
        )

    def _found(self, score: int, node: int) -> Found:
        parents, columns = np.concatenate(self.parents), np.concatenate(self.columns)
        tops = np.concatenate(self.tops)
        steps: list[tuple[int, int]] = []
        # Even the start is left out where the aim can't be reached from it.
        while node < len(parents) and parents[node] >= 0:
            steps.append((int(columns[node]), int(tops[node])))
            node = int(parents[node])
        return Found(tuple(steps[::-1]), self.states, self.whole, score)


def _ones(bits: NDArray[np.int64]) -> NDArray[np.float64]:
    return sum(((bits >> n) & 1 for n in range(KINDS)), start=np.zeros(len(bits), np.int64)).astype(
        np.float64
    )
