"""Tournament points, match play and extra holes; the examples of the rule texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import match

strokes = st.lists(st.one_of(st.none(), st.integers(-16, 35)), min_size=9, max_size=9)
full = st.lists(st.integers(-16, 35), min_size=9, max_size=9)


def test_tournament_gives_a_point_a_hole_and_three_for_the_total():
    # German rules, "Turnier-Golf": a point for each hole won, three more for the lower total.
    standing = match.tournament([1, 5, 5, 0, 0, 0, 0, 0, 0], [2, 4, 5, 0, 0, 0, 0, 0, 9], 9)
    assert standing.holes_won == (2, 1)
    assert standing.halved == 6
    assert standing.totals == (11, 20)
    assert standing.points == (5, 1)
    assert standing.winner == 0


def test_the_three_points_come_with_the_last_hole():
    standing = match.tournament([1] * 8 + [None], [2] * 8 + [2], 9)
    assert standing.points == (8, 0)
    assert standing.open_points == 4
    assert standing.decided
    assert standing.winner is None


def test_the_lower_total_can_turn_a_tournament():
    standing = match.tournament([0, 0, 9, 9, 3], [1, 1, 0, 0, 3], 5)
    assert standing.points == (2, 5)


def test_level_tournament_needs_an_extra_hole():
    first, second = [1, 2] + [3] * 7, [2, 1] + [3] * 7
    assert match.tournament(first, second, 9).winner is None
    assert match.tournament(first, second, 9, [(4, 4), (2, -3)]).winner == 1
    assert match.tournament(first, second, 9, [(4, 4), (2, -3)]).extra == 2


@pytest.mark.parametrize(
    ("first", "second", "state", "up", "left", "result"),
    [
        ([], [], "all_square", 0, 9, "all square"),
        ([1], [2], "up", 1, 8, "1 up"),
        ([1, 3], [2, 2], "all_square", 0, 7, "all square"),
        ([1, 1, 1, 0, 0, 0], [2, 2, 2, 0, 0, 0], "dormie", 3, 3, "dormie 3"),
        ([1, 1, 1, 0, 0, 0, 0], [2, 2, 2, 0, 0, 0, 0], "decided", 3, 2, "3 and 2"),
        ([0] * 8 + [3], [0] * 8 + [2], "decided", -1, 0, "1 up"),
        ([0] * 9, [0] * 9, "extra_hole", 0, 0, "all square"),
    ],
)
def test_match_play(first, second, state, up, left, result):
    standing = match.match_play(first, second, 9)
    assert (standing.state, standing.up, standing.left, standing.result) == (state, up, left, result)


def test_holes_played_out_after_the_decision_do_not_change_it():
    decided = match.match_play([0] * 5, [1] * 5, 9)
    assert decided.result == "5 and 4"
    assert match.match_play([0] * 5 + [9] * 4, [1] * 9, 9) == decided


def test_a_match_level_after_the_last_hole_goes_on():
    standing = match.match_play([0] * 9, [0] * 9, 9, [(1, 1), (0, 1)])
    assert (standing.winner, standing.result) == (0, "extra hole 2")


def test_playoff_keeps_the_lowest_and_waits_for_all():
    assert match.playoff((0, 2, 3), [(2, None, 1, 1), (None, None, 4, 3)]) == match.Playoff((3,), 2)
    assert match.playoff((0, 1), [(2, None)]) == match.Playoff((0, 1), 0)


def test_equal_totals_share_a_place():
    places = match.table([[1, 2], [3, 0], [5, None], [0, 9]], 2)
    assert [(p.side, p.place, p.total) for p in places] == [(3, 1, 0), (0, 2, 1), (1, 3, 3), (2, 4, 5)]
    places = match.table([[4, 4], [1, 1], [1, 1], [0, 9]], 2)
    assert [(p.side, p.place) for p in places] == [(1, 1), (2, 1), (0, 3), (3, 4)]


@given(strokes, strokes)
def test_the_other_side_sees_the_mirror(first, second):
    mine, theirs = match.match_play(first, second, 9), match.match_play(second, first, 9)
    assert (mine.up, mine.left, mine.state) == (-theirs.up, theirs.left, theirs.state)
    ours, other = match.tournament(first, second, 9), match.tournament(second, first, 9)
    assert ours.points == other.points[::-1]
    assert ours.decided == other.decided


@given(full, full)
def test_a_decided_lead_cannot_be_caught(first, second):
    for hole in range(10):
        standing = match.match_play(first[:hole], second[:hole], 9)
        if standing.state == "decided":
            assert match.match_play(first, second, 9).leader == standing.leader
            lead = sum(a < b for a, b in zip(first, second, strict=True)) - sum(
                b < a for a, b in zip(first, second, strict=True)
            )
            # Had the other side won all that was left, it would still be behind.
            assert abs(standing.up) > 9 - hole
            assert lead * standing.up > 0 or abs(lead - standing.up) <= standing.left
        early = match.tournament(first[:hole], second[:hole], 9)
        if early.decided:
            late = match.tournament(first, second, 9)
            assert late.leader == early.leader
    late = match.tournament(first, second, 9)
    assert sum(late.points) == 9 - late.halved + 3 * (late.totals[0] != late.totals[1])
