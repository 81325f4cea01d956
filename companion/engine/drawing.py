"""What drawing is worth to rows of hands, for the expectation in numpy; see `companion.engine.expect`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.engine.drawn import Floats, Integers


@dataclass(slots=True)
class Stage:
    """Rows of hands with the same number of far cards drawn, one for each pair of cell and block.

    stay: what drawing is worth, of far kinds at first; best: what plays lead to, of each top that has some.
    shut: rows where a draw isn't possible on a top, or is better left.
    last: where the stock is used up, if anywhere; over: what that is worth.
    """

    stay: Floats
    best: dict[int, Floats]
    shut: dict[int, Integers]
    last: NDArray[np.bool_] | None
    over: Floats

    def near(self, kinds: list[tuple[int, ...]], steps: dict[int, list[tuple[int, int, float]]]) -> None:
        """Adds what draws of near kinds lead to, lane by lane; the stock used up, a hole is over."""
        made: dict[tuple[int, int], Floats] = {}
        for lane in reversed(range(self.stay.shape[1])):
            value = self.stay[:, lane]
            for j, after, weight in steps.get(lane, ()):
                came = made.get((j, after))
                if came is None:
                    came = made[j, after] = self._made(kinds[j], after)
                value += came if weight == 1 else came * weight
            if self.last is not None and self.last[:, lane].any():
                np.copyto(value, self.over, where=self.last[:, lane])

    def _made(self, tops: tuple[int, ...], lane: int) -> Floats:
        """What a drawn card is worth that makes one of these tops, in a lane of which drawing is known."""
        least: Floats | None = None
        for top in tops:
            found, plays = self.stay[:, lane], self.best.get(top)
            if plays is not None:
                some = self.shut.get(top)
                found = np.minimum(plays[:, lane], found)
                if some is not None:
                    if self.last is not None:
                        some = some[~self.last[some, lane]]
                    found[some] = plays[some, lane]
            least = found if least is None else np.minimum(least, found)
        assert least is not None
        return least
