"""Who gets what, each thing at most once: the best choice, and how sure each choice is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .types import FloatArray


def cheapest(costs: FloatArray) -> NDArray[np.intp]:
    """For each of n rows its column of m >= n, each column at most once, so that the sum is least.

    Shortest augmenting paths (Jonker and Volgenant), O(n^2 m).  `costs` (n, m) must be finite.
    """
    n, m = costs.shape
    if m < n:
        raise ValueError(f"{n} rows can't each have a column of their own: {costs.shape!r}")
    if not np.isfinite(costs).all():
        raise ValueError("every cost must be finite")
    row_of, column_of = np.full(m, -1), np.full(n, -1)
    prices = np.zeros(m)
    paid = np.zeros(n)
    for start in range(n):
        distance, before = np.full(m, np.inf), np.full(m, -1)
        done = np.zeros(m, bool)
        row, low, last = start, 0.0, -1
        while True:
            through = low + costs[row] - paid[row] - prices
            shorter = ~done & (through < distance)
            distance[shorter], before[shorter] = through[shorter], row
            open_distance = np.where(done, np.inf, distance)
            last = int(np.argmin(open_distance))
            low = float(open_distance[last])
            done[last] = True
            if row_of[last] < 0:
                break
            row = int(row_of[last])
        visited = done & (row_of >= 0)
        paid[start] += low
        paid[row_of[visited]] += low - distance[visited]
        prices[visited] -= low - distance[visited]
        while True:
            row = int(before[last])
            row_of[last] = row
            column_of[row], last = last, int(column_of[row])
            if row == start:
                break
    return column_of


def marginals(
    weights: FloatArray, none: FloatArray, capacity: NDArray[np.int_] | int = 1, rounds: int = 200
) -> FloatArray:
    """How probable each column is for each row, (n, m), when columns are used at most `capacity` times.

    `weights` (n, m) are likelihoods, `none` (n,) those of a row that has no column; a capacity, one for
    all or (m,), is 1 or 2.  The exact sum over all assignments is a permanent; this is its Bethe
    approximation by belief propagation, exact where rows don't compete and close to it where they do.
    """
    weights, none = np.asarray(weights, float), np.maximum(np.asarray(none, float), 1e-12)
    twice = np.broadcast_to(np.asarray(capacity) == 2, weights.shape[1:])
    free = np.ones_like(weights)
    for _ in range(rounds):
        offers = weights * free
        others = none[:, None] + offers.sum(1, keepdims=True) - offers
        wish = weights / np.maximum(others, 1e-300)
        # the odds that one, and that two, of the other rows have the column
        one = wish.sum(0, keepdims=True) - wish
        two = np.maximum(one**2 - (wish**2).sum(0, keepdims=True) + wish**2, 0.0) / 2
        heard = np.where(twice, (1 + one) / (1 + one + two), 1 / (1 + one))
        # half steps keep the messages from swinging
        change = np.sqrt(free * heard)
        if np.abs(change - free).max(initial=0.0) < 1e-9:
            break
        free = change
    offers = weights * free
    probable: FloatArray = offers / (none + offers.sum(1))[:, None]
    return probable
