"""The plays from many heights at once, against the rules as the engine holds them."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from companion.engine.board import board
from companion.engine.lattice import lattice
from companion.engine.plays import cases, ways
from companion.engine.tops import TOPS
from tests.engine.tables import VARIANTS, small


@pytest.mark.parametrize("rules", VARIANTS)
def test_each_play_from_each_top_is_there_once_and_tops_alike_share_a_case(rules: str) -> None:
    for seed in range(3):
        table = board(small(rules, seed, size=3))
        digits = lattice(table.heights).digits
        cells = digits.shape[1]
        chance = np.random.default_rng(seed)
        tops, skip = chance.integers(0, 1 << TOPS, (2, cells)) & table.tops()
        wanted: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
        for cell in range(cells):
            for i, column in enumerate(table.columns):
                for edge in table.steps.plays[column[digits[i, cell] - 1]] if digits[i, cell] else ():
                    for top in range(TOPS):
                        if int(edge.sources & tops[cell]) >> top & 1:
                            wanted[cell, top].add((i, edge.result))
        cuts = [0, 1, cells // 2, cells]
        found = cases(ways(table), digits, tops, skip, cuts)
        plays: dict[int, list[tuple[int, int]]] = defaultdict(list)
        shut: dict[int, bool] = {}
        for part, (begin, end) in zip(found.parts, pairwise(cuts), strict=True):
            assert found.cell[part.first : part.plays].tolist() == list(range(begin, end))
            for n, (low, high) in enumerate(found.turns(part)):
                for case in range(low, high):
                    plays[case].append((int(found.column[n, case]), int(found.made[n, case])))
            for case in range(part.plays, part.end):
                assert begin <= found.cell[case] < end
                shut[case] = case >= part.shut
        seen = Counter()
        for cell in range(cells):
            assert found.of[TOPS, cell] not in plays
            for top in range(TOPS):
                case = int(found.of[top, cell])
                assert found.cell[case] == cell
                if (cell, top) not in wanted:
                    assert case == found.of[TOPS, cell]
                    continue
                assert sorted(plays[case]) == sorted(wanted[cell, top])
                assert shut[case] == bool(skip[cell] >> top & 1) == bool(found.shut[cell] >> top & 1)
                seen[cell, frozenset(plays[case]), shut[case]] += case not in seen
                seen[case] += 1
        # Tops on which the same can be done, and only those, share a case.
        assert {count for key, count in seen.items() if isinstance(key, tuple)} <= {1}
        assert {key for key in seen if isinstance(key, int)} == plays.keys()
