"""The solver against reference deals, against trying everything, and through the rules of the game."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from companion.engine import EngineError, fast, solve
from companion.engine.solver import Solution
from companion.game import Draw, Position, Rules, apply
from tests.engine.brute import best_score
from tests.engine.tables import SAMPLE, VARIANTS, deal, references, small

KINDS = (
    "strict",
    "queen_on_king",
    "wrap",
    "free_start",
    "queen_only",
    "strict_when_stuck",
    "queen_on_king_when_stuck",
    "wrap_when_stuck",
)
KERNELS = [False] + [True] * fast.available()


def replayed(position: Position, solution: Solution) -> Position:
    """The table after a solution's line of play; every move is checked by the rules."""
    for move in solution.moves:
        position = apply(position, move)
    assert position.strokes == solution.score
    assert position.cleared == solution.cleared
    return position


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiled", KERNELS)
def test_agrees_with_reference_deals(kind: str, compiled: bool) -> None:
    # The compiled kernel is checked against numpy as well, so numpy sees a part of the deals.
    for position, score in islice(references(SAMPLE, kind), 24 if compiled else 8):
        solution = solve(position, compiled=compiled)
        assert (solution.score, solution.decided) == (score, True)
        replayed(position, solution)


@pytest.mark.parametrize("compiled", KERNELS)
def test_agrees_where_the_first_card_is_free(compiled: bool) -> None:
    # `free_first_card` starts with a play of any card or with a draw: the better of two rule sets.
    count = 24 if compiled else 8
    entries = json.loads(SAMPLE.read_text(encoding="utf-8"))["deals"][:count]
    wanted = [entry["best_score"]["free_first_card"] for entry in entries]
    played = [solve(p, compiled=compiled).score for p, _ in islice(references(SAMPLE, "free_start"), count)]
    drawn = [solve(p, compiled=compiled).score for p, _ in islice(references(SAMPLE, "strict"), count)]
    assert list(map(min, played, drawn)) == wanted


@pytest.mark.parametrize("rules", VARIANTS)
def test_agrees_with_trying_everything(rules: str) -> None:
    for seed in range(12):
        position = small(rules, seed)
        for compiled in KERNELS:
            solution = solve(position, compiled=compiled)
            assert solution.score == best_score(position), position
            replayed(position, solution)


@pytest.mark.skipif(not fast.available(), reason="needs the extra `fast`")
@pytest.mark.parametrize("rules", VARIANTS)
def test_kernels_look_at_the_same_states(rules: str) -> None:
    position = deal(rules, 3)
    assert solve(position, compiled=True).states == solve(position, compiled=False).states


def test_a_draw_names_the_joker() -> None:
    position = deal("jokers", 5)
    seen = replayed(position, solve(position))
    assert all(card.stands_for for card in seen.discard if card.is_joker)


def test_not_cleared_still_has_a_best_score() -> None:
    position = deal("strict", 0)
    solution = solve(position)
    assert not solution.cleared
    assert solution.score > 0
    assert solution.decided


def test_a_hidden_stock_has_no_best_score() -> None:
    with pytest.raises(EngineError, match="face down"):
        solve(deal("strict", 0).hidden())


def test_a_wrong_table_is_refused() -> None:
    position = deal("strict", 0)
    wrong = Position(position.rules, position.columns, (), position.stock)
    with pytest.raises(EngineError, match="problems"):
        solve(wrong)


def test_a_finished_hole_needs_no_moves() -> None:
    position = Position(Rules(), ((), ()), deal("strict", 0).discard, deal("strict", 0).stock)
    solution = solve(position)
    assert (solution.moves, solution.cleared, solution.score) == ((), True, -16)


@pytest.mark.parametrize("name", ["double", "black-hole"])
def test_big_tables_are_searched_within_a_limit(name: str) -> None:
    position = deal(name, 1)
    solution = solve(position, limit=60_000)
    assert solution.states < 200_000
    assert not solution.decided or solution.cleared
    replayed(position, solution)


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_search_is_exact_where_it_decides(rules: str) -> None:
    from companion.engine.board import board
    from companion.engine.search import search

    for seed in range(6):
        position = small(rules, seed)
        found = search(board(position))
        assert found.decided
        assert found.score == best_score(position)


def test_black_hole_that_is_lost_is_decided() -> None:
    # Nothing can be put on the ace: no two or king is exposed.
    columns = deal("black-hole", 0).columns
    lost = tuple(tuple(sorted(column, key=lambda c: c.rank in (2, 13), reverse=True)) for column in columns)
    solution = solve(Position(Rules.parse("black-hole"), lost, deal("black-hole", 0).discard, ()))
    assert solution.decided
    assert not solution.cleared


def test_draws_are_counted_in_the_score() -> None:
    position = deal("putt-putt", 0)
    solution = solve(position)
    assert solution.cleared
    assert -solution.score == position.stock_count - sum(isinstance(move, Draw) for move in solution.moves)
