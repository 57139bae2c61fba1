"""Every channel that never builds its table says what the dense table says."""

import json
from fractions import Fraction

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.channels.counting import Structured
from rr_engine.estimation.likelihood import iterate_to_maximum
from rr_engine.precision import left_inverse
from rr_engine.privacy.loss import likelihood_ratio_bound
from tests.engine.channel_cases import BADGE, CHANNELS, COIN, check_maps, dense, some_shares
from tests.engine.engine_cases import check_moments, outcomes, people_outcomes, refusal

RNG_SEED = 11


def drawn(channel, n=400, seed=3):
    return rr.simulate_counts(channel, some_shares(channel.truth_size), n, rng=seed)


@pytest.fixture(params=CHANNELS)
def channel(request):
    return CHANNELS[request.param]


def test_the_table_is_that_of_the_definition(channel):
    assert np.allclose(channel.matrix, dense(channel).matrix, rtol=0, atol=1e-15)
    assert channel.truth_size == np.prod(channel.truth_shape)
    assert channel.tally_size == np.prod(channel.report_shape)


def test_the_linear_maps_are_those_of_the_table(channel):
    """With more reports than truths too: weights of equal truths are a product themselves."""
    check_maps(channel, dense(channel).matrix, shape=(2, 3))


def test_weights_make_the_best_estimate_of_each_factor():
    channel, shares = CHANNELS["product, more reports than truths"], some_shares(4)
    weights = channel.apply(shares)
    margin = shares.reshape(2, 2).sum(axis=1)
    best = left_inverse(BADGE.matrix, BADGE.matrix @ margin)
    whole = np.kron(best, left_inverse(COIN.matrix))
    assert np.allclose(channel.scores(np.eye(4), weights), whole)


def test_privacy_is_exact(channel):
    table = np.round(dense(channel).matrix * 2**32).astype(np.int64)
    assert channel.likelihood_ratio_bound == likelihood_ratio_bound(table)
    assert isinstance(channel.likelihood_ratio_bound, Fraction)
    assert channel.epsilon == pytest.approx(dense(channel).epsilon, abs=1e-12)
    above, below = f"{channel.epsilon + 1e-9:.12f}", f"{channel.epsilon - 1e-9:.12f}"
    assert channel.epsilon_at_most(above)
    assert not channel.epsilon_at_most(below)


def test_report_that_proves_makes_epsilon_infinite():
    assert rr.channels.UniformChannel(3, 8, 0, 8).epsilon == np.inf
    assert (
        rr.channels.ProductChannel([COIN, rr.channels.UniformChannel(3, 8, 0, 8)]).epsilon == np.inf
    )
    assert not rr.channels.UniformChannel(3, 0, 4, 8).epsilon_at_most(700)


def test_condition_number_is_that_of_the_table(channel):
    assert channel.condition_number >= 1
    assert channel.condition_number == pytest.approx(dense(channel).condition_number, rel=1e-9)


def test_bounds_of_reports_are_those_of_the_table(channel):
    matrix = dense(channel).matrix
    low, high = (np.broadcast_to(end, channel.tally_size) for end in channel.report_bounds())
    assert np.allclose(low, matrix.min(axis=1))
    assert np.allclose(high, matrix.max(axis=1))


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_estimates_are_those_of_the_dense_device(channel, population):
    table = dense(channel)
    for n, seed in ((30, 1), (400, 2), (9000, 3)):
        counts = drawn(channel, n, seed)
        found, same = (
            rr.estimate(each, counts, population=population) for each in (channel, table)
        )
        codes = [{note.code for note in each.notes} for each in (found, same)]
        assert codes[0] == codes[1]
        assert np.allclose(found.proportions, same.proportions, rtol=0, atol=1e-12)
        assert np.allclose(found.standard_errors, same.standard_errors, rtol=1e-9, atol=1e-12)
        assert np.allclose(found.covariance, same.covariance, rtol=1e-9, atol=1e-14)
        assert np.allclose(found.interval(0.9, "wilson"), same.interval(0.9, "wilson"), atol=1e-9)
        assert np.allclose(found.projected(), same.projected(), atol=1e-12)


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_chosen_sums_have_the_covariance_of_the_table(channel, population):
    found = rr.estimate(channel, drawn(channel), population=population)
    first, second = np.random.default_rng(2).normal(size=(2, channel.truth_size))
    assert found.covariance_of(first, second) == pytest.approx(
        first @ found.covariance @ second, rel=1e-9
    )
    every = np.ones(channel.truth_size)
    assert abs(found.covariance_of(every, first)) < 1e-15


def test_likelihood_is_that_of_the_dense_device(channel):
    for n, seed in ((40, 1), (4000, 2)):
        counts = drawn(channel, n, seed)
        found, same = (
            rr.estimate(each, counts, method="mle") for each in (channel, dense(channel))
        )
        assert found.converged
        assert np.allclose(found.proportions, same.proportions, atol=1e-7)


def test_large_tables_are_climbed_by_the_linear_maps_alone(channel, monkeypatch):
    monkeypatch.setattr("rr_engine.estimation.likelihood.DIRECT_ENTRIES", 1)
    counts = drawn(channel, 60, 1)
    found = iterate_to_maximum(Structured(channel), counts / counts.sum())
    same = rr.estimate(dense(channel), counts, method="mle")
    assert found.converged
    assert np.allclose(found.proportions, same.proportions, atol=1e-6)


@pytest.mark.parametrize("name", ["uniform, two answers", "uniform, answer-reversing"])
def test_unbiased_with_an_unbiased_covariance_over_every_outcome(name):
    channel = CHANNELS[name]
    shares = some_shares(channel.truth_size)
    check_moments(
        [(rr.estimate(channel, counts), p) for counts, p in outcomes(channel.apply(shares), 5)],
        shares,
    )


@pytest.mark.parametrize(
    "channel",
    [
        rr.channels.ProductChannel([COIN, COIN]),
        CHANNELS["uniform over pairs"],
        rr.channels.ProductChannel([BADGE, COIN]),
    ],
    ids=["product", "joint", "more reports"],
)
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_tuples_are_unbiased_over_every_outcome(channel, population):
    people = [2, 1, 0, 1, 0, 0][: channel.truth_size]
    divisor = sum(people) - (population == "sample")

    def stated(found):
        """Return the covariance by the formula alone: an estimate may take it at its projection."""
        shares = found.proportions
        return channel.covariance(shares, channel.apply(shares), population) / divisor

    every = people_outcomes(channel.matrix, people, population)
    cases = [(rr.estimate(channel, counts, population=population), p) for counts, p in every]
    check_moments(cases, np.array(people) / sum(people), stated)


def test_sparse_counts_are_the_same_as_a_table():
    channel = CHANNELS["joint, by changes"]
    table = drawn(channel).reshape(2, 3)
    sparse = {(row, column): int(table[row, column]) for row in range(2) for column in range(3)}
    numbered = {index: int(count) for index, count in enumerate(table.ravel()) if count}
    same = rr.estimate(channel, table.ravel()).proportions.tobytes()
    for counts in (table, table.tolist(), sparse, numbered):
        assert rr.estimate(channel, counts).proportions.tobytes() == same


@pytest.mark.parametrize(
    "counts",
    [
        {(0, 3): 1}, {6: 1}, {-1: 1}, {(0,): 1}, {"0": 1}, {(0, 0): -1}, {(0, 0): 1.5},
        {(0, 0): True}, {True: 3}, {(0, True): 1}, {(0, 0): 2**53}, [1, 2, 3], [[1, 2], [3, 4]],
        None,
    ],
)  # fmt: skip
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(rr.errors.CountsError, match="counts"):
        rr.estimate(CHANNELS["joint, by changes"], counts)


def test_margins_of_the_channel_are_sums_of_the_estimate():
    for name in ("uniform over pairs", "product of two", "joint, by changes", "joint of three"):
        channel = CHANNELS[name]
        counts = drawn(channel).reshape(channel.report_shape)
        whole = rr.estimate(channel, counts).proportions.reshape(channel.truth_shape)
        for axes in ([0], [1], [1, 0]):
            part = rr.estimate(
                channel.margin(axes), rr.channels.margin_of(counts, channel.report_shape, axes)
            )
            others = tuple(a for a in range(whole.ndim) if a not in axes)
            summed = np.transpose(whole.sum(axis=others), np.argsort(np.argsort(axes)))
            assert np.allclose(part.proportions, summed.ravel(), atol=1e-12)


def test_margins_of_a_product_with_a_joint_factor():
    channel = CHANNELS["product of joint and one"]
    assert channel.margin([0, 1]) == channel.factors[0]
    assert channel.margin([2, 1]).truth_shape == (2, 2)
    with pytest.raises(rr.errors.ArgumentError, match="together"):
        channel.margin([0, 2, 1])
    with pytest.raises(rr.errors.ArgumentError, match="axes"):
        channel.margin([0, 0])


def test_stored_and_read_again(channel):
    found = rr.estimate(channel, drawn(channel))
    again = rr.Estimate.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.design == found.design
    assert again.covariance.tobytes() == found.covariance.tobytes()
    assert again.interval().tobytes() == found.interval().tobytes()


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_planning_asks_the_channel_only(channel, population):
    same = [
        [
            rr.margin_of_error(each, 0.2, 500, population=population),
            rr.margin_of_error(each, some_shares(channel.truth_size), 500, population=population),
            rr.sample_size(each, 0.2, 0.1, population=population),
            rr.planning.effective_sample_share(each, 0.2),
            rr.power(each, 0.4, 0.2, 900, method="normal"),
        ]
        for each in (channel, dense(channel))
    ]
    assert same[0] == pytest.approx(same[1], rel=1e-9)


def test_exact_power_through_the_report_of_a_uniform_channel():
    channel = CHANNELS["uniform"]
    for method in ("exact", "score"):
        found, same = (rr.power(e, 0.4, 0.2, 300, method=method) for e in (channel, dense(channel)))
        assert found == pytest.approx(same, abs=1e-12)
    with pytest.raises(rr.errors.ArgumentError, match="normal"):
        rr.power(CHANNELS["product of two"], 0.4, 0.2, 300)


def test_two_groups_and_open_numbers_are_planned_through_a_channel_as_well():
    channel = CHANNELS["uniform"]
    both = [
        [
            rr.planning.power_difference(each, (0.4, 0.2), (300, 200), method=method)
            for method in ("normal", "exact")
        ]
        + [
            rr.solve_sample_size(each, 0.4, 0.2),
            rr.planning.solve_effect(each, 0.2, 400),
            rr.planning.solve_alpha(each, 0.4, 0.2, 300),
            rr.planning.solve_level(each, 0.2, 500, 0.05),
            *rr.planning.solve_sample_size_difference([each, each], (0.4, 0.2)),
        ]
        for each in (channel, dense(channel))
    ]
    assert both[0] == pytest.approx(both[1], rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_trials_recover_what_they_were_given(channel, population):
    trial = rr.planning.simulate_coverage(
        channel, some_shares(channel.truth_size), 900, 120, rng=7, population=population
    )
    assert (np.abs(trial.bias) < 4.5 * trial.bias_error).all()
    assert (trial.coverage > 0.8).all()


def test_draws_follow_the_table(channel):
    matrix, rng = dense(channel).matrix, np.random.default_rng(RNG_SEED)
    n = 4000
    for truth in range(channel.truth_size):
        reports = channel.sample(np.full(n, truth), rng)
        seen = np.bincount(reports, minlength=channel.tally_size) / n
        spread = np.sqrt(matrix[:, truth] * (1 - matrix[:, truth]) / n)
        assert (np.abs(seen - matrix[:, truth]) <= 5 * spread + 1e-12).all()


@pytest.mark.parametrize("name", ["uniform", "joint, by changes", "uniform, answer-reversing"])
def test_draws_deal_out_every_integer_exactly(name):
    channel = CHANNELS[name]
    whole = range(channel.denominator)
    for truth in range(channel.truth_size):
        reports = channel.draw(np.full(len(whole), truth), lambda size: bytes(range(size)))
        seen = np.bincount(reports, minlength=channel.tally_size)
        assert (seen == np.round(channel.matrix[:, truth] * channel.denominator)).all()


def test_a_uniform_channel_draws_as_its_table_does():
    channel, n = rr.channels.UniformChannel.from_epsilon(6, "1.5"), 500
    table = rr.k_rr(6, "1.5").quantized()
    truths, bytes_ = np.arange(n) % 6, np.random.default_rng(1).bytes(4 * n)
    drawn = [rr.randomize(each, truths, lambda size: bytes_[:size]) for each in (channel, table)]
    assert np.array_equal(*drawn)


@pytest.mark.parametrize(("size", "epsilon", "bits"), [(2, "1", 32), (50, "0.1", 20), (7, "6", 52)])
def test_the_integers_of_an_epsilon_are_those_of_the_dense_device(size, epsilon, bits):
    channel, table = (
        rr.channels.UniformChannel.from_epsilon(size, epsilon, bits),
        rr.k_rr(size, epsilon),
    )
    integers = table.quantized(bits).integers
    assert (channel.kept, channel.other) == (integers[0, 0], integers[0, 1])
    assert channel.epsilon_at_most(epsilon)


def test_what_is_no_channel_is_refused():
    cases = [
        (lambda: rr.channels.UniformChannel(3, 4, 1, 7), "denominator"),
        (lambda: rr.channels.UniformChannel(1, 1, 1, 2), "shape"),
        (lambda: rr.channels.UniformChannel(3, -1, 4, 7), "kept"),
        (lambda: rr.channels.UniformChannel([], 4, 1, 7), "shape"),
        (lambda: rr.channels.UniformChannel((2**13, 2**13), 4, 1, 7), "shape"),
        (lambda: rr.channels.UniformChannel.from_epsilon(1000, 1, bits=8), "bits"),
        (lambda: rr.channels.ProductChannel([]), "factors"),
        (lambda: rr.channels.ProductChannel([COIN, "x"]), "factors"),
        (lambda: rr.estimate("x", [1, 2]), "design"),
    ]
    for make, argument in cases:
        assert refusal(make).argument == argument


def test_a_device_that_tells_nothing_cannot_be_inverted():
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate(rr.channels.UniformChannel(4, 2, 2, 8), [1, 2, 3, 4])
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.margin_of_error(rr.channels.ProductChannel([COIN, rr.warner(0.5 + 1e-14)]), 0.2, 100)


def test_no_reports_and_one_report():
    channel = CHANNELS["product of two"]
    none, one = rr.estimate(channel, {}), rr.estimate(channel, {(1, 2): 1})
    assert none.proportions.tolist() == [1 / 6] * 6
    assert none.interval().tolist() == [[0, 1]] * 6
    assert np.isinf(one.standard_errors).all()
    assert np.isinf(one.covariance_of(np.ones(6), np.ones(6)))
    assert one.note("one_report")


def test_prior_weighs_the_reports_of_a_product():
    channel = CHANNELS["product, more reports than truths"]
    shares = some_shares(4)
    counts = drawn(channel)
    plain, guessed = rr.estimate(channel, counts), rr.estimate(channel, counts, prior=shares)
    assert not np.allclose(plain.proportions, guessed.proportions)
    at = channel.apply(shares)
    assert (
        channel.variances(shares, at, "sample", at).sum()
        < channel.variances(shares, at, "sample").sum()
    )
    table = rr.estimate(channel, counts, prior=shares.reshape(2, 2))
    assert table.proportions.tobytes() == guessed.proportions.tobytes()


def test_a_report_never_made_is_refused_by_its_name():
    never = rr.DesignMatrix([[0.7, 0.2], [0.3, 0.8], [0.0, 0.0]])
    with pytest.raises(rr.errors.CountsError, match="1, 2"):
        rr.estimate(rr.channels.ProductChannel([COIN, never]), {(0, 0): 3, (1, 2): 1})
