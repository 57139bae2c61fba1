"""Strata of any channels beside the same strata as tables."""

from itertools import product
from math import prod

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.channels import pooled_scores
from rr_engine.channels.normal_equations import IterativeEquations
from rr_engine.channels.pooled import PooledChannel
from rr_engine.estimation import stratified
from rr_engine.estimation.likelihood import likelihood_gap
from tests.engine.channel_cases import BADGE, CHANNELS, COIN, check_maps, dense, some_shares
from tests.engine.engine_cases import check_moments, outcomes, refusal

NAMES = {
    "uniform": ["uniform", "uniform"],
    "pairs": ["uniform over pairs", "joint, by changes", "product of two"],
    "more reports": ["product, more reports than truths", "product, more reports than truths"],
}
OTHER = {
    "uniform": rr.channels.UniformChannel(5, 12, 1, 16),
    "more reports": rr.channels.ProductChannel([BADGE, BADGE]),
}


def channels_of(name):
    channels = [CHANNELS[each] for each in NAMES[name]]
    return [*channels[:-1], OTHER[name]] if name in OTHER else channels


def stacked(channels, sizes):
    rows = [
        size / sum(sizes) * dense(each).matrix for each, size in zip(channels, sizes, strict=True)
    ]
    return np.vstack(rows)


def counts_for(channels, sizes, seed=3):
    rng, shares = np.random.default_rng(seed), some_shares(channels[0].truth_size)
    pairs = zip(channels, sizes, strict=True)
    return [rng.multinomial(size, each.apply(shares)) for each, size in pairs]


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_linear_maps_are_those_of_the_stacked_table(name, weighed):
    channels = channels_of(name)
    sizes = tuple(300 * (number + 2) for number in range(len(channels)))
    pooled, matrix = PooledChannel(tuple(channels), sizes), stacked(channels, sizes)
    weights = matrix @ some_shares(pooled.truth_size) if weighed else None
    check_maps(pooled, matrix, weights, size=100)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", ["inversion", "mle"])
@pytest.mark.parametrize("name", NAMES)
def test_estimates_are_those_of_the_tables(name, method, population, monkeypatch):
    channels, tolerance = channels_of(name), 1e-10 if method == "inversion" else 1e-7
    sizes = [2_000 * (number + 1) for number in range(len(channels))]
    counts = counts_for(channels, sizes)
    tables = rr.estimate_strata([dense(each) for each in channels], counts, method, population)
    small = rr.estimate_strata(channels, counts, method, population)
    assert np.allclose(small.proportions, tables.proportions, atol=tolerance)
    assert np.allclose(small.covariance, tables.covariance, atol=1e-9)
    monkeypatch.setattr(stratified, "TABULATED_TRUTHS", 0)
    result = rr.estimate_strata(channels, counts, method, population)
    assert isinstance(result.design, PooledChannel)
    assert np.allclose(result.proportions, tables.proportions, atol=tolerance)
    # The two covariances differ by what the sizes less one differ by.
    assert np.allclose(result.covariance, tables.covariance, atol=0.05 * tables.covariance.max())
    assert np.allclose(result.standard_errors**2, np.diag(result.covariance), atol=1e-12)
    wilson = [each.interval(method="wilson") for each in (result, tables)]
    assert np.allclose(*wilson, atol=tolerance)
    again = rr.Estimate.from_dict(result.to_dict())
    assert np.array_equal(again.proportions, result.proportions)
    assert np.allclose(again.interval(method="wilson"), wilson[0], atol=1e-12)


def test_covariance_is_unbiased_over_all_outcomes(monkeypatch):
    monkeypatch.setattr(stratified, "TABULATED_TRUTHS", 0)
    channels, sizes = (
        [rr.channels.UniformChannel(3, 4, 1, 6), rr.channels.UniformChannel(3, 14, 1, 16)],
        (2, 3),
    )
    shares = np.array([0.5, 0.3, 0.2])
    tables = [outcomes(one.apply(shares), n) for one, n in zip(channels, sizes, strict=True)]
    cases = [
        (rr.estimate_strata(channels, [counts for counts, _ in cells]), prod(p for _, p in cells))
        for cells in product(*tables)
    ]
    check_moments(cases, shares)


def test_ten_thousand_villages_need_no_table():
    size = 10_000
    channels = [rr.channels.UniformChannel.from_epsilon(size, epsilon) for epsilon in ("6", "8")]
    shares = some_shares(size)
    rng = np.random.default_rng(5)
    counts = [
        rng.multinomial(n, each.apply(shares))
        for each, n in zip(channels, (10**6, 10**6), strict=True)
    ]
    result = rr.estimate_strata(channels, counts)
    assert not result.design.tabulated
    assert np.abs(result.proportions - shares).max() < 6 * result.standard_errors.max()
    errors = [
        rr.estimate(each, part).standard_errors for each, part in zip(channels, counts, strict=True)
    ]
    assert (result.standard_errors < 1.0001 * np.minimum(*errors)).mean() > 0.99
    assert result.interval(method="default").shape == (size, 2)
    with pytest.raises(rr.errors.ArgumentError) as refused:
        _ = result.covariance
    assert refused.value.code == "too_many_truths"


def test_rows_are_formed_a_few_at_a_time(monkeypatch):
    pooled = PooledChannel((CHANNELS["joint, by changes"], CHANNELS["product of two"]), (50, 50))
    reported = pooled.apply(pooled.equal_shares())
    whole, widths = pooled.score_squares(reported), []
    push = IterativeEquations.push

    def record(equations, values):
        widths.append(values.size)
        return push(equations, values)

    monkeypatch.setattr(pooled_scores, "BLOCK_ENTRIES", 2 * pooled.tally_size)
    monkeypatch.setattr(IterativeEquations, "push", record)
    assert np.allclose(pooled.score_squares(reported), whole, atol=1e-12)
    assert max(widths) <= 2 * pooled.truth_size


BITS = [rr.channels.BitChannel(3, 12, 4, 16), rr.channels.BitChannel(3, 14, 2, 16)]
SETS = [rr.channels.BitChannel(3, 12, 4, 16, "set"), rr.channels.BitChannel(3, 15, 5, 16, "set")]


@pytest.mark.slow
@pytest.mark.parametrize("channels", [BITS, SETS], ids=["category", "set"])
def test_bits_of_several_devices_are_unbiased(channels):
    sizes, shares = (900, 1_100), np.array([0.5, 0.3, 0.2])
    pooled = PooledChannel(tuple(channels), sizes)
    assert np.allclose(pooled.solve(pooled.apply(shares)), shares, atol=1e-13)
    rng = np.random.default_rng(2)
    surveys = pooled.survey_counts(shares, 2_000, rng, 4_000)
    found = [
        rr.estimate_strata(channels, [part.reshape(3, 2) for part in pooled.split(survey)])
        for survey in surveys[:400]
    ]
    values = pooled.solve(surveys / pooled.n)
    assert values.mean(axis=0) == pytest.approx(shares, abs=5 * values.std(axis=0).max() / 63)
    stated = np.mean([result.standard_errors**2 for result in found], axis=0)
    assert stated == pytest.approx(values.var(axis=0), rel=0.12)
    assert np.allclose(
        found[0].interval(method="wilson").mean(axis=1), found[0].proportions, atol=0.01
    )


def test_likelihood_of_bits():
    counts = [{"100": 50, "010": 30, "011": 20}, {"100": 70, "001": 20, "110": 10}]
    result = rr.estimate_strata(BITS, counts, "mle")
    likelihood, rows = result.design.likelihood(counts, result.counts / result.n)
    assert result.proportions.sum() == pytest.approx(1)
    assert likelihood_gap(likelihood, rows, result.proportions) < 1e-9
    halves = [dict.fromkeys(counts[0], 1), {key: n - 1 for key, n in counts[0].items()}]
    parts = rr.estimate_strata([BITS[0], BITS[0], BITS[1]], [*halves, counts[1]], "mle")
    assert np.allclose(parts.proportions, result.proportions, atol=1e-9)
    assert refusal(rr.estimate_strata, BITS, [[[50, 50]] * 3] * 2, "mle").code == "reports_not_kept"


def test_likelihood_of_sets_is_where_the_slope_vanishes():
    result = rr.estimate_strata(SETS, [[[60, 40], [50, 50], [99, 1]], [[55, 45]] * 3], "mle")
    slope = result.design.adjoint(
        result.counts / result.n / result.design.apply(result.proportions)
    )
    inside = (result.proportions > 1e-9) & (result.proportions < 1 - 1e-9)
    assert inside.tolist() == [True, True, False]
    assert slope[inside] == pytest.approx(0, abs=1e-9)
    assert (slope[~inside] < 0).all()


def test_one_report_in_a_stratum_leaves_no_error():
    result = rr.estimate_strata(BITS, [{"100": 1}, {"100": 5, "010": 3}])
    assert np.isinf(result.standard_errors).all()
    assert result.note("one_report")


def test_groups_come_through_any_channel():
    channel = rr.channels.UniformChannel(2, 3, 1, 4)
    groups = rr.estimation.estimate_groups([channel], [[[600, 380], [400, 620]]])
    alone = rr.estimate(channel, [600, 400])
    assert np.array_equal(groups[0].proportions, alone.proportions)


@pytest.mark.parametrize(
    ("designs", "error", "code"),
    [
        (
            [COIN, rr.channels.BitChannel(2, 3, 1, 4)],
            rr.errors.ArgumentError,
            "bits_beside_reports",
        ),
        ([BITS[0], SETS[0]], rr.errors.CategoryError, "categories_differ"),
        (
            [rr.channels.UniformChannel(3, 4, 1, 6), COIN],
            rr.errors.CategoryError,
            "categories_differ",
        ),
        (
            [CHANNELS["uniform over pairs"], rr.channels.UniformChannel((3, 2), 11, 1, 16)],
            rr.errors.CategoryError,
            "categories_differ",
        ),
        ([COIN, "coin"], rr.errors.ArgumentError, "not_a_channel"),
        ([], rr.errors.ArgumentError, "not_designs"),
    ],
)
def test_what_cannot_be_pooled_is_refused(designs, error, code):
    counts = [np.zeros(each.tally_size, int) for each in designs if not isinstance(each, str)]
    with pytest.raises(error) as refused:
        rr.estimate_strata(designs, [*counts, [0, 0]][: len(designs)])
    assert refused.value.code == code


def test_a_pooled_device_tells_no_more_than_its_worst():
    pooled = PooledChannel(
        (rr.channels.UniformChannel(3, 4, 1, 6), rr.channels.UniformChannel(3, 14, 1, 16)), (2, 3)
    )
    assert pooled.likelihood_ratio_bound == 14
    assert pooled.epsilon_at_most("2.7")
    assert not pooled.epsilon_at_most("2.6")
