import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2

import rr_engine as rr
from tests.engine.detector_alarms import BINARY, TERNARY, rows, worst_binary, worst_ternary
from tests.engine.engine_cases import BADGE, outcomes
from tests.work import calls

THREE_REPORTS = rr.DesignMatrix(BADGE)


def independent_statistic(matrices, counts):
    """2 (best of all - best of the model), the model's one proportion by SciPy's bounded search."""

    def minus(share):
        both = [m @ [1 - share, share] for m in matrices]
        return -sum(float(np.asarray(c) @ np.log(s)) for c, s in zip(counts, both, strict=True))

    fit = minimize_scalar(minus, bounds=(0, 1), method="bounded", options={"xatol": 1e-12})
    full = sum(
        float(count @ np.log(count / count.sum()))
        for count in (np.array(given, dtype=float) for given in counts)
    )
    return 2 * (full + fit.fun)


def test_more_reports_than_truths_leave_degrees_of_freedom():
    found = rr.compliance.goodness_of_fit(THREE_REPORTS, [30, 50, 20])
    assert found.degrees_of_freedom == 1
    assert found.statistic == pytest.approx(
        independent_statistic([THREE_REPORTS.matrix], [[30, 50, 20]]), abs=1e-6
    )
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 1))
    observed = np.array([30, 50, 20])
    assert found.pearson == pytest.approx(((observed - found.expected) ** 2 / found.expected).sum())


def test_strata_that_agree_and_strata_that_do_not():
    designs = [rr.warner(0.75), rr.warner(0.2), rr.designs.generalized_binary(0.9, 0.6)]
    truth = np.array([0.7, 0.3])
    agree = [np.rint(1000 * design.matrix @ truth).astype(int) for design in designs]
    found = rr.compliance.goodness_of_fit(designs, agree)
    assert (found.degrees_of_freedom, round(found.p_value, 2)) == (2, 1.0)
    assert found.proportions == pytest.approx(truth, abs=1e-3)
    differ = [agree[0], [600, 400], agree[2]]
    found = rr.compliance.goodness_of_fit(designs, differ)
    expected = independent_statistic([design.matrix for design in designs], differ)
    assert found.statistic == pytest.approx(expected, abs=1e-6)
    assert found.p_value < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_the_test_keeps_its_size(share):
    # Exact, over every table of 60 reports of three kinds; one degree of freedom.
    design = THREE_REPORTS
    rejected = {"p_value": 0.0, "pearson_p_value": 0.0}
    for counts, chance in outcomes(design.matrix @ [1 - share, share], 60):
        if chance > 1e-6:
            found = rr.compliance.goodness_of_fit(design, counts)
            for name in rejected:
                rejected[name] += chance * (getattr(found, name) < 0.05)
    assert all(0.03 <= size <= 0.07 for size in rejected.values()), rejected


def test_a_square_device_is_tested_by_what_lies_outside_its_range():
    inside = rr.compliance.goodness_of_fit(rr.warner(0.75), [50, 50])
    assert (inside.degrees_of_freedom, inside.p_value) == (0, 1.0)
    assert [note.code for note in inside.notes] == ["saturated"]
    outside = rr.compliance.goodness_of_fit(rr.warner(0.75), [95, 5])
    assert outside.degrees_of_freedom == 1
    assert outside.statistic == pytest.approx(2 * (95 * np.log(95 / 75) + 5 * np.log(5 / 25)))
    assert outside.p_value < 1e-5


def test_at_the_border_the_test_errs_on_the_safe_side():
    # Nobody has the trait: exact, over all counts of 200 reports.
    found = [
        rr.compliance.goodness_of_fit(rr.warner(0.75), [200 - yes, yes]).p_value
        for yes in range(201)
    ]
    size = binom.pmf(range(201), 200, 0.25) @ (np.array(found) < 0.05)
    assert 0.01 <= size <= 0.05


@pytest.mark.slow
def test_resamples_agree_with_the_exact_distribution_for_few_reports():
    # 12 reports; the p-value under the fitted proportions by enumeration, 4,000 resamples with a
    # fixed seed, tolerance 4 standard errors.
    counts = np.array([2, 8, 2])
    found = rr.compliance.goodness_of_fit(THREE_REPORTS, counts, resamples=4000, rng=3)
    assert "sparse" in {
        note.code for note in rr.compliance.goodness_of_fit(THREE_REPORTS, [2, 3, 1]).notes
    }
    exact = sum(
        chance
        for other, chance in outcomes(THREE_REPORTS.matrix @ found.proportions, 12)
        if rr.compliance.goodness_of_fit(THREE_REPORTS, other).statistic >= found.statistic - 1e-9
    )
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))
    again = rr.compliance.goodness_of_fit(THREE_REPORTS, counts, resamples=4000, rng=3)
    assert (again.p_value, again.resamples) == (found.p_value, 4000)


def test_proportions_are_those_of_maximum_likelihood():
    counts = [60, 1, 39]
    found = rr.compliance.goodness_of_fit(rr.k_rr(3, 1), counts)
    likely = rr.estimate(rr.k_rr(3, 1), counts, method="mle").proportions
    assert found.proportions == pytest.approx(likely, abs=1e-9)
    assert found.expected.sum() == pytest.approx(100)


def test_strata_without_reports_are_left_out():
    designs = [rr.warner(0.75), rr.warner(0.2)]
    alone = rr.compliance.goodness_of_fit(designs, [[60, 40], [0, 0]])
    assert (alone.degrees_of_freedom, alone.p_value) == (0, 1.0)
    nothing = rr.compliance.goodness_of_fit(designs, [[0, 0], [0, 0]])
    assert [note.code for note in nothing.notes] == ["no_reports"]
    assert nothing.p_value == 1


def test_refuses_what_is_no_survey():
    with pytest.raises(rr.errors.ArgumentError, match="counts"):
        rr.compliance.goodness_of_fit([rr.warner(0.7), rr.warner(0.6)], [[5, 5]])
    with pytest.raises(rr.errors.ArgumentError, match="designs"):
        rr.compliance.goodness_of_fit([rr.warner(0.7), rr.k_rr(3, 1)], [[5, 5], [5, 5, 5]])
    with pytest.raises(rr.errors.ArgumentError, match="designs"):
        rr.compliance.goodness_of_fit([], [])
    with pytest.raises(rr.errors.CountsError):
        rr.compliance.goodness_of_fit(rr.warner(0.7), [5, 5, 5])
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.compliance.goodness_of_fit([rr.warner(0.5), rr.warner(0.5)], [[5, 5], [5, 5]])
    with pytest.raises(rr.errors.ArgumentError, match="resamples"):
        rr.compliance.goodness_of_fit(rr.warner(0.7), [5, 5], resamples=-1)
    with pytest.raises(rr.errors.ArgumentError, match="resamples"):
        rr.compliance.goodness_of_fit(rr.warner(0.7), [5, 5], resamples=10**30)


def test_resamples_with_the_same_counts_are_fitted_once():
    # 12 people have 91 tables of three reports.
    found, called = calls(rr.compliance.goodness_of_fit, THREE_REPORTS, [2, 8, 2], 3000, 3)
    assert found.resamples == 3000
    assert called < 60_000


def test_refuses_more_resamples_than_anybody_waits_for():
    with pytest.raises(rr.errors.ArgumentError, match=r"resamples must .* at most 100000"):
        rr.compliance.goodness_of_fit(THREE_REPORTS, [2, 8, 2], resamples=10**6)


PAGE = Path(__file__).resolve().parents[2] / "docs" / "methods" / "compliance.md"


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 73, 400])
def test_honest_surveys_are_called_implausible_at_most_once_in_a_thousand(n):
    assert max(worst_binary(design, n) for design in BINARY.values()) <= 0.001


@pytest.mark.parametrize("n", [12, 35])
def test_the_same_holds_for_three_categories(n):
    assert max(worst_ternary(design, n) for design in TERNARY.values()) <= 0.001


@pytest.mark.slow
def test_the_page_prints_the_exact_rates():
    text = PAGE.read_text(encoding="utf-8")
    printed = re.findall(r"^\| (?:k-ary|forced).*\|$", text, re.MULTILINE)
    assert printed == rows()
