"""Tables whose axes are questions that one device covers together, against dense devices."""

import tracemalloc
from itertools import combinations, permutations, product
from math import prod

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    JointChannel,
    UniformChannel,
    estimate,
    estimate_joint,
    estimate_joint_strata,
    joint_design,
)
from tests.engine.channel_cases import COIN, UNEVEN, dense, some_shares
from tests.engine.engine_cases import fixed_outcomes, outcomes

SIZES = (3, 2, 4)
FORMS = ("changes", "uniform")
MEGABYTE = 2**20


def device(form, sizes=SIZES):
    return joint_design(sizes, 0.5, bits=24, form=form)


def counted(channel, n=3_000, seed=2):
    rng = np.random.default_rng(seed)
    shares = channel.apply(some_shares(channel.truth_size, seed))
    return rng.multinomial(n, shares / shares.sum()).reshape(channel.report_shape)


@pytest.mark.parametrize("seed", range(30))
def test_structured_algebra_is_that_of_the_table(seed):
    """Random products of up to 500 cells, of two to eight questions."""
    rng = np.random.default_rng(seed)
    sizes = [2, 2]
    while len(sizes) < 8 and (size := int(rng.integers(2, 9))) * prod(sizes) <= 500:
        sizes.append(size)
    weights = np.sort(rng.integers(1, 1000, len(sizes) + 1))[::-1].tolist()
    channel = JointChannel(tuple(sizes), tuple(weights), denominator_of(sizes, weights))
    table, cells = table_of(sizes, weights) / channel.denominator, channel.truth_size
    assert np.abs(channel.matrix - table).max() < 1e-15
    vectors = rng.normal(size=(3, cells))
    assert np.abs(channel.apply(vectors) - vectors @ table.T).max() < 1e-12
    assert np.abs(channel.adjoint(vectors) - vectors @ table).max() < 1e-12
    inverse, size = np.linalg.inv(table), channel.condition_number
    assert size == pytest.approx(np.linalg.cond(table, 2), rel=1e-9)
    close = {"rtol": 0, "atol": 1e-12 * size}
    np.testing.assert_allclose(channel.solve(vectors), vectors @ inverse.T, **close)
    np.testing.assert_allclose(channel.scores(vectors), vectors @ inverse, **close)
    shares = np.abs(vectors[0]) / np.abs(vectors[0]).sum()
    squares = channel.score_squares(shares)
    assert squares == pytest.approx(inverse**2 @ shares, rel=1e-10)
    own = np.einsum("vu,uv->v", inverse**2, table)
    assert channel.own_score_squares() == pytest.approx(own, rel=1e-10)
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
def test_the_axes_of_a_table_are_the_questions(form, population):
    channel = device(form)
    counts = counted(channel)
    joint = estimate_joint([channel], counts, population=population)
    flat = estimate(dense(channel), counts.ravel(), population=population)
    assert joint.shape == SIZES
    assert joint.proportions.ravel() == pytest.approx(flat.proportions, abs=1e-12)
    assert joint.standard_errors.ravel() == pytest.approx(flat.standard_errors, rel=1e-10)
    assert joint.covariance == pytest.approx(flat.covariance, abs=1e-12)
    contrast = np.random.default_rng(3).normal(size=SIZES)
    variance = contrast.ravel() @ flat.covariance @ contrast.ravel()
    assert joint.covariance_of(contrast, contrast) == pytest.approx(variance, rel=1e-9)
    ends = estimate(channel, counts, population=population).interval(method="default")
    assert joint.interval(method="default").reshape(-1, 2) == pytest.approx(ends)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("form", FORMS)
def test_a_margin_of_the_estimate_is_the_estimate_of_the_margin(form, population):
    channel = device(form)
    counts = counted(channel)
    joint = estimate_joint([channel], counts, population=population)
    for size in (1, 2, 3):
        for axes in permutations(range(3), size):
            margin = joint.margin(axes)
            ordered = np.transpose(counts, [*axes, *(a for a in range(3) if a not in axes)])
            reports = ordered.reshape(*ordered.shape[:size], -1).sum(-1)
            alone = estimate(channel.margin(axes), reports, population=population)
            assert margin.proportions.ravel() == pytest.approx(alone.proportions, abs=1e-12)
            errors = margin.standard_errors.ravel()
            assert errors == pytest.approx(alone.standard_errors, rel=1e-9)
            assert margin.covariance == pytest.approx(alone.covariance, abs=1e-12)
            ends = alone.interval(method="default")
            assert margin.interval(method="default").reshape(-1, 2) == pytest.approx(ends)


def test_groups_beside_other_devices():
    """A group of two questions, and a question alone: as one product of dense devices."""
    channel, devices = device("changes", (2, 3)), [COIN, device("changes", (2, 3)), UNEVEN]
    rng = np.random.default_rng(6)
    counts = rng.multinomial(5_000, some_shares(36)).reshape(2, 2, 3, 3)
    joint = estimate_joint(devices, counts)
    flat = estimate_joint([COIN, dense(channel), UNEVEN], counts.reshape(2, 6, 3))
    assert joint.proportions.reshape(2, 6, 3) == pytest.approx(flat.proportions, abs=1e-12)
    assert joint.covariance == pytest.approx(flat.covariance, abs=1e-12)
    across = joint.margin([3, 1])
    expected = estimate_joint([UNEVEN, channel.margin([0])], counts.sum(axis=(0, 2)).T)
    assert across.proportions == pytest.approx(expected.proportions, abs=1e-12)
    assert across.covariance == pytest.approx(expected.covariance, abs=1e-12)
    assert joint.margin([2, 1, 0]).shape == (3, 2, 2)
    with pytest.raises(ArgumentError) as error:
        joint.margin([1, 0, 2])
    assert error.value.code == "parts_cannot_be_split"


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("form", FORMS)
def test_shares_within_groups_of_one_device(form, population):
    channel = device(form)
    counts = counted(channel, 20_000)
    joint = estimate_joint([channel], counts, population=population)
    table = dense(channel.margin([0, 2]))
    flat = estimate(table, counts.sum(axis=1).ravel(), population=population)
    cells, spread = flat.proportions.reshape(3, 4), flat.covariance.reshape(3, 4, 3, 4)
    within = joint.conditional(of_axis=2, given_axis=0)
    for row in range(3):
        total, block = cells[row].sum(), spread[row, :, row, :]
        ratios = cells[row] / total
        moves = (np.eye(4) - ratios[:, None]) / total
        variances = np.diag(moves @ block @ moves.T)
        assert within.values[row] == pytest.approx(ratios, abs=1e-10)
        assert within.standard_errors[row] ** 2 == pytest.approx(variances, rel=1e-8)


def test_likelihood_of_groups_is_that_of_the_table():
    channel = device("changes", (2, 3))
    counts = counted(channel, 60)
    joint = estimate_joint([channel, COIN], np.stack([counts, counts[::-1]], axis=-1), "mle")
    flat = estimate_joint(
        [dense(channel), COIN], np.stack([counts, counts[::-1]], -1).reshape(6, 2), "mle"
    )
    assert joint.proportions.reshape(6, 2) == pytest.approx(flat.proportions, abs=1e-6)
    assert joint.covariance == pytest.approx(flat.covariance, abs=1e-7)
    pair = [joint.margin([0, 1]), flat.margin(0)]
    assert pair[0].standard_errors.ravel() == pytest.approx(pair[1].standard_errors, abs=1e-7)


@pytest.mark.parametrize("form", FORMS)
def test_likelihood_of_one_device_over_all_questions(form):
    channel = device(form)
    counts = counted(channel, 40)
    joint = estimate_joint([channel], counts, "mle")
    flat = estimate_joint([dense(channel)], counts.ravel(), "mle")
    assert joint.proportions.ravel() == pytest.approx(flat.proportions, abs=1e-6)
    assert joint.proportions.min() >= 0
    # The uniform device's maximum has a closed form.
    assert (joint.iterations == 0) == (form == "uniform")


def test_unbiased_and_of_the_stated_covariance_over_all_outcomes():
    channel, truth, n = device("changes", (2, 2)), np.array([0.5, 0.2, 0.3, 0.0]), 4
    cases = [
        (estimate_joint([channel], counts.reshape(2, 2)), chance)
        for counts, chance in outcomes(channel.apply(truth), n)
    ]
    assert_exact(cases, truth.reshape(2, 2))


def test_unbiased_for_a_fixed_group():
    channel, people = device("changes", (2, 2)), [2, 0, 1, 1]
    cases = [
        (estimate_joint([channel], counts.reshape(2, 2), population="fixed"), chance)
        for counts, chance in fixed_outcomes(channel.matrix, people)
    ]
    mean = sum(chance * joint.proportions for joint, chance in cases)
    assert mean == pytest.approx(np.reshape(people, (2, 2)) / 4, abs=1e-12)


def assert_exact(cases, truth):
    """The mean is the truth, and the mean stated variance that of the estimates."""
    for axes in ((0,), (1,), (0, 1)):
        tables = [(joint.margin(axes), chance) for joint, chance in cases]
        expected = truth.sum(axis=tuple(axis for axis in (0, 1) if axis not in axes))
        mean = sum(chance * table.proportions for table, chance in tables)
        assert mean == pytest.approx(expected, abs=1e-12)
        spread = sum(chance * (table.proportions - expected) ** 2 for table, chance in tables)
        stated = sum(chance * table.standard_errors**2 for table, chance in tables)
        assert stated == pytest.approx(spread, abs=1e-12)


def test_strata_that_answered_a_group_are_pooled():
    pages, coins = [device("changes", (2, 3))], [device("uniform", (2, 3))]
    counts = [counted(stratum[0], 900, seed) for seed, stratum in enumerate((pages, coins))]
    tables = [[dense(stratum[0])] for stratum in (pages, coins)]
    found = estimate_joint_strata([pages, coins], counts)
    flat = estimate_joint_strata(tables, [table.ravel() for table in counts])
    assert found.shape == (2, 3)
    assert found.proportions.ravel() == pytest.approx(flat.proportions, abs=1e-12)
    assert found.margin(1).covariance == pytest.approx(
        flat.covariance.reshape(2, 3, 2, 3).sum(axis=(0, 2)), abs=1e-12
    )


def test_counts_may_be_a_mapping():
    channel = device("changes", (2, 3))
    counts = counted(channel, 50)
    given = {tuple(cell): int(counts[tuple(cell)]) for cell in np.argwhere(counts).tolist()}
    joints = [estimate_joint([channel], each) for each in (counts, given)]
    assert np.array_equal(joints[0].proportions, joints[1].proportions)


def test_thirty_thousand_cells_take_little_memory():
    channel = joint_design([9, 16, 5, 42], 0.8)
    counts = counted(channel, 30_000)
    tracemalloc.start()
    joint = estimate_joint([channel], counts)
    assert joint.standard_errors.shape == (9, 16, 5, 42)
    assert joint.interval(method="default").shape == (9, 16, 5, 42, 2)
    for pair in combinations(range(4), 2):
        assert joint.margin(pair).interval(method="default").min() < 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The table of the device would take 7 GB.
    assert peak < 100 * MEGABYTE


def test_a_uniform_device_over_questions_is_itself():
    channel = UniformChannel((2, 3), 11, 1, 16)
    assert estimate_joint([channel], counted(channel)).margin(1).strata[0].designs == (
        channel.margin([1]),
    )
