"""The audit is compared with exact values."""

import numpy as np
import pytest
from scipy import stats

from tests.audit.audit import epsilon_lower_bound, goodness_of_fit, guess_lower_bound, replays
from tests.audit.mutants.categorical import retained_share, table


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    # Four cells, two bounds each: alpha = 0.01 / 8 on either side; scipy's exact interval at
    # level 1 - 2 alpha has the same end points.
    counts = np.array([[731, 269], [300, 700]])
    intervals = [
        [stats.binomtest(int(x), 1000).proportion_ci(1 - 2 * 0.01 / 8) for x in row]
        for row in counts
    ]
    expected = max(
        np.log(intervals[v][u].low / intervals[1 - v][u].high) for v in (0, 1) for u in (0, 1)
    )
    assert epsilon_lower_bound(counts) == pytest.approx(expected, rel=1e-9)


def test_a_report_seen_for_one_truth_only_is_bounded_by_the_sample() -> None:
    # Zero of n: the upper bound is 1 - alpha**(1/n), the rule of three at another level.
    n, alpha = 1_000_000, 0.01 / 8
    counts = [[n, 0], [0, n]]
    assert epsilon_lower_bound(counts) == pytest.approx(
        np.log(alpha ** (1 / n) / -np.expm1(np.log(alpha) / n)), rel=1e-6
    )


def test_equal_columns_reveal_nothing() -> None:
    assert epsilon_lower_bound([[500, 500], [500, 500]]) < 0


@pytest.mark.parametrize(("size", "expected"), [(2, 0.994), (10, 0.985), (100, 0.96)])
def test_a_faithful_device_at_a_million_draws_gives_the_published_bounds(
    size: int, expected: float
) -> None:
    rng = np.random.default_rng(7)
    columns = table(size, retained_share(size, 1))
    counts = np.array([rng.multinomial(1_000_000, column) for column in columns])
    # The maximum over pairs moves by a few standard errors of one log-ratio from run to run.
    slack = 5 * np.sqrt(2 / (columns[0].min() * 1_000_000))
    assert expected - slack < epsilon_lower_bound(counts) < 1
    assert goodness_of_fit(counts, columns) > 1e-6


def test_the_fit_is_pearsons() -> None:
    counts, columns = [[60, 40], [45, 55]], [[0.5, 0.5], [0.5, 0.5]]
    p_values = [stats.chisquare(row).pvalue for row in counts]
    assert goodness_of_fit(counts, columns) == pytest.approx(2 * min(p_values))


def test_a_report_outside_the_table_never_fits() -> None:
    columns = [[0.5, 0.5], [0.5, 0.5]]
    assert goodness_of_fit([[500, 500, 0], [500, 499, 1]], columns) == 0
    assert goodness_of_fit([[500, 500, 0], [500, 500, 0]], columns) == 1
    assert goodness_of_fit([[1000, 0], [999, 1]], [[1, 0], [1, 0]]) == 0


def test_a_replay_is_equality() -> None:
    assert replays([0, 1, 1], [0, 1, 1])
    assert not replays([0, 1, 1], [0, 1, 0])


def test_a_guess_right_as_often_as_chance_shows_nothing() -> None:
    assert guess_lower_bound(333_333, 1_000_000, 3) < 0
