"""Bounds without an anchor and weights with one, beside R's package cWise."""

import numpy as np
import pytest
from scipy.stats import binom

import rr_engine as rr
from tests.engine.test_inattention import CMDATA, R, cmdata

COUNTS = [112, 198]


def cm_bound(counts, p, attentive):
    """The prevalences of cmBound before they are cut, and its errors (R/cmBound.R of cWise)."""
    n, same = sum(counts), counts[1] / sum(counts)
    naive = (same + p - 1) / (2 * p - 1)
    bias = (same - 0.5) / (p - 0.5) / 2 - (same - 0.5) / (p - 0.5) / (2 * attentive)
    value = naive - bias
    cut = np.clip(value, 0, 1)
    variance = (cut * (1 - cut) + p * (1 - p) / (2 * p - 1) ** 2) / (n - 1) / attentive**2
    return value, np.sqrt(variance)


def test_prevalences_are_those_of_cm_bound():
    found = rr.compliance.inattention_bounds(rr.crosswise(0.25), COUNTS)
    attentive = np.arange(100, 49, -1) / 100
    values, errors = cm_bound(COUNTS, 0.25, attentive)
    assert found.shares == pytest.approx(1 - attentive)
    assert found.prevalences == pytest.approx(values)
    assert found.standard_errors[0] == pytest.approx(errors[0])
    # cmBound has the variance of the corrected prevalence where that of the reports belongs.
    same = COUNTS[1] / 310
    right = np.sqrt(same * (1 - same) / 309) / 0.5 / attentive
    assert found.standard_errors == pytest.approx(right)
    assert np.all(found.standard_errors[1:] > errors[1:])


def test_the_shares_that_matter_are_where_lines_cross():
    found = rr.compliance.inattention_bounds(rr.crosswise(0.25), COUNTS, direct=0.073)
    naive = 0.5 - (COUNTS[1] / 310 - 0.5) / 0.5
    assert found.largest_share == pytest.approx(1 - (0.5 - naive) / 0.5)
    assert found.explaining_share == pytest.approx(1 - (0.5 - naive) / (0.5 - 0.073))
    assert found.bounds == pytest.approx((0, naive))
    assert found.interval == (found.intervals[:, 0].min(), found.intervals[:, 1].max())
    assert "outside_range" in {note.code for note in found.notes}
    # Inattention cannot make a prevalence seem smaller than it is here.
    low = rr.compliance.inattention_bounds(rr.crosswise(0.25), COUNTS, [0], direct=0.3)
    assert low.explaining_share is None


def test_without_inattention_it_is_the_estimate():
    design, counts = rr.k_rr(4, 1), [30, 50, 70, 50]
    found = rr.compliance.inattention_bounds(design, counts, [0.0], category=2, level=0.9)
    plain = rr.estimate(design, counts)
    assert found.prevalences[0] == pytest.approx(plain.proportions[2])
    assert found.standard_errors[0] == pytest.approx(plain.standard_errors[2])
    assert found.intervals[0] == pytest.approx(plain.possible_interval(0.9)[2])


@pytest.mark.parametrize(
    ("design", "otherwise"),
    [
        (rr.k_rr(3, 1), None),
        (rr.k_rr(3, 2), [1, 0, 0]),
        (rr.DesignMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]]), [0.2, 0.2, 0.6]),
    ],
)
def test_the_right_share_gives_the_truth(design, otherwise):
    truth = np.array([0.5, 0.3, 0.2])[: design.truth_size]
    truth = truth / truth.sum()
    others = np.full(3, 1 / 3) if otherwise is None else np.array(otherwise)
    reported = 0.8 * design.matrix @ truth + 0.2 * others
    found = rr.compliance.inattention_bounds(
        design, np.rint(10**8 * reported).astype(int), [0.1, 0.2, 0.3], otherwise, direct=truth[1]
    )
    assert found.prevalences[1] == pytest.approx(truth[1], abs=1e-6)
    assert found.explaining_share == pytest.approx(0.2, abs=1e-3)
    assert found.shares.tolist() == [0.1, 0.2, 0.3]


@pytest.mark.slow
def test_the_interval_covers_at_the_right_share():
    # Exact: every count of 60 crosswise reports of which a quarter are random.
    design, truth = rr.crosswise(0.2), 0.15
    same = 0.75 * float(design.matrix[1] @ [1 - truth, truth]) + 0.25 / 2
    covered = 0.0
    for count in range(61):
        found = rr.compliance.inattention_bounds(design, [60 - count, count], [0.25])
        low, high = found.intervals[0]
        covered += binom.pmf(count, 60, same) * (low <= truth <= high)
    assert 0.93 <= covered <= 0.985


@pytest.mark.parametrize("counts", [[0, 0], [1, 0], [9, 0], [0, 9]])
def test_few_reports_do_no_harm(counts):
    found = rr.compliance.inattention_bounds(rr.crosswise(0.25), counts, direct=0.1)
    assert not np.isnan(found.prevalences).any()
    assert not np.isnan(found.intervals).any()
    assert 0 <= found.largest_share <= 1


def test_shares_without_attention_are_refused():
    with pytest.raises(rr.errors.ArgumentError, match=r"shares from 0 to 0\.999"):
        rr.compliance.inattention_bounds(rr.crosswise(0.25), COUNTS, [0.2, 1.0])


def weighted_cmdata():
    """The data of cWise with its weights, as R/cmdataDGP.R goes on to draw them (seed 12)."""
    source, n = R(12), 2000
    attentive = source.bernoulli(n, 0.8)
    for chance in (0.1, 0.15):
        source.bernoulli(n, chance)
    source.bernoulli(int(n - attentive.sum()), 0.5)
    source.bernoulli(n, 0.15)
    source.bernoulli(int(n - attentive.sum()), 0.5)
    female = source.bernoulli(n, 0.8)
    return np.where(female == 1, 1 / 0.8, 1 / 0.2)


def test_weighted_estimates_are_those_that_cwise_prints():
    # bc.est(Y, A, weight=weight, p=0.15, p.prime=0.15, data=cmdata) in its README.
    reports, weights = np.column_stack(cmdata()), weighted_cmdata()
    found = rr.compliance.weighted_crosswise(0.15, 0.15, reports, weights)
    assert round(found.naive, 4) == 0.1921
    assert round(found.prevalence, 4) == 0.1097
    assert round(found.attentive, 4) == 0.7888


def test_equal_weights_change_nothing():
    reports = np.column_stack(cmdata())
    found = rr.compliance.weighted_crosswise(0.15, 0.15, reports, np.full(2000, 3.7))
    plain = rr.compliance.bias_corrected_crosswise(0.15, 0.15, CMDATA)
    for name in ("prevalence", "standard_error", "interval", "attentive", "naive"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name))
    assert found.attentive_standard_error == pytest.approx(plain.attentive_standard_error)
    assert found.naive_standard_error == pytest.approx(plain.naive_standard_error)


@pytest.mark.slow
def test_weighted_errors_are_those_of_many_resamples():
    reports, weights = np.column_stack(cmdata()), weighted_cmdata()
    rng, rounds = np.random.default_rng(9), 3000
    rows = rng.integers(0, 2000, size=(rounds, 2000))
    sizes = weights[rows]
    same, anchor = (
        np.einsum("ij,ij->i", sizes, reports[:, column][rows]) / sizes.sum(axis=1)
        for column in (0, 1)
    )
    values = 0.5 + (same - 0.5) / -0.7 / ((anchor - 0.5) / 0.35)
    found = rr.compliance.weighted_crosswise(0.15, 0.15, reports, weights)
    assert found.standard_error == pytest.approx(values.std(), rel=4 / np.sqrt(2 * rounds))


@pytest.mark.parametrize(
    ("code", "reports"),
    [
        ("one_report", [[0, 1]]),
        ("all_alike", [[1, 1], [1, 1], [1, 0]]),
        ("no_attention", [[1, 0], [0, 0], [1, 0]]),
        ("outside_range", [[1, 1]] * 17 + [[1, 0]] * 3),
    ],
)
def test_trouble_is_said_and_every_number_is_one(code, reports):
    found = rr.compliance.weighted_crosswise(0.15, 0.15, reports, np.ones(len(reports)))
    assert code in {note.code for note in found.notes}
    numbers = [found.prevalence, found.standard_error, found.attentive, *found.interval]
    assert not np.isnan(numbers).any()


def test_people_without_weight_do_not_count():
    reports = [[1, 1], [1, 1], [0, 1], [0, 0], [1, 0]] * 10
    weights = [1.0, 2.0, 1.0, 3.0, 0.0] * 10
    found = rr.compliance.weighted_crosswise(0.15, 0.15, reports, weights)
    left = [index for index, weight in enumerate(weights) if weight]
    plain = rr.compliance.weighted_crosswise(
        0.15, 0.15, [reports[i] for i in left], [weights[i] for i in left]
    )
    assert found.standard_error == pytest.approx(plain.standard_error)


def test_weights_that_are_none_are_refused():
    for weights in ([-1.0, 2.0], [0.0, 0.0], [1.0]):
        with pytest.raises(
            rr.errors.ArgumentError, match="weights must be 2 numbers of at least 0"
        ):
            rr.compliance.weighted_crosswise(0.15, 0.15, [[1, 1], [0, 1]], weights)
    with pytest.raises(rr.errors.CategoryError, match="0 and 1 with 2 columns"):
        rr.compliance.weighted_crosswise(0.15, 0.15, [[1, 2]], [1.0])
