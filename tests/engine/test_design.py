import copy
import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.precision import CONDITION_LIMIT
from tests.engine.engine_cases import BADGE, DESIGNS, UNEVEN, exact


@pytest.fixture(params=DESIGNS)
def design(request):
    return DESIGNS[request.param]


def test_a_line_says_what_it_is():
    coin = rr.warner(0.8).quantized()
    assert repr(coin) == (
        "DesignMatrix([[0.8, 0.2], [0.2, 0.8]], categories=('No', 'Yes'), epsilon=1.386)"
    )
    assert repr(rr.k_rr(40, "2")) == "DesignMatrix(<40×40>, epsilon=2)"
    assert repr(rr.designs.direct(4)) == "DesignMatrix(<4×4>, epsilon=inf)"


def test_cannot_be_changed(design):
    with pytest.raises(ValueError, match="read-only"):
        design.matrix[0, 0] = 0.5
    with pytest.raises(ValueError, match="WRITEABLE"):
        design.matrix.setflags(write=True)
    with pytest.raises(dataclasses.FrozenInstanceError):
        design.matrix = np.eye(2)
    with pytest.raises((AttributeError, TypeError)):
        design.note = "anything else"


def test_does_not_share_memory_with_what_it_was_built_from():
    given = np.array(BADGE)
    design = rr.DesignMatrix(given)
    given[0, 0] = 0.0
    assert design.matrix[0, 0] == 0.6


def test_epsilon_at_most_agrees_with_epsilon(design):
    if math.isinf(design.epsilon):
        assert not design.epsilon_at_most(700)
    else:
        assert design.epsilon_at_most(math.nextafter(design.epsilon, math.inf))
        assert not design.epsilon_at_most(design.epsilon * (1 - 1e-9))


def test_delta_is_zero_from_epsilon_on_and_total_variation_at_zero(design):
    if math.isfinite(design.epsilon):
        assert design.delta(design.epsilon) == pytest.approx(0, abs=1e-12)
    halves = [np.abs(a - b).sum() / 2 for a in design.matrix.T for b in design.matrix.T]
    assert design.delta(0) == pytest.approx(max(halves), abs=1e-12)


def test_delta_at_infinity_is_the_share_given_away():
    # Holohan's one-sided design (1, delta) reveals a delta share of the carriers.
    one_sided = rr.designs.generalized_binary(1.0, 0.1)
    assert one_sided.delta(math.inf) == one_sided.delta(700) == 0.1
    assert rr.designs.direct(3).delta(math.inf) == 1


def test_another_table_is_another_design(design):
    table = exact(design)
    assert hash(copy.copy(table)) == hash(table)
    assert table != DESIGNS["warner"].quantized(16)


def test_copies_are_equal(design):
    assert copy.deepcopy(design) == design


def test_expected_reports_give_back_every_truth(design):
    # One million people of each true answer in turn, reporting exactly as expected.
    for truth in range(len(design.categories)):
        counts = np.round(design.matrix[:, truth] * 10**12).astype(int)
        found = rr.estimate(design, counts).proportions
        assert np.allclose(found, np.eye(len(design.categories))[truth], atol=1e-9)


def test_posterior_is_bayes_rule(design):
    prior = np.arange(1, len(design.categories) + 1) / math.comb(len(design.categories) + 1, 2)
    posterior = design.posterior(prior)
    assert np.allclose(posterior.sum(axis=1), 1)
    shares = design.matrix @ prior
    assert np.allclose(posterior * shares[:, None], design.matrix * prior)
    assert design.worst_posterior(prior) == posterior[shares > 0].max()
    assert design.privacy(prior) == pytest.approx(1 - shares @ posterior.max(axis=1))
    hit = sum(prior * design.recovery_probability(prior))
    assert hit == pytest.approx(shares @ (posterior**2).sum(axis=1))


def test_the_most_likely_truth_is_the_best_guess_and_no_report_lowers_the_largest_belief():
    """Theorems 3 to 5 of OptRR, for random devices, priors and ways to guess."""
    rng = np.random.default_rng(35)
    for _ in range(200):
        size, reports = rng.integers(2, 6, 2)
        table = rng.dirichlet(np.full(reports, 0.6), size).T
        device, prior = rr.DesignMatrix(table), rng.dirichlet(np.ones(size))
        right = 1 - device.privacy(prior)
        joint = device.matrix * prior
        # One guess for each report, all of them; and guesses by chance, whatever the chances.
        every = [sum(joint[range(reports), guess]) for guess in np.ndindex((size,) * reports)]
        assert right == pytest.approx(max(every))
        chances = rng.dirichlet(np.ones(size), reports)
        assert (joint * chances).sum() <= right + 1e-12
        assert device.worst_posterior(prior) >= prior.max() - 1e-12


def test_a_certain_prior_leaves_impossible_reports_without_news():
    posterior = rr.designs.direct(3).posterior([1, 0, 0])
    assert posterior.tolist() == [[1, 0, 0]] * 3


def test_mean_squared_error_is_the_fisher_information_form():
    # utility = (trace(J^-1) - sum pi^2) / (t N), J = sum_u P[u]' P[u] / lam_u, for square designs.
    for name in ("k_rr 5", "binary, uneven", "four, uneven", "direct"):
        design = DESIGNS[name]
        size = len(design.categories)
        prior = np.arange(1, size + 1) / math.comb(size + 1, 2)
        information = (design.matrix / (design.matrix @ prior)[:, None]).T @ design.matrix
        expected = (np.trace(np.linalg.inv(information)) - prior @ prior) / (size * 50)
        assert design.mse(prior, 50) == pytest.approx(expected, rel=1e-10)


def test_condition_number_is_that_of_the_matrix(design):
    assert design.condition_number == pytest.approx(np.linalg.cond(design.matrix), rel=1e-9)


@pytest.mark.parametrize(
    "blind",
    [
        rr.warner(0.5),
        rr.DesignMatrix(np.full((3, 3), 1 / 3)),
        rr.DesignMatrix([[0.5, 0.2, 0.3], [0.5, 0.8, 0.7]]),
        rr.DesignMatrix([[0.6, 0.2, 0.4], [0.2, 0.6, 0.4], [0.2, 0.2, 0.2]]),
    ],
)
def test_a_design_that_tells_nothing_is_allowed_but_not_estimated(blind):
    assert blind.condition_number > CONDITION_LIMIT
    assert blind.mse(np.full(len(blind.categories), 1 / len(blind.categories)), 10) == math.inf
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate(blind, np.ones(len(blind.reports), dtype=int))


def test_labels_of_truths_and_reports():
    named = rr.k_rr(["No", "Yes"], 1)
    assert named.categories == named.reports == ("No", "Yes")
    assert rr.k_rr(3, 1).categories == ("0", "1", "2")
    assert rr.warner(0.7).categories == ("No", "Yes")
    design = rr.DesignMatrix(BADGE, categories=["No", "Yes"], reports=["red", "blue", "green"])
    assert design.reports == ("red", "blue", "green")
    assert rr.DesignMatrix(BADGE).reports == ("0", "1", "2")
    for labels in (["No"], ["No", "No"], ["a", "b", "c"]):
        with pytest.raises(rr.errors.CategoryError):
            rr.DesignMatrix(BADGE, categories=labels)


def test_a_direct_question_has_one_whole_and_no_bound():
    assert (
        rr.designs.direct(3).denominator,
        rr.designs.direct(3).bits,
        rr.designs.direct(3).likelihood_ratio_bound,
    ) == (
        1,
        0,
        None,
    )


def test_ratios_are_exact():
    design = rr.DesignMatrix.from_integers([[5, 3], [3, 5]], 8)
    assert design.likelihood_ratio_bound == Fraction(5, 3)
    assert rr.warner(0.75).likelihood_ratio_bound == 3
    # ln 3 = 1.09861228866810969139... (OEIS A002391), decided on both sides of it.
    table = rr.DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
    assert not table.epsilon_at_most("1.098612288668109691395")
    assert table.epsilon_at_most("1.098612288668109691396")


def test_a_float_verdict_would_be_wrong_here():
    # e**1.1 = 3.00416602394643311205840795...; a ratio above it by less than a double resolves.
    from rr_engine.privacy.loss import ratio_at_most

    near = Fraction(300416602394643311205840796, 10**26)
    below = Fraction(300416602394643311205840795, 10**26)
    epsilon = rr.k_rr(2, "1.1").declared_epsilon
    assert float(near) == float(below)
    assert ratio_at_most(below, epsilon)
    assert not ratio_at_most(near, epsilon)


def test_delta_at_most_agrees_with_delta(design):
    for epsilon in (0.1, 1, 2.5):
        found = design.delta(epsilon)
        if found < 1 - 1e-6:
            assert design.delta_at_most(epsilon, f"{found + 1e-9:.12f}")
        if found > 1e-6:
            assert not design.delta_at_most(epsilon, f"{found - 1e-9:.12f}")


def test_delta_is_decided_where_floats_cannot():
    # K - e (D - K) <= D/10 exactly when K <= D (e + 1/10)/(1 + e); e = 2.71828182845904523536...
    whole, e = 2**52, Fraction(271828182845904523536, 10**20)
    most = math.floor(whole * (e + Fraction(1, 10)) / (1 + e))
    for kept, private in ((most, True), (most + 1, False)):
        table = [[kept, whole - kept], [whole - kept, kept]]
        design = rr.DesignMatrix.from_integers(table, whole)
        assert design.delta_at_most("1", "0.1") is private
        assert design.delta(1) == pytest.approx(0.1, abs=3e-15)


def test_delta_of_a_report_that_proves_is_met_with_equality():
    design = rr.DesignMatrix.from_integers([[10, 9, 8], [0, 1, 0], [0, 0, 2]], 10)
    assert design.delta_at_most("3", "0.2")
    assert not design.delta_at_most("3", "0.1999999999999999999999")


def test_a_declared_guarantee_is_one_that_the_table_keeps():
    for guarantee in ({"declared_epsilon": 1}, {"declared_epsilon": 1, "declared_delta": "0.01"}):
        with pytest.raises(rr.errors.EpsilonError, match="guarantee that the table keeps"):
            rr.DesignMatrix([[0.9, 0.1], [0.1, 0.9]], **guarantee)
        with pytest.raises(rr.errors.EpsilonError, match="guarantee that the table keeps"):
            rr.DesignMatrix.from_integers([[9, 1], [1, 9]], 10, **guarantee)
    kept = rr.DesignMatrix.from_integers([[9, 1], [1, 9]], 10, declared_epsilon="2.2")
    assert kept.epsilon == pytest.approx(math.log(9), rel=1e-15)
    with pytest.raises(rr.errors.EpsilonError, match="declared_epsilon"):
        rr.DesignMatrix([[0.9, 0.1], [0.1, 0.9]], declared_delta="0.1")


def test_a_declared_epsilon_above_the_loss_does_not_replace_it():
    design = rr.DesignMatrix([[0.75, 0.25], [0.25, 0.75]], declared_epsilon=5)
    assert design.epsilon == pytest.approx(math.log(3))
    assert design.epsilon_at_most("1.0987")
    assert design.quantized(8).integers.tolist() == [[192, 64], [64, 192]]


def test_coarsening_two_independent_devices_gives_back_each():
    one = rr.DesignMatrix.from_integers([[3, 1], [1, 3]], 4)
    two = rr.DesignMatrix.from_integers([[4, 1, 1], [1, 4, 1], [1, 1, 4]], 6)
    both = rr.DesignMatrix.from_integers(np.kron(one.integers, two.integers), 24)
    first, second = [[0, 1, 2], [3, 4, 5]], [[0, 3], [1, 4], [2, 5]]
    assert np.array_equal(both.coarsened(first, first).integers, one.integers * 6)
    assert np.array_equal(both.coarsened(second, second).integers, two.integers * 4)
    assert both.coarsened(first, first).categories == ("0 + 1 + 2", "3 + 4 + 5")


def test_coarsening_one_answer_against_the_rest_is_the_device_of_the_sums():
    merged = rr.k_rr(["a", "b", "c", "d"], 1).coarsened([[1], [0, 2, 3]], [[1], [0, 2, 3]])
    assert merged.matrix == pytest.approx(
        np.array([[math.e, 1], [3, math.e + 2]]) / (math.e + 3), abs=1e-15
    )
    assert merged.categories == merged.reports == ("b", "a + c + d")
    assert merged.epsilon == 1
    assert merged.quantized(52).epsilon_at_most("1")


def test_coarsening_pairs_loses_some_of_the_epsilon():
    pairs = [[0, 1], [2, 3]]
    merged = rr.k_rr(4, 1).coarsened(pairs, pairs)
    assert merged.epsilon == pytest.approx(math.log((math.e + 1) / 2), rel=1e-14)
    assert merged.quantized().epsilon <= merged.epsilon


def test_coarsening_truths_that_differ_is_refused():
    design = rr.DesignMatrix(UNEVEN)
    with pytest.raises(rr.errors.DesignError, match="truth_groups"):
        design.coarsened([[0, 1], [2, 3]], [[0, 1], [2, 3]])
    # Merging reports alone is always possible.
    rows = design.coarsened([[0, 3], [1, 2]], [[0], [1], [2], [3]]).matrix
    assert rows == pytest.approx(design.matrix[[0, 1]] + design.matrix[[3, 2]])
    near = rr.DesignMatrix.from_integers([[8, 4, 4], [4, 8, 7], [4, 4, 5]], 16)
    with pytest.raises(rr.errors.DesignError, match="truth_groups"):
        near.coarsened([[0], [1], [2]], [[0], [1, 2]])


@pytest.mark.parametrize(
    "groups", [[[0, 1, 2]], [[0], [1]], [[0], [1, 1, 2]], [[0], [1, 3]], [[0], []], 3, [0, 1], "ab"]
)
def test_groups_are_a_partition(groups):
    with pytest.raises(rr.EngineError, match="_groups"):
        rr.k_rr(3, 1).coarsened(groups, [[0], [1], [2]])
    with pytest.raises(rr.EngineError, match="_groups"):
        rr.k_rr(3, 1).coarsened([[0], [1], [2]], groups)
