"""Tests for compliance, and the weight of fakes, through channels that never form their table."""

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.channel_cases import BADGE, CHANNELS, COIN, dense, some_shares
from tests.engine.engine_cases import refusal

CLOSE = {"rel": 1e-9, "abs": 1e-9}
# Some devices know hardly anything after so few reports; that makes notes and wide intervals.
PEOPLE = 800
VILLAGES = rr.channels.UniformChannel.from_epsilon(5_000, "9", bits=52)
BITS = rr.channels.BitChannel.from_epsilon(4, "2")
SETS = rr.channels.BitChannel.from_epsilon(4, "2", truths="set")


def counts_of(channel, seed=2, n=PEOPLE):
    rng = np.random.default_rng(seed)
    shares = some_shares(channel.truth_size)
    return channel.counts_of(channel.whole_people(shares, n), n, rng)


def code_of(call):
    error = refusal(call)
    return error.code


@pytest.mark.parametrize("name", CHANNELS)
def test_a_direct_arm_is_compared_with_any_channel(name):
    channel = CHANNELS[name]
    people = channel.whole_people(some_shares(channel.truth_size), 500)
    names = ("difference", "standard_error", "interval", "p_value")
    assert_as_dense(rr.compare_with_direct, channel, people, names)


@pytest.mark.parametrize("name", CHANNELS)
def test_a_control_item_is_checked_through_any_channel(name):
    channel = CHANNELS[name]
    known = np.eye(channel.truth_size)[0]
    names = ("share", "standard_error", "interval", "statistic")
    assert_as_dense(rr.compliance.anchor_check, channel, known, names)


def assert_as_dense(function, channel, given, names):
    """A channel and its table give the same numbers of these names."""
    found, expected = (
        function(device, counts_of(channel), given) for device in (channel, dense(channel))
    )
    for name in names:
        assert getattr(found, name) == pytest.approx(getattr(expected, name), **CLOSE), name


@pytest.mark.slow
def test_a_control_item_with_thousands_of_answers():
    """Nobody lives in more than the first village; a fifth answers at random."""
    people = np.zeros(VILLAGES.truth_size, dtype=np.int64)
    people[0] = 8_000
    rng = np.random.default_rng(4)
    counts = VILLAGES.counts_of(people, 8_000, rng) + rng.multinomial(
        2_000, np.full(5_000, 1 / 5_000)
    )
    found = rr.compliance.anchor_check(VILLAGES, counts, np.eye(1, 5_000)[0])
    assert found.share == pytest.approx(0.2, abs=4 * found.standard_error)
    assert 0 < found.standard_error < 0.02


def test_a_direct_arm_beside_thousands_of_answers():
    direct_people = np.full(VILLAGES.truth_size, 2)
    found = rr.compare_with_direct(
        VILLAGES, counts_of(VILLAGES, n=10_000), direct_people, category=7
    )
    assert found.difference == pytest.approx(0, abs=5 * found.standard_error)


@pytest.mark.parametrize("name", CHANNELS)
def test_reports_fit_a_channel_as_they_fit_its_table(name):
    channel = CHANNELS[name]
    counts = [counts_of(channel, seed) for seed in (1, 2)]
    found, expected = (
        (
            rr.compliance.goodness_of_fit(d, counts[0]),
            rr.compliance.homogeneity_test([d, d], counts),
        )
        for d in (channel, dense(channel))
    )
    for mine, tables in zip(found, expected, strict=True):
        assert mine.degrees_of_freedom == tables.degrees_of_freedom
        assert mine.statistic == pytest.approx(tables.statistic, **CLOSE)


def test_cheaters_are_found_through_channels():
    channels = [rr.channels.UniformChannel(3, 6, 1, 8), rr.channels.UniformChannel(3, 4, 2, 8)]
    counts = [counts_of(channel) + np.array([60, 0, 0]) for channel in channels]
    found, expected = (
        rr.compliance.cheating_share(devices, counts)
        for devices in (channels, list(map(dense, channels)))
    )
    assert found.values == pytest.approx(expected.values, **CLOSE)
    assert found.p_value == pytest.approx(expected.p_value, **CLOSE)


def test_cheaters_have_one_safe_report_in_all_groups():
    counts = [[5, 5], [3, 3, 3]]
    assert code_of(lambda: rr.compliance.cheating_share([COIN, BADGE], counts)) == "reports_differ"


@pytest.mark.parametrize(("channel", "code"), [(VILLAGES, "too_large"), (BITS, "not_available")])
def test_tests_that_need_a_table_refuse_channels_without_one(channel, code):
    counts = np.zeros(channel.tally_size, dtype=int)
    assert code_of(lambda: rr.compliance.goodness_of_fit(channel, counts)) == f"table_{code}"
    assert code_of(lambda: rr.compliance.goodness_of_fit([channel], [counts])) == f"table_{code}"
    assert (
        code_of(lambda: rr.compliance.homogeneity_test([channel] * 2, [counts] * 2))
        == f"table_{code}"
    )
    assert (
        code_of(lambda: rr.compliance.cheating_share([channel] * 2, [counts] * 2))
        == f"table_{code}"
    )


def test_bits_are_no_control_item_and_sets_have_no_direct_arm():
    counts = [[3, 1]] * 4
    assert (
        code_of(lambda: rr.compliance.anchor_check(BITS, counts, [1, 0, 0, 0]))
        == "table_not_available"
    )
    assert code_of(lambda: rr.compare_with_direct(SETS, counts, [1] * 4)) == "truths_not_exclusive"
    assert rr.compare_with_direct(BITS, counts, [1] * 4).standard_error > 0


@pytest.mark.parametrize("counts", [[9, 0, 2, 14, 5], [7, 0, 0, 0, 0], [0] * 5, [0, 1, 0, 0, 0]])
def test_fakes_weigh_through_a_uniform_channel_what_they_weigh_through_its_table(counts):
    channel = CHANNELS["uniform"]
    found, expected = (
        rr.compliance.poisoning(rr.estimate(d, counts)) for d in (channel, dense(channel))
    )
    for name in ("weights", "added", "replaced", "margins", "fakes"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), **CLOSE)


def test_fakes_weigh_in_bits_what_one_more_report_does():
    """All bits set, and all clear, are the two extremes."""
    people, ones = 10, np.array([3, 6, 0, 10])
    result = rr.compliance.poisoning(rr.estimate(BITS, np.stack([people - ones, ones], axis=1)))
    p, q = BITS.pair
    before = (ones / people - q) / (p - q)
    after = [((ones + bit) / (people + 1) - q) / (p - q) for bit in (0, 1)]
    moves = np.max(np.abs(np.array(after) - before), axis=0)
    assert result.added == pytest.approx(moves)
    assert result.weights == pytest.approx(np.full(4, (1 - q) / (p - q)))


def test_fakes_among_thousands_of_answers_need_no_table():
    result = rr.compliance.poisoning(rr.estimate(VILLAGES, counts_of(VILLAGES, n=10_000)))
    retention, other = VILLAGES.uniform
    assert result.weights == pytest.approx(np.full(5_000, (1 - other) / (retention - other)))
