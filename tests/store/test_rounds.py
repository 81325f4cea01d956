"""Rounds of patience and of the grid game, kept."""

from __future__ import annotations

import dataclasses
import random

import pytest

from companion.game import keeping
from companion.game.grid import GridRules
from companion.game.keeping import NewScore
from companion.game.round import RoundError
from companion.game.rules import Rules
from companion.store import Store

from .conftest import play


def test_a_score_is_typed_as_what_is_left(store):
    round = store.new_round(["Anna"])
    anna = round.players[0].id
    round = store.enter_hole(round.id, "Anna", left=4)
    round = store.enter_hole(round.id, "anna", stock=3)  # the German rules' example: 4, then -3, is 1
    assert (round.total(anna), round.to_par(anna), round.projected(anna)) == (1, -9, 4.5)
    round = store.enter_hole(round.id, "Anna", left=0)
    assert round.score(anna, 3).strokes == 0
    assert round.score(anna, 3).cleared
    assert round.played(anna) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"left": -3},
        {"left": 36},
        {"stock": 17},
        {"stock": -1},
        {},
        {"left": 3, "stock": 2},
        {"points": 3},
        {"left": 1, "hole": 10},
        {"left": 1, "hole": 0},
        {"left": 1, "source": "guess"},
    ],
)
def test_a_wrong_score_gives_a_sentence_and_nothing_is_kept(store, wrong):
    round = store.new_round(["Anna"])
    before = store.last_change
    with pytest.raises(RoundError, match=r"^[a-z]"):
        store.enter_hole(round.id, "Anna", **wrong)
    assert store.round(round.id) == round
    assert store.last_change == before


def test_a_correction_is_a_new_entry_and_the_old_one_stays(store):
    round = play(store, lefts=[4, 5])
    anna = round.players[0].id
    round = store.correct_hole(round.id, "Anna", 1, stock=2, reason="counted again")
    assert [entry.strokes for entry in round.history(anna, 1)] == [4, -2]
    assert round.total(anna) == 3
    round = store.take_back(round.id, "Anna", 2)
    assert round.score(anna, 2) is None
    assert round.next_hole(anna) == 2
    round = store.enter_hole(round.id, "Anna", left=9)
    assert [entry.strokes for entry in round.history(anna, 2)] == [5, None, 9]
    with pytest.raises(RoundError, match="already has a score"):
        store.enter_hole(round.id, "Anna", hole=1, left=3)


def test_a_finished_round_is_locked_and_a_correction_needs_a_reason(store):
    round = play(store, lefts=range(8))
    with pytest.raises(RoundError, match="hole 9 of Anna"):
        store.finish(round.id)
    round = store.enter_hole(round.id, "Anna", left=2)
    round = store.finish(round.id)
    assert round.state == "finished"
    for change in (store.finish, store.abandon, store.resume):
        with pytest.raises(RoundError):
            change(round.id)
    with pytest.raises(RoundError, match="locked"):
        store.enter_hole(round.id, "Anna", left=2)
    with pytest.raises(RoundError, match="reason"):
        store.correct_hole(round.id, "Anna", 1, left=5)
    with pytest.raises(RoundError, match="not taken back"):
        store.take_back(round.id, "Anna", 1, reason="oops")
    round = store.correct_hole(round.id, "Anna", 1, left=5, reason="misread")
    assert round.state == "finished"
    assert round.total(round.players[0].id) == sum(range(8)) + 2 + 5


def test_a_round_is_abandoned_and_taken_up_again(store):
    round = play(store, lefts=[4])
    round = store.abandon(round.id, "dinner")
    assert store.current_round() is None
    with pytest.raises(RoundError, match="resume"):
        store.enter_hole(round.id, "Anna", left=2)
    round = store.resume(round.id)
    assert store.enter_hole(round.id, "Anna", left=2).total(round.players[0].id) == 6
    assert [event.kind for event in round.events] == ["begun", "abandoned", "resumed"]
    assert store.current_round().id == round.id


def test_entering_the_same_score_again_after_a_lost_answer_changes_nothing(store):
    round = store.new_round(["Anna"])
    first = store.enter_hole(round.id, "Anna", left=3, id="a" * 32)
    again = store.enter_hole(round.id, "Anna", left=3, id="a" * 32)
    assert first == again
    assert len(again.entries) == 1


def test_several_scores_go_in_together_or_not_at_all(store):
    round = store.new_round(["Anna", "Ben"])
    with pytest.raises(RoundError):
        store.enter_holes(round.id, [NewScore("Anna", left=3), NewScore("Carla", left=3)])
    assert store.round(round.id).entries == ()
    round = store.enter_holes(round.id, [NewScore("Anna", left=3), NewScore("Ben", stock=1)])
    assert [round.total(player.id) for player in round.players] == [3, -1]


def test_rules_stay_with_the_score_when_a_preset_changes(store, monkeypatch):
    round = store.new_round(["Anna"], Rules.parse("queen-on-king"))
    store.enter_hole(round.id, "Anna", left=3)
    monkeypatch.setattr("companion.game.rules.PRESETS", {"queen-on-king": Rules(wrap=True, par=1)})
    again = store.round(round.id)
    assert again.rules.on_king == "queen"
    assert not again.rules.wrap
    assert again.entries[0].rules == again.rules
    assert again.to_par(again.players[0].id) == -2


def test_a_match_level_after_nine_holes_goes_on(store):
    round = play(store, ["Anna", "Ben"], [3] * 9, form="match")
    assert (round.standing.state, round.extra_due, round.can_finish) == ("extra_hole", 10, False)
    round = store.enter_hole(round.id, "Anna", left=2)
    with pytest.raises(RoundError, match="no extra hole is due"):
        store.enter_hole(round.id, "Anna", hole=11, left=2)
    round = store.enter_hole(round.id, "Ben", left=2)
    assert round.extra_due == 11
    round = store.enter_holes(round.id, [NewScore("Anna", left=2), NewScore("Ben", stock=2)])
    assert [player.name for player in round.winners] == ["Ben"]
    assert [round.total(player.id) for player in round.players] == [27, 27]  # extra holes don't count
    assert store.finish(round.id).state == "finished"


def test_a_decided_match_can_be_finished_early(store):
    round = store.new_round(["Anna", "Ben"], form="match")
    for _ in range(5):
        round = store.enter_holes(round.id, [NewScore("Anna", left=1), NewScore("Ben", left=2)])
    assert round.standing.result == "5 and 4"
    assert store.finish(round.id).state == "finished"


def test_only_those_level_play_the_extra_hole_of_the_same_deal(store):
    round = play(store, ["Anna", "Ben", "Carla"], [3] * 8, form="same_deal")
    round = store.enter_holes(
        round.id, [NewScore("Anna", left=1), NewScore("Ben", left=1), NewScore("Carla", left=2)]
    )
    carla = round.players[2]
    assert round.next_hole(carla.id) is None
    with pytest.raises(RoundError):
        store.enter_hole(round.id, "Carla", hole=10, left=0)
    round = store.enter_holes(round.id, [NewScore("Anna", left=1), NewScore("Ben", left=0)])
    assert [player.name for player in round.winners] == ["Ben"]


@pytest.mark.parametrize(
    ("players", "how"),
    [
        ([], {}),
        (["Anna", "anna"], {}),
        (["Anna"], {"form": "match"}),
        (["A", "B", "C"], {"form": "tournament"}),
        (["A", "B"], {"form": "skins"}),
        (["A"], {"rules": GridRules()}),
        ([str(n) for n in range(9)], {"rules": GridRules()}),
        (["A", "B"], {"rules": GridRules(), "form": "match"}),
        (["A", "B"], {"rules": GridRules(), "dealer": 2}),
        (["", "B"], {}),
        (["A\nB" * 40, "B"], {}),
    ],
)
def test_a_round_that_cannot_be_leaves_nothing_behind(store, players, how):
    with pytest.raises(ValueError, match=r"^[a-z]"):
        store.new_round(players, **how)
    assert store.rounds() == ()
    assert store.players() == ()


def test_the_grid_game_is_kept_with_its_grids(store):
    round = store.new_round(["Anna", "Ben", "Carla"], GridRules(), dealer=1)
    round = store.enter_holes(
        round.id,
        [
            NewScore("Anna", points=7),
            NewScore("Ben", points=-3),
            NewScore("Carla", grid="7S KH 5D/7C 2S QD", ended=True),
        ],
    )
    assert [round.total(player.id) for player in round.players] == [7, -3, 13]
    assert round.score(round.players[2].id, 1).grid == "7S KH 5D / 7C 2S QD"
    with pytest.raises(ValueError, match="7S"):
        store.enter_holes(
            round.id,
            [NewScore("Anna", grid="7S KH 5D / 7C 2S QD"), NewScore("Ben", grid="7S 3H 4D / 8C 9S TD")],
        )
    with pytest.raises(RoundError, match="already had all cards up"):
        store.enter_holes(round.id, [NewScore(n, points=1, ended=True) for n in ("Anna", "Ben")])
    with pytest.raises(RoundError, match="13"):
        store.correct_hole(round.id, "Carla", 1, grid="7S KH 5D / 7C 2S QD", points=4)
    with pytest.raises(RoundError):
        store.enter_hole(round.id, "Anna", left=3)
    assert store.rounds(game="patience") == ()
    assert store.rounds(game="grid") == (store.round(round.id),)


def test_rounds_are_found_by_player_state_and_day(store):
    first = play(store, ["Anna", "Ben"])
    second = play(store, ["Carla"])
    store.abandon(second.id)
    assert [r.id for r in store.rounds()] == [first.id, second.id]
    assert [r.id for r in store.rounds(player="ben")] == [first.id]
    assert [r.id for r in store.rounds(state="abandoned")] == [second.id]
    assert [r.id for r in store.rounds(newest=1)] == [second.id]
    today = first.begun[:10]
    assert len(store.rounds(since=today, until=today)) == 2
    assert store.rounds(until="2000-01-01") == ()
    assert store.round(first.id[:8]).id == first.id
    for wrong in ("", "zz", "%", "0" * 32, "f" * 33):
        with pytest.raises(RoundError):
            store.round(wrong)
    with pytest.raises(RoundError, match="nobody"):
        store.rounds(player="Nobody")


def test_a_player_is_known_by_any_spelling_and_can_be_renamed(store):
    round = play(store, ["Åsa"])
    assert store.player("åsa") == store.player("A\u030asa") == round.players[0]
    store.rename_player("åsa", "Åsa Öberg")
    assert store.round(round.id).players[0].name == "Åsa Öberg"
    store.player("Ben")
    with pytest.raises(RoundError, match="another player"):
        store.rename_player("Ben", "åsa öberg")


def test_what_is_returned_is_what_is_kept(store):
    choice = random.Random(7)
    round = store.new_round(["Anna", "Ben"])
    for _ in range(40):
        name, hole = choice.choice(["Anna", "Ben"]), choice.randrange(1, 10)
        how = choice.choice([{"left": choice.randrange(20)}, {"stock": choice.randrange(16)}])
        try:
            if choice.random() < 0.6:
                round = store.enter_hole(round.id, name, hole=hole, hinted=choice.random() < 0.2, **how)
            elif choice.random() < 0.7:
                round = store.correct_hole(round.id, name, hole, reason="ü", **how)
            else:
                round = store.take_back(round.id, name, hole)
        except RoundError:
            continue
        assert round == store.round(round.id)
    assert store.abandon(round.id, "late") == store.round(round.id)
    keeping.check(round)


def test_changes_are_seen_by_number_and_by_call(store, place):
    heard = []
    stop = store.subscribe(heard.append)
    round = store.new_round(["Anna"])
    seen = store.last_change
    with Store.open(place) as other:
        assert other.changes_since(seen).subjects == frozenset()
        other.enter_hole(round.id, "Anna", left=3)
    changes = store.changes_since(seen)
    assert changes.seq == seen + 1
    assert changes.subjects == {("round", round.id)}
    assert store.changes_since(changes.seq).subjects == frozenset()
    assert [change.subjects for change in heard] == [{("round", round.id)}]
    stop()
    store.enter_hole(round.id, "Anna", left=3)
    assert len(heard) == 1


def test_values_are_frozen(store):
    round = play(store)
    with pytest.raises(dataclasses.FrozenInstanceError):
        round.name = "x"
    with pytest.raises(dataclasses.FrozenInstanceError):
        round.entries[0].strokes = 1


def test_the_database_itself_refuses_to_rewrite_history(store):
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError

    play(store)
    for line in ("UPDATE entries SET strokes = 0", "DELETE FROM entries", "DELETE FROM events"):
        with pytest.raises(DBAPIError, match="only grows"), store._engine.begin() as connection:
            connection.execute(text(line))


def test_hinted_holes_stay_out_of_the_numbers_unless_asked_for(store):
    round = store.new_round(["Anna"])
    for hole in range(9):
        store.enter_hole(round.id, "Anna", left=3, hinted=hole == 0)
    round = store.correct_hole(round.id, "Anna", 1, stock=9)
    assert round.entries[-1].hinted  # a correction doesn't wash a hint away
    store.finish(round.id)
    without, counted = store.stats("Anna"), store.stats("Anna", hinted="with")
    assert (without.rounds, without.holes, without.hinted_holes) == (0, 8, 1)
    assert (counted.rounds, counted.holes, counted.by_length[0].best) == (1, 9, None)
    assert without.best_hole == counted.best_hole == 3
    assert store.stats("Anna", rules=Rules(wrap=True)).holes == 0
    assert store.stats("Anna", rules=Rules(holes=18, par=72)).holes == 8
