"""What can have been drawn, and the exact kernels over it, against plain expectimax and each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.engine import advise, fast, reached, rows
from companion.engine.blocks import in_blocks
from companion.engine.board import board, kind
from companion.engine.drawn import drawn, told_apart
from companion.engine.expectation import expect
from companion.engine.knowledge import count
from companion.engine.lattice import size
from companion.engine.outcome import CLEAR, STROKES
from companion.engine.tops import KINDS
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


@pytest.mark.parametrize("rules", ["strict", "jokers,draw=when_stuck"])
def test_threads_that_share_a_layer_make_no_difference(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = view(board(later(deal(rules, 5), draws=12)).with_hidden_stock())
    alone = expect(table, STROKES, CLEAR, exact=True, compiled=False)
    # A layer of one height vector was cut in two.
    monkeypatch.setattr(reached, "_ALONE", 0)
    monkeypatch.setattr(rows, "_ALONE", 0)
    monkeypatch.setattr(rows, "_CHUNK", 200)
    shared = expect(table, STROKES, CLEAR, exact=True, compiled=False)
    drawing = size(table.board.heights) - 1
    assert shared.raw(shared.draw(drawing)) == alone.raw(alone.draw(drawing))


@pytest.mark.parametrize("buried", [0, 4])
def test_orders_of_the_draws_add_up(buried: int) -> None:
    table = board(later(deal("strict", 5), draws=10)).with_hidden_stock()
    if buried:
        position = later(deal("strict", 5), draws=10)
        joined = Position(position.rules, position.columns, position.discard[buried:], None, 6)
        table = board(joined).with_hidden_stock()
    hands = drawn(table)
    assert hands.hands == count(told_apart(table), table.left)
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


@pytest.mark.parametrize("buried", [0, 4])
@pytest.mark.parametrize("near", [(), (1,), (0, 2), (3, 1, 0)])
def test_blocks_hold_each_hand_once_and_draws_stay_draws(buried: int, near: tuple[int, ...]) -> None:
    position = later(deal("strict", 5), draws=10)
    if buried:
        position = Position(position.rules, position.columns, position.discard[buried:], None, 4)
    table = board(position).with_hidden_stock()
    hands = drawn(table)
    blocks = in_blocks(hands, near, table.left)
    assert sorted(blocks.hand[blocks.hand < hands.hands].tolist()) == list(range(hands.hands))
    steps = {(lane, j): (after, weight) for lane, j, after, weight in blocks.steps}
    for block, row in enumerate(blocks.hand.tolist()):
        for lane, hand in enumerate(row):
            if hand == hands.hands:
                continue
            assert blocks.last[block, lane] == (hands.stage[hand] == table.left)
            draws = dict.fromkeys(range(len(hands.kinds)), (-1, 0.0))
            if not blocks.last[block, lane]:
                for j, q in enumerate(blocks.far):
                    if (to := int(blocks.after[j, block])) < len(blocks.hand):
                        draws[q] = (int(blocks.hand[to, lane]), float(blocks.weight[j, block]))
                for j, q in enumerate(blocks.near):
                    if (lane, j) in steps:
                        to, weight = steps[lane, j]
                        draws[q] = (int(blocks.hand[block, to]), weight)
            expected = zip(hands.after[hand].tolist(), hands.weight[hand].tolist(), strict=True)
            assert list(draws.values()) == list(expected)


def test_kinds_that_nothing_can_follow_are_not_told_apart() -> None:
    columns = ((Card.parse("2D"), Card.parse("3C")), (Card.parse("4S"),))
    stock = tuple(map(Card.parse, ("8H", "9D", "8C", "2H")))
    position = Position(Rules(), columns, (Card.parse("KC"),), stock)
    table = board(position).with_hidden_stock()
    seen = drawn(replace(table, unseen=tuple(map([kind(card) for card in stock].count, range(KINDS)))))
    # Twos, and three cards of which it doesn't matter which they are: two times four hands.
    assert (seen.kinds, seen.copies.tolist(), seen.hands) == ((1, 7), [1, 3], 8)
    assert seen.scale == 4
