"""Two lists for everybody, and a list beside a direct question."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from rr_engine import list_experiment
from rr_engine.errors import CountsError
from rr_engine.item_count import combine_with_direct, double_list_experiment


def people(table):
    """Return one row for each person of a table of counts."""
    return np.repeat(np.indices(np.shape(table)).reshape(2, -1).T, np.ravel(table), axis=0)


FIRST = [[10, 5, 0], [15, 40, 10], [5, 40, 25], [0, 10, 40]]
SECOND = [[10, 20, 5, 0], [5, 35, 45, 10], [0, 5, 30, 35]]


def test_a_double_list_is_the_difference_of_differences_of_each_person():
    a, b = people(FIRST), people(SECOND)
    found = double_list_experiment(FIRST, SECOND)
    gaps = a[:, 0] - a[:, 1], b[:, 0] - b[:, 1]
    assert found.prevalence == pytest.approx((gaps[0].mean() - gaps[1].mean()) / 2)
    error = np.sqrt(sum(gap.var(ddof=1) / len(gap) for gap in gaps)) / 2
    assert found.standard_error == pytest.approx(error)
    sums = a.sum(axis=1), b.sum(axis=1)
    wanted = np.sqrt(sum(total.var(ddof=1) / len(total) for total in sums))
    assert found.difference_standard_error == pytest.approx(wanted)
    z = found.difference / wanted
    assert found.p_value == pytest.approx(2 * norm.sf(abs(z)))


def test_each_list_alone_is_a_list_experiment():
    found = double_list_experiment(FIRST, SECOND)
    lists = [
        list_experiment(np.sum(SECOND, axis=1), np.sum(FIRST, axis=1)),
        list_experiment(np.sum(FIRST, axis=0), np.sum(SECOND, axis=0)),
    ]
    assert found.prevalences == pytest.approx([one.prevalence for one in lists])
    assert found.standard_errors == pytest.approx([one.standard_error for one in lists])
    # Lists that go together leave less than half of the variance of the mean of two.
    assert found.standard_error < 0.75 * max(found.standard_errors) / np.sqrt(2)


def test_lists_that_disagree_are_named():
    shifted = [[30, 5, 0, 0], [30, 40, 10, 0], [5, 40, 25, 5]]
    found = double_list_experiment(FIRST, shifted)
    assert "lists_disagree" in {note.code for note in found.notes}


@pytest.mark.parametrize("empty", [0, 1])
def test_groups_without_variance_are_named(empty):
    tables = [np.array(FIRST), np.array(SECOND)]
    tables[empty] = np.zeros_like(tables[empty])
    found = double_list_experiment(*tables)
    assert {note.code for note in found.notes} == {"no_reports"}
    assert (found.interval, found.p_value) == ((0, 1), 1)
    tables[empty][1, 1] = 1
    found = double_list_experiment(*tables)
    assert {note.code for note in found.notes} == {"one_report"}
    assert not np.isnan([found.prevalence, found.difference, *found.standard_errors]).any()


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(CountsError, match="first must be a table of 5 rows and 3 columns"):
        double_list_experiment(FIRST, [[1] * 4] * 4)


# By type: admits, withholds, is without the trait.
SHORT, LONG = [[30, 60, 40], [10, 30, 20]], [[20, 50, 45, 15], [0, 12, 28, 20]]


def spelled_out(short, long):
    """The combined estimate as R's list 9.2.6 computes it, person by person."""
    a, b = people(short), people(long)
    d = np.concatenate([a[:, 0], b[:, 0]])
    y1, y0 = b[b[:, 0] == 0, 1], a[a[:, 0] == 0, 1]
    value = d.mean() + (1 - d.mean()) * (y1.mean() - y0.mean())
    treated = len(b) / len(d)
    parts = y1.var(ddof=1) / treated + y0.var(ddof=1) / (1 - treated)
    share = d.mean()
    square = (1 - value) ** 2 * share / (1 - share) + (1 - share) * parts
    return value, np.sqrt(square / len(d))


def test_the_combined_estimate_is_that_of_aronow_and_others():
    found = combine_with_direct(SHORT, LONG)
    value, error = spelled_out(SHORT, LONG)
    assert (found.prevalence, found.standard_error) == pytest.approx((value, error))
    alone = list_experiment(np.sum(SHORT, axis=0), np.sum(LONG, axis=0))
    assert found.conventional == pytest.approx(alone.prevalence)
    assert found.conventional_standard_error == pytest.approx(alone.standard_error)
    assert found.standard_error < alone.standard_error


def test_the_direct_share_is_the_one_published():
    # The first experiment of Aronow et al. as R's list prints it: 328 of 500 said yes.
    found = combine_with_direct([[40, 46], [80, 84]], [[30, 30, 26], [0, 82, 82]])
    assert found.direct == pytest.approx(0.656)
    assert found.direct_standard_error == pytest.approx(0.02126576, abs=5e-9)
    assert found.yes_placebo.n == 328
    assert found.direct_placebo.n == 500


def test_placebo_tests_are_two_sided_normal_tests():
    found = combine_with_direct(SHORT, LONG)
    a, b = people(SHORT), people(LONG)
    y1, y0 = b[b[:, 0] == 1, 1], a[a[:, 0] == 1, 1]
    test = found.yes_placebo
    assert test.estimate == pytest.approx(y1.mean() - y0.mean())
    error = np.sqrt(y1.var(ddof=1) / len(y1) + y0.var(ddof=1) / len(y0))
    assert test.standard_error == pytest.approx(error)
    assert test.p_value == pytest.approx(2 * norm.sf(abs(test.estimate - 1) / error))
    moved = found.direct_placebo
    assert moved.estimate == pytest.approx(b[:, 0].mean() - a[:, 0].mean())
    error = np.sqrt(b[:, 0].var(ddof=1) / len(b) + a[:, 0].var(ddof=1) / len(a))
    assert moved.standard_error == pytest.approx(error)


def test_expected_counts_give_the_truth_and_pass_both_tests():
    count, n = np.array([0.2, 0.5, 0.3]), 10**6
    admits, withholds, without = 0.15, 0.1, 0.75
    short = np.array([(withholds + without) * count, admits * count])
    long = np.array(
        [
            np.append(without * count, 0) + np.append(0, withholds * count),
            np.append(0, admits * count),
        ]
    )
    found = combine_with_direct(*(np.rint(n * table).astype(int) for table in (short, long)))
    assert found.prevalence == pytest.approx(0.25, abs=1e-6)
    assert found.conventional == pytest.approx(0.25, abs=1e-6)
    assert found.yes_placebo.estimate == pytest.approx(1, abs=1e-6)
    assert not found.notes


def test_the_error_is_right_over_many_surveys():
    # 2,000 surveys of 150 people in each group, seed 3.
    rng, rounds = np.random.default_rng(3), 2000
    count = np.array([0.2, 0.5, 0.3])
    short = np.concatenate([0.8 * count, 0.2 * count])
    long = np.concatenate([np.append(0.7 * count, 0) + np.append(0, 0.1 * count), [0], 0.2 * count])
    pairs = zip(
        rng.multinomial(150, short, rounds), rng.multinomial(150, long, rounds), strict=True
    )
    found = [combine_with_direct(a.reshape(2, 3), b.reshape(2, 4)) for a, b in pairs]
    values = np.array([one.prevalence for one in found])
    errors = np.array([one.standard_error for one in found])
    assert abs(values.mean() - 0.3) < 3 * values.std() / np.sqrt(rounds)
    assert np.sqrt((errors**2).mean()) == pytest.approx(values.std(), rel=4 / np.sqrt(2 * rounds))
    held = np.mean([one.interval[0] <= 0.3 <= one.interval[1] for one in found])
    assert 0.93 <= held <= 0.97


def test_broken_assumptions_are_named():
    codes = {note.code for note in combine_with_direct(SHORT, [[20, 50, 45, 15], [30] * 4]).notes}
    assert "direct_yes_refuted" in codes
    assert "direct_moved" in codes


@pytest.mark.parametrize(
    ("code", "short", "long"),
    [
        ("no_reports", [[0, 0], [0, 0]], [[1, 1, 1], [1, 1, 1]]),
        ("one_report", [[1, 0], [0, 0]], [[1, 1, 1], [1, 1, 1]]),
        ("nobody_to_compare", [[1, 0], [9, 9]], [[1, 1, 1], [1, 9, 9]]),
    ],
)
def test_trouble_is_said_and_every_number_is_one(code, short, long):
    found = combine_with_direct(short, long)
    assert code in {note.code for note in found.notes}
    assert found.interval == (0, 1)
    numbers = [found.prevalence, found.standard_error, found.direct, found.conventional]
    tests = found.yes_placebo, found.direct_placebo
    numbers += [getattr(t, name) for t, name in product(tests, ("estimate", "p_value"))]
    assert not np.isnan(numbers).any()


def test_where_everybody_admits_the_list_is_not_needed():
    found = combine_with_direct([[0, 0], [5, 5]], [[0, 0, 0], [0, 5, 5]])
    assert (found.prevalence, found.standard_error) == (1, 0)
