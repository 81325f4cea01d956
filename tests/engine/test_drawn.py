"""What can have been drawn, and the exact kernels over it, against plain expectimax and each other."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine import advise, fast
from companion.engine.board import board
from companion.engine.drawn import drawn
from companion.engine.expectation import expect
from companion.engine.knowledge import count
from companion.engine.lattice import size
from companion.engine.outcome import CLEAR, STROKES
from companion.engine.window import view
from companion.game import Card, Play, Position, Rules
from tests.engine.brute import expectimax
from tests.engine.tables import deal
from tests.engine.test_advisor import later

KERNELS = [False] + [True] * fast.available()


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize(
    "rules", ["strict", "putt-putt", "queen-only", "jokers", "jokers,joker=any", "strict,draw=when_stuck"]
)
@pytest.mark.parametrize("buried", [False, True])
def test_kernels_agree_on_full_tables(rules: str, buried: bool) -> None:
    position = later(deal(rules, 5), draws=11)
    if buried:
        position = Position(position.rules, position.columns, position.discard[-1:], None, 3)
    table = board(position).with_hidden_stock()
    plain, compiled = (
        expect(view(table), STROKES, CLEAR, exact=True, compiled=wanted) for wanted in (False, True)
    )
    drawing = size(table.heights) - 1
    assert compiled.raw(compiled.draw(drawing)) == plain.raw(plain.draw(drawing))
    assert compiled.root.pairs == plain.root.pairs


@pytest.mark.parametrize("buried", [0, 4])
def test_orders_of_the_draws_add_up(buried: int) -> None:
    table = board(later(deal("strict", 5), draws=10)).with_hidden_stock()
    if buried:
        position = later(deal("strict", 5), draws=10)
        joined = Position(position.rules, position.columns, position.discard[buried:], None, 6)
        table = board(joined).with_hidden_stock()
    hands = drawn(table)
    assert hands.hands == count(table.unseen, table.left)
    assert hands.whole == (not buried)
    follow = np.where(hands.stage == table.left, 1.0, 0.0)
    for hand in reversed(range(hands.hands)):
        for q, after in enumerate(hands.after[hand]):
            if after >= 0:
                assert after > hand
                assert hands.stage[after] == hands.stage[hand] + 1
                if hands.whole:
                    assert after == hand + hands.step[q]
                follow[hand] += hands.weight[hand, q] * follow[after]
    assert (follow == hands.many).all()


@pytest.mark.parametrize("compiled", KERNELS)
def test_no_draw_with_a_card_in_reach_that_nothing_can_follow(compiled: bool) -> None:
    # The king on the queen ends the run, and so it may as well be played; but both are legal, and valued.
    text = (("2D", "KC"), ("9D", "4C"), ("7S",))
    columns = tuple(tuple(map(Card.parse, column)) for column in text)
    stock = tuple(map(Card.parse, ("3H", "8D", "QH")))
    position = Position(Rules(), columns, (Card.parse("QC"),), stock)
    plain = expectimax(position, lambda score: (score, int(score > 0)))
    found = {value.move: value for value in advise(position, compiled=compiled).moves}
    assert found.keys() == plain.keys()
    for move, value in found.items():
        assert (value.strokes, 1 - value.clear) == pytest.approx([float(x) for x in plain[move]], abs=1e-9)
    assert min(found, key=lambda move: found[move].strokes) == Play(0)
