import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import outcomes

AGES = rr.bounded.Bins(0, 100, 100, (0, 18, 65))


def test_bins_meet_half_way_between_values():
    assert AGES.boundaries.tolist() == [0, 17.5, 64.5, 100]
    assert AGES.middles.tolist() == [8.5, 41, 82.5]
    assert AGES.reach.tolist() == [8.5, 23, 17.5]
    assert (AGES.count, AGES.step) == (3, 1)


def test_every_value_is_in_one_bin_and_within_reach_of_its_middle():
    bins = rr.bounded.Bins(-3, 4, 50, (0, 1, 7, 30))
    values = -3 + 7 * np.arange(51) / 50
    homes = bins.bin_of(np.arange(51))
    assert np.bincount(homes).tolist() == [1, 6, 23, 21]
    assert (np.abs(values - bins.middles[homes]) <= bins.reach[homes] + 1e-12).all()
    assert (bins.boundaries[homes] <= values + 1e-12).all()
    assert (values <= bins.boundaries[homes + 1] + 1e-12).all()


@pytest.mark.parametrize(("steps", "count"), [(1, 2), (10, 4), (99, 10), (100, 7), (10**6, 13)])
def test_equal_bins_hold_equally_many_values_to_one(steps, count):
    bins = rr.bounded.Bins.equal(0, 1, steps, count)
    sizes = np.diff([*bins.starts, steps + 1])
    assert (bins.count, sizes.sum()) == (count, steps + 1)
    assert np.ptp(sizes) <= 1


@pytest.mark.parametrize("starts", [(0,), (1, 2), (0, 2, 2), (0, 5, 3), (0, 11), "01", (0, 1.5)])
def test_other_starts_are_refused(starts):
    with pytest.raises(rr.EngineError) as caught:
        rr.bounded.Bins(0, 1, 10, starts)
    assert caught.value.argument == "starts"


def test_the_mean_of_middles_is_unbiased_and_never_further_off_than_half_a_bin():
    device, bins, n = rr.k_rr(3, "1.5"), rr.bounded.Bins(0, 9, 9, (0, 2, 6)), 4
    people = np.array([3, 1, 0, 1, 2, 0, 2, 1, 0, 2]) / 12
    homes = bins.bin_of(np.arange(10))
    shares = np.array([people[homes == home].sum() for home in range(3)])
    found = sum(
        chance * rr.bounded.mean_from_bins(rr.estimate(device, counts), bins).value
        for counts, chance in outcomes(device.matrix @ shares, n)
    )
    assert found == pytest.approx(bins.middles @ shares)
    assert (
        abs(found - people @ np.arange(10))
        <= rr.bounded.mean_from_bins(rr.estimate(device, [1, 1, 2]), bins).discretisation
    )


def test_sampling_and_discretisation_are_kept_apart():
    reports = rr.estimate(rr.k_rr(3, 2), [40, 90, 70])
    mean = rr.bounded.mean_from_bins(reports, AGES)
    plain = rr.association.mean_score(reports, AGES.middles)
    assert (mean.value, mean.standard_error) == (plain.value, plain.standard_error)
    assert mean.range == (mean.value - 23, mean.value + 23)
    low, high = plain.interval()
    np.testing.assert_allclose(mean.interval(), [max(low, 8.5) - 23, min(high, 82.5) + 23])


def test_those_who_prefer_not_to_say_are_left_out():
    answered = rr.estimate(rr.designs.direct(3), [40, 90, 70])
    asked = rr.estimate(rr.designs.direct(4), [40, 90, 70, 100])
    assert rr.bounded.mean_from_bins(asked, AGES).value == pytest.approx(
        rr.bounded.mean_from_bins(answered, AGES).value
    )
    both = [rr.bounded.distribution_from_bins(each, AGES) for each in (asked, answered)]
    np.testing.assert_allclose(both[0].cumulative, both[1].cumulative)
    # 200 of 300 answered, which adds next to nothing to the error of a share of theirs.
    np.testing.assert_allclose(both[0].standard_errors, both[1].standard_errors, rtol=0.005)


@pytest.mark.parametrize(
    "device", [rr.k_rr(4, 1), rr.designs.card_deck(4, 1, 2)], ids=["k-ary", "cards"]
)
def test_cumulative_shares_have_the_errors_of_sums(device):
    counts = np.arange(len(device.matrix)) * 10 + 100
    found, bins = rr.estimate(device, counts), rr.bounded.Bins.equal(0, 1, 100, 4)
    distribution = rr.bounded.distribution_from_bins(found, bins)
    for parts in range(1, 4):
        contrast = np.repeat([1, 0], [parts, 4 - parts])
        assert distribution.cumulative[parts] == pytest.approx(found.proportions[:parts].sum())
        assert distribution.standard_errors[parts] == pytest.approx(
            np.sqrt(found.covariance_of(contrast, contrast))
        )
    assert distribution.cumulative[[0, -1]] == pytest.approx([0, 1])
    assert distribution.standard_errors[[0, -1]].tolist() == [0, 0]


def test_a_distribution_that_falls_has_a_monotone_one_beside_it():
    found = rr.estimate_strata([rr.k_rr(4, 1), rr.k_rr(4, 2)], [[60, 10, 60, 70], [60, 5, 60, 75]])
    distribution = rr.bounded.distribution_from_bins(found, rr.bounded.Bins.equal(0, 1, 100, 4))
    assert not distribution.is_monotone
    assert (np.diff(distribution.cumulative) < 0).any()
    assert (np.diff(distribution.monotone) >= 0).all()
    assert distribution.monotone[[0, -1]] == pytest.approx([0, 1])


@pytest.mark.parametrize("counts", [[0, 0, 0, 0], [0, 0, 0, 9]])
def test_without_answers_nothing_is_known(counts):
    distribution = rr.bounded.distribution_from_bins(
        rr.estimate(rr.designs.direct(4), counts), AGES
    )
    np.testing.assert_allclose(distribution.cumulative, [0, 1 / 3, 2 / 3, 1])
    assert distribution.standard_errors.tolist() == [0, np.inf, np.inf, 0]


def test_bins_need_a_category_each():
    with pytest.raises(rr.EngineError) as caught:
        rr.bounded.mean_from_bins(rr.estimate(rr.k_rr(2, 1), [3, 4]), AGES)
    assert (caught.value.argument, caught.value.code) == ("estimate", "labels_do_not_fit")
