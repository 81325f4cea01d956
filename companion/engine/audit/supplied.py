"""From cards played one after the other, with breaks, to moves: which cards are drawn, and is it right?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.engine.audit.bundles import Bundles, Played
from companion.engine.audit.task import DRAW, Step, Task, bits

TRIES: Final = 40
"""Ways that are looked at for one that draws no card more often than it exists."""


def moves(bundles: Bundles) -> tuple[Step, ...] | None:
    """The moves of a way that `Bundles.least` found; None where none of those looked at is right."""
    for number in range(TRIES):
        found = _moves(bundles, *bundles.way(number))
        if found is not None:
            return found
    return None


def _moves(bundles: Bundles, way: Sequence[Played], wanted: int) -> tuple[Step, ...] | None:
    """The moves of one way."""
    task = bundles.task
    wished = wanted if not way else 0 if way[0].broken else way[0].sources
    first = max(bits(task.start), key=lambda top: wished >> top & 1)
    apart = not wanted >> (way[-1].top if way else first) & 1
    if bundles.wrong:
        steps = [Step(move.column, move.kind, move.top, move.broken) for move in way]
    else:
        masks = [move.sources for move in way if move.broken] + [wanted] * apart
        cards = _cards(task, masks)
        if cards is None:
            return None
        steps = []
        for move in way:
            if move.broken:
                steps.append(cards.pop(0))
            steps.append(Step(move.column, move.kind, move.top))
        steps += cards
    last = _last(bundles, steps[-1].top if steps else first)
    found = None if last is None else (*steps, *last)
    return found if found is not None and right(task, first, found) else None


def _cards(task: Task, masks: Sequence[int]) -> list[Step] | None:
    """For each draw a card that becomes one of so many tops, none more often than there are; None if there
    aren't enough."""
    given: list[tuple[int, int]] = []
    holders: dict[int, list[int]] = {kind: [] for kind, _ in task.drawable}

    def give(number: int, tried: set[int]) -> bool:
        for kind, top in task.drawable:
            if not masks[number] >> top & 1 or kind in tried:
                continue
            tried.add(kind)
            if len(holders[kind]) < task.supply[kind]:
                holders[kind].append(number)
                given[number] = kind, top
                return True
            for at, other in enumerate(holders[kind]):
                if give(other, tried):
                    holders[kind][at] = number
                    given[number] = kind, top
                    return True
        return False

    for number in range(len(masks)):
        given.append((0, 0))
        if not give(number, set()):
            return None
    return [Step(DRAW, kind, top) for kind, top in given]


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


__all__ = ["moves", "right"]
