"""The item count technique, beside R's package list 9.2.6 and beside direct maximisation."""

from itertools import product
from math import comb, factorial

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2

from rr_engine import DesignMatrix, k_rr, list_experiment
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError, CountsError, DesignError
from rr_engine.item_count import list_bounds, list_privacy
from rr_engine.library.item_count.tables import check_lists
from rr_engine.library.item_count.types import (
    likelihood_interval,
    moments,
    most_likely,
    type_columns,
)

# The 1991 National Race and Politics Survey: data sets `race` and `affirm` of R's list. Its page of
# ict.test prints the shares below; with the sizes of the groups they fix every count.
CONTROL = [8, 132, 222, 227]
# Keeps the logarithm of a general optimiser finite.
TINY = 1e-300
RACE, AFFIRM = [19, 123, 229, 219, 34], [9, 78, 172, 184, 139]
PRINTED = {
    "race": (
        RACE,
        [0.0304, 0.2140, 0.3569, 0.3309, -0.0169, 0.0101, 0.0200, 0.0545],
        [0.0069, 0.0174, 0.0263, 0.0220, 0.0084, 0.0243, 0.0281, 0.0091],
    ),
    "affirm": (
        AFFIRM,
        [0.0155, 0.1359, 0.2073, 0.1466, -0.0019, 0.0882, 0.1696, 0.2388],
        [0.0051, 0.0155, 0.0271, 0.0267, 0.0070, 0.0229, 0.0287, 0.0177],
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_types_and_errors_are_those_that_list_prints(name):
    treatment, values, errors = PRINTED[name]
    found = list_experiment(CONTROL, treatment)
    assert found.types.T.ravel() == pytest.approx(values, abs=5.01e-5)
    # The package divides by n, these errors by n - 1.
    assert found.type_standard_errors.T.ravel() == pytest.approx(errors, abs=8e-5)


def test_the_difference_in_means_is_that_of_t_test():
    short = np.repeat(range(4), CONTROL)
    long = np.repeat(range(5), RACE)
    found = list_experiment(CONTROL, RACE)
    assert found.prevalence == pytest.approx(long.mean() - short.mean())
    error = np.sqrt(long.var(ddof=1) / len(long) + short.var(ddof=1) / len(short))
    assert found.standard_error == pytest.approx(error)
    assert found.interval == pytest.approx(found.prevalence + error * 1.959964 * np.array([-1, 1]))
    # Imai (2011) and Blair and Imai (2012) print 6.8 % for the black family.
    assert round(found.prevalence, 3) == 0.068


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def largest(tables, prevalence=None):
    """Return the largest log-likelihood by a general optimiser, the prevalence fixed or free."""
    size = tables.items + 1
    columns = type_columns(tables)

    def fall(logits):
        types = softmax(logits)
        if prevalence is not None:
            halves = softmax(logits[:size]), softmax(logits[size:])
            types = np.concatenate([(1 - prevalence) * halves[0], prevalence * halves[1]])
        pairs = zip(columns, (tables.control, tables.treatment), strict=True)
        return -sum(
            counts[counts > 0] @ np.log((c @ types)[counts > 0] + TINY) for c, counts in pairs
        )

    starts = np.random.default_rng(1).normal(size=(3, 2 * size))
    return -min(minimize(fall, start, tol=1e-12).fun for start in starts)


@pytest.mark.parametrize(
    ("treatment", "design"), [(RACE, None), (AFFIRM, None), (AFFIRM, k_rr(5, 3))]
)
def test_the_likelihood_is_at_its_top_and_the_interval_ends_where_it_has_fallen(treatment, design):
    control = CONTROL if design is None else [*CONTROL, 40]
    found = list_experiment(control, treatment, design=design)
    tables = check_lists(control, treatment, design)
    likely = most_likely(tables)
    pairs = zip(type_columns(tables), (tables.control, tables.treatment), strict=True)
    top = sum(
        counts[counts > 0] @ np.log((columns @ likely)[counts > 0]) for columns, counts in pairs
    )
    assert top == pytest.approx(largest(tables), abs=2e-4)
    assert found.maximum_likelihood == pytest.approx(likely[tables.items + 1 :].sum())
    assert found.likelihood_types.sum() == pytest.approx(1)
    for end in likelihood_interval(tables, 0.95):
        assert 0 < end < 1
        assert 2 * (top - largest(tables, end)) == pytest.approx(chi2.isf(0.05, 1), abs=1e-3)


def test_the_possible_interval_holds_both_inside_the_range():
    found = list_experiment(CONTROL, RACE)
    likely = likelihood_interval(check_lists(CONTROL, RACE, None), 0.95)
    assert found.interval[0] < 0 < likely[0]
    assert found.possible_interval == pytest.approx((0, max(likely[1], found.interval[1])))


def test_without_a_negative_type_both_estimates_are_one():
    found = list_experiment([30, 40, 30], [20, 35, 30, 15])
    assert found.types.min() > 0
    assert found.maximum_likelihood == pytest.approx(found.prevalence)
    assert found.likelihood_types == pytest.approx(found.types)
    assert found.possible_interval == pytest.approx(found.interval, abs=0.02)


def outcomes(n, chances):
    """Return all counts of n reports with their chances."""
    tables = [t for t in product(range(n + 1), repeat=len(chances)) if sum(t) == n]
    ways = [factorial(n) / np.prod([factorial(c) for c in table]) for table in tables]
    return [
        (np.array(table), way * np.prod(np.power(chances, table)))
        for table, way in zip(tables, ways, strict=True)
    ]


@pytest.mark.parametrize("design", [direct(3), k_rr(3, 1), DesignMatrix(np.eye(3)[[2, 0, 1]])])
def test_types_and_their_covariance_are_unbiased(design):
    # Every outcome of two groups of three people; a third of those with one item has the trait.
    types = np.array([0.3, 0.4, 0.1, 0.2])
    matrix = design.matrix
    short = matrix[:, :2] @ (types[:2] + types[2:])
    long = matrix[:, :2] @ types[:2] + matrix[:, 1:] @ types[2:]
    mean, square, spread = np.zeros(4), np.zeros((4, 4)), np.zeros((4, 4))
    for (control, first), (treatment, second) in product(outcomes(3, short), outcomes(3, long)):
        values, covariance = moments(check_lists(control, treatment, design))
        chance = first * second
        mean += chance * values
        square += chance * np.outer(values, values)
        spread += chance * covariance
    assert mean == pytest.approx(types, abs=1e-12)
    assert spread == pytest.approx(square - np.outer(mean, mean), abs=1e-12)


def test_expected_reports_through_a_device_give_the_truth():
    # Counts of four items, a quarter with the trait whatever the count.
    design, size = k_rr(6, 2), 10**7
    count = np.array([comb(4, c) for c in range(5)]) / 16
    short = design.matrix[:, :5] @ count
    long = 0.75 * short + 0.25 * design.matrix[:, 1:] @ count
    tables = [np.rint(size * shares).astype(int) for shares in (short, long)]
    found = list_experiment(*tables, design=design)
    assert found.prevalence == pytest.approx(0.25, abs=1e-5)
    assert found.maximum_likelihood == pytest.approx(0.25, abs=1e-4)
    assert found.types[:, 1] == pytest.approx(0.25 * count, abs=1e-5)
    assert "count_reveals" not in {note.code for note in found.notes}


def test_a_device_costs_precision():
    told = list_experiment([10, 40, 50], [5, 30, 40, 25])
    hidden = list_experiment([10, 40, 50, 0], [5, 30, 40, 25], design=direct(4))
    assert hidden.prevalence == pytest.approx(told.prevalence)
    assert hidden.standard_error == pytest.approx(told.standard_error)
    noisy = list_experiment([30, 30, 30, 10], [20, 30, 25, 25], design=k_rr(4, 1))
    assert noisy.standard_error > 2 * told.standard_error


@pytest.mark.parametrize(
    ("code", "control", "treatment"),
    [
        ("no_reports", [0, 0], [1, 1, 1]),
        ("one_report", [0, 1], [3, 2, 1]),
        ("all_alike", [0, 9], [3, 2, 4]),
        ("outside_range", [10, 50], [40, 20, 0]),
        ("negative_types", [1, 50], [40, 20, 9]),
        ("count_reveals", [10, 50], [9, 40, 20]),
    ],
)
def test_trouble_is_said_and_every_number_is_one(code, control, treatment):
    found = list_experiment(control, treatment)
    assert code in {note.code for note in found.notes}
    numbers = [found.prevalence, found.standard_error, *found.interval, *found.possible_interval]
    assert not np.isnan(numbers).any()
    assert not np.isnan(found.type_standard_errors).any()
    low, high = found.possible_interval
    assert 0 <= low <= found.maximum_likelihood <= high <= 1
    if code in ("no_reports", "one_report"):
        assert found.interval == (0, 1)


def test_bounds_add_the_liars_who_can_be_there():
    # Half of those with the trait and all other items, or none, count as those without it.
    types = np.array([[0.2, 0.1], [0.2, 0.2], [0.1, 0.2]])
    said = types.copy()
    for row in (0, 2):
        said[row] += [0.1, -0.1]
    short = np.rint(10**6 * types.sum(axis=1)).astype(int)
    long = np.rint(10**6 * (np.append(said[:, 0], 0) + np.append(0, said[:, 1]))).astype(int)
    found = list_bounds(short, long)
    assert found.lower == pytest.approx(0.3, abs=1e-6)
    assert found.ceiling == pytest.approx(0.3 + 0.2, abs=1e-6)
    assert found.floor == pytest.approx(0.3 + 0.3, abs=1e-6)
    assert found.upper == pytest.approx(0.3 + 0.5, abs=1e-6)
    assert found.lower <= types[:, 1].sum() <= found.upper


def test_the_errors_of_bounds_are_those_of_sums_of_shares():
    found = list_bounds(CONTROL, AFFIRM)
    first, second = (np.array(counts) / sum(counts) for counts in (CONTROL, AFFIRM))
    weights = [np.arange(4.0), np.arange(5.0)]
    assert found.lower == pytest.approx(second @ weights[1] - first @ weights[0])
    # With both kinds: those at J of the control group are added, those at J + 1 taken away.
    weights[0][3] -= 1
    weights[1] += [1, 0, 0, 0, -1]
    squares = [
        (w**2 @ share - (w @ share) ** 2) / (n - 1)
        for w, share, n in zip(weights, (first, second), (589, 582), strict=True)
    ]
    assert found.upper == pytest.approx(second @ weights[1] - first @ weights[0])
    assert found.standard_errors[1] == pytest.approx(np.sqrt(sum(squares)))
    assert found.interval[1] == pytest.approx(found.upper + 1.959964 * found.standard_errors[1])


def test_privacy_of_a_count():
    told = list_privacy(2, control=[0.25, 0.5, 0.25])
    assert told.epsilon == told.epsilon_given_control == np.inf
    assert (told.reveals_trait, told.reveals_absence) == ((3,), (0,))
    assert told.ratios.tolist() == [0, 0.5, 2, np.inf]
    assert {note.code for note in told.notes} == {"count_reveals"}
    hidden = list_privacy(2, k_rr(4, "1.5"), control=[0, 1, 0])
    assert hidden.epsilon == pytest.approx(1.5)
    # Somebody who knows that one other item is true sees the whole device.
    assert hidden.epsilon_given_control == pytest.approx(1.5)
    assert not hidden.notes
    assert (hidden.reveals_trait, hidden.reveals_absence) == ((), ())


def test_refuses_what_is_no_list():
    with pytest.raises(CountsError, match="treatment must have one entry for each of the 4"):
        list_experiment([1, 2, 3], [1, 2, 3])
    with pytest.raises(DesignError, match="3 to 22 truths"):
        list_experiment([1, 2], [1, 2], design=direct(2))
    with pytest.raises(CountsError, match="at least two people"):
        list_bounds([1, 0], [2, 2, 2])
    with pytest.raises(CountsError, match="at most 21 entries"):
        list_experiment([1] * 22, [1] * 23)
    with pytest.raises(ArgumentError, match="have 4 truths"):
        list_privacy(2, k_rr(5, 1))
