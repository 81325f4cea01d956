"""From a log and from the whole discard: every move, right and wrong."""

from __future__ import annotations

import random

import pytest

from companion.engine.audit import (
    Claim,
    Seen,
    Table,
    audit_discard,
    audit_log,
    audit_tables,
    of_moves,
    parse_log,
)
from companion.engine.errors import EngineError
from companion.formats import text
from companion.game import Card, Game, Position, Rules, full_deck, legal_moves, parse_cards

START = "Talon: 9\nFoundations: 5H\n2C 6D 9S\n3S 4C\n"
VARIANTS = ["strict", "queen-only", "putt-putt", "free-start", "jokers", "jokers,joker=any",
            "strict,draw=when_stuck", "double", "black-hole"]  # fmt: skip


def start(rules: str = "strict") -> Position:
    return text.loads(START, Rules.parse(rules))


def pile(cards: str) -> list[Seen]:
    return [Seen(card) for card in parse_cards(cards)]


def random_game(rules: Rules, seed: int) -> Game:
    pick = random.Random(seed)
    deck = list(full_deck(rules))
    pick.shuffle(deck)
    game = Game(Position.deal(rules, deck))
    for _ in range(pick.randrange(1, 60)):
        moves = legal_moves(game.position)
        if not moves:
            break
        game = game.do(pick.choice(moves))
    return game


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games(name: str) -> None:
    for seed in range(15):
        game = random_game(Rules.parse(name), seed)
        log = audit_log(game.start, of_moves(game.moves))
        assert log.verdict == "legal"
        assert log.score is not None
        assert log.score.strokes == game.position.strokes
        fan = audit_discard(game.start.hidden(), [Seen(card) for card in game.position.discard])
        assert fan.verdict == "legal", (seed, [step.why for step in fan.steps if step.verdict != "legal"])
        if not name.startswith("double"):
            sources = [step.moves[0].column for step in fan.steps]
            assert sources == [getattr(move, "column", None) for move in game.moves]


def test_a_log_goes_on_after_a_wrong_move() -> None:
    audit = audit_log(start(), parse_log("play 4C from 2\nplay 9S\ndraw TH\n# a remark\n"))
    assert [step.verdict for step in audit.steps] == ["legal", "illegal", "legal"]
    assert audit.steps[1].faults[0].rule == "wrong-rank"
    assert audit.steps[1].remedy is not None
    assert audit.steps[1].remedy.kind == "stands"
    assert audit.score is not None
    assert audit.score.strokes == 3


@pytest.mark.parametrize(
    ("log", "rule"),
    [
        ("play 3S", "inside-column"),
        ("play 9S", "wrong-rank"),
        ("draw 5H", "stock-twice"),
    ],
)
def test_faults_of_a_log(log: str, rule: str) -> None:
    (verdict,) = audit_log(start(), parse_log(log)).steps
    assert (verdict.verdict, verdict.faults[0].rule) == ("illegal", rule)


def test_a_draw_while_a_play_was_possible() -> None:
    (verdict,) = audit_log(start("strict,draw=when_stuck"), parse_log("draw TH")).steps
    assert verdict.faults[0].rule == "play-possible"


def test_a_wrong_last_move_is_put_back() -> None:
    (verdict,) = audit_log(start(), parse_log("6D")).steps
    assert verdict.remedy is not None
    assert verdict.remedy.kind == "put-back"
    assert verdict.remedy.back[0].under == (Card.parse("9S"),)


def test_void_hole() -> None:
    audit = audit_log(start("strict,illegal_move=void_hole"), parse_log("9S"))
    assert audit.score is not None
    assert not audit.score.counts


def test_a_draw_that_was_not_read() -> None:
    audit = audit_log(start(), parse_log("draw; play 9S"))
    assert [step.verdict for step in audit.steps] == ["legal", "unreadable"]


def test_ways_to_write_a_log() -> None:
    claims = [Claim("play", Card.parse("4C"), 1), Claim("draw", Card.parse("TH")), Claim("play", None, 0)]
    for log in ("4C 2, +TH, play 1", "1. play 4C from 2\n2. draw 10♥\n3. play from 1", "4c 2;turn Th;play 1"):
        assert list(parse_log(log)) == claims
    tracked = '{"moves": [{"move": "play", "column": 1, "card": "4C"}, {"draw": "TH"}, {"play": 0}]}'
    assert list(parse_log(tracked)) == claims
    with pytest.raises(EngineError, match=r"line 2: not a move.*'spam'"):
        parse_log("4C\nspam")


def test_the_discard() -> None:
    audit = audit_discard(start(), pile("5H 4C 3S TH 9S"))
    assert audit.verdict == "legal"
    assert [step.moves[0].column for step in audit.steps] == [1, 1, None, 0]
    assert audit_discard(start(), pile("9S TH 3S 4C 5H")).verdict == "legal"
    assert audit_discard(start(), pile("4C 3S TH 9S")).verdict == "legal"


def test_a_wrong_neighbour_in_the_discard() -> None:
    audit = audit_discard(start(), pile("5H 4C 9S"))
    assert [step.verdict for step in audit.steps] == ["legal", "illegal"]


def test_a_column_not_eaten_from_its_end() -> None:
    audit = audit_discard(start(), pile("5H 6D 7H"))
    assert audit.steps[0].faults[0].rule == "inside-column"
    assert audit.steps[1].verdict == "legal"


def test_a_discard_with_unsure_cards_accuses_nobody() -> None:
    cards = [*pile("5H 4C"), Seen(Card.parse("9S"), (Card.parse("TS"),))]
    audit = audit_discard(start(), cards)
    assert audit.verdict == "unreadable"
    assert [ask.read for ask in audit.steps[1].ask] == [Card.parse("9S")]


def test_a_legal_discard_says_which_cards_were_not_sure() -> None:
    unsure = [Seen(Card.parse("TH"), (Card.parse("9H"),)), Seen(Card.parse("9S"), (Card.parse("9C"),))]
    audit = audit_discard(start(), [*pile("5H 4C 3S"), *unsure])
    assert audit.verdict == "legal"
    assert [[(ask.read, ask.place.row) for ask in step.ask] for step in audit.steps] == [
        [], [], [(Card.parse("TH"), 3)], []
    ]  # fmt: skip
    assert "not read for sure: TH" in audit.steps[2].why


def test_a_card_that_was_none_of_the_stock_goes_back_where_it_lay() -> None:
    # The only card was drawn; another one can't go back on a stock that was empty.
    start = text.loads("Talon: 1\nFoundations: 5S\n2C KD\n", Rules(), stock_count=1)
    audit = audit_log(start, parse_log("draw 9C, draw 5S"))
    remedy = audit.steps[1].remedy
    assert remedy is not None
    assert [(back.lies, back.belongs) for back in remedy.back] == [("the discard", "before")]
    assert audit.steps[1].why == "5S was drawn a second time: the stock may be gone through only once"


def test_a_card_drawn_unseen_is_named_without_its_suit() -> None:
    # Which jack was drawn nobody knows.
    before = Table.of(text.loads("Talon: 1\nFoundations: 5S\n9D 5C\nKD QS\n", Rules(), stock_count=1))
    after = Table.of(text.loads("Talon: 0\nFoundations: QS\n9D\nKD\n", Rules(), stock_count=0))
    (step,) = audit_tables([before, after]).steps
    assert step.faults
    for fault in step.faults:
        if fault.supposed[0]:
            assert str(fault.card) not in step.why
    assert step.remedy is not None
    assert "J" not in step.remedy.message
