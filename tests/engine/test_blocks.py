"""The compiled exact values: blocks and lanes of every make, against plain expectimax and numpy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest

from companion.engine import advise, blocks, fast
from companion.engine.blocks import choose_inner, split
from companion.engine.board import board
from companion.engine.expectation import expect
from companion.engine.lattice import size
from companion.engine.outcome import CLEAR, STROKES
from companion.engine.window import view
from companion.game import Position
from tests.engine.brute import expectimax
from tests.engine.tables import VARIANTS, deal, small
from tests.engine.test_advisor import later

compiled_only = pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")


@compiled_only
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("rules", VARIANTS)
def test_few_lanes_make_many_blocks_with_the_same_answers(
    rules: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A small table fits one block; with fewer lanes its draws lead from block to block.
    monkeypatch.setattr(blocks, "LANES", lanes)
    for seed in range(4):
        position = small(rules, seed, buried=2 * (seed % 2), size=3)
        plain = expectimax(position, lambda score: (score, int(score > 0)))
        advice = advise(position, compiled=True)
        assert advice.exact
        found = {value.move: (value.strokes, 1 - value.clear) for value in advice.moves}
        assert found.keys() == plain.keys()
        for move, value in found.items():
            assert value == pytest.approx([float(mean) for mean in plain[move]], abs=1e-9), (position, move)


@compiled_only
@pytest.mark.parametrize(
    "rules", ["strict", "putt-putt", "queen-only", "jokers", "jokers,joker=any", "strict,draw=when_stuck"]
)
@pytest.mark.parametrize("buried", [False, True])
def test_agrees_with_numpy_on_full_tables(rules: str, buried: bool) -> None:
    position = later(deal(rules, 5), draws=11)
    if buried:
        position = Position(position.rules, position.columns, position.discard[-1:], None, 3)
    table = board(position).with_hidden_stock()
    plain, compiled = (
        expect(view(table), STROKES, CLEAR, exact=True, compiled=wanted) for wanted in (False, True)
    )
    drawing = size(table.heights) - 1
    assert compiled.raw(compiled.draw(drawing)) == pytest.approx(plain.raw(plain.draw(drawing)), abs=1e-6)


@pytest.mark.parametrize("inner", [(), (4,), (4, 6), (2, 4, 6)])
def test_every_set_of_drawn_cards_has_its_lane(inner: tuple[int, ...]) -> None:
    table = board(later(deal("strict", 5), draws=8)).with_hidden_stock()
    kinds = [k for k, copies in enumerate(table.unseen) if copies]
    made = split(table, tuple(kinds[k] for k in inner if k < len(kinds)))
    assert made.stage.size == np.prod([copies + 1 for copies in table.unseen])
    # So many orders of the draws follow as go through what is drawn next.
    for b, before in enumerate(made.before):
        for q, c in enumerate(before):
            if c >= 0:
                assert (made.stage[c] == made.stage[b] - 1).all()
                assert made.weight[c][q] >= 0
    follow = np.where(made.stage == table.left, 1.0, 0.0)
    for b in reversed(range(len(made.before))):
        for lane, after, _, weight in made.moves:
            follow[b, lane] += weight * follow[b, after]
        for q, c in enumerate(made.before[b]):
            if c >= 0:
                follow[c] += made.weight[b, q] * follow[b]
    assert (follow == made.many).all()


@pytest.mark.parametrize("together", [1, 2, 5])
def test_blocks_side_by_side_come_from_no_block_in_common(together: int) -> None:
    table = board(later(deal("strict", 5), draws=7)).with_hidden_stock()
    made = split(table, ())
    length = np.arange(len(made.before))[::-1] % 7
    for layer, (begin, end) in enumerate(pairwise(made.layers)):
        order, cuts = made.groups(layer, length, together)
        assert sorted(order) == list(range(begin, end))
        for first, last in pairwise(cuts):
            assert 0 < last - first <= together
            before = [c for b in order[first:last] for c in made.before[b] if c >= 0]
            assert len(before) == len(set(before))


def test_inner_kinds_are_those_that_change_least() -> None:
    table = board(later(deal("strict", 5), draws=8)).with_hidden_stock()
    kinds = [k for k, copies in enumerate(table.unseen) if copies]
    idle = kinds[2:5]

    def reached(some: Iterable[int]) -> int:
        return 10 ** len([kind for kind in some if kind not in idle])

    assert set(choose_inner(table, reached)) <= set(idle)
