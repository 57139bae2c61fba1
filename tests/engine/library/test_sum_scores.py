"""How many items are true of a person: patterns, sums alone, and the binomial special case."""

from functools import reduce
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

import rr_engine as rr
from rr_engine.item_count import repeated_item, sum_design, sum_scores, sum_scores_of_totals

DEVICES = [rr.warner(0.8), rr.designs.generalized_binary(0.9, 0.7), rr.designs.direct(2)]
# Shares of the eight combinations of three items that go together.
TRUTHS = np.array([0.3, 0.1, 0.05, 0.1, 0.1, 0.05, 0.1, 0.2]).reshape(2, 2, 2)


def distribution(table):
    """Return the shares of people by how many items are true."""
    sums = np.indices(table.shape).sum(axis=0).ravel()
    return np.bincount(sums, weights=table.ravel())


def joint(devices):
    """Return the device of all patterns."""
    return rr.DesignMatrix(reduce(np.kron, [device.matrix for device in devices]))


def chances(devices, truths):
    """Return the chance of each pattern of reports."""
    table = truths
    for axis, device in enumerate(devices):
        table = np.moveaxis(np.tensordot(device.matrix, table, axes=(1, axis)), 0, axis)
    return table


def test_sums_of_patterns_are_unbiased_and_so_are_their_errors():
    # Every pair of patterns of two people.
    patterns = list(product((0, 1), repeat=3))
    weights = chances(DEVICES, TRUTHS).ravel()
    mean, square, spread = np.zeros(4), np.zeros((4, 4)), np.zeros((4, 4))
    moments = np.zeros(2)
    for (i, first), (j, second) in product(enumerate(patterns), repeat=2):
        found = sum_scores(DEVICES, [first, second])
        chance = weights[i] * weights[j]
        mean += chance * found.proportions
        square += chance * np.outer(found.proportions, found.proportions)
        spread += chance * found.covariance
        moments += chance * np.array([found.mean, found.variance])
    truth, scores = distribution(TRUTHS), np.arange(4)
    assert mean == pytest.approx(truth, abs=1e-12)
    assert spread == pytest.approx(square - np.outer(mean, mean), abs=1e-12)
    assert moments[0] == pytest.approx(scores @ truth)
    assert moments[1] == pytest.approx(scores**2 @ truth - (scores @ truth) ** 2)


def test_patterns_give_what_the_joint_table_gives():
    rng = np.random.default_rng(2)
    reports = rng.integers(0, 2, size=(300, 3))
    counts = np.bincount(reports @ [4, 2, 1], minlength=8)
    table = rr.estimate(joint(DEVICES), counts)
    sums = np.indices((2, 2, 2)).sum(axis=0).ravel()
    added = np.eye(4)[sums].T
    found = sum_scores(DEVICES, reports)
    assert found.proportions == pytest.approx(added @ table.proportions)
    assert found.covariance == pytest.approx(added @ table.covariance @ added.T)
    alone = sum(
        rr.estimate(device, [300 - reports[:, item].sum(), reports[:, item].sum()]).proportions[1]
        for item, device in enumerate(DEVICES)
    )
    assert found.mean == pytest.approx(alone)


def test_the_errors_of_mean_and_variance_are_right_over_many_surveys():
    # 1,500 surveys of 400 people, seed 6.
    rng, rounds, n = np.random.default_rng(6), 1500, 400
    patterns = np.array(list(product((0, 1), repeat=3)))
    tables = rng.multinomial(n, chances(DEVICES, TRUTHS).ravel(), size=rounds)
    found = [sum_scores(DEVICES, np.repeat(patterns, table, axis=0)) for table in tables]
    for name in ("mean", "variance"):
        values = np.array([getattr(one, name) for one in found])
        errors = np.array([getattr(one, f"{name}_standard_error") for one in found])
        tolerance = 4 / np.sqrt(2 * rounds)
        assert np.sqrt((errors**2).mean()) == pytest.approx(values.std(), rel=tolerance)
    truth = np.arange(4) @ distribution(TRUTHS)
    held = np.mean([one.mean_interval[0] <= truth <= one.mean_interval[1] for one in found])
    assert 0.935 <= held <= 0.965


def test_the_channel_of_sums_is_a_convolution_for_one_device():
    chance = {0: 0.1, 1: 0.7}
    matrix = sum_design([rr.designs.generalized_binary(0.9, 0.7)] * 4).matrix
    for true in range(5):
        wanted = np.convolve(
            binom.pmf(range(5 - true), 4 - true, chance[0]),
            binom.pmf(range(true + 1), true, chance[1]),
        )
        assert matrix[:, true] == pytest.approx(wanted)


def test_the_channel_of_sums_takes_all_sets_of_items_as_alike():
    size = len(DEVICES)
    wanted = np.zeros((size + 1, size + 1))
    for truths in product((0, 1), repeat=size):
        table = np.zeros((2,) * size)
        table[truths] = 1
        wanted[:, sum(truths)] += distribution(chances(DEVICES, table))
    assert sum_design(DEVICES).matrix == pytest.approx(wanted / wanted.sum(axis=0))


def test_sums_alone_lose_nothing_with_one_device():
    reports = np.random.default_rng(8).integers(0, 2, size=(250, 3))
    devices = [rr.warner(0.8)] * 3
    found = sum_scores(devices, reports)
    totals = sum_scores_of_totals(devices, np.bincount(reports.sum(axis=1), minlength=4))
    assert found.proportions.tolist() == totals.proportions.tolist()
    assert found.intervals.tolist() == totals.intervals.tolist()
    table = rr.estimate(joint(devices), np.bincount(reports @ [4, 2, 1], minlength=8))
    added = np.eye(4)[np.indices((2, 2, 2)).sum(axis=0).ravel()].T
    assert found.proportions == pytest.approx(added @ table.proportions)
    assert found.covariance == pytest.approx(added @ table.covariance @ added.T)


def test_sums_alone_need_an_assumption_where_devices_differ():
    # Only the item with the noisy device is ever true: not each set as likely as any other.
    truths = np.zeros((2, 2))
    truths[0, 0], truths[1, 0] = 0.6, 0.4
    devices = [rr.warner(0.7), rr.designs.direct(2)]
    sums = distribution(chances(devices, truths))
    found = sum_scores_of_totals(devices, np.rint(10**6 * sums).astype(int))
    assert {note.code for note in found.notes} >= {"exchangeable"}
    assert abs(found.mean - 0.4) > 0.05
    even = np.array([[0.6, 0.2], [0.2, 0.0]])
    sums = distribution(chances(devices, even))
    found = sum_scores_of_totals(devices, np.rint(10**6 * sums).astype(int))
    assert found.proportions == pytest.approx([0.6, 0.4, 0], abs=1e-5)


def test_without_noise_the_sums_are_counted():
    reports = [[0, 0], [0, 1], [1, 1], [1, 1]]
    found = sum_scores([rr.designs.direct(2)] * 2, reports)
    assert found.proportions.tolist() == [0.25, 0.25, 0.5]
    assert found.mean == 1.25
    assert found.variance == pytest.approx(np.var([0, 1, 2, 2], ddof=1))


@pytest.mark.parametrize("devices", [DEVICES[:2], [rr.warner(0.8)] * 2])
@pytest.mark.parametrize("people", [0, 1])
def test_trouble_is_said_and_every_number_is_one(devices, people):
    found = sum_scores(devices, np.ones((people, 2), dtype=int))
    assert {note.code for note in found.notes} & {"no_reports", "one_report"}
    numbers = [found.mean, found.mean_standard_error, found.variance, found.variance_standard_error]
    assert not np.isnan(numbers).any()
    assert not np.isnan(found.intervals).any()
    assert found.standard_errors.tolist() == [np.inf] * 3


def test_repeated_items_are_one_item_asked_of_more_people():
    counts = [200, 180, 90, 30]
    found = repeated_item(rr.warner(0.8), counts)
    yes = 180 + 2 * 90 + 3 * 30
    pooled = rr.estimate(rr.warner(0.8), [1500 - yes, yes])
    assert found.prevalence == pytest.approx(pooled.proportions[1])
    assert found.standard_error == pytest.approx(pooled.standard_errors[1])
    assert found.interval == pytest.approx(pooled.interval(method="default")[1])
    sums = np.repeat(range(4), counts)
    assert found.standard_error_by_person == pytest.approx(
        np.sqrt(sums.var(ddof=1) / 500) / (3 * 0.6)
    )
    share = yes / 1500
    assert found.dispersion == pytest.approx(sums.var(ddof=1) / (3 * share * (1 - share)))
    # The mean number of true items is the same without the model.
    free = sum_scores_of_totals([rr.warner(0.8)] * 3, counts)
    assert found.prevalence == pytest.approx(free.mean / 3)
    assert found.standard_error_by_person == pytest.approx(free.mean_standard_error / 3)


@pytest.mark.slow
def test_the_test_of_the_binomial_model_keeps_its_level_and_has_power():
    # 2,000 surveys of 300 people with four reports each, seed 4.
    rng, rounds = np.random.default_rng(4), 2000
    honest = rng.multinomial(300, binom.pmf(range(5), 4, 0.3), size=rounds)
    rejected = np.mean([repeated_item(rr.warner(0.8), row).p_value < 0.05 for row in honest])
    assert abs(rejected - 0.05) < 3 * np.sqrt(0.05 * 0.95 / rounds)
    # Items that go together: half of the people at 0.2, half at 0.5.
    mixed = (binom.pmf(range(5), 4, 0.2) + binom.pmf(range(5), 4, 0.5)) / 2
    found = repeated_item(rr.warner(0.8), np.rint(1000 * mixed).astype(int))
    assert "overdispersed" in {note.code for note in found.notes}
    assert found.statistic > 3
    assert found.standard_error_by_person > 1.1 * found.standard_error


@pytest.mark.parametrize("counts", [[0, 0, 0], [1, 0, 0], [9, 0, 0], [0, 0, 9]])
def test_few_sums_do_no_harm(counts):
    found = repeated_item(rr.warner(0.8), counts)
    numbers = [found.prevalence, found.standard_error, found.standard_error_by_person]
    numbers += [found.dispersion, found.statistic, found.p_value, *found.interval]
    assert not np.isnan(numbers).any()


def test_refuses_what_are_no_items():
    with pytest.raises(rr.errors.ArgumentError, match="two truths and two reports"):
        sum_design([rr.designs.direct(3)])
    with pytest.raises(rr.errors.ArgumentError, match="at most 50 items"):
        sum_design([rr.warner(0.8)] * 51)
    with pytest.raises(rr.errors.CategoryError, match="0 and 1 with 2 columns"):
        sum_scores([rr.warner(0.8)] * 2, [[0, 2]])
    with pytest.raises(rr.errors.CountsError, match="at most 51 entries"):
        repeated_item(rr.warner(0.8), [1] * 52)
