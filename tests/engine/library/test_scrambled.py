"""Scrambled designs, against enumeration of all their outcomes and the formulas of the papers."""

from dataclasses import FrozenInstanceError
from math import inf, log, sqrt

import numpy as np
import pytest

import rr_engine
from rr_engine import unrelated_question, warner
from rr_engine.errors import NotIdentifiableError
from tests.engine.scrambled_cases import NAMES, OUTCOMES

TRUE_NUMBERS = (-2.0, 0.0, 1.0, 7.3)
CARD = rr_engine.quantities.Scrambling.from_cards


def outcomes(design, y):
    reports, chances = np.array(OUTCOMES[design](y)).T
    return reports, chances


@pytest.mark.parametrize("design", OUTCOMES, ids=NAMES)
@pytest.mark.parametrize("y", TRUE_NUMBERS)
def test_transformed_reports_are_unbiased_with_the_stated_variance(design, y):
    reports, chances = outcomes(design, y)
    scores = design.transform(reports)
    assert chances @ scores == pytest.approx(y, abs=1e-12)
    variance = chances @ (scores - y) ** 2
    assert design.device_variance([y])[0] == pytest.approx(variance, abs=1e-12)
    assert chances @ design.variance_estimates(reports) == pytest.approx(variance, abs=1e-11)
    assert design.variance_estimates(reports).min() >= 0


@pytest.mark.parametrize("design", OUTCOMES, ids=NAMES)
def test_the_table_and_its_privacy_are_those_of_all_outcomes(design):
    table = design.design([-1, 2, 5])
    expected = {}
    for column, y in enumerate([-1, 2, 5]):
        for report, chance in zip(*outcomes(design, y), strict=True):
            expected.setdefault(round(report, 9), np.zeros(3))[column] += chance
    assert [float(label) for label in table.reports] == pytest.approx(sorted(expected), abs=1e-9)
    rows = np.array([expected[report] for report in sorted(expected)])
    assert table.matrix == pytest.approx(rows, abs=1e-12)
    privacy = design.privacy([5, -1, 2, 2])
    assert privacy.epsilon == table.epsilon == inf
    assert privacy.values == (-1, 2, 5)
    pairs = [rows[rows[:, other] == 0, own].sum() for own in range(3) for other in range(3)]
    assert privacy.delta == pytest.approx(max(pairs), abs=1e-12)
    assert [note.code for note in privacy.notes] == ["infinite_epsilon"]


@pytest.mark.parametrize("design", OUTCOMES, ids=NAMES)
def test_draws_have_the_chances_of_the_table(design):
    reports = design.draw(np.full(20_000, 2.0), rng=15)
    values, counts = np.unique(reports.round(9), return_counts=True)
    expected = {}
    for report, chance in zip(*outcomes(design, 2.0), strict=True):
        expected[round(report, 9)] = expected.get(round(report, 9), 0) + chance
    assert values == pytest.approx(sorted(expected))
    for value, count in zip(sorted(expected), counts, strict=True):
        error = sqrt(20_000 * expected[value] * (1 - expected[value]))
        assert abs(count - 20_000 * expected[value]) < 4 * error + 1e-9


def test_eriksson_is_a_forced_response_over_the_cards():
    design = rr_engine.quantities.Eriksson(0.75, CARD([0, 1, 2, 3, 4]))
    privacy = design.privacy([0, 1, 2, 3, 4])
    # (3/4 + 1/4 * 1/5) / (1/20)
    assert privacy.epsilon == log(16)
    assert (privacy.delta, [note.code for note in privacy.notes]) == (0, ["listed_values"])
    # A number beside the cards gives itself away whenever it is told.
    assert design.privacy([0, 1, 2, 3, 4, 9]).epsilon == inf
    assert design.privacy([0, 1, 2, 3, 4, 9]).delta == 0.75
    uneven = rr_engine.quantities.Eriksson(0.5, CARD([0, 1], [0.75, 0.25]))
    assert uneven.design([0, 1]).matrix.tolist() == unrelated_question(0.5, 0.25).matrix.tolist()


def test_a_sum_with_cards_reveals_the_ends_of_the_range():
    # Only 10 plus the highest card makes 21, and only 0 plus the lowest makes 1.
    pollock_bek = rr_engine.quantities.ChaudhuriChristofides(CARD([1]), CARD(range(1, 12)))
    privacy = pollock_bek.privacy(range(11))
    assert (privacy.epsilon, privacy.delta) == (inf, pytest.approx(10 / 11))


def test_three_numbers_need_a_card_that_ignores_them():
    # Two numbers of one size can hide behind a sign; no three can.
    signs = rr_engine.quantities.EichhornHayre(CARD([-1, 1], [0.25, 0.75]))
    assert signs.privacy([-5, 5]).epsilon == pytest.approx(log(3))
    assert signs.privacy([-5, 0, 5]).epsilon == inf
    assert signs.design([-5, 5]).matrix.tolist() == warner(0.75).matrix.tolist()


def test_decimal_numbers_meet_where_they_are_written_alike():
    design = rr_engine.quantities.LinearScrambling([[1, 0], [3, 0]], [0.5, 0.5])
    assert design.design([0.1, 0.3]).reports == ("0.1", "0.3", "0.9")
    third = rr_engine.quantities.LinearScrambling([[1, 1 / 3], [1, 0]], [0.5, 0.5]).design([0.1, 7])
    assert len(set(third.reports)) == 4


def test_a_distribution_has_no_computed_epsilon():
    design = rr_engine.quantities.Saha(
        rr_engine.quantities.Scrambling(1.5, 0.25, "uniform"),
        rr_engine.quantities.Scrambling(5.5, 2, "uniform"),
    )
    privacy = design.privacy([0, 10])
    assert (privacy.epsilon, privacy.delta) == (inf, 1)
    assert [note.code for note in privacy.notes] == ["not_computed"]
    with pytest.raises(rr_engine.errors.ArgumentError) as caught:
        design.design([0, 10])
    assert caught.value.code == "scrambling_not_listed"


@pytest.mark.parametrize("kind", ["normal", "uniform", "gamma"])
def test_distributions_have_their_mean_and_deviation(kind):
    drawn = rr_engine.quantities.EichhornHayre(rr_engine.quantities.Scrambling(2, 0.5, kind)).draw(
        np.ones(20_000), rng=15
    )
    assert drawn.mean() == pytest.approx(2, abs=4 * 0.5 / sqrt(20_000))
    assert drawn.std() == pytest.approx(0.5, rel=0.03)


def test_an_unknown_distribution_estimates_and_does_not_draw():
    design = rr_engine.quantities.EichhornHayre(rr_engine.quantities.Scrambling(2, 0.5))
    assert design.transform([8]).tolist() == [4]
    with pytest.raises(rr_engine.errors.ArgumentError) as caught:
        design.draw([1.0])
    assert caught.value.code == "distribution_unknown"
    assert rr_engine.quantities.EichhornHayre(rr_engine.quantities.Scrambling(2, 0)).draw(
        [1.0, 3.0]
    ).tolist() == [2, 6]


def rrtcs(z, p, mu, sigma):
    """The transform and variance of RRTCS 0.0.4 (`Quantitative`): y, y S1 + S2 or S3."""
    (p1, p2, p3), (m1, m2, m3), (s1, s2, s3) = p, mu, sigma
    slope = p1 + p2 * m1
    r = (z - p2 * m2 - p3 * m3) / slope
    a = p1 * (1 - p1) + s1**2 * p2 + m1**2 * p2 - m1**2 * p2**2 - 2 * p1 * p2 * m1
    b = 2 * p2 * m1 * m2 - 2 * m1 * m2 * p2**2 - 2 * p1 * p2 * m2
    b -= 2 * m3 * p1 * p3 + 2 * m1 * m3 * p2 * p3
    c = (s2**2 + m2**2) * p2 + (s3**2 + m3**2) * p3 - (m2 * p2 + m3 * p3) ** 2
    return r, (r**2 * a + r * b + c) / slope**2, a / slope**2


S1, S2 = rr_engine.quantities.Scrambling(1.25, 0.5), rr_engine.quantities.Scrambling(6, 3)


@pytest.mark.parametrize(
    ("design", "p", "mu", "sigma"),
    [
        (rr_engine.quantities.Eriksson(0.6, S2), (0.6, 0, 0.4), (0, 0, 6), (0, 0, 3)),
        (rr_engine.quantities.EichhornHayre(S1), (0, 1, 0), (1.25, 0, 0), (0.5, 0, 0)),
        (rr_engine.quantities.BarLev(0.6, S1), (0.6, 0.4, 0), (1.25, 0, 0), (0.5, 0, 0)),
        (rr_engine.quantities.ChaudhuriChristofides(S1, S2), (0, 1, 0), (1.25, 6, 0), (0.5, 3, 0)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_rrtcs_transforms_alike_and_overstates_the_variance(design, p, mu, sigma):
    z = np.array([0.0, 3.0, 12.5, 40.0])
    transformed, variances, excess = rrtcs(z, p, mu, sigma)
    assert design.transform(z) == pytest.approx(transformed, rel=1e-12)
    assert design.variance_estimates(z) * (1 + excess) == pytest.approx(variances, rel=1e-12)
    assert design.device_variance(transformed) == pytest.approx(variances, rel=1e-12)


def test_transforms_of_saha_and_of_diana_and_perri():
    z, p, beta = np.array([3.0, 20.0]), 0.6, 0.8
    mean = 1.25 * 6
    assert rr_engine.quantities.Saha(S1, S2).transform(z) == pytest.approx((z - mean) / 1.25)
    slope = p + (1 - p) * 1.25
    assert rr_engine.quantities.DianaPerri1(p, S1, S2).transform(z) == pytest.approx(
        (z - (1 - p) * mean) / slope
    )
    slope = (1 - beta) * 1.25
    assert rr_engine.quantities.DianaPerri2(beta, S1, S2).transform(z) == pytest.approx(
        (z - beta * mean) / slope
    )


def test_variances_of_reports_are_those_of_the_papers():
    """The report is that of a random person, whose number has this mean and variance."""
    people = np.array([1.0, 4, 4, 7, 19])
    mean, variance = people.mean(), people.var()
    p, beta, w, u = 0.6, 0.8, 1.25**2 + 0.5**2, 6**2 + 3**2

    def spread(design):
        return variance + design.device_variance(people).mean()

    # Eichhorn and Hayre: the squared coefficient of variation of S, 0.16, times the mean square.
    assert spread(rr_engine.quantities.EichhornHayre(S1)) == pytest.approx(
        variance + 0.16 * (variance + mean**2)
    )
    # Saha: E W^2 E (y + U)^2 - (E W E (y + U))^2, over (E W)^2.
    sums = variance + 9 + (mean + 6) ** 2
    saha = w * sums - (1.25 * (mean + 6)) ** 2
    assert spread(rr_engine.quantities.Saha(S1, S2)) == pytest.approx(saha / 1.25**2)
    # Diana and Perri, pages 1877 and 1879.
    square = p * (variance + mean**2) + (1 - p) * w * sums
    first = square - (p * mean + (1 - p) * 1.25 * (mean + 6)) ** 2
    assert spread(rr_engine.quantities.DianaPerri1(p, S1, S2)) == pytest.approx(
        first / (p + (1 - p) * 1.25) ** 2
    )
    mixed = beta**2 * u + (1 - beta) ** 2 * (variance + mean**2) + 2 * beta * (1 - beta) * 6 * mean
    second = w * mixed - (1.25 * (beta * 6 + (1 - beta) * mean)) ** 2
    assert spread(rr_engine.quantities.DianaPerri2(beta, S1, S2)) == pytest.approx(
        second / ((1 - beta) * 1.25) ** 2
    )


def test_direct_reports_cost_nothing_and_noise_costs():
    assert (
        rr_engine.quantities.BarLev(1, rr_engine.quantities.Scrambling(2, 1)).efficiency([1, 2, 3])
        == 1
    )
    # Variance 1/4 of 0 or 1, and 3/16 / (1/2)^2 = 3/4 of Warner's device with 3/4.
    assert (
        rr_engine.quantities.LinearScrambling([[1, 0], [-1, 1]], [0.75, 0.25]).efficiency([0, 1])
        == 0.25
    )
    assert rr_engine.quantities.EichhornHayre(S1).efficiency([4, 4]) == 0


def test_designs_without_the_true_number_are_refused():
    for make in (
        lambda: rr_engine.quantities.Eriksson(0, CARD([0, 1])),
        lambda: rr_engine.quantities.EichhornHayre(CARD([-1, 1])),
        lambda: rr_engine.quantities.DianaPerri2(1, S1, S2),
        lambda: rr_engine.quantities.LinearScrambling([[0, 1], [0, 2]]),
        lambda: rr_engine.quantities.LinearScrambling([[1e-200, 1]]),
    ):
        with pytest.raises(NotIdentifiableError) as caught:
            make()
        assert caught.value.code == "not_identifiable"


def test_designs_are_frozen_and_equal_by_their_parameters():
    design = rr_engine.quantities.Eriksson(0.5, CARD([1, 0, 1]))
    assert design == rr_engine.quantities.Eriksson(0.5, CARD([0, 1], [1 / 3, 2 / 3]))
    assert len({design, rr_engine.quantities.Eriksson(0.5, CARD([0, 1]))}) == 2
    with pytest.raises(FrozenInstanceError):
        design.p = 0.6


def test_tables_that_are_too_large_are_refused():
    design = rr_engine.quantities.Saha(CARD(range(1, 200)), CARD(range(200)))
    with pytest.raises(rr_engine.errors.ArgumentError) as caught:
        design.privacy(range(10))
    assert caught.value.code == "too_many_cells"


def test_the_table_of_the_documentation():
    numbers, halves, twice = range(11), CARD([0.5, 1, 1.5]), CARD([1, 2])
    every = CARD(numbers)
    rows = {
        rr_engine.quantities.Eriksson(0.5, every): (2.4849, 0, 0, 0.25),
        rr_engine.quantities.Eriksson(0.75, every): (3.5264, 0, 0, 0.5625),
        rr_engine.quantities.EichhornHayre(halves): (inf, 1, 0.424, 0.6316),
        rr_engine.quantities.BarLev(0.6, halves): (inf, 1, 0.388, 0.8108),
        rr_engine.quantities.ChaudhuriChristofides(CARD([1]), every): (inf, 0.9091, 0.017, 0.5),
        rr_engine.quantities.ChaudhuriChristofides(CARD([1, 2, 3]), every): (
            inf,
            0.9697,
            0.017,
            0.5455,
        ),
        rr_engine.quantities.Saha(twice, every): (inf, 0.6818, 0.012, 0.3),
        rr_engine.quantities.DianaPerri1(0.6, twice, every): (inf, 0.8727, 0.06, 0.24),
        rr_engine.quantities.DianaPerri2(0.5, twice, every): (inf, 0.6818, 0.012, 0.3),
    }
    for design, row in rows.items():
        matrix, privacy = design.design(numbers).matrix, design.privacy(numbers)
        naming = matrix[(matrix > 0).sum(axis=1) == 1].sum() / 11
        worth = design.efficiency(numbers)
        figures = (privacy.epsilon, privacy.delta, naming, worth)
        assert [round(x, k) for x, k in zip(figures, (4, 4, 3, 4), strict=True)] == list(row)
