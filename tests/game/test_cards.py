from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import FULL_DECK, JOKERS, UNKNOWN, Card, CardError, parse_cards
from companion.game.letters import LETTERS, parse, rank_letter, show

ALL = [*FULL_DECK, *JOKERS, *(joker.named(rank) for joker in JOKERS for rank in range(1, 14)), UNKNOWN]


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("AS", "AS"),
        ("TH", "TH"),
        ("10H", "TH"),
        ("10h", "TH"),
        ("qd", "QD"),
        (" KC ", "KC"),
        ("J♠", "JS"),
        ("10♥\ufe0f", "TH"),
        ("2♧", "2C"),
        ("??", "??"),
        ("?", "??"),
        ("J1", "J1"),
        ("j2", "J2"),
        ("★", "J1"),
        ("J1=7", "J1=7"),
        ("J2=10", "J2=T"),
        ("J1=k", "J1=K"),
    ],
)
def test_reads(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize(
    "text", ["", "1S", "11S", "A", "S", "AX", "J3", "J1=", "J1=1", "ASS", "AS KH", "<KS>", "0H"]
)
def test_refuses(text: str) -> None:
    with pytest.raises(CardError) as raised:
        Card.parse(text)
    assert str(raised.value).endswith(repr(text))


@pytest.mark.parametrize("card", ALL, ids=str)
def test_one_object_for_one_card(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is copy.copy(card) is card
    assert eval(repr(card)) is card


def test_order_is_total_and_by_rank() -> None:
    assert sorted(random.Random(1).sample(ALL, len(ALL))) == sorted(ALL)
    assert [str(card) for card in FULL_DECK[:5]] == ["AS", "AH", "AD", "AC", "2S"]
    assert len(set(ALL)) == len(ALL) == len({hash(card) for card in ALL})
    assert max(ALL) is UNKNOWN
    assert Card.parse("KC") < Card.parse("J1") < Card.parse("J1=A") < Card.parse("J2")


def test_values() -> None:
    assert [(Card.parse(t).rank, Card.parse(t).suit) for t in ("AS", "KD", "J1", "??")] == [
        (1, "S"),
        (13, "D"),
        (0, None),
        (None, None),
    ]
    seven = Card.parse("J2=7")
    assert (seven.rank, seven.value, seven.plain) == (0, 7, Card.parse("J2"))
    with pytest.raises(CardError):
        _ = UNKNOWN.value
    with pytest.raises(CardError):
        Card.parse("AS").named(3)


def test_cards_cannot_be_made_or_changed() -> None:
    with pytest.raises(TypeError):
        Card()
    with pytest.raises(AttributeError):
        Card.parse("AS").rank = 2
    with pytest.raises(CardError):
        Card.of(14, "S")


def test_parse_cards() -> None:
    assert parse_cards("AS, 10h ??") == (Card.parse("AS"), Card.parse("TH"), UNKNOWN)


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "A♠ 10♥ J♠ Q♥ K♦"),
        ("de", "A♠ 10♥ B♠ D♥ K♦"),
        ("sv", "E♠ 10♥ Kn♠ D♥ K♦"),
        ("fr", "A♠ 10♥ V♠ D♥ R♦"),
    ],
)
def test_letters(language: str, shown: str) -> None:
    assert " ".join(card.short(language) for card in parse_cards("AS TH JS QH KD")) == shown


@given(st.sampled_from([*FULL_DECK, UNKNOWN, JOKERS[0]]), st.sampled_from(sorted(LETTERS)))
def test_letters_are_read_back(card: Card, language: str) -> None:
    assert parse(show(card, language), language) is card
    assert parse(show(card, language).lower(), language) is card


@pytest.mark.parametrize(
    ("text", "language", "card"),
    [
        ("spader 2", "sv", "2S"),
        ("hjärter ess", "sv", "AH"),
        ("klöver 4", "sv", "4C"),
        ("Ruter kung", "sv", "KD"),
        ("Pik Bube", "de", "JS"),
        ("Kreuz Ass", "de", "AC"),
        ("Karo König", "de", "KD"),
        ("Herz 10", "de", "TH"),
        ("DH", "de", "QH"),
        ("QH", "de", "QH"),
        ("KnS", "sv", "JS"),
        ("10H", "de", "TH"),
        ("A♣", "sv", "AC"),
    ],
)
def test_words_and_letters(text: str, language: str, card: str) -> None:
    assert str(parse(text, language)) == card


@pytest.mark.parametrize(("text", "language"), [("DX", "de"), ("Pik", "de"), ("B♠", "en"), ("AS", "xx")])
def test_letters_refuse(text: str, language: str) -> None:
    with pytest.raises(CardError):
        parse(text, language)


def test_rank_letters() -> None:
    assert [rank_letter(rank, "sv") for rank in (1, 10, 11, 12, 13)] == ["E", "10", "Kn", "D", "K"]
