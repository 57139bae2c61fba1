import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import DESIGNS


def test_direct_questions_are_worth_what_they_are():
    for category in (None, 0, 2):
        found = rr.equivalent_n(rr.estimate(rr.direct(3), [700, 200, 100]), category)
        assert found == pytest.approx(1000, rel=1e-12)


@pytest.mark.parametrize("name", ["k_rr 5", "binary, uneven", "more reports than truths"])
def test_that_many_direct_answers_have_the_same_estimated_variance(name):
    design = DESIGNS[name]
    shares = np.linspace(1, 2, len(design.categories))
    shares /= shares.sum()
    counts = np.rint(design.matrix @ shares * 100_000).astype(int)
    result = rr.estimate(design, counts)
    worth = rr.equivalent_n(result)
    clean = result.proportions * (1 - result.proportions)
    assert clean.sum() / (worth - 1) == pytest.approx(np.trace(result.covariance), rel=1e-9)
    for category, share in enumerate(result.proportions):
        worth = rr.equivalent_n(result, category)
        variance = result.covariance[category, category]
        assert share * (1 - share) / (worth - 1) == pytest.approx(variance, rel=1e-9)


def test_it_agrees_with_the_share_promised_before_the_survey():
    design = rr.k_rr(2, 1)
    promised = rr.effective_sample_share(design, 0.3) * 10**6
    counts = np.rint(design.matrix @ [0.7, 0.3] * 10**6).astype(int)
    assert rr.equivalent_n(rr.estimate(design, counts)) == pytest.approx(promised, rel=1e-4)


def test_a_fixed_group_is_compared_with_a_random_sample_of_it():
    result = rr.estimate(rr.k_rr(2, 1), [600, 400], population="fixed")
    shares = result.proportions
    variance = shares[0] * shares[1] / rr.equivalent_n(result)
    assert variance == pytest.approx(result.covariance[0, 0])


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_there_is_no_number_without_reports(population):
    assert rr.equivalent_n(rr.estimate(rr.k_rr(3, 1), [0, 0, 0], population=population)) is None


def test_there_is_no_number_where_direct_answers_would_leave_no_error():
    one_report, far_outside = [1, 0], [60, 940]
    for counts in (one_report, far_outside):
        assert rr.equivalent_n(rr.estimate(rr.k_rr(2, 1), counts)) is None
    for counts, population in (([9, 0], "sample"), ([5, 4], "fixed")):
        assert rr.equivalent_n(rr.estimate(rr.direct(2), counts, population=population)) is None


@pytest.mark.parametrize("category", [-1, 3, 1.0, True, "1"])
def test_refuses_a_category_that_is_none(category):
    with pytest.raises(rr.ArgumentError, match="category"):
        rr.equivalent_n(rr.estimate(rr.k_rr(3, 1), [4, 5, 6]), category)
