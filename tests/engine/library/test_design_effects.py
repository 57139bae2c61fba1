"""The test of design effects, its mixture of chi-squares, and the orthants behind the weights."""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.stats import chi2, multivariate_normal, norm, ttest_ind

from rr_engine.errors import CountsError
from rr_engine.item_count import design_effect_test
from rr_engine.library.item_count.design_effects import (
    chi_bar_square_bound,
    chi_bar_square_sf,
    level_weights,
    orthant,
    projection,
)
from tests.engine.library.test_list_experiment import AFFIRM, CONTROL, RACE


def correlations(size, seed):
    root = np.random.default_rng(seed).normal(size=(size, size))
    covariance = root @ root.T
    deviations = np.sqrt(np.diag(covariance))
    return covariance / np.outer(deviations, deviations)


@pytest.mark.parametrize(
    ("treatment", "printed", "wanted", "ours"),
    [(RACE, 0.04431109, 3, 0.154), (AFFIRM, 0.7881128, 1, 0.788)],
)
def test_the_published_p_values_are_those_of_one_inequality(treatment, printed, wanted, ours):
    # ict.test of R's list 9.2.6. Its selection divides by the spread between the estimates, not by
    # the error of each, and leaves one of six inequalities, which it tests by Welch's t.
    short, long = np.repeat(range(4), CONTROL), np.repeat(range(5), treatment)
    welch = ttest_ind(short <= 0, long <= 0, equal_var=False, alternative="less")
    assert 2 * welch.pvalue == pytest.approx(printed, abs=5e-8)
    found = design_effect_test(CONTROL, treatment)
    alone = norm.sf(-found.types[0, 1] / found.type_standard_errors[0, 1])
    assert alone == pytest.approx(printed / 2, rel=0.01)
    # All that are not clearly positive are tested here: for race three, so the evidence is less.
    assert found.tested.sum() == wanted
    assert found.p_value == pytest.approx(ours, abs=5e-4)


def test_clearly_positive_shares_are_left_out():
    found = design_effect_test(CONTROL, RACE)
    assert found.tested.tolist() == [[False, True], [False, True], [False, True], [False, False]]
    everything = design_effect_test(CONTROL, RACE, selection=False)
    assert everything.tested.tolist() == [[False, True], [True, True], [True, True], [True, False]]
    # The shares without the trait are far from zero: testing them changes nothing.
    assert everything.p_values == pytest.approx(found.p_values)
    assert found.p_values[0] == 1
    assert found.statistics[0] == 0


def test_a_design_effect_is_found():
    # People count two items less when the sensitive one is among them.
    found = design_effect_test([10, 40, 50], [45, 40, 10, 5])
    assert found.p_value < 1e-6
    assert "negative_types" in {note.code for note in found.notes}
    honest = design_effect_test([200, 500, 300], [150, 400, 350, 100])
    assert honest.p_value == 1


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_orthants_are_those_of_the_normal_distribution(size):
    matrix = correlations(size, size)
    wanted = multivariate_normal(cov=matrix).cdf(np.zeros(size))
    assert orthant(3 * matrix) == pytest.approx(wanted, abs=2e-4)
    assert orthant(np.eye(size)) == pytest.approx(2.0**-size, abs=1e-6)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_weights_are_how_often_entries_of_projections_are_positive(size):
    matrix, rounds = correlations(size, 10 + size), 4000
    lower = np.linalg.cholesky(matrix)
    inverse = np.linalg.inv(lower)
    drawn = np.random.default_rng(5).normal(size=(rounds, size)) @ lower.T
    positive = [int((nnls(inverse, inverse @ row)[0] > 0).sum()) for row in drawn]
    shares = np.bincount(positive, minlength=size + 1) / rounds
    weights = level_weights(matrix)
    assert weights.sum() == pytest.approx(1)
    assert weights[::2].sum() == pytest.approx(0.5, abs=1e-3)
    errors = np.sqrt(weights * (1 - weights) / rounds)
    assert np.all(np.abs(shares - weights) <= 3.5 * errors + 1e-3)


def test_one_inequality_is_a_one_sided_test():
    assert projection(np.array([-1.5]), np.eye(1)) == pytest.approx(2.25)
    assert chi_bar_square_sf(2.25, np.eye(1)) == pytest.approx(norm.sf(1.5))


def test_independent_inequalities_have_binomial_weights():
    wanted = sum(
        w * chi2.sf(3, free) for w, free in zip((0.125, 0.375, 0.375), (3, 2, 1), strict=True)
    )
    assert chi_bar_square_sf(3, np.eye(3)) == pytest.approx(wanted)
    for seed in range(5):
        matrix = correlations(3, seed)
        assert chi_bar_square_sf(3, matrix) <= chi_bar_square_bound(3, 3)


def test_many_inequalities_are_bounded():
    control = [50] * 10
    treatment = [60, 60, 55, 50, 45, 45, 45, 45, 45, 40, 10]
    found = design_effect_test(control, treatment, selection=False)
    assert "bounded" in {note.code for note in found.notes}
    assert 0 < found.p_value <= 1


def test_categories_that_nobody_chose_do_no_harm():
    # Rounding must not make a variance of zero negative.
    for treatment in ([0, 50, 50, 0], [0, 0, 100, 0], [0, 27, 0, 46]):
        found = design_effect_test([0, 50, 50], treatment)
        assert 0 < found.p_value <= 1
        assert not np.isnan(found.statistics).any()
    assert not np.isnan(found.type_standard_errors).any()
    with pytest.raises(CountsError, match="at least two people"):
        design_effect_test([3, 3], [1, 0, 0])
