import numpy as np
import pytest
from scipy.stats import binom

import rr_engine as rr


@pytest.mark.parametrize(("p", "yes"), [(0.75, 300), (0.85, 260), (0.1, 700)])
def test_one_less_the_share_is_the_attentive_rate_of_atsusaka_and_stevenson(p, yes):
    # Crosswise with a trait that nobody has: rate = (lam - 1/2)/(q - 1/2), where lam is the share
    # of one report and q its probability for a non-carrier.
    same = 1 - yes / 1000
    attentive = (same - 0.5) / (p - 0.5)
    found = rr.compliance.anchor_check(rr.warner(p), [1000 - yes, yes], known=0)
    assert 1 - found.share == pytest.approx(attentive)
    error = np.sqrt(same * (1 - same) / 999) / abs(p - 0.5)
    assert found.standard_error == pytest.approx(error)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("known", [0.0, 0.3])
def test_interval_covers_estimate_is_unbiased_and_the_test_keeps_its_size(share, known):
    # Exact: every outcome of 60 reports.
    design, n = rr.warner(0.8), 60
    reported = (1 - share) * float(design.matrix[1] @ [1 - known, known]) + share / 2
    chances = binom.pmf(range(n + 1), n, reported)
    found = [rr.compliance.anchor_check(design, [n - yes, yes], known) for yes in range(n + 1)]
    assert sum(chances * [one.share for one in found]) == pytest.approx(share, abs=1e-9)
    held = [one.interval[0] - 1e-9 <= share <= one.interval[1] + 1e-9 for one in found]
    assert chances @ held >= 0.92
    if share == 0:
        assert 0.01 <= chances @ [one.p_value < 0.05 for one in found] <= 0.08


def test_more_categories_and_a_list_of_known_proportions():
    design, truth, share = rr.k_rr(4, 1.5), np.array([0.1, 0.2, 0.3, 0.4]), 0.25
    counts = np.rint(100_000 * ((1 - share) * design.matrix @ truth + share / 4)).astype(int)
    found = rr.compliance.anchor_check(design, counts, truth)
    assert found.share == pytest.approx(share, abs=1e-3)
    assert found.interval[0] < share < found.interval[1]


def test_those_who_always_say_no_are_another_alternative():
    # Everybody has the trait; the shortage of yes is the share of those who deny it.
    found = rr.compliance.anchor_check(rr.designs.direct(2), [30, 70], known=1, otherwise=[1, 0])
    assert found.share == pytest.approx(0.3)


def test_too_few_random_answers_are_implausible():
    found = rr.compliance.anchor_check(rr.warner(0.75), [900, 100], known=0)
    assert {note.code for note in found.notes} == {"outside_range", "implausible"}
    assert rr.compliance.anchor_check(rr.warner(0.75), [748, 252], known=0).notes == ()


@pytest.mark.parametrize("counts", [[0, 0], [1, 0], [0, 1], [5, 0], [0, 5], [1, 1]])
def test_few_or_no_reports_give_numbers_all_the_same(counts):
    found = rr.compliance.anchor_check(rr.warner(0.75), counts, known=0)
    numbers = [found.share, found.standard_error, found.maximum_likelihood, *found.interval]
    assert not np.isnan([*numbers, found.statistic, found.p_value]).any()
    assert 0 <= found.interval[0] <= found.maximum_likelihood <= found.interval[1] <= 1


def test_refuses_what_cannot_be_told():
    with pytest.raises(rr.errors.NotIdentifiableError, match="known"):
        rr.compliance.anchor_check(rr.warner(0.75), [5, 5], known=0.5)
    with pytest.raises(rr.errors.DistributionError, match="known"):
        rr.compliance.anchor_check(rr.k_rr(3, 1), [5, 5, 5], known=0.5)
    with pytest.raises(rr.errors.ArgumentError, match="known"):
        rr.compliance.anchor_check(rr.warner(0.75), [5, 5], known=1.5)
    with pytest.raises(rr.errors.DistributionError, match="otherwise"):
        rr.compliance.anchor_check(rr.warner(0.75), [5, 5], known=0, otherwise=[1, 1])
    with pytest.raises(rr.errors.CountsError, match="never made"):
        rr.compliance.anchor_check(
            rr.designs.direct(3), [5, 5, 5], known=[1, 0, 0], otherwise=[0, 1, 0]
        )
    with pytest.raises(rr.errors.CountsError):
        rr.compliance.anchor_check(rr.designs.generalized_binary(0.8, 0.9), [5, 5, 5], known=0)
