"""The recommended interval against the exact chance of every count."""

import numpy as np
import pytest
from scipy.stats import multinomial

import rr_engine as rr
from rr_engine.estimation.moment_guard import floored_rate
from tests.engine.guarded_coverage import (
    SIZES,
    TOO_FEW,
    can_be_covered,
    ends_of_all_counts,
    exact_coverage,
    reported_shares,
)
from tests.engine.interval_coverage import coverage, fixed_coverage


@pytest.mark.parametrize("n", SIZES)
def test_the_default_covers_between_93_and_98_percent_wherever_counts_allow_it(n):
    shares = reported_shares()
    found = exact_coverage(ends_of_all_counts(n), n, shares)
    assert found.min() >= 0.93 - 1e-9
    above = found > 0.98
    if n < 27:
        # The score interval itself covers a little more at some shares of very small surveys.
        above &= n * np.minimum(shares, 1 - shares) < TOO_FEW
        assert found[~above].max() < 0.983
    assert not any(can_be_covered(n, share) for share in shares[above])
    assert (n * np.minimum(shares, 1 - shares)[above] < TOO_FEW).all()


@pytest.mark.parametrize(
    ("level", "least"), [(0.5, 0.48), (0.9, 0.88), (0.95, 0.93), (0.99, 0.986)]
)
def test_at_no_share_it_covers_less_than_its_floor(level, least):
    assert 1 - floored_rate(1 - level) == pytest.approx(least)
    for n in (1, 2, 7, 20, 33, 100, 331):
        ends = ends_of_all_counts(n, level)
        # Coverage jumps at the ends of intervals: just beside each of them.
        beside = np.concatenate([ends.ravel() - 1e-9, ends.ravel() + 1e-9, np.linspace(0, 1, 999)])
        inside = beside[(beside > 0) & (beside < 1)]
        assert exact_coverage(ends, n, inside).min() >= least - 1e-7
        assert (np.diff(ends, axis=0) >= -1e-12).all()


@pytest.mark.parametrize(
    ("design", "n"),
    [
        (rr.k_rr(2, 6), 50),
        (rr.k_rr(7, 5), 90),
        (rr.forced_response(0.9, 0.02), 60),
        (rr.designs.direct(3), 40),
    ],
)
def test_of_a_device_it_is_that_of_the_reported_share(design, n):
    """Also of devices that make the report of a truth less likely for those who have it."""
    ends = ends_of_all_counts(n)
    size = len(design.reports)
    for count in (0, 1, 2, 5, n - 1, n):
        found = rr.estimate(design, [count, *[0] * (size - 2), n - count]).interval()[0]
        own, other = design.matrix[0, 0], design.matrix[0, 1]
        assert found == pytest.approx(np.sort((ends[count] - other) / (own - other)), abs=1e-9)
    flipped = rr.designs.generalized_binary(0.1, 0.2)
    twisted = rr.estimate(flipped, [n - 1, 1]).interval()[1]
    expected = np.sort((ends[1] - flipped.matrix[1, 0]) / (0.2 - flipped.matrix[1, 0]))
    assert twisted == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 8])
@pytest.mark.parametrize("size", [20, 50])
def test_rare_categories_are_covered_without_an_argument(size, epsilon):
    design, n = rr.k_rr(size, epsilon), 100
    rare = rr.estimate(design, [0, *[0] * (size - 2), n])
    assert (np.ptp(rare.interval(), axis=1) > 0.01).all()
    for share in (0.001, 0.004, 1 / size, 0.1):
        found = coverage(design, share, n, "default")
        expected = n * (design.matrix[0, 1] + (design.matrix[0, 0] - design.matrix[0, 1]) * share)
        assert 0.93 <= found <= (0.98 if expected > TOO_FEW else 1)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.1, 1, 3, 5, 6, 7])
def test_a_group_as_a_whole_is_covered_too(epsilon):
    """Its count is a sum of two binomials; the score interval falls to .79 of its surveys."""
    found = [
        fixed_coverage(rr.k_rr(2, epsilon), round(n * share), n, "default")
        for n in (20, 50, 100, 200)
        for share in (0, 0.02, 0.05, 0.1, 0.5)
    ]
    assert min(found) >= 0.93


def tables_of(n):
    """Return all tables of four cells that add up to n, shape (tables, 4)."""
    counts = np.arange(n + 1)
    three = np.stack(np.meshgrid(counts, counts, counts, indexing="ij"), axis=-1).reshape(-1, 3)
    three = three[three.sum(axis=1) <= n]
    return np.column_stack([three, n - three.sum(axis=1)])


def test_rare_cells_of_a_joint_table_are_covered():
    """Each cell hangs on four reports. By the score interval alone the least is .875."""
    designs, n, shares = [rr.k_rr(2, 5)] * 2, 20, np.array([1, 0, 0, 0])
    tables = tables_of(n)
    chances = multinomial.pmf(tables, n, np.kron(*(d.matrix for d in designs)) @ shares)
    covered = np.zeros(4)
    for table, chance in zip(tables[chances > 1e-5], chances[chances > 1e-5], strict=True):
        low, high = rr.estimate_joint(designs, table.reshape(2, 2)).interval().reshape(4, 2).T
        covered += chance * ((low <= shares) & (shares <= high))
    assert covered.min() >= 0.93


def test_a_margin_of_pooled_strata_has_an_interval_where_nobody_reported_the_answer():
    """Of the whole table's covariance alone its error is next to nothing."""
    devices = [[rr.k_rr(3, 7), rr.k_rr(2, 7)], [rr.k_rr(3, 6), rr.k_rr(2, 6)]]
    tables = [[[30, 20], [25, 15], [0, 0]], [[12, 9], [8, 6], [0, 0]]]
    margin = rr.joint.estimate_joint_strata(devices, tables).margin(0)
    low, high = margin.interval()[2]
    # Of 125 reports none: as many as one in forty may have it.
    assert low < 0 < 0.02 < high < 0.04
    assert margin.interval(method="normal")[2, 1] < 0.006
