"""What earlier and later tables tell of a step between them."""

from __future__ import annotations

from companion.engine.audit import Audit, Table, audit_tables
from companion.formats import text
from companion.game import Rules


def seen(*boards: str, rules: str = "strict", counts: bool = False) -> Audit:
    return audit_tables(
        [
            Table.of(text.loads(board, Rules.parse(rules), stock_count=9), count_known=counts or n == 0)
            for n, board in enumerate(boards)
        ]
    )


# All sevens and three of the nines lie on the table: an eight is played on the last nine or on a seven.
ONE_NINE = """Foundations: {}
7S 8S
7H 8H
7C 7D 9S
2C 9H 9D
"""


def test_an_unseen_card_is_not_drawn_twice() -> None:
    # Each eight needs the one nine that isn't seen: possible once, not twice.
    first = ONE_NINE.format("2H")
    second = ONE_NINE.format("8S").replace("7S 8S", "7S")
    third = second.replace("7H 8H", "7H").replace("Foundations: 8S", "Foundations: 8H")
    assert seen(first, second).verdict == "legal"
    audit = seen(first, second, third)
    assert [step.verdict for step in audit.steps] == ["legal", "illegal"]
    assert audit.steps[1].faults[0].rule == "stock-twice"
    assert audit.steps[1].remedy is not None


def test_counted_draws_are_kept_to_in_every_step() -> None:
    # The eight fits the nine on top, but a card was drawn: it can only have been the last nine.
    first = ONE_NINE.replace("7C 7D 9S", "7C 7D").format("9S")
    second = first.replace("7S 8S", "7S").replace("Foundations: 9S", "Foundations: 8S")
    third = second.replace("7H 8H", "7H").replace("Foundations: 8S", "Foundations: 8H")

    def counted(*stocks: int) -> list[str]:
        tables = [
            Table.of(text.loads(board, Rules(), stock_count=stock))
            for board, stock in zip((first, second, third), stocks, strict=True)
        ]
        return [step.verdict for step in audit_tables(tables).steps]

    assert counted(9, 9, 8) == ["legal", "legal"]
    assert counted(9, 8, 7) == ["legal", "illegal"]


def test_another_way_for_an_earlier_step() -> None:
    # The eight can lie on a seven that was drawn, if the nine is needed later.
    first = ONE_NINE.replace("7C 7D", "7C 2D").format("2H")
    second = first.replace("7S 8S", "7S").replace("Foundations: 2H", "Foundations: 8S")
    third = second.replace("7H 8H", "7H").replace("Foundations: 8S", "Foundations: 8H")
    assert seen(first, second, third).verdict == "legal"


def test_a_card_seen_later_was_not_drawn_before() -> None:
    # The only nine that could have been drawn is drawn later, in sight.
    first = ONE_NINE.format("2H")
    second = ONE_NINE.format("8S").replace("7S 8S", "7S")
    third = second.replace("Foundations: 8S", "Foundations: 9C")
    audit = seen(first, second, third)
    assert audit.steps[0].verdict == "illegal"


def test_stock_counts_add_up() -> None:
    # Three draws are needed at least, the stock had two.
    first = "Talon: 2\nFoundations: 2H\n9S\n5S\nKD\n"
    second, third = "Foundations: 9S\n5S\nKD\n", "Foundations: 5S\nKD\n"
    assert seen(first, second, third).verdict == "legal"
    audit = seen(first, second, third, "Foundations: KD\n:\n")
    assert [step.verdict for step in audit.steps] == ["legal", "legal", "illegal"]
    assert audit.steps[2].faults[0].rule in ("stock-empty", "wrong-rank")


def test_a_queen_that_may_lie_on_a_king() -> None:
    before = "Talon: 9\nFoundations: QH\n2C JD\n3S 7C\n"
    after = "Talon: 9\nFoundations: JD\n2C\n3S 7C\n"
    (verdict,) = seen(before, after, rules="queen-only", counts=True).steps
    assert verdict.verdict == "legal"
    assert "if the QH does not lie on a king" in verdict.why
    assert [(ask.place.table, ask.place.column, ask.place.row) for ask in verdict.ask] == [(0, None, -1)]
    # The card under her is seen: no doubt.
    for under, words in (("KS QH", "if the QH was drawn"), ("JS QH", "1 play explains it")):
        (verdict,) = seen(before.replace("QH", under), after, rules="queen-only", counts=True).steps
        assert verdict.verdict == "legal"
        assert words in verdict.why
        assert not verdict.ask
    # Other rules ask nothing.
    (verdict,) = seen(before, after, rules="queen-on-king", counts=True).steps
    assert verdict.why == "1 play explains it"
