from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import (
    PRESETS,
    UNKNOWN,
    Card,
    Draw,
    Game,
    IllegalMove,
    Play,
    Position,
    Rules,
    apply,
    can,
    full_deck,
    legal_moves,
    parse_cards,
    verify,
)
from tests.game import strategies


def table(columns: str, discard: str, stock: str | int = 0, rules: Rules | str = "strict") -> Position:
    """A small table; columns parted by `|`, the stock by cards or, face down, by a number."""
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    piles = tuple(parse_cards(column) for column in columns.split("|"))
    if isinstance(stock, int):
        return Position(rules, piles, parse_cards(discard), None, stock)
    return Position(rules, piles, parse_cards(discard), parse_cards(stock))


BROKEN = [
    # rules, columns, discard, stock, move, code
    ("strict", "7D", "6H", 3, Play(1), "no-column"),
    ("strict", "7D", "6H", 3, Play(-1), "no-column"),
    ("strict", "7D|", "6H", 3, Play(1), "empty-column"),
    ("strict", "??", "6H", 3, Play(0), "unread"),
    ("strict", "7D", "??", 3, Play(0), "unread"),
    ("strict", "8D", "6H", 3, Play(0), "wrong-rank"),
    ("strict", "6D", "6H", 3, Play(0), "wrong-rank"),
    ("strict", "KD", "AH", 3, Play(0), "wrong-rank"),
    ("strict", "QD", "KH", 3, Play(0), "on-king"),
    ("strict", "3D", "KH", 3, Play(0), "on-king"),
    ("queen-on-king", "AD", "KH", 3, Play(0), "wrong-rank"),
    ("queen-only", "JD", "KH QS", 3, Play(0), "on-queen"),
    ("queen-only", "KD", "KH QS", 3, Play(0), "on-queen"),
    ("queen-only", "3D", "KH QS", 3, Play(0), "wrong-rank"),
    ("strict", "7D", "6H", 0, Draw(), "stock-empty"),
    ("strict", "7D", "6H", 3, Play(0, 7), "joker-rank"),
    ("jokers", "J1", "6H", 3, Play(0), "joker-rank"),
    ("jokers", "J1", "6H", 3, Play(0, 14), "joker-rank"),
    ("jokers", "J1", "6H", 3, Play(0, 6), "wrong-rank"),
    ("jokers", "J1", "KH", 3, Play(0, 12), "on-king"),
    ("jokers,joker=any", "J1", "6H", 3, Play(0, 7), "joker-rank"),
    ("jokers,joker=any", "5C", "6H", 3, Draw(Card.parse("J1=7")), "joker-rank"),
    ("free-start", "7D", "", 17, Draw(), "play-first"),
    ("strict,draw=when_stuck", "9C|7D", "6H", 3, Draw(), "play-possible"),
    ("jokers,draw=when_stuck", "J1", "6H", 3, Draw(), "play-possible"),
    ("strict", "", "6H", 3, Draw(), "over"),
    ("strict", "7D", "6H", "2C 3C", Draw(Card.parse("3C")), "not-next"),
    ("strict", "KS KH|KD KC", "6H", 3, Draw(Card.parse("KD")), "on-table"),
    ("strict", "7D", "6H", 3, Draw(Card.parse("J1")), "on-table"),
]


@pytest.mark.parametrize(("rules", "columns", "discard", "stock", "move", "code"), BROKEN)
def test_broken_rules(
    rules: str, columns: str, discard: str, stock: str | int, move: Play | Draw, code: str
) -> None:
    position = table(columns, discard, stock, rules)
    with pytest.raises(IllegalMove) as raised:
        verify(position, move)
    assert raised.value.code == code
    sentence = str(raised.value)
    assert sentence[0].islower()
    assert sentence.rsplit(": ", 1)[1], "the offending text comes last"
    assert not can(position, move)
    with pytest.raises(IllegalMove):
        apply(position, move)


ALLOWED = [
    ("strict", "7D", "6H", 0, Play(0), "7D"),
    ("strict", "5D", "6H", 0, Play(0), "5D"),
    ("strict", "KD", "QH", 0, Play(0), "KD"),
    ("strict", "AD", "2H", 0, Play(0), "AD"),
    ("queen-on-king", "QD", "KH", 0, Play(0), "QD"),
    ("queen-on-king", "JD", "KH QS", 0, Play(0), "JD"),
    ("queen-only", "QD", "KH", 0, Play(0), "QD"),
    ("queen-only", "JD", "JH QS", 0, Play(0), "JD"),
    ("putt-putt", "AD", "KH", 0, Play(0), "AD"),
    ("putt-putt", "KD", "AH", 0, Play(0), "KD"),
    ("putt-putt", "QD", "KH", 0, Play(0), "QD"),
    ("free-start", "KD", "", 17, Play(0), "KD"),
    ("jokers", "J1", "6H", 0, Play(0, 7), "J1=7"),
    ("jokers", "8D", "6H J1=7", 0, Play(0), "8D"),
    ("jokers", "2D", "J1", 0, Play(0), "2D"),
    ("jokers", "J2", "J1=7", 0, Play(0, 6), "J2=6"),
    ("jokers,joker=any", "J1", "KH", 0, Play(0), "J1"),
    ("jokers,joker=any", "3D", "KH J1", 0, Play(0), "3D"),
    ("strict", "7D", "6H", "2C 3C", Draw(), "2C"),
    ("strict", "7D", "6H", "2C 3C", Draw(Card.parse("2C")), "2C"),
    ("jokers", "7D", "6H", "J2 3C", Draw(Card.parse("J2=9")), "J2=9"),
    ("strict", "7D", "6H", 3, Draw(Card.parse("2C")), "2C"),
    ("strict", "7D", "6H", 3, Draw(), "??"),
    ("strict,draw=when_stuck", "9D", "6H", 3, Draw(Card.parse("2C")), "2C"),
]


@pytest.mark.parametrize(("rules", "columns", "discard", "stock", "move", "top"), ALLOWED)
def test_allowed(
    rules: str, columns: str, discard: str, stock: str | int, move: Play | Draw, top: str
) -> None:
    position = table(columns, discard, stock, rules)
    after = apply(position, move)
    assert str(after.top) == top
    assert len(after.discard) == len(position.discard) + 1
    drawn = isinstance(move, Draw)
    assert after.stock_count == position.stock_count - drawn
    assert after.tableau_count == position.tableau_count - (not drawn)


def test_a_joker_drawn_unnamed_takes_any_card() -> None:
    position = apply(table("2D|9S|KC", "6H", "J1", "jokers"), Draw())
    assert [can(position, Play(column)) for column in range(3)] == [True, True, True]


def test_queen_only_binds_a_queen_that_was_played_onto_a_king() -> None:
    position = table("JD", "KH", "QS", "queen-only")
    drawn = apply(position, Draw())
    assert drawn.drawn
    assert can(drawn, Play(0))
    played = apply(table("JD|QS", "KH", 0, "queen-only"), Play(1))
    assert not can(played, Play(0))


def test_a_suit_misread_on_the_table_does_not_stop_a_draw() -> None:
    position = table("QS|2H", "6H", 3)
    assert can(position, Draw(Card.parse("QS")))


@given(strategies.positions())
def test_legal_moves_are_those_that_can_be_made(position: Position) -> None:
    ranks = (None, *range(1, 14))
    columns = range(-1, len(position.columns) + 1)
    every = [Play(column, rank) for column in columns for rank in ranks] + [Draw()]
    assert set(legal_moves(position)) == {move for move in every if can(position, move)}
    assert len(set(legal_moves(position))) == len(legal_moves(position))


@given(strategies.games())
def test_play_keeps_the_cards_and_the_position_right(game: Game) -> None:
    before, whole = game.start, list(full_deck(game.start.rules))
    for position in game.positions():
        assert position.problems() == ()
        piles = [*position.columns, position.discard, position.stock or ()]
        assert sorted(card.plain for pile in piles for card in pile) == whole
        assert position.buried == 0
        assert len(position.unseen) == position.stock_count
        assert sorted(position.stock or ()) == list(position.unseen)
        before = position
    assert before == game.position
    assert game.position.finished == (game.position.cleared or not legal_moves(game.position))


@given(strategies.games(strategies.presets))
def test_neighbours_in_the_discard_follow_or_were_drawn(game: Game) -> None:
    for move, (before, after) in zip(game.moves, itertools.pairwise(game.positions()), strict=True):
        if isinstance(move, Play) and before.top:
            under = before.under.value if before.under and not before.drawn else None
            assert after.top is not None
            rules = game.start.rules
            wild = rules.joker == "any" and after.top.is_joker
            assert wild or rules.follows(before.top.value, after.top.value, under)


@given(strategies.games(), st.integers(0, 10))
def test_undo_and_redo(game: Game, steps: int) -> None:
    steps = min(steps, len(game.moves))
    back = game
    for _ in range(steps):
        back = back.undo()
    assert back.position == list(game.positions())[len(game.moves) - steps]
    again = back
    for _ in range(steps):
        again = again.redo()
    assert again.moves == game.moves
    assert again.position == game.position
    if legal_moves(back.position):
        assert back.do(legal_moves(back.position)[0]).undone == ()


def test_undo_ends_at_the_start() -> None:
    game = Game(table("7D", "6H"))
    with pytest.raises(IllegalMove):
        game.undo()
    with pytest.raises(IllegalMove):
        game.redo()


def test_audit_finds_the_first_wrong_move() -> None:
    start = table("7D|2C", "6H", 3)
    assert Game(start, (Play(0), Draw(Card.parse("AS")), Play(1))).audit() is None
    broken = Game(start, (Play(0), Play(1), Play(0))).audit()
    assert broken is not None
    assert broken.code == "wrong-rank"


def test_a_hidden_stock_and_a_known_one_allow_the_same() -> None:
    position = Position.deal(PRESETS["strict"], full_deck(PRESETS["strict"]))
    assert legal_moves(position) == legal_moves(position.hidden())
    assert apply(position.hidden(), Draw()).top is UNKNOWN
