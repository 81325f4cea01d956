"""The fewest draws between two tables too big for sweeps, against all orders of few cards."""

from __future__ import annotations

import random
from functools import cache

import pytest

from bench.check import step
from companion.engine.audit import Table, audit_tables
from companion.engine.audit.bundles import Bundles
from companion.engine.audit.frontier import Undecided
from companion.engine.audit.step import Comparison, History
from companion.engine.audit.task import DRAW, Last, Task
from companion.engine.tops import JOKER, NONE, TOPS, steps
from companion.game import Position, Rules, full_deck

RULES = ["strict", "queen-on-king", "queen-only", "putt-putt", "queen-only,wrap=yes", "jokers", "free-start"]


@pytest.mark.parametrize("name", RULES)
def test_the_fewest_breaks(name: str) -> None:
    pick = random.Random(name)
    for number in range(40):
        task = some_task(Rules.parse(name), pick)
        bundles = Bundles(task, wrong=False)
        fewest = least(task, bundles.ends[0])
        if fewest > 40:
            # The last moves can't follow each other.
            assert bundles.least(40) is None, number
            continue
        assert bundles.least(40) == fewest, number
        assert bundles.least(fewest) == fewest, number
        assert bundles.least(fewest - 1) is None, number


def some_task(rules: Rules, pick: random.Random) -> Task:
    """Few ranks, so that cards are soon alone, or equal to others."""
    ranks = pick.sample(range(13), pick.choice([3, 5, 13]))
    if pick.random() < 0.5:
        ranks = list(range(ranks[0] % 9, ranks[0] % 9 + 4))
    kinds = [*ranks, *[JOKER] * (rules.jokers and pick.random() < 0.3)]
    columns = tuple(
        tuple((pick.choice(kinds),) for _ in range(pick.randrange(1, 4))) for _ in range(pick.randrange(1, 5))
    )
    last = [Last(pick.choice([0, DRAW]), (pick.choice(ranks),)) for _ in range(pick.choice([0, 1, 1, 2]))]
    start = 1 << NONE if rules.start == "free" else 1 << pick.randrange(13)
    return Task(
        steps(rules), columns, start, (4,) * 14, tuple(last), under=((),) * len(columns), idle=((3,),)
    )


def least(task: Task, ends: list[int]) -> int:
    """The fewest breaks, by trying every order of the cards."""

    @cache
    def rest(heights: tuple[int, ...], top: int) -> int:
        if not any(heights):
            # By one break more any other top is had.
            return min(ends[top], min(ends) + 1)
        found = 99
        for i, height in enumerate(heights):
            if height:
                below = (*heights[:i], height - 1, *heights[i + 1 :])
                for edge in (e for kind in task.columns[i][height - 1] for e in task.steps.plays[kind]):
                    broken = not edge.sources >> top & 1
                    found = min(found, broken + rest(below, edge.result))
        return found

    return min(rest(task.heights, top) for top in range(TOPS) if task.start >> top & 1)


def test_a_counted_claim_of_double_golf_is_refuted() -> None:
    """Fourteen draws can't have been all; to know that once took too long."""
    before, after = step(Rules.parse("double"), "counted", 2)
    verdict = audit_tables([before, after]).steps[0]
    assert (verdict.verdict, verdict.remedy is not None) == ("illegal", True)
    assert sum(move.column is None for move in verdict.moves) == 14


def test_it_stops_after_so_many_plays() -> None:
    before, after = step(Rules.parse("double"), "cleared", 1)
    question = Comparison(before, after, History()).finding.question
    assert question is not None
    task, _ = next(question.tasks())
    with pytest.raises(Undecided):
        Bundles(task, wrong=False).least(40, 10_000)


def test_more_cells_than_bits() -> None:
    """Twenty columns of five take 60 bits, too many for a key: the cards that left were mixed up."""
    rules = Rules.parse("double,columns=20,depth=5")
    deck = sorted(full_deck(rules), key=lambda card: (card.suit or "", card.rank or 0))
    start = Position.deal(rules, deck).hidden()
    last = start.columns[0][0]
    end = Position(rules, ((),) * 20, (last,), None, start.stock_count)
    verdict = audit_tables([Table.of(start), Table.of(end, count_known=False)]).steps[0]
    assert verdict.verdict in ("legal", "illegal"), verdict.why
