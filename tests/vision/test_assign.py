"""Names for a whole table: each at most once, honest when two cards read alike."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.assign import name_cards
from companion.vision.marks import ALL_NAMES, DOUBT


def reading(**chances: float) -> np.ndarray:
    """One index that reads as the named cards with those chances, as `gather` hands it on."""
    names = np.full(len(ALL_NAMES), 1e-5)
    for name, chance in chances.items():
        names[ALL_NAMES.index(name)] = chance
    names /= names.sum()
    return ((1 - DOUBT) * names + DOUBT / len(ALL_NAMES))[None]


def both(*readings: np.ndarray) -> np.ndarray:
    return np.concatenate(readings)


def test_clear_readings_are_sure() -> None:
    named = name_cards([reading(AS=1.0), reading(KD=1.0)])
    assert [name.card for name in named] == ["AS", "KD"]
    assert all(name.sure and name.confidence > 0.99 for name in named)
    assert named[0].alternatives == ()


def test_a_name_is_given_once() -> None:
    named = name_cards([reading(**{"7H": 0.98, "7D": 0.02}), reading(**{"7H": 0.6, "7D": 0.4})])
    assert [name.card for name in named] == ["7H", "7D"]
    assert not named[1].sure


def test_two_decks_hold_it_twice() -> None:
    cards = [reading(**{"7H": 1.0}), reading(**{"7H": 1.0})]
    assert [(name.card, name.sure) for name in name_cards(cards, decks=2)] == [("7H", True)] * 2
    assert [name.card for name in name_cards(cards, decks=1)].count("7H") == 1


def test_the_second_of_two_equal_cards_is_unread_and_neither_is_sure() -> None:
    named = name_cards([reading(**{"7H": 1.0}), reading(**{"7H": 1.0})])
    assert sorted(name.card for name in named) == ["7H", "??"]
    assert not any(name.sure for name in named)
    unread = next(name for name in named if name.card == "??")
    assert unread.alternatives[0][0] == "7H"


def test_two_indices_say_more_than_one() -> None:
    weak = reading(**{"3C": 0.7, "5C": 0.3})
    one, two = name_cards([weak])[0], name_cards([both(weak, weak)])[0]
    assert two.card == one.card == "3C"
    assert two.confidence > one.confidence


def test_indices_that_contradict_each_other_are_not_sure() -> None:
    named = name_cards([both(reading(**{"3C": 1.0}), reading(**{"8C": 1.0}))])[0]
    assert not named.sure


def test_unsure_suit_keeps_its_rank() -> None:
    named = name_cards([reading(**{"9H": 0.5, "9D": 0.48})])[0]
    assert named.card[0] == "9"
    assert not named.sure
    assert named.rank_confidence > 0.9
    assert named.alternatives[0][0] == ({"9H", "9D"} - {named.card}).pop()


def test_nothing_is_guessed_from_noise() -> None:
    flat = np.full((1, len(ALL_NAMES)), 1 / len(ALL_NAMES))
    assert name_cards([flat])[0].card == "??"


def test_cards_that_were_not_found_stay_unread() -> None:
    named = name_cards([None, reading(AS=1.0), None])
    assert [name.card for name in named] == ["??", "AS", "??"]
    assert named[0].confidence == 0.0


def test_what_may_be_no_card_is_not_sure() -> None:
    assert not name_cards([reading(AS=1.0)], real=[0.8])[0].sure
    assert name_cards([reading(AS=1.0)], real=[1.0])[0].sure


def test_there_are_two_jokers() -> None:
    named = name_cards([reading(J=1.0), reading(J=1.0)])
    assert sorted(name.card for name in named) == ["J1", "J2"]
    assert all(name.confidence > 0.98 for name in named)
    assert all(name.alternatives == () for name in named)


def test_where_the_deck_has_no_jokers_none_is_read() -> None:
    names = reading(J=0.6, KD=0.39)
    assert name_cards([names])[0].card == "J1"
    named = name_cards([names, reading(J=1.0)], jokers=0)
    assert [name.card for name in named] == ["KD", "??"]
    assert all(name != "J1" for name, _ in named[0].alternatives)
    one = name_cards([reading(J=1.0), reading(J=1.0)], jokers=1)
    assert sorted(name.card for name in one) == ["??", "J1"]


def test_bounds() -> None:
    assert name_cards([]) == []
    with pytest.raises(ValueError, match="-1"):
        name_cards([reading(AS=1.0)], jokers=-1)
    with pytest.raises(ValueError, match="3"):
        name_cards([reading(AS=1.0)], decks=3)


def test_two_blurred_indices_that_agree_are_not_sure() -> None:
    """They are blurred alike; one clear index is."""
    blurred, clear = np.full((2, 53), 0.06 / 52), np.full((2, 53), 0.002 / 52)
    blurred[:, 7], clear[0, 7] = 0.94, 0.998
    clear[1] = blurred[0]
    assert [name.sure for name in name_cards([blurred])] == [False]
    assert name_cards([blurred])[0].confidence > 0.99
    assert [name.sure for name in name_cards([clear])] == [True]
