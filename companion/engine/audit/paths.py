"""The way from one table to the next that draws the fewest cards, and none more often than it exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.engine.audit.costs import Costs, Stages
from companion.engine.audit.deep import LIMIT, Undecided, search
from companion.engine.audit.prices import NEVER, Prices
from companion.engine.audit.task import DRAW, Step, Task, bits, padded
from companion.engine.tops import KINDS

FIRST_TRY: Final = 1_000
"""States a search looks at before scarce cards are given a price."""
SECOND_TRIES: Final = (1_500, 1_500, 3_000, 3_000)
"""The same after that; a search that is unlucky in one order is often lucky in another."""
TOTAL: Final = 40_000
"""The same for all tries together, after which no further one is begun."""
GLANCE: Final = 8_000
"""States looked at for a proof that no number of draws will do."""
ROUNDS: Final = 10
"""How often prices are changed at most."""
SCALE: Final = 8
"""The price of a card that is not scarce; more makes finer prices."""


@dataclass(frozen=True)
class Bound:
    """Prices that make scarce cards dearer: a way can't cost more than the cards there are are worth.

    extra: what a card of each kind costs more than `SCALE`.
    """

    prices: Prices
    extra: tuple[int, ...]

    def budget(self, draws: int) -> int:
        """What a way with so many draws may cost."""
        supply = self.prices.task.supply
        return SCALE * draws + sum(more * count for more, count in zip(self.extra, supply, strict=True))

    def least_draws(self, faults: int) -> int:
        """No way has fewer draws."""
        over = self.prices.start(faults) - self.budget(0)
        return NEVER if self.prices.start(faults) >= NEVER else max(0, -(-over // SCALE))


class Paths:
    """The ways of a task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._plain = Prices(task, (1,) * KINDS, 1)
        self._counts = Costs(task, task.most) if task.when_stuck else None
        self._bounds: dict[int, Bound] = {}
        self.looked_at = 0
        """States that searches looked at."""

    def fewest(self, lowest: int, highest: int, faults: int = 0) -> tuple[Step, ...] | None:
        """A way with as few draws as possible, within bounds, that breaks rules at most `faults` times.

        Raises `Undecided`.
        """
        highest = min(highest, self.task.most)
        if self.task.stock is not None:
            return self._known(lowest, highest, faults)
        options = list(self._possible(lowest, highest, faults))
        try:
            way = self._rising(options, lowest, faults, (FIRST_TRY,) * 3)
        except Undecided:
            if faults:
                # Where a rule is broken once more the next number of faults is soon found.
                raise
            self._tighten(faults)
            options = [draws for draws in options if draws >= self._bounds[faults].least_draws(faults)]
            if options and self._refuted(options[-1], lowest, faults):
                return None
            way = self._rising(options, lowest, faults, (*SECOND_TRIES, LIMIT))
        if way is None or self.task.when_stuck:
            return way
        return padded(self.task, way, lowest)

    def _refuted(self, most: int, lowest: int, faults: int) -> bool:
        """Whether it is quickly proved that there is no way at all; at will more draws never hinder."""
        if self.task.when_stuck:
            return False
        try:
            return self._search(most, faults, lowest > 0, GLANCE) is None
        except Undecided:
            return False

    def _rising(
        self, options: list[int], lowest: int, faults: int, limits: tuple[int, ...]
    ) -> tuple[Step, ...] | None:
        """The way with the fewest draws.  Raises `Undecided` when every limit was met."""
        for draws in options:
            for order, limit in enumerate(limits):
                try:
                    way = self._search(draws, faults, lowest > 0, limit, order)
                except Undecided:
                    if order == len(limits) - 1 or self.looked_at > TOTAL:
                        raise
                    continue
                if way is not None:
                    return way
                break
        return None

    def _possible(self, lowest: int, highest: int, faults: int) -> Iterator[int]:
        """The numbers of draws that may do, rising."""
        if self._counts is not None:
            yield from (draws for draws in bits(self._counts.start(faults)) if lowest <= draws <= highest)
        else:
            yield from range(max(self._plain.start(faults), min(lowest, 1)), highest + 1)

    def _search(
        self, draws: int, faults: int, need: bool, limit: int, order: int = 0
    ) -> tuple[Step, ...] | None:
        bound = self._bounds.get(faults)
        tables = [self._plain.table(f) for f in range(faults + 1)]
        prices = None if bound is None else [bound.prices.table(f) for f in range(faults + 1)]
        way, looked_at = search(
            self.task,
            draws,
            faults,
            need=need,
            limit=limit,
            least=tables,
            counts=None if self._counts is None else [self._counts.table(f) for f in range(faults + 1)],
            prices=prices,
            extra=bound.extra if bound else (0,) * KINDS,
            scale=SCALE,
            budget=bound.budget(draws) if bound else 0,
            order=order,
        )
        self.looked_at += looked_at
        if looked_at > limit:
            raise Undecided
        return way

    def _tighten(self, faults: int) -> None:
        """Finds the prices at which the cards there are suffice least."""
        task = self.task
        extra = [0] * KINDS
        best = None
        for number in range(ROUNDS):
            bound = Bound(Prices(task, tuple(SCALE + more for more in extra), SCALE), tuple(extra))
            if best is None or bound.prices.start(faults) - bound.budget(0) > best.prices.start(
                faults
            ) - best.budget(0):
                best = bound
            used = bound.prices.cheapest(faults)
            if used is None:
                break
            over = [count - had for count, had in zip(used, task.supply, strict=True)]
            if not any(more > 0 or (more < 0 and dear) for more, dear in zip(over, extra, strict=True)):
                break
            step = max(1, 6 >> number // 2)
            extra = [max(0, dear + step * more) for dear, more in zip(extra, over, strict=True)]
        assert best is not None
        self._bounds[faults] = best

    def _known(self, lowest: int, highest: int, faults: int) -> tuple[Step, ...] | None:
        """The same where the order of the stock is known; the table of stages is exact and leads straight."""
        found = None
        while lowest <= highest:
            middle = (lowest + highest) // 2 if found else highest
            stages = Stages(self.task, (2 << middle) - (1 << lowest))
            if stages.start(faults) & 1:
                found = stages.way(faults)
                highest = _draws(found) - 1
            elif found:
                lowest = middle + 1
            else:
                return None
        return found


def _draws(way: tuple[Step, ...]) -> int:
    return sum(step.column == DRAW for step in way)


__all__ = ["Paths", "Undecided"]
