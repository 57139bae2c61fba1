"""Fits end at the highest maximum, and a ratio of likelihoods that cannot be is an error."""

from dataclasses import replace

import numpy as np
import pytest

from rr_engine import RRLogit, warner
from rr_engine.designs import mangat
from rr_engine.errors import ArgumentError
from rr_engine.models import LieDetectorLogit, compare_models, likelihood_ratio_test
from rr_engine.regression.engine.newton import maxima_from, wide_points
from tests.engine import global_maxima

pytestmark = pytest.mark.slow

LIARS = LieDetectorLogit([mangat(1 / 6), mangat(5 / 6)])


@pytest.mark.parametrize("name", global_maxima.MODELS)
def test_no_search_finds_a_higher_maximum(name):
    # 1,000 surveys: `python -m tests.engine.global_maxima`; docs/methods/regression.md.
    found = global_maxima.compare(name, 2, starts=4)
    assert found["surveys"] + found["refused"] == 2
    assert found["lower"] == 0, found


@pytest.mark.parametrize(
    ("name", "place", "before"),
    [("attention", 0, -186.895), ("cheaters among followers", 3, -225.075)],
)
def test_fits_are_higher_than_where_a_few_starts_ended(name, place, before):
    # Where the search over shares alone stopped, converged and without a note.
    rng = np.random.default_rng([global_maxima.SEED, *name.encode()])
    found = [global_maxima.MODELS[name](rng) for _ in range(place + 1)][-1]
    best, _ = global_maxima.highest(found, np.random.default_rng(1), 12)
    assert found.value == pytest.approx(best, abs=1e-3)
    assert found.value > before + 0.1


def test_maxima_are_different_ones_and_the_highest_comes_first():
    def two_hills(theta):
        """Maxima of 0 at -2 and of 1 at 2, or near them."""
        x = theta[0]
        value = -((x**2 - 4) ** 2) / 16 + x / 4 + 0.5
        slope = -(x**2 - 4) * x / 4 + 0.25
        return value, np.array([slope]), np.array([[(3 * x**2 - 4) / 4]])

    starts = [np.array([start]) for start in (-3.0, -1.0, 1.0, 3.0)]
    found = maxima_from(two_hills, starts)
    assert [round(each.theta[0]) for each in found] == [2, -2]
    assert found[0].value > found[1].value
    assert all(each.converged for each in found)
    points = wide_points(np.array([1.0, 2.0]), 30)
    assert len({point.tobytes() for point in points}) == 30
    assert np.array_equal(points, wide_points(np.array([1.0, 2.0]), 30))


def test_a_model_below_one_within_it_is_an_error_and_no_ratio_of_zero():
    rng = np.random.default_rng(3)
    x, which = rng.normal(size=200), np.arange(200) % 2
    yes = (rng.random(200) < np.where(which == 0, 0.7, 0.4)).astype(int)
    fit = LIARS.fit(x, yes, which=which)
    assert fit.likelihood_ratio(["x1"]).statistic >= 0
    lower = replace(fit, log_likelihood=fit.log_likelihood - 30)
    for test in (lower.absence_test, lambda: lower.likelihood_ratio(["x1"])):
        with pytest.raises(ArgumentError, match="fit must be at its highest maximum") as error:
            test()
        assert error.value.code == "not_highest"
    coin = RRLogit(warner(0.8))
    larger, smaller = coin.fit(x, yes), coin.fit(None, yes)
    larger = replace(larger, log_likelihood=smaller.log_likelihood - 1)
    for test in (
        lambda: likelihood_ratio_test(larger, smaller),
        lambda: compare_models([smaller, larger]),
    ):
        with pytest.raises(ArgumentError, match="reaches") as error:
            test()
        assert error.value.code == "not_highest"
