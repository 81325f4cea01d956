from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given

from companion.game import (
    PRESETS,
    UNKNOWN,
    Card,
    CompanionError,
    Draw,
    Position,
    PositionError,
    Rules,
    apply,
    full_deck,
    parse_cards,
    scoring,
)
from tests.game import strategies
from tests.game.test_moves import table

DECK = full_deck(PRESETS["strict"])


def fresh(rules: str = "strict", seed: int = 1) -> Position:
    chosen = Rules.parse(rules)
    deck = list(full_deck(chosen))
    random.Random(seed).shuffle(deck)
    return Position.deal(chosen, deck)


def with_card(position: Position, column: int, row: int, card: str) -> Position:
    columns = [list(pile) for pile in position.columns]
    columns[column][row] = Card.parse(card)
    return Position(position.rules, tuple(map(tuple, columns)), position.discard, None, position.stock_count)


def codes(position: Position) -> list[str]:
    return [problem.code for problem in position.problems()]


@pytest.mark.parametrize("name", PRESETS)
def test_a_fresh_deal_has_no_problems(name: str) -> None:
    position = fresh(name)
    assert position.problems() == ()
    assert position.playable
    assert position.stock_count == position.rules.stock_size
    assert position.hidden().problems() == ()
    assert position.hidden().unseen == tuple(sorted(position.stock or ()))
    assert position.strokes == position.rules.tableau_size


def test_dealt_as_people_do_a_row_at_a_time() -> None:
    by_rows = Position.deal(Rules(), DECK)
    assert by_rows.columns[0] == (DECK[0], DECK[7], DECK[14], DECK[21], DECK[28])
    assert by_rows.discard == (DECK[35],)
    assert by_rows.stock == DECK[36:]
    by_columns = Position.deal(Rules(), DECK, by="columns")
    assert by_columns.columns[0] == DECK[:5]


@pytest.mark.parametrize("cards", [DECK[:-1], DECK + DECK[:1], (*DECK[:-1], DECK[0])])
def test_a_deal_needs_the_deck(cards: tuple[Card, ...]) -> None:
    with pytest.raises(PositionError):
        Position.deal(Rules(), cards)


def test_a_deal_goes_by_rows_or_columns() -> None:
    with pytest.raises(PositionError):
        Position.deal(Rules(), DECK, by="heaps")


def test_black_hole_opens_with_the_ace_of_spades() -> None:
    position = fresh("black-hole")
    assert position.discard == (Card.parse("AS"),)
    assert all(Card.parse("AS") not in column for column in position.columns)


def test_an_unread_card() -> None:
    position = with_card(fresh(), 2, 3, "??")
    assert codes(position) == ["unread-card"]
    assert position.problems()[0].cards == (UNKNOWN,)
    assert not position.playable
    assert codes(table("7D", "??", 3)) == ["unread-card"]
    assert codes(table("7D", "?? ?? 6H", 3)) == [], "below the top it is only a card that is gone"


def test_a_card_twice_is_named_but_can_be_played() -> None:
    position = fresh()
    king = next(card for card in position.unseen if card.rank is not None)
    twin = next(card for column in position.columns for card in column if card.rank == king.rank)
    column, row = next(
        (c, r) for c, pile in enumerate(position.columns) for r, card in enumerate(pile)
        if card.rank == king.rank and card is not twin
    )  # fmt: skip
    wrong = with_card(position, column, row, str(twin))
    assert codes(wrong) == ["card-twice"]
    assert wrong.problems()[0].cards == (twin,)
    assert wrong.playable
    assert len(wrong.unseen) == 16
    assert [card.rank for card in wrong.unseen] == [card.rank for card in position.unseen]


def test_five_of_a_rank() -> None:
    assert codes(table("7S 7H|7D 7C|7S", "6H", 3)) == ["card-twice", "rank-too-often"]
    assert codes(table("7S 7H|7D 7C|7S", "6H", 3, "double")) == []


def test_too_many_cards_and_columns() -> None:
    too_wide = table("|".join("A23456789"[n] + "S" for n in range(8)), "6H", 3)
    assert codes(too_wide) == ["too-many-columns"]
    too_tall = table("AS 2S 3S 4S 5S 6S", "6H", 3)
    assert codes(too_tall) == ["column-too-long"]
    deck = " ".join(map(str, DECK))
    assert "too-many-cards" in codes(table(deck, "6H", 0))
    tableau = "|".join(" ".join(map(str, DECK[at : at + 6])) for at in range(0, 42, 6))
    assert "too-many-cards" in codes(table(tableau, "KC", 0))


@pytest.mark.parametrize(
    ("columns", "discard", "stock", "expected"),
    [
        ("7D", "6H", 16, []),
        ("7D", "6H", 17, ["stock-count"]),
        ("7D", "6H", -2, ["stock-count"]),
        ("7D", "6H", 0, []),
    ],
)
def test_stock_counts(columns: str, discard: str, stock: int, expected: list[str]) -> None:
    assert codes(table(columns, discard, stock)) == expected


def test_a_stock_that_does_not_fit_the_table() -> None:
    position = fresh().hidden()
    more = Position(position.rules, position.columns, (*position.discard, position.unseen[0]), None, 16)
    assert codes(more) == ["stock-count"]
    less = Position(position.rules, position.columns, position.discard, None, 15)
    assert codes(less) == [], "a card drawn since lies below the top"
    assert less.buried == 1


def test_the_discard_is_empty_only_before_a_free_start() -> None:
    assert codes(Position(Rules(), fresh().columns)) == ["discard-empty"]
    assert codes(Position(PRESETS["free-start"], fresh().columns)) == []
    assert codes(table("7D", "", 17, "free-start")) == ["discard-empty"]


def test_jokers_that_are_not_in_the_deck() -> None:
    assert codes(table("7D J1", "6H", 3)) == ["joker-not-in-deck"]
    assert codes(table("7D J1|J2", "6H", 3, "jokers")) == []
    assert codes(table("7D J1|J1=7", "6H", 3, "jokers")) == ["card-twice"]


def test_a_queen_whose_underside_is_not_known() -> None:
    assert codes(table("JD", "QH", 3, "queen-only")) == ["queen-below"]
    assert codes(table("JD", "?? QH", 3, "queen-only")) == ["queen-below"]
    assert codes(table("JD", "KS QH", 3, "queen-only")) == []
    assert codes(table("JD", "QH", 3, "queen-on-king")) == []


def test_unseen_when_joined_half_way() -> None:
    position = table("7D 8S|9C", "6H", 5)
    assert len(position.unseen) == 48
    assert position.buried == 43
    assert len(position.unseen) == position.stock_count + position.buried


def test_the_order_of_the_stock_has_no_part_in_what_is_unseen() -> None:
    position = fresh()
    assert position.stock is not None
    assert position.with_stock(position.stock[::-1]).unseen == position.unseen


def test_counts_and_stock_must_agree() -> None:
    with pytest.raises(PositionError):
        Position(Rules(), (), (), parse_cards("AS 2S"), 3)


@given(strategies.positions())
def test_values(position: Position) -> None:
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(position) == hash(position.with_stock(position.stock) if position.stock else position)
    assert position.hidden().hidden() == position.hidden()


@pytest.mark.parametrize(
    ("tableau", "stock", "strokes"), [(4, 0, 4), (0, 2, -2), (0, 3, -3), (0, 0, 0), (35, 16, 35)]
)
def test_scores(tableau: int, stock: int, strokes: int) -> None:
    assert scoring.hole(tableau, stock) == strokes


def test_no_negative_piles() -> None:
    with pytest.raises(CompanionError):
        scoring.hole(-1, 3)


def test_finished() -> None:
    assert table("", "6H", 3).finished
    assert table("9D", "6H", 0).finished
    assert not table("7D", "6H", 0).finished
    assert not table("9D", "6H", 1).finished
    assert apply(table("9D", "6H", "2C"), Draw()).finished
