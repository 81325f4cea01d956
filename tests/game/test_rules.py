from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from companion.game import ALIASES, PRESETS, Card, Rules, RulesError
from tests.game import strategies


@given(strategies.rules)
def test_text_round_trip(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_spelled_by_their_name(name: str) -> None:
    assert str(PRESETS[name]) == name
    assert Rules.parse(name) == PRESETS[name]


def test_defaults_are_the_first_of_each_field() -> None:
    assert Rules() == PRESETS["strict"]
    strict = Rules()
    assert (strict.on_king, strict.wrap, strict.start, strict.draw) == ("nothing", False, "turned", "at_will")
    assert (strict.jokers, strict.joker, strict.holes, strict.par) == (0, "declared", 9, 45)
    assert (strict.decks, strict.columns, strict.depth, strict.stock_size) == (1, 7, 5, 16)
    assert (strict.redeal_impossible, strict.illegal_move) == (False, "put_back")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", Rules()),
        ("strict,draw=when_stuck", Rules(draw="when_stuck")),
        ("draw=when-stuck", Rules(draw="when_stuck")),
        ("Queen on King, holes=18", Rules(on_king="queen", holes=18, par=90)),
        ("holes=18,par=72", Rules(holes=18, par=72)),
        ("strict,wrap=yes", PRESETS["putt-putt"]),
        ("Dead King Golf", Rules()),
        ("golf", PRESETS["queen-on-king"]),
        ("relaxed_golf", PRESETS["putt-putt"]),
        ("thieves", Rules(on_king="queen", jokers=2, joker="any")),
    ],
)
def test_parse(text: str, rules: Rules) -> None:
    assert Rules.parse(text) == rules


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("strikt", "strikt"),
        ("strict,jokers=3", "3"),
        ("strict,draw=never", "never"),
        ("strict,wrap=maybe", "maybe"),
        ("strict,stock=3", "stock=3"),
        ("strict,depth", "depth"),
        ("holes=x", "x"),
        ("columns=10,depth=6", "6"),
    ],
)
def test_refuses(text: str, token: str) -> None:
    with pytest.raises(RulesError) as raised:
        Rules.parse(text)
    assert repr(token) in str(raised.value) or token in str(raised.value)


def test_wrong_types_are_refused() -> None:
    with pytest.raises(RulesError):
        Rules(jokers="2")  # type: ignore[arg-type]
    with pytest.raises(RulesError):
        Rules(wrap=1)  # type: ignore[arg-type]
    with pytest.raises(RulesError):
        Rules(holes=True)


@pytest.mark.parametrize("name", ALIASES)
def test_aliases_name_rules(name: str) -> None:
    assert isinstance(Rules.parse(name), Rules)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("strict", 16),
        ("free-start", 17),
        ("jokers", 18),
        ("double", 40),
        ("black-hole", 0),
        ("putt-putt", 16),
    ],
)
def test_stock_sizes(name: str, size: int) -> None:
    assert PRESETS[name].stock_size == size


def test_only_black_hole_has_a_fixed_opener() -> None:
    assert {name for name, rules in PRESETS.items() if rules.opener} == {"black-hole"}
    assert PRESETS["black-hole"].opener is Card.parse("AS")


FOLLOWERS = [
    # rules, top, under, ranks that may follow
    ("strict", 1, None, (2,)),
    ("strict", 7, None, (6, 8)),
    ("strict", 12, 13, (11, 13)),
    ("strict", 13, None, ()),
    ("queen-on-king", 13, None, (12,)),
    ("queen-on-king", 12, 13, (11, 13)),
    ("queen-only", 13, None, (12,)),
    ("queen-only", 12, 13, ()),
    ("queen-only", 12, 11, (11, 13)),
    ("queen-only", 12, None, (11, 13)),
    ("putt-putt", 13, None, (1, 12)),
    ("putt-putt", 1, None, (2, 13)),
    ("putt-putt", 12, 13, (11, 13)),
    ("strict", 0, None, tuple(range(1, 14))),
]


@pytest.mark.parametrize(("name", "top", "under", "ranks"), FOLLOWERS)
def test_followers(name: str, top: int, under: int | None, ranks: tuple[int, ...]) -> None:
    assert PRESETS[name].followers(top, under) == ranks


def test_jokers_follow() -> None:
    declared, wild = PRESETS["jokers"], Rules.parse("jokers,joker=any")
    assert declared.follows(7, 0)
    assert not declared.follows(13, 0)
    assert wild.follows(13, 0)
    assert declared.follows(0, 0)
