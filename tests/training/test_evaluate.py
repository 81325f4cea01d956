"""What counts as read when a scan is measured against a known table."""

from __future__ import annotations

from companion.vision.scan import Scan, ScannedCard
from models.evaluate import Tally, score


def _scan(columns: list[list[str]], discard: str) -> Scan:
    cards = [
        ScannedCard(name, 1.0, True, "column", k, row, None, None)
        for k, column in enumerate(columns)
        for row, name in enumerate(column)
    ]
    cards.append(ScannedCard(discard, 1.0, True, "discard", 0, 0, None, None))
    return Scan(100, 100, 0, 0.0, tuple(cards), True, None, (), {})


def test_cards_whose_rank_is_covered_are_counted_apart() -> None:
    tally = Tally(seconds=[0.0])
    truth = {"columns": [["8S", "2D"], [], ["KC"]], "discard_top": "4H", "others": [], "hidden": ["8S"]}
    assert not score(truth, _scan([["2D"], ["KS"]], "4H"), tally)
    assert (tally.cards, tally.same, tally.rank) == (4, 2, 3)
    assert (tally.shown, tally.shown_same) == (3, 2)
    assert "of the 3 whose rank shows wholly 0.6667" in tally.line()


def test_either_joker_is_a_joker_and_a_false_one_counts() -> None:
    tally = Tally(seconds=[0.0])
    truth = {"columns": [["J2", "2D"], ["KC"]], "discard_top": "J1", "others": []}
    assert not score(truth, _scan([["J1", "2D"], ["J2"]], "J2"), tally)
    assert (tally.jokers, tally.jokers_found, tally.jokers_false) == (2, 2, 1)
    assert tally.named == 1, "a joker is no name of the 52"
