"""The advisor against a plain expectimax through the rules of the game, and what it must never do."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from companion.engine import Advice, Aim, EngineError, advise, expectation, fast
from companion.engine.advisor import best_line
from companion.engine.board import board
from companion.engine.calibration import Basis, correct, family
from companion.engine.expectation import expect
from companion.engine.lattice import size
from companion.engine.outcome import CLEAR, STROKES, figure, read
from companion.engine.window import view
from companion.game import Card, Draw, Play, Position, Rules, apply, can, legal_moves
from tests.engine.brute import expectimax
from tests.engine.tables import VARIANTS, deal, small

KERNELS = [False] + [True] * fast.available()


def figures(advice: Advice, aim: str) -> dict[Play | Draw, tuple[float, ...]]:
    """The first and the second figure of each move, less is better."""
    found: dict[Play | Draw, tuple[float, ...]] = {}
    for value in advice.moves:
        if aim == "strokes":
            found[value.move] = (value.strokes, 1 - value.clear)
        elif aim == "clear":
            found[value.move] = (1 - value.clear, value.strokes)
        else:
            assert value.at_most is not None
            found[value.move] = (1 - value.at_most, value.strokes)
    return found


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("compiled", KERNELS)
def test_agrees_with_expectimax(rules: str, compiled: bool) -> None:
    wanted = {
        "strokes": lambda score: (score, int(score > 0)),
        "clear": lambda score: (int(score > 0), score),
        "<=1": lambda score: (int(score > 1), score),
    }
    for seed in range(8):
        position = small(rules, seed, buried=seed % 3, size=3)
        for aim, score_figure in wanted.items():
            plain = expectimax(position, score_figure)
            advice = advise(position, aim, compiled=compiled)
            found = figures(advice, aim)
            assert set(found) == set(plain)
            assert advice.exact
            for move, value in found.items():
                assert value == pytest.approx([float(mean) for mean in plain[move]], abs=1e-9), position
            if found:
                assert advice.moves[0].move in found
                best = min(found.values())
                assert found[advice.moves[0].move] == pytest.approx(best, abs=1e-9)


def shallow(position: Position) -> Position:
    """The upper two cards of each column; those below lie in the discard, where everybody saw them."""
    low = tuple(card for column in position.columns for card in column[:-2])
    columns = tuple(column[-2:] for column in position.columns)
    return Position(position.rules, columns, (*low, *position.discard), position.stock)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short lists that aren't as wide as else: they take a twentieth of the time."""
    monkeypatch.setattr(expectation, "_LISTED", 200_000)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("compiled", KERNELS)
@pytest.mark.parametrize("rules", ["strict", "putt-putt", "jokers", "queen-only,draw=when_stuck"])
def test_never_looks_at_the_order_of_the_stock(rules: str, compiled: bool) -> None:
    estimated, exact = shallow(deal(rules, 7)), shallow(later(deal(rules, 7), draws=11))
    for aim in ("strokes", "clear"):
        assert not same_in_any_order(estimated, aim, compiled).exact
        assert same_in_any_order(exact, aim, compiled).exact


@pytest.mark.usefixtures("narrow")
def test_never_looks_at_the_order_of_the_stock_of_a_full_deal() -> None:
    same_in_any_order(deal("free-start", 7), "strokes", None)


def same_in_any_order(position: Position, aim: str, compiled: bool | None) -> Advice:
    """The advice, which has to be the same however the stock lies, and when nobody knows it."""
    stock = list(position.stock or ())
    random.Random(1).shuffle(stock)
    tables = (position, position.with_stock(stock), position.hidden())
    assert stock != list(position.stock or ())
    first, *others = (advise(table, aim, compiled=compiled) for table in tables)
    for other in others:
        assert (first.moves, first.run, first.exact) == (other.moves, other.run, other.exact)
    return first


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize("rules", ["strict", "jokers", "queen-only,draw=when_stuck", "free-start"])
def test_kernels_agree_on_independent_draws(rules: str) -> None:
    from companion.engine.heights_fast import exposed_kinds
    from companion.engine.independent_fast import values

    for seed in range(3):
        table = board(small(rules, seed, size=4)).with_hidden_stock()
        plain = expect(view(table), STROKES, CLEAR, compiled=False, exact=False)
        ends = view(table).plain_ends(figure(STROKES, table.left))
        store = values(table, *exposed_kinds(table), ends.stuck, ends.cleared)
        index = size(table.heights) - 1
        if table.may_draw(table.heights, table.top):
            found = read(STROKES, float(store[0, index]), table.left)
            assert found == pytest.approx(plain.raw(plain.draw(index))[0], abs=1e-4)


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize("few", [0, 10**9])
@pytest.mark.parametrize("rules", ["strict", "putt-putt", "jokers", "queen-only,draw=when_stuck"])
def test_kernels_agree_on_whole_tables(rules: str, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.engine import expect_fast

    # With and without a look ahead for how the hands had better be ordered.
    monkeypatch.setattr(expect_fast, "_FEW", few)
    for seed in range(3):
        known = later(deal(rules, seed), draws=11)
        joined = Position(known.rules, known.columns, known.discard[-1:], None, min(3, known.stock_count))
        for position in (known, joined):
            table = view(board(position).with_hidden_stock())
            one, other = (
                expect(table, STROKES, CLEAR, compiled=compiled, exact=True) for compiled in (True, False)
            )
            assert one.root.pairs == other.root.pairs
            assert best_line(one)[0] == best_line(other)[0]
            assert one.raw(best_line(one)[1]) == pytest.approx(other.raw(best_line(other)[1]), abs=1e-6)


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize("copies", [(1, 1, 1), (2, 1), (3, 2), (5,), (7, 1), ()])
def test_hands_in_blocks_lead_where_they_did(copies: tuple[int, ...]) -> None:
    from companion.engine.drawn import LANES, drawn, in_lanes
    from companion.engine.expect_fast import near_kinds

    plain = board(deal("strict", 0)).with_hidden_stock()
    unseen = (*copies, *[0] * (len(plain.unseen) - len(copies)))
    for left in {sum(copies), sum(copies) // 2}:
        table = replace(plain, unseen=unseen, left=left)
        hands = drawn(table)
        near = near_kinds(table, hands, None)
        lanes = in_lanes(hands, near)
        moved = lanes.drawn
        assert len(set(lanes.number)) == hands.hands
        assert moved.hands % LANES == 0
        assert (moved.counts[lanes.number] == hands.counts).all()
        for hand, place in enumerate(lanes.number):
            for q, after in enumerate(hands.after[hand]):
                assert moved.after[place, q] == (lanes.number[after] if after >= 0 else -1)
                if after >= 0 and q in near:
                    assert moved.after[place, q] - place == 1 << near.index(q)
                    assert place // LANES == moved.after[place, q] // LANES


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize("rules", VARIANTS)
def test_short_lists_are_real_play(rules: str) -> None:
    # What restricted play comes to can't be better than the best play, and wide lists find that.
    for seed in range(6):
        table = board(small(rules, seed, buried=seed % 3, size=4)).with_hidden_stock()
        if not table.left:
            continue
        exact, listed = (
            expect(view(table), STROKES, CLEAR, compiled=True, exact=wanted) for wanted in (True, False)
        )
        assert exact.exact
        assert not listed.exact
        best, found = (each.raw(best_line(each)[1])[0] for each in (exact, listed))
        assert best - 1e-4 <= found <= best + 0.5, (rules, seed)
        line, _ = best_line(listed)
        assert len(line) == len(best_line(exact)[0]) or found == pytest.approx(best, abs=0.5)


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
def test_every_legal_move_of_an_estimate_has_a_value() -> None:
    for rules in ("strict", "putt-putt", "jokers", "strict,draw=when_stuck"):
        position = deal(rules, 3)
        advice = advise(position, compiled=True)
        assert not advice.exact
        assert {value.move for value in advice.moves} == set(legal_moves(position))
        assert all(-17 <= value.strokes <= 35 for value in advice.moves)


def test_lists_the_legal_moves_and_a_run_that_can_be_played() -> None:
    for rules in ("strict", "free-start", "jokers", "putt-putt"):
        position = deal(rules, 4)
        advice = advise(position)
        assert {value.move for value in advice.moves} == set(legal_moves(position))
        assert all(0 <= value.clear <= 1 for value in advice.moves)
        for card in advice.run:
            column = next(
                n
                for n, exposed in enumerate(position.exposed)
                if exposed is not None and exposed is card.plain
            )
            move = Play(column, card.stands_for)
            assert can(position, move)
            position = apply(position, move)


def test_later_positions_are_exact() -> None:
    position = later(deal("strict", 2), draws=8)
    assert advise(position, compiled=False).exact


def test_a_joined_game_draws_from_all_that_is_unseen() -> None:
    position = later(deal("strict", 2), draws=11)
    joined = Position(position.rules, position.columns, position.discard[-1:], None, position.stock_count)
    assert len(joined.unseen) > joined.stock_count
    assert len(advise(joined).unseen) == len(joined.unseen)
    assert advise(joined).moves != advise(position).moves


def test_nothing_to_advise_when_the_hole_is_over() -> None:
    position = deal("strict", 0)
    over = Position(position.rules, ((),), position.discard, position.stock)
    assert advise(over).moves == ()
    stuck = Position(Rules(), deal("strict", 0).columns, position.discard, (), 0)
    assert all(isinstance(value.move, Play) for value in advise(stuck).moves)


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("strokes", Aim("strokes")),
        (" CLEAR ", Aim("clear")),
        ("<=4", Aim("at_most", 4)),
        ("≤ -2", Aim("at_most", -2)),
    ],
)
def test_aims(text: str, aim: Aim) -> None:
    assert Aim.parse(text) == aim
    assert Aim.parse(str(aim)) == aim


@pytest.mark.parametrize("text", ["", "win", "<4", "<=x", "4"])
def test_no_aims(text: str) -> None:
    with pytest.raises(EngineError, match="an aim is"):
        Aim.parse(text)


def later(position: Position, draws: int) -> Position:
    """The position after some draws, each when nothing can be played."""
    while draws:
        moves = legal_moves(position)
        draws -= isinstance(moves[0], Draw)
        position = apply(position, moves[0])
    return position


@pytest.mark.parametrize("rules", ["double", "black-hole"])
def test_big_tables_get_estimates(rules: str) -> None:
    position = deal(rules, 1)
    advice = advise(position, compiled=False)
    assert {value.move for value in advice.moves} == set(legal_moves(position))
    assert all(0 <= value.clear <= 1 for value in advice.moves)
    assert all(-position.stock_count <= value.strokes <= position.tableau_count for value in advice.moves)
    assert advice.run


def test_two_threads_may_ask_at_once() -> None:
    positions = [small("strict", seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(advise, positions))
    assert [advice.moves for advice in found] == [advise(position).moves for position in positions]


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("name", ["strict", "queen", "wrap", "strict-stuck", "wrap-stuck"])
def test_corrections_keep_the_order_and_the_bounds(listed: bool, name: str) -> None:
    for draws in (1, 3, 11, 16):
        for given in ((0.0, 1.0, 1.0), (4.0, 0.0, 0.5)) if listed else ((),):
            basis = Basis(name, draws, listed, *given)
            strokes = [correct(STROKES, 0.5 * n - draws, basis) for n in range(100)]
            assert strokes == sorted(strokes)
            assert strokes[0] >= -draws
            chances = [correct(CLEAR, n / 100, basis) for n in range(101)]
            assert chances == sorted(chances)
            assert all(0 < chance < 1 for chance in chances)


def test_families_of_rules() -> None:
    names = {
        "strict": "strict",
        "queen-on-king": "queen",
        "putt-putt": "wrap",
        "free-start": "strict",
        "strict,draw=when_stuck": "strict-stuck",
    }
    assert {rules: family(board(deal(rules, 0))) for rules in names} == names


def test_a_sure_thing_is_told_as_one() -> None:
    position = deal("strict", 0)
    last = Position(position.rules, ((Card.parse("6H"),),), (Card.parse("5H"),), None, 3)
    advice = advise(last)
    assert (advice.moves[0].strokes, advice.moves[0].clear, advice.exact) == (-3, 1, True)
