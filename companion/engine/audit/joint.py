"""Whether several steps can have happened one after the other with the cards there are.

Each step alone may be legal, and yet all together draw some rank more often than it exists.  Cards that one
step drew in vain are not told apart from those of another: such steps are taken for possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.engine.audit.frontier import Frontier, Space, Undecided
from companion.engine.audit.labels import drawn
from companion.engine.audit.least import Bound
from companion.engine.audit.spaces import Narrow, Wide
from companion.engine.audit.task import Task
from companion.engine.audit.ways import Draws, Question
from companion.engine.board import kind
from companion.engine.lattice import LIMIT, size
from companion.engine.tops import KINDS
from companion.game import Card

LABELS: Final = 500_000
"""Labels looked at for one step; where more are needed nobody is accused."""


def possible(steps: Sequence[tuple[Question, Draws]], pool: Counter[Card], most: int) -> bool:
    """Whether ways that answer all questions, in order, can share one supply; True if that can't be told.

    steps: each with the draws it can have; pool: the cards that no table shows; most: the draws of all steps
    together.
    """
    counts = Counter(kind(card) for card in pool.elements())
    supply = tuple(counts[k] for k in range(KINDS))
    try:
        return _possible(steps, supply, most)
    except Undecided:
        return True


def _possible(steps: Sequence[tuple[Question, Draws]], supply: tuple[int, ...], most: int) -> bool:
    used = np.zeros(1, np.uint64)
    for question, draws in steps:
        # Of a step whose draws aren't counted no more is known than of all together.
        lowest, highest = (draws.lowest, draws.highest) if draws.lowest == draws.highest else (0, most)
        ends = []
        for task, _ in question.tasks():
            if any(task.heights) or task.last:
                search = Frontier(_space(replace(task, supply=supply)), 0, lowest)
                ends.append(search.used(used, highest, LABELS))
            elif lowest == 0:
                ends.append(used)
        used = np.unique(np.concatenate(ends)) if ends else used[:0]
        used = used[sum(drawn(used, k) for k in range(KINDS)) <= most]
        if not len(used):
            return False
    return True


def _space(task: Task) -> Space:
    if size(task.heights) > LIMIT:
        return Wide(task)
    return Narrow(task, [Bound.of(task, 1, (0,) * KINDS)], 0)


__all__ = ["possible"]
