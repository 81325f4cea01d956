"""What earlier and later tables tell of a step between them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.engine.audit import Audit, Table, audit_tables
from companion.formats import text
from companion.game import Draw, Play, Position, Rules, apply, can, full_deck, legal_moves, parse_cards


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
    assert audit.steps[2].faults[0].rule == "stock-empty"


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


def next_ones(position: Position) -> Iterator[tuple[Position, bool]]:
    """Every position one move on, and whether the move was right: all plays by the rules, and all draws."""
    for move in legal_moves(position):
        if isinstance(move, Play):
            yield apply(position, move), True
    if position.stock_count:
        for card in set(position.unseen):
            discard, left = (*position.discard, card), position.stock_count - 1
            yield replace(position, discard=discard, stock_count=left, drawn=True), can(position, Draw())


def followed(positions: set[Position], table: Table) -> set[Position]:
    """All positions that look like a table and follow from one of others by the rules."""
    seen, stack = set(positions), list(positions)
    while stack:
        for after, right in next_ones(stack.pop()):
            # In which order cards lie below the top is of no matter under these rules.
            below, top = after.discard[:-1], after.discard[-1]
            same = replace(after, discard=(*sorted(below), top), drawn=False)
            if right and same not in seen:
                seen.add(same)
                stack.append(same)
    heights = tuple(map(len, table.columns))
    return {
        position
        for position in seen
        if tuple(map(len, position.columns)) == heights
        and position.top == table.discard[-1].card
        and table.stock_count in (None, position.stock_count)
    }


def tables_of(rules: Rules, pick: random.Random) -> tuple[Position, list[Table]]:
    """A small table with few cards unseen, and later ones, now and then after a wrong draw; the stock counted
    on some."""
    deck = list(full_deck(rules))
    near = [card for card in deck if card.rank in (7, 8, 9, 10, 11)]
    pick.shuffle(near)
    columns = tuple(tuple(near[3 * n : 3 * n + pick.randrange(1, 4)]) for n in range(3))
    stock = pick.randrange(2, 5)
    kept = {near[9], *near[10 : 11 + stock], *sum(columns, ())}
    start = Position(rules, columns, (*(card for card in deck if card not in kept), near[9]), None, stock)
    tables, now = [Table.of(start)], start
    for _ in range(pick.randrange(2, 4)):
        for _ in range(pick.randrange(0, 4)):
            options = [after for after, right in next_ones(now) if right or pick.random() < 0.1]
            now = pick.choice(options) if options else now
        shown = replace(now, discard=now.discard[-1:], drawn=False)
        tables.append(Table.of(shown, count_known=pick.random() < 0.6))
    # Some are counted wrong, so that more or fewer cards were drawn than can have been.
    wrong = pick.randrange(1, 2 * len(tables))
    if wrong < len(tables) and (count := tables[wrong].stock_count) is not None:
        tables[wrong] = replace(tables[wrong], stock_count=max(0, count + pick.choice((-1, 1))))
    return start, tables


def judge_chains(name: str, seeds: range) -> dict[bool, int]:
    """Compares chains of tables with all that can have happened; how many were legal and how many not."""
    rules, found = Rules.parse(f"{name},columns=3,depth=3"), {True: 0, False: 0}
    for seed in seeds:
        start, tables = tables_of(rules, random.Random(seed))
        now = {start}
        for table in tables[1:]:
            now = followed(now, table)
        audit = audit_tables(tables)
        assert (audit.verdict == "legal") == bool(now), (name, seed, [step.why for step in audit.steps])
        found[bool(now)] += 1
    return found


@pytest.mark.parametrize("name", ["strict,draw=when_stuck", "putt-putt,draw=when_stuck"])
def test_chains_against_all_that_can_have_happened(name: str) -> None:
    assert min(judge_chains(name, range(12)).values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["strict", "queen-on-king", "strict,draw=when_stuck", "putt-putt,draw=when_stuck"]
)
def test_more_chains_against_all_that_can_have_happened(name: str) -> None:
    assert min(judge_chains(name, range(100, 160)).values()) > 5


def test_no_card_is_drawn_in_vain_twice() -> None:
    # Each five needs a neighbour from the stock, and of the others only the nine could be drawn before it.
    rules = Rules.parse("strict,draw=when_stuck,columns=3,depth=2")
    columns = tuple(tuple(parse_cards(line)) for line in ("KS 5S", "KH 5H", "KD"))
    unseen = set(parse_cards("4C 6C 6D 9S"))
    rest = set(full_deck(rules)) - {*sum(columns, ()), *unseen, *parse_cards("9H")}
    first = Position(rules, columns, (*rest, *parse_cards("9H")), None, 4)
    second = Position(rules, (columns[0][:1], *columns[1:]), tuple(parse_cards("5S")), None, 2)
    third = Position(rules, (columns[0][:1], columns[1][:1], columns[2]), tuple(parse_cards("5H")), None, 0)

    def verdicts(*positions: Position) -> list[str]:
        return [step.verdict for step in audit_tables([Table.of(each) for each in positions]).steps]

    assert verdicts(first, second) == ["legal"]
    assert verdicts(first, second, third) == ["legal", "illegal"]
    # Nor in other shares, where the stock was not counted between.
    uncounted = audit_tables([Table.of(first), Table.of(second, count_known=False), Table.of(third)])
    assert [step.verdict for step in uncounted.steps] == ["legal", "illegal"]
    assert uncounted.steps[1].faults[0].rule == "play-possible"
    assert verdicts(first, second, replace(third, stock_count=1)) == ["legal", "legal"]
