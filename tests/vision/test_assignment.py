"""The assignment problem and its marginals, against trying everything."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.vision.assignment import cheapest, marginals


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_cheapest_is_as_cheap_as_any(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 4))
    m = data.draw(st.integers(n, 6))
    costs = data.draw(arrays(float, (n, m), elements=st.floats(-100, 100)))
    chosen = cheapest(costs)
    assert len(set(chosen)) == n
    best = min(sum(costs[i, p[i]] for i in range(n)) for p in permutations(range(m), n))
    assert costs[np.arange(n), chosen].sum() == pytest.approx(best, abs=1e-9)


def test_cheapest_of_nothing() -> None:
    assert cheapest(np.zeros((0, 5))).tolist() == []


def test_cheapest_refuses() -> None:
    with pytest.raises(ValueError, match="3 rows"):
        cheapest(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="finite"):
        cheapest(np.array([[np.inf, 1.0]]))


def exact(weights: np.ndarray, none: np.ndarray) -> np.ndarray:
    n, m = weights.shape
    total, sums = 0.0, np.zeros_like(weights)
    for choice in product(range(-1, m), repeat=n):
        used = [c for c in choice if c >= 0]
        if len(set(used)) == len(used):
            weight = float(np.prod([none[i] if c < 0 else weights[i, c] for i, c in enumerate(choice)]))
            total += weight
            for i, c in enumerate(choice):
                if c >= 0:
                    sums[i, c] += weight
    return sums / total


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_marginals_are_close_to_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(5, 0.3), size=4)
    none = np.full(4, 0.02)
    assert np.abs(marginals(weights, none) - exact(weights, none)).max() < 0.2


def test_marginals_are_exact_without_rivals() -> None:
    weights = np.array([[0.9, 0.1, 0.0, 0.0], [0.0, 0.0, 0.3, 0.7]])
    assert marginals(weights, np.full(2, 0.01)) == pytest.approx(weights / 1.01)


def test_a_column_for_two_serves_two() -> None:
    weights, none = np.array([[1.0], [1.0], [1.0]]), np.full(3, 1e-3)
    assert marginals(weights[:2], none[:2], 2).min() > 0.99
    assert marginals(weights, none, 2).ravel() == pytest.approx([2 / 3] * 3, abs=0.1)
    assert marginals(weights[:2], none[:2], 1).ravel() == pytest.approx([0.5] * 2, abs=0.1)


def test_a_taken_name_goes_to_the_surer_row() -> None:
    belief = marginals(np.array([[0.99, 0.01], [0.6, 0.4]]), np.full(2, 1e-6))
    assert belief[0, 0] > 0.95
    assert belief[1, 1] > 0.95
