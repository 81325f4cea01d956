"""The least a way to the end costs from every state, at a price for each kind of card that is drawn.

It is taken that every rank can be drawn for ever.  Where a rank is scarce that is too hopeful; a higher
price on it shows how much, without following how often it was drawn: if the cheapest way costs more than
all the cards there are, at these prices, there is no way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from companion.engine.audit.task import DRAW, Step, Task, bits
from companion.engine.audit.walk import Walk, Worths
from companion.engine.tops import KINDS

NEVER: Final = 30_000
"""The cost where the end is out of reach."""
SCALE: Final = 8
"""The price of a card that is not scarce; more makes finer prices."""
ROUNDS: Final = 5
"""How often prices are changed at most."""


class Least(Walk):
    """Least costs of a task.

    prices: of a draw of each kind, (KINDS,); last: of a draw in `task.last`.
    """

    kind: Any = np.uint16
    none: ClassVar[int] = NEVER
    better: Any = np.minimum

    def __init__(self, task: Task, prices: tuple[int, ...], last: int) -> None:
        super().__init__(task)
        self.prices, self.last = prices, last
        self._offers: dict[int, int] = {}
        for kind, top in task.drawable:
            self._offers[top] = min(self._offers.get(top, NEVER), prices[kind])

    def start(self, faults: int = 0) -> int:
        """The least cost of the whole way."""
        return min((int(self.table(faults)[top, -1]) for top in bits(self.task.start)), default=NEVER)

    def cheapest(self, faults: int = 0) -> list[int] | None:
        """How many cards of each kind the cheapest way draws before the last moves; None: there is none."""
        task, table = self.task, self.table
        cell, used = task.grid.cells - 1, [0] * KINDS
        top = min(bits(task.start), key=lambda top: int(table(faults)[top, cell]))
        if int(table(faults)[top, cell]) >= NEVER:
            return None
        while True:
            left = int(table(faults)[top, cell])
            if cell == 0 and self.goal(faults)[0][top] == left:
                return used
            step = self._cheap_step(cell, top, left, faults)
            top, faults = step.top, faults - step.fault
            if step.column == DRAW:
                used[step.kind] += 1
            else:
                cell = int(task.grid.below[step.column, cell])

    def _cheap_step(self, cell: int, top: int, left: int, faults: int) -> Step:
        task = self.task
        for column, cards in enumerate(task.columns):
            if height := int(task.grid.digits[column, cell]):
                below = int(task.grid.below[column, cell])
                for step in task.plays(column, cards[height - 1], top, faults > 0):
                    if int(self.table(faults - step.fault)[step.top, below]) == left:
                        return step
        fault = task.draw_is_wrong(top, cell)
        for kind, drawn in task.drawable:
            if int(self.table(faults - fault)[drawn, cell]) + self.prices[kind] == left:
                return Step(DRAW, kind, drawn, fault)
        raise AssertionError("the costs lead nowhere")

    def _end(self) -> int:
        return 0

    def _before_last(self, after: int, kind: int) -> int:
        return min(NEVER, after + self.last)

    def _drawn(self, part: Worths) -> Worths:
        came = np.full(part.shape[1], NEVER, np.uint16)
        for top, price in self._offers.items():
            np.minimum(came, part[top] + np.uint16(price), out=came)
        return np.minimum(came, NEVER).astype(np.uint16)


@dataclass(frozen=True)
class Bound:
    """Prices that make scarce cards dearer: no way costs more than the cards there are are worth.

    scale: what every card costs; extra: what a card of each kind costs more, (KINDS,).
    """

    least: Least
    scale: int
    extra: tuple[int, ...]

    @classmethod
    def of(cls, task: Task, scale: int, extra: tuple[int, ...]) -> Bound:
        return cls(Least(task, tuple(scale + more for more in extra), scale), scale, extra)

    def budget(self, draws: int) -> int:
        """What a way with so many draws may cost."""
        return self.scale * draws + self._spared

    @cached_property
    def _spared(self) -> int:
        """What all cards there are cost more."""
        return sum(more * had for more, had in zip(self.extra, self.least.task.supply, strict=True))

    def least_draws(self, faults: int) -> int:
        """No way has fewer draws."""
        cost = self.least.start(faults)
        return NEVER if cost >= NEVER else max(0, -((self.budget(0) - cost) // self.scale))


def tightened(plain: Bound, faults: int, highest: int) -> Bound:
    """The bound at whose prices the cards there are suffice least, or don't for `highest` draws.

    plain: the one at whose prices every card costs the same.
    """
    task, extra = plain.least.task, [0] * KINDS
    bound, best = plain, plain
    most = SCALE * plain.least.start(faults)
    for number in range(ROUNDS):
        used = bound.least.cheapest(faults)
        if used is None:
            break
        short = [count - had for count, had in zip(used, task.supply, strict=True)]
        if not any(more > 0 or (more < 0 and dear) for more, dear in zip(short, extra, strict=True)):
            break
        step = max(1, 6 >> number // 2)
        extra = [max(0, dear + step * more) for dear, more in zip(extra, short, strict=True)]
        bound = Bound.of(task, SCALE, tuple(extra))
        over = bound.least.start(faults) - bound.budget(0)
        if over > most:
            most, best = over, bound
            if bound.least_draws(faults) > highest:
                break
    return best
