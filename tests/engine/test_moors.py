import functools
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom, chi2

from rr_engine.compliance import moors
from rr_engine.errors import ArgumentError, CountsError
from tests.engine.engine_cases import check_moments

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("p1", "p2"), [(0.7, 0.0), (0.7, 0.3), (0.2, 0.9)])
def test_shares_and_errors_are_the_closed_form(p1, p2):
    # Greenberg et al. 1969; the variances as RRreg 0.7.6 has them (model UQTunknown, n - 1).
    counts1, counts2 = [790, 210], [430, 170]
    l1, l2 = 0.21, 170 / 600
    v1, v2 = l1 * (1 - l1) / 999, l2 * (1 - l2) / 599
    found = moors(p1, p2, counts1, counts2)
    pi = (l1 * (1 - p2) - l2 * (1 - p1)) / (p1 - p2)
    theta = (p2 * l1 - p1 * l2) / (p2 - p1)
    errors = [(1 - p2) ** 2 * v1 + (1 - p1) ** 2 * v2, p2**2 * v1 + p1**2 * v2]
    assert found.values == pytest.approx([pi, theta])
    assert found.standard_errors == pytest.approx(np.sqrt(errors) / abs(p1 - p2))
    mixed = -((1 - p2) * p2 * v1 + (1 - p1) * p1 * v2) / (p1 - p2) ** 2
    assert found.covariance[0, 1] == pytest.approx(mixed)


def outcomes(p, sizes, truth):
    shares = [chance * truth[0] + (1 - chance) * truth[1] for chance in p]
    for yes1, yes2 in product(range(sizes[0] + 1), range(sizes[1] + 1)):
        chance = binom.pmf(yes1, sizes[0], shares[0]) * binom.pmf(yes2, sizes[1], shares[1])
        yield [sizes[0] - yes1, yes1], [sizes[1] - yes2, yes2], float(chance)


def test_estimates_and_variances_are_unbiased_over_every_outcome():
    rows = outcomes((0.7, 0.2), (5, 6), (0.2, 0.6))
    cases = [(moors(0.7, 0.2, first, second), chance) for first, second, chance in rows]
    check_moments(cases, [0.2, 0.6], atol=1e-9, value=lambda found: found.values)


def negative_log_likelihood(values, p, counts):
    shares = np.clip([c * values[0] + (1 - c) * values[1] for c in p], 1e-12, 1 - 1e-12)
    seen = np.array(counts)
    return -float(seen[:, 1] @ np.log(shares) + seen[:, 0] @ np.log(1 - shares))


@pytest.mark.parametrize("counts", [([80, 20], [60, 40]), ([95, 5], [60, 40]), ([2, 98], [70, 30])])
def test_constrained_shares_and_interval_ends_agree_with_an_independent_maximisation(counts):
    p, found = (0.7, 0.1), moors(0.7, 0.1, *counts)

    def maximum(bounds):
        starts = ([0.3, 0.3], [0.1, 0.9], [0.9, 0.1])
        fits = [
            minimize(negative_log_likelihood, start, (p, counts), bounds=bounds) for start in starts
        ]
        return min(fit.fun for fit in fits)

    best = maximum([(0, 1)] * 2)
    assert negative_log_likelihood(found.maximum_likelihood, p, counts) == pytest.approx(
        best, abs=1e-5
    )
    for which, ends in enumerate(found.intervals):
        for end in ends:
            if 0 < end < 1:
                bounds = [(0, 1), (0, 1)]
                bounds[which] = (end, end)
                drop = maximum(bounds) - best
                assert drop == pytest.approx(chi2.ppf(0.95, 1) / 2, abs=1e-4)


@functools.cache
def ends_of(*counts):
    return moors(0.7, 0.1, counts[:2], counts[2:]).intervals


def test_intervals_cover():
    # Exact, over every outcome of two groups of 15 (with 25 it is 0.948 and above).
    for truth in (0.0, 0.4), (0.1, 0.5), (0.5, 0.9):
        covered = np.zeros(2)
        for first, second, chance in outcomes((0.7, 0.1), (15, 15), truth):
            if chance > 1e-5:
                ends = ends_of(*first, *second)
                covered += chance * ((ends[:, 0] - 1e-9 <= truth) & (truth <= ends[:, 1] + 1e-9))
        assert (covered >= 0.91).all(), truth


def test_no_small_survey_gives_a_number_that_is_none():
    tables = [[a, b] for a in range(3) for b in range(3)]
    for first, second in product(tables, tables):
        found = moors(0.8, 0.3, first, second)
        for name in ("values", "covariance", "maximum_likelihood", "intervals", "standard_errors"):
            assert not np.isnan(getattr(found, name)).any(), (first, second, name)
        assert (found.intervals[:, 0] <= found.maximum_likelihood + 1e-9).all()
        assert (found.intervals[:, 1] >= found.maximum_likelihood - 1e-9).all()


def test_trouble_is_said():
    codes = {
        "no_reports": ([0, 0], [3, 4]),
        "one_report": ([1, 0], [3, 4]),
        "all_alike": ([9, 0], [3, 4]),
        "outside_range": ([99, 1], [60, 40]),
        "implausible": ([99, 1], [20, 80]),
    }
    for code, counts in codes.items():
        assert code in {note.code for note in moors(0.7, 0.1, *counts).notes}, code
    assert moors(0.7, 0.1, [790, 210], [700, 300]).notes == ()


def test_refuses_equal_chances_and_bad_counts():
    with pytest.raises(ArgumentError, match="p2 must differ from p1"):
        moors(0.7, 0.7, [5, 5], [5, 5])
    with pytest.raises(ArgumentError, match="p1"):
        moors(1.2, 0.7, [5, 5], [5, 5])
    with pytest.raises(CountsError, match="counts1"):
        moors(0.7, 0.2, [5, 5, 5], [5, 5])
    with pytest.raises(CountsError, match="counts2"):
        moors(0.7, 0.2, [5, 5], [5, -5])
    with pytest.raises(ArgumentError, match="level"):
        moors(0.7, 0.2, [5, 5], [5, 5], level=1)
