"""Intervals of a distance whose noise is known exactly."""

import numpy as np
import pytest
from scipy.stats import ncx2

from rr_engine.association.distance import Distance

LIMIT, RANKS = 1.0, (np.arange(100) + 0.5) / 100


def known_distance(found: float, unit: float, freedom: int) -> Distance:
    """A sum of `freedom` squares, each with the variance `unit`."""

    def noise(true: float) -> tuple[float, float]:
        return unit * freedom, 2 * unit**2 * freedom + 4 * unit * true

    return Distance(found, noise, LIMIT, lambda true: true)


def coverage(true: float, unit: float, freedom: int) -> float:
    """The share of evenly spaced quantiles of the estimate whose interval holds the true value."""
    founds = unit * ncx2.ppf(RANKS, freedom, true / unit)
    ends = [known_distance(found, unit, freedom).interval(0.05) for found in founds]
    return np.mean([low <= true + 1e-12 and true - 1e-12 <= high for low, high in ends])


@pytest.mark.parametrize("freedom", [1, 4])
@pytest.mark.parametrize("true", [0.0, 0.005, 0.015, 0.6])
def test_it_covers_as_often_as_it_says(true, freedom):
    # Within a step of the quantiles at either end. 0.97 to 0.98 at 0.015 where too small an
    # estimate, which never is rejected there, had its share of alpha all the same.
    assert coverage(true, 0.01, freedom) == pytest.approx(0.95, abs=0.0101)


@pytest.mark.parametrize("true", [0.97, 1.0])
def test_it_covers_as_often_near_the_largest_distance(true):
    assert coverage(true, 0.002, 4) == pytest.approx(0.95, abs=0.0101)


def test_it_never_is_empty_and_ends_within_the_range():
    for found in (0.0, 1e-6, 0.04, 0.5, 1.0, 1.4, 50.0):
        low, high = known_distance(found, 0.01, 4).interval(0.05)
        assert 0 <= low < high <= LIMIT
