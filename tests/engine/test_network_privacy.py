"""The privacy of a roster, by enumeration of the sets of ties; divisions, devices and caps."""

from fractions import Fraction
from itertools import combinations, product
from math import exp, log, sqrt

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.networks.tie_caps import tie_noise
from tests.engine.engine_cases import refusal
from tests.engine.small_graphs import ASYMMETRIC, IDENTIFYING, SYMMETRIC

SETS = {roster: list(product((0, 1), repeat=roster)) for roster in (1, 2, 3, 4)}


def largest_ratio(device, truths):
    """The largest ratio of two chances of one report, over all reports and pairs of truths."""
    table = device.integers.tolist()
    best = Fraction(0)
    for one, other in product(truths, repeat=2):
        ratio = Fraction(1)
        for first, second in zip(one, other, strict=True):
            ratio *= max(Fraction(table[y][first], table[y][second]) for y in (0, 1))
        best = max(best, ratio)
    return best


@pytest.mark.parametrize("device", [SYMMETRIC, ASYMMETRIC], ids=["symmetric", "asymmetric"])
@pytest.mark.parametrize("roster", [1, 2, 3, 4])
@pytest.mark.parametrize("cap", [None, 1, 2, 3])
def test_what_a_person_reveals_is_the_largest_ratio_over_all_sets_of_ties(device, roster, cap):
    truths = [t for t in SETS[roster] if cap is None or sum(t) <= cap]
    privacy = rr.networks.roster_privacy(device, roster, cap)
    ratio = largest_ratio(device, truths)
    assert privacy.person == pytest.approx(log(ratio), rel=1e-12)
    nearest = f"{privacy.person:.12f}"
    assert privacy.at_most(f"{float(nearest) + 1e-9:.12f}")
    assert not privacy.at_most(f"{float(nearest) - 1e-9:.12f}")


def test_a_cap_of_a_symmetric_device_leaves_twice_the_cap_or_the_roster():
    for roster, cap in ((30, 5), (30, 15), (30, 20), (1, 1)):
        privacy = rr.networks.roster_privacy(rr.k_rr(2, "0.5"), roster, cap)
        assert privacy.person == pytest.approx(0.5 * min(2 * cap, roster))


def test_everything_about_a_person_counts_the_rosters_of_others():
    privacy = rr.networks.roster_privacy(ASYMMETRIC, 2, 1, named_by=2)
    truths = [own + others for own in SETS[2] if sum(own) <= 1 for others in SETS[2]]
    assert privacy.everything_about_person == pytest.approx(log(largest_ratio(ASYMMETRIC, truths)))
    assert rr.networks.roster_privacy(
        ASYMMETRIC, 2, 1, named_by=0
    ).everything_about_person == privacy.tie + (privacy.person - privacy.tie)


def test_the_four_guarantees_are_kept_apart():
    privacy = rr.networks.roster_privacy(rr.k_rr(2, "0.5"), 184, reports=2)
    found = [
        getattr(privacy, scope)
        for scope in ("tie", "tie_at_both_ends", "person", "everything_about_person")
    ]
    assert found == pytest.approx([0.5, 1, 92, 184])
    assert privacy.at_most("92")
    assert privacy.at_most("1", "tie_at_both_ends")
    assert not privacy.at_most("0.99", "tie_at_both_ends")


def test_an_identifying_report_has_no_finite_guarantee():
    privacy = rr.networks.roster_privacy(IDENTIFYING, 3)
    assert privacy.tie == np.inf
    assert not privacy.at_most(700, "tie")


def test_refuses_devices_that_are_not_of_a_tie_and_exact_comparisons_that_never_end():
    assert refusal(rr.networks.roster_privacy, rr.k_rr(3, 1), 5).code == "not_a_tie_device"
    assert refusal(rr.networks.roster_privacy(SYMMETRIC, 100_000).at_most, 5).argument == "roster"


def test_equal_parts_are_best_for_equal_weights():
    split = rr.networks.split_roster([10, 20], "6")
    assert split.epsilons.tolist() == pytest.approx([0.2, 0.2])
    assert split.variance == split.uniform_variance
    assert split.lower_bound == pytest.approx(split.variance, rel=1e-9)


@pytest.mark.parametrize("epsilon", ["0.01", "1", "30", "600"])
def test_no_division_is_below_the_certificate(epsilon):
    sizes, weights = np.array([3, 10, 40]), np.array([25.0, 1.0, 0.2])
    split = rr.networks.split_roster(sizes.tolist(), epsilon, weights)
    assert split.epsilons @ sizes == pytest.approx(float(epsilon))
    assert split.lower_bound == pytest.approx(split.variance, rel=1e-9)
    assert split.variance < split.uniform_variance
    shares = np.random.default_rng(1).dirichlet(np.ones(3), 500)
    variances = (sizes * weights * tie_noise(shares * float(epsilon) / sizes)).sum(axis=1)
    assert variances.min() >= split.lower_bound * (1 - 1e-9)


def test_the_noise_of_a_tie_is_that_of_the_device():
    for epsilon in (0.1, 1.0, 5.0):
        p = exp(epsilon) / (1 + exp(epsilon))
        assert tie_noise(np.array([epsilon]))[0] == pytest.approx(p * (1 - p) / (2 * p - 1) ** 2)


def ball_matrix(roster, weights):
    """A device over the sets of ties whose chances depend on the number of wrong names."""
    sets = np.array(SETS[roster])
    distances = (sets[:, None] != sets).sum(axis=2)
    chances = np.array(weights)[distances]
    return chances / chances.sum(axis=0)


def errors_of(matrix, roster):
    """Standard errors of a tie and of a product of two, of the least-squares unbiased estimates."""
    codes = 1 - 2 * np.array(SETS[roster])
    reported = matrix.sum(axis=1) / 2**roster
    # At equal shares the best unbiased estimate weights reports by the inverse of their chances.
    scaled = matrix / reported[:, None]
    estimator = np.linalg.solve(scaled.T @ matrix, scaled.T)
    variances = []
    for target in (codes[:, 0], codes[:, 0] * codes[:, 1]):
        scores = target @ estimator
        assert scores @ matrix == pytest.approx(target)
        by_truth = (scores**2) @ matrix - target**2
        assert by_truth == pytest.approx(by_truth[0])
        variances.append(by_truth[0])
    return sqrt(variances[0]) / 2, sqrt(variances[1])


@pytest.mark.parametrize("roster", [2, 3, 4])
@pytest.mark.parametrize("epsilon", ["0.5", "1.5", "4"])
def test_errors_of_devices_over_all_sets_are_those_of_their_tables(roster, epsilon):
    ways = {way.way: way for way in rr.networks.compare_roster_devices(roster, epsilon)}
    inside = exp(float(epsilon))
    radius = ways["ball"].parameter
    matrices = {
        "uniform": rr.k_rr(2**roster, epsilon).matrix,
        "subsets": rr.designs.subset_selection(
            2**roster, epsilon, ways["subsets"].parameter
        ).matrix,
        "ball": ball_matrix(roster, [inside] * (radius + 1) + [1] * (roster - radius)),
    }
    for name, matrix in matrices.items():
        if name == "ball" and ways[name].pair_error == np.inf:
            continue  # such a table has no inverse
        found = errors_of(matrix, roster)
        assert (ways[name].tie_error, ways[name].pair_error) == pytest.approx(found, rel=1e-6)


def test_independent_bits_are_all_names_of_some():
    ways = {way.way: way for way in rr.networks.compare_roster_devices(4, "2", 0.3)}
    bits = float(tie_noise(np.array([0.5]))[0])
    assert ways["independent"].tie_error == pytest.approx(sqrt(bits))
    # Names so few for so large a budget are all asked.
    some = {way.way: way for way in rr.networks.compare_roster_devices(3, "30", 0.3)}
    assert some["some names"].parameter == 3
    assert some["some names"].tie_error == pytest.approx(some["independent"].tie_error)
    assert some["some names"].pair_error == pytest.approx(some["independent"].pair_error)


@pytest.mark.parametrize("epsilon", [2.0, 6.0])
def test_errors_of_some_names_over_draws_bits_and_truths(epsilon):
    roster, density = 4, 0.3
    way = {w.way: w for w in rr.networks.compare_roster_devices(roster, epsilon, density)}[
        "some names"
    ]
    drawn = way.parameter
    assert drawn == (1 if epsilon == 2 else 3)
    retained, tie, product_of_two = np.tanh(epsilon / (2 * drawn)), 0.0, 0.0
    subsets = list(combinations(range(roster), drawn))
    # Codes of two names, and what their reports would be; the truth of both is 1 or -1.
    for truth, sent in product(product((1, -1), repeat=2), repeat=2):
        share = np.prod([density if code == -1 else 1 - density for code in truth])
        chance = np.prod([(1 + retained * x * y) / 2 for x, y in zip(truth, sent, strict=True)])
        for names in subsets:
            weight = share * chance / len(subsets)
            guess = 1 - 2 * density
            code = guess + (0 in names) * roster / drawn * (sent[0] / retained - guess)
            tie += weight * (code - truth[0]) ** 2 / 4
            if drawn > 1:
                both = roster * (roster - 1) / (drawn * (drawn - 1)) * ({0, 1} <= set(names))
                score = both * sent[0] * sent[1] / retained**2
                product_of_two += weight * (score - truth[0] * truth[1]) ** 2
    assert way.tie_error == pytest.approx(sqrt(tie))
    assert way.pair_error == pytest.approx(sqrt(product_of_two) if drawn > 1 else np.inf)


@pytest.mark.parametrize("epsilon", ["0.5", "2", "6"])
def test_no_device_of_two_chances_by_distance_tells_a_tie_better_than_a_ball(epsilon):
    roster = 4
    best = {way.way: way.tie_error for way in rr.networks.compare_roster_devices(roster, epsilon)}[
        "ball"
    ]
    codes = 1 - 2 * np.array(SETS[roster])[:, 0]
    errors = []
    for weights in product((1.0, exp(float(epsilon))), repeat=roster + 1):
        retained = codes @ ball_matrix(roster, weights)[:, 0]
        errors.append(np.inf if abs(retained) < 1e-12 else sqrt(1 / retained**2 - 1) / 2)
    assert min(errors) == pytest.approx(best)


def test_devices_agree_with_the_comparison_for_several_questions():
    by_way = {way.way: way for way in rr.networks.compare_roster_devices(3, "2")}
    for way in rr.spending.compare_joint([2, 2, 2], "2", n=1):
        if way.way in ("independent", "uniform"):
            # compare_joint adds the variance of a sample with equal shares, a quarter.
            expected = sqrt(way.margins**2 - 0.25)
            assert by_way[way.way].tie_error == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("roster", "epsilon"), [(3, "1.2"), (3, "4"), (5, "6")])
def test_a_joint_design_is_no_better_than_a_ball(roster, epsilon):
    ball = {way.way: way.tie_error for way in rr.networks.compare_roster_devices(roster, epsilon)}[
        "ball"
    ]
    ways = {way.way: way.margins for way in rr.spending.compare_joint([2] * roster, epsilon, n=1)}
    assert sqrt(ways["changes"] ** 2 - 0.25) > ball


def test_of_equal_ways_the_first_is_best():
    by_way = {way.way: way.best_for for way in rr.networks.compare_roster_devices(3, "4")}
    # One set of ties, a ball of radius 0 and k-ary randomized response are one device.
    assert by_way["uniform"] == ("tie_error", "pair_error")
    assert by_way["subsets"] == by_way["ball"] == ()
    no_cap, half, *_ = rr.networks.compare_tie_caps(50, 4, "2", [2, 3], [0.5, 0.5, 0, 0, 0])
    assert no_cap.ties_error == half.ties_error
    assert (no_cap.best_for, half.best_for) == (("ties_error", "mutual_error"), ())


def test_where_one_device_over_all_sets_stops_paying():
    def longest(better, than, epsilon):
        errors = [
            {way.way: way.tie_error for way in rr.networks.compare_roster_devices(roster, epsilon)}
            for roster in range(2, 41)
        ]
        return sum(row[better] < row[than] for row in errors) + 1

    # k-ary randomized response against bits: docs/methods/network-privacy.md.
    assert [longest("uniform", "independent", e) for e in ("0.5", "1", "2", "4", "8")] == [
        2,
        3,
        4,
        7,
        12,
    ]
    assert all(longest("ball", "independent", e) == 40 for e in ("0.5", "2", "8"))


def test_noise_of_ties_and_mutual_ties_against_all_reports():
    people, roster, epsilon = 3, 2, 1.0
    variance = float(tie_noise(np.array([epsilon]))[0])
    p = exp(epsilon) / (1 + exp(epsilon))
    ordered = [(i, j) for i in range(people) for j in range(people) if i != j]
    truth = dict(zip(ordered, (1, 0, 1, 1, 0, 0), strict=True))
    total, products = np.zeros(64), np.zeros(64)
    chances = np.ones(64)
    for number, bits in enumerate(product((0, 1), repeat=6)):
        sent = dict(zip(ordered, bits, strict=True))
        scores = {pair: (bit - (1 - p)) / (2 * p - 1) for pair, bit in sent.items()}
        chances[number] = np.prod([p if sent[o] == truth[o] else 1 - p for o in ordered])
        total[number] = sum(scores.values())
        products[number] = sum(scores[i, j] * scores[j, i] for i, j in ordered if i < j)
    spread = [chances @ values**2 - (chances @ values) ** 2 for values in (total, products)]
    # Three ties among six names, that is a density of one half, whatever the reciprocity is.
    cap = rr.networks.compare_tie_caps(people, roster, f"{epsilon * roster}", [], 0.5)[0]
    assert [cap.ties_noise**2, cap.mutual_noise**2] == pytest.approx(spread)
    assert cap.ties_noise**2 == pytest.approx(6 * variance)


def test_a_cap_hides_the_ties_above_it():
    shares = [0.1, 0.2, 0.3, 0.4]
    uncapped, capped = rr.networks.compare_tie_caps(50, 3, "3", [1], shares, reciprocity=0.4)
    assert uncapped.ties == pytest.approx(50 * 2)
    assert capped.tie_epsilon == pytest.approx(1.5)
    # One of one, of two and of three ties is named: 0.9 of 2.
    assert capped.ties_lost == pytest.approx(50 * 1.1)
    assert uncapped.mutual == pytest.approx(20)
    assert capped.mutual_lost == pytest.approx(20 * (1 - 0.45**2))
    assert capped.ties_error**2 == pytest.approx(capped.ties_noise**2 + capped.ties_lost**2)
    assert capped.mean_degree_error == pytest.approx(capped.ties_error / 50)
    assert uncapped.ties_lost == 0


def test_a_density_is_a_binomial_number_of_ties():
    by_density = rr.networks.compare_tie_caps(10, 2, "1", [1], 0.3)
    by_shares = rr.networks.compare_tie_caps(10, 2, "1", [1], [0.49, 0.42, 0.09])
    for one, other in zip(by_density, by_shares, strict=True):
        assert one.ties_error == pytest.approx(other.ties_error)
        assert one.mutual_error == pytest.approx(other.mutual_error)
    assert rr.networks.compare_tie_caps(10, 2, "1", [1], 0)[1].ties == 0
