"""Beliefs after a string of bits, against a table of all strings; and that tables have the same."""

import numpy as np
import pytest

from rr_engine import (
    ArgumentError,
    Bins,
    BitChannel,
    UniformChannel,
    estimate,
    estimate_strata,
    quantile_from_bins,
)
from rr_engine.bounded.cumulative_test import CumulativeTest
from rr_engine.privacy import loss
from tests.engine.test_bit_channel import SETS, reports_of, table

CHANNELS = {
    "unary encoding": BitChannel(3, 6, 2, 8),
    "optimized": BitChannel(6, 2**19, 100_000, 2**20),
    "the bit of the truth is rarer": BitChannel(5, 100_000, 600_000, 2**20),
    "always set": BitChannel(4, 8, 3, 8),
    "never set": BitChannel(4, 0, 3, 8),
    "only the truth can set a bit": BitChannel(4, 3, 0, 8),
    "only the truth can clear a bit": BitChannel(4, 3, 8, 8),
    "says nothing": BitChannel(4, 3, 3, 8),
    "says nothing, all bits clear": BitChannel(4, 0, 0, 8),
}
# By the number of truths, largest first: with one so rare that few reports are about it, and none.
PRIORS = {"equal": (1, 1, 1, 1, 1, 1), "rare": (0.7, 0.25, 0.05, 1e-6, 1e-6, 1e-6), "none": (4, 2)}


def shares_of(channel, prior):
    shares = np.zeros(channel.bits)
    given = PRIORS[prior][: channel.bits]
    shares[: len(given)] = given
    return shares / shares.sum()


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", CHANNELS)
def test_beliefs_are_those_of_every_string(name, prior):
    channel = CHANNELS[name]
    shares, matrix = shares_of(channel, prior), table(channel)
    assert len(matrix) == len(reports_of(channel))
    beliefs = loss.posterior(matrix, shares)[matrix @ shares > 0]
    assert channel.strongest_beliefs(shares) == pytest.approx(beliefs.max(axis=0), abs=1e-12)
    assert channel.worst_posterior(shares) == pytest.approx(
        loss.worst_posterior(matrix, shares), abs=1e-12
    )
    assert channel.privacy(shares) == pytest.approx(loss.privacy(matrix, shares), abs=1e-12)
    assert channel.recovery_probability(shares) == pytest.approx(
        loss.recovery_probability(matrix, shares), abs=1e-12
    )


def test_the_squared_error_is_the_mean_variance_of_a_bit():
    """Wang et al. 2017, Eq. 2 with the share itself: lam (1 - lam) / ((p - q)**2 n)."""
    channel, shares = CHANNELS["unary encoding"], np.array([0.5, 0.3, 0.2])
    ones = 0.25 + 0.5 * shares
    expected = (ones * (1 - ones) / 0.25).mean() / 200
    assert channel.mse(shares, 200) == pytest.approx(expected, rel=1e-12)
    assert CHANNELS["says nothing"].mse(np.full(4, 0.25), 200) == np.inf


def test_of_sets_there_are_no_beliefs():
    for measure in (SETS.strongest_beliefs, SETS.privacy, SETS.recovery_probability):
        with pytest.raises(ArgumentError) as error:
            measure([0.5, 0.5, 0.5])
        assert error.value.code == "table_not_available"


def test_a_channel_by_its_maps_tells_what_its_table_tells():
    channel = UniformChannel((4,), 5, 1, 8)
    shares = [0.4, 0.3, 0.2, 0.1]
    matrix = np.eye(4) * 0.5 + 0.125
    assert channel.privacy(shares) == pytest.approx(loss.privacy(matrix, np.array(shares)))
    assert channel.recovery_probability(shares) == pytest.approx(
        loss.recovery_probability(matrix, np.array(shares))
    )
    strongest = np.array(shares) * 5 / (np.array(shares) * 4 + 1)
    assert channel.strongest_beliefs(shares) == pytest.approx(strongest)
    assert channel.worst_posterior(shares) == pytest.approx(strongest[0])


def test_a_table_too_large_to_form_is_refused():
    channel = UniformChannel((100_000,), 1, 0, 1)
    with pytest.raises(ArgumentError) as error:
        channel.privacy(np.full(100_000, 1e-5))
    assert error.value.code == "table_too_large"


def test_strata_tell_what_their_tables_do_below_each_other():
    """A stratum is known: its rows are those of its own device, as often as it was used."""
    devices = [UniformChannel((500,), 501, 1, 1000), UniformChannel((500,), 501, 1, 1000)]
    pooled = estimate_strata(devices, [np.full(500, 3), np.full(500, 1)]).design
    shares = np.full(500, 1 / 500)
    assert pooled.privacy(shares) == pytest.approx(devices[0].privacy(shares))


def test_the_median_of_bins_is_tested_with_the_variance_of_every_string():
    """The score of a string is the sum over its bits; its variance is enumerated at the shares."""
    channel, bins = CHANNELS["unary encoding"], 3
    found = estimate(channel, [700, 300, 600, 400, 500, 500])
    test = CumulativeTest(found, bins, 0.5)
    contrasts = np.array([[0.5, -0.5, -0.5], [0.5, 0.25, -0.5]])
    shares = np.array([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6]])
    matrix, strings = table(channel), np.array(reports_of(channel))
    p, q = channel.pair
    for row, share, variance in zip(
        contrasts, shares, test._variances(contrasts, shares), strict=True
    ):
        scores = (strings - q) / (p - q) @ row
        chances = matrix @ share
        expected = chances @ scores**2 - (chances @ scores) ** 2
        assert variance == pytest.approx(expected / found.n, rel=1e-12)
    low, high = quantile_from_bins(found, Bins.equal(0, 8, 8, bins)).interval(method="even")
    assert 0 <= low < high <= 8
