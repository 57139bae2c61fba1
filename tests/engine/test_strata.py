from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy.optimize import minimize

import rr_engine as rr
from rr_engine.channels.counting import Dense
from rr_engine.estimation.estimating import fixed_part, pooled_covariance
from rr_engine.estimation.likelihood import likelihood_gap
from tests.engine.engine_cases import BADGE, check_moments, fixed_outcomes, outcomes

YES_NO = ("No", "Yes")
# Each alone determines only one of the two proportions that three categories have.
FIRST_OR_NOT = rr.DesignMatrix([[0.8, 0.3, 0.3], [0.2, 0.7, 0.7]])
LAST_OR_NOT = rr.DesignMatrix([[0.9, 0.9, 0.2], [0.1, 0.1, 0.8]])

# Designs, sizes of the strata and true shares.
CASES = {
    "two arms": ([rr.k_rr(YES_NO, 1), rr.designs.generalized_binary(0.9, 0.6)], (3, 2), [0.8, 0.2]),
    "one asked directly": ([rr.designs.direct(YES_NO), rr.warner(0.7)], (2, 3), [0.9, 0.1]),
    "three reports beside two": (
        [rr.DesignMatrix(BADGE, YES_NO), rr.k_rr(YES_NO, 2)],
        (2, 2),
        [0.7, 0.3],
    ),
    "three arms": ([rr.k_rr(YES_NO, 1), rr.warner(0.9), rr.warner(0.2)], (2, 2, 2), [0.4, 0.6]),
    "only together": ([FIRST_OR_NOT, LAST_OR_NOT], (3, 3), [0.5, 0.2, 0.3]),
}


def raw_covariance(result):
    """Return the covariance formula before it is moved to possible proportions."""
    blocks = [np.arange(*rows.indices(len(result.counts))) for rows in result.blocks]
    sizes = [stratum.n for stratum in result.strata]
    found = pooled_covariance(result.matrix, blocks, sizes, result.proportions, None)
    sample = result.population == "sample"
    return found if sample else fixed_part(found, result.proportions, result.n)


def check_all(cases, shares):
    """Check the moments of the formula, and that it is what is stated unless a note says so."""
    check_moments(cases, shares, raw_covariance)
    for result, _ in cases:
        if not result.note("covariance_at_projection"):
            assert np.allclose(result.covariance, raw_covariance(result), atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_unbiased_and_of_the_stated_variance_over_all_outcomes(name):
    designs, sizes, shares = CASES[name]
    tables = [
        [cell for cell in outcomes(design.matrix @ shares, size) if cell[1] > 0]
        for design, size in zip(designs, sizes, strict=True)
    ]
    cases = []
    for cells in product(*tables):
        result = rr.estimate_strata(designs, [counts for counts, _ in cells])
        cases.append((result, prod(chance for _, chance in cells)))
    check_all(cases, shares)


@pytest.mark.parametrize(
    ("name", "people"),
    [("two arms", [3, 2]), ("one asked directly", [4, 1]), ("only together", [3, 1, 2])],
)
def test_a_fixed_group_spread_over_its_devices_by_chance(name, people):
    # All ways of splitting the group in two, then all reports of each part.
    designs, sizes, _ = CASES[name]
    cases = []
    for first in product(*(range(some + 1) for some in people)):
        if sum(first) != sizes[0]:
            continue
        ways = prod(map(comb, people, first)) / comb(sum(people), sizes[0])
        parts = [fixed_outcomes(designs[0].matrix, list(first))]
        parts.append(fixed_outcomes(designs[1].matrix, list(np.subtract(people, first))))
        for cells in product(*parts):
            result = rr.estimate_strata(designs, [c for c, _ in cells], population="fixed")
            cases.append((result, ways * prod(chance for _, chance in cells)))
    check_all(cases, np.array(people) / sum(people))


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", ["inversion", "mle"])
def test_one_stratum_is_the_plain_estimate_bit_for_bit(method, population):
    design, counts = rr.k_rr(4, 1), [50, 7, 0, 20]
    plain = rr.estimate(design, counts, method, population).to_dict()
    assert rr.estimate_strata([design], [counts], method, population).to_dict() == plain
    empty = ([design, rr.DesignMatrix(np.eye(4) / 2 + 1 / 8)], [counts, [0] * 4])
    assert rr.estimate_strata(*empty, method, population).to_dict() == plain
    halves = ([design, design], [[25, 7, 0, 0], [25, 0, 0, 20]])
    assert rr.estimate_strata(*halves, method, population).to_dict() == plain


def test_devices_equal_but_for_their_labels_pool_like_one():
    named = rr.DesignMatrix(rr.k_rr(3, 1).matrix, reports=["x", "y", "z"])
    whole = rr.estimate(rr.k_rr(3, 1), [60, 25, 35])
    parts = rr.estimate_strata([rr.k_rr(3, 1), named], [[20, 15, 5], [40, 10, 30]])
    assert np.allclose(parts.proportions, whole.proportions, atol=1e-12)
    assert np.allclose(parts.covariance, whole.covariance, atol=1e-12)
    assert np.allclose(parts.interval(method="wilson"), whole.interval(method="wilson"))


LIKELY = [
    ([rr.k_rr(3, 1), rr.k_rr(3, 2)], [[90, 8, 2], [30, 5, 9]]),
    ([rr.k_rr(YES_NO, 1), rr.designs.generalized_binary(0.9, 0.6)], [[99, 1], [40, 2]]),
    (
        [rr.DesignMatrix(BADGE, YES_NO), rr.k_rr(YES_NO, 2), rr.designs.direct(YES_NO)],
        [[30, 30, 1], [5, 30], [8, 9]],
    ),
    ([FIRST_OR_NOT, LAST_OR_NOT], [[60, 40], [10, 45]]),
]


@pytest.mark.parametrize(("designs", "counts"), LIKELY)
def test_mle_is_the_maximum_of_the_product_of_the_likelihoods(designs, counts):
    result = rr.estimate_strata(designs, counts, method="mle")
    assert result.converged
    assert (result.proportions >= 0).all()
    pairs = [(d.matrix, np.array(c)) for d, c in zip(designs, counts, strict=True)]
    size = len(result.proportions)
    found = minimize(
        lambda x: -sum(c @ np.log(p @ x) for p, c in pairs) / result.n,
        np.full(size, 1 / size),
        bounds=[(1e-9, 1)] * size,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        options={"ftol": 1e-14},
    )
    assert np.allclose(result.proportions, found.x, atol=1e-5)
    assert likelihood_gap(Dense(result.matrix), result.reported_shares, result.proportions) < 1e-10


def test_mle_errors_are_the_inverse_information():
    designs, counts = [rr.k_rr(YES_NO, 1), rr.warner(0.9)], [[500, 700], [300, 450]]
    result = rr.estimate_strata(designs, counts, method="mle")
    # One proportion x = Pr(second): information is sum_s n_s slope_s**2 / (lam_s (1 - lam_s)).
    information = 0.0
    for design, tallied in zip(designs, counts, strict=True):
        low, high = design.matrix[1]
        reported = low + (high - low) * result.proportions[1]
        information += sum(tallied) * (high - low) ** 2 / (reported * (1 - reported))
    assert result.covariance[1, 1] == pytest.approx(1 / information, rel=2 / result.n)


def test_round_trip_keeps_the_devices_and_their_reports():
    designs = [rr.k_rr(YES_NO, "1").quantized(bits=16), rr.designs.generalized_binary(0.9, 0.6)]
    for counts in ([[9, 5], [4, 1]], [[0, 0], [0, 0]], [[1, 0], [0, 1]]):
        result = rr.estimate_strata(designs, counts)
        again = rr.Estimate.from_dict(result.to_dict())
        assert again.to_dict() == result.to_dict()
        assert [stratum.design for stratum in again.strata] == designs
        assert [stratum.counts.tolist() for stratum in again.strata] == counts
        assert np.array_equal(again.interval(method="default"), result.interval(method="default"))


def test_the_pooled_device_tells_no_more_than_its_worst():
    result = rr.estimate_strata([rr.k_rr(YES_NO, 1), rr.k_rr(YES_NO, 2)], [[10, 20], [30, 10]])
    assert result.design.epsilon == pytest.approx(2)
    assert result.design.reports == ("1: No", "1: Yes", "2: No", "2: Yes")


@pytest.mark.slow
@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", ["inversion", "mle"])
@pytest.mark.parametrize("name", CASES)
def test_tiny_and_one_sided_surveys_have_no_nan(name, method, population):
    designs, _, _ = CASES[name]
    tables = [[np.zeros(len(d.reports), int) for d in designs]]
    for number in (1, 2, 300):
        for end in (0, -1):
            tables.append([np.eye(len(d.reports), dtype=int)[end] * number for d in designs])
    for counts in tables:
        result = rr.estimate_strata(designs, counts, method, population)
        assert np.isfinite(result.proportions).all()
        assert not np.isnan(result.covariance).any()
        assert (np.diag(result.covariance) >= -1e-12).all()
        slow = ("profile", "bootstrap", "sequence") if method == "inversion" else ()
        for kind in ("normal", "chebyshev", "wilson", "default", *slow):
            ends = result.interval(method=kind)
            assert np.isfinite(ends).all()
            assert (ends[:, 0] <= ends[:, 1]).all()


def test_a_stratum_of_one_report_adds_to_the_others_but_alone_has_no_error():
    with_one = rr.estimate_strata([rr.k_rr(YES_NO, 1), rr.k_rr(YES_NO, 3)], [[50, 30], [0, 1]])
    assert np.isfinite(with_one.standard_errors).all()
    alone = rr.estimate_strata([FIRST_OR_NOT, LAST_OR_NOT], [[20, 20], [0, 1]])
    assert alone.standard_errors.tolist() == [np.inf] * 3
    assert alone.note("one_report")
    assert alone.interval(method="normal").tolist() == [[0, 1]] * 3


@pytest.mark.parametrize(
    ("designs", "counts", "error", "words"),
    [
        ([], [], rr.errors.ArgumentError, "designs must"),
        ([rr.k_rr(YES_NO, 1), "warner"], [[1, 2], [3, 4]], rr.errors.ArgumentError, "designs must"),
        ([rr.k_rr(YES_NO, 1)], [[1, 2], [3, 4]], rr.errors.ArgumentError, "counts must"),
        ([rr.k_rr(YES_NO, 1)], 5, rr.errors.ArgumentError, "counts must"),
        (
            [rr.k_rr(YES_NO, 1), rr.k_rr(3, 1)],
            [[1, 2], [3, 4, 5]],
            rr.errors.CategoryError,
            "categories",
        ),
        (
            [rr.k_rr(YES_NO, 1), rr.warner(0.8)],
            [[1, 2], [3, -4]],
            rr.errors.CountsError,
            r"counts\[1\]",
        ),
        (
            [rr.k_rr(YES_NO, 1), rr.DesignMatrix([[0.7, 0.2], [0.3, 0.8], [0, 0]], YES_NO)],
            [[1, 2], [3, 4, 1]],
            rr.errors.CountsError,
            r"counts\[1\] must be 0 for reports never made",
        ),
        (
            [FIRST_OR_NOT, rr.k_rr(3, 1)],
            [[1, 2], [0, 0, 0]],
            rr.errors.NotIdentifiableError,
            "independent",
        ),
    ],
)
def test_refuses_what_cannot_be_pooled(designs, counts, error, words):
    with pytest.raises(error, match=words):
        rr.estimate_strata(designs, counts)


def test_reports_that_a_stratum_cannot_have_made_are_called_implausible():
    result = rr.estimate_strata([rr.warner(0.9), rr.warner(0.8)], [[300, 300], [400, 0]])
    assert [note.code for note in result.notes if note.code == "implausible"] == ["implausible"]
    fair = rr.estimate_strata([rr.warner(0.9), rr.warner(0.8)], [[300, 300], [200, 200]])
    assert not fair.notes
