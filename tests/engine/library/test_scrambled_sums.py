"""Means and totals of scrambled reports, against every sample and every outcome of the device."""

from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest

import rr_engine
from rr_engine import SurveySample, estimate, warner
from rr_engine.sampling import estimate_mean, estimate_total

CARDS = rr_engine.quantities.Scrambling.from_cards([0, 4], [0.75, 0.25])
PEOPLE = [1.0, 4.0, 2.5, 8.0]
DESIGNS = [
    rr_engine.quantities.Eriksson(0.6, CARDS),
    rr_engine.quantities.EichhornHayre(rr_engine.quantities.Scrambling.from_cards([0.5, 1, 2])),
]


def mean_of(design, reports):
    return estimate_mean(design.scores(reports), SurveySample(n=len(reports)))


def every_survey(design, sample, pairs):
    """All samples of two people with all reports that these can make: chance, total, variance."""
    lines = [tuple(map(float, card)) for branch in design.branches() for card in branch.cards()]
    found = []
    for (one, two), chance in pairs.items():
        for (a, b, first), (c, d, second) in product(lines, repeat=2):
            scores = design.scores([a * PEOPLE[one] + b, c * PEOPLE[two] + d])
            total = estimate_total(scores, sample(one, two))
            row = total.values[0], total.covariance[0, 0], total.randomization_covariance[0, 0]
            found.append((chance * first * second, *row))
    return np.array(found).T


@pytest.mark.parametrize("design", DESIGNS)
def test_a_total_and_its_variance_are_unbiased_over_samples_and_devices(design):
    pairs = dict.fromkeys(combinations(range(4), 2), 1 / 6)

    def sample(*_):
        return SurveySample([2, 2], population=4)

    chances, totals, variances, device = every_survey(design, sample, pairs)
    assert chances @ totals == pytest.approx(sum(PEOPLE))
    assert chances @ variances == pytest.approx(chances @ (totals - sum(PEOPLE)) ** 2)
    assert chances @ device == pytest.approx(2 * design.device_variance(PEOPLE).sum())


@pytest.mark.parametrize("design", DESIGNS)
def test_unequal_chances_with_joint_ones_are_exact_too(design):
    pairs = {(0, 1): 0.1, (0, 2): 0.1, (0, 3): 0.2, (1, 2): 0.1, (1, 3): 0.2, (2, 3): 0.3}
    own = [sum(share for pair, share in pairs.items() if one in pair) for one in range(4)]

    def sample(one, two):
        joint = pairs[(one, two)]
        return rr_engine.sampling.ProbabilitySample(
            [own[one], own[two]], [[own[one], joint], [joint, own[two]]]
        )

    chances, totals, variances, _ = every_survey(design, sample, pairs)
    assert chances @ totals == pytest.approx(sum(PEOPLE))
    assert chances @ variances == pytest.approx(chances @ (totals - sum(PEOPLE)) ** 2)


def test_a_census_has_the_error_of_the_device_alone():
    design = rr_engine.quantities.Eriksson(0.6, CARDS)
    found = estimate_mean(design.scores([1, 4, 4, 0]), SurveySample(n=4, population=4))
    own = design.variance_estimates([1, 4, 4, 0])
    assert found.standard_errors[0] == pytest.approx(sqrt(own.sum()) / 4)
    assert rr_engine.quantities.equivalent_direct_n(found) == (None,)


def test_unequal_chances_add_up_as_in_rrtcs():
    """`Estimator` of RRTCS 0.0.4: weighted sums and Deville's variance, and the device's on top."""
    design, reports = (
        rr_engine.quantities.Saha(
            rr_engine.quantities.Scrambling(1.5, 0.25), rr_engine.quantities.Scrambling(5.5, 2)
        ),
        np.array([9.0, 14, 30, 21]),
    )
    chances = np.array([0.1, 0.2, 0.4, 0.25])
    found = estimate_total(design.scores(reports), rr_engine.sampling.ProbabilitySample(chances))
    scores, own = design.transform(reports), design.variance_estimates(reports)
    assert found.values[0] == pytest.approx((scores / chances).sum())
    shares = (1 - chances) / (1 - chances).sum()
    middle = (shares * scores / chances).sum()
    free = 1 - (shares**2).sum()
    deville = ((1 - chances) * (scores / chances - middle) ** 2).sum() / free
    # RRTCS adds own / chances; what Deville's form leaves out of each square is this.
    left_out = 1 - (1 - chances) * (1 - shares) / free
    more = (own / chances**2 * left_out).sum()
    assert found.covariance[0, 0] == pytest.approx(deville + more)


def test_a_mean_is_that_of_the_transformed_reports():
    design, reports = (
        rr_engine.quantities.EichhornHayre(rr_engine.quantities.Scrambling(2, 0.5)),
        np.array([2.0, 8, 6, 20]),
    )
    found = mean_of(design, reports)
    assert found.values[0] == 4.5
    assert found.standard_errors[0] == pytest.approx((reports / 2).std(ddof=1) / 2)
    device = design.variance_estimates(reports).mean() / 4
    assert found.randomization_covariance[0, 0] == pytest.approx(device)
    whole = found.covariance[0, 0]
    assert rr_engine.quantities.equivalent_direct_n(found) == (
        pytest.approx(4 * (whole - device) / whole),
    )
    # Reports that are no further apart than the device drives them say nothing of the people.
    assert rr_engine.quantities.equivalent_direct_n(
        mean_of(rr_engine.quantities.Eriksson(0.6, CARDS), [2, 2, 2.1])
    ) == (None,)
    with pytest.raises(rr_engine.errors.ArgumentError):
        rr_engine.quantities.equivalent_direct_n(4.5)


def test_a_yes_no_design_gives_the_estimate_of_its_table():
    line = rr_engine.quantities.LinearScrambling([[1, 0], [-1, 1]], [0.75, 0.25])
    found = mean_of(line, [1] * 42 + [0] * 58)
    table = estimate(warner(0.75), [58, 42])
    assert found.values[0] == pytest.approx(table.proportions[1])
    assert found.standard_errors[0] == pytest.approx(table.standard_errors[1])


def test_christofides_estimates_from_the_mean_of_the_cards():
    """Christofides 2003: (mean - mu) / (L + 1 - 2 mu), the card's variance over its square."""
    chances, counts = [0.1, 0.2, 0.3, 0.2, 0.2], [14, 20, 29, 21, 16]
    marks = np.arange(1, 6)
    mu, spread = marks @ chances, marks**2 @ chances - (marks @ chances) ** 2
    line = rr_engine.quantities.LinearScrambling([[6 - 2 * mark, mark] for mark in marks], chances)
    found = mean_of(line, np.repeat(marks, counts))
    assert found.values[0] == pytest.approx((marks @ counts / 100 - mu) / (6 - 2 * mu))
    assert line.device_variance([0, 1]) == pytest.approx([spread / (6 - 2 * mu) ** 2] * 2)
    assert line.design([0, 1]).matrix == pytest.approx(
        rr_engine.designs.christofides(chances).matrix
    )
    # Every card by itself says more than their mean.
    every = estimate(rr_engine.designs.christofides(chances), counts, prior=[0.8, 0.2])
    assert every.standard_errors[1] < found.standard_errors[0]
    pair = rr_engine.quantities.LinearScrambling([[1, 1], [-1, 2]], [0.3, 0.7])
    assert mean_of(pair, [1] * 30 + [2] * 20).values[0] == pytest.approx(
        estimate(rr_engine.designs.christofides([0.3, 0.7]), [30, 20]).proportions[1]
    )


def test_intervals_cover():
    rng = np.random.default_rng(15)
    design = rr_engine.quantities.Saha(
        rr_engine.quantities.Scrambling(1.5, 0.25, "uniform"),
        rr_engine.quantities.Scrambling(5.5, 2, "uniform"),
    )
    runs, n = 1000, 200
    people = rng.gamma(4, 5, (runs, n))
    reports = design.draw(people.ravel(), rng).reshape(runs, n)
    found = [mean_of(design, row) for row in reports]
    errors = np.array([each.values[0] for each in found]) - 20
    assert abs(errors.mean()) < 3 * errors.std() / sqrt(runs)
    ends = np.array([each.interval()[0] for each in found])
    assert 0.93 < np.mean((ends[:, 0] < 20) & (ends[:, 1] > 20)) < 0.97
