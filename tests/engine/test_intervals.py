import numpy as np
import pytest
from scipy.stats import binomtest, chi2, norm

import rr_engine as rr
from rr_engine.estimation.intervals import METHODS
from tests.engine.engine_cases import BADGE, DESIGNS, UNEVEN
from tests.engine.interval_coverage import SETTINGS, SIZES, coverage, fixed_coverage
from tests.engine.interval_evidence import DEVICES, pooled_coverage
from tests.work import calls

# What a forced-response device (true answer 2/3, forced yes 1/6, forced no 1/6) makes of yes.
FORCED = rr.designs.generalized_binary(5 / 6, 5 / 6)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
def test_default_interval_covers_exactly_enumerated(n):
    found = [coverage(rr.k_rr(k, e), share, n, "default") for k, e, share in SETTINGS]
    # Below 500 a count of one or two dozen values cannot come closer: docs/methods/intervals.md.
    allowed = (0.94, 0.96) if n >= 500 else (0.935, 0.974)
    assert allowed[0] <= min(found) <= max(found) <= allowed[1]


@pytest.mark.slow
def test_most_small_surveys_are_within_a_point_too():
    found = [
        coverage(rr.k_rr(k, e), s, n, "default") for k, e, s in SETTINGS for n in (50, 100, 200)
    ]
    assert sum(0.94 <= value <= 0.96 for value in found) == 52  # of 81
    assert np.mean(found) == pytest.approx(0.953, abs=0.002)


@pytest.mark.parametrize("n", [50, 200, 1000])
def test_exact_interval_never_covers_less_than_it_says(n):
    assert min(coverage(rr.k_rr(k, e), share, n, "exact") for k, e, share in SETTINGS) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 200, 1000, 10_000])
def test_fixed_population_intervals_cover_exactly_enumerated(n):
    found = [fixed_coverage(rr.k_rr(k, e), round(n * s), n, "default") for k, e, s in SETTINGS]
    allowed = (0.94, 0.96) if n >= 500 else (0.93, 0.986)
    assert allowed[0] <= min(found) <= max(found) <= allowed[1]


@pytest.mark.parametrize("n", [60, 200, 1000])
def test_exact_interval_of_a_fixed_population_never_covers_less_than_it_says(n):
    settings = [(rr.k_rr(k, e), round(n * share)) for k, e, share in SETTINGS]
    assert min(fixed_coverage(d, people, n, "exact") for d, people in settings) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("method", ["inversion", "mle"])
@pytest.mark.parametrize("matrix", [BADGE, UNEVEN], ids=["badge", "uneven"])
def test_score_interval_covers_in_devices_without_a_closed_form(matrix, method):
    design = rr.DesignMatrix(matrix)
    size = matrix and len(matrix[0])
    shares = np.array([0.05, *[0.95 / (size - 1)] * (size - 1)])
    rng, runs = np.random.default_rng(12), 3000
    hits = np.zeros(size)
    for counts in design.survey_counts(shares, 400, rng, runs):
        low, high = rr.estimate(design, counts, method=method).interval(method="wilson").T
        hits += (low <= shares) & (shares <= high)
    # 4 standard errors of a simulated coverage are 0.016.
    assert np.allclose(hits / runs, 0.95, atol=0.016)


@pytest.mark.parametrize(("method", "peer"), [("wilson", "wilson"), ("exact", "exact")])
@pytest.mark.parametrize("counts", [(175, 25), (0, 40), (40, 0), (1, 0), (999, 1), (83, 117)])
def test_binary_intervals_are_those_of_the_reported_share(method, peer, counts):
    # scipy.stats.binomtest on the share reported as yes, then the design's straight line.
    design = rr.designs.generalized_binary(0.9, 0.6)
    share = binomtest(counts[1], sum(counts)).proportion_ci(0.9, method=peer)
    expected = [(share.low - 0.1) / 0.5, (share.high - 0.1) / 0.5]
    found = rr.estimate(design, counts).interval(0.9, method)
    assert found[1] == pytest.approx(expected, abs=1e-9)
    assert found[0] == pytest.approx(1 - np.array(expected[::-1]), abs=1e-9)


@pytest.mark.parametrize(("method", "peer"), [("wilson", "wilson"), ("exact", "exact")])
def test_k_ary_intervals_are_those_of_each_reported_share(method, peer):
    design, counts = rr.k_rr(4, 1.5), [3, 0, 57, 20]
    retention, changed = design.matrix[0, 0], design.matrix[0, 1]
    found = rr.estimate(design, counts).interval(method=method)
    for count, row in zip(counts, found, strict=True):
        share = binomtest(count, 80).proportion_ci(0.95, method=peer)
        assert row == pytest.approx((np.array(share) - changed) / (retention - changed), abs=1e-9)


def test_normal_and_chebyshev_go_out_by_the_standard_error():
    result = rr.estimate(rr.k_rr(3, 1), [50, 30, 20])
    for method, factor in (("normal", norm.isf(0.05)), ("chebyshev", 0.1**-0.5)):
        half = np.diff(result.interval(0.9, method), axis=1)[:, 0] / 2
        assert half == pytest.approx(factor * result.standard_errors, rel=1e-12)


def test_without_an_argument_an_interval_is_the_recommended_one():
    for result in (
        rr.estimate(rr.k_rr(3, 6), [60, 40, 0]),
        rr.estimate_joint([rr.k_rr(2, 6), rr.k_rr(2, 6)], [[20, 20], [10, 0]]),
    ):
        default = result.interval()
        assert np.array_equal(default, result.interval(method="guarded"))
        assert (np.ptp(default, axis=-1) > 0.01).all()
    plenty = rr.estimate(rr.k_rr(3, 1), [50, 30, 20])
    assert plenty.interval() == pytest.approx(plenty.interval(method="wilson"))


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("estimator", ["inversion", "mle"])
def test_too_few_yes_give_no_nan_and_an_interval_that_holds_zero(population, method, estimator):
    # 25 yes of 200 where at least 1/6 must say yes: R packages return NA, or certainty at zero.
    result = rr.estimate(FORCED, [175, 25], method=estimator, population=population)
    expected = -0.0625 if estimator == "inversion" else 0.0
    assert result.proportions[1] == pytest.approx(expected, abs=1e-12)
    low, high = result.interval(method=method)[1]
    assert low == 0 if method == "profile" else low < 0
    assert high > 0
    assert 0.03 < high - low < 0.5
    assert result.projected()[1] == 0
    assert result.note("outside_range") or estimator == "mle"


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(METHODS.keys() - {"exact"}))
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_every_method_answers_where_a_report_is_never_made(population, method):
    """Of the other devices test_edges.py holds the same, but for the profile."""
    designs = DESIGNS if method == "profile" else ["a report never made"]
    for design in map(DESIGNS.get, designs):
        possible = np.flatnonzero(design.matrix.max(axis=1) > 0)[[0, -1]]
        for number, report in ((0, 0), (1, possible[0]), (1, possible[1]), (40, possible[1])):
            counts = number * np.eye(len(design.reports), dtype=int)[report]
            for estimator in ("inversion", "mle"):
                result = rr.estimate(design, counts, estimator, population)
                ends = result.interval(method=method)
                assert np.isfinite(ends).all()
                assert (ends[:, 0] <= ends[:, 1]).all()


def test_the_possible_part_of_an_interval_never_shrinks_to_a_point():
    # 10 yes of 200 where 1/6 must say yes: the whole score interval lies below 0.
    result = rr.estimate(FORCED, [190, 10])
    assert result.interval(method="default")[1, 1] < 0
    assert result.note("implausible")
    low, high = result.possible_interval()[1]
    assert low == 0
    assert 0.01 < high < 0.05
    inside = rr.estimate(FORCED, [120, 80])
    assert np.array_equal(inside.possible_interval(), inside.interval(method="default"))


@pytest.mark.parametrize("counts", [(175, 25), (120, 80), (199, 1), (30, 170)])
@pytest.mark.parametrize(
    "design", [FORCED, rr.designs.generalized_binary(0.9, 0.6)], ids=["forced", "uneven"]
)
def test_profile_ends_have_the_likelihood_of_the_quantile(design, counts):
    # The likelihood of a binomial count, written out, at both ends found.
    def deviance(x):
        share = float(design.matrix[1] @ [1 - x, x])
        return -2 * (counts[1] * np.log(share) + counts[0] * np.log(1 - share))

    result = rr.estimate(design, counts, method="mle")
    low, high = result.interval(method="profile")[1]
    best = deviance(result.proportions[1])
    for end in {low, high} - {0.0, 1.0}:
        assert deviance(end) - best == pytest.approx(chi2.isf(0.05, 1), abs=1e-5)
    for end in {low, high} & {0.0, 1.0}:
        assert deviance(end) - best <= chi2.isf(0.05, 1)
    assert low <= result.proportions[1] <= high


@pytest.mark.parametrize("counts", [[50, 30, 20, 9], [90, 8, 2, 0], [0, 0, 40, 1]])
def test_profile_of_the_k_ary_closed_form_is_that_of_the_general_way(counts):
    design = rr.k_rr(4, 1)
    # One entry moved in its last bits: no longer the closed form, the same numbers.
    moved = design.matrix.copy()
    moved[0, 0] = np.nextafter(np.nextafter(moved[0, 0], 0), 0)
    fast = rr.estimate(design, counts).interval(method="profile")
    slow = rr.estimate(rr.DesignMatrix(moved), counts).interval(method="profile")
    assert np.allclose(fast, slow, atol=1e-6)


def test_profile_contains_the_most_likely_proportions_of_several_devices():
    arms = [rr.k_rr(("No", "Yes"), 1), rr.designs.generalized_binary(0.9, 0.6)]
    result = rr.estimate_strata(arms, [[99, 1], [40, 60]], method="mle")
    low, high = result.interval(method="profile").T
    assert ((low <= result.proportions) & (result.proportions <= high)).all()


def test_bootstrap_is_the_same_whoever_computes_it_and_moves_with_its_seed():
    result = rr.estimate(rr.DesignMatrix(UNEVEN), [50, 40, 60, 50])
    again = rr.estimate(rr.DesignMatrix(UNEVEN), [50, 40, 60, 50])
    first = result.interval(method="bootstrap")
    assert np.array_equal(first, again.interval(method="bootstrap"))
    other = result.interval(method="bootstrap", seed=1)
    assert not np.array_equal(first, other)
    # 1,999 surveys find a quantile to about 5 % of the standard error.
    assert np.allclose(first, other, atol=0.3 * result.standard_errors.max())


@pytest.mark.parametrize(("share", "n"), [(0, 200), (0.05, 200), (0.5, 100), (0.5, 1000)])
@pytest.mark.parametrize("method", ["wilson", "profile", "bootstrap"])
@pytest.mark.parametrize("device", ["forced_response(0.6, 0.3)", "unrelated_question(0.7, 0.2)"])
def test_uneven_yes_no_devices_are_covered_as_documented(device, method, share, n):
    # docs/methods/intervals.md: 97.5 % at a share of 0 is what a two-sided likelihood gives there.
    found = coverage(DEVICES[device], 1 - share, n, method)
    assert 0.92 <= found <= 0.985
    assert method != "wilson" or 0.935 <= found <= 0.965


@pytest.mark.slow
@pytest.mark.parametrize("share", [0, 0.05, 0.5])
@pytest.mark.parametrize("method", ["wilson", "profile"])
def test_two_devices_pooled_are_covered_over_all_pairs_of_counts(share, method):
    found = pooled_coverage(share, 50, method)
    assert 0.94 <= found <= (0.96 if method == "wilson" else 0.977)


def test_impossible_reports_of_a_general_device_do_not_shrink_the_interval():
    # Far beyond what the device can do, no proportion passes the score test; that is no certainty.
    result = rr.estimate(rr.DesignMatrix(UNEVEN), [0, 0, 0, 400])
    widths = np.diff(result.interval(method="wilson"), axis=1)
    assert (widths > 0.05).all()
    assert result.note("implausible")


def test_no_reports_leave_the_whole_range():
    for method in METHODS:
        nobody = rr.estimate(rr.k_rr(3, 1), [0, 0, 0])
        assert nobody.interval(method=method).tolist() == [[0, 1]] * 3


def test_one_report_has_a_score_interval_but_no_standard_error():
    result = rr.estimate(rr.k_rr(2, 1), [0, 1])
    assert result.interval(method="normal").tolist() == [[0, 1]] * 2
    low, high = result.interval(method="wilson")[1]
    assert low < 0 < 1 < high


def test_a_census_asked_directly_has_no_error():
    result = rr.estimate(rr.designs.direct(2), [30, 70], population="fixed")
    assert result.interval(method="wilson").tolist() == [[0.3, 0.3], [0.7, 0.7]]


def test_exact_is_refused_where_a_proportion_needs_several_reports():
    with pytest.raises(rr.errors.ArgumentError, match="wilson"):
        rr.estimate(rr.DesignMatrix(UNEVEN), [1, 2, 3, 4]).interval(method="exact")


def test_higher_levels_are_wider():
    result = rr.estimate(rr.k_rr(5, 1), [10, 20, 30, 25, 15])
    for method in sorted(METHODS):
        widths = [np.diff(result.interval(level, method), axis=1) for level in (0.5, 0.9, 0.999)]
        assert (widths[0] < widths[1]).all()
        assert (widths[1] < widths[2]).all()


def test_profile_of_many_categories_looks_at_all_of_them_together():
    result = rr.estimate(rr.k_rr(300, 1), np.arange(300))
    ends, called = calls(result.interval, 0.95, "profile")
    assert ((ends[:, 0] <= ends[:, 1]) & (ends[:, 0] >= 0) & (ends[:, 1] <= 1)).all()
    # One category after the other took ten evaluations for each end.
    assert called < 50_000


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", DESIGNS)
def test_profile_of_reports_that_a_proportion_rules_out_gives_no_warning(name):
    # With the proportion at 1 only the reports of that truth are possible, maybe none that came in.
    design = DESIGNS[name]
    possible = np.flatnonzero(design.matrix.max(axis=1) > 0)
    for report in possible:
        counts = 5 * np.eye(len(design.reports), dtype=int)[report]
        counts[possible[0]] += 1
        ends = rr.estimate(design, counts).interval(method="profile")
        assert np.isfinite(ends).all()


@pytest.mark.filterwarnings("error")
def test_profile_of_a_report_that_only_one_truth_makes_gives_no_warning():
    design = rr.DesignMatrix([[0.5, 0.0, 0.0], [0.5, 0.7, 0.2], [0.0, 0.3, 0.8]])
    for counts in ([3, 5, 2], [9, 0, 1], [0, 4, 0], [1, 0, 0]):
        low, high = rr.estimate(design, counts).interval(method="profile").T
        assert ((low >= 0) & (low <= high) & (high <= 1)).all()
        # Whoever reported the first has the first truth.
        assert counts[0] == 0 or low[0] > 0
