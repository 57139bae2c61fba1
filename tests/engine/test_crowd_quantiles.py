"""The ends of intervals of quantiles in bins, against a search over all places."""

import numpy as np
import pytest

from rr_engine.crowd.intervals import Evidence
from rr_engine.crowd.quantile import _accepted

FACTOR = 1.96


def evidence(curve, errors, correlation, rng):
    """Simulated curves whose deviations have exactly these errors at the boundaries."""
    size = len(curve)
    covariance = np.full((size, size), correlation) * np.outer(errors, errors)
    np.fill_diagonal(covariance, np.square(errors))
    draws = rng.standard_normal((400, size))
    draws -= draws.mean(axis=0)
    whitened = draws @ np.linalg.inv(np.linalg.cholesky(draws.T @ draws / len(draws))).T
    roots = np.linalg.cholesky(covariance + 1e-12 * np.eye(size))
    return Evidence(np.array(curve), np.zeros(size), whitened @ roots.T)


def searched(found, places):
    """Where the line is within its own standard errors of zero."""
    at = np.arange(len(found.unbiased))
    # How much of the height at each boundary is in that of the line at a place.
    parts = np.stack([np.interp(places, at, one) for one in np.eye(len(at))])
    squares = found.simulated.T @ found.simulated / len(found.simulated)
    errors = np.sqrt((parts * (squares @ parts)).sum(axis=0))
    near = np.abs(np.interp(places, at, found.unbiased)) <= FACTOR * errors
    return places[near][[0, -1]]


@pytest.mark.parametrize("correlation", [0.0, 0.6])
@pytest.mark.parametrize(
    ("curve", "errors"),
    [
        ([-0.5, -0.1, 0.2, 0.5], [0.001, 0.05, 0.05, 0.001]),
        ([-0.5, -0.4, 0.4, 0.5], [0.001, 0.08, 0.08, 0.001]),
        # A cell below zero: the line falls before it rises.
        ([-0.5, -0.02, -0.06, 0.5], [0.01, 0.05, 0.05, 0.01]),
        # Next to nothing is known.
        ([-0.3, 0.1, 0.0, 0.3], [0.4, 0.4, 0.4, 0.4]),
    ],
)
def test_the_ends_are_those_of_a_search(curve, errors, correlation):
    found = evidence(curve, errors, correlation, np.random.default_rng(4))
    places = np.linspace(0, len(curve) - 1, 60_001)
    ends = _accepted(found, FACTOR)
    assert [ends.min(), ends.max()] == pytest.approx(searched(found, places).tolist(), abs=1e-4)


def test_within_a_bin_the_interval_is_narrower_than_between_those_of_its_ends():
    """Halfway two independent errors are 0.71 of one."""
    found = evidence(
        [-0.5, -0.4, 0.4, 0.5], [0.001, 0.08, 0.08, 0.001], 0.0, np.random.default_rng(4)
    )
    ends = _accepted(found, FACTOR)
    at_the_ends = 2 * FACTOR * 0.08 / 0.8
    assert ends.max() - ends.min() == pytest.approx(at_the_ends / 2**0.5, rel=0.05)
