"""Two reports of each person, against enumeration and the formulas of RRTCS 0.0.4."""

from itertools import product
from math import inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import t

import rr_engine
from rr_engine import SurveySample, estimate, unrelated_question
from rr_engine.quantities import TwoCards, estimate_two_cards

BOXES = [
    TwoCards(0.6, 0.7),
    TwoCards(0.8, 0.0),
    TwoCards(0.6, 0.2, T=0.25),
    TwoCards(0.6, 0.8, carriers_say_yes=True),
]
PAIRS = list(product((0, 1), repeat=2))


def chance_of_yes(cards, box, sensitive, innocuous):
    """As the papers describe the reports, step by step."""
    if cards.carriers_say_yes:
        return 1.0 if sensitive else (1 - box) * innocuous
    drawn = box if sensitive else 0.0
    drawn += (1 - box) if innocuous else 0.0
    return (cards.T if sensitive else 0.0) + (1 - cards.T) * drawn


def chances_of(cards, sensitive, innocuous):
    yes = [chance_of_yes(cards, box, sensitive, innocuous) for box in (cards.p1, cards.p2)]
    return [np.prod([y if r else 1 - y for y, r in zip(yes, pair, strict=True)]) for pair in PAIRS]


@pytest.mark.parametrize("cards", BOXES, ids=str)
@pytest.mark.parametrize("person", PAIRS)
def test_the_table_is_that_of_the_papers(cards, person):
    kind = 2 if cards.carriers_say_yes and person[0] else 2 * person[0] + person[1]
    chances = chances_of(cards, *person)
    assert cards.design.matrix[:, kind] == pytest.approx(np.array(chances), abs=1e-15)


@pytest.mark.parametrize("cards", BOXES[:3], ids=str)
def test_estimates_are_the_closed_forms(cards):
    first, second = reports_of([20, 30, 25, 25])
    gap = cards.p1 - cards.p2
    # r of RRTCS 0.0.4, models 12 and 13; below, the same for the innocuous trait.
    sensitive = ((1 - cards.p2) * first - (1 - cards.p1) * second) / gap
    one, two = (cards.T + (1 - cards.T) * p for p in (cards.p1, cards.p2))
    innocuous = (one * second - two * first) / (one - two)
    scores = np.array([sensitive, innocuous])
    found = estimate_two_cards(cards, first, second)
    assert found.values == pytest.approx(scores.mean(axis=1))
    assert found.covariance == pytest.approx(np.cov(scores) / 100)


def test_carriers_who_say_yes_are_estimated_better_than_by_rrtcs():
    """Four reports of three kinds of people: there are several unbiased scores."""
    cards, chances = BOXES[3], BOXES[3].design.matrix @ [0.5, 0.3, 0.2]
    first, second = np.array(PAIRS).T
    rrtcs = ((1 - cards.p2) * first - (1 - cards.p1) * second) / (cards.p1 - cards.p2)
    ours = estimate_two_cards(cards, first, second).kinds
    assert chances @ rrtcs == pytest.approx(0.2)
    assert ours.values.sum() == pytest.approx(1)
    scores = rr_engine.sampling.report_scores(cards.design, [0, 1, 2, 3]).values[:, 2]
    assert chances @ scores == pytest.approx(0.2)
    assert chances @ scores**2 < chances @ rrtcs**2


def reports_of(counts):
    return np.repeat(np.array(PAIRS), counts, axis=0).T


def test_the_covariance_is_that_of_the_table():
    cards, counts = BOXES[0], [20, 30, 25, 25]
    found = estimate_two_cards(cards, *reports_of(counts))
    table = estimate(cards.design, counts)
    kinds = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
    assert found.values == pytest.approx(kinds @ table.proportions)
    assert found.covariance == pytest.approx(kinds @ table.covariance @ kinds.T)
    half = t.isf(0.025, 99) * found.standard_errors
    ends = np.column_stack([found.values - half, found.values + half])
    assert found.interval() == pytest.approx(ends)
    assert found.n == 100


@pytest.mark.parametrize("cards", BOXES, ids=str)
def test_a_census_has_the_unbiased_variance_of_the_device(cards):
    """Two people, all their reports: the mean of the estimated covariance is the true one."""
    people = [(1, 0), (0, 1)]
    sums, estimates, weights = [], [], []
    for first, second in product(range(4), repeat=2):
        weight = chances_of(cards, *people[0])[first] * chances_of(cards, *people[1])[second]
        reports = np.array([PAIRS[first], PAIRS[second]]).T
        found = estimate_two_cards(cards, *reports, SurveySample(n=2, population=2))
        weights.append(weight)
        sums.append(found.values - 0.5)
        estimates.append(found.covariance)
    true = np.einsum("s,si,sj->ij", weights, sums, sums)
    assert np.array(weights) @ np.array(sums) == pytest.approx([0, 0], abs=1e-12)
    assert np.einsum("s,sij->ij", weights, estimates) == pytest.approx(true, abs=1e-12)


def test_weights_are_used():
    cards, counts = BOXES[0], [20, 30, 25, 25]
    first, second = reports_of(counts)
    sample = SurveySample(np.where(first > 0, 2, 1))
    whole = estimate_two_cards(cards, *reports_of([20, 30, 50, 50]))
    assert estimate_two_cards(cards, first, second, sample).values == pytest.approx(whole.values)


def test_the_epsilon_of_both_reports():
    cards = TwoCards(0.75, 0.25)
    # (1/2 + 1/2 * 3/16) / (1/2 * 3/16), and 9/16 over 1/16.
    assert cards.known(0.5).epsilon == pytest.approx(log(9), rel=1e-15)
    rows = [
        [
            0.8 * a + 0.2 * b
            for a, b in zip(chances_of(cards, s, 0), chances_of(cards, s, 1), strict=True)
        ]
        for s in (0, 1)
    ]
    assert cards.known(0.2).matrix == pytest.approx(np.array(rows).T)
    mixed = cards.known(0.2, 0.4).matrix
    assert mixed[:, 1] == pytest.approx(cards.known(0.2).matrix[:, 1])
    assert mixed[:, 0] == pytest.approx(cards.known(0.4).matrix[:, 0])
    # Whoever knows the innocuous answer learns the other one, and one card alone loses less.
    assert cards.design.epsilon == cards.known(1).epsilon == inf
    assert BOXES[3].known(0.5).epsilon == inf
    first, second = unrelated_question(0.75, 0.5), unrelated_question(0.25, 0.5)
    assert max(first.epsilon, second.epsilon) < log(9) < first.epsilon + second.epsilon
    assert cards.known(0.5).matrix.sum(axis=0).tolist() == [1, 1]


def test_what_the_reports_do_not_tell_is_said():
    with pytest.raises(rr_engine.errors.ArgumentError) as caught:
        estimate_two_cards(BOXES[0], [1], [0])
    assert caught.value.code == "single_cluster"
    assert estimate_two_cards(BOXES[0], [1] * 20, [1] * 20).values == pytest.approx([1, 1])
    odd = estimate_two_cards(BOXES[0], [1] * 20, [0] * 20)
    assert "outside_range" in {note.code for note in odd.notes}


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: TwoCards(0.6, 0.6), "shares_coincide"),
        (lambda: TwoCards(0.6, 0.5, T=1), "not_a_probability"),
        (lambda: TwoCards(0.6, 0.5, carriers_say_yes=1), "not_a_bool"),
        (lambda: estimate_two_cards(BOXES[0], [0, 1], [0, 1, 1]), "not_bits"),
        (lambda: estimate_two_cards(BOXES[0], [0, 1], [0, 2]), "not_bits"),
    ],
)
def test_bad_boxes_and_reports_are_refused(make, code):
    with pytest.raises(rr_engine.errors.ArgumentError) as caught:
        make()
    assert caught.value.code == code


def test_intervals_cover():
    rng = np.random.default_rng(15)
    cards, runs, n = TwoCards(0.8, 0.3), 600, 400
    columns = [chances_of(cards, *person) for person in PAIRS]
    # A quarter has the sensitive trait, and half of these the other one, of which 30 % have it.
    shares = np.array([0.575, 0.175, 0.125, 0.125]) @ np.array(columns)
    errors = []
    for counts in rng.multinomial(n, shares, runs):
        found = estimate_two_cards(cards, *reports_of(counts))
        errors.append((found.values - [0.25, 0.3]) / found.standard_errors)
    errors = np.array(errors)
    assert (np.abs(errors.mean(axis=0)) < 3 / sqrt(runs)).all()
    covered = (np.abs(errors) < 1.96).mean(axis=0)
    assert ((covered > 0.93) & (covered < 0.97)).all()


def test_an_interval_without_a_degree_of_freedom_is_that_of_one():
    """Each person a stratum of their own, compared with the mean of all."""
    sample = SurveySample(n=4, strata=[0, 1, 2, 3], single_clusters="centre")
    found = estimate_two_cards(TwoCards(0.8, 0.3), [0, 1, 1, 0], [0, 1, 0, 0], sample)
    half = t.isf(0.025, 1) * found.standard_errors
    assert found.interval()[:, 1] == pytest.approx(found.values + half)
