"""Shares among those whom a question is for, against closed forms and exact enumerations."""

import numpy as np
import pytest
from scipy import stats

import rr_engine
from rr_engine import DesignMatrix, estimate, estimate_strata, k_rr
from rr_engine.association import subgroup_shares
from rr_engine.association.subgroup import means_nothing
from rr_engine.designs import direct
from rr_engine.distributions import margin_factor
from rr_engine.precision import left_inverse

FACTOR = margin_factor(0.95)
# No, yes, does not apply: of whom the question is for, and of these who answer yes.
SETTINGS = [
    (epsilon, asked, yes)
    for epsilon in (1.0, 2.0, 3.0)
    for asked in (0.2, 0.5, 0.8)
    for yes in (0.05, 0.1, 0.3, 0.5)
]


def wilson(count, n):
    return stats.binomtest(count, n).proportion_ci(0.95, method="wilson")


@pytest.mark.parametrize("yes", [0, 1, 10, 39, 40])
def test_asked_directly_it_is_wilsons_interval_of_those_whom_it_is_for(yes):
    found = subgroup_shares(estimate(direct(3), [40 - yes, yes, 60]), outside=2)

    assert found.values == pytest.approx([1 - yes / 40, yes / 40])
    assert found.share == pytest.approx(0.4)
    expected = wilson(yes, 40)
    assert found.interval()[1] == pytest.approx([expected.low, expected.high], abs=1e-9)


def test_the_category_may_stand_anywhere():
    last = subgroup_shares(estimate(k_rr(4, 1.5), [120, 90, 60, 130]), outside=3)
    first = subgroup_shares(estimate(k_rr(4, 1.5), [130, 120, 90, 60]), outside=0)

    assert first.values == pytest.approx(last.values)
    assert first.interval() == pytest.approx(last.interval(), abs=1e-9)


def test_values_and_errors_are_those_of_a_ratio():
    found = estimate(k_rr(3, 1.2), [150, 110, 240])
    shares = subgroup_shares(found, outside=2)

    pi, cov = found.proportions, found.covariance
    ratio = pi[1] / (pi[0] + pi[1])
    slopes = np.array([-ratio, 1 - ratio, 0]) / (pi[0] + pi[1])
    assert shares.values[1] == pytest.approx(ratio)
    assert shares.values.sum() == pytest.approx(1)
    assert shares.standard_errors[1] == pytest.approx(np.sqrt(slopes @ cov @ slopes), rel=1e-6)


def reports_of(n):
    """All counts of three reports to n people."""
    first = np.repeat(np.arange(n + 1), np.arange(n + 1, 0, -1))
    second = np.concatenate([np.arange(n + 1 - count) for count in range(n + 1)])
    return np.column_stack([first, second, n - first - second])


def coverage(design, proportions, n):
    """The exact chance that the interval of the second category holds its share of the subgroup.

    That the interval is the values that are kept here, the next test checks.
    """
    share = proportions[1] / (proportions[0] + proportions[1])
    scores = np.array([-share, 1 - share, 0.0]) @ left_inverse(design.matrix)
    counts = reports_of(n)
    kept = means_nothing(np.tile(scores, (len(counts), 1)), counts / n, FACTOR**2 / n)
    chances = stats.multinomial.pmf(counts, n, design.matrix @ proportions)
    assert chances.sum() == pytest.approx(1)
    return float(chances[kept].sum())


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "asked", "yes"), SETTINGS)
def test_from_200_people_on_95_percent_intervals_cover_94_to_96_percent(epsilon, asked, yes):
    proportions = np.array([asked * (1 - yes), asked * yes, 1 - asked])

    assert 0.94 <= coverage(k_rr(3, epsilon), proportions, 200) <= 0.96


@pytest.mark.parametrize("counts", [[60, 40, 100], [70, 30, 100], [20, 90, 90]])
def test_an_interval_ends_where_a_value_is_no_longer_kept(counts):
    design = k_rr(3, 2.0)
    low, high = subgroup_shares(estimate(design, counts), outside=2).interval()[1]
    scores = left_inverse(design.matrix)
    shares, chi = np.array(counts) / 200, FACTOR**2 / 200

    def is_kept(value):
        return bool(
            means_nothing((np.array([-value, 1 - value, 0]) @ scores)[None], shares, chi)[0]
        )

    assert is_kept(low + 1e-9)
    assert is_kept((low + high) / 2)
    assert is_kept(high - 1e-9)
    assert not is_kept(low - 1e-9)
    assert not is_kept(high + 1e-9)


def test_nothing_is_known_where_nobody_may_be_asked():
    found = subgroup_shares(estimate(k_rr(3, 0.5), [90, 90, 150]), outside=2)

    assert found.interval() == pytest.approx(np.array([[0, 1], [0, 1]]))


def test_there_are_no_shares_of_nobody():
    found = subgroup_shares(estimate(k_rr(3, 1.0), [20, 20, 200]), outside=2)

    assert found.share < 0
    assert np.isnan(found.values).all()
    assert np.isinf(found.standard_errors).all()


def test_of_several_devices_and_of_a_fixed_group_it_is_fiellers_interval():
    designs, counts = [k_rr(3, 1.0), k_rr(3, 2.0)], [[120, 100, 180], [90, 70, 140]]
    pooled = subgroup_shares(estimate_strata(designs, counts), outside=2)
    fixed = subgroup_shares(estimate(k_rr(3, 1.0), counts[0], population="fixed"), outside=2)
    sample = subgroup_shares(estimate(k_rr(3, 1.0), counts[0]), outside=2)

    assert pooled.interval() == pytest.approx(pooled.interval(method="fieller"))
    widths = [np.ptp(each.interval(method="fieller"), axis=1) for each in (fixed, sample)]
    assert (widths[0] < widths[1]).all()
    with pytest.raises(rr_engine.errors.ArgumentError) as error:
        pooled.interval(method="score")
    assert error.value.code == "not_one_device"


def test_with_more_reports_than_answers_its_coverage_is_as_good():
    cards = DesignMatrix(
        np.array([[6, 6, 2], [6, 2, 6], [2, 6, 6]]).T / 14, categories=["no", "yes", "other"]
    )

    assert 0.94 <= coverage(cards, np.array([0.3, 0.2, 0.5]), 200) <= 0.96
