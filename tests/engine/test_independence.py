import numpy as np
import pytest
from scipy.stats import chi2_contingency

from rr_engine import DesignMatrix, estimate_joint, independence_test, k_rr, warner
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError
from rr_engine.joint import estimate_joint_strata
from rr_engine.kronecker import apply_axes
from tests.engine.engine_cases import BADGE
from tests.engine.independence_size import CASES, naively_rejected, rejection_share

REPORTS = np.array([[30, 22, 15], [24, 25, 31]])
CHOSEN = ["2 x 2, eps 1", "2 x 2, eps 3, rare", "3 x 4, eps 1", "6 x 3, eps 2, n 248"]
CHOSEN += ["badge x 3, eps 1", "two strata: eps 2, crosswise", "two strata: eps 1 and eps 3"]


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in CASES if c[0] in CHOSEN], ids=lambda case: case[0])
def test_independence_is_rejected_as_often_as_declared(case):
    # Simulated: 3,000 surveys, seed 20160315 (independence_size.SEED). The size itself, measured
    # with 20,000, lies between 4.7 and 5.5 %; four standard errors of the simulation around that.
    slack = 4 * np.sqrt(0.05 * 0.95 / 3000) - 0.005
    assert 0.047 - slack <= rejection_share(case, 3000) <= 0.055 + slack


@pytest.mark.slow
def test_the_corrected_table_tested_as_if_counted_rejects_far_too_often():
    # The same surveys; the naive test would reject a true independence in most of them.
    for case in [c for c in CASES if c[0] in ("2 x 2, eps 1", "3 x 4, eps 1")]:
        assert naively_rejected(case, 300) > 0.5


def test_with_square_devices_it_is_pearsons_test_of_the_reports():
    # Expected: SciPy's chi-square test of the table of reports.
    expected = chi2_contingency(REPORTS, correction=False)
    for designs in ([k_rr(2, 1), k_rr(3, 2)], [direct(2), direct(3)], [warner(0.2), k_rr(3, 0.1)]):
        found = independence_test(estimate_joint(designs, REPORTS))
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.degrees_of_freedom == expected.dof


def test_it_is_walds_test_of_the_corrected_interaction():
    # Wald: interactions of the corrected table in their covariance under independence.
    joint = estimate_joint([k_rr(2, 1), k_rr(3, 2)], REPORTS)
    table, n = joint.proportions, joint.n
    effects = (table - np.outer(table.sum(1), table.sum(0)))[:-1, :-1].ravel()
    covariances = [joint.margin(axis).covariance[:-1, :-1] * (n - 1) for axis in range(2)]
    wald = n * effects @ np.linalg.solve(np.kron(*covariances), effects)
    assert independence_test(joint).statistic == pytest.approx(wald)


def test_more_reports_than_truths_cost_no_degrees_of_freedom():
    joint = estimate_joint([DesignMatrix(BADGE), k_rr(2, 1)], [[30, 20], [25, 25], [20, 30]])
    found = independence_test(joint)
    assert found.degrees_of_freedom == 1
    pearson = chi2_contingency([[30, 20], [25, 25], [20, 30]], correction=False)
    assert found.statistic <= pearson.statistic
    assert found.p_value < pearson.pvalue


def test_it_does_not_depend_on_how_the_table_was_estimated():
    designs = [k_rr(2, 1), k_rr(3, 2)]
    found = {
        independence_test(estimate_joint(designs, REPORTS, method, population)).statistic
        for method in ("inversion", "mle")
        for population in ("sample", "fixed")
    }
    assert len(found) == 1


def test_reports_never_seen_are_left_out():
    joint = estimate_joint([k_rr(3, 3), k_rr(2, 3)], [[20, 10], [0, 0], [15, 30]])
    expected = chi2_contingency([[20, 10], [15, 30]], correction=False)
    found = independence_test(joint)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.degrees_of_freedom == 1


def test_two_halves_of_one_stratum_pool_to_nearly_the_whole():
    designs = [k_rr(2, 1), k_rr(3, 2)]
    whole = estimate_joint(designs, 2 * REPORTS)
    halves = estimate_joint_strata([designs, designs], [REPORTS, REPORTS])
    one, two = independence_test(whole), independence_test(halves)
    assert two.statistic == pytest.approx(one.statistic)
    assert two.degrees_of_freedom == one.degrees_of_freedom == 2


@pytest.mark.slow
def test_a_second_stratum_adds_power():
    # Simulated: 500 surveys, seed 6. The first stratum alone against both.
    designs = [[k_rr(2, 1), k_rr(2, 1)], [k_rr(2, 2), k_rr(2, 2)]]
    truth = np.array([[0.35, 0.15], [0.15, 0.35]])
    rng, hits = np.random.default_rng(6), np.zeros(2)
    for _ in range(500):
        tables = [
            rng.multinomial(n, apply_axes([d.matrix for d in some], truth).ravel()).reshape(2, 2)
            for n, some in zip((400, 100), designs, strict=True)
        ]
        both = independence_test(estimate_joint_strata(designs, tables))
        first = independence_test(estimate_joint(designs[0], tables[0]))
        hits += [first.p_value <= 0.05, both.p_value <= 0.05]
    # Four standard errors of a difference of two shares of 500.
    assert hits[1] - hits[0] > 4 * np.sqrt(2 * 0.25 * 500)


@pytest.mark.slow
def test_a_whole_group_is_compared_with_a_chance_pairing():
    # Simulated: 2,000 surveys, seed 8: 200 people with given answers, paired by chance.
    designs, rng, runs = [k_rr(2, 2), k_rr(2, 2)], np.random.default_rng(8), 2000
    first, second = np.repeat([0, 1], [140, 60]), np.repeat([0, 1], [80, 120])
    rejections = 0
    for _ in range(runs):
        table = np.zeros((2, 2))
        np.add.at(table, (first, rng.permutation(second)), 1)
        reports = sum(
            rng.multinomial(int(table[v]), np.outer(*(d.matrix[:, i] for d, i in
                            zip(designs, v, strict=True))).ravel())
            for v in np.ndindex(2, 2)
        ).reshape(2, 2)  # fmt: skip
        joint = estimate_joint(designs, reports, population="fixed")
        rejections += independence_test(joint).p_value <= 0.05
    assert independence_test(joint).note("chance_pairing")
    assert abs(rejections / runs - 0.05) < 4 * np.sqrt(0.05 * 0.95 / runs)


def test_nothing_to_test_is_said_so():
    empty = independence_test(estimate_joint([k_rr(2, 1), k_rr(2, 1)], np.zeros((2, 2))))
    assert (empty.p_value, empty.degrees_of_freedom) == (1, 0)
    assert empty.note("no_reports")
    alike = independence_test(estimate_joint([k_rr(2, 1), k_rr(2, 1)], [[9, 4], [0, 0]]))
    assert (alike.p_value, alike.degrees_of_freedom) == (1, 0)
    assert alike.note("not_testable")


def test_few_expected_reports_are_said_so():
    few = estimate_joint([k_rr(2, 1), k_rr(2, 1)], [[4, 2], [1, 3]])
    many = estimate_joint([k_rr(2, 1), k_rr(2, 1)], [[40, 20], [10, 30]])
    assert independence_test(few).note("few_expected")
    assert not independence_test(many).notes


@pytest.mark.parametrize("wrong", [3, None, estimate_joint([warner(0.8)], [4, 5])])
def test_bad_input_is_named(wrong):
    with pytest.raises(ArgumentError, match="joint must"):
        independence_test(wrong)
