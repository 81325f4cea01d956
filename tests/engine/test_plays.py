"""The plays from many heights at once, against the rules as the engine holds them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.engine.board import board
from companion.engine.lattice import lattice
from companion.engine.plays import others, turns, ways
from companion.engine.tops import TOPS
from tests.engine.tables import VARIANTS, small


@pytest.mark.parametrize("rules", VARIANTS)
def test_each_play_from_each_top_is_there_once(rules: str) -> None:
    for seed in range(3):
        table = board(small(rules, seed, size=3))
        digits = lattice(table.heights).digits
        cells = digits.shape[1]
        tops = np.random.default_rng(seed).integers(0, 1 << TOPS, cells) & table.tops()
        results = (1 << TOPS) - 1 - 0b100
        wanted = Counter(
            (cell, top, i, edge.result)
            for cell in range(cells)
            for i, column in enumerate(table.columns)
            if digits[i, cell]
            for edge in table.steps.plays[column[digits[i, cell] - 1]]
            for top in range(TOPS)
            if int(edge.sources & tops[cell]) >> top & 1 and results >> edge.result & 1
        )
        listed, played = turns(ways(table), digits, tops, results)
        first: Counter[tuple[int, int]] = Counter()
        found: Counter[tuple[int, int, int, int]] = Counter()
        for turn in listed:
            for on in turn.first:
                for cell in np.flatnonzero(on < TOPS).tolist():
                    first[cell, int(on[cell])] += 1
                    found[cell, int(on[cell]), turn.column, int(turn.made[cell])] += 1
            for some, on in others(turn.again, np.arange(cells)):
                for cell, top in zip(some.tolist(), on.tolist(), strict=True):
                    assert first[cell, top] == 1
                    found[cell, top, turn.column, int(turn.made[cell])] += 1
        assert found == wanted
        assert set(first.values()) <= {1}
        assert {(cell, top) for top, cell in np.argwhere(played).tolist()} == first.keys()
