"""The bias-corrected crosswise estimate of Atsusaka & Stevenson, beside their package cWise."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import multinomial, norm

import rr_engine as rr
from rr_engine.estimation.ratio import fieller
from tests.engine.r_generator import R

# The data `cmdata` of cWise: 2,000 respondents, by report on the question and on the anchor.
CMDATA = [[148, 425], [311, 1116]]


def cmdata():
    """Y and A, drawn as in R/cmdataDGP.R of cWise (seed 12)."""
    source, n = R(12), 2000
    attentive = source.bernoulli(n, 0.8) == 1
    same = (source.bernoulli(n, 0.1) == source.bernoulli(n, 0.15)).astype(int)
    same[~attentive] = source.bernoulli(int((~attentive).sum()), 0.5)
    anchor = 1 - source.bernoulli(n, 0.15)
    anchor[~attentive] = source.bernoulli(int((~attentive).sum()), 0.5)
    return same, anchor


def table_of(same, anchor):
    return np.bincount(2 * same + anchor, minlength=4).reshape(2, 2)


def test_estimates_are_those_that_cwise_prints():
    # bc.est(Y, A, p=0.15, p.prime=0.15, data=cmdata) in R/bc.est.R of cWise.
    found = rr.compliance.bias_corrected_crosswise(0.15, 0.15, CMDATA)
    assert found.naive == pytest.approx(0.1950000)
    assert found.naive_standard_error == pytest.approx(0.01444624, abs=5e-9)
    assert found.prevalence == pytest.approx(0.1053604, abs=5e-8)
    assert found.attentive == pytest.approx(0.7728571, abs=5e-8)


def test_the_published_bootstrap_is_reproduced_from_these_estimates():
    # Its 200 resamples (seed 123456) gave 0.02080597 and the interval 0.06486523 to 0.1394343.
    same, anchor = cmdata()
    assert same[:6].tolist() == [1, 0, 0, 1, 0, 1]
    assert anchor[:6].tolist() == [1, 0, 0, 0, 1, 1]
    assert table_of(same, anchor).tolist() == CMDATA
    values = [
        rr.compliance.bias_corrected_crosswise(
            0.15, 0.15, table_of(same[rows], anchor[rows])
        ).prevalence
        for rows in R(123456).indices(2000, 200)
    ]
    assert np.std(values, ddof=1) == pytest.approx(0.02080597, abs=5e-9)
    assert np.quantile(values, [0.025, 0.975]) == pytest.approx([0.06486523, 0.1394343], abs=5e-8)
    # A deviation of 200 has a relative error of 1/sqrt(400).
    error = rr.compliance.bias_corrected_crosswise(0.15, 0.15, CMDATA).standard_error
    assert error == pytest.approx(0.02080597, rel=2 / np.sqrt(400))


def test_the_error_is_that_of_many_resamples():
    n, rounds = 2000, 20_000
    tables = np.random.default_rng(7).multinomial(n, np.ravel(CMDATA) / n, size=rounds) / n
    same, anchor = tables[:, 2] + tables[:, 3], tables[:, 1] + tables[:, 3]
    values = 0.5 + (same - 0.5) / -0.7 / ((anchor - 0.5) / 0.35)
    found = rr.compliance.bias_corrected_crosswise(0.15, 0.15, CMDATA)
    assert found.standard_error == pytest.approx(values.std(), rel=4 / np.sqrt(2 * rounds))
    # More than the naive error over the attentive rate: the rate's own error is in it.
    assert found.standard_error > found.naive_standard_error / found.attentive


def test_the_attentive_rate_is_that_of_the_control_item():
    found = rr.compliance.bias_corrected_crosswise(0.2, 0.15, [[30, 90], [70, 210]], known=0.1)
    control = rr.compliance.anchor_check(rr.crosswise(0.15), [100, 300], known=0.1)
    assert found.attentive == pytest.approx(1 - control.share)
    assert found.attentive_standard_error == pytest.approx(control.standard_error)


def test_with_all_attentive_it_is_the_crosswise_estimate():
    # An anchor with theta = 0 that is true of nobody: every attentive report is "the same".
    found = rr.compliance.bias_corrected_crosswise(0.2, 0.0, [[0, 60], [0, 140]])
    naive = rr.estimate(rr.crosswise(0.2), [60, 140])
    assert found.attentive == 1
    assert found.prevalence == pytest.approx(naive.proportions[1])
    assert found.standard_error == pytest.approx(naive.standard_errors[1])
    # The divisor is known then, and Fieller's interval is the normal one.
    assert found.interval == pytest.approx(naive.interval(method="normal")[1])


def chances(theta, anchor, prevalence, attentive, known=0.0):
    """Probability of the four pairs of reports under the model."""
    same = theta * prevalence + (1 - theta) * (1 - prevalence)
    right = anchor * known + (1 - anchor) * (1 - known)
    own = np.outer([1 - same, same], [1 - right, right])
    return attentive * own + (1 - attentive) / 4


def test_expected_reports_give_the_truth():
    for theta, anchor, known in product((0.15, 0.8), (0.1, 0.7), (0.0, 0.2, 1.0)):
        counts = np.rint(10**9 * chances(theta, anchor, 0.2, 0.7, known)).astype(int)
        found = rr.compliance.bias_corrected_crosswise(theta, anchor, counts, known)
        assert (found.prevalence, found.attentive) == pytest.approx((0.2, 0.7), abs=1e-7)


def ends_of(tables, theta):
    """Fieller's ends for many tables at once, spelled out."""
    n = tables.sum(axis=1)
    same, anchor = (tables[:, 2] + tables[:, 3]) / n, (tables[:, 1] + tables[:, 3]) / n
    first, second = 2 * theta - 1, (1 - 2 * theta) / 2
    spread = [same * (1 - same), tables[:, 3] / n - same * anchor, anchor * (1 - anchor)]
    scales = (first**2, first * second, second**2)
    moments = [part / (n - 1) / scale for part, scale in zip(spread, scales, strict=True)]
    top, below = (same - 0.5) / first, (anchor - 0.5) / second
    return 0.5 + fieller(top, below, moments, norm.isf(0.025), (-0.5, 0.5))


@pytest.mark.parametrize(("prevalence", "attentive"), [(0.0, 0.8), (0.1, 1.0), (0.3, 0.6)])
def test_the_interval_covers(prevalence, attentive):
    # Exact, over every table of 60 respondents.
    n, theta = 60, 0.15
    cells = np.indices((n + 1,) * 3).reshape(3, -1).T
    cells = cells[cells.sum(axis=1) <= n]
    tables = np.column_stack([cells, n - cells.sum(axis=1)])
    share = chances(theta, theta, prevalence, attentive).ravel()
    weights, ends = multinomial.pmf(tables, n, share / share.sum()), ends_of(tables, theta)
    for which in np.argsort(weights)[-400::40]:
        found = rr.compliance.bias_corrected_crosswise(theta, theta, tables[which].reshape(2, 2))
        assert found.interval == pytest.approx(ends[which])
    held = (ends[:, 0] - 1e-12 <= prevalence) & (prevalence <= ends[:, 1] + 1e-12)
    assert weights.sum() == pytest.approx(1)
    assert 0.935 <= weights @ held <= 0.975


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("no_reports", [[0, 0], [0, 0]]),
        ("one_report", [[0, 0], [0, 1]]),
        ("all_alike", [[0, 3], [0, 9]]),
        ("no_attention", [[30, 10], [30, 10]]),
        ("outside_range", [[2, 3], [23, 72]]),
    ],
)
def test_trouble_is_said_and_every_number_is_one(code, counts):
    found = rr.compliance.bias_corrected_crosswise(0.15, 0.15, counts)
    assert code in {note.code for note in found.notes}
    numbers = [found.prevalence, found.standard_error, found.attentive, *found.interval]
    assert not np.isnan(numbers).any()
    if code in ("no_reports", "one_report", "no_attention"):
        assert found.interval == (0, 1)
        assert found.standard_error == np.inf


def test_a_rate_near_zero_rules_nothing_out():
    found = rr.compliance.bias_corrected_crosswise(0.15, 0.15, [[10, 12], [13, 15]])
    assert 0 < found.attentive < norm.isf(0.025) * found.attentive_standard_error
    assert found.interval == (0, 1)


def test_refuses_what_says_nothing():
    for changed in ({"theta": 0.5}, {"anchor_theta": 0.5}, {"known": 0.5}):
        arguments = {"theta": 0.15, "anchor_theta": 0.15, "counts": CMDATA, **changed}
        with pytest.raises(
            rr.errors.ArgumentError, match=f"{next(iter(changed))} must differ from one half"
        ):
            rr.compliance.bias_corrected_crosswise(**arguments)
    with pytest.raises(rr.errors.CountsError, match="2 by 2 table"):
        rr.compliance.bias_corrected_crosswise(0.15, 0.15, [100, 200])
