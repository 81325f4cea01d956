"""Statistics: each number against a plain count, and hinted holes apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import keeping
from companion.game.grid import GridRules
from companion.game.keeping import NewScore
from companion.game.round import Event, RoundError
from companion.game.rules import Rules
from companion.game.stats import head_to_head, statistics

from .test_round import ANNA, BEN, begin, enter


def finished(scores, day=1, hinted=(), rules=None, players=(ANNA,), **how):
    """A finished round; `scores` are strokes, or tuples of strokes for several players."""
    round = begin(rules or Rules(holes=len(scores), par=5 * len(scores)), players, **how)
    round = replace(round, events=(replace(round.events[0], at=f"2026-01-{day:02}T10:00:00.000Z"),))
    for hole, values in enumerate(scores, 1):
        for player, value in zip(players, values if isinstance(values, tuple) else (values,), strict=True):
            left, stock = (value, None) if value > 0 else (None, -value)
            round = enter(round, NewScore(player.id, hole, left, stock, hinted=hole in hinted))
    return replace(round, events=(*round.events, Event("f", "finished", "2026-01-31T10:00:00.000Z")))


def test_every_number_of_two_rounds():
    rounds = [finished([4, -3, 0, 7], day=2), finished([5, 5, -1, 0], day=1)]
    stats = statistics(rounds, ANNA.id)
    assert (stats.rounds, stats.holes, stats.strokes) == (2, 8, 17)
    assert stats.average == pytest.approx(17 / 8)
    assert stats.to_par == pytest.approx((17 - 40) / 8)
    assert stats.distribution == ((-3, 1), (-1, 1), (0, 2), (4, 1), (5, 2), (7, 1))
    assert (stats.cleared, stats.cleared_rate) == (4, 0.5)
    assert stats.under_par_rate == 5 / 8
    assert stats.best_hole == -3
    # In order of play: 5 5 -1 0 | 4 -3 0 7
    assert (stats.longest_cleared, stats.current_cleared, stats.longest_under_par) == (2, 0, 5)
    assert [point.total for point in stats.history] == [9, 8]
    (line,) = stats.by_length
    assert (line.holes, line.rounds, line.average, line.best, line.best_to_par) == (4, 2, 8.5, 8, -12)


def test_rounds_of_nine_and_of_eighteen_are_not_mixed():
    stats = statistics([finished([4] * 9), finished([3] * 18)], ANNA.id)
    assert [(line.holes, line.average, line.best) for line in stats.by_length] == [(9, 36, 36), (18, 54, 54)]


def test_hinted_holes_count_apart_and_never_as_records():
    rounds = [finished([4, -9, 3], hinted=[2]), finished([5, 5, 5], day=2)]
    without = statistics(rounds, ANNA.id)
    assert (without.rounds, without.holes, without.hinted_holes, without.best_hole) == (1, 5, 1, 3)
    assert without.played == 2  # five holes are not of one round
    counted = statistics(rounds, ANNA.id, hinted="with")
    assert (counted.played, counted.rounds, counted.holes, counted.best_hole) == (2, 2, 6, 3)
    assert counted.by_length[0].best == 15
    only = statistics(rounds, ANNA.id, hinted="only")
    assert (only.played, only.rounds, only.holes, only.strokes) == (1, 0, 1, -9)
    with pytest.raises(RoundError):
        statistics(rounds, ANNA.id, hinted="maybe")


def test_only_finished_rounds_by_the_asked_rules_count():
    putt = Rules(wrap=True, holes=2, par=10)
    rounds = [finished([1, 1]), finished([2, 2], rules=putt), begin()]
    assert statistics(rounds, ANNA.id).holes == 4
    assert statistics(rounds, ANNA.id, rules=Rules(wrap=True)).strokes == 4
    assert statistics(rounds, BEN.id).holes == 0
    assert statistics([], ANNA.id).average is None


def test_head_to_head():
    both = (ANNA, BEN)
    rounds = [
        finished([(1, 2), (3, 3)], players=both),
        finished([(9, 2), (1, 2)], players=both, day=2),
        finished([(2, 2), (2, 2)], players=both, day=3),
        finished([(1, 2), (1, 2), (9, 0)], players=both, form="match", day=4),  # Anna 2 and 1, Ben lower
        finished([4]),
    ]
    duel = head_to_head(rounds, ANNA.id, BEN.id)
    assert (duel.rounds, duel.won, duel.lost, duel.level) == (4, 2, 1, 1)
    assert (duel.holes_won, duel.holes_lost, duel.holes_halved) == (4, 2, 3)
    assert duel.difference == pytest.approx((-1 + 6 + 0 + 7) / 4)
    mirror = head_to_head(rounds, BEN.id, ANNA.id)
    assert (mirror.won, mirror.lost, mirror.difference) == (1, 2, -duel.difference)


def test_the_grid_game_has_numbers_without_par():
    round = keeping.begin("c" * 32, (ANNA, BEN), GridRules(holes=1), "2026-01-01T10:00:00.000Z", event="e")
    round = enter(round, NewScore("Anna", points=-3), NewScore("Ben", points=13))
    round = replace(round, events=(*round.events, Event("f", "finished", "2026-01-31T10:00:00.000Z")))
    stats = statistics([round], ANNA.id, game="grid")
    assert (stats.average, stats.cleared_rate, stats.to_par, stats.best_hole) == (-3, None, None, -3)


scores = st.lists(st.integers(-16, 35), min_size=3, max_size=3)


@given(
    st.lists(st.tuples(scores, st.sets(st.integers(1, 3))), max_size=5),
    st.sampled_from(["without", "with", "only"]),
)
def test_rates_are_shares_and_sums_add_up(rounds, mode):
    kept = [finished(values, day=n + 1, hinted=hints) for n, (values, hints) in enumerate(rounds)]
    stats = statistics(kept, ANNA.id, hinted=mode)
    assert sum(count for _, count in stats.distribution) == stats.holes
    assert sum(value * count for value, count in stats.distribution) == stats.strokes
    for rate in (stats.cleared_rate, stats.under_par_rate):
        assert rate is None or 0 <= rate <= 1
    assert stats.current_cleared <= stats.longest_cleared <= 3 * len(kept)
    apart = [statistics(kept, ANNA.id, hinted=how).holes for how in ("without", "only", "with")]
    assert apart[0] + apart[1] == apart[2] == 3 * len(kept)
    clean = [v for values, hints in rounds for hole, v in enumerate(values, 1) if hole not in hints]
    assert stats.best_hole == min(clean, default=None)
