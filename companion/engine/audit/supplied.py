"""From cards played one after the other, with breaks, to moves: which cards are drawn, and is it right?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from companion.engine.audit.bundles import NEVER, Bundles, Played
from companion.engine.audit.task import DRAW, Step, Task, bits, filled

TRIES: Final = 40
"""Ways that are looked at for one that draws no card more often than it exists."""
BEAM: Final = 300
"""Vectors of heights that go on from each number of cards where many rules were broken."""


def moves(bundles: Bundles, faults: int = 0) -> tuple[Step, ...] | None:
    """The moves of a way that `Bundles.least` found, so many of them wrong at most; None where none of those
    looked at is right."""
    for number in range(TRIES):
        found = _moves(bundles, *bundles.way(number), faults)
        if found is not None:
            return found
    return None


def _moves(bundles: Bundles, way: Sequence[Played], wanted: int, faults: int) -> tuple[Step, ...] | None:
    """The moves of one way: at its breaks cards are drawn, or rules broken where there are too few."""
    task = bundles.task
    wished = wanted if not way else 0 if way[0].broken else way[0].sources
    first = max(bits(task.start), key=lambda top: wished >> top & 1)
    apart = not wanted >> (way[-1].top if way else first) & 1
    masks = [move.sources for move in way if move.broken] + [wanted] * apart
    drawn = sum(last.column == DRAW for last in task.last)
    cards = _cards(task, masks, max(0, task.most - drawn))
    if cards.count(None) > faults:
        return None
    steps = []
    for move in way:
        card = cards.pop(0) if move.broken else None
        if card is not None:
            steps.append(card)
        steps.append(Step(move.column, move.kind, move.top, move.broken and card is None))
    steps += [card for card in cards if card is not None]
    last = _last(bundles, steps[-1].top if steps else first)
    if last is None:
        return None
    found = _judged(task, first, (*steps, *last)) if faults else (*steps, *last)
    if sum(step.fault for step in found) > faults:
        return None
    return found if right(task, first, found) else None


def _judged(task: Task, top: int, way: tuple[Step, ...]) -> tuple[Step, ...]:
    """The way; its draws break a rule where they do."""
    heights, own = list(task.heights), len(way) - len(task.last)
    steps = []
    for step in way[:own]:
        if step.column == DRAW:
            playable = task.playable_at(tuple(heights)) if task.when_stuck else 0
            over = task.over() and not any(heights)
            step = replace(step, fault=over or not task.may_draw(top, playable))
        else:
            heights[step.column] -= 1
        steps.append(step)
        top = step.top
    return (*steps, *way[own:])


def broken(task: Task, lowest: int, highest: int) -> tuple[Step, ...] | None:
    """A way within bounds that breaks rules as often as it takes, seldom if that is soon found."""
    task = replace(task, most=min(task.most, highest))
    drawn = sum(last.column == DRAW for last in task.last)
    if drawn > highest:
        return None
    bundles = Bundles(task, wrong=True)
    if bundles.least(NEVER - 1, 0, BEAM) is None:
        return None
    way = moves(bundles, NEVER)
    return None if way is None else filled(task, way, lowest)


def _cards(task: Task, masks: Sequence[int], most: int) -> list[Step | None]:
    """For each break a card to be drawn that becomes one of so many tops, none more often than there are, and
    for as many breaks as can be; None for the others."""
    given: list[Step | None] = [None] * len(masks)
    holders: dict[int, list[int]] = {kind: [] for kind, _ in task.drawable}

    def give(number: int, tried: set[int]) -> bool:
        for kind, top in task.drawable:
            if not masks[number] >> top & 1 or kind in tried:
                continue
            tried.add(kind)
            if len(holders[kind]) < task.supply[kind]:
                holders[kind].append(number)
                given[number] = Step(DRAW, kind, top)
                return True
            for at, other in enumerate(holders[kind]):
                if give(other, tried):
                    holders[kind][at] = number
                    given[number] = Step(DRAW, kind, top)
                    return True
        return False

    # A wrong move that is as good as another is the last one: it is soonest put right.
    for number in range(len(masks)):
        most -= most > 0 and give(number, set())
    return given


def _last(bundles: Bundles, top: int) -> tuple[Step, ...] | None:
    """The last moves from a top, with the fewest breaks."""
    task, wrong = bundles.task, bundles.wrong
    steps: list[Step] = []
    for number in range(len(task.last)):
        after = bundles.ends[number + 1]
        options = list(task.last_moves(number, top, wrong))
        if not options:
            return None
        step = min(options, key=lambda step: after[step.top] + (step.column == DRAW) + step.fault)
        steps.append(step)
        top = step.top
    return tuple(steps)


def right(task: Task, top: int, way: Sequence[Step]) -> bool:
    """Whether moves lead from the table before to the one after, just as they say."""
    heights, used = list(task.heights), Counter[int]()
    first = len(way) - len(task.last)
    for number, step in enumerate(way):
        if number >= first:
            counted = step.column == DRAW and len(task.last[number - first].kinds) > 1
            allowed: Iterator[Step] = task.last_moves(number - first, top, step.fault)
        elif step.column == DRAW:
            counted = True
            playable = task.playable_at(tuple(heights)) if task.when_stuck else 0
            over = task.over() and not any(heights)
            fault = over or not task.may_draw(top, playable)
            allowed = (Step(DRAW, kind, drawn, fault) for kind, drawn in task.drawable)
        else:
            counted = False
            height = heights[step.column]
            if not height:
                return False
            allowed = task.plays(step.column, task.columns[step.column][height - 1], top, step.fault)
            heights[step.column] -= 1
        if step not in allowed:
            return False
        used[step.kind] += counted
        top = step.top
    return not any(heights) and all(count <= task.supply[kind] for kind, count in used.items())


__all__ = ["broken", "moves", "right"]
