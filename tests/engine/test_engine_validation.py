from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    CategoryError,
    CountsError,
    DesignError,
    DesignMatrix,
    DistributionError,
    EngineError,
    EpsilonError,
    direct,
    estimate,
    k_rr,
    margin_of_error,
    randomize,
    sample_size,
    simulate_counts,
    warner,
)
from rr_engine.validation import check_epsilon

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "epsilon",
    [
        0,
        -1,
        "0",
        "-0.1",
        NAN,
        INF,
        -INF,
        "nan",
        "inf",
        Decimal("NaN"),
        Decimal("Infinity"),
        True,
        False,
        np.True_,
        None,
        "",
        "one",
        "1,5",
        " 1",
        "1_0",
        "١",
        [1],
        1j,
        701,
        "1e9",
        1e-300,
        "1e99999999",
    ],
)
def test_refuses_epsilon(epsilon):
    with pytest.raises(EpsilonError) as caught:
        k_rr(3, epsilon)
    assert caught.value.argument == "epsilon"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (1.1, "1.1"),
        ("1.1", "1.1"),
        (Decimal("1.10"), "1.1"),
        (np.float64(0.1), "0.1"),
        (2, "2"),
        (np.int64(2), "2"),
        ("1e-3", "0.001"),
        (Fraction(1, 4), "0.25"),
    ],
)
def test_epsilon_is_the_decimal_that_was_written(written, meant):
    assert check_epsilon(written) == Decimal(meant)


@pytest.mark.parametrize(
    "categories",
    [
        1,
        0,
        -2,
        True,
        2.0,
        None,
        "ab",
        b"ab",
        [],
        ["a"],
        ["a", "a"],
        ["a", ""],
        ["a", 1],
        [None] * 2,
    ],
)
def test_refuses_categories(categories):
    for constructor in (lambda: k_rr(categories, 1), lambda: direct(categories)):
        with pytest.raises(CategoryError):
            constructor()


@pytest.mark.parametrize("p", [-0.1, 1.1, NAN, INF, True, "0.5", None])
def test_refuses_probability(p):
    with pytest.raises(ArgumentError) as caught:
        warner(p)
    assert caught.value.argument == "p"


@pytest.mark.parametrize(
    "matrix",
    [
        [[1.0]],
        [[0.5, 0.5]],
        [[0.5], [0.5]],
        [0.5, 0.5],
        3,
        None,
        "abcd",
        [[0.5, 0.5], [0.5]],
        [[0.6, 0.5], [0.5, 0.5]],
        [[1.1, 0.5], [-0.1, 0.5]],
        [[NAN, 0.5], [0.5, 0.5]],
        [[True, False], [False, True]],
        [["1", "0"], ["0", "1"]],
        np.ones((2, 2, 2)) / 2,
    ],
)
def test_refuses_matrix(matrix):
    with pytest.raises(DesignError) as caught:
        DesignMatrix(matrix)
    assert caught.value.argument == "matrix"


@pytest.mark.parametrize(
    ("integers", "denominator"),
    [
        ([[3, 1], [1, 2]], 4),
        ([[5, 1], [-1, 3]], 4),
        ([[3.0, 1.0], [1.0, 3.0]], 4),
        ([[2, 1], [1, 1]], 3),
        ([[3, 1], [1, 3]], True),
        ([[3, 1], [1, 3]], 4.0),
        ([[1, 0], [0, 1]], 0),
        ([[2**53, 0], [0, 2**53]], 2**53),
        ([[3, 1], [1]], 4),
    ],
)
def test_refuses_integer_table(integers, denominator):
    with pytest.raises(EngineError):
        DesignMatrix.from_integers(integers, denominator)


def test_refuses_integers_that_are_not_the_matrix():
    with pytest.raises(DesignError):
        DesignMatrix([[0.5, 0.5], [0.5, 0.5]], integers=[[3, 1], [1, 3]], denominator=4)


@pytest.mark.parametrize(
    "counts",
    [
        [1, 2],
        [1, 2, 3, 4],
        [-1, 2, 3],
        [1.5, 2, 3],
        [NAN, 1, 2],
        [INF, 1, 2],
        ["1", "2", "3"],
        [True, False, True],
        None,
        3,
        [[1, 2, 3]],
        [[1], 2, 3],
        [2**53, 0, 0],
        [2**70, 0, 0],
        [2**52, 2**52, 1],
    ],
)
def test_refuses_counts(counts):
    with pytest.raises(CountsError) as caught:
        estimate(k_rr(3, 1), counts)
    assert caught.value.argument == "counts"


@pytest.mark.parametrize(
    "prior", [[0.5, 0.6], [1.1, -0.1], [1.0], [0.2, 0.3, 0.5], None, 0.5, [NAN, 1], ["0.5", "0.5"]]
)  # fmt: skip
def test_refuses_prior(prior):
    design = k_rr(2, 1)
    for use in (design.posterior, design.privacy, design.worst_posterior):
        with pytest.raises(DistributionError):
            use(prior)
    with pytest.raises(DistributionError):
        design.mse(prior, 10)


@pytest.mark.parametrize("truths", [[0, 3], [-1], [0.5], ["3"], [True], None, [[0]], 0, [None]])
def test_a_value_that_is_no_category_gets_no_report(truths):
    with pytest.raises(CategoryError):
        randomize(k_rr(3, 1), truths)


@pytest.mark.parametrize("n", [0, -1, 1.0, True, "5", None])
def test_refuses_number_of_respondents(n):
    with pytest.raises(ArgumentError):
        margin_of_error(k_rr(2, 1), 0.1, n)
    with pytest.raises(ArgumentError):
        k_rr(2, 1).mse([0.5, 0.5], n)


@pytest.mark.parametrize(
    "call",
    [
        lambda: estimate(k_rr(2, 1), [1, 2], method="guess"),
        lambda: estimate(k_rr(2, 1), [1, 2], population="half"),
        lambda: estimate(k_rr(2, 1), [1, 2]).interval(level=1),
        lambda: estimate(k_rr(2, 1), [1, 2]).interval(level=95),
        lambda: estimate(k_rr(2, 1), [1, 2]).interval(method="best"),
        lambda: estimate(k_rr(2, 1), [1, 2]).interval(method=["exact"]),
        lambda: margin_of_error(k_rr(2, 1), 0.1, 10, category=2),
        lambda: margin_of_error(k_rr(2, 1), 1.1, 10),
        lambda: sample_size(k_rr(2, 1), 0.1, 0),
        lambda: sample_size(k_rr(2, 1), 0.1, NAN),
        lambda: simulate_counts(k_rr(2, 1), [0.5, 0.5], 10, rng="seed"),
        lambda: k_rr(2, 1).quantized(bits=53),
        lambda: k_rr(2, 1).quantized(bits=0),
        lambda: k_rr(2, 1).delta(-1),
        lambda: k_rr(2, 1).delta(NAN),
        lambda: k_rr(2, 1).epsilon_at_most(INF),
    ],
)  # fmt: skip
def test_refuses_other_arguments(call):
    with pytest.raises(EngineError):
        call()


def test_a_number_of_categories_beyond_memory_is_refused_at_once():
    with pytest.raises(CategoryError, match="at most 10000"):
        k_rr(10**30, 1)
