"""The game on the table: moves, hints, the end of the hole."""

from __future__ import annotations

import asyncio

import pytest

from companion.app.state.app import AppState
from companion.app.state.card import Cell
from companion.app.state.memory import NoMemory
from companion.app.state.play import Belongs
from companion.game import Card, Draw, Play, Position, Rules, legal_moves, parse_cards
from companion.store import Store
from tests.app.fakes import FakeAdviser, deal, document, make_app, photo

SMALL = Position(
    Rules(),
    (parse_cards("9D 7H"), parse_cards("KS"), (), (), (), (), ()),
    parse_cards("6S"),
    None,
    2,
)


def small(app: AppState) -> AppState:
    assert app.play.start(SMALL)
    return app


def test_a_tap_plays_the_exposed_card(app: AppState) -> None:
    play = small(app).play
    play.tap_column(0)
    assert play.position.top is Card.parse("7H")
    assert play.position.columns[0] == parse_cards("9D")


def test_an_illegal_tap_says_why_and_changes_nothing(app: AppState) -> None:
    play = small(app).play
    play.tap_column(1)
    assert play.notice is not None
    assert play.notice.code == "wrong-rank"
    assert play.notice.card is Card.parse("KS")
    assert play.notice.top is Card.parse("6S")
    assert play.position == SMALL
    play.tap_column(2)
    assert play.notice.code == "empty-column"


def test_drawing_asks_which_card_came(app: AppState) -> None:
    play = small(app).play
    play.tap_stock()
    assert play.drawing
    assert Card.parse("7H") not in play.drawable
    play.press_drawn_rank("8")
    assert play.drawing
    play.press_drawn_suit("H")
    assert not play.drawing
    assert play.position.top is Card.parse("8H")
    assert play.position.stock_count == 1


def test_one_tap_is_enough_where_one_card_of_the_rank_is_unseen(app: AppState) -> None:
    position = Position(
        Rules(),
        (parse_cards("8S"), parse_cards("8H"), parse_cards("8D"), (), (), (), ()),
        parse_cards("2S"),
        None,
        3,
    )
    assert app.play.start(position)
    app.play.tap_stock()
    app.play.press_drawn_rank("8")
    assert app.play.position.top is Card.parse("8C")


def test_a_photo_can_say_which_card_came(app: AppState) -> None:
    from companion.app.state.table import from_scan

    play = small(app).play
    seen = from_scan(document(Position(Rules(), SMALL.columns, parse_cards("8C"), None, 1)))
    assert play.drawn_from_scan(seen)
    assert play.position.top is Card.parse("8C")
    unclear = Position(Rules(), deal().columns, (), None, 16)
    assert not play.drawn_from_scan(from_scan(document(unclear)))
    assert play.notice is not None
    assert play.notice.code == "photo-unclear"


def test_undo_and_redo(app: AppState) -> None:
    play = small(app).play
    assert not play.can_undo
    play.tap_column(0)
    play.tap_stock()
    play.drawn(Card.parse("TC"))
    after = play.position
    play.undo()
    play.undo()
    assert play.position == SMALL
    play.redo()
    play.redo()
    assert play.position == after
    assert not play.can_redo


async def test_a_hint_is_part_of_the_game_and_leaves_with_the_next_move(app: AppState) -> None:
    play = small(app).play
    await play.ask("strokes")
    assert play.hint is not None
    assert len(play.hint.lines) == len(legal_moves(SMALL))
    assert play.hinted
    play.play_run()
    assert play.hint is None
    assert play.position.top is Card.parse("7H")
    play.undo()
    assert play.hinted


async def test_a_move_while_the_hint_is_thought_of_puts_it_away(store: Store) -> None:
    app = small(make_app(store, adviser=FakeAdviser(seconds=0.15)))
    task = asyncio.create_task(app.play.ask("strokes"))
    await asyncio.sleep(0.03)
    assert app.play.thinking
    app.play.tap_column(0)
    await task
    assert app.play.hint is None
    assert not app.play.hinted
    assert not app.play.thinking


async def test_a_hint_can_be_given_up(store: Store) -> None:
    app = small(make_app(store, adviser=FakeAdviser(seconds=0.1)))
    task = asyncio.create_task(app.play.ask("clear"))
    await asyncio.sleep(0.02)
    app.play.cancel_hint()
    await task
    assert app.play.hint is None
    assert not app.play.hinted


@pytest.mark.parametrize(
    ("aim", "asked"), [("strokes", "strokes"), ("clear", "clear"), ("most", "<=5"), ("round", "strokes")]
)
def test_the_aim_that_is_asked_for(app: AppState, aim: str, asked: str) -> None:
    app.choose(aim=aim)
    assert app.aim() == asked


def test_the_aim_of_the_round_is_what_par_leaves(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(), form="stroke")
    round = app.card.round
    assert round is not None
    app.store.enter_hole(round.id, "Anna", left=21)
    app.card.stale()
    app.play_hole()
    app.choose(aim="round")
    assert app.aim() == "<=3"  # 24 strokes for eight holes


async def test_drawing_puts_the_hint_away_and_one_that_comes_late(store: Store) -> None:
    app = small(make_app(store, adviser=FakeAdviser(seconds=0.05)))
    await app.play.ask("strokes")
    app.play.tap_stock()
    assert app.play.drawing
    assert app.play.hint is None
    app.play.dismiss()
    task = asyncio.create_task(app.play.ask("strokes"))
    await asyncio.sleep(0.01)
    app.play.tap_stock()
    await task
    assert app.play.hint is None
    assert not app.play.thinking


def test_the_next_table_is_the_holes_however_it_comes(app: AppState) -> None:
    """Typed, dealt or photographed: with the round's rules, and its score goes to that hole."""
    app.card.begin(["Anna", "Bo"], Rules(wrap=True, holes=2, par=10), form="stroke")
    round = app.card.round
    assert round is not None
    bo = round.players[1].id
    app.card.select(Cell(bo, 2))
    app.play_hole()
    assert app.navigation.path == "play"
    assert app.hole == Belongs(round.id, bo, 2)
    app.type_table()
    assert app.play.editor is not None
    assert app.play.editor.rules == round.rules
    app.play.close()
    assert app.hole == Belongs(round.id, bo, 2)
    app.deal_table()
    assert app.play.position.rules == round.rules
    assert app.play.tracked is not None
    assert (app.play.tracked.player, app.play.tracked.hole) == (bo, 2)
    # The card leads back to the game as it stands.
    app.play.tap_stock()
    game = app.play.tracked
    app.play_hole()
    assert app.play.tracked is game
    app.play.prepare(None)
    assert app.hole is None
    assert app.table_rules == app.rules


async def test_a_photo_for_a_hole_is_read_by_the_rounds_rules(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(wrap=True), form="stroke")
    app.play_hole()
    await app.read_photo(photo())
    app.use_scan()
    assert app.play.position.rules == Rules(wrap=True)
    assert app.play.tracked is not None
    assert app.play.tracked.hole == 1


async def test_a_scanned_table_goes_by_the_rules_it_is_played_by(app: AppState) -> None:
    """Those that were chosen after the photo, and those of a hole that was."""
    await app.read_photo(photo())
    editor = app.scan.editor
    assert editor is not None
    app.change_rules(jokers=2)
    assert editor.rules == app.rules
    app.card.begin(["Anna"], Rules(wrap=True), form="stroke")
    app.play_hole()
    assert app.play_scan()
    assert app.play.position.rules.wrap


def test_a_hole_that_has_a_score_meanwhile_is_no_longer_waited_for(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(), form="stroke")
    app.play_hole()
    round = app.card.round
    assert round is not None
    app.card.select(Cell(round.players[0].id, 1))
    assert app.card.enter_strokes(4)
    assert app.hole is None
    app.play_hole()
    assert app.hole == Belongs(round.id, round.players[0].id, 2)
    app.card.abandon()
    assert app.hole is None


def test_a_table_that_can_not_be_played_says_why(app: AppState) -> None:
    assert not app.play.start(Position(Rules(), (parse_cards("??"),), parse_cards("6S"), None, 2))
    assert app.play.notice is not None
    assert app.play.notice.code == "unread-card"
    assert app.play.tracked is None


def test_a_restart_finds_the_game_in_the_middle(store: Store, memory: NoMemory) -> None:
    app = small(make_app(store, memory))
    app.play.tap_column(0)
    later = make_app(store, memory)
    assert later.play.tracked is not None
    assert later.play.position == app.play.position
    assert later.play.can_undo


def test_a_restart_finds_the_table_half_typed(store: Store, memory: NoMemory) -> None:
    app = make_app(store, memory)
    app.play.type_table(Rules())
    assert app.play.editor is not None
    for rank, suit in ("9D", "TS", "KH"):
        app.play.editor.press_rank(rank)
        app.play.editor.press_suit(suit)
    later = make_app(store, memory)
    assert later.play.editor is not None
    assert later.play.editor.table == app.play.editor.table
    assert later.play.editor.cursor == (0, 3)
    later.play.editor.undo()
    assert later.play.editor.table.count == 2


def test_a_correction_of_the_table_begins_anew_or_goes_back(store: Store, memory: NoMemory) -> None:
    app = make_app(store, memory)
    small(app).play.tap_column(0)
    game, table = app.play.tracked, app.play.position
    assert game is not None
    app.play.edit_table()
    later = make_app(store, memory)
    assert later.play.editor is not None
    assert later.play.tracked is None
    later.play.close()
    assert later.play.tracked is not None
    assert (later.play.tracked.id, later.play.position, later.play.editor) == (game.id, table, None)
    later.play.edit_table()
    assert later.play.editor is not None
    later.play.editor.select((1, 0))
    later.play.editor.enter(Card.parse("QS"))
    assert later.play.start_typed()
    assert later.play.tracked.id != game.id
    assert later.play.correcting is None
    assert store.game(game.id).position == table


def test_the_end_of_the_hole_goes_onto_the_card(app: AppState) -> None:
    app.card.begin(["Anna"], Rules(), form="stroke")
    small(app)
    app.play.tap_column(0)
    for name in ("2C", "4C"):
        app.play.tap_stock()
        app.play.drawn(Card.parse(name))
    assert app.play.over
    assert app.score_game()
    round = app.card.round
    assert round is not None
    score = round.scores(round.players[0].id)[0]
    assert score is not None
    assert (score.strokes, score.source, score.hinted) == (2, "tracked", False)
    assert app.play.entered
    assert not app.score_game()
    assert app.navigation.screen == "card"


def test_a_joker_is_named_where_more_than_one_rank_is_possible(app: AppState) -> None:
    rules = Rules(jokers=2)
    position = Position(
        rules, (parse_cards("J1"), parse_cards("9C"), (), (), (), (), ()), parse_cards("7S"), None, 2
    )
    assert app.play.start(position)
    app.play.tap_column(0)
    assert app.play.naming == 0
    app.play.name_joker(8)
    assert app.play.position.top is Card.parse("J1=8")
    app.play.tap_column(1)
    assert app.play.over


def test_a_practice_deal_draws_by_itself(app: AppState) -> None:
    app.play.deal(Rules())
    assert app.play.practice
    app.play.tap_stock()
    assert app.play.position.stock_count == 15
    assert app.play.game is not None
    assert isinstance(app.play.game.moves[0], Draw)
    assert not any(isinstance(move, Play) for move in app.play.game.moves)
