import math

import numpy as np
import pytest
from scipy.stats import norm

import rr_engine as rr
from tests.engine.engine_cases import DESIGNS

# The planning panel of the product: binary, true share 10 %, 95 %. Columns: epsilon, answers kept,
# odds factor, n for +-5 points with z rounded to 1.96, +- points at n = 500, belief after an A.
PANEL = [
    (0.5, 62, 1.6, 6159, 17.5, 15.5),
    (1.0, 73, 2.7, 1554, 8.8, 23),
    (math.log(3), 75, 3.0, 1291, 8.0, 25),
    (2.0, 88, 7.4, 417, 4.6, 45),
    (3.0, 95, 20, 224, 3.3, 69),
]
TWO_DIGITS = 1 - 2 * norm.sf(1.96)


@pytest.mark.parametrize(("epsilon", "kept", "odds", "needed", "margin", "belief"), PANEL)
def test_panel_of_the_product(epsilon, kept, odds, needed, margin, belief):
    design = rr.k_rr(2, epsilon)
    assert round(100 * design.matrix[1, 1]) == kept
    ratio = float(design.likelihood_ratio_bound)
    assert round(ratio, 1 if ratio < 10 else 0) == odds
    assert rr.sample_size(design, 0.1, 0.05, level=TWO_DIGITS) == needed
    assert round(100 * rr.margin_of_error(design, 0.1, 500), 1) == margin
    assert round(100 * design.posterior([0.9, 0.1])[1, 1], 0 if belief > 20 else 1) == belief


def test_panel_with_the_exact_quantile_needs_one_fewer_at_epsilon_1():
    # z = 1.959964 gives 1552.98 where 1.96 gives 1553.04.
    needed = [rr.sample_size(rr.k_rr(2, row[0]), 0.1, 0.05) for row in PANEL]
    assert needed == [6159, 1553, 1291, 417, 224]


@pytest.mark.parametrize("name", ["k_rr 2", "k_rr 20", "binary, uneven", "four, uneven", "direct"])
@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("margin", [0.2, 0.05, 0.013, 0.001])
def test_sample_size_reaches_the_margin_and_one_fewer_does_not(name, population, margin):
    design = DESIGNS[name]
    n = rr.sample_size(design, 0.2, margin, population=population)
    assert rr.margin_of_error(design, 0.2, n, population=population) <= margin
    if n > 1:
        assert rr.margin_of_error(design, 0.2, n - 1, population=population) > margin


def test_a_guess_that_the_estimate_is_given_counts_in_the_plan():
    """Six cards for four truths, weighed by a guess that is wrong: plain least squares."""
    deck = rr.designs.card_deck(4, 1, k=2)
    table, guess = np.asarray(deck.matrix), np.array([0.7, 0.1, 0.1, 0.1])
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    weighed = table.T / (table @ guess)
    inverse = np.linalg.solve(weighed @ table, weighed)
    variances = inverse**2 @ (table @ shares) - shares**2
    half = 1.959963984540054 * math.sqrt(variances.max() / 900)
    assert rr.margin_of_error(deck, shares, 900, prior=guess) == pytest.approx(half, rel=1e-12)
    needed = rr.sample_size(deck, shares, half * (1 + 1e-12), prior=guess)
    assert needed == 900
    kept = (shares * (1 - shares)).sum() / variances.sum()
    assert rr.planning.effective_sample_share(deck, shares, prior=guess) == pytest.approx(
        kept, rel=1e-12
    )
    assert rr.margin_of_error(deck, shares, 900) != pytest.approx(half, rel=1e-4)


def test_margin_is_holohan_equation_6():
    p00, p11, share, n = 0.9, 0.6, 0.3, 400
    reported = (1 - share) * (1 - p00) + share * p11
    variance = reported * (1 - reported) / (n * (p00 + p11 - 1) ** 2)
    found = rr.margin_of_error(rr.designs.generalized_binary(p00, p11), share, n, level=0.9)
    assert found == pytest.approx(norm.isf(0.05) * math.sqrt(variance), rel=1e-12)


def test_fixed_population_margin_is_pan_appendix_g():
    # Binary, symmetric: E / (n (E - 1)**2) whatever the share (Pan et al. 2024, Eq. 67).
    e, n = math.exp(1.5), 300
    for share in (0, 0.1, 0.5, 1):
        found = rr.margin_of_error(rr.k_rr(2, 1.5), share, n, population="fixed")
        assert found == pytest.approx(norm.isf(0.025) * math.sqrt(e / n) / (e - 1), rel=1e-9)


def test_category_and_list_of_proportions():
    design, prior = rr.k_rr(3, 1), [0.2, 0.5, 0.3]
    each = [rr.margin_of_error(design, prior, 100, category=index) for index in range(3)]
    assert rr.margin_of_error(design, prior, 100) == max(each)
    assert rr.margin_of_error(design, 0.5, 100) == pytest.approx(each[1])
    assert rr.margin_of_error(design, 0.5, 100, category=2) == pytest.approx(each[1])


def test_direct_questions_lose_nothing():
    assert rr.planning.effective_sample_share(
        rr.designs.direct(4), [0.1, 0.2, 0.3, 0.4]
    ) == pytest.approx(1)
    assert rr.planning.effective_sample_share(rr.designs.direct(2), 0.0) == 1
    assert rr.sample_size(rr.designs.direct(2), 0.0, 0.05) == 1
    assert rr.margin_of_error(rr.designs.direct(2), 0.3, 100, population="fixed") == 0


def test_effective_share_is_the_ratio_of_sample_sizes():
    design = rr.k_rr(2, 1)
    noisy, clean = (rr.sample_size(d, 0.3, 0.0005) for d in (design, rr.designs.direct(2)))
    assert rr.planning.effective_sample_share(design, 0.3) == pytest.approx(clean / noisy, rel=1e-5)
    assert rr.planning.effective_sample_share(design, 0.0) == 0
    assert rr.planning.effective_sample_share(design, [0.7, 0.3]) == pytest.approx(
        clean / noisy, rel=1e-5
    )
    assert rr.planning.effective_sample_share(rr.k_rr(3, 1), [0.7, 0.3, 0], category=2) == 0


def test_enormous_samples_are_found_at_once():
    assert rr.sample_size(rr.k_rr(2, 0.001), 0.1, 1e-4) > 10**13
    assert rr.sample_size(rr.k_rr(2, 1e-8), 0.1, 1e-7) > 10**29


def test_refuses_a_design_that_tells_nothing():
    for plan in (
        lambda: rr.margin_of_error(rr.warner(0.5), 0.1, 10),
        lambda: rr.sample_size(rr.warner(0.5), 0.1, 0.1),
        lambda: rr.planning.effective_sample_share(rr.warner(0.5), 0.1),
    ):
        with pytest.raises(rr.errors.NotIdentifiableError):
            plan()


def test_direct_questions_are_worth_what_they_are():
    for category in (None, 0, 2):
        found = rr.planning.equivalent_n(
            rr.estimate(rr.designs.direct(3), [700, 200, 100]), category
        )
        assert found == pytest.approx(1000, rel=1e-12)


@pytest.mark.parametrize("name", ["k_rr 5", "binary, uneven", "more reports than truths"])
def test_that_many_direct_answers_have_the_same_estimated_variance(name):
    design = DESIGNS[name]
    shares = np.linspace(1, 2, len(design.categories))
    shares /= shares.sum()
    counts = np.rint(design.matrix @ shares * 100_000).astype(int)
    result = rr.estimate(design, counts)
    worth = rr.planning.equivalent_n(result)
    clean = result.proportions * (1 - result.proportions)
    assert clean.sum() / (worth - 1) == pytest.approx(np.trace(result.covariance), rel=1e-9)
    for category, share in enumerate(result.proportions):
        worth = rr.planning.equivalent_n(result, category)
        variance = result.covariance[category, category]
        assert share * (1 - share) / (worth - 1) == pytest.approx(variance, rel=1e-9)


def test_it_agrees_with_the_share_promised_before_the_survey():
    design = rr.k_rr(2, 1)
    promised = rr.planning.effective_sample_share(design, 0.3) * 10**6
    counts = np.rint(design.matrix @ [0.7, 0.3] * 10**6).astype(int)
    assert rr.planning.equivalent_n(rr.estimate(design, counts)) == pytest.approx(
        promised, rel=1e-4
    )


def test_a_fixed_group_is_compared_with_a_random_sample_of_it():
    result = rr.estimate(rr.k_rr(2, 1), [600, 400], population="fixed")
    shares = result.proportions
    variance = shares[0] * shares[1] / rr.planning.equivalent_n(result)
    assert variance == pytest.approx(result.covariance[0, 0])


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_there_is_no_number_without_reports(population):
    assert (
        rr.planning.equivalent_n(rr.estimate(rr.k_rr(3, 1), [0, 0, 0], population=population))
        is None
    )


def test_there_is_no_number_where_direct_answers_would_leave_no_error():
    one_report, far_outside = [1, 0], [60, 940]
    for counts in (one_report, far_outside):
        assert rr.planning.equivalent_n(rr.estimate(rr.k_rr(2, 1), counts)) is None
    for counts, population in (([9, 0], "sample"), ([5, 4], "fixed")):
        assert (
            rr.planning.equivalent_n(
                rr.estimate(rr.designs.direct(2), counts, population=population)
            )
            is None
        )
