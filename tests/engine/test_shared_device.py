"""Measures of two attributes that one device covers together."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.association.distances import independent
from rr_engine.association.independence import interaction_statistic
from tests.thorough import examples

SIZES = (2, 3)
CHANNEL = rr.channels.joint_design(SIZES, 0.6)
ROWS, COLUMNS = np.array([0.7, 0.3]), np.array([0.5, 0.3, 0.2])
REPORTS = np.array([[30, 12, 9], [20, 25, 31]])


def test_a_direct_device_gives_chi_square_of_the_reports():
    joint = rr.estimate_joint([rr.channels.UniformChannel(SIZES, 1, 0, 1)], REPORTS)
    found, expected = (
        rr.independence_test(each)
        for each in (joint, rr.estimate_joint([rr.k_rr(2, 50), rr.k_rr(3, 50)], REPORTS))
    )
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert found.degrees_of_freedom == expected.degrees_of_freedom == 2


def test_of_independent_devices_it_is_the_test_of_the_reports():
    """Where no estimated margin is below zero."""
    joint = rr.estimate_joint([rr.k_rr(2, 1), rr.k_rr(3, 2)], 20 * REPORTS)
    statistic, freedom = interaction_statistic(joint.strata, independent(joint))
    expected = rr.independence_test(joint)
    assert statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert freedom == expected.degrees_of_freedom


def test_the_reports_of_one_device_depend_on_each_other_and_the_answers_need_not():
    fitted = CHANNEL.apply(np.outer(ROWS, COLUMNS).ravel()).reshape(SIZES)
    counts = np.rint(1e6 * fitted).astype(int)
    joint = rr.estimate_joint([CHANNEL], counts)
    assert rr.independence_test(joint).p_value > 0.99
    apart = rr.estimate_joint([rr.k_rr(2, 9), rr.k_rr(3, 9)], counts)
    assert rr.independence_test(apart).p_value < 1e-9
    assert rr.association.cramers_v(joint).value < 0.01
    assert rr.association.mutual_information(joint).value < 1e-3


def test_strata_of_shared_and_of_separate_devices_are_pooled():
    table = np.outer(ROWS, COLUMNS)
    table[0, 0] += 0.05
    table[1, 0] -= 0.05
    rng = np.random.default_rng(3)
    counts = rr.simulate_counts(CHANNEL, table.ravel(), 4_000, rng).reshape(SIZES)
    whole = rr.independence_test(rr.estimate_joint([CHANNEL], 2 * counts))
    halves = rr.independence_test(
        rr.joint.estimate_joint_strata([[CHANNEL], [CHANNEL]], [counts, counts])
    )
    assert halves.statistic == pytest.approx(whole.statistic, rel=1e-9)
    mixed = rr.joint.estimate_joint_strata(
        [[CHANNEL], [rr.k_rr(2, 9), rr.k_rr(3, 9)]], [counts, 20 * REPORTS]
    )
    assert rr.independence_test(mixed).p_value < whole.p_value


def test_measures_of_a_group_come_near_those_of_its_truth():
    table, rng = np.array([[0.35, 0.15], [0.1, 0.4]]), np.random.default_rng(8)
    channel = rr.channels.joint_design((2, 2), 0.7)
    counts = rr.simulate_counts(channel, table.ravel(), 50_000, rng).reshape(2, 2)
    joint = rr.estimate_joint([channel], counts)
    for measure in (
        rr.association.cramers_v,
        rr.association.pearson_correlation,
        rr.association.odds_ratio,
        rr.association.mutual_information,
    ):
        exact = measure(
            rr.estimate_joint([rr.channels.UniformChannel((2, 2), 1, 0, 1)], np.rint(1e6 * table))
        )
        low, high = measure(joint).interval(0.9999)
        assert low < exact.value < high
        assert high - low < exact.value


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(2, 2), (3, 4)])
def test_it_rejects_as_often_as_it_says(sizes):
    """Five standard errors of the 5 percent; seed 5."""
    surveys = examples(800, 2_000)
    rng, channel = np.random.default_rng(5), rr.channels.joint_design(sizes, 0.5)
    shares = [np.arange(1, size + 1) / sum(range(1, size + 1)) for size in sizes]
    fitted = channel.apply(np.outer(*shares).ravel())
    tables = rng.multinomial(1_500, fitted / fitted.sum(), size=surveys).reshape(-1, *sizes)
    rejected = [
        rr.independence_test(rr.estimate_joint([channel], t)).p_value < 0.05 for t in tables
    ]
    assert np.mean(rejected) == pytest.approx(0.05, abs=5 * (0.05 * 0.95 / surveys) ** 0.5)
