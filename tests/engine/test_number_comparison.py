from dataclasses import asdict
from math import hypot, sqrt

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.bounded import mean_margin_of_error
from rr_engine.distributions import normal_isf


def of(comparison, bins):
    return next(each for each in comparison.devices if each.bins == bins)


def test_errors_of_means_are_those_that_estimates_have():
    shares, n = [0.1, 0.2, 0.4, 0.3], 10**6
    found = rr.bounded.compare_number_devices(0, 40, "1", n, shares=shares, bin_counts=[4])
    expected = mean_margin_of_error(rr.bounded.MeanDevice.from_epsilon(10**6, "1"), 24, n, 0, 40)
    assert of(found, None).mean.standard_error == pytest.approx(
        expected / normal_isf(0.025), rel=1e-5
    )
    device, bins = rr.k_rr(4, "1"), rr.bounded.Bins.equal(0, 40, 10**6, 4)
    counts = np.round(device.matrix @ shares * n).astype(int)
    binned = rr.bounded.mean_from_bins(rr.estimate(device, counts), bins)
    assert of(found, 4).mean.standard_error == pytest.approx(binned.standard_error, rel=1e-4)
    assert of(found, 4).mean.discretisation == pytest.approx(binned.discretisation, rel=1e-5)


def test_the_error_of_a_median_is_that_of_its_interval():
    shares, n = [0.1, 0.2, 0.4, 0.3], 10**6
    found = of(rr.bounded.compare_number_devices(0, 40, "1", n, shares=shares, bin_counts=[4]), 4)
    device, bins = rr.k_rr(4, "1"), rr.bounded.Bins.equal(0, 40, 10**6, 4)
    counts = np.round(device.matrix @ shares * n).astype(int)
    low, high = rr.bounded.quantile_from_bins(rr.estimate(device, counts), bins).interval(
        method="even"
    )
    error = (high - low) / 2 / normal_isf(0.025)
    assert found.median.standard_error == pytest.approx(error, rel=0.01)
    # .3 below 20 and .7 below 30.
    assert found.median.discretisation == pytest.approx(10, abs=1e-3)


def test_a_bias_is_never_larger_than_what_bins_can_add():
    for mean, spread in ((20, 15), (50, 10), (70, 5)):
        found = rr.bounded.compare_number_devices(0, 100, "2", 500, mean=mean, spread=spread)
        for each in found.devices[1:]:
            assert abs(each.mean.bias) <= each.mean.discretisation
            assert abs(each.median.bias) <= each.median.discretisation
        # With many bins next to nothing is lost.
        assert abs(of(found, 50).mean.bias) < 0.3


def test_the_best_has_the_least_error_in_the_worst_case():
    found = rr.bounded.compare_number_devices(0, 100, "1", 1000)
    errors = [hypot(e.mean.standard_error, e.mean.discretisation) for e in found.devices]
    assert found.best_for_mean.mean.largest == min(errors)
    medians = [each.median.largest for each in found.devices if each.median]
    assert found.best_for_median.median.largest == min(medians)


def test_one_bit_is_best_for_a_mean_and_bins_where_epsilon_is_large():
    assert rr.bounded.compare_number_devices(0, 100, "1", 1000).best_for_mean.bins is None
    few = rr.bounded.compare_number_devices(0, 100, "5", 200)
    assert few.best_for_mean.bins > 10


def test_more_people_deserve_more_bins():
    sizes = [
        rr.bounded.compare_number_devices(0, 1, "1", n).best_for_median.bins
        for n in (200, 5000, 200_000)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_uniform_guess_by_any_name_is_the_same():
    plain = rr.bounded.compare_number_devices(0, 60, "1", 300)
    parts = rr.bounded.compare_number_devices(0, 60, "1", 300, shares=[0.25] * 4)
    beta = rr.bounded.compare_number_devices(0, 60, "1", 300, mean=30, spread=60 / sqrt(12))
    for other in (parts, beta):
        for mine, theirs in zip(plain.devices, other.devices, strict=True):
            assert mine.mean.standard_error == pytest.approx(theirs.mean.standard_error)


def test_no_more_bins_than_values():
    found = rr.bounded.compare_number_devices(0, 5, "1", 300, steps=5)
    assert [each.bins for each in found.devices] == [None, 2, 3, 4, 5, 6]
    # A bin for each value: nothing is lost.
    assert found.devices[-1].mean.discretisation == 0


def test_the_result_is_plain_data():
    found = asdict(rr.bounded.compare_number_devices(0, 5, "1", 300, bin_counts=[3]))
    assert set(found) == {"devices", "best_for_mean", "best_for_median"}
    assert set(found["devices"][1]["mean"]) == {"standard_error", "discretisation", "bias"}


@pytest.mark.parametrize("epsilon", ["1e-50", "0.1", "40", "700"])
def test_any_epsilon_has_finite_errors(epsilon):
    for each in rr.bounded.compare_number_devices(0, 1, epsilon, 100).devices:
        assert np.isfinite(each.mean.largest)
        assert each.median is None or np.isfinite(each.median.largest)


@pytest.mark.parametrize(
    ("guess", "argument"),
    [
        ({"mean": 50}, "spread"),
        ({"spread": 5}, "mean"),
        ({"mean": 0, "spread": 5}, "mean"),
        ({"mean": 50, "spread": 50}, "spread"),
        ({"mean": 101, "spread": 5}, "mean"),
        ({"mean": 50, "spread": 5, "shares": [0.5, 0.5]}, "shares"),
        ({"shares": [0.5, 0.4]}, "shares"),
        ({"bin_counts": [50], "steps": 3}, "bin_counts"),
    ],
)
def test_guesses_that_cannot_be_are_refused(guess, argument):
    with pytest.raises(rr.EngineError) as caught:
        rr.bounded.compare_number_devices(0, 100, "1", 100, **guess)
    assert caught.value.argument == argument
