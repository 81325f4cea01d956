"""Many clients on one store: threads, processes, and the same hole at the same moment."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor

from companion.game.round import RoundError
from companion.store import Store

SPAWN = multiprocessing.get_context("spawn")


def enter_all(place: str, round: str, player: str) -> list[str]:
    """A client of its own that enters a player's nine holes; returns the ids acknowledged."""
    ids = [f"{abs(hash((player, hole))):032x}"[-32:] for hole in range(9)]
    with Store.open(place) as store:
        for hole, id in enumerate(ids, 1):
            store.enter_hole(round, player, hole=hole, left=hole, id=id)
    return ids


def make_and_enter(place: str, player: str) -> str:
    """Opens a store that may not exist yet."""
    with Store.open(place) as store:
        round = store.new_round([player, "Everybody"])
        return store.enter_hole(round.id, player, left=3).id


def test_processes_that_write_at_once_lose_nothing(place):
    with Store.open(place) as store:
        names = ["Anna", "Ben", "Carla", "Dörte"]
        round = store.new_round(names)
        start = store.last_change
        with SPAWN.Pool(2) as pool:
            acknowledged = pool.starmap(enter_all, [(place, round.id, name) for name in names])
        found = store.round(round.id)
        assert {entry.id for entry in found.entries} == {id for ids in acknowledged for id in ids}
        assert all(found.total(player.id) == 45 for player in found.players)
        changes = store.changes_since(start)
        assert changes.seq == start + 36  # numbered without a gap
        assert changes.subjects == {("round", round.id)}


def test_processes_that_make_the_store_at_once_make_one(place):
    with SPAWN.Pool(3) as pool:
        made = pool.starmap(make_and_enter, [(place, name) for name in ("Anna", "Ben", "Carla")])
    with Store.open(place) as store:
        assert {round.id for round in store.rounds()} == set(made)
        assert [player.name for player in store.players()] == ["Anna", "Ben", "Carla", "Everybody"]


def test_threads_share_one_store(store):
    round = store.new_round([f"P{n}" for n in range(6)])

    def enter(name: str) -> None:
        for _ in range(5):
            store.enter_hole(round.id, name, left=2)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(enter, [f"P{n}" for n in range(6)]))
    found = store.round(round.id)
    assert [found.played(player.id) for player in found.players] == [5] * 6


def test_of_two_scores_for_one_hole_one_wins_and_the_other_is_told(store):
    round = store.new_round(["Anna"])

    def enter(left: int) -> int | str:
        try:
            store.enter_hole(round.id, "Anna", hole=1, left=left)
        except RoundError as error:
            return str(error)
        return left

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(enter, range(8)))
    (winner,) = (answer for answer in answers if isinstance(answer, int))
    assert sum("already has a score" in str(answer) for answer in answers) == 7
    found = store.round(round.id)
    assert [entry.strokes for entry in found.entries] == [winner]
