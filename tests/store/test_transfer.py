"""Export and import: identity, twice is once, and two stores that went on apart."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.formats import round_json
from companion.formats.errors import FormatError
from companion.game import legal_moves
from companion.game.grid import GridRules
from companion.game.record import Archive
from companion.game.round import RoundError
from companion.store import Merged, Store, StoreError

from .conftest import play
from .test_games import deal


def fill(store: Store) -> None:
    """Some of everything."""
    round = play(store, ["Anna", "=cmd()", "Åsa"], range(9), name="Sunday")
    store.correct_hole(round.id, "Åsa", 2, stock=4, reason="recount")
    store.finish(round.id)
    store.abandon(play(store, ["Anna", "Ben"], form="tournament").id, "rain")
    grid = store.new_round(["Anna", "Ben"], GridRules.parse("9-cards,joker=-5,faces=dear"), dealer=1)
    store.enter_hole(grid.id, "Ben", grid="7S KH 5D / 7C 2S QD / J1 AS 3C", ended=True)
    game = store.new_game(deal(1), round=round.id, player="Anna", hole=3)
    store.step(game.id, "move", legal_moves(game.position)[0])
    store.step(game.id, "hint", legal_moves(game.position)[0])
    scan = store.add_scan('{"a": [1, "ü"]}')
    store.edit_scan(scan.id, '{"a": []}')


def test_an_export_read_back_into_an_empty_store_is_the_same(store, tmp_path):
    fill(store)
    text = round_json.dumps(store.archive())
    assert round_json.loads(text) == store.archive()
    with Store.open(tmp_path / "other.db") as other:
        merged = other.merge(round_json.loads(text))
        assert (merged.rounds, merged.players, merged.games, merged.scans) == (3, 4, 1, 1)
        assert round_json.dumps(other.archive()) == text
        before = other.last_change
        assert other.merge(round_json.loads(text)) == Merged()
        assert round_json.dumps(other.archive()) == text
        assert other.last_change == before + 1


def test_importing_into_the_store_it_came_from_changes_nothing(store):
    fill(store)
    before = store.archive()
    assert store.merge(before).total == 0
    assert store.archive() == before


def test_two_stores_that_went_on_apart_lose_nothing(store, tmp_path):
    round = play(store, ["Anna", "Ben"], [4])
    with Store.open(tmp_path / "phone.db") as phone:
        phone.player("anna")  # the same person, known there already under another id
        phone.merge(store.archive())
        phone.enter_hole(round.id, "Anna", left=2)
        phone.correct_hole(round.id, "Ben", 1, left=6)
        store.enter_hole(round.id, "Anna", left=3)
        store.enter_hole(round.id, "Ben", left=1)
        merged = store.merge(phone.archive())
        assert merged.entries == 2
        assert store.merge(phone.archive()).total == 0
    found = store.round(round.id)
    anna, ben = (player.id for player in found.players)
    assert sorted(entry.strokes for entry in found.history(anna, 2)) == [2, 3]
    assert found.score(ben, 1).strokes == 6
    assert found.score(ben, 2).strokes == 1


def test_what_does_not_fit_together_is_refused(store):
    round = play(store, ["Anna"])
    archive = store.archive()
    entry = round.entries[0]
    for wrong in (
        replace(round, form="same_deal"),
        replace(round, entries=(replace(entry, strokes=9, left=9), *round.entries[1:])),
        replace(round, entries=(replace(entry, strokes=1),)),
        replace(round, entries=(entry, entry)),
        replace(round, events=()),
        replace(round, players=()),
    ):
        with pytest.raises(RoundError):
            store.merge(Archive(archive.players, (wrong,)))
    assert store.archive() == archive


def leaves(value, path=()):
    """Paths to every value of a document."""
    yield path
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield from leaves(child, (*path, key))


@pytest.fixture(scope="module")
def valid(tmp_path_factory):
    """A document with some of everything, and a store to put others into."""
    folder = tmp_path_factory.mktemp("import")
    with Store.open(folder / "a.db") as store, Store.open(folder / "b.db") as target:
        fill(store)
        yield round_json.document(store.archive()), target


_ODD = st.sampled_from(
    [None, True, -1, 0, 10**30, 1.5, "", "x" * 300, "\ud800", "\0", "=1", [], {}, [[]], {"id": 1}]
)


@settings(max_examples=150)
@given(data=st.data())
def test_a_document_changed_anywhere_is_read_or_refused_with_a_sentence(valid, data):
    document, target = valid
    changed = copy.deepcopy(document)
    paths = [path for path in leaves(document) if path]
    *parents, last = data.draw(st.sampled_from(paths))
    place = changed
    for key in parents:
        place = place[key]
    place[last] = data.draw(_ODD)
    try:
        archive = round_json.loads(json.dumps(changed))
    except FormatError:
        return
    try:
        target.merge(archive)
    except StoreError as error:
        raise AssertionError("the reader let through what the store can't hold") from error
    except RoundError:
        return
    assert target.merge(archive).total == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("companion.rounds/1", "companion.rounds/2"),
        ('"strokes": 4', '"strokes": 5'),
        ('"strokes": 4', '"strokes": "4"'),
        ('"hinted": false', '"hinted": 0'),
        ('"players": [', '"players": 3, "x": ['),
        ('"kind": "begun"', '"kind": "burnt"'),
        ('"holes": 9', '"holes": 9, "skin": 1'),
        ('"on_king": "nothing"', '"on_king": "ace"'),
        ('"id": "', '"id": "../'),
        ('Z"', '"'),
        ("{", "["),
    ],
)
def test_a_broken_file_gives_a_sentence(tmp_path, old, new):
    with Store.open(tmp_path / "a.db") as store:
        play(store, ["Anna"])
        text = round_json.dumps(store.archive())
    assert old in text
    with pytest.raises(FormatError, match=r"^[a-z]"):
        round_json.loads(text.replace(old, new))
