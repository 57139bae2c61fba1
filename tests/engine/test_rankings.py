"""Devices for rankings, against enumerations that are written down here by themselves."""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import exp, factorial

import numpy as np
import pytest

from rr_engine import estimate, k_rr
from rr_engine.association import mean_of_answered
from rr_engine.designs import RankingDevice, mallows, near_orders
from rr_engine.designs.orders import (
    distance_counts,
    mean_ranks,
    number_of_order,
    rank_pairs,
    ranks_of_orders,
)
from rr_engine.errors import ArgumentError

pytestmark = pytest.mark.slow

SIZES = (2, 3, 4, 5, 6)
RADIUS_OR_MALLOWS = (0, 1, 2, "mallows")


def device_of(items, epsilon, which, *, refusal=False):
    if which == "mallows":
        return mallows(items, epsilon, refusal=refusal)
    return near_orders(items, epsilon, radius=which, refusal=refusal)


def exchanges(first, second):
    """How many exchanges of neighbours bring one order to the other, by sorting it."""
    left, count = [second.index(item) for item in first], 0
    while left:
        place = left.index(min(left))
        count += place
        del left[place]
    return count


@cache
def orders(items):
    return list(permutations(range(items)))


@pytest.mark.parametrize("items", SIZES)
def test_orders_are_numbered_as_they_are_sorted(items):
    assert [number_of_order(order) for order in orders(items)] == list(range(factorial(items)))


@pytest.mark.parametrize("items", SIZES)
def test_so_many_orders_are_at_each_distance(items):
    distances = [exchanges(orders(items)[0], order) for order in orders(items)]
    assert tuple(np.bincount(distances)) == distance_counts(items)


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize("which", RADIUS_OR_MALLOWS)
@pytest.mark.parametrize("items", [3, 4, 5])
def test_the_table_has_the_weight_of_the_distance_of_each_two_orders(items, which, refusal):
    device = device_of(items, "1.5", which, refusal=refusal)
    table, count = device.design.integers, factorial(items)
    expected = [
        [device.weights[exchanges(report, truth)] for truth in orders(items)]
        for report in orders(items)
    ]
    assert table[:count, :count].tolist() == expected
    assert table.sum(axis=0).tolist() == [2**32] * (count + refusal)
    if refusal:
        reported, kept, each = device.refusal
        assert table[count].tolist() == [reported] * count + [kept]
        assert set(table[:count, count].tolist()) == {each}


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize("which", RADIUS_OR_MALLOWS)
@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "2", "4", "8"])
@pytest.mark.parametrize("items", SIZES)
def test_the_loss_is_at_most_epsilon_and_nearly_all_of_it(items, epsilon, which, refusal):
    if which in (1, 2) and which >= len(distance_counts(items)) - 1:
        with pytest.raises(ArgumentError):
            device_of(items, epsilon, which)
        return
    device = device_of(items, epsilon, which, refusal=refusal)
    # Of the integers: each report is possible at every distance, and for a refusal.
    entries = [(max(device.weights), min(device.weights))]
    if device.refusal:
        reported, kept, each = device.refusal
        entries = [(max(*device.weights, each), min(*device.weights, each)), (kept, reported)]
    worst = max(Fraction(*pair) for pair in entries)
    assert device.rank_design.denominator == 2**32
    assert Fraction(exp(float(epsilon))) * Fraction(99, 100) < worst
    assert device.design.likelihood_ratio_bound == worst
    assert device.design.epsilon_at_most(epsilon)


@pytest.mark.parametrize("items", SIZES)
def test_radius_0_is_randomized_response_over_all_orders(items):
    device = near_orders(items, "1", radius=0)
    np.testing.assert_allclose(device.design.matrix, k_rr(factorial(items), 1).matrix, atol=1e-6)


@pytest.mark.parametrize("items", SIZES)
def test_mallows_has_its_closed_form(items):
    """Mallows 1957: phi to the distance over the product of 1 + phi + ... + phi^j."""
    furthest = items * (items - 1) // 2
    phi = exp(-1.2 / furthest)
    total = np.prod([sum(phi**j for j in range(size)) for size in range(1, items + 1)])
    expected = [phi**distance / total for distance in range(furthest + 1)]
    weights = np.array(mallows(items, "1.2").weights) / 2**32
    np.testing.assert_allclose(weights, expected, rtol=2e-3)


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize("items", [3, 4, 5])
def test_ranks_of_one_and_of_two_items_are_sums_of_the_table(items, refusal):
    """Whatever the rest of the order: each truth of a group reports the group alike."""
    device = near_orders(
        items, "2", radius=min(2, len(distance_counts(items)) - 2), refusal=refusal
    )
    table, every = device.design.integers, orders(items)
    places = [{item: order.index(item) for item in range(items)} for order in every]
    pairs = rank_pairs(items)
    for item, other in combinations(range(items), 2):
        ranks = [at[item] for at in places]
        both = [pairs.index((at[item], at[other])) for at in places]
        for design, found, cells in (
            (device.rank_design, ranks, items),
            (device.pair_design, both, len(pairs)),
        ):
            groups = found + [cells] * refusal
            for truth, column in enumerate(table.T):
                sums = np.zeros(cells + refusal, dtype=np.int64)
                np.add.at(sums, groups, column)
                assert sums.tolist() == design.integers[:, groups[truth]].tolist()


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize(("items", "radius"), [(3, 0), (4, 2), (5, 4)])
def test_estimates_are_unbiased_and_their_errors_those_of_all_reports(items, radius, refusal):
    """Over every possible report of one person, for shares that are all different."""
    device = near_orders(items, "2", radius=radius, refusal=refusal)
    shares = np.arange(1.0, factorial(items) + refusal + 1) ** 2
    shares /= shares.sum()
    reports = device.design.matrix @ shares
    ranks = ranks_of_orders(items)
    for item in range(items):
        groups = [*ranks[:, item], *[items] * refusal]
        truth = np.bincount(groups, shares)
        scores = np.linalg.inv(device.rank_design.matrix)
        per_report = scores[:, groups]
        np.testing.assert_allclose(per_report @ reports, truth, atol=1e-12)
        expected = (per_report**2) @ reports - truth**2
        found = device.rank_design.variances(truth, device.rank_design.apply(truth), "sample")
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        # The same estimate as from the table over all orders.
        whole = np.linalg.inv(device.design.matrix)
        indicator = np.array([[group == rank for group in groups] for rank in range(items)])
        np.testing.assert_allclose(indicator @ whole, per_report[:items], atol=1e-6)


@pytest.mark.parametrize("refusal", [False, True])
@pytest.mark.parametrize(("items", "which"), [(3, 0), (4, 2), (5, 3), (4, "mallows")])
def test_the_variances_are_those_of_all_reports_where_all_orders_are_equally_frequent(
    items, which, refusal
):
    device, ranks = device_of(items, "1", which, refusal=refusal), ranks_of_orders(items)
    reports = device.design.matrix[:, : factorial(items)].mean(axis=1)
    whole = np.linalg.pinv(device.design.matrix)
    first = ranks[:, 0] < ranks[:, 1]
    for contrasts, found in zip(
        ([ranks[:, 0] + 1], [ranks[:, 0] == rank for rank in range(items)], [first]),
        device.variances,
        strict=True,
    ):
        of_orders = np.array([[*contrast, *[0] * refusal] for contrast in contrasts], dtype=float)
        scores = of_orders @ whole
        means = scores @ reports
        np.testing.assert_allclose(means, of_orders.sum(axis=1) / factorial(items), atol=1e-9)
        assert found == pytest.approx(np.mean(scores**2 @ reports - means**2), rel=1e-6)


def test_counts_of_a_known_crowd_give_its_mean_ranks():
    """Expected counts of 10**6 people, of which one quarter prefers not to say."""
    device = near_orders(4, "2", refusal=True)
    shares = np.array([*range(1, 25), 100.0]) / 400
    counts = np.rint(device.design.matrix @ shares * 10**6).astype(int)
    ranks = ranks_of_orders(4)
    answered = shares[:24] / shares[:24].sum()
    for item, truth in enumerate(mean_ranks(answered, 4)):
        cells = np.bincount([*ranks[:, item], 4], counts, minlength=5).astype(int)
        mean = mean_of_answered(estimate(device.rank_design, cells), [1, 2, 3, 4])
        assert mean.value == pytest.approx(truth, abs=2e-5)


# Of one order, all orders equally frequent: the variances of a mean rank, of the share of a rank
# and of that of a pair, by k-ary response, by Mallows and by near orders, with their radius; in
# docs/methods/rankings.md.
VARIANCES = {
    (3, "1"): ((13.45, 4.484, 5.044), (14.00, 87.90, 12.64), (48.07, 16.02, 18.03), 2),
    (4, "1"): ((280.0, 42.00, 56.01), (66.00, 33750, 75.16), (21.17, 46.81, 25.51), 2),
    (4, "2"): ((28.28, 4.242, 5.656), (17.25, 594.6, 16.81), (6.529, 14.44, 7.868), 2),
    (5, "1"): ((10036, 802.9, 1254), (203.1, 3.500e7, 312.7), (54.12, 428.8, 158.0), 3),
    (5, "2"): ((782.7, 62.61, 97.83), (52.02, 147400, 71.55), (12.65, 100.2, 36.94), 3),
    (5, "4"): ((20.98, 1.678, 2.623), (14.27, 774.7, 13.71), (5.406, 42.83, 15.79), 3),
    (6, "2"): ((37701, 1795, 3232), (124.3, 7.799e7, 288.5), (29.82, 128.4, 125.3), 4),
    (6, "4"): ((607.6, 28.93, 52.08), (32.97, 90498, 50.17), (33.93, 4.600, 5.525), 1),
    (6, "6"): ((22.69, 1.080, 1.945), (16.06, 2215, 16.62), (5.450, 0.7389, 0.8877), 1),
}


@pytest.mark.parametrize(("items", "epsilon"), VARIANCES)
def test_variances_are_those_of_the_page(items, epsilon):
    *expected, radius = VARIANCES[items, epsilon]
    best = near_orders(items, epsilon)
    devices = near_orders(items, epsilon, radius=0), mallows(items, epsilon), best
    for device, variances in zip(devices, expected, strict=True):
        assert device.variances == pytest.approx(variances, rel=1e-3)
        product = np.prod(device.variances) ** (1 / 6)
        assert device.typical_error in (pytest.approx(product), float("inf"))
    assert best == near_orders(items, epsilon, radius=radius)


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "8"])
@pytest.mark.parametrize("items", [3, 4, 5, 6])
def test_near_orders_or_all_orders_are_always_better_than_mallows(items, epsilon):
    others = near_orders(items, epsilon), near_orders(items, epsilon, radius=0)
    best = min(device.typical_error for device in others)
    assert best < mallows(items, epsilon).typical_error


def test_a_radius_that_does_not_identify_ranks_is_not_chosen():
    """Of 3 items and radius 1 the device of a rank has rank 2 but for rounding to integers."""
    assert near_orders(3, "1", radius=1).rank_design.condition_number > 1e6
    assert near_orders(3, "1") == near_orders(3, "1", radius=2)
    for items in SIZES[1:]:
        for epsilon in ("0.5", "1", "2", "4", "8"):
            device = near_orders(items, epsilon)
            assert device.identifies_ranks
            assert (
                max(device.rank_design.condition_number, device.pair_design.condition_number) < 1e4
            )


def test_of_six_items_a_draw_has_the_chances_of_the_table():
    """Every distance, and the refusal, of the orders that 20,000 people report; 4.5 errors."""
    device = near_orders(6, "2", refusal=True)
    truth, people = 500, 20_000
    drawn = device.design.draw([truth] * people, np.random.default_rng(1).bytes)
    distances = [
        exchanges(orders(6)[truth], orders(6)[report]) if report < 720 else 16 for report in drawn
    ]
    counts = np.bincount(distances, minlength=17)
    chances = np.zeros(17)
    chances[:16] = np.multiply(device.weights, distance_counts(6))
    chances[16] = device.refusal[0]
    chances /= 2**32
    errors = np.sqrt(people * chances * (1 - chances))
    assert (np.abs(counts - people * chances) < 4.5 * errors).all()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (((3, (1, 1, 1), 4)), "not_distance_weights"),
        (((3, (1, 1, 1, 2), 8)), "columns_do_not_sum"),
        (((3, (2, 1, 1, 0), 6, (0, 6))), "not_distance_weights"),
        (((2, (3, 1), 6, (2, 3, 1))), "columns_do_not_sum"),
    ],
)
def test_chances_that_are_no_device_are_refused(arguments, code):
    with pytest.raises(ArgumentError) as refused:
        RankingDevice(*arguments)
    assert refused.value.code == code
