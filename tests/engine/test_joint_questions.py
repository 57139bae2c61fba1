"""Tables whose axes are questions that one device covers together, against dense devices."""

from itertools import combinations, permutations, product
from math import prod

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.channel_cases import COIN, UNEVEN, check_maps, dense, some_shares
from tests.engine.engine_cases import (
    check_mean,
    check_moments,
    memory_below,
    people_outcomes,
    refusal,
)

SIZES = (3, 2, 4)
FORMS = ("changes", "uniform")


def device(form, sizes=SIZES):
    return rr.channels.joint_design(sizes, 0.5, bits=24, form=form)


def counted(channel, n=3_000, seed=2):
    rng = np.random.default_rng(seed)
    shares = channel.apply(some_shares(channel.truth_size, seed))
    return rng.multinomial(n, shares / shares.sum()).reshape(channel.report_shape)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_structured_algebra_is_that_of_the_table(seed):
    """Random products of up to 500 cells, of two to eight questions."""
    rng = np.random.default_rng(seed)
    sizes = [2, 2]
    while len(sizes) < 8 and (size := int(rng.integers(2, 9))) * prod(sizes) <= 500:
        sizes.append(size)
    weights = np.sort(rng.integers(1, 1000, len(sizes) + 1))[::-1].tolist()
    channel = rr.channels.JointChannel(tuple(sizes), tuple(weights), denominator_of(sizes, weights))
    table, size = table_of(sizes, weights) / channel.denominator, channel.condition_number
    assert size == pytest.approx(np.linalg.cond(table, 2), rel=1e-9)
    check_maps(channel, table, size=size)
    kept = sorted(rng.choice(len(sizes), size=2, replace=False).tolist())
    marginal = table[:, 0].reshape(sizes).sum(tuple(set(range(len(sizes))) - set(kept)))
    assert np.abs(channel.margin(kept).matrix[:, 0] - marginal.ravel()).max() < 1e-15


def table_of(sizes, weights):
    """Return the integers of the device, entry by entry of the numbers of changed answers."""
    cells = np.array(list(product(*map(range, sizes))))
    return np.array(weights)[(cells[:, None] != cells).sum(axis=-1)]


def denominator_of(sizes, weights):
    cells = product(*map(range, sizes))
    return sum(weights[sum(part > 0 for part in cell)] for cell in cells)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("form", FORMS)
def test_a_margin_of_the_estimate_is_the_estimate_of_the_margin(form, population):
    channel = device(form)
    counts = counted(channel)
    joint = rr.estimate_joint([channel], counts, population=population)
    for size in (1, 2, 3):
        for axes in permutations(range(3), size):
            margin = joint.margin(axes)
            ordered = np.transpose(counts, [*axes, *(a for a in range(3) if a not in axes)])
            reports = ordered.reshape(*ordered.shape[:size], -1).sum(-1)
            alone = rr.estimate(channel.margin(axes), reports, population=population)
            assert margin.proportions.ravel() == pytest.approx(alone.proportions, abs=1e-12)
            errors = margin.standard_errors.ravel()
            assert errors == pytest.approx(alone.standard_errors, rel=1e-9)
            assert margin.covariance == pytest.approx(alone.covariance, abs=1e-12)
            ends = alone.interval(method="default")
            assert margin.interval(method="default").reshape(-1, 2) == pytest.approx(ends)


def test_margins_across_a_group_and_other_devices():
    channel = device("changes", (2, 3))
    counts = np.random.default_rng(6).multinomial(5_000, some_shares(36)).reshape(2, 2, 3, 3)
    joint = rr.estimate_joint([COIN, channel, UNEVEN], counts)
    across = joint.margin([3, 1])
    expected = rr.estimate_joint([UNEVEN, channel.margin([0])], counts.sum(axis=(0, 2)).T)
    assert across.proportions == pytest.approx(expected.proportions, abs=1e-12)
    assert across.covariance == pytest.approx(expected.covariance, abs=1e-12)
    assert joint.margin([2, 1, 0]).shape == (3, 2, 2)
    assert refusal(joint.margin, [1, 0, 2]).code == "parts_cannot_be_split"


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("form", FORMS)
def test_shares_within_groups_of_one_device(form, population):
    channel = device(form)
    counts = counted(channel, 20_000)
    joint = rr.estimate_joint([channel], counts, population=population)
    table = dense(channel.margin([0, 2]))
    flat = rr.estimate(table, counts.sum(axis=1).ravel(), population=population)
    cells, spread = flat.proportions.reshape(3, 4), flat.covariance.reshape(3, 4, 3, 4)
    within = joint.conditional(of_axis=2, given_axis=0)
    for row in range(3):
        total, block = cells[row].sum(), spread[row, :, row, :]
        ratios = cells[row] / total
        moves = (np.eye(4) - ratios[:, None]) / total
        variances = np.diag(moves @ block @ moves.T)
        assert within.values[row] == pytest.approx(ratios, abs=1e-10)
        assert within.standard_errors[row] ** 2 == pytest.approx(variances, rel=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_the_maximum_of_a_uniform_device_has_a_closed_form(form):
    channel = device(form)
    joint = rr.estimate_joint([channel], counted(channel, 40), "mle")
    assert joint.proportions.min() >= 0
    assert (joint.iterations == 0) == (form == "uniform")


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_unbiased_and_of_the_stated_variance_over_all_outcomes(population):
    channel, people = device("changes", (2, 2)), [2, 0, 1, 1]
    cases = [
        (rr.estimate_joint([channel], counts.reshape(2, 2), population=population), chance)
        for counts, chance in people_outcomes(channel.matrix, people, population)
    ]
    truth = np.reshape(people, (2, 2)) / 4
    # For a fixed group some estimates lie where their covariance would be none.
    if population == "fixed":
        check_mean(cases, truth)
        return
    for axes in ((0,), (1,), (0, 1)):
        margins = [(joint.margin(axes), chance) for joint, chance in cases]
        shares = truth.sum(axis=tuple(axis for axis in (0, 1) if axis not in axes))
        check_moments(margins, shares, lambda margin: margin.standard_errors.ravel() ** 2)


def test_counts_may_be_a_mapping():
    channel = device("changes", (2, 3))
    counts = counted(channel, 50)
    given = {tuple(cell): int(counts[tuple(cell)]) for cell in np.argwhere(counts).tolist()}
    joints = [rr.estimate_joint([channel], each) for each in (counts, given)]
    assert np.array_equal(joints[0].proportions, joints[1].proportions)


@pytest.mark.slow
def test_thirty_thousand_cells_take_little_memory():
    channel = rr.channels.joint_design([9, 16, 5, 42], 0.8)
    counts = counted(channel, 30_000)
    # The table of the device would take 7 GB.
    with memory_below(100e6):
        joint = rr.estimate_joint([channel], counts)
        assert joint.standard_errors.shape == (9, 16, 5, 42)
        assert joint.interval(method="default").shape == (9, 16, 5, 42, 2)
        for pair in combinations(range(4), 2):
            assert joint.margin(pair).interval(method="default").min() < 1


def test_a_uniform_device_over_questions_is_itself():
    channel = rr.channels.UniformChannel((2, 3), 11, 1, 16)
    assert rr.estimate_joint([channel], counted(channel)).margin(1).strata[0].designs == (
        channel.margin([1]),
    )
