"""Two independent groups: intervals of the difference, and the test with the null variance."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2_contingency, norm

import rr_engine as rr
from rr_engine.estimation.common import common_share, null_error
from rr_engine.estimation.difference import mover
from rr_engine.estimation.score import variance_curves

COINS = {
    "both direct": (rr.designs.direct(2), rr.designs.direct(2)),
    "k-ary and direct": (rr.k_rr(2, 2), rr.designs.direct(2)),
    "forced and Warner": (rr.forced_response(2 / 3, 1 / 6), rr.warner(0.8)),
}
SHARES = (0.0, 0.05, 0.3, 0.5)
SIZES = (60, 45)


def every_survey(design, n):
    """Estimates of yes and their default ends, for 0 to n reports of yes."""
    found = [rr.estimate(design, [n - yes, yes]) for yes in range(n + 1)]
    ends = np.array([one.interval(method="default")[1] for one in found])
    return np.array([one.proportions[1] for one in found]), ends


def chances(designs, shares):
    """Probability of every pair of counts, first group in rows."""
    rows, columns = (
        binom.pmf(np.arange(n + 1), n, design.matrix[1] @ [1 - share, share])
        for design, share, n in zip(designs, shares, SIZES, strict=True)
    )
    return np.outer(rows, columns)


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        # Newcombe 1998, Table II, method 10: 56/70 less 48/80, 9/10 less 3/10, 5/56 less 0/29.
        (([14, 56], [32, 48]), (0.0524, 0.3339)),
        (([1, 9], [7, 3]), (0.1705, 0.8090)),
        (([51, 5], [29, 0]), (-0.0381, 0.1926)),
        (([0, 10], [10, 0]), (0.6075, 1.0)),
    ],
)
def test_direct_groups_have_newcombe_s_interval(counts, ends):
    found = rr.estimate_difference(*(rr.estimate(rr.designs.direct(2), count) for count in counts))
    assert found.interval(method="wilson")[1] == pytest.approx(ends, abs=5.1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", COINS)
def test_intervals_of_a_difference_cover_exactly(name):
    # Every pair of counts of groups of 60 and 45; the interval of many pairs at once is the one
    # that the library gives for each.
    designs = COINS[name]
    (first, ends1), (second, ends2) = map(every_survey, designs, SIZES)
    ends = mover(first[:, None], second, ends1[:, None], ends2)
    counts = [SIZES[0] - 20, 20], [SIZES[1] - 7, 7]
    groups = [rr.estimate(design, count) for design, count in zip(designs, counts, strict=True)]
    assert rr.estimate_difference(*groups).interval()[1] == pytest.approx(ends[20, 7])
    for share1 in SHARES:
        for share2 in SHARES:
            gap = share1 - share2
            held = (ends[..., 0] <= gap + 1e-12) & (gap - 1e-12 <= ends[..., 1])
            covered = float((chances(designs, (share1, share2)) * held).sum())
            assert 0.93 <= covered <= 1, (share1, share2)


@pytest.mark.slow
@pytest.mark.parametrize("name", COINS)
def test_the_test_keeps_its_size(name):
    designs, found = COINS[name], {}
    values, curves = [], []
    for design, n in zip(designs, SIZES, strict=True):
        values.append(every_survey(design, n)[0])
        curves.append(
            [curve[1] for curve in variance_curves(rr.estimate(design, [n, 0]), "sample")]
        )
    pairs = [values[0][:, None] + 0 * values[1], values[1] + 0 * values[0][:, None]]
    errors = null_error(pairs, curves, SIZES)
    beyond = np.abs(pairs[0] - pairs[1]) > norm.isf(0.025) * errors + 1e-12
    for share in (0.1, 0.3, 0.5, 0.8):
        found[share] = float(chances(designs, (share, share))[beyond].sum())
    assert all(0.035 <= size <= 0.065 for size in found.values()), found
    # The same pairs are rejected one by one.
    for yes in ((3, 12), (40, 20), (25, 30)):
        groups = [
            rr.estimate(design, [n - count, count])
            for design, n, count in zip(designs, SIZES, yes, strict=True)
        ]
        test = rr.estimate_difference(*groups).score_test()
        assert (test.p_values[1] < 0.05) == beyond[yes]


def test_two_direct_groups_have_pearson_s_chi_square():
    table = [[70, 30], [45, 35]]
    found = rr.estimate_difference(
        *(rr.estimate(rr.designs.direct(2), row) for row in table)
    ).score_test()
    reference = chi2_contingency(table, correction=False)
    assert found.statistics**2 == pytest.approx([reference.statistic] * 2)
    assert found.p_values == pytest.approx([reference.pvalue] * 2)


def test_equal_devices_are_tested_like_their_reports():
    # The same device on both sides: more noise, but the reports' own table says all there is.
    found = rr.estimate_difference(
        *(rr.estimate(rr.k_rr(2, 1), row) for row in ([70, 30], [45, 35]))
    )
    reference = chi2_contingency([[70, 30], [45, 35]], correction=False)
    assert found.score_test().p_values == pytest.approx([reference.pvalue] * 2)


@pytest.mark.parametrize("yes", [(15, 9), (30, 2), (12, 0), (5, 5), (58, 41)])
def test_the_variance_is_that_at_the_likeliest_common_share(yes):
    designs = COINS["forced and Warner"]
    counts = [[n - count, count] for n, count in zip(SIZES, yes, strict=True)]
    groups = [rr.estimate(design, count) for design, count in zip(designs, counts, strict=True)]

    def reported(share):
        return [float(design.matrix[1] @ [1 - share, share]) for design in designs]

    def loss(share):
        return -sum(
            binom.logpmf(count, n, chance)
            for count, n, chance in zip(yes, SIZES, reported(share), strict=True)
        )

    # Where both devices can show the share, which is a little beyond 0 to 1.
    best = minimize_scalar(
        loss, bounds=(-0.249, 1.249), method="bounded", options={"xatol": 1e-9}
    ).x
    slopes = [design.matrix[1, 1] - design.matrix[1, 0] for design in designs]
    variance = sum(
        chance * (1 - chance) / slope**2 / n
        for chance, slope, n in zip(reported(best), slopes, SIZES, strict=True)
    )
    found = rr.estimate_difference(*groups)
    assert found.score_test().statistics[1] == pytest.approx(
        found.values[1] / np.sqrt(variance), rel=1e-5
    )


def test_the_common_share_of_equal_curves_is_the_pooled_one():
    curve = (0.0, 1.0, -1.0)
    found = common_share([np.array([0.2, 0.0]), np.array([0.5, 0.0])], [curve, curve], [30, 10])
    assert found == pytest.approx([0.275, 0.0])


def test_sides_of_the_test():
    groups = [rr.estimate(rr.k_rr(2, 2), [60, 40]), rr.estimate(rr.designs.direct(2), [80, 20])]
    found = rr.estimate_difference(*groups)
    two, more, less = (found.score_test(side).p_values for side in ("two-sided", "greater", "less"))
    assert two[1] == pytest.approx(2 * more[1])
    assert more + less == pytest.approx([1, 1])
    assert more[1] < less[1]


def test_several_categories_strata_and_fixed_groups_have_numbers():
    first = rr.estimate(rr.k_rr(3, 2), [50, 30, 20], population="fixed")
    second = rr.estimate_strata(
        [rr.k_rr(3, 1), rr.DesignMatrix([[0.6, 0.2, 0.1], [0.3, 0.6, 0.3], [0.1, 0.2, 0.6]])],
        [[40, 30, 30], [20, 10, 10]],
    )
    found = rr.estimate_difference(first, second)
    assert found.values == pytest.approx(first.proportions - second.proportions)
    assert found.standard_errors**2 == pytest.approx(
        first.standard_errors**2 + second.standard_errors**2
    )
    ends, test = found.interval(), found.score_test()
    assert (ends[:, 0] < found.values).all()
    assert (found.values < ends[:, 1]).all()
    assert (np.sign(test.statistics) == np.sign(found.values)).all()
    assert ((test.p_values > 0) & (test.p_values <= 1)).all()


def test_no_reports_and_alike_ones_say_nothing():
    nothing, some = rr.estimate(rr.k_rr(2, 2), [0, 0]), rr.estimate(rr.designs.direct(2), [50, 0])
    found = rr.estimate_difference(nothing, some)
    assert found.interval().tolist() == [[-1, 1], [-1, 1]]
    assert found.score_test().p_values.tolist() == [1, 1]
    same = rr.estimate_difference(some, some)
    assert same.score_test().statistics.tolist() == [0, 0]
    assert (same.interval()[:, 0] < 0).all()


def test_direct_against_randomized_is_the_difference_of_the_arms():
    design, counts, answers = rr.forced_response(2 / 3, 1 / 6), [350, 150], [440, 60]
    found = rr.compare_with_direct(design, counts, answers, alternative="greater", level=0.9)
    arms = rr.estimate(design, counts), rr.estimate(rr.designs.direct(2), answers)
    whole = rr.estimate_difference(*arms)
    assert found.difference == pytest.approx(found.randomized - found.direct)
    assert (found.randomized, found.direct) == pytest.approx((0.2, 0.12))
    # Variances with n - 1: of 0.3 through a slope of 2/3, and of 0.12 directly.
    assert found.standard_error == pytest.approx(np.sqrt((0.21 * 2.25 + 0.12 * 0.88) / 499))
    assert found.interval == pytest.approx(whole.interval(0.9)[1])
    assert found.p_value == pytest.approx(norm.sf(found.statistic))
    assert found.notes == ()
    other = rr.compare_with_direct(design, counts, answers, category=0)
    assert other.difference == pytest.approx(-found.difference)
    assert other.statistic == pytest.approx(-found.statistic)


def test_notes_of_both_arms_are_told_once():
    found = rr.compare_with_direct(rr.designs.generalized_binary(0.8, 0.8), [100, 0], [50, 0])
    assert {"all_alike", "outside_range"} <= {note.code for note in found.notes}
    assert len(found.notes) == len(set(found.notes))


def test_refuses_what_is_no_pair():
    with pytest.raises(rr.errors.ArgumentError, match="second must have as many categories"):
        rr.estimate_difference(
            rr.estimate(rr.designs.direct(2), [5, 5]), rr.estimate(rr.designs.direct(3), [5, 5, 5])
        )
    with pytest.raises(rr.errors.ArgumentError, match="alternative must be one of"):
        rr.compare_with_direct(rr.warner(0.7), [5, 5], [5, 5], alternative="more")
    with pytest.raises(rr.errors.ArgumentError, match="category must"):
        rr.compare_with_direct(rr.warner(0.7), [5, 5], [5, 5], category=2)
