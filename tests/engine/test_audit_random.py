"""From tables: thousands of games played at random, and single faults planted in them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.engine.audit import Table, audit_tables, paths
from companion.game import Card, Play, Position, Rules, can
from tests.engine.games import as_seen, random_game, replayed
from tests.engine.tables import PLAIN

VARIANTS = [
    *PLAIN,
    "jokers=1,on_king=queen_only,draw=when_stuck",
    "strict,draw=when_stuck",
    "free-start,draw=when_stuck,on_king=queen",
    "double,columns=5,depth=3",
    "black-hole,columns=5",
]


SMALL = [
    *PLAIN,
    "queen-only,draw=when_stuck",
    "putt-putt,draw=when_stuck",
    "jokers=1,start=free,draw=when_stuck",
]
"""Rules of games on four columns of three: quickly judged, and all else as on a full table."""


def check_game(rules: Rules, seed: int, length: int) -> None:
    """Plays a game and has a few of its tables judged, seen in one way or another."""
    pick = random.Random(f"{rules} {seed}")
    game = random_game(rules, pick, pick.randrange(1, length))
    stops = sorted({0, len(game) - 1, *(pick.randrange(len(game)) for _ in range(2))})
    if len(stops) < 2:
        return
    how = pick.randrange(4)
    audit = audit_tables([as_seen(game[stop], how) for stop in stops])
    assert audit.verdict == "legal", (seed, [step.why for step in audit.steps])
    for step, before, after in zip(audit.steps, stops, stops[1:], strict=False):
        drawn = game[before].stock_count - game[after].stock_count
        assert step.draws is not None
        assert step.draws <= drawn
        if how != 2:
            assert step.draws == drawn
        if rules.decks > 1 or any(card.is_joker for card in game[after].discard):
            continue
        if step.ask:
            # What lay under a queen was not seen, so the rules alone can't replay it.
            continue
        end = replayed(as_seen(game[before], how), step)
        assert list(filter(None, end.columns)) == list(filter(None, game[after].columns))
        assert end.top is game[after].top


@pytest.mark.parametrize("name", VARIANTS)
def test_full_tables(name: str) -> None:
    for seed in range(6):
        check_game(Rules.parse(name), seed, 55)


@pytest.mark.parametrize(("name", "seed"), [("strict", 110), ("strict", 145), ("queen-on-king", 152)])
def test_a_top_from_a_column_leaves_the_stock_as_it_was(name: str, seed: int) -> None:
    check_game(Rules.parse(name), seed, 55)


@pytest.mark.parametrize("name", SMALL)
def test_small_tables(name: str) -> None:
    for seed in range(120):
        check_game(Rules.parse(f"{name},columns=4,depth=3"), seed, 20)


@pytest.mark.parametrize("name", SMALL)
def test_small_tables_as_if_hard(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that is done where a search is long."""
    monkeypatch.setattr(paths, "EASY", 1)
    for seed in range(500, 512):
        check_game(Rules.parse(f"{name},columns=4,depth=3"), seed, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_more_games(name: str) -> None:
    for seed in range(100, 160):
        check_game(Rules.parse(name), seed, 55)
    for seed in range(1000, 2000):
        check_game(Rules.parse(f"{name},columns=4,depth=3"), seed, 20)


# -- planted faults ------------------------------------------------------------------------------------

FAULTS = [
    "wrong-rank", "on-king", "on-queen", "play-possible", "inside-column", "between-columns", "column-filled",
    "onto-column", "from-discard", "stock-empty", "stock-twice",
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_planted(fault: str) -> None:
    assert planted(fault, 150, "columns=4,depth=3") > 25


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_as_if_hard(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "EASY", 1)
    assert planted(fault, 40, "columns=4,depth=3") > 4


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_more_planted(fault: str) -> None:
    planted(fault, 1000, "columns=4,depth=3")
    planted(fault, 60, "columns=7")


def planted(fault: str, seeds: int, size: str) -> int:
    """How many of so many games had room for the fault; in each it must be found."""
    name = {"on-queen": "queen-only", "play-possible": "queen-on-king,draw=when_stuck"}.get(fault, "strict")
    rules = Rules.parse(f"{name},{size}")
    found = 0
    for seed in range(seeds):
        pick = random.Random(f"{fault} {seed}")
        position = random_game(rules, pick, pick.randrange(0, 14))[-1].hidden()
        done = PLANT[fault](position, pick)
        if done is None:
            continue
        found += 1
        before, after, card = done
        verdict = audit_tables([Table.of(before), Table.of(after)]).steps[0]
        assert verdict.verdict == "illegal", (seed, verdict.why)
        assert [one.rule for one in verdict.faults] == [fault], (seed, verdict.why)
        if card is not None:
            assert verdict.faults[0].card is card, (seed, verdict.why)
        assert verdict.remedy is not None
    return found


Planted = tuple[Position, Position, Card | None] | None
"""The table before and after one wrong move, and the card that was moved; None where there is no room."""


def wrong_rank(position: Position, pick: random.Random) -> Planted:
    under = (
        position.under is not None and position.under.value == 13 and position.rules.on_king == "queen_only"
    )
    if position.top is None or position.top.value == 13 or under:
        return None
    return forced(position, pick)


def on_king(position: Position, pick: random.Random) -> Planted:
    king = next((card for card in position.unseen if card.value == 13), None)
    return None if king is None else forced(turned(position, king), pick)


def on_queen(position: Position, pick: random.Random) -> Planted:
    king, queen = (next((c for c in position.unseen if c.value == value), None) for value in (13, 12))
    if king is None or queen is None:
        return None
    # The queen leaves her column in the same step, so that she can't have been drawn.
    before = turned(position, king)
    near = [n for n, card in enumerate(before.exposed) if card is not None and card.value in (11, 13)]
    if not near or len(near) == len(before.columns):
        return None
    home = next(n for n in range(len(before.columns)) if n not in near)
    columns = [list(cards) for cards in before.columns]
    columns[home].append(queen)
    before = replace(with_columns(before, columns), stock_count=before.stock_count - 1)
    played = moved(before, home)
    done = moved(played[1], pick.choice(near)) if played else None
    return (before, done[1], done[2]) if done else None


def forced(position: Position, pick: random.Random) -> Planted:
    """An exposed card put where it doesn't fit."""
    wrong = [n for n, column in enumerate(position.columns) if column and not can(position, Play(n))]
    return moved(position, pick.choice(wrong)) if wrong else None


def moved(position: Position, column: int, row: int = -1) -> Planted:
    """A card of a column put on the discard, allowed or not."""
    columns = [list(cards) for cards in position.columns]
    card = columns[column].pop(row)
    return position, with_columns(replace(position, discard=(*position.discard, card)), columns), card


def turned(position: Position, card: Card) -> Position:
    return replace(
        position, discard=(*position.discard, card), stock_count=max(0, position.stock_count - 1), drawn=True
    )


def with_columns(position: Position, columns: list[list[Card]]) -> Position:
    return replace(position, columns=tuple(map(tuple, columns)))


def play_possible(position: Position, pick: random.Random) -> Planted:
    if not position.stock_count or not any(can(position, Play(n)) for n in range(len(position.columns))):
        return None
    card = pick.choice(position.unseen)
    return position, turned(position, card), card


def inside_column(position: Position, pick: random.Random) -> Planted:
    top = position.top
    fits = [
        (n, row)
        for n, column in enumerate(position.columns)
        for row, card in enumerate(column[:-1])
        if top is not None and position.rules.follows(top.value, card.value)
    ]
    return moved(position, *pick.choice(fits)) if fits else None


def between_columns(position: Position, pick: random.Random, *, filled: bool = False) -> Planted:
    columns = [list(cards) for cards in position.columns]
    sources = [n for n, column in enumerate(columns) if len(column) > filled]
    targets = [n for n, column in enumerate(columns) if bool(column) != filled]
    pairs = [(a, b) for a in sources for b in targets if a != b]
    if not pairs:
        return None
    source, to = pick.choice(pairs)
    card = columns[source].pop()
    columns[to].append(card)
    return position, with_columns(position, columns), card


def column_filled(position: Position, pick: random.Random) -> Planted:
    if all(position.columns):
        position = replace(position, columns=((), *position.columns[1:]))
        # Those cards were played in time.
        position = replace(position, discard=position.discard[-1:])
    return between_columns(position, pick, filled=True)


def onto_column(position: Position, pick: random.Random) -> Planted:
    columns = [list(cards) for cards in position.columns]
    filled = [column for column in columns if column]
    if not position.stock_count or not filled:
        return None
    card = pick.choice(position.unseen)
    pick.choice(filled).append(card)
    return position, replace(with_columns(position, columns), stock_count=position.stock_count - 1), card


def from_discard(position: Position, pick: random.Random) -> Planted:
    columns = [list(cards) for cards in position.columns]
    filled = [column for column in columns if column]
    if len(position.discard) < 2 or not filled:
        return None
    card = position.discard[-1]
    pick.choice(filled).append(card)
    return position, replace(with_columns(position, columns), discard=position.discard[:-1]), card


def stock_empty(position: Position, pick: random.Random) -> Planted:
    before = replace(position, discard=position.discard[-1:], stock_count=0)
    drawn = [card for card in before.unseen if card not in before.discard]
    if not drawn:
        return None
    card = pick.choice(drawn)
    return before, replace(before, discard=(*before.discard, card)), card


def stock_twice(position: Position, pick: random.Random) -> Planted:
    count = position.stock_count + pick.randrange(1, 4)
    if count > position.rules.stock_size:
        return None
    before = replace(position, discard=position.discard[-1:])
    return before, replace(before, stock_count=count), None


PLANT: dict[str, Callable[[Position, random.Random], Planted]] = {
    "wrong-rank": wrong_rank,
    "on-king": on_king,
    "on-queen": on_queen,
    "play-possible": play_possible,
    "inside-column": inside_column,
    "between-columns": between_columns,
    "column-filled": column_filled,
    "onto-column": onto_column,
    "from-discard": from_discard,
    "stock-empty": stock_empty,
    "stock-twice": stock_twice,
}
