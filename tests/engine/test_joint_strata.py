from functools import reduce

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.kronecker import apply_axes
from tests.engine.engine_cases import outcomes

PAGE = [rr.warner(0.8), rr.k_rr(3, 2)]
COIN = [rr.crosswise(0.25), rr.k_rr(3, 2)]
TABLES = [np.array([[60, 40, 30], [30, 50, 40]]), np.array([[10, 9, 14], [12, 8, 6]])]


def combined(designs) -> rr.DesignMatrix:
    return rr.DesignMatrix(reduce(np.kron, [design.matrix for design in designs]))


def named(designs):
    """Return the devices with numbers for labels, so that they agree."""
    return [rr.DesignMatrix(design.matrix) for design in designs]


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", ["inversion", "mle"])
def test_it_is_the_pooled_estimate_of_the_combinations(method, population):
    strata = [named(PAGE), named(COIN)]
    joint = rr.joint.estimate_joint_strata(strata, TABLES, method, population)
    flat = rr.estimate_strata(
        [combined(designs) for designs in strata],
        [table.ravel() for table in TABLES],
        method,
        population,
    )
    assert joint.n == flat.n == sum(table.sum() for table in TABLES)
    assert np.allclose(joint.proportions.ravel(), flat.proportions, atol=1e-12)
    assert np.allclose(joint.covariance, flat.covariance, atol=1e-15)
    assert np.allclose(joint.interval().reshape(-1, 2), flat.interval())
    assert np.allclose(joint.standard_errors.ravel(), flat.standard_errors)


def test_one_stratum_is_the_joint_estimate():
    pooled = rr.joint.estimate_joint_strata([PAGE], TABLES[:1])
    alone = rr.estimate_joint(PAGE, TABLES[0])
    assert pooled.proportions.tobytes() == alone.proportions.tobytes()
    assert pooled.pooled is None


def test_margins_conditionals_and_differences_use_the_pooled_covariance():
    joint = rr.joint.estimate_joint_strata([named(PAGE), named(COIN)], TABLES)
    row = np.zeros(joint.shape)
    row[1] = 1
    margin = joint.margin(0)
    assert margin.proportions[1] == pytest.approx(joint.proportions[1].sum())
    assert margin.standard_errors[1] ** 2 == pytest.approx(joint.covariance_of(row, row))
    assert np.allclose(joint.margin((1, 0)).standard_errors, joint.standard_errors.T)
    half = 1.959964 * margin.standard_errors
    expected = np.stack([margin.proportions - half, margin.proportions + half], axis=-1)
    assert np.allclose(margin.interval(method="normal"), expected, atol=1e-6)
    shares = joint.conditional(1, 0)
    assert np.allclose(shares.values.sum(axis=1), 1)
    assert np.isfinite(joint.difference(1, 0, 0).interval()).all()


def test_unbiased_over_all_outcomes():
    # Both strata of two people; every pair of tables with its probability.
    strata = [[rr.warner(0.9), rr.warner(0.8)], [rr.warner(0.7), rr.warner(0.9)]]
    truth = np.array([[0.4, 0.2], [0.1, 0.3]])
    every = [
        outcomes(apply_axes([d.matrix for d in designs], truth).ravel(), 2) for designs in strata
    ]
    mean = sum(
        one * two * rr.joint.estimate_joint_strata(
            strata, [first.reshape(2, 2), second.reshape(2, 2)]
        ).proportions
        for first, one in every[0]
        for second, two in every[1]
    )  # fmt: skip
    assert np.allclose(mean, truth, atol=1e-10)


def test_a_stratum_of_nobody_changes_nothing():
    strata = [named(PAGE), named(COIN)]
    joint = rr.joint.estimate_joint_strata(strata, [TABLES[0], np.zeros((2, 3))])
    assert np.allclose(joint.proportions, rr.estimate_joint(PAGE, TABLES[0]).proportions)
    nobody = rr.joint.estimate_joint_strata(strata, [np.zeros((2, 3))] * 2)
    assert nobody.note("no_reports")
    assert np.isinf(nobody.margin(0).standard_errors).all()


@pytest.mark.parametrize(
    ("designs", "counts", "error", "words"),
    [
        ([], [], rr.errors.ArgumentError, "designs must"),
        ([PAGE, named(PAGE)], TABLES, rr.errors.ArgumentError, "same categories"),
        ([PAGE, PAGE], TABLES[:1], rr.errors.CountsError, "counts must have one table"),
        ([PAGE, PAGE], [TABLES[0], [[1]]], rr.errors.CountsError, "shape"),
        ([PAGE, 3], TABLES, rr.errors.ArgumentError, "designs must"),
        (
            [[rr.k_rr(21, 1)] * 2] * 2,
            [np.zeros((21, 21))] * 2,
            rr.errors.ArgumentError,
            "at most 400",
        ),
    ],
)
def test_bad_input_is_named(designs, counts, error, words):
    with pytest.raises(error, match=words):
        rr.joint.estimate_joint_strata(designs, counts)
