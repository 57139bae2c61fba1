"""Devices of bits against every report that they can send."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.bounded.cumulative_test import CumulativeTest
from rr_engine.privacy import loss
from tests.engine.engine_cases import check_moments, multinomial, refusal, refusals

UNARY = rr.channels.BitChannel(3, 6, 2, 8)
UNEVEN = rr.channels.BitChannel(3, 4, 1, 8)
SETS = rr.channels.BitChannel(3, 6, 1, 8, truths="set")
LIES = rr.channels.BitChannel(3, 2, 6, 8)


def reports_of(channel):
    return list(product((0, 1), repeat=channel.bits))


def truths_of(channel):
    """Return every truth as the bits that it sets."""
    if channel.exclusive:
        return [tuple(row) for row in np.eye(channel.bits, dtype=int).tolist()]
    return reports_of(channel)


def chance(channel, report, truth):
    """Return the chance of a whole report, exactly, from the definition alone."""
    whole = Fraction(1)
    for seen, bit in zip(report, truth, strict=True):
        one = Fraction(channel.kept if bit else channel.raised, channel.denominator)
        whole *= one if seen else 1 - one
    return whole


def table(channel):
    """Return Pr(report | truth) for all reports and truths."""
    return np.array(
        [[float(chance(channel, u, v)) for v in truths_of(channel)] for u in reports_of(channel)]
    )


def surveys(channel, shares, n):
    """Return every multiset of n whole reports with its chance."""
    reports, chances = reports_of(channel), table(channel) @ shares
    found = []
    for counts in product(range(n + 1), repeat=len(reports)):
        if sum(counts) == n:
            every = dict(zip(reports, counts, strict=True))
            found.append((every, multinomial(np.array(counts), chances)))
    return found


@pytest.mark.parametrize(
    "channel",
    [
        UNARY,
        UNEVEN,
        SETS,
        LIES,
        rr.channels.BitChannel(3, 2, 6, 8, truths="set"),
        rr.channels.BitChannel(2, 1, 7, 8),
    ],
)
def test_privacy_is_that_of_all_reports(channel):
    """Also of devices that mostly lie."""
    ratios = [
        chance(channel, report, one) / chance(channel, report, other)
        for report in reports_of(channel)
        for one in truths_of(channel)
        for other in truths_of(channel)
    ]
    assert channel.likelihood_ratio_bound == max(ratios)
    assert channel.epsilon == pytest.approx(np.log(float(max(ratios))))


def test_bits_that_prove_something_make_epsilon_infinite():
    assert rr.channels.BitChannel(3, 8, 2, 8).likelihood_ratio_bound is None
    assert rr.channels.BitChannel(3, 4, 0, 8).epsilon == np.inf
    assert rr.channels.BitChannel(3, 4, 4, 8).likelihood_ratio_bound == 1


@pytest.mark.parametrize("form", ["symmetric", "optimized"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_an_epsilon_is_nearly_spent_and_never_exceeded(form, epsilon):
    channel = rr.channels.BitChannel.from_epsilon(20, epsilon, form, precision=40)
    assert channel.epsilon_at_most(epsilon)
    assert channel.epsilon == pytest.approx(float(epsilon), abs=1e-9)
    sets = rr.channels.BitChannel.from_epsilon(20, epsilon, truths="set", precision=40)
    assert sets.epsilon_at_most(epsilon)
    assert sets.epsilon == pytest.approx(float(epsilon), abs=1e-7)


def test_permanent_response_is_that_of_rappor():
    channel = rr.channels.BitChannel.permanent(16, 0.5)
    assert channel.pair == (0.75, 0.25)
    # Erlingsson et al. Eq. 4 with one hash function: 2 ln((1 - f/2) / (f/2)).
    assert channel.epsilon == pytest.approx(2 * np.log(3))
    assert rr.channels.BitChannel.permanent(16, "0.1").raised >= Fraction(1, 20) * 2**32


def test_expected_shares_are_those_of_all_reports():
    for channel in (UNARY, UNEVEN, SETS):
        truths = np.array(truths_of(channel))
        shares = np.random.default_rng(2).dirichlet(np.ones(len(truths)))
        ones = (table(channel) @ shares) @ np.array(reports_of(channel))
        expected = np.stack([1 - ones, ones], axis=-1).ravel()
        assert np.allclose(channel.apply(shares @ truths), expected)


@pytest.mark.parametrize("channel", [UNARY, UNEVEN], ids=["unary", "uneven"])
def test_categories_are_unbiased_with_an_unbiased_covariance_over_every_survey(channel):
    shares = np.array([0.5, 0.3, 0.2])
    cases = [
        (rr.estimate(channel, counts), chance) for counts, chance in surveys(channel, shares, 3)
    ]
    check_moments(cases, shares)


def test_sets_are_unbiased_with_unbiased_variances_over_every_survey():
    joint = np.random.default_rng(3).dirichlet(np.ones(8))
    cases = [(rr.estimate(SETS, counts), chance) for counts, chance in surveys(SETS, joint, 2)]
    shares = joint @ np.array(reports_of(SETS))
    check_moments(cases, shares, lambda found: found.standard_errors**2)


def test_a_fixed_group_errs_by_the_device_alone():
    # Two people with the first category and one with the third: every report of each.
    people, cases = [(1, 0, 0), (1, 0, 0), (0, 0, 1)], []
    for sent in product(reports_of(UNARY), repeat=3):
        likely = [float(chance(UNARY, u, v)) for u, v in zip(sent, people, strict=True)]
        counts = {report: sent.count(report) for report in sent}
        cases.append((rr.estimate(UNARY, counts, population="fixed"), float(np.prod(likely))))
    check_moments(cases, np.array([2, 0, 1]) / 3)


def test_a_table_of_bits_is_the_same_as_whole_reports():
    reports = {"011": 4, "100": 6, (1, 1, 0): 5}
    bits = [[4, 11], [6, 9], [11, 4]]
    found = [rr.estimate(UNARY, counts) for counts in (reports, bits, np.ravel(bits))]
    assert found[0].n == 15
    assert len({each.proportions.tobytes() for each in found}) == 1
    assert found[0].counts.tolist() == [4, 11, 6, 9, 11, 4]


@pytest.mark.parametrize(
    "counts",
    [
        {"01": 1}, {"012": 1}, {(0, 1): 1}, {(0, 1, 2): 1}, {3: 1}, {"011": -1}, {"011": True},
        [[1, 2], [2, 1], [2, 2]], [[1, 2], [2, 1]], None,
    ],
)  # fmt: skip
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(rr.errors.CountsError):
        rr.estimate(UNARY, counts)


def test_likelihood_of_whole_reports_is_the_largest():
    rng, shares = np.random.default_rng(5), np.array([0.7, 0.3, 0.0])
    drawn = UNARY.sample(rng.choice(3, size=300, p=shares), rng)
    counts = {}
    for report in map(tuple, drawn.tolist()):
        counts[report] = counts.get(report, 0) + 1
    found = rr.estimate(UNARY, counts, "mle")
    assert found.converged
    assert found.proportions.sum() == pytest.approx(1)
    assert found.proportions.min() >= 0
    reported = np.array([counts.get(report, 0) for report in reports_of(UNARY)])

    def likelihood(at):
        return reported @ np.log(table(UNARY) @ at)

    best = likelihood(found.proportions)
    for other in np.random.default_rng(1).dirichlet(np.ones(3), size=500):
        near = 0.98 * found.proportions + 0.02 * other
        assert likelihood(other) <= best + 1e-9
        assert likelihood(near) <= best + 1e-9


def test_likelihood_needs_whole_reports():
    with pytest.raises(rr.errors.CountsError, match="mapping"):
        rr.estimate(UNARY, [[4, 11], [6, 9], [11, 4]], "mle")


def test_likelihood_where_a_clear_bit_never_shows_as_set():
    channel = rr.channels.BitChannel(3, 4, 0, 8)
    found = rr.estimate(channel, {"100": 30, "010": 10, "000": 40}, "mle")
    assert found.proportions == pytest.approx([0.75, 0.25, 0.0], abs=1e-9)


def test_likelihood_of_sets_is_held_within_the_range_bit_by_bit():
    counts = [[90, 10], [15, 85], [50, 50]]
    free, held = rr.estimate(SETS, counts), rr.estimate(SETS, counts, "mle")
    assert free.proportions.min() < 0
    assert np.allclose(held.proportions, np.clip(free.proportions, 0, 1))


def test_sums_of_bits_of_sets_are_refused_where_nothing_is_known_of_them():
    sample = rr.estimate(SETS, [[40, 60], [55, 45], [70, 30]])
    assert sample.covariance_of([0, 2, 0], [0, 1, 0]) == pytest.approx(
        2 * sample.standard_errors[1] ** 2
    )
    for contrasts in (([1, 1, 0], [1, 1, 0]), ([1, 0, 0], [0, 1, 0])):
        with pytest.raises(rr.errors.ArgumentError, match="one bit"):
            sample.covariance_of(*contrasts)
    fixed = rr.estimate(SETS, [[40, 60], [55, 45], [70, 30]], population="fixed")
    assert fixed.covariance_of([1, 0, 0], [0, 1, 0]) == 0
    assert rr.estimation.simultaneous_intervals(sample).shape == (3, 2)


def test_intervals_hold_what_the_normal_one_holds_roughly():
    found = rr.estimate(UNARY, [[400, 600], [700, 300], [680, 320]])
    normal = found.interval(method="normal")
    for method in ("wilson", "exact", "bootstrap", "default"):
        assert np.allclose(found.interval(method=method), normal, atol=0.02)
    assert (found.interval(method="sequence")[:, 0] < normal[:, 0]).all()
    with pytest.raises(rr.errors.ArgumentError):
        found.interval(method="profile")


def test_possible_intervals_stay_inside_without_a_likelihood():
    found = rr.estimate(UNARY, [[8, 992], [700, 300], [995, 5]])
    ends = found.possible_interval()
    assert (ends >= 0).all()
    assert (ends <= 1).all()
    assert (ends[:, 0] < ends[:, 1]).all()


def test_notes_tell_odd_bits():
    assert rr.estimate(UNARY, [[0, 1000], [700, 300], [995, 5]]).note("implausible")
    assert rr.estimate(UNARY, {"010": 30}).note("all_alike")
    assert not rr.estimate(UNARY, {"010": 30, "011": 1}).note("all_alike")
    none = rr.estimate(UNARY, {})
    assert none.note("no_reports")
    assert none.interval().tolist() == [[0, 1]] * 3


@pytest.mark.slow
@pytest.mark.parametrize("channel", [UNARY, SETS], ids=["unary", "sets"])
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_simulation_and_planning_ask_the_channel_only(channel, population):
    shares = [0.5, 0.3, 0.2] if channel.exclusive else [0.5, 0.9, 0.2]
    trial = rr.planning.simulate_coverage(channel, shares, 500, 200, rng=3, population=population)
    assert (np.abs(trial.bias) < 4.5 * trial.bias_error).all()
    assert (trial.coverage > 0.88).all()
    planned = rr.margin_of_error(channel, shares, 500, category=1, population=population) / 1.96
    assert trial.deviation[1] == pytest.approx(planned, rel=0.2)
    n = rr.sample_size(channel, shares, 0.05, population=population)
    assert rr.margin_of_error(channel, shares, n, population=population) <= 0.05
    assert rr.power(channel, 0.5, 0.4, 2000) > 0.9
    counts = rr.simulate_counts(channel, shares, 50, rng=2, population=population)
    assert channel.people(counts) == 50


def test_draws_deal_out_every_integer_exactly():
    whole = UNARY.denominator
    truths = np.repeat([0, 2], whole)
    blocks = [bytes(np.repeat(np.arange(whole), 3).astype(np.uint8)) * 2]
    reports = rr.randomize(UNARY, truths, lambda size: blocks.pop())
    ones = reports.reshape(2, whole, 3).sum(axis=1)
    assert ones.tolist() == [[6, 2, 2], [2, 2, 6]]
    assert rr.randomize(SETS, [[1, 1, 0]], lambda size: bytes(size)).tolist() == [[1, 1, 1]]


def test_truths_that_are_none_are_refused():
    with pytest.raises(rr.errors.CategoryError):
        rr.randomize(UNARY, [3])
    for truths in ([0, 1], [[0, 1]], [[0, 1, 2]], [[0.5, 0, 1]]):
        with pytest.raises(rr.errors.CategoryError):
            rr.randomize(SETS, truths)


def test_stored_and_read_again():
    found = rr.estimate(UNARY, {"010": 30, "011": 12})
    again = rr.Estimate.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.design == UNARY
    assert again.covariance.tobytes() == found.covariance.tobytes()


def test_ten_thousand_bits_take_no_table():
    channel = rr.channels.BitChannel.from_epsilon(10_000, "3", "optimized")
    shares = np.full(10_000, 1e-4)
    found = rr.estimate(channel, rr.simulate_counts(channel, shares, 10**6, rng=1))
    assert (np.abs(found.proportions - shares) < 6 * found.standard_errors).all()
    with pytest.raises(rr.errors.ArgumentError, match="truths"):
        _ = found.covariance


test_what_is_no_device_of_bits_is_refused = refusals(
    "argument",
    ("bits", lambda: rr.channels.BitChannel(1, 3, 1, 4)),
    ("kept", lambda: rr.channels.BitChannel(3, 5, 1, 4)),
    ("truths", lambda: rr.channels.BitChannel(3, 3, 1, 4, truths="both")),
    ("f", lambda: rr.channels.BitChannel.permanent(3, 1.5)),
    ("form", lambda: rr.channels.BitChannel.from_epsilon(3, 1, "optimized", truths="set")),
    ("prior", lambda: rr.estimate(SETS, [[4, 6]] * 3, prior=[0.5, 0.5, 1.5])),
    ("prior", lambda: rr.estimate(UNARY, [[4, 6]] * 3, prior=[0.5, 0.5, 0.5])),
)


CHANNELS = {
    "unary encoding": rr.channels.BitChannel(3, 6, 2, 8),
    "optimized": rr.channels.BitChannel(6, 2**19, 100_000, 2**20),
    "the bit of the truth is rarer": rr.channels.BitChannel(5, 100_000, 600_000, 2**20),
    "always set": rr.channels.BitChannel(4, 8, 3, 8),
    "never set": rr.channels.BitChannel(4, 0, 3, 8),
    "only the truth can set a bit": rr.channels.BitChannel(4, 3, 0, 8),
    "only the truth can clear a bit": rr.channels.BitChannel(4, 3, 8, 8),
    "says nothing": rr.channels.BitChannel(4, 3, 3, 8),
    "says nothing, all bits clear": rr.channels.BitChannel(4, 0, 0, 8),
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
        assert refusal(measure, [0.5, 0.5, 0.5]).code == "table_not_available"


def test_a_channel_by_its_maps_tells_what_its_table_tells():
    channel = rr.channels.UniformChannel((4,), 5, 1, 8)
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
    channel = rr.channels.UniformChannel((100_000,), 1, 0, 1)
    assert refusal(channel.privacy, np.full(100_000, 1e-5)).code == "table_too_large"


def test_strata_tell_what_their_tables_do_below_each_other():
    """A stratum is known: its rows are those of its own device, as often as it was used."""
    devices = [
        rr.channels.UniformChannel((500,), 501, 1, 1000),
        rr.channels.UniformChannel((500,), 501, 1, 1000),
    ]
    pooled = rr.estimate_strata(devices, [np.full(500, 3), np.full(500, 1)]).design
    shares = np.full(500, 1 / 500)
    assert pooled.privacy(shares) == pytest.approx(devices[0].privacy(shares))


def test_the_median_of_bins_is_tested_with_the_variance_of_every_string():
    """The score of a string is the sum over its bits; its variance is enumerated at the shares."""
    channel, bins = CHANNELS["unary encoding"], 3
    found = rr.estimate(channel, [700, 300, 600, 400, 500, 500])
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
    low, high = rr.bounded.quantile_from_bins(found, rr.bounded.Bins.equal(0, 8, 8, bins)).interval(
        method="even"
    )
    assert 0 <= low < high <= 8
