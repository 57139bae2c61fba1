"""Means and totals of scrambled reports, against every sample and every outcome of the device."""

from itertools import combinations, product
from math import inf, sqrt

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    EichhornHayre,
    Eriksson,
    LinearScrambling,
    Saha,
    Scrambling,
    christofides,
    estimate,
    scrambled_mean,
    scrambled_total,
    warner,
)

CARDS = Scrambling.from_cards([0, 4], [0.75, 0.25])
PEOPLE = [1.0, 4.0, 2.5, 8.0]


def every_survey(design, estimator):
    """All simple random samples of two of four people, with all reports that these can make."""
    lines = [
        (float(a), float(b), float(c)) for part in design.branches() for a, b, c in part.cards()
    ]
    found = []
    for sample in combinations(PEOPLE, 2):
        for (a, b, first), (c, d, second) in product(lines, repeat=2):
            reports = [a * sample[0] + b, c * sample[1] + d]
            total = scrambled_total(design, reports, population=4, estimator=estimator)
            found.append((first * second / 6, total.value, total.standard_error**2))
    return np.array(found).T


@pytest.mark.parametrize("estimator", ["hajek", "horvitz-thompson"])
@pytest.mark.parametrize(
    "design", [Eriksson(0.6, CARDS), EichhornHayre(Scrambling.from_cards([0.5, 1, 2]))]
)
def test_a_total_and_its_variance_are_unbiased_over_samples_and_devices(design, estimator):
    chances, totals, variances = every_survey(design, estimator)
    assert chances @ totals == pytest.approx(sum(PEOPLE))
    # Deville's variance is exact for equal chances.
    assert chances @ variances == pytest.approx(chances @ (totals - sum(PEOPLE)) ** 2)


def test_a_census_has_the_error_of_the_device_alone():
    design = Eriksson(0.6, CARDS)
    found = scrambled_mean(design, [1, 4, 4, 0], population=4)
    own = design.variance_estimates([1, 4, 4, 0])
    assert found.standard_error == pytest.approx(sqrt(own.sum()) / 4)
    assert found.device_variance == pytest.approx(found.standard_error**2)
    assert found.equivalent_n is None
    assert [note.code for note in found.notes] == ["device_explains_all"]
    assert found.value == scrambled_mean(design, [1, 4, 4, 0], inclusion=[1.0] * 4).value


def test_unequal_chances_as_rrtcs_adds_them_up():
    """`Estimator` of RRTCS 0.0.4: weighted sums, Deville's variance and that of the device."""
    design, reports = Saha(Scrambling(1.5, 0.25), Scrambling(5.5, 2)), np.array([9.0, 14, 30, 21])
    chances = np.array([0.1, 0.2, 0.4, 0.25])
    found = scrambled_total(design, reports, inclusion=chances)
    scores, own = design.transform(reports), design.variance_estimates(reports)
    assert found.value == pytest.approx((scores / chances).sum())
    shares = (1 - chances) / (1 - chances).sum()
    middle = (shares * scores / chances).sum()
    deville = ((1 - chances) * (scores / chances - middle) ** 2).sum() / (1 - (shares**2).sum())
    assert found.standard_error**2 == pytest.approx(deville + (own / chances).sum())
    mean = scrambled_mean(
        design, reports, inclusion=chances, population=25, estimator="horvitz-thompson"
    )
    assert (mean.value * 25, mean.standard_error * 25) == pytest.approx(
        (found.value, found.standard_error)
    )
    # RRTCS divides the half-width by sqrt(n) once more; ours is that of the variance.
    half = 1.959964 * mean.standard_error
    assert mean.interval == pytest.approx((mean.value - half, mean.value + half), rel=1e-6)


def test_hajek_divides_by_the_sum_of_the_weights():
    design, reports = Eriksson(0.6, CARDS), np.array([1.0, 4, 0])
    chances = np.array([0.1, 0.2, 0.25])
    found = scrambled_mean(design, reports, inclusion=chances)
    weights = 1 / chances
    assert found.value == pytest.approx(weights @ design.transform(reports) / weights.sum())
    shifted = scrambled_mean(LinearScrambling([[1, 100]]), reports + 100, inclusion=chances)
    assert shifted.value == pytest.approx(weights @ reports / weights.sum())
    total = scrambled_total(design, reports, inclusion=chances, population=40, estimator="hajek")
    assert total.value == pytest.approx(40 * found.value)
    assert total.standard_error == pytest.approx(40 * found.standard_error)


def test_the_mean_of_an_endless_population_is_that_of_the_transformed_reports():
    design, reports = EichhornHayre(Scrambling(2, 0.5)), np.array([2.0, 8, 6, 20])
    found = scrambled_mean(design, reports)
    scores = reports / 2
    assert found.value == scores.mean()
    assert found.standard_error == pytest.approx(scores.std(ddof=1) / 2)
    assert found.device_variance == pytest.approx(design.variance_estimates(reports).mean() / 4)
    far = scrambled_mean(design, reports, population=10**12)
    assert far.standard_error == pytest.approx(found.standard_error)
    direct = found.standard_error**2 - found.device_variance
    assert found.equivalent_n == pytest.approx(4 * direct / found.standard_error**2)


def test_a_yes_no_design_gives_the_estimate_of_its_table():
    line = LinearScrambling([[1, 0], [-1, 1]], [0.75, 0.25])
    found = scrambled_mean(line, [1] * 42 + [0] * 58)
    table = estimate(warner(0.75), [58, 42])
    assert found.value == pytest.approx(table.proportions[1])
    assert found.standard_error == pytest.approx(table.standard_errors[1])


def test_christofides_estimates_from_the_mean_of_the_cards():
    """Christofides 2003: (mean - mu) / (L + 1 - 2 mu), the card's variance over its square."""
    chances, counts = [0.1, 0.2, 0.3, 0.2, 0.2], [14, 20, 29, 21, 16]
    marks = np.arange(1, 6)
    mu, spread = marks @ chances, marks**2 @ chances - (marks @ chances) ** 2
    line = LinearScrambling([[6 - 2 * mark, mark] for mark in marks], chances)
    found = scrambled_mean(line, np.repeat(marks, counts))
    assert found.value == pytest.approx((marks @ counts / 100 - mu) / (6 - 2 * mu))
    assert line.device_variance([0, 1]) == pytest.approx([spread / (6 - 2 * mu) ** 2] * 2)
    assert line.design([0, 1]).matrix == pytest.approx(christofides(chances).matrix)
    # Every card by itself says more than their mean.
    every = estimate(christofides(chances), counts, prior=[0.8, 0.2])
    assert every.standard_errors[1] < found.standard_error
    pair = LinearScrambling([[1, 1], [-1, 2]], [0.3, 0.7])
    assert scrambled_mean(pair, [1] * 30 + [2] * 20).value == pytest.approx(
        estimate(christofides([0.3, 0.7]), [30, 20]).proportions[1]
    )


def test_what_a_sample_does_not_tell_is_said():
    design = Eriksson(0.6, CARDS)
    one = scrambled_mean(design, [4])
    assert (one.standard_error, one.interval, one.equivalent_n) == (inf, (-inf, inf), None)
    assert [note.code for note in one.notes] == ["one_report"]
    alike = scrambled_mean(design, [4, 4, 4])
    assert (alike.standard_error, alike.equivalent_n) == (0, None)
    assert [note.code for note in alike.notes] == ["all_alike"]
    # Only one person was not certain to be in the sample.
    certain = scrambled_mean(design, [4, 0, 1], inclusion=[1, 1, 0.5])
    assert (certain.standard_error, certain.notes[0].code) == (inf, "one_report")


def test_the_order_of_respondents_changes_no_digit():
    rng = np.random.default_rng(15)
    design = Saha(Scrambling(1.5, 0.25), Scrambling(5.5, 2))
    reports, chances = rng.gamma(4, 9, 200), rng.uniform(0.1, 0.9, 200)
    order = rng.permutation(200)
    for estimator in ("hajek", "horvitz-thompson"):
        given = {"population": 1000, "estimator": estimator}
        found = scrambled_mean(design, reports, inclusion=chances, **given)
        assert found == scrambled_mean(design, reports[order], inclusion=chances[order], **given)


@pytest.mark.parametrize(
    "call",
    [
        lambda design: scrambled_total(design, [1, 2]),
        lambda design: scrambled_total(design, [1, 2], inclusion=[0.5, 0.5], estimator="hajek"),
        lambda design: scrambled_mean(design, [1, 2], estimator="horvitz-thompson"),
    ],
)
def test_a_population_is_asked_for_where_it_is_needed(call):
    with pytest.raises(rr_engine.ArgumentError) as caught:
        call(Eriksson(0.6, CARDS))
    assert caught.value.code == "population_missing"


def test_intervals_cover():
    rng = np.random.default_rng(15)
    design = Saha(Scrambling(1.5, 0.25, "uniform"), Scrambling(5.5, 2, "uniform"))
    runs, n = 1000, 200
    people = rng.gamma(4, 5, (runs, n))
    reports = design.draw(people.ravel(), rng).reshape(runs, n)
    found = [scrambled_mean(design, row) for row in reports]
    errors = np.array([each.value for each in found]) - 20
    assert abs(errors.mean()) < 3 * errors.std() / sqrt(runs)
    assert 0.93 < np.mean([each.interval[0] < 20 < each.interval[1] for each in found]) < 0.97
