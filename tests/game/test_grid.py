"""The grid game; the examples are those of the rule text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.cards import FULL_DECK
from companion.game.errors import CompanionError
from companion.game.grid import Grid, GridError, GridRules, GridTurns, arrange, check_table, dealer, score

PLAIN = GridRules()


def test_carla_has_thirteen():
    # "Carla bekommt 0 − 2 + 15 = 13 Punkte für dieses Loch."
    assert score(Grid.parse("7S KH 5D / 7C 2S QD"), PLAIN) == 13
    assert score(Grid.parse("7 K 5 / 7 2 Q"), PLAIN) == 13


@pytest.mark.parametrize(
    ("rules", "grid", "points"),
    [
        ("", "2S 2H 2D / 2C 3S 4H", 3),  # two 2s cancel to 0, they don't bring -4: 0 + (-2 + 3) + (-2 + 4)
        ("", "AS KS JS / AH KH QH", 20),
        ("", "TS 9S 8S / 7H 6H 5H", 45),
        ("", "QS QH AS / QD QC 2S", -1),
        ("four=-20", "QS QH AS / QD QC 2S", -21),
        ("four=-20", "QS AS QH / QD 2S QC", -1),  # not neighbours
        ("four=-20", "7 7 7 / 7 7 7", -20),  # a column counts for one bonus only
        ("faces=dear", "JS QS KS / 2H 2D 2C", 17),
        ("joker=-2", "J1 3S AS / J2 4S AH", 7),  # two jokers are two equal cards
        ("joker=-5", "J1 3S AS / 7S 4S AH", 9),
        ("4-cards", "7S 2H / 7C 3D", 1),
        ("9-cards", "7S KH 5D / 7C 2S QD / 7D AS 3C", 17),
        ("9-cards", "7S KH 5D / 7C 2S QD / 8D AS 3C", 39),  # two of three cancel nothing
        ("7=0", "7S KH 5D / 8C 2S QD", 21),
    ],
)
def test_scores(rules, grid, points):
    assert score(Grid.parse(grid), GridRules.parse(rules)) == points


@pytest.mark.parametrize(
    "text",
    ["7S KH / 7C", "7S KH 5D", "", "7S KH 5D / 7C 2S ZZ", "7S KH 5D / 7C 2S ??", "J1 KH 5D / 7C 2S 3D"],
)
def test_a_wrong_grid_gives_a_sentence(text):
    with pytest.raises(CompanionError, match=r"^[a-z].*"):
        score(Grid.parse(text), PLAIN)


@pytest.mark.parametrize(
    "text", ["5-cards", "9-cards,four=-20", "discard=maybe", "joker=x", "foo=1", "holes=0"]
)
def test_wrong_rules_give_a_sentence(text):
    with pytest.raises(GridError):
        GridRules.parse(text)


@given(
    st.sampled_from([4, 6, 9]),
    st.one_of(st.none(), st.sampled_from([-2, -5])),
    st.booleans(),
    st.sampled_from(["keep", "may_turn", "must_turn"]),
    st.sampled_from([9, 18]),
    st.lists(st.integers(-9, 20), min_size=13, max_size=13),
)
def test_rules_round_trip(cards, joker, four, discard, holes, values):
    rules = GridRules(cards, tuple(values), joker, -20 if four and cards != 9 else None, discard, holes)
    assert GridRules.parse(str(rules)) == rules


@given(st.permutations(FULL_DECK), st.sampled_from([4, 6, 9]))
def test_grids_round_trip_and_score_within_bounds(deck, cards):
    rules = GridRules(cards)
    rows, columns = rules.rows, rules.columns
    grid = Grid(tuple(tuple(deck[row * columns : (row + 1) * columns]) for row in range(rows)))
    assert Grid.parse(str(grid)) == grid
    assert -2 * cards < score(grid, rules) <= 10 * cards
    mirrored = Grid(tuple(row[::-1] for row in grid.rows))
    assert score(mirrored, rules) == score(grid, rules)


def test_cards_must_come_from_the_packs_in_play():
    grid = Grid.parse("7S KH 5D / 7C 2S QD")
    with pytest.raises(GridError, match="7S"):
        check_table([grid, Grid.parse("7S 3H 4D / 8C 9S TD")], PLAIN, 2)
    check_table([grid, Grid.parse("7S 3H 4D / 8C 9S TD")], PLAIN, 5)
    with pytest.raises(GridError, match="rank '7'"):
        check_table([Grid.parse("7 7 7 / 7 7 2")], PLAIN, 2)


def test_a_photographed_grid_is_arranged_by_place():
    grid = Grid.parse("7S KH 5D / 7C 2S QD")
    cards = [
        (100 * x + 7 * y, 150 * y - 9 * x, card)
        for y, row in enumerate(grid.rows)
        for x, card in enumerate(row)
    ]
    assert arrange(cards[::-1]) == grid


def test_the_deal_passes_on():
    assert [dealer(0, hole, 3) for hole in range(1, 5)] == [0, 1, 2, 0]


def test_a_hole_ends_one_turn_after_all_cards_are_up():
    turns = GridTurns(players=3, dealer=0)
    order = []
    for ending in (False, False, True, False, False):
        order.append(turns.turn)
        turns = turns.play(all_up=ending)
    assert order == [1, 2, 0, 1, 2]
    assert turns.over
    assert turns.ended_by == 0
    with pytest.raises(GridError):
        turns.play()


@given(st.integers(2, 8), st.integers(0, 7), st.integers(0, 40))
def test_everybody_else_has_exactly_one_more_turn(players, first, before):
    turns = GridTurns(players, first % players)
    for _ in range(before):
        turns = turns.play()
    ender, turns = turns.turn, turns.play(all_up=True)
    last = []
    while not turns.over:
        last.append(turns.turn)
        turns = turns.play(all_up=True)
    assert turns.ended_by == ender
    assert sorted([*last, ender]) == list(range(players))


def test_number_of_players_and_packs():
    assert [PLAIN.decks(n) for n in range(2, 9)] == [1, 1, 1, 2, 2, 2, 2]
    for wrong in (1, 9):
        with pytest.raises(GridError):
            PLAIN.decks(wrong)
