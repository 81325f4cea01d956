"""Tracked games and scans, kept move by move and correction by correction."""

from __future__ import annotations

import random

import pytest

from companion.game import FULL_DECK, Draw, IllegalMove, Play, Position, Rules, legal_moves
from companion.game.round import RoundError
from companion.store import Store


def deal(seed: int, rules: Rules | None = None) -> Position:
    cards = list(FULL_DECK)
    random.Random(seed).shuffle(cards)
    return Position.deal(rules or Rules(), cards)


def test_a_game_is_taken_up_where_it_was_left(store, place):
    game = store.new_game(deal(1).hidden())
    drawn = game.position.unseen[0]
    game = store.step(game.id, "move", Draw(drawn))
    game = store.step(game.id, "hint", Draw())
    move = legal_moves(game.position)[0]
    game = store.step(game.id, "move", move if isinstance(move, Play) else Draw(game.position.unseen[0]))
    game = store.step(game.id, "undo")
    with Store.open(place) as again:
        found = again.game(game.id)
    assert found == game
    assert found.position.top == drawn
    assert found.hints == 1
    assert found.game.undone
    assert store.step(game.id, "redo").game.moves


def test_a_wrong_step_is_refused_and_not_kept(store):
    game = store.new_game(deal(2))
    wrong = next(Play(n) for n in range(7) if Play(n) not in legal_moves(game.position))
    with pytest.raises(IllegalMove):
        store.step(game.id, "move", wrong)
    with pytest.raises(IllegalMove):
        store.step(game.id, "undo")
    with pytest.raises(RoundError):
        store.step(game.id, "peek")
    assert store.game(game.id).steps == ()
    with pytest.raises(RoundError):
        store.step("f" * 32, "undo")


def test_a_played_game_becomes_a_score_with_its_hints(store):
    round = store.new_round(["Anna"])
    game = store.new_game(deal(3), round=round.id, player="Anna", hole=1)
    while moves := legal_moves(game.position):
        game = store.step(game.id, "move", moves[0])
    game = store.step(game.id, "hint")
    round = store.enter_game(round.id, "Anna", game.id)
    score = round.score(round.players[0].id, 1)
    assert score.strokes == game.position.strokes
    assert (score.hinted, score.source, score.game) == (True, "tracked", game.id)
    assert store.games(round=round.id) == (game,)


def test_a_scan_keeps_what_was_read_and_every_correction(store):
    scan = store.add_scan('{"columns": [["9D"]]}', image="ab" * 32)
    store.edit_scan(scan.id, '{"columns": [["9H"]]}')
    scan = store.edit_scan(scan.id, '{"columns": [["9S"]]}')
    assert scan.read == '{"columns":[["9D"]]}'
    assert scan.edits == ('{"columns":[["9H"]]}', '{"columns":[["9S"]]}')
    assert scan.corrected == scan.edits[-1]
    assert store.scans() == (scan,)
    for wrong in ("no json", "NaN"):
        with pytest.raises(ValueError, match="JSON"):
            store.add_scan(wrong)
