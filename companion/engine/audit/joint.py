"""Whether several steps can have happened one after the other with the cards there are.

Each step alone may be legal, and yet all together draw some rank more often than it exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.engine.audit.frontier import Frontier, Space, Undecided
from companion.engine.audit.labels import Packed
from companion.engine.audit.least import Bound
from companion.engine.audit.spaces import Narrow, Wide
from companion.engine.audit.task import Task
from companion.engine.audit.ways import Question
from companion.engine.board import kind
from companion.engine.lattice import LIMIT, size
from companion.engine.tops import KINDS
from companion.game import Card

LABELS: Final = 500_000
"""Labels looked at for one step; where more are needed nobody is accused."""


def possible(questions: Sequence[Question], pool: Counter[Card], most: int) -> bool:
    """Whether ways that answer all questions, in order, can share one supply; True if that can't be told.

    pool: the cards that no table shows; most: the draws of all steps together.
    """
    counts = Counter(kind(card) for card in pool.elements())
    supply = tuple(counts[k] for k in range(KINDS))
    used = np.zeros(1, np.uint64)
    try:
        return _possible(questions, supply, used, most)
    except Undecided:
        return True


def _possible(questions: Sequence[Question], supply: tuple[int, ...], used: Packed, most: int) -> bool:
    for question in questions:
        ends = []
        for task, _ in question.tasks():
            if any(task.heights) or task.last:
                ends.append(Frontier(_space(replace(task, supply=supply)), 0).used(used, most, LABELS))
            else:
                ends.append(used)
        used = np.unique(np.concatenate(ends)) if ends else used[:0]
        if not len(used):
            return False
    return True


def _space(task: Task) -> Space:
    if size(task.heights) > LIMIT:
        return Wide(task)
    return Narrow(task, [Bound.of(task, 1, (0,) * KINDS)], 0)


__all__ = ["possible"]
