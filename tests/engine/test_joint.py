from functools import reduce
from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.channels.counting import Structured
from rr_engine.channels.product import ProductChannel
from rr_engine.estimation.likelihood import likelihood_gap
from rr_engine.kronecker import apply_axes, outer, solve_axes
from rr_engine.multiattribute.axes import axes_of
from rr_engine.multiattribute.joint_estimate import maximise_axes
from tests.engine.engine_cases import (
    BADGE,
    UNEVEN,
    check_moments,
    memory_below,
    people_outcomes,
    refusals,
)
from tests.work import calls

SETS = {
    "uniform": [rr.k_rr(3, 1), rr.k_rr(4, 0.5)],
    "binary": [rr.designs.generalized_binary(0.9, 0.6), rr.warner(0.2)],
    "more reports than truths": [rr.DesignMatrix(BADGE), rr.k_rr(3, 1)],
    "uneven": [rr.DesignMatrix(UNEVEN), rr.designs.direct(2)],
    "three": [rr.k_rr(3, 0.7), rr.designs.generalized_binary(0.8, 0.7), rr.DesignMatrix(BADGE)],
}
TABLE = np.array([[420, 180, 90], [160, 240, 110]])
SURVEYS = 1_500


def dense(designs) -> rr.DesignMatrix:
    return rr.DesignMatrix(reduce(np.kron, [design.matrix for design in designs]))


def draw_counts(designs, n, seed=5, concentration=0.3) -> np.ndarray:
    """Return reports of people whose truths come from a Dirichlet draw."""
    rng = np.random.default_rng(seed)
    shape = [len(design.categories) for design in designs]
    truth = rng.dirichlet(np.full(np.prod(shape), concentration)).reshape(shape)
    shares = apply_axes([design.matrix for design in designs], truth)
    return rng.multinomial(n, shares.ravel() / shares.sum()).reshape(shares.shape)


@pytest.mark.parametrize("name", SETS)
def test_axes_give_what_the_kronecker_product_gives(name):
    matrices = [design.matrix for design in SETS[name]]
    big = reduce(np.kron, matrices)
    table = np.random.default_rng(1).random([2, *(matrix.shape[1] for matrix in matrices)])
    seen = apply_axes(matrices, table)
    assert np.allclose(seen.reshape(2, -1), table.reshape(2, -1) @ big.T)
    assert np.allclose(solve_axes(matrices, seen), table)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", SETS)
def test_agrees_with_the_dense_design(name, population):
    designs = SETS[name]
    for seed, n in product(range(4), (20, 300, 20_000)):
        counts = draw_counts(designs, n, seed)
        joint = rr.estimate_joint(designs, counts, population=population)
        big = rr.estimate(dense(designs), counts.ravel(), population=population)
        size = np.abs(big.covariance).max()
        assert np.allclose(joint.proportions.ravel(), big.proportions, atol=1e-12)
        assert np.allclose(joint.covariance, big.covariance, atol=1e-12 * size)
        assert np.allclose(joint.standard_errors.ravel(), big.standard_errors, rtol=1e-8)
        wilson = big.interval(0.9, "wilson")
        assert np.allclose(joint.interval(0.9, "wilson").reshape(-1, 2), wilson, atol=1e-10)
        assert np.allclose(joint.projected().ravel(), big.projected(), atol=1e-12)
        codes = {note.code for note in joint.notes} ^ {note.code for note in big.notes}
        assert not codes & {"outside_range", "covariance_at_projection", "boundary"}


def product_of(designs):
    return Structured(ProductChannel(designs))


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_likelihood_agrees_with_the_dense_design(name):
    designs = SETS[name]
    for seed, n in product(range(4), (30, 300, 5000)):
        counts = draw_counts(designs, n, seed)
        joint = rr.estimate_joint(designs, counts, "mle")
        big = rr.estimate(dense(designs), counts.ravel(), "mle")
        assert joint.converged
        assert big.converged
        # Few reports leave several tables equally likely; then the likelihoods must agree.
        if n > 30:
            assert np.allclose(joint.proportions.ravel(), big.proportions, atol=1e-6)
        gap = likelihood_gap(product_of(designs), counts.ravel() / n, joint.proportions.ravel())
        assert gap <= 1e-10
        assert joint.proportions.min() >= 0
        assert joint.proportions.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", SETS)
def test_likelihood_is_at_its_maximum(name):
    designs = SETS[name]
    for seed, n in product(range(4), (30, 300, 5000)):
        counts = draw_counts(designs, n, seed)
        joint = rr.estimate_joint(designs, counts, "mle")
        assert joint.converged
        gap = likelihood_gap(product_of(designs), counts.ravel() / n, joint.proportions.ravel())
        assert gap <= 1e-10
        assert joint.proportions.min() >= 0
        assert joint.proportions.sum() == pytest.approx(1)


def test_likelihood_settles_on_tables_of_seven_people():
    # Most reports of two noisy devices are never seen then: the likelihood is flat in many ways.
    designs = [rr.designs.laplace(5, 0.5), rr.designs.frapp(2, 0.5)]
    device, rng = product_of(designs), np.random.default_rng(3)
    for _ in range(20):
        counts = rng.multinomial(7, np.full(10, 0.1)).reshape(5, 2)
        joint, called = calls(rr.estimate_joint, designs, counts, "mle")
        assert joint.converged
        assert likelihood_gap(device, counts.ravel() / 7, joint.proportions.ravel()) <= 1e-10
        assert called < 20_000


def test_likelihood_starts_the_same_every_time():
    counts = draw_counts(SETS["three"], 200)
    first, second = (rr.estimate_joint(SETS["three"], counts, "mle") for _ in range(2))
    assert first.proportions.tobytes() == second.proportions.tobytes()


def test_a_table_too_large_to_settle_says_so(monkeypatch):
    monkeypatch.setattr("rr_engine.estimation.likelihood.DIRECT_ENTRIES", 1)
    monkeypatch.setattr("rr_engine.estimation.conjugate.WORK", 1)
    axes = axes_of(SETS["uniform"])
    assert not maximise_axes(axes, draw_counts(SETS["uniform"], 300) / 300).converged
    joint = rr.estimate_joint(SETS["uniform"], draw_counts(SETS["uniform"], 300), "mle")
    assert joint.note("not_converged")


@pytest.mark.parametrize(
    ("designs", "people", "population"),
    [
        (SETS["binary"], [3, 1, 2, 0], "sample"),
        ([rr.designs.direct(2), rr.warner(0.2)], [2, 0, 1, 1], "fixed"),
    ],
)
def test_unbiased_and_of_the_stated_variance_over_all_outcomes(designs, people, population):
    cases = [
        (rr.estimate_joint(designs, counts.reshape(2, 2), population=population), chance)
        for counts, chance in people_outcomes(dense(designs).matrix, people, population)
    ]
    assert population == "sample" or not any(j.note("covariance_at_projection") for j, _ in cases)
    truth = np.array(people) / sum(people)
    check_moments(cases, truth)
    check_moments(cases, truth, lambda joint: joint.standard_errors.ravel() ** 2)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", SETS)
def test_margins_are_the_estimates_of_the_attributes_alone(name, population):
    designs = SETS[name]
    counts = draw_counts(designs, 20_000, concentration=5)
    joint = rr.estimate_joint(designs, counts, population=population)
    for axis, design in enumerate(designs):
        others = tuple(other for other in range(len(designs)) if other != axis)
        alone = rr.estimate(design, counts.sum(axis=others), population=population)
        margin = joint.margin(axis)
        assert np.allclose(margin.proportions, alone.proportions, atol=1e-13)
        assert np.allclose(margin.covariance, alone.covariance, atol=1e-15)
        for method in ("normal", "default"):
            assert np.allclose(margin.interval(method=method), alone.interval(method=method))
        assert margin.categories == (design.categories,)


def test_normal_intervals_go_out_from_the_margin_of_the_likelihood_table():
    joint = rr.estimate_joint(SETS["uniform"], draw_counts(SETS["uniform"], 300), "mle")
    margin = joint.margin(0)
    assert np.allclose(margin.interval(method="normal").mean(axis=1), margin.proportions)
    assert np.allclose(margin.proportions, joint.proportions.sum(axis=1))


def test_margins_keep_the_order_asked_for():
    joint = rr.estimate_joint(SETS["three"], draw_counts(SETS["three"], 500))
    turned = joint.margin([2, 0])
    straight = joint.margin((0, 2))
    assert np.allclose(turned.proportions, straight.proportions.T)
    assert np.allclose(turned.standard_errors, straight.standard_errors.T)
    assert turned.strata[0].designs == (SETS["three"][2], SETS["three"][0])
    cells = np.zeros((3, 2, 2))
    cells[1, :, 0] = 1
    assert joint.covariance_of(cells, cells) == pytest.approx(straight.standard_errors[1, 0] ** 2)


def test_covariance_of_contrasts_is_that_of_the_matrix():
    joint = rr.estimate_joint(SETS["three"], draw_counts(SETS["three"], 500))
    one, two = np.random.default_rng(3).random((2, *joint.shape))
    expected = one.ravel() @ joint.covariance @ two.ravel()
    assert joint.covariance_of(one, two) == pytest.approx(expected)
    assert joint.covariance_of(np.ones(joint.shape), one) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_covariances_within_rows_are_blocks_of_the_matrix(population):
    designs = [rr.DesignMatrix(BADGE), rr.k_rr(3, 1)]
    joint = rr.estimate_joint(designs, draw_counts(designs, 800), population=population)
    blocks = joint.covariance.reshape(2, 3, 2, 3)
    for row, covariance in enumerate(joint.covariance_operator.within_rows()):
        assert np.allclose(covariance, blocks[row, :, row, :], atol=1e-15)


def test_conditional_proportions_follow_the_delta_method():
    joint = rr.estimate_joint([rr.k_rr(2, 2), rr.k_rr(3, 2)], TABLE)
    shares = joint.conditional(of_axis=1, given_axis=0)
    assert np.allclose(shares.values, joint.proportions / joint.proportions.sum(1)[:, None])
    for group, category in product(range(2), range(3)):
        slope = _numerical(joint.proportions, lambda t, g=group, c=category: t[g, c] / t[g].sum())
        error = np.sqrt(joint.covariance_of(slope, slope))
        assert shares.standard_errors[group, category] == pytest.approx(error, rel=1e-6)
    other = joint.conditional(of_axis=0, given_axis=1)
    assert np.allclose(other.values, (joint.proportions / joint.proportions.sum(0)).T)
    assert other.values.shape == (3, 2)


def test_a_difference_counts_the_covariance_of_the_groups():
    joint = rr.estimate_joint([rr.k_rr(2, 2), rr.k_rr(3, 2)], TABLE)
    found = joint.difference(of_axis=1, category=2, given_axis=0, groups=(1, 0))
    values = joint.conditional(1, 0).values
    assert found.value == pytest.approx(values[1, 2] - values[0, 2])

    def formula(table):
        return table[1, 2] / table[1].sum() - table[0, 2] / table[0].sum()

    slope = _numerical(joint.proportions, formula)
    error = np.sqrt(joint.covariance_of(slope, slope))
    assert found.standard_error == pytest.approx(error, rel=1e-6)
    assert found.interval().mean() == pytest.approx(found.value)


def _numerical(table, function, step=1e-6) -> np.ndarray:
    cells = np.eye(table.size).reshape(-1, *table.shape) * step
    slopes = [(function(table + cell) - function(table - cell)) / (2 * step) for cell in cells]
    return np.reshape(slopes, table.shape)


@pytest.mark.slow
def test_intervals_of_differences_cover():
    # Simulated: 1,500 surveys, seed 12, 95 % within 4 standard errors of the simulation.
    designs = [rr.k_rr(2, 2), rr.k_rr(2, 2)]
    truth = np.array([[0.3, 0.2], [0.1, 0.4]])
    shares = apply_axes([design.matrix for design in designs], truth).ravel()
    tables = np.random.default_rng(12).multinomial(4000, shares, size=SURVEYS).reshape(-1, 2, 2)
    hits, ratios = 0, 0
    for table in tables:
        joint = rr.estimate_joint(designs, table)
        low, high = joint.difference(1, 1, 0, (0, 1)).interval()
        hits += low <= 0.4 - 0.8 <= high
        low, high = joint.conditional(1, 0).interval(method="fieller")[0, 1]
        ratios += low <= 0.4 <= high
    for found in (hits, ratios):
        assert abs(found / SURVEYS - 0.95) < 4 * np.sqrt(0.95 * 0.05 / SURVEYS)


def test_a_group_estimated_at_nothing_has_no_proportions_of_its_own():
    joint = rr.estimate_joint([rr.warner(0.7), rr.warner(0.7)], [[10, 10], [50, 50]])
    assert joint.proportions.sum(axis=1)[0] < 0
    shares = joint.conditional(1, 0)
    assert shares.values[0].tolist() == [0.5, 0.5]
    assert np.isinf(shares.standard_errors[0]).all()
    for method in ("normal", "fieller", "default"):
        assert shares.interval(method=method)[0].tolist() == [[0, 1], [0, 1]]
    assert shares.note("empty_group")
    change = joint.difference(1, 1, 0)
    assert change.note("empty_group")
    assert change.interval().tolist() == [-1, 1]


def test_an_uncertain_group_gets_the_whole_range():
    joint = rr.estimate_joint([rr.warner(0.7), rr.warner(0.7)], [[18, 17], [40, 30]])
    shares = joint.conditional(1, 0)
    assert shares.note("uncertain_group")
    assert shares.interval(method="default")[0].tolist() == [[0, 1], [0, 1]]
    assert np.isfinite(shares.interval()).all()


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_no_reports_give_equal_shares_and_the_whole_range(population):
    joint = rr.estimate_joint(
        [rr.k_rr(2, 1), rr.k_rr(3, 1)], np.zeros((2, 3)), population=population
    )
    assert np.allclose(joint.proportions, 1 / 6)
    assert np.isinf(joint.standard_errors).all()
    assert (joint.interval(method="default") == [0, 1]).all()
    assert (joint.interval() == [0, 1]).all()
    assert joint.note("no_reports")
    assert np.isinf(joint.conditional(1, 0).standard_errors).all()
    assert joint.difference(1, 0, 0).interval().tolist() == [-1, 1]
    assert np.isinf(joint.margin(0).standard_errors).all()


def test_one_report_has_no_standard_error_for_a_population():
    joint = rr.estimate_joint([rr.k_rr(2, 1), rr.k_rr(2, 1)], [[1, 0], [0, 0]])
    assert np.isinf(joint.standard_errors).all()
    assert joint.note("one_report")
    assert np.isfinite(joint.interval(method="default")).all()


def test_impossible_reports_are_noticed():
    joint = rr.estimate_joint([rr.warner(0.9), rr.warner(0.9)], [[500, 0], [0, 0]])
    assert joint.note("implausible")
    assert joint.note("outside_range")
    assert np.isfinite(joint.interval(method="default")).all()


def test_thirty_thousand_cells_need_neither_time_nor_memory():
    designs = [rr.k_rr(13, 1), rr.k_rr(12, 2), rr.k_rr(14, 1), rr.k_rr(14, 2)]
    counts = draw_counts(designs, 100_000)
    assert counts.size > 30_000
    # A dense design would hold 7.5 GB, and a loop over the cells makes 30,000 calls.
    with memory_below(50e6):
        joint, called = calls(rr.estimate_joint, designs, counts)
        errors, ends = joint.standard_errors, joint.interval(method="default")
    assert np.isfinite(errors).all()
    assert np.isfinite(ends).all()
    assert called < 10_000
    with pytest.raises(rr.errors.ArgumentError, match="use covariance_of"):
        _ = joint.covariance
    cell = outer([np.eye(size)[2] for size in joint.shape])
    assert joint.covariance_of(cell, cell) == pytest.approx(errors[2, 2, 2, 2] ** 2)


SQUARE = [rr.warner(0.8), rr.warner(0.8)]


test_bad_input_is_named = refusals(
    "words",
    ("designs must be a sequence", lambda: rr.estimate_joint([], [[1]]), rr.errors.ArgumentError),
    (
        "designs must be a sequence",
        lambda: rr.estimate_joint(rr.warner(0.8), [1, 2]),
        rr.errors.ArgumentError,
    ),
    (r"shape \(2, 2\)", lambda: rr.estimate_joint(SQUARE, [1, 2]), rr.errors.CountsError),
    ("counts must", lambda: rr.estimate_joint(SQUARE, [[1, 2], [3]]), rr.errors.CountsError),
    ("counts must", lambda: rr.estimate_joint(SQUARE, [[1, 2], [3, -1]]), rr.errors.CountsError),
    ("whole numbers", lambda: rr.estimate_joint(SQUARE, [[1, 2], [3, 0.5]]), rr.errors.CountsError),
    (
        "method must",
        lambda: rr.estimate_joint(SQUARE, [[1, 2], [3, 4]], "map"),
        rr.errors.ArgumentError,
    ),
    (
        "population must",
        lambda: rr.estimate_joint(SQUARE, [[1, 2], [3, 4]], population="all"),
        rr.errors.ArgumentError,
    ),
    (
        "design must",
        lambda: rr.estimate_joint(
            [rr.warner(0.8), rr.DesignMatrix([[0.5] * 2] * 2)], np.ones((2, 2))
        ),
        rr.errors.NotIdentifiableError,
    ),
    (
        "never made",
        lambda: rr.estimate_joint(
            [rr.warner(0.8), rr.DesignMatrix([[0.7, 0.2], [0.3, 0.8], [0, 0]])], np.ones((2, 3))
        ),
        rr.errors.CountsError,
    ),
)


test_bad_questions_to_a_joint_estimate_are_named = refusals(
    "words",
    ("axes must", lambda j: j.margin(2)),
    ("axes must", lambda j: j.margin((0, 0))),
    ("axes must", lambda j: j.margin(())),
    ("given_axis must", lambda j: j.conditional(0, 0)),
    ("of_axis must", lambda j: j.conditional(3, 0)),
    ("category must", lambda j: j.difference(0, 5, 1)),
    ("groups must", lambda j: j.difference(0, 1, 1, (1, 1))),
    ("groups must", lambda j: j.difference(0, 1, 1, (1, 7))),
    ("groups must", lambda j: j.difference(0, 1, 1, 3)),
    ("contrast_a must", lambda j: j.covariance_of([1, 2], [1, 2])),
    ("contrast_b must", lambda j: j.covariance_of(np.eye(2), [[1, 2], [3, np.nan]])),
    ("method must", lambda j: j.interval(method="exact")),
    ("method must", lambda j: j.conditional(0, 1).interval(method="wilson")),
    kind=rr.errors.ArgumentError,
    given=lambda: (rr.estimate_joint(SQUARE, [[40, 20], [20, 20]]),),
)
