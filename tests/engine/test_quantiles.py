import numpy as np
import pytest

import rr_engine as rr
from rr_engine.bounded.cumulative_test import CumulativeTest
from tests.engine.engine_cases import refusal
from tests.engine.number_coverage import quantile_coverage
from tests.thorough import examples

pytestmark = pytest.mark.slow

FOUR = rr.bounded.Bins.equal(0, 4, 10**6, 4)
REPORTS = rr.estimate(rr.k_rr(4, 2), [100, 140, 90, 70])


def test_a_quantile_is_interpolated_within_its_bin():
    found = rr.estimate(rr.designs.direct(4), [10, 20, 40, 30])
    # .1 below 1, .3 below 2, .7 below 3.
    for chance, value in ((0.05, 0.5), (0.2, 1.5), (0.5, 2.5), (0.85, 3.5)):
        quantile = rr.bounded.quantile_from_bins(found, FOUR, chance)
        assert quantile.value == pytest.approx(value, abs=1e-5)
        assert quantile.bin == int(value)


def test_where_a_range_fits_the_quantile_is_its_middle():
    found = rr.estimate(rr.designs.direct(4), [50, 0, 0, 50])
    assert rr.bounded.quantile_from_bins(found, FOUR).value == pytest.approx(2, abs=1e-5)
    one_sided = rr.estimate(rr.designs.direct(4), [0, 0, 100, 0])
    assert rr.bounded.quantile_from_bins(one_sided, FOUR, 0.25).value == pytest.approx(
        2.25, abs=1e-5
    )


def test_the_interval_ends_where_the_test_begins_to_reject():
    median = rr.bounded.quantile_from_bins(REPORTS, FOUR)
    test = CumulativeTest(REPORTS, 4, 0.5)
    low, high = median.interval(method="even")
    for end, outward in ((low, -1e-3), (high, 1e-3)):
        assert test.statistics(np.array([end]))[0] == pytest.approx(1.96**2, abs=0.01)
        assert test.statistics(np.array([end + outward]))[0] > 1.96**2


def test_the_variance_is_that_of_the_estimate_at_shares_for_which_the_hypothesis_is_true():
    test, place = CumulativeTest(REPORTS, 4, 0.3), np.array([1.4])
    below = np.array([1, 0.4, 0, 0])
    shares = test._shares_at(below[None])[0]
    assert shares.sum() == pytest.approx(1)
    assert below @ shares == pytest.approx(0.3)
    reported = REPORTS.design.apply(shares)
    spread = REPORTS.design.covariance(shares, reported, "sample")
    variance = below @ spread @ below / REPORTS.n
    distance = below @ REPORTS.proportions - 0.3
    assert test.statistics(place)[0] == pytest.approx(distance**2 / variance)


def test_a_fixed_group_has_the_noise_of_the_device_only():
    sample, fixed = (
        rr.estimate(rr.k_rr(4, 2), [100, 140, 90, 70], population=whom)
        for whom in ("sample", "fixed")
    )
    wide, narrow = (
        np.ptp(rr.bounded.quantile_from_bins(each, FOUR).interval(method="even"))
        for each in (sample, fixed)
    )
    assert narrow < wide
    everybody = rr.estimate(rr.designs.direct(4), [100, 140, 90, 70], population="fixed")
    quantile = rr.bounded.quantile_from_bins(everybody, FOUR)
    low, high = quantile.interval(method="even")
    # Directly asked, only where in its bin a number lies is left open.
    assert quantile.interval().tolist() == pytest.approx([1, 2], abs=1e-5)
    assert 1 <= low <= quantile.value <= high <= 2


@pytest.mark.parametrize(
    "same",
    [
        lambda: rr.estimate(rr.channels.UniformChannel.from_epsilon(4, "2"), [100, 140, 90, 70]),
        lambda: rr.estimate_strata([rr.k_rr(4, 2)] * 2, [[60, 40, 50, 30], [40, 100, 40, 40]]),
    ],
    ids=["uniform channel", "two strata of one device"],
)
def test_the_form_of_the_device_does_not_matter(same):
    first, second = (rr.bounded.quantile_from_bins(each, FOUR, 0.3) for each in (REPORTS, same()))
    for method in ("even", "bins"):
        ends = [each.interval(method=method) for each in (first, second)]
        np.testing.assert_allclose(*ends, atol=1e-6)
    assert first.value == pytest.approx(second.value, abs=1e-6)


def test_the_interval_is_that_of_the_reports_however_shares_were_estimated():
    counts = [150, 20, 150, 100]
    plain, likely = (
        rr.bounded.quantile_from_bins(rr.estimate(rr.k_rr(4, 2), counts, method), FOUR)
        for method in ("inversion", "mle")
    )
    assert likely.estimate.proportions.min() >= 0 > plain.estimate.proportions.min()
    # But for the possible shares at which the variance is taken.
    ends = [each.interval(method="even") for each in (plain, likely)]
    np.testing.assert_allclose(*ends, atol=0.005)


def test_strata_of_several_devices_and_decks_of_cards_have_intervals():
    parts = rr.estimate_strata(
        [rr.k_rr(4, 1), rr.k_rr(4, 3)], [[60, 70, 60, 60], [90, 140, 80, 40]]
    )
    better = rr.bounded.quantile_from_bins(parts, FOUR)
    alone = rr.bounded.quantile_from_bins(rr.estimate(rr.k_rr(4, 3), [90, 140, 80, 40]), FOUR)
    widths = [np.ptp(each.interval(method="even")) for each in (better, alone)]
    assert widths[0] < widths[1]
    cards = rr.bounded.quantile_from_bins(
        rr.estimate(rr.designs.card_deck(4, 1, 2), [90, 80, 70, 80, 70, 60]), FOUR
    )
    low, high = cards.interval(method="even")
    assert 0 < low < cards.value < high < 4


def test_a_higher_level_is_wider_and_quantiles_rise():
    median = rr.bounded.quantile_from_bins(REPORTS, FOUR)
    intervals = [median.interval(level, "even") for level in (0.8, 0.95, 0.99)]
    widths = [np.ptp(each) for each in intervals]
    assert widths == sorted(widths)
    values = [
        rr.bounded.quantile_from_bins(REPORTS, FOUR, p).value for p in (0.1, 0.25, 0.5, 0.75, 0.9)
    ]
    assert values == sorted(values)


@pytest.mark.parametrize("chance", [0.01, 0.3, 0.5, 0.99])
@pytest.mark.parametrize("counts", [[300, 1, 0, 0], [5, 0, 0, 2], [0, 90, 0, 3], [1, 1, 1, 1]])
def test_an_improbable_survey_has_an_interval_too(chance, counts):
    for device in (rr.k_rr(4, 0.5), rr.k_rr(4, 4), rr.designs.direct(4)):
        quantile = rr.bounded.quantile_from_bins(rr.estimate(device, counts), FOUR, chance)
        low, high = quantile.interval(method="even")
        assert 0 <= low <= quantile.value <= high <= 4
        first, last = quantile.interval()
        assert first <= low
        assert high <= last


def test_what_a_reader_has_to_know():
    assert not rr.bounded.quantile_from_bins(REPORTS, FOUR).notes
    falls = rr.bounded.quantile_from_bins(rr.estimate(rr.k_rr(4, 2), [150, 20, 150, 100]), FOUR)
    assert falls.note("monotone")
    noise = rr.bounded.quantile_from_bins(rr.estimate(rr.k_rr(4, 0.3), [50, 50, 50, 50]), FOUR)
    assert noise.note("noisy_bins")
    refused = rr.bounded.quantile_from_bins(
        rr.estimate(rr.designs.direct(5), [0, 0, 0, 0, 20]), FOUR
    )
    assert refused.note("nobody_answered")
    assert refused.interval().tolist() == [0, 4]
    empty = rr.bounded.quantile_from_bins(rr.estimate(rr.k_rr(4, 1), [0, 0, 0, 0]), FOUR)
    assert [note.code for note in empty.notes] == ["no_reports"]
    assert empty.interval().tolist() == [0, 4]


def test_those_who_prefer_not_to_say_count_as_fewer_people():
    asked = rr.estimate(rr.designs.direct(5), [100, 140, 90, 70, 400])
    answered = rr.estimate(rr.designs.direct(4), [100, 140, 90, 70])
    first, second = (rr.bounded.quantile_from_bins(each, FOUR) for each in (asked, answered))
    assert first.value == pytest.approx(second.value)
    ends = [each.interval(method="even") for each in (first, second)]
    np.testing.assert_allclose(*ends, rtol=0.02)


@pytest.mark.parametrize("chance", [0, 1, "x"])
def test_a_chance_lies_between_0_and_1(chance):
    assert refusal(rr.bounded.quantile_from_bins, REPORTS, FOUR, chance).argument == "chance"


@pytest.mark.parametrize(
    ("n", "epsilon", "least", "most"), [(200, "0.5", 0.9, 1), (1000, "1", 0, 0.05)]
)
def test_the_note_on_noise_stands_where_intervals_cover_more_than_they_say(n, epsilon, least, most):
    # 99 % and 95 % of intervals cover (docs/methods/numbers.md).
    design, ten = rr.k_rr(10, epsilon), rr.bounded.Bins.equal(0, 1, 10**6, 10)
    counts = np.random.default_rng(5).multinomial(n, np.full(10, 0.1), size=60)
    noted = [
        rr.bounded.quantile_from_bins(rr.estimate(design, each), ten).note("noisy_bins") is not None
        for each in counts
    ]
    assert least <= np.mean(noted) <= most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "count", "epsilon", "chance"), [("even", 5, "2", 0.1), ("falling", 5, "4", 0.9)]
)
def test_intervals_cover_as_often_as_they_say(shape, count, epsilon, chance):
    # Standard error of 800 simulated surveys: .0077; three of them on top of the stated 1 %.
    found = quantile_coverage(shape, count, epsilon, chance, 200, repetitions=800)
    assert found == pytest.approx(0.95, abs=0.01 + 3 * 0.0077)


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.7])
@pytest.mark.parametrize("own_bin", [False, True])
def test_the_interval_covers_where_many_have_the_lowest_number(own_bin, chance):
    """Six of ten have 0, "how many times" as it is asked; seed 7, at epsilon 3.

    A coverage of .95 is missed by three standard errors at most. The interval of numbers spread
    evenly over their bins covers 0 in none of the surveys.
    """
    rng, bins = np.random.default_rng(7), rr.bounded.Bins.equal(0, 99, 99, 10)
    if own_bin:
        bins = rr.bounded.Bins(
            0, 99, 99, [0, *(1 + start for start in rr.bounded.Bins.equal(0, 98, 98, 9).starts)]
        )
    numbers = np.where(rng.random(100_000) < 0.6, 0, rng.integers(1, 100, 100_000))
    shares = np.bincount(bins.bin_of(numbers), minlength=bins.count) / len(numbers)
    truth, design = np.quantile(numbers, chance), rr.k_rr(bins.count, 3)
    held, even, surveys = 0, 0, examples(120, 300)
    for counts in rng.multinomial(1000, design.matrix @ shares, size=surveys):
        found = rr.bounded.quantile_from_bins(rr.estimate(design, counts), bins, chance)
        low, high = found.interval()
        held += low <= truth <= high
        low, high = found.interval(method="even")
        even += low <= truth <= high
    assert held / surveys >= 0.95 - 3 * (0.95 * 0.05 / surveys) ** 0.5
    assert even == 0 or chance == 0.7
    # In the number's own bin no more is open than how it was rounded.
    assert not own_bin or chance == 0.7 or high <= 0.5
