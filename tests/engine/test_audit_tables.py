"""From tables: one planted fault of every kind, and how it is put right."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.engine.audit import Audit, Seen, Table, audit_discard, audit_tables
from companion.engine.errors import EngineError
from companion.formats import text
from companion.game import (
    UNKNOWN,
    Card,
    Position,
    Rules,
    full_deck,
    parse_cards,
)
from tests.engine.games import random_game


def board(lines: str, rules: str = "strict", stock: int | None = None) -> Table:
    return Table.of(text.loads(lines, Rules.parse(rules), stock_count=stock))


# -- planted faults ------------------------------------------------------------------------------------

DEAL = "Talon: {stock}\nFoundations: {discard}\n{columns}\n"


def step(before: str, after: str, rules: str = "strict") -> Audit:
    return audit_tables([board(before, rules), board(after, rules)])


FAULTS = [
    # rule, rules, the table before, the table after, the card
    ("wrong-rank", "strict", "9|5H|2C 8D|3S 7C", "9|5H 8D|2C|3S 7C", "8D"),
    ("on-king", "strict", "9|KH|QC 2D|3S 7C", "9|KH 2D|QC|3S 7C", "2D"),
    ("on-king", "strict", "9|KH|2C QD|3S 7C", "9|KH QD|2C|3S 7C", "QD"),
    ("wrong-rank", "strict", "9|AH|2C KD|3S 7C", "9|AH KD|2C|3S 7C", "KD"),
    ("on-queen", "queen-only", "9|KH|2C JD QS|3S 7C", "9|KH QS JD|2C|3S 7C", "JD"),
    ("inside-column", "strict", "9|5H|2C 6D 9S|3S 7C", "9|6D|2C 9S|3S 7C", "6D"),
    ("inside-column", "strict", "9|5H|2C 6D 9S KH|3S 7C", "9|6D|2C 9S KH|3S 7C", "6D"),
    ("between-columns", "strict", "9|5H|2C 9D|3S 7C", "9|5H|2C|3S 7C 9D", "9D"),
    ("onto-column", "strict", "9|5H|2C 9D|3S 7C", "8|5H|2C 9D|3S 7C JD", "JD"),
    ("from-discard", "strict", "9|5H 6C|2C 9D|3S 7C", "9|5H|2C 9D 6C|3S 7C", "6C"),
    ("column-filled", "strict", "9|5H|2C 9D|:", "9|5H|2C|9D", "9D"),
    ("play-possible", "strict,draw=when_stuck", "9|5H|2C 6D|3S 7C", "8|KD|2C 6D|3S 7C", "KD"),
    ("stock-twice", "strict", "0|5H 6D KC|2C 9D|3S 7C", "12|5H|2C 9D|3S 7C", None),
    ("stock-empty", "strict", "0|KC|2C 9D|3S 7C", "0|QC|2C 9D|3S 7C", "QC"),
    ("play-first", "free-start", "17|-|2C 9D|3S 7C", "16|QC|2C 9D|3S 7C", "QC"),
]


def typed(short: str) -> str:
    stock, discard, *columns = short.split("|")
    return DEAL.format(stock=stock, discard=discard, columns="\n".join(columns))


@pytest.mark.parametrize(("rule", "rules", "before", "after", "card"), FAULTS)
def test_planted_fault(rule: str, rules: str, before: str, after: str, card: str | None) -> None:
    verdict = step(typed(before), typed(after), rules).steps[0]
    assert verdict.verdict == "illegal", verdict.why
    assert [fault.rule for fault in verdict.faults] == [rule]
    if card is not None:
        assert verdict.faults[0].card is Card.parse(card)
        assert Card.parse(card) in verdict.cards
    assert verdict.remedy is not None


def test_not_the_same_deal() -> None:
    pick = random.Random(1)
    one, other = (random_game(Rules(), pick, 0)[0] for _ in range(2))
    assert audit_tables([Table.of(one.hidden()), Table.of(other.hidden())]).verdict == "impossible"


def test_a_card_that_lies_in_a_column_and_on_the_discard() -> None:
    verdict = step(typed("9|5H|2C 9D|3S 7C"), typed("8|9D|2C 9D|3S 7C")).steps[0]
    assert verdict.verdict == "impossible"


def test_a_card_that_is_another_card_now() -> None:
    # Nothing was drawn, and the nine is nowhere: it wasn't moved, the deal is another one.
    verdict = step(typed("9|5H|2C 9D|3S 7C"), typed("9|5H|2C 8D|3S 7C")).steps[0]
    assert verdict.verdict == "impossible"


def test_a_column_in_another_order() -> None:
    verdict = step(typed("9|5H|2C 9D 4S|3S 7C"), typed("9|5H|9D 2C 4S|3S 7C")).steps[0]
    assert verdict.verdict == "impossible"


def test_the_order_of_a_known_stock_counts() -> None:
    before = "Talon: 6D KC 4S\nFoundations: 9H\n2C 5D\n"
    right, wrong = ("Talon: {}\nFoundations: {}\n{}\n".format(*parts) for parts in (
        ("KC 4S", "5D", "2C"), ("KC 4S", "3H", "2C 5D")
    ))  # fmt: skip
    assert step(before, right).verdict == "legal"
    assert step(before, wrong).verdict != "legal"
    assert step(before, "Talon: 4S\nFoundations: 5D\n2C\n").verdict == "illegal"


def test_columns_left_out_when_empty() -> None:
    before = text.loads(typed("9|4H|5C|2C 9D|3S 7C"))
    photo = Position(Rules(), (parse_cards("2C 9D"), parse_cards("3S 7C")), parse_cards("5C"), None, 9)
    assert audit_tables([Table.of(before), Table.of(photo)]).verdict == "legal"


def test_one_table_is_not_enough() -> None:
    with pytest.raises(EngineError, match="two tables"):
        audit_tables([board(typed("9|4H|5C"))])


# -- putting it right ----------------------------------------------------------------------------------


def test_put_back() -> None:
    verdict = step(typed("9|5H|2C 8D|3S 7C"), typed("9|5H 8D|2C|3S 7C")).steps[0]
    assert verdict.remedy is not None
    assert (verdict.remedy.kind, verdict.remedy.sure) == ("put-back", True)
    (back,) = verdict.remedy.back
    assert (back.card, back.lies, back.belongs) == (Card.parse("8D"), "the discard", "column 1")


def test_put_back_under_others() -> None:
    verdict = step(typed("9|5H|2C 6D 9S|3S 7C"), typed("9|6D|2C 9S|3S 7C")).steps[0]
    assert verdict.remedy is not None
    assert verdict.remedy.back[0].under == (Card.parse("9S"),)


def test_it_stands_once_a_move_was_made() -> None:
    verdict = step(typed("9|5H|2C 8D|3S 7C"), typed("9|5H 8D 7C|2C|3S")).steps[0]
    assert verdict.verdict == "illegal"
    assert verdict.remedy is not None
    assert verdict.remedy.kind == "stands"


def test_play_goes_on_from_what_stands_and_from_what_was_put_back() -> None:
    start, wrong = typed("9|5H|2C 8D|3S 4C"), typed("9|8D|2C|3S 4C")
    stands, mended = typed("8|3C|2C|3S 4C"), typed("9|4C|2C 8D|3S")
    audit = audit_tables([board(start), board(wrong), board(stands)])
    assert [s.verdict for s in audit.steps] == ["illegal", "legal"]
    audit = audit_tables([board(start), board(wrong), board(mended)])
    assert [s.verdict for s in audit.steps] == ["illegal", "legal"]
    assert "put back" in audit.steps[1].why


def test_void_hole() -> None:
    rules = "strict,illegal_move=void_hole"
    audit = step(typed("9|5H|2C 8D|3S 7C"), typed("9|5H 8D|2C|3S 7C"), rules)
    assert audit.steps[0].remedy is not None
    assert audit.steps[0].remedy.kind == "void"
    assert audit.score is not None
    assert (audit.score.counts, audit.score.strokes) == (False, 3)


def test_score_of_a_cleared_hole() -> None:
    audit = step(typed("9|5H|6C"), typed("9|5H 6C|:"))
    assert audit.score is not None
    assert (audit.score.counts, audit.score.strokes) == (True, -9)


def test_unknown_counts_as_unread() -> None:
    before = board(typed("9|5H|2C 8D|3S 7C"))
    audit = audit_tables([before, board(typed("8|??|2C|3S 7C"))])
    assert audit.verdict == "unreadable"
    assert [ask.read for ask in audit.steps[0].ask] == [UNKNOWN]
    # with no card drawn nothing hangs on the unread one: the 8 went on the 5
    assert audit_tables([before, board(typed("9|??|2C|3S 7C"))]).verdict == "illegal"


def test_a_queen_on_a_king_and_on_her_with_a_known_stock() -> None:
    # Only what was put on the queen is wrong, though she would have fitted on another card.
    before = "Talon: 5C 6D 2H\nFoundations: KH\n2C JD QS\n3S 7C\n"
    after = "Talon: 5C 6D 2H\nFoundations: JD\n2C\n3S 7C\n"
    (verdict,) = step(before, after, "queen-only").steps
    assert [fault.rule for fault in verdict.faults] == ["on-queen"]


# -- many wrong moves ----------------------------------------------------------------------------------


def played_anyhow(rules: Rules, pick: random.Random, moves: int) -> tuple[Position, Position]:
    """A deal, and the table after so many moves for which nobody looked at the rules."""
    deck = list(full_deck(rules))
    pick.shuffle(deck)
    start = Position.deal(rules, deck)
    columns, discard, stock = (
        [list(column) for column in start.columns],
        list(start.discard),
        list(start.stock or ()),
    )
    for _ in range(moves):
        filled = [column for column in columns if column]
        discard.append(stock.pop(0) if stock and pick.random() < 0.3 else pick.choice(filled).pop())
    end = Position(rules, tuple(map(tuple, columns)), tuple(discard), None, len(stock))
    return start.hidden(), end


@pytest.mark.parametrize("name", ["strict", "strict,draw=when_stuck", "putt-putt"])
def test_every_wrong_move_of_a_discard_that_is_seen(name: str) -> None:
    """More than three wrong moves were another deal; now they are those that a check of each card finds."""
    for seed in range(4):
        start, end = played_anyhow(Rules.parse(name), random.Random(f"{name} {seed}"), 20)
        (verdict,) = audit_tables([Table.of(start), Table.of(end)]).steps
        cards = audit_discard(start, [Seen(card) for card in end.discard]).steps
        wrong = [number for number, card in enumerate(cards) if card.verdict == "illegal"]
        assert len(wrong) > 3
        assert (verdict.verdict, [fault.move for fault in verdict.faults]) == ("illegal", wrong)
        assert verdict.reasons[-1].code != "fewer-wrong-may-do"


@pytest.mark.parametrize("name", ["strict", "strict,draw=when_stuck", "queen-only", "free-start", "double"])
def test_many_wrong_moves_where_the_top_alone_is_seen(name: str) -> None:
    """It is the same deal, however badly it was played; which moves were wrong is a guess, and called one."""
    for seed in range(2):
        start, end = played_anyhow(Rules.parse(name), random.Random(f"{name} {seed}"), 24)
        end = replace(end, discard=end.discard[-1:], stock_count=start.stock_count - 1 - (name == "double"))
        after = Table.of(replace(end, columns=tuple(() for _ in end.columns), discard=(start.columns[0][0],)))
        (verdict,) = audit_tables([Table.of(start), after]).steps
        assert verdict.verdict == "illegal", (seed, verdict.why)
        assert len(verdict.faults) > 3
        assert verdict.reasons[-1].code == "fewer-wrong-may-do"
        assert verdict.draws == start.stock_count - end.stock_count


def test_a_card_that_lies_in_two_places_is_no_wrong_move() -> None:
    start, end = played_anyhow(Rules.parse("strict"), random.Random(1), 20)
    left = next(column[0] for column in end.columns if column)
    after = Table.of(replace(end, discard=(*end.discard[:-1], left)))
    assert audit_tables([Table.of(start), after]).verdict == "impossible"


def test_the_last_of_several_wrong_moves_goes_back() -> None:
    """All of them stood, though nothing was moved since the last one."""
    before, after = typed("9|5H|2C 8D JC|3S 7C"), typed("9|5H JC 8D|2C|3S 7C")
    (verdict,) = step(before, after).steps
    assert [fault.card for fault in verdict.faults] == list(parse_cards("JC 8D"))
    assert verdict.remedy is not None
    assert [(back.card, back.belongs) for back in verdict.remedy.back] == [(Card.parse("8D"), "column 1")]
    assert verdict.remedy.cards == (Card.parse("JC"),)
    assert "those stand" in verdict.remedy.message
    # Where the top alone is seen, another order may explain it.
    (verdict,) = step(before, typed("9|8D|2C|3S 7C")).steps
    assert verdict.remedy is not None
    assert verdict.remedy.kind == "stands"
