"""Intervals that hold for all categories of a question together."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from rr_engine import DesignMatrix, direct, estimate, k_rr, simulate_counts, warner
from rr_engine.library import simultaneous_intervals
from tests.engine.interval_coverage import SETTINGS
from tests.engine.simultaneous_coverage import coverages, row

PAGE = Path(__file__).resolve().parents[2] / "docs" / "methods" / "intervals.md"
BADGE = DesignMatrix([[0.6, 0.1, 0.1], [0.2, 0.5, 0.2], [0.1, 0.2, 0.4], [0.1, 0.2, 0.3]])


@pytest.mark.slow
def test_all_intervals_hold_together_over_the_grid():
    # 5,000 surveys of 50 each: four standard errors of .95 are .0124.
    found = np.array([coverages(*setting, 50, surveys=5000) for setting in SETTINGS])
    separate, together = found.T
    assert (together >= 0.95 - 0.0124).all(), together.min()
    assert (together <= 0.995).all(), together.max()
    several = np.array([k > 2 for k, _, _ in SETTINGS])
    assert (separate[several] < 0.9).all()


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(5, 50), (20, 100)])
def test_the_page_prints_what_was_simulated(k, n):
    assert row(k, n) in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_where_a_proportion_shows_through_several_reports_they_hold_as_well():
    # 200 surveys of 400, seed 3: at most four standard errors below .95.
    rng, truth, surveys, held = np.random.default_rng(3), [0.5, 0.3, 0.2], 200, 0
    for _ in range(surveys):
        found = estimate(BADGE, simulate_counts(BADGE, truth, 400, rng))
        ends = simultaneous_intervals(found)
        held += bool(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).all())
    assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / surveys) <= held / surveys


def test_two_categories_are_one_statement():
    found = estimate(warner(0.8), [70, 30])
    assert simultaneous_intervals(found) == pytest.approx(found.interval(method="exact"))
    assert simultaneous_intervals(found, 0.9, "normal") == pytest.approx(
        found.interval(0.9, "normal")
    )


def test_guaranteed_methods_share_the_error_out():
    found = estimate(k_rr(5, 1), [40, 30, 30, 50, 50])
    for method in ("exact", "chebyshev", "sequence"):
        expected = found.interval(1 - 0.05 / 5, method)
        assert simultaneous_intervals(found, method=method) == pytest.approx(expected)
    default = simultaneous_intervals(found)
    assert default == pytest.approx(simultaneous_intervals(found, method="exact"))


def factor(found, level=0.95):
    ends = simultaneous_intervals(found, level, "normal")
    return (ends[:, 1] - found.proportions) / found.standard_errors


def test_the_quantile_is_that_of_the_largest_error():
    # Three equal direct shares: pairwise -1/2. Tukey's range of three, without an error of its
    # own: the largest of |z_i| exceeds 2.3438 in 5 % (2.2361 and 2.3877 are Sidak's for 2 and 3).
    found = estimate(direct(3), [300, 300, 300])
    rng = np.random.default_rng(5)
    drawn = rng.standard_normal((400_000, 3))
    largest = np.abs(drawn - drawn.mean(axis=1, keepdims=True)).max(axis=1) * np.sqrt(1.5)
    quantile = float(np.quantile(largest, 0.95))
    assert factor(found) == pytest.approx([quantile] * 3, abs=0.03)
    sidak = norm.isf((1 - 0.95 ** (1 / 3)) / 2)
    assert (factor(found) <= sidak + 1e-9).all()


def test_many_categories_take_sidak_s_bound():
    found = estimate(k_rr(80, 3), [25] * 80)
    expected = norm.isf((1 - 0.95 ** (1 / 80)) / 2)
    assert factor(found) == pytest.approx([expected] * 80)


@pytest.mark.parametrize("counts", [[0, 0, 0], [1, 0, 0], [9, 0, 0], [0, 4, 5]])
@pytest.mark.parametrize("design", [k_rr(3, 1), direct(3)])
@pytest.mark.parametrize("method", ["default", "normal", "wilson", "profile"])
def test_few_reports_give_numbers_all_the_same(design, counts, method):
    found = estimate(design, counts)
    ends = simultaneous_intervals(found, method=method)
    assert not np.isnan(ends).any()
    assert (ends[:, 0] <= ends[:, 1]).all()
    if not any(counts):
        assert ends.tolist() == [[0, 1]] * 3
