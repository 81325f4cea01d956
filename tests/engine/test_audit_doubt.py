"""A scan is not the truth: nobody is accused over a card that was not read for sure."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.check import step as made_up
from companion.engine.audit import Seen, Table, audit_discard, audit_tables
from companion.formats import text
from companion.game import UNKNOWN, Card, Play, Position, Rules, apply, full_deck, legal_moves
from tests.engine.games import as_seen, random_game

BEFORE = "Talon: 9\nFoundations: 5H\n2C 6D\n3S 7C\n"


def board(lines: str) -> Position:
    return text.loads(lines)


def test_an_unsure_top_is_asked_for() -> None:
    # Read as 8D, which doesn't fit a five; it may be the 6D that left the column.
    after = board("Talon: 9\nFoundations: 8D\n2C\n3S 7C\n")
    sure = audit_tables([Table.of(board(BEFORE)), Table.of(after)])
    assert sure.verdict != "legal"
    doubt = Table.of(after, {(None, 0): [Card.parse("6D")]})
    (verdict,) = audit_tables([Table.of(board(BEFORE)), doubt]).steps
    assert verdict.verdict == "unreadable"
    assert [(ask.read, ask.place.table) for ask in verdict.ask] == [(Card.parse("8D"), 1)]


def test_a_doubt_that_changes_nothing_does_not_hide_a_wrong_move() -> None:
    # Whatever the 2C is, the 7C was put on a five.
    before = Table.of(board(BEFORE), {(0, 0): [Card.parse("2S")]})
    after = Table.of(board("Talon: 9\nFoundations: 5H 7C\n2C 6D\n3S\n"))
    (verdict,) = audit_tables([before, after]).steps
    assert (verdict.verdict, verdict.faults[0].rule) == ("illegal", "wrong-rank")


def test_the_same_card_read_for_sure_elsewhere_settles_it() -> None:
    before = Table.of(board(BEFORE), {(0, 1): [Card.parse("8D")]})
    after = Table.of(board("Talon: 9\nFoundations: 5H 6D\n2C\n3S 7C\n"))
    assert audit_tables([before, after]).verdict == "legal"


def test_legal_as_read_says_on_what_it_hangs() -> None:
    after = Table.of(board("Talon: 9\nFoundations: 6D\n2C\n3S 7C\n"), {(None, 0): [Card.parse("KD")]})
    before = Table.of(board(BEFORE), {(0, 1): [Card.parse("KD")]})
    (verdict,) = audit_tables([before, after]).steps
    assert verdict.verdict == "legal"
    assert Card.parse("6D") in [ask.read for ask in verdict.ask]


def test_an_unread_card_that_stays_does_not_matter() -> None:
    before = board("Talon: 9\nFoundations: 5H\n?? 6D\n3S 7C\n")
    after = board("Talon: 9\nFoundations: 5H 6D\n??\n3S 7C\n")
    assert audit_tables([Table.of(before), Table.of(after)]).verdict == "legal"


def test_an_unread_card_that_left_leaves_it_open() -> None:
    before = board("Talon: 9\nFoundations: 5H\n2C ??\n3S 7C\n")
    after = board("Talon: 9\nFoundations: ??\n2C\n3S 7C\n")
    (verdict,) = audit_tables([Table.of(before), Table.of(after)]).steps
    assert verdict.verdict == "unreadable"
    assert verdict.ask


def test_misread_cards_never_accuse() -> None:
    """Legal games, one card of a scan misread and not sure: legal or unreadable, never illegal."""
    deck = list(full_deck(Rules()))
    for seed in range(60):
        pick = random.Random(seed)
        pick.shuffle(deck)
        position = Position.deal(Rules(), deck).hidden()
        before = position
        for _ in range(pick.randrange(1, 12)):
            moves = legal_moves(position)
            plays = [move for move in moves if isinstance(move, Play)]
            move = pick.choice(plays) if plays else moves[-1]
            position = (
                apply(position, move)
                if isinstance(move, Play)
                else apply(position, replace(move, card=pick.choice(position.unseen)))
            )
        table = Table.of(replace(position, discard=position.discard[-1:]), count_known=False)
        place, seen = pick.choice(list(table.places(1)))
        wrong = pick.choice([card for card in deck if card is not seen.card])
        others = None if pick.random() < 0.5 else (seen.card,)
        scanned = table.changed(place, Seen(wrong, others))
        verdict = audit_tables([Table.of(before), scanned]).steps[0]
        assert verdict.verdict in ("legal", "unreadable"), (seed, place, verdict.why)


# -- legal games, many cards of whose tables are doubtful ----------------------------------------------

DOUBTED = [
    "strict,columns=4,depth=3",
    "queen-only,draw=when_stuck,columns=4,depth=3",
    "jokers,draw=when_stuck,columns=4,depth=3",
    "free-start,columns=4,depth=3",
    "putt-putt,columns=5,depth=4",
    "double,columns=4,depth=3",
]


@pytest.mark.parametrize("name", DOUBTED)
def test_doubtful_cards_never_accuse(name: str) -> None:
    for seed in range(12):
        check_doubtful(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", DOUBTED)
def test_doubtful_cards_never_accuse_in_more_games(name: str) -> None:
    for seed in range(100, 400):
        check_doubtful(name, seed)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        (DOUBTED[0], 3),  # a whole pile, where each of many doubtful cards may have come from two places
        (DOUBTED[1], 124),  # a card that lay buried and was read for sure only on a later photo
        (DOUBTED[2], 134),
        (DOUBTED[4], 34),
    ],
)
def test_doubtful_cards_that_once_accused(name: str, seed: int) -> None:
    check_doubtful(name, seed)


def check_doubtful(name: str, seed: int) -> None:
    """A legal game: whatever becomes of its cards in the photos, nobody broke a rule."""
    rules = Rules.parse(name)
    deck = [card.plain for card in full_deck(rules)]
    pick = random.Random(f"{name} {seed}")
    game = random_game(rules, pick, pick.randrange(1, 20))
    stops = {0, len(game) - 1, *(pick.randrange(len(game)) for _ in range(pick.randrange(1, 3)))}
    if len(stops) < 2:
        return
    how, share = pick.randrange(4), pick.choice([0.05, 0.15, 0.4])
    tables = [doubtful(as_seen(game[stop], how), pick, deck, share) for stop in sorted(stops)]
    for step in audit_tables(tables).steps:
        assert step.verdict in ("legal", "unreadable"), (seed, step.why)


def doubtful(table: Table, pick: random.Random, deck: list[Card], share: float) -> Table:
    """The table, a share of its cards unread, misread but not for sure, or unsure."""
    for place, seen in list(table.places(0)):
        if pick.random() >= share:
            continue
        how, wrong, true = pick.randrange(4), pick.choice(deck), seen.card.plain
        if how == 0:
            new = Seen(UNKNOWN, None)
        elif how == 1:
            new = Seen(wrong, None)
        elif how == 2:
            new = Seen(wrong, () if wrong is true else (true,))
        else:
            new = Seen(seen.card, tuple({wrong, pick.choice(deck)} - {true}) or None)
        if how == 2 and wrong is true:
            new = Seen(seen.card, None)
        table = table.changed(place, new)
    return table


def test_a_rule_broken_whatever_the_cards_are() -> None:
    # A card left the inside of column 1, be it the six or the seven.
    before = Table.of(board("Talon: 9\nFoundations: 5H\n2C 6D 9S\n3S 7C\n"), {(0, 1): [Card.parse("6H")]})
    after = Table.of(board("Talon: 9\nFoundations: 6D\n2C 9S\n3S 7C\n"), {(None, 0): [Card.parse("6H")]})
    (verdict,) = audit_tables([before, after]).steps
    assert (verdict.verdict, verdict.faults[0].rule) == ("illegal", "inside-column")
    assert Card.parse("6D") in [ask.read for ask in verdict.ask]
    assert "whatever they are" in verdict.why


def test_the_other_photo_settles_an_unread_card() -> None:
    before = Table.of(board("Talon: 9\nFoundations: 5H\n2C 6D\n3S ??\n"))
    middle = Table.of(board("Talon: 9\nFoundations: 5H 6D\n2C\n3S 7C\n"))
    after = Table.of(board("Talon: 9\nFoundations: 5H 6D 7C\n2C\n3S\n"))
    assert [step.verdict for step in audit_tables([before, middle, after]).steps] == ["legal", "legal"]
    assert not any(step.ask for step in audit_tables([before, middle, after]).steps)


def test_a_doubtful_card_of_the_first_table_never_accuses() -> None:
    """Legal games by their whole discard, a card of the first table misread and not sure."""
    deck = list(full_deck(Rules()))
    for seed in range(40):
        pick = random.Random(seed)
        game = random_game(Rules(), pick, 40)
        first = Table.of(game[0].hidden())
        places = [place for place, _ in first.places(0)]
        for place in pick.sample(places, 3):
            first = first.changed(place, Seen(pick.choice(deck), None))
        doubts = [(place, seen) for place, seen in first.places(0) if not seen.sure]
        audit = audit_discard(first.position(), [Seen(card) for card in game[-1].discard], doubts)
        for step in audit.steps:
            assert step.verdict in ("legal", "unreadable"), (seed, step.why)
            assert step.verdict == "legal" or step.ask


def test_a_card_that_a_photo_hides_accuses_nobody() -> None:
    whole, less = (
        board("Talon: 9\nFoundations: 5H\n2C AH 6D\n3S 7C\n"),
        board("Talon: 9\nFoundations: 5H\n2C 6D\n3S 7C\n"),
    )
    played = board("Talon: 9\nFoundations: 6D\n2C AH\n3S 7C\n")
    # The ace lay under the six; or a nine hides it now.
    (verdict,) = audit_tables([replace(Table.of(less), scanned=True), Table.of(played)]).steps
    assert verdict.verdict == "unreadable"
    assert [(ask.read, ask.place.table, ask.place.row) for ask in verdict.ask] == [(Card.parse("AH"), 0, 1)]
    (verdict,) = audit_tables([Table.of(whole), replace(Table.of(less), scanned=True)]).steps
    assert verdict.verdict == "unreadable"
    assert [(ask.read, ask.place.table, ask.place.row) for ask in verdict.ask] == [(Card.parse("AH"), 1, 1)]
    # Typed tables hide nothing, and what lies on top or on the discard is not hidden.
    assert audit_tables([Table.of(less), Table.of(played)]).verdict == "illegal"
    on_top = board("Talon: 8\nFoundations: 5H\n2C 6D AH\n3S 7C\n")
    assert audit_tables([replace(Table.of(less), scanned=True), Table.of(on_top)]).verdict == "illegal"
    taken = replace(Table.of(board("Talon: 9\nFoundations: AH\n2C 6D\n3S 7C\n")), scanned=True)
    assert audit_tables([Table.of(whole), taken]).verdict == "illegal"


def test_an_unread_top_of_a_hard_step_is_asked_for() -> None:
    """Each card that it may be is a search of its own: all of them took eight seconds."""
    before, after = made_up(Rules(), "skewed", 10)
    (place,) = (place for place, _ in after.places(1))
    (verdict,) = audit_tables([before, after.changed(place, Seen(UNKNOWN, None))]).steps
    assert (verdict.verdict, [ask.place for ask in verdict.ask]) == ("unreadable", [place])


def test_a_scan_as_a_table() -> None:
    document = {
        "schema": "companion.scan/1",
        "columns": [["2C", "6D"], ["3S", "7C"]],
        "discard": "5H",
        "stock": {"seen": True, "count": None},
        "cards": [
            {"card": "2C", "confidence": 0.999, "sure": True, "where": "column", "column": 0, "row": 0,
             "alternatives": []},
            {"card": "6D", "confidence": 0.7, "sure": False, "where": "column", "column": 0, "row": 1,
             "alternatives": [["6H", 0.2995]]},
            {"card": "7C", "confidence": 0.6, "sure": False, "where": "column", "column": 1, "row": 1,
             "alternatives": [["7S", 0.2]]},
            {"card": "5H", "confidence": 0.999, "sure": True, "where": "discard", "column": None, "row": None,
             "alternatives": []},
        ],
    }  # fmt: skip
    table = Table.from_scan(document, Rules())
    assert table.columns[0] == (Seen(Card.parse("2C")), Seen(Card.parse("6D"), (Card.parse("6H"),)))
    # Its readings are not all listed, so it may be any card.
    assert table.columns[1][1] == Seen(Card.parse("7C"), None)
    assert table.stock_count is None
