"""Rounds as values: totals, par, projections and places, over whatever is entered in whatever order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import keeping
from companion.game.keeping import NewScore
from companion.game.round import (
    Player,
    Round,
    RoundError,
    clean_name,
    hole_pars,
    patience_strokes,
    rules_from_dict,
    rules_to_dict,
)
from companion.game.rules import PRESETS, Rules

ANNA, BEN = Player("a" * 32, "Anna"), Player("b" * 32, "Ben")


def begin(rules: Rules | None = None, players=(ANNA,), **how) -> Round:
    return keeping.begin("c" * 32, players, rules or Rules(), "2026-01-01T10:00:00.000Z", event="e", **how)


def enter(round: Round, *scores: NewScore) -> Round:
    for new in scores:
        entry = keeping.enter(round, new, "2026-01-01T10:00:00.000Z", f"{len(round.entries):032x}")
        round = replace(round, entries=(*round.entries, entry))
    return round


@pytest.mark.parametrize(
    ("left", "stock", "strokes"),
    [
        (4, None, 4),
        (None, 2, -2),
        (None, 3, -3),
        (None, 6, -6),
        (0, None, 0),
        (None, 0, 0),
        (0, 5, -5),
        (35, None, 35),
    ],
)
def test_strokes_of_a_hole_as_in_the_rule_texts(left, stock, strokes):
    assert patience_strokes(Rules(), left, stock) == strokes


def test_more_cards_can_be_left_in_the_double_game():
    assert patience_strokes(PRESETS["double"], 63, None) == 63
    assert patience_strokes(PRESETS["free-start"], None, 17) == -17
    with pytest.raises(RoundError):
        patience_strokes(Rules(), None, 17)


@given(st.integers(-40, 400), st.integers(1, 99))
def test_pars_of_the_holes_are_even_and_add_up(par, holes):
    pars = hole_pars(par, holes)
    assert sum(pars) == par
    assert len(pars) == holes
    assert max(pars) - min(pars) <= 1


@given(
    st.permutations(range(1, 10)), st.lists(st.integers(-16, 35), min_size=9, max_size=9), st.integers(0, 9)
)
def test_numbers_don_t_depend_on_the_order_of_entering(order, strokes, played):
    round = begin()
    for hole in order[:played]:
        value = strokes[hole - 1]
        left, stock = (value, None) if value > 0 else (None, -value)
        round = enter(round, NewScore("Anna", hole, left, stock))
    done = [strokes[hole - 1] for hole in order[:played]]
    assert round.total(ANNA.id) == sum(done)
    assert round.played(ANNA.id) == played
    assert round.to_par(ANNA.id) == (sum(done) - 5 * played if played else None)
    assert round.projected(ANNA.id) == (pytest.approx(9 * sum(done) / played) if played else None)
    assert round.is_complete == (played == 9)
    assert round.can_finish == (played == 9)
    first = round.next_hole(ANNA.id)
    assert first == next((hole for hole in range(1, 10) if hole not in order[:played]), None)


def test_a_complete_round_is_projected_as_it_is():
    round = enter(begin(), *[NewScore("Anna", left=n) for n in range(9)])
    assert round.projected(ANNA.id) == round.total(ANNA.id) == 36


def test_places_in_a_round_for_oneself():
    round = begin(players=(ANNA, BEN))
    for _ in range(9):
        round = enter(round, NewScore("Anna", left=2), NewScore("Ben", left=2))
    assert round.playoff is None
    assert round.winners == (ANNA, BEN)
    assert round.can_finish


@given(st.integers(0, 9), st.integers(0, 9))
def test_what_may_happen_to_a_round(played, ben_played):
    round = begin(players=(ANNA, BEN))
    for _ in range(played):
        round = enter(round, NewScore("Anna", left=1))
    for _ in range(ben_played):
        round = enter(round, NewScore("Ben", left=1))
    if played == ben_played == 9:
        assert keeping.happen(round, "finished", "2026", "f").kind == "finished"
    else:
        with pytest.raises(RoundError, match="missing"):
            keeping.happen(round, "finished", "2026", "f")
    keeping.check(round)


@pytest.mark.parametrize("text", sorted(PRESETS))
def test_rules_are_kept_field_by_field(text):
    rules = Rules.parse(text)
    assert rules_from_dict("patience", rules_to_dict(rules)) == rules
    with pytest.raises(RoundError):
        rules_from_dict("patience", rules_to_dict(rules) | {"skin": 1})
    with pytest.raises(RoundError):
        rules_from_dict("bridge", rules_to_dict(rules))


@pytest.mark.parametrize(
    ("typed", "kept"), [("  Anna  Maria ", "Anna Maria"), ("A\u030asa", "Åsa"), ("李", "李")]
)
def test_names_are_kept_clean(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "x" * 61, "a\x00b", "a\x1b[31mb"])
def test_names_that_cannot_be(typed):
    with pytest.raises(RoundError):
        clean_name(typed)
