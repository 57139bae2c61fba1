from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom, chi2

import rr_engine as rr
from rr_engine.compliance.mixture import absence_test, best_log_likelihood, stack_groups
from tests.engine.engine_cases import check_moments

CHEATER = np.array([[1.0], [0.0]])


def forced_yes(p):
    """The device of Clark & Desharnais: yes with chance p, else the truth."""
    return rr.designs.generalized_binary(1 - p, 1)


def forced_both(yes, no):
    return rr.designs.generalized_binary(1 - yes, 1 - no)


def clark_desharnais(p1, p2, counts):
    """Closed form for yes forced with p1 and p2; the variances as RRreg 0.7.6 has them (n - 1)."""
    (no1, yes1), (no2, yes2) = counts
    n1, n2 = no1 + yes1, no2 + yes2
    l1, l2 = yes1 / n1, yes2 / n2
    v1, v2, gap = l1 * (1 - l1) / (n1 - 1), l2 * (1 - l2) / (n2 - 1), p2 - p1
    pi, beta = (p2 * l1 - p1 * l2) / gap, (l2 - l1) / gap
    errors = [v1 + v2, p2**2 * v1 + p1**2 * v2, (1 - p2) ** 2 * v1 + (1 - p1) ** 2 * v2]
    return [beta, pi, 1 - pi - beta], np.sqrt(errors) / abs(gap)


@pytest.mark.parametrize(
    ("p1", "p2", "counts"),
    [
        (0.2, 0.8, [[610, 390], [340, 660]]),
        (0.25, 0.75, [[60, 41], [33, 70]]),
        (0.9, 0.1, [[20, 180], [97, 33]]),
    ],
)
def test_shares_and_errors_are_the_closed_form_of_clark_and_desharnais(p1, p2, counts):
    found = rr.compliance.cheating_share([forced_yes(p1), forced_yes(p2)], counts)
    values, errors = clark_desharnais(p1, p2, counts)
    assert found.values == pytest.approx(values, abs=1e-12)
    assert found.standard_errors == pytest.approx(errors, rel=1e-9)
    assert found.cheaters == pytest.approx(values[2], abs=1e-12)


def test_forced_both_ways_is_the_symmetric_model_of_ostapczuk():
    # Closed form of pi and gamma as in RRreg 0.7.6, model CDMsym.
    p = [0.3, 0.1, 0.1, 0.4]
    counts = [[520, 480], [640, 360]]
    l1, l2 = 0.48, 0.36
    scale = p[2] * (1 - p[1]) - p[0] * (1 - p[3])
    pi = (p[2] * l1 - p[0] * l2) / scale
    gamma = -((p[0] - l1) * (1 - p[2] - p[3]) - (p[2] - l2) * (1 - p[0] - p[1])) / scale
    v1, v2 = l1 * (1 - l1) / 999, l2 * (1 - l2) / 999
    error = np.sqrt((1 - p[2] - p[3]) ** 2 * v1 + (1 - p[0] - p[1]) ** 2 * v2) / abs(scale)
    found = rr.compliance.cheating_share([forced_both(p[0], p[1]), forced_both(p[2], p[3])], counts)
    assert found.values[1:] == pytest.approx([pi, gamma])
    assert found.standard_errors[2] == pytest.approx(error)


def outcomes(designs, sizes, types):
    """All pairs of tables with their probabilities when the types have these shares."""
    shares = [np.hstack([design.matrix, CHEATER]) @ types for design in designs]
    for yes1, yes2 in product(range(sizes[0] + 1), range(sizes[1] + 1)):
        chance = binom.pmf(yes1, sizes[0], shares[0][1]) * binom.pmf(yes2, sizes[1], shares[1][1])
        yield [[sizes[0] - yes1, yes1], [sizes[1] - yes2, yes2]], float(chance)


@pytest.mark.slow
def test_estimates_and_variances_are_unbiased_over_every_outcome():
    designs, types = [rr.warner(0.8), forced_yes(0.4)], np.array([0.5, 0.3, 0.2])
    rows = outcomes(designs, (4, 5), types)
    cases = [(rr.compliance.cheating_share(designs, counts), chance) for counts, chance in rows]
    check_moments(cases, types, atol=1e-9, value=lambda found: found.values)


def log_likelihood(designs, counts, types):
    shares = [np.hstack([design.matrix, CHEATER]) @ types for design in designs]
    return float(sum(np.asarray(c) @ np.log(s) for c, s in zip(counts, shares, strict=True)))


def independent_maximum(designs, counts, fixed=None):
    """SciPy's SLSQP over the simplex, from several starts; `fixed` holds the cheaters' share."""
    bounds = [(1e-9, 1)] * 2 + [(1e-9, 1) if fixed is None else (fixed, fixed)]
    fits = [
        minimize(
            lambda types: -log_likelihood(designs, counts, np.asarray(types)),
            start,
            bounds=bounds,
            constraints={"type": "eq", "fun": lambda types: types.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 500},
        )
        for start in ([0.4, 0.3, 0.3], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1])
    ]
    return max(-fit.fun for fit in fits)


@pytest.mark.parametrize(
    "counts", [[[61, 39], [34, 66]], [[70, 30], [20, 80]], [[40, 60], [30, 70]]]
)
def test_constrained_shares_and_interval_ends_agree_with_an_independent_maximisation(counts):
    designs = [forced_yes(0.2), forced_yes(0.8)]
    found = rr.compliance.cheating_share(designs, counts)
    top = independent_maximum(designs, counts)
    inside = np.maximum(found.maximum_likelihood, 1e-9)
    assert log_likelihood(designs, counts, inside) == pytest.approx(top, abs=1e-6)
    cut = top - chi2.ppf(0.95, 1) / 2
    for end in found.intervals[2]:
        if 0 < end < 1:
            assert independent_maximum(designs, counts, end) == pytest.approx(cut, abs=1e-5)
    without = independent_maximum(designs, counts, 0.0)
    assert found.statistic == pytest.approx(2 * (top - without), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("cheaters", [0.0, 0.05, 0.3])
def test_the_interval_covers_and_the_test_keeps_its_size(cheaters):
    # Exact, over every outcome of two groups of 40; the interval holds the share exactly when the
    # profile likelihood there passes.
    designs, types = [forced_yes(0.2), forced_yes(0.8)], np.array([0.65 - cheaters, 0.35, cheaters])
    matrices = [np.hstack([design.matrix, CHEATER]) for design in designs]
    covered = rejected = 0.0
    for counts, chance in outcomes(designs, (40, 40), types):
        if chance < 1e-7:
            continue
        matrix, reported = stack_groups(matrices, [np.array(count) for count in counts])
        fixed = cheaters * matrix[:, [2]] + (1 - cheaters) * matrix[:, :2]
        drop = best_log_likelihood(matrix, reported) - best_log_likelihood(fixed, reported)
        covered += chance * (2 * 80 * drop <= chi2.ppf(0.95, 1))
        rejected += chance * (absence_test(matrix, reported, 80)[1] < 0.05)
    assert covered >= 0.94
    if cheaters == 0:
        assert 0.02 <= rejected <= 0.06


def test_more_categories_and_groups_recover_the_truth():
    # 3 categories, 3 groups; seed fixed, tolerance 4 standard errors.
    designs, types = (
        [rr.k_rr(3, 1), rr.k_rr(3, 2), rr.designs.direct(3)],
        np.array([0.3, 0.35, 0.15, 0.2]),
    )
    rng = np.random.default_rng(5)
    counts = []
    for design in designs:
        honest = rr.simulate_counts(design, types[:3] / 0.8, 16_000, rng)
        counts.append(honest + np.array([4_000, 0, 0]))
    # Direct answers alone cannot tell a cheater from an honest first category.
    found = rr.compliance.cheating_share(designs, counts)
    assert (np.abs(found.values - types) <= 4 * found.standard_errors).all()
    assert found.p_value < 1e-6


def test_another_safe_report_is_the_mirror_image():
    designs = [forced_both(0.3, 0.1), forced_both(0.1, 0.4)]
    mirrored = [forced_both(0.1, 0.3), forced_both(0.4, 0.1)]
    counts = [[520, 480], [640, 360]]
    found = rr.compliance.cheating_share(designs, counts)
    other = rr.compliance.cheating_share(mirrored, [count[::-1] for count in counts], safe=1)
    assert other.cheaters == pytest.approx(found.cheaters)
    assert other.intervals[2] == pytest.approx(found.intervals[2], abs=1e-9)


@pytest.mark.slow
def test_no_small_survey_gives_a_number_that_is_none():
    tables = [[a, b] for a in range(3) for b in range(3)]
    for first, second in product(tables, tables):
        found = rr.compliance.cheating_share([forced_yes(0.2), forced_yes(0.7)], [first, second])
        for name in ("values", "maximum_likelihood", "intervals", "covariance"):
            assert not np.isnan(getattr(found, name)).any(), (first, second, name)
        assert np.isfinite([found.statistic, found.p_value]).all()
        assert (found.intervals[:, 0] <= found.maximum_likelihood + 1e-9).all()
        assert (found.intervals[:, 1] >= found.maximum_likelihood - 1e-9).all()


def test_trouble_is_said():
    designs = [forced_yes(0.2), forced_yes(0.8)]
    codes = {
        "no_reports": [[0, 0], [3, 4]],
        "one_report": [[1, 0], [3, 4]],
        "all_alike": [[9, 0], [3, 4]],
        "outside_range": [[30, 70], [35, 65]],
        "implausible": [[10, 90], [90, 10]],
    }
    for code, counts in codes.items():
        assert code in {
            note.code for note in rr.compliance.cheating_share(designs, counts).notes
        }, code
    assert rr.compliance.cheating_share(designs, [[610, 390], [340, 660]]).notes == ()


def test_refuses_groups_that_tell_nothing():
    with pytest.raises(rr.errors.NotIdentifiableError, match="designs"):
        rr.compliance.cheating_share([forced_yes(0.3), forced_yes(0.3)], [[5, 5], [5, 5]])
    for designs, counts in (
        ([rr.warner(0.7)], [[5, 5]]),
        (rr.warner(0.7), [5, 5]),
        ([rr.warner(0.7), rr.k_rr(3, 1)], [[5, 5], [5, 5, 5]]),
        ([rr.warner(0.7), rr.warner(0.6)], [[5, 5]]),
        ([rr.warner(0.7), "warner"], [[5, 5], [5, 5]]),
    ):
        with pytest.raises(rr.errors.ArgumentError):
            rr.compliance.cheating_share(designs, counts)
    with pytest.raises(rr.errors.CountsError, match=r"counts\[0\]"):
        rr.compliance.cheating_share([rr.warner(0.7), rr.warner(0.6)], [[5, -5], [5, 5]])
    with pytest.raises(rr.errors.ArgumentError, match="safe"):
        rr.compliance.cheating_share([rr.warner(0.7), rr.warner(0.6)], [[5, 5], [5, 5]], safe=2)
    with pytest.raises(rr.errors.ArgumentError, match="level"):
        rr.compliance.cheating_share([rr.warner(0.7), rr.warner(0.6)], [[5, 5], [5, 5]], level=95)
