"""Power of the test of independence, against published tables and the test itself."""

import numpy as np
import pytest
from scipy.stats import chi2, multinomial, ncx2

import rr_engine as rr

HALF = [[0.325, 0.175], [0.175, 0.325]]


def table_of(effect, rows, columns):
    """A table of even margins in which the first two of each go together, with Cohen's w."""
    table = np.full((rows, columns), 1 / (rows * columns))
    step = effect / np.sqrt(4 * rows * columns)
    table[:2, :2] += [[step, -step], [-step, step]]
    return table


@pytest.mark.parametrize(
    ("columns", "needed"),
    # Cohen, "A power primer", Psychological Bulletin 112 (1992), table 2: test 8, power .80,
    # alpha .05, w = .10 and 1, 2, 4 degrees of freedom.
    [(2, 785), (3, 964), (5, 1194)],
)
def test_direct_answers_need_the_numbers_of_cohen_s_table(columns, needed):
    designs, table = [rr.designs.direct(2), rr.designs.direct(columns)], table_of(0.1, 2, columns)
    assert rr.planning.solve_sample_size_independence(designs, table) == needed
    assert rr.planning.power_independence(designs, table, needed) >= 0.8
    assert rr.planning.power_independence(designs, table, needed - 1) < 0.8


@pytest.mark.parametrize("n", [20, 300, 5000])
def test_direct_power_is_the_noncentral_chi_square_of_scipy(n):
    table = table_of(0.15, 3, 4)
    found = rr.planning.power_independence(
        [rr.designs.direct(3), rr.designs.direct(4)], table, n, alpha=0.01
    )
    expected = ncx2.sf(chi2.isf(0.01, 6), 6, n * 0.15**2)
    assert found == pytest.approx(expected, rel=1e-9)


def test_a_device_costs_what_it_takes_off_the_association():
    # Binary devices with even margins scale the interaction by the product of their gaps.
    gap = 2 * float(rr.k_rr(2, 2).matrix[1, 1]) - 1
    found = rr.planning.power_independence([rr.k_rr(2, 2), rr.designs.direct(2)], HALF, 400)
    assert found == pytest.approx(ncx2.sf(chi2.isf(0.05, 1), 1, 400 * (0.3 * gap) ** 2))


def test_it_is_near_the_exact_power_of_the_test():
    # Every table of 60 reports through two devices, by Pearson's statistic written out.
    designs, n = [rr.k_rr(2, 3), rr.warner(0.9)], 60
    table = np.array([[0.45, 0.1], [0.1, 0.35]])
    cells = np.indices((n + 1,) * 3).reshape(3, -1).T
    cells = cells[cells.sum(axis=1) <= n]
    a, b, c, d = np.column_stack([cells, n - cells.sum(axis=1)]).T
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    statistic = n * (a * d - b * c) ** 2 / np.maximum(margins, 1)
    shares = designs[0].matrix @ table @ designs[1].matrix.T
    weights = multinomial.pmf(np.column_stack([a, b, c, d]), n, shares.ravel() / shares.sum())
    exact = float(weights[statistic > chi2.isf(0.05, 1)].sum())
    assert weights.sum() == pytest.approx(1)
    assert rr.planning.power_independence(designs, table, n) == pytest.approx(exact, abs=0.02)


@pytest.mark.slow
def test_more_reports_than_truths_and_more_categories_by_simulation():
    # 500 surveys of 400, seed 11, tested by the library: within four standard errors and 0.01.
    badge = rr.DesignMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]])
    designs, n, rounds = [badge, rr.k_rr(3, 2)], 400, 500
    table = np.array([[0.3, 0.15, 0.1], [0.08, 0.12, 0.25]])
    shares = (badge.matrix @ table @ designs[1].matrix.T).ravel()
    drawn = np.random.default_rng(11).multinomial(n, shares / shares.sum(), size=rounds)
    tests = [rr.independence_test(rr.estimate_joint(designs, one.reshape(3, 3))) for one in drawn]
    power = np.mean([test.p_value < 0.05 for test in tests])
    found = rr.planning.power_independence(designs, table, n)
    assert found == pytest.approx(power, abs=4 * np.sqrt(found * (1 - found) / rounds) + 0.01)
    assert 0.2 < found < 0.99


def test_independent_answers_are_called_dependent_at_the_level():
    table = np.outer([0.3, 0.7], [0.2, 0.5, 0.3])
    assert rr.planning.power_independence(
        [rr.k_rr(2, 1), rr.k_rr(3, 1)], table, 500
    ) == pytest.approx(0.05)
    with pytest.raises(
        rr.errors.ArgumentError, match="table must differ from that of independent answers"
    ):
        rr.planning.solve_sample_size_independence([rr.k_rr(2, 1), rr.k_rr(3, 1)], table)


def test_no_more_power_than_the_level_needs_one_respondent():
    assert rr.planning.solve_sample_size_independence([rr.k_rr(2, 1)] * 2, HALF, power=0.04) == 1


def test_refuses_bad_arguments():
    with pytest.raises(rr.errors.ArgumentError, match="designs must be two"):
        rr.planning.power_independence([rr.k_rr(2, 1)], HALF, 100)
    with pytest.raises(rr.errors.ArgumentError, match="table must be a table of proportions"):
        rr.planning.power_independence([rr.k_rr(2, 1), rr.k_rr(3, 1)], HALF, 100)
    with pytest.raises(rr.errors.DistributionError, match="table must sum to 1"):
        rr.planning.power_independence([rr.k_rr(2, 1)] * 2, [[0.5, 0.5], [0.5, 0.5]], 100)
    with pytest.raises(rr.errors.ArgumentError, match="more than one answer"):
        rr.planning.power_independence([rr.designs.direct(2)] * 2, [[0.5, 0.5], [0, 0]], 100)
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.planning.power_independence([rr.warner(0.5), rr.k_rr(2, 1)], HALF, 100)
