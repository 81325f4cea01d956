"""Tables too big for sweeps: judged as if they were small, and small ones as if they were too big."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.check import step
from companion.engine.audit import Table, Verdict, audit_tables, ways
from companion.game import Position, Rules
from tests.engine.games import as_seen, random_game

VARIANTS = [
    "queen-on-king",
    "queen-only",
    "queen-only,wrap=yes",
    "free-start",
    "jokers",
    "jokers,joker=any,wrap=yes",
    "strict,draw=when_stuck",
    "jokers=1,start=free,draw=when_stuck",
    "putt-putt,draw=when_stuck",
]
SMALL = [
    *(f"{name},columns=4,depth=3" for name in VARIANTS),
    "double,columns=4,depth=3",
    "black-hole,columns=5",
    "black-hole,columns=5,on_king=queen_only",
]


@pytest.mark.parametrize("name", SMALL)
def test_as_if_too_big(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(2):
        check(name, seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_more_as_if_too_big(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(100, 400):
        check(name, seed, monkeypatch)


def check(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict is the same, and so are the draws where they are said to be the fewest."""
    before, after = claimed(Rules.parse(name), random.Random(f"{name} {seed}"))
    monkeypatch.setattr(ways, "LIMIT", 600_000)
    swept = judged(before, after)
    monkeypatch.setattr(ways, "LIMIT", 0)
    wide = judged(before, after)
    if wide.verdict == "unreadable":
        return
    assert wide.verdict == swept.verdict, (seed, swept.why, wide.why)
    assert len(wide.faults) == len(swept.faults), (seed, swept.why, wide.why)
    if wide.verdict == "legal" and wide.reasons[0].code != "fewer-may-do":
        assert wide.draws == swept.draws, seed


def judged(before: Table, after: Table) -> Verdict:
    return audit_tables([before, after]).steps[0]


def claimed(rules: Rules, pick: random.Random) -> tuple[Table, Table]:
    """A game's first table and a later one; more often than not a card or two more are said to be gone."""
    game = random_game(rules, pick, pick.randrange(1, 20))
    first, last = game[0], game[-1]
    if pick.random() < 0.4:
        return as_seen(first, 1), as_seen(last, pick.choice([1, 2, 3]))
    columns = [cards[: len(cards) - pick.choice([0, 0, 1])] for cards in last.columns]
    gone = [
        card for was, now in zip(first.columns, columns, strict=True) for card in was[len(now) :]
    ] or [last.discard[-1]]  # fmt: skip
    end: Position = replace(last.hidden(), columns=tuple(columns), discard=(pick.choice(gone),))
    after = Table.of(end, count_known=False)
    if pick.random() < 0.5:
        after = replace(after, stock_count=pick.randrange(first.stock_count + 1))
    return as_seen(first, 1), after


@pytest.mark.parametrize(
    ("kind", "seed", "verdict"),
    [
        ("played", 2, "legal"),  # a game that was played, and not so long ago not found
        ("cleared", 1, "illegal"),
        ("cleared", 4, "illegal"),
        ("skewed", 5, "illegal"),
    ],
)
def test_black_hole_is_decided(kind: str, seed: int, verdict: str) -> None:
    assert judged(*step(Rules.parse("black-hole"), kind, seed)).verdict == verdict


@pytest.mark.parametrize(("kind", "seed", "draws"), [("played", 2, 14), ("played", 5, 17)])
def test_the_fewest_draws_of_double_golf(kind: str, seed: int, draws: int) -> None:
    """As many as a sweep over all tables finds, ranks not counted: 60 times what a check may take."""
    verdict = judged(*step(Rules.parse("double"), kind, seed))
    assert (verdict.draws, verdict.reasons[0].code) == (draws, "plays-and-draws")
