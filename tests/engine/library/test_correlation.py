"""Correlations of randomized answers: against the joint table, closed forms, and the jackknife."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

import rr_engine as rr
from rr_engine import correlation
from rr_engine.association import correlation_matrix
from rr_engine.library.correlation.correlation import _fieller, score_column
from tests.engine.predictor_coverage import asked, correlated


def items(n=600, seed=1, missing=0.0):
    """Return two related items, through devices that differ, and a number related to both."""
    rng = np.random.default_rng(seed)
    first = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    second = (rng.random(n) < 0.2 + 0.3 * first).astype(int)
    which = rng.integers(0, 2, n)
    return (
        asked(rng, first, [rr.k_rr(3, 2), rr.designs.direct(3)], which, missing),
        asked(rng, second, [rr.warner(0.8)], None, missing),
        40 + 10 * first + 15 * rng.normal(size=n),
    )


def test_a_table_of_two_items_gives_the_same():
    counts, designs = np.array([[180, 90], [90, 90], [65, 85]]), [rr.k_rr(3, 2), rr.warner(0.8)]
    codes = np.repeat(np.indices((3, 2)).reshape(2, -1), counts.ravel(), axis=1)
    reports = [rr.models.ReportLikelihoods(*pair) for pair in zip(designs, codes, strict=True)]
    found = correlation(*reports, first_scores=[1, 2, 4])
    expected = rr.association.pearson_correlation(rr.estimate_joint(designs, counts), [1, 2, 4])
    assert found.value == pytest.approx(expected.value)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-9)
    assert found.n == 600


def test_numbers_that_are_known_have_pearsons_correlation():
    rng = np.random.default_rng(5)
    x = rng.normal(size=200)
    y = 1e6 + 0.5 * x + rng.normal(size=200)
    found = correlation(x, y)
    assert found.value == pytest.approx(np.corrcoef(x, y)[0, 1], rel=1e-8)
    # The asymptotic variance of moments (Steiger & Hakstian 1982, Eq. 3.4).
    u, v = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
    r = found.value
    variance = ((u * v - r / 2 * (u**2 + v**2)) ** 2).sum() / 200 / 199
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_one_device_is_the_correction_of_fox_and_tracy():
    rng = np.random.default_rng(6)
    truth = (rng.random(2000) < 0.3).astype(int)
    y = truth + rng.normal(size=2000)
    item = asked(rng, truth, [rr.warner(0.75)])
    reports = item.row_of
    share = (reports.mean() - 0.25) / 0.5
    # Reports are scores and independent noise: the observed correlation over the square root of
    # the reliability, which is the share of the reports' variance that is the scores'.
    reliability = 0.25 * share * (1 - share) / reports.var()
    expected = np.corrcoef(reports, y)[0, 1] / np.sqrt(reliability)
    assert correlation(item, y).value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("design", [rr.warner(0.7), rr.k_rr(4, 1), rr.designs.direct(3)])
def test_scores_of_reports_are_unbiased_given_the_truth(design):
    reports = rr.models.ReportLikelihoods(design, range(design.tally_size))
    points = np.arange(design.truth_size) ** 2.0
    column = score_column(reports, points, "first", "first_scores")
    scaled = 2 * points / points.max() - 1
    assert design.matrix.T @ column.values == pytest.approx(scaled)
    assert design.matrix.T @ column.squares == pytest.approx(scaled**2)


def test_the_error_is_that_of_the_jackknife():
    first, second, number = items(n=300, missing=0.1)
    for pair in ((first, second), (first, number), (second, number)):
        found = correlation(*pair)
        rows = np.arange(300)
        left = [correlation(*pair, weights=(rows != out).astype(int)).ratio for out in rows]
        spread = np.sqrt(299 / 300 * ((left - np.mean(left)) ** 2).sum())
        assert found.standard_error == pytest.approx(spread, rel=0.05)


def test_who_left_one_answer_out_counts_for_neither():
    first, second, number = items(missing=0.2)
    both = first.reported & second.reported
    found = correlation(first, second)
    weights = np.where(both, 1, 0)
    again = correlation(first, second, weights=weights)
    assert found.n == both.sum() == again.n
    assert found.value == again.value
    assert correlation(first, number).n == first.reported.sum()


def test_order_units_and_repeated_rows_change_nothing():
    first, second, number = items()
    found = correlation(second, number)
    order = np.random.default_rng(2).permutation(600)
    moved = rr.models.ReportLikelihoods(second.designs, second.row_of[order])
    assert correlation(moved, number[order]).value == found.value
    assert correlation(moved, number[order]).standard_error == found.standard_error
    assert correlation(second, 3 - 1e5 * number).value == pytest.approx(-found.value)
    counts = np.random.default_rng(3).integers(0, 3, 600)
    rows = np.repeat(np.arange(600), counts)
    repeated = correlation(
        rr.models.ReportLikelihoods(second.designs, second.row_of[rows]), number[rows]
    )
    assert correlation(second, number, weights=counts).value == pytest.approx(repeated.value)
    assert correlation(first, second).value == pytest.approx(correlation(second, first).value)


def test_clusters_of_a_sample_widen_the_error():
    rng = np.random.default_rng(4)
    town = np.repeat(rng.normal(size=60), 10)
    item = asked(rng, (town + rng.normal(size=600) > 0).astype(int), [rr.warner(0.9)])
    number = town + rng.normal(size=600) / 2
    alone = correlation(item, number)
    sample = rr.SurveySample(clusters=np.repeat(np.arange(60), 10))
    clustered = correlation(item, number, sample=sample)
    assert clustered.value == alone.value
    assert clustered.standard_error > 1.2 * alone.standard_error


def test_the_interval_holds_what_is_not_contradicted():
    first, second, _ = items(n=200)
    found = correlation(first, second)
    low, high = found.interval(0.9)
    for end in (low, high):
        contrast = np.array([1.0, -end])
        error = np.sqrt(contrast @ found.errors @ contrast)
        assert abs(found.ratio - end) == pytest.approx(1.6448536 * error, rel=1e-6)
    assert low < found.value < high
    assert found.p_value == pytest.approx(2 * norm.sf(found.ratio / np.sqrt(found.errors[0, 0])))


FIELLER = {
    "two ends": (0.5, [[0.01, 0], [0, 0.001]], [0.303, 0.701]),
    "cut at one": (0.9, [[0.01, 0], [0, 0.001]], [0.699, 1.0]),
    "nothing is contradicted": (0.1, [[0.5, 0], [0, 0.5]], [-1.0, 1.0]),
    "one side is": (0.9, [[0.05, 0], [0, 0.3]], [0.334, 1.0]),
    "the other is": (-0.9, [[0.05, 0], [0, 0.3]], [-1.0, -0.334]),
}


@pytest.mark.parametrize("name", FIELLER)
def test_intervals_stay_in_the_range(name):
    ratio, errors, expected = FIELLER[name]
    errors = np.array(errors, dtype=float)
    low, high = _fieller(ratio, errors, 3.84)
    assert [low, high] == pytest.approx(expected, abs=0.005)
    inside = [r for r in np.linspace(-1, 1, 401) if low + 1e-9 <= r <= high - 1e-9]
    variances = [errors[0, 0] - 2 * r * errors[0, 1] + r**2 * errors[1, 1] for r in inside]
    gaps = (ratio - np.array(inside)) ** 2
    assert (gaps <= 3.84 * np.array(variances) + 1e-9).all()


def test_what_cannot_be_told_is_said():
    number = np.arange(200.0)
    nobody = rr.models.ReportLikelihoods(rr.warner(0.8), [0] * 180 + [1] * 20)
    found = correlation(nobody, number)
    assert (found.value, found.standard_error, found.p_value) == (0.0, np.inf, 1.0)
    assert [note.code for note in found.notes] == ["no_spread"]
    assert found.interval().tolist() == [-1, 1]
    silent = rr.models.ReportLikelihoods(rr.warner(0.8), [-1] * 199 + [1])
    assert [note.code for note in correlation(silent, number).notes] == ["no_pairs"]
    noisy = rr.models.ReportLikelihoods(rr.warner(0.6), [0, 1] * 100)
    beyond = correlation(noisy, [0, 1] * 100)
    assert beyond.value == 1 < beyond.ratio
    assert "beyond_one" in {note.code for note in beyond.notes}


def test_a_matrix_has_the_correlations_of_each_pair():
    first, second, number = answers = items(missing=0.1)
    found = correlation_matrix(answers, names=["first", "second", "number"])
    pair = correlation(second, number)
    assert found.values[1, 2] == found.values[2, 1] == pair.value
    assert found.standard_errors[2, 1] == pair.standard_error
    assert found.n[1, 2] == pair.n
    assert found.n[0, 0] == first.reported.sum()
    assert found.interval()[1, 2].tolist() == pair.interval().tolist()
    assert found.pair(2, 1).value == pair.value
    assert found.p_values[1, 2] == pair.p_value
    assert np.diag(found.values).tolist() == [1, 1, 1]
    assert found.names == ("first", "second", "number")
    assert found.notes == ()


def test_a_matrix_that_no_answers_can_have_is_said_to_be_one():
    rows = list(product([0, 1], repeat=3))
    # The first agrees with both others, which do not agree with each other.
    table = np.repeat(rows, [131, 131, 131, 108, 108, 131, 131, 131], axis=0)
    noisy = [rr.models.ReportLikelihoods(rr.warner(0.62), table[:, column]) for column in range(3)]
    found = correlation_matrix(noisy)
    assert found.values[0] == pytest.approx([1, 0.8, 0.8], abs=0.05)
    assert found.values[1, 2] == pytest.approx(-0.8, abs=0.05)
    assert "not_positive" in {note.code for note in found.notes}


def test_intervals_cover():
    held = []
    for number in range(150):
        rng = np.random.default_rng([11, number])
        for kind in (False, True):
            low, high = correlated(rng, 1000, 0.75, 0.3, 0.4, kind).interval()
            held.append(low <= 0.4 <= high)
    # 300 intervals at 95 %: a standard error of 1.3 %.
    assert 0.95 - 3 * 0.0126 <= np.mean(held) <= 0.95 + 3 * 0.0126


BAD = {
    "same_answer": lambda item: correlation(item, item),
    "lengths_differ": lambda item: correlation(item, [1, 2]),
    "scores_unusable": lambda item: correlation([1, 2], [2, 3], first_scores=[0, 1]),
    "not_numbers": lambda item: correlation(item, "word"),
    "not_answers": lambda item: correlation_matrix([item]),
    "not_a_sample": lambda item: correlation(item, [1, 2, 3], sample=[1, 2, 3]),
    "labels_do_not_fit": lambda item: correlation_matrix([item, [1, 2, 3]], names=["a", "b", "c"]),
}


@pytest.mark.parametrize("code", BAD)
def test_what_cannot_be_correlated_is_refused(code):
    with pytest.raises(rr.EngineError) as refusal:
        BAD[code](rr.models.ReportLikelihoods(rr.warner(0.8), [0, 1, 1]))
    assert refusal.value.code == code


@pytest.mark.parametrize("kind", ["number", "item"])
def test_two_devices_are_no_worse_than_the_better_of_them(kind):
    """Half of 1,000 people have a device of little noise, half one of much; 300 surveys, seed 5.

    With equal weights the error was 1.2 to 2 times that of the better half alone. What is compared
    is of the same surveys, so that the ratio is known to 3 %.
    """
    rng, found = np.random.default_rng(5), []
    which = np.arange(1000) % 2
    better = which == 0
    for _ in range(300):
        truth = (rng.random(1000) < 0.4).astype(int)
        other = truth + rng.normal(size=1000)
        devices = [rr.warner(0.9), rr.warner(0.65)]
        item = asked(rng, truth, devices, which)
        half = rr.models.ReportLikelihoods(item.designs[0], item.row_of[better])
        second = (
            asked(rng, (other > 0.5).astype(int), [rr.warner(0.9)]) if kind == "item" else other
        )
        second_half = (
            rr.models.ReportLikelihoods(second.designs[0], second.row_of[better])
            if kind == "item"
            else other[better]
        )
        found.append([correlation(item, second).ratio, correlation(half, second_half).ratio])
    both, alone = np.array(found).std(axis=0)
    assert both < 1.03 * alone
    expected = np.sqrt(0.24 / 1.24) if kind == "number" else None
    if expected is not None:
        assert np.mean(found, axis=0) == pytest.approx([expected] * 2, abs=4 * alone / np.sqrt(300))


def test_respondents_count_by_the_reliability_of_their_devices():
    """As in RRreg: people over 1 + noise of each device, relative to the variance of truths."""
    item = rr.models.ReportLikelihoods(
        [rr.warner(0.9), rr.warner(0.65), rr.designs.direct(2)], [0, 1, 1], [0, 1, 2]
    )
    column = score_column(item, None, "first", "first_scores")
    noise = [0.9 * 0.1 / 0.8**2, 0.65 * 0.35 / 0.3**2, 0]
    assert column.reliability == pytest.approx([0.25 / (0.25 + part) for part in noise])
    assert score_column([1, 2, 5], None, "first", "first_scores").reliability.tolist() == [1, 1, 1]
