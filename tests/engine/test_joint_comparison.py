"""One budget spent in several ways: expected errors against dense devices and enumeration."""

from dataclasses import astuple
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb, log, prod, sqrt

import numpy as np
import pytest

import rr_engine as rr
from rr_engine import check
from rr_engine.optimisation.subset_sizes import (
    MOST_SUBSETS,
    best_subset_size,
    listed_subset_size,
    minimax_value,
)
from rr_engine.precision import left_inverse
from tests.engine.engine_cases import outcomes

GUESSES = {
    (2, 2): [[0.9, 0.1], [0.3, 0.7]],
    (2, 3): [[0.2, 0.8], [0.6, 0.3, 0.1]],
    (3, 2, 4): [[0.5, 0.3, 0.2], [0.95, 0.05], [0.1, 0.2, 0.3, 0.4]],
}
SETTINGS = [((2, 2), "1"), ((2, 3), "0.3"), ((2, 3), "3"), ((3, 2, 4), "1.5"), ((3, 2, 4), "5")]
ROUNDING = {"rel": 1e-6}


def dense_device(way, sizes, epsilon):
    """Return the device of a way as a table over all combinations."""
    if way.way == "independent":
        part = float(epsilon) / len(sizes)
        each = [
            rr.designs.subset_selection(r, part, k).matrix
            for r, k in zip(sizes, way.subset_sizes, strict=True)
        ]
        return reduce(np.kron, each)
    if way.way == "subsets":
        return rr.designs.subset_selection(prod(sizes), epsilon, way.subset_sizes[0]).matrix
    form = {"changes": "changes", "uniform": "uniform"}[way.way]
    return rr.channels.joint_design(sizes, epsilon=epsilon, form=form).matrix


def sums_of(sizes, axes):
    """Return the cells that each cell of a margin sums, as rows."""
    return reduce(
        np.kron, [np.eye(r) if axis in axes else np.ones((1, r)) for axis, r in enumerate(sizes)]
    )


def errors_of(table, sizes, shares, n):
    """Return the errors of margins, pairs and table from the whole inverse of a device."""
    inverse, reported = left_inverse(table), table @ shares
    found = []
    for size in (1, 2, len(sizes)):
        total, cells = 0.0, 0
        for axes in combinations(range(len(sizes)), size):
            sums = sums_of(sizes, axes)
            total += ((sums @ inverse) ** 2 @ reported - (sums @ shares) ** 2).sum()
            cells += len(sums)
        found.append(sqrt(total / cells / n))
    return found


@pytest.mark.parametrize("guessed", [False, True])
@pytest.mark.parametrize(("sizes", "epsilon"), SETTINGS)
def test_errors_are_those_of_the_dense_devices(sizes, epsilon, guessed):
    guess = GUESSES[sizes] if guessed else None
    lists = guess or [np.full(r, 1 / r) for r in sizes]
    shares = reduce(np.kron, lists)
    for way in rr.spending.compare_joint(sizes, epsilon, 250, guess):
        table = dense_device(way, sizes, epsilon)
        expected = errors_of(table, sizes, shares, 250)
        assert [way.margins, way.pairs, way.table] == pytest.approx(expected, **ROUNDING), way
        for axis, error in enumerate(way.questions):
            sums = sums_of(sizes, (axis,))
            scores = sums @ left_inverse(table)
            variances = scores**2 @ (table @ shares) - (sums @ shares) ** 2
            assert error == pytest.approx(sqrt(variances.mean() / 250), **ROUNDING)


@pytest.mark.parametrize(
    ("sizes", "epsilon", "n"), [((2, 2), "1.2", 3), ((2, 2), "0.3", 3), ((2, 3), "3", 2)]
)
def test_errors_are_the_means_over_all_surveys(sizes, epsilon, n):
    """Squared errors of the estimates of `n` people, over everything they can report."""
    shares = reduce(np.kron, GUESSES[sizes])
    for way in rr.spending.compare_joint(sizes, epsilon, n, GUESSES[sizes]):
        design = rr.DesignMatrix(dense_device(way, sizes, epsilon))
        squares = dict.fromkeys(((0,), (1,), (0, 1)), 0.0)
        for counts, chance in outcomes(design.matrix @ shares, n):
            wrong = rr.estimate(design, counts).proportions - shares
            for axes in squares:
                squares[axes] += chance * (sums_of(sizes, axes) @ wrong) ** 2
        margins = np.concatenate([squares[0,], squares[1,]])
        assert way.margins == pytest.approx(sqrt(margins.mean()), **ROUNDING)
        assert way.pairs == way.table == pytest.approx(sqrt(squares[0, 1].mean()), **ROUNDING)


@pytest.mark.parametrize(("sizes", "epsilon"), SETTINGS)
def test_all_ways_spend_no_more_than_the_budget(sizes, epsilon):
    budget = float(epsilon)
    for way in rr.spending.compare_joint(sizes, epsilon, 100):
        table = dense_device(way, sizes, epsilon)
        ratios = table.max(axis=1) / table.min(axis=1)
        assert log(ratios.max()) == pytest.approx(budget, rel=1e-5)


def test_each_target_has_one_best_way():
    for sizes in ((2, 2), (5, 5, 5), (9, 16, 5), (2,) * 8):
        for epsilon in ("0.3", "2", "6", "12"):
            ways = rr.spending.compare_joint(sizes, epsilon, 1000, bits=40)
            assert sorted(sum((way.best_for for way in ways), ())) == ["margins", "pairs", "table"]
            for way in ways:
                for target in way.best_for:
                    assert getattr(way, target) == min(getattr(each, target) for each in ways)


def test_ways_that_do_not_exist_are_left_out():
    def names(sizes, epsilon):
        return [way.way for way in rr.spending.compare_joint(sizes, epsilon, 1000, bits=40)]

    assert names((3, 3, 3), log(3) - 1e-3) == ["independent", "uniform", "subsets"]
    assert names((3, 3, 3), log(3) + 1e-3) == ["independent", "changes", "uniform", "subsets"]
    # The best report names one of so few combinations, or there is no list of so many pairs.
    assert names((2, 2), "3") == ["independent", "changes", "uniform"]
    assert "subsets" in names((10, 20), "2")
    assert "subsets" not in names((3, 67), "2")


@pytest.mark.parametrize("size", [2, 5, 14, 40, 200, 201])
@pytest.mark.parametrize("epsilon", ["0.05", "1", "4"])
def test_the_best_subsets_that_can_be_listed(size, epsilon):
    budget = check.epsilon(epsilon)
    found = listed_subset_size(size, budget)
    listed = [k for k in range(1, size) if comb(size, k) <= MOST_SUBSETS]
    assert minimax_value(size, budget, found) == min(minimax_value(size, budget, k) for k in listed)
    if comb(size, best_subset_size(size, budget)) <= MOST_SUBSETS:
        assert found == best_subset_size(size, budget)


def test_errors_fall_as_the_root_of_the_respondents():
    few, many = (rr.spending.compare_joint((3, 4), 2, n) for n in (100, 10_000))
    for one, other in zip(few, many, strict=True):
        assert np.divide(one.questions, other.questions) == pytest.approx(10)
        assert [one.margins, one.table] == pytest.approx([10 * other.margins, 10 * other.table])
        assert astuple(one)[:2] == astuple(other)[:2]


def test_twenty_questions_and_thirty_thousand_cells_take_milliseconds_of_work():
    for sizes in ((2,) * 16, (9, 16, 5, 42)):
        ways = {way.way: way for way in rr.spending.compare_joint(sizes, "9", 5_000, bits=52)}
        assert ways["uniform"].table < ways["changes"].table < ways["independent"].table


@pytest.mark.parametrize(
    ("changed", "kind", "code"),
    [
        ({"sizes": (4,)}, rr.errors.ArgumentError, "sizes_missing"),
        ({"sizes": (4, 1)}, rr.errors.ArgumentError, "out_of_range"),
        ({"sizes": (2,) * 26}, rr.errors.DesignError, "too_many_cells"),
        ({"epsilon": 0}, rr.errors.EpsilonError, "not_an_epsilon"),
        ({"n": 0}, rr.errors.ArgumentError, "out_of_range"),
        ({"bits": 3}, rr.errors.DesignError, "too_few_bits"),
        ({"proportions": [[0.5, 0.5]]}, rr.errors.DistributionError, "not_a_distribution"),
        (
            {"proportions": [[0.5, 0.5], [0.5, 0.5]]},
            rr.errors.DistributionError,
            "not_a_distribution",
        ),
        (
            {"proportions": [[0.5, 0.5], [0.5, 0.4, 0.2]]},
            rr.errors.DistributionError,
            "shares_do_not_sum",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(changed, kind, code):
    with pytest.raises(kind) as error:
        rr.spending.compare_joint(**{"sizes": (2, 3), "epsilon": 1, "n": 100, **changed})
    assert error.value.code == code
    assert error.value.argument.split("[")[0] in changed


def test_the_parts_of_independent_devices_keep_the_budget_exactly():
    """A third of 1 has no last digit."""
    (independent, *_) = rr.spending.compare_joint((2, 2, 2), 1, 100)
    ratio = rr.k_rr(2, "0.3333333333333333333333333333").quantized().likelihood_ratio_bound
    gap = float((ratio - 1) / (ratio + 1))
    assert independent.subset_sizes == (1, 1, 1)
    expected = sqrt((1 / gap**2 + 1) / 2 - 0.5) / sqrt(2 * 100)
    assert independent.questions[0] == pytest.approx(expected, rel=1e-9)
    assert ratio**3 < Fraction(2718281828459046, 10**15)
