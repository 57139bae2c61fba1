"""Figure 0 of Pan (2024): its formulas read anew, and surveys simulated bit by bit."""

from itertools import pairwise
from math import exp, log

import numpy as np
import pytest

from papers import pan2024_rappor
from papers.pan2024_rappor import PEOPLE, PERMANENT, SAMPLED

SURVEYS = 2000


def test_the_budget_is_the_papers_formula_and_rises_to_the_permanent_bits():
    rows, _ = pan2024_rappor.figure_0a()
    for row in rows:
        for sampled in SAMPLED:
            odds, power = exp(PERMANENT), exp(sampled) ** row["samples"]
            expected = log((odds * power + 1) / (odds + power))
            assert row[f"epsilon_s {sampled:g}"] == pytest.approx(expected, rel=1e-9)
    fastest = [row["epsilon_s 1"] for row in rows]
    assert all(a < b for a, b in pairwise(fastest[:30]))
    # The paper's experiment (section 6.1) stops after ten rounds.
    assert rows[9]["epsilon_s 0.1"] == pytest.approx(0.4338, abs=5e-5)
    assert rows[9]["epsilon_s 1"] == pytest.approx(0.9999, abs=5e-5)


def test_relaxation_has_the_smaller_variance_from_the_second_sample_on():
    rows, _ = pan2024_rappor.figure_0b()
    for row in rows:
        # One sample of a permanent bit is one symmetric bit of that budget.
        assert row["ratio"] == pytest.approx(1) if row["samples"] == 1 else row["ratio"] > 1
    # The gain ends where samples show the permanent bit: it is largest in between.
    gains = [row["ratio"] for row in rows if row["epsilon_s"] == 0.5]
    assert max(gains) > 1.5
    assert 1 < gains[-1] < max(gains)


@pytest.mark.parametrize("samples", [1, 10])
def test_both_variances_are_those_of_simulated_surveys(samples):
    rows, _ = pan2024_rappor.figure_0b()
    (row,) = (row for row in rows if row["epsilon_s"] == 0.5 and row["samples"] == samples)
    rng = np.random.default_rng(2024)
    # Section 6.1: 600 of 1,000 have the bit set.
    truth = np.arange(PEOPLE) < 600
    keep, echo, relaxed = (exp(e) / (1 + exp(e)) for e in (PERMANENT, 0.5, row["budget"]))
    frequencies = {"noisy_samples": [], "relaxation": []}
    for _ in range(SURVEYS):
        permanent = truth ^ (rng.random(PEOPLE) > keep)
        ones = rng.binomial(samples, np.where(permanent, echo, 1 - echo)).mean() / samples
        step = (ones - (1 - echo)) / (2 * echo - 1)
        frequencies["noisy_samples"].append((step - (1 - keep)) / (2 * keep - 1))
        reported = (truth ^ (rng.random(PEOPLE) > relaxed)).mean()
        frequencies["relaxation"].append((reported - (1 - relaxed)) / (2 * relaxed - 1))
    for name, values in frequencies.items():
        # Four standard errors of a variance from 2,000 surveys, and of their mean.
        assert np.var(values, ddof=1) == pytest.approx(row[name], rel=4 * np.sqrt(2 / SURVEYS))
        assert abs(np.mean(values) - 0.6) < 4 * np.sqrt(row[name] / SURVEYS)


def test_linear_relaxation_ends_where_it_should_at_every_stride():
    rows, _ = pan2024_rappor.figure_0c()
    for stride in pan2024_rappor.STRIDES:
        part = [row for row in rows if row["stride"] == stride]
        assert (part[0]["epsilon"], part[-1]["epsilon"]) == (0.1, PERMANENT)
        assert all(a["variance"] > b["variance"] for a, b in pairwise(part))
        assert part[-1]["variance"] == pytest.approx(exp(1) / (exp(1) - 1) ** 2 / PEOPLE)
