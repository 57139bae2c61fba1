from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.precision import one_report_covariance
from tests.engine.engine_cases import DESIGNS, check_moments, people_outcomes

# Some estimates of these lie where their covariance would be none.
NOTED = ("four, uneven", "kuk, three draws", "unrelated question", "forced response")
SMALL = {
    **{
        (name, DESIGNS[name]): people
        for name, people in [
            ("k_rr 2", [1, 3]),
            ("warner, answer-reversing", [4, 0]),
            ("binary, uneven", [4, 1]),
            ("binary, one answer proves", [3, 2]),
            ("direct", [2, 1, 1]),
            ("more reports than truths", [3, 1]),
            ("four, uneven", [0, 1, 1, 1]),
            ("k_rr 5", [2, 0, 1, 0, 0]),
        ]
    },
    ("kuk, three draws", rr.kuk(0.7, 0.2, 3)): [3, 1],
    ("unrelated question", rr.unrelated_question(0.7, 0.2)): [4, 0],
    ("forced response", rr.forced_response(0.6, 0.3)): [1, 3],
}


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("case", SMALL.items(), ids=lambda case: case[0][0])
def test_unbiased_and_of_the_stated_variance_over_all_outcomes(case, population):
    ((name, design), people), divisor = case, sum(case[1]) - (population == "sample")
    shares = np.array(people) / sum(people)

    def formula(found):
        """Return the covariance before it is moved to possible proportions, which costs a bias."""
        return one_report_covariance(design.matrix, found.proportions, population) / divisor

    tables = people_outcomes(design.matrix, people, population)
    cases = [
        (rr.estimate(design, counts, population=population), p) for counts, p in tables if p > 0
    ]
    check_moments(cases, shares, formula)
    expected = one_report_covariance(design.matrix, shares, population) / sum(people)
    check_moments(cases, shares, lambda _: expected)
    noted = [found.note("covariance_at_projection") for found, _ in cases]
    for (found, _), note in zip(cases, noted, strict=True):
        assert note or np.allclose(found.covariance, formula(found), atol=1e-12)
    assert population == "sample" or name in NOTED or not any(noted)


@pytest.mark.parametrize("name", DESIGNS)
def test_solution_satisfies_its_equation(name):
    design = DESIGNS[name]
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 90, len(design.reports)) * (design.matrix.max(axis=1) > 0)
    result = rr.estimate(design, counts)
    assert result.proportions.sum() == pytest.approx(1, abs=1e-9)
    if len(design.reports) == len(design.categories):
        assert np.allclose(design.matrix @ result.proportions, counts / counts.sum(), atol=1e-12)
    assert np.allclose(result.covariance.sum(axis=0), 0, atol=1e-9)


def test_closed_form_and_solver_agree():
    for size, epsilon in ((2, 0.5), (5, 1), (20, 3), (50, 0.1)):
        exact = rr.k_rr(size, epsilon)
        # One entry moved in its last bits: no longer the closed form, the same numbers.
        moved = exact.matrix.copy()
        moved[0, 0] = np.nextafter(np.nextafter(moved[0, 0], 0), 0)
        counts = np.random.default_rng(size).integers(50, 900, size)
        for population in ("sample", "fixed"):
            fast = rr.estimate(exact, counts, population=population)
            slow = rr.estimate(rr.DesignMatrix(moved), counts, population=population)
            assert np.allclose(fast.proportions, slow.proportions, rtol=1e-9, atol=1e-11)
            assert np.allclose(fast.covariance, slow.covariance, rtol=1e-8, atol=1e-12)
            assert np.allclose(fast.interval(method="wilson"), slow.interval(method="wilson"))


def test_the_order_and_the_parts_of_a_sum_leave_no_trace():
    rng = np.random.default_rng(15)
    reports = rng.integers(0, 7, 10_000)
    design = rr.k_rr(7, 1).quantized()
    whole = rr.estimate(design, np.bincount(reports, minlength=7))
    shuffled = rr.estimate(design, np.bincount(rng.permutation(reports), minlength=7))
    parts = sum(np.bincount(part, minlength=7) for part in np.array_split(reports, 13))
    merged = rr.estimate(design, parts)
    floats = rr.estimate(design, [float(count) for count in parts])
    for one, other in pairwise((whole, shuffled, merged, floats)):
        assert one.to_dict() == other.to_dict()


def test_the_integers_that_ran_are_the_ones_inverted():
    table = rr.k_rr(3, "1.1").quantized(bits=8)
    expected = np.linalg.solve(table.integers / 256, np.array([5, 3, 2]) / 10)
    assert np.allclose(rr.estimate(table, [5, 3, 2]).proportions, expected, atol=1e-14)


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("method", ["inversion", "mle"])
def test_no_reports(method, population):
    result = rr.estimate(rr.k_rr(4, 1), [0, 0, 0, 0], method=method, population=population)
    assert result.n == 0
    assert result.proportions.tolist() == [0.25] * 4
    assert result.standard_errors.tolist() == [np.inf] * 4
    assert result.reported_shares.tolist() == [0] * 4
    assert [note.code for note in result.notes] == ["no_reports"]


@pytest.mark.parametrize("method", ["inversion", "mle"])
def test_one_report(method):
    design = rr.k_rr(2, 1)
    result = rr.estimate(design, [0, 1], method=method)
    assert np.isfinite(result.proportions).all()
    assert result.standard_errors.tolist() == [np.inf] * 2
    assert result.note("one_report")
    # The device's own error is known from one report on.
    fixed = rr.estimate(design, [0, 1], method=method, population="fixed")
    assert np.isfinite(fixed.standard_errors).all()
    assert not fixed.note("one_report")


@pytest.mark.parametrize("name", DESIGNS)
def test_all_alike(name):
    design = DESIGNS[name]
    for report in np.flatnonzero(design.matrix.max(axis=1) > 0)[:3]:
        counts = np.zeros(len(design.reports), dtype=int)
        counts[report] = 500
        for method in ("inversion", "mle"):
            result = rr.estimate(design, counts, method=method)
            assert np.isfinite(result.covariance).all()
            assert result.note("all_alike")
            low, high = result.interval(method="default").T
            assert (high - low > 1e-3).all()


def test_a_count_of_a_report_that_is_never_made_is_refused():
    with pytest.raises(rr.errors.CountsError, match="never made"):
        rr.estimate(DESIGNS["a report never made"], [5, 4, 1])


def test_asked_directly_it_is_the_plain_proportion():
    result = rr.estimate(rr.designs.direct(3), [10, 0, 30])
    assert result.proportions.tolist() == [0.25, 0, 0.75]
    assert result.standard_errors == pytest.approx(np.sqrt([0.1875 / 39, 0, 0.1875 / 39]))
    everybody = rr.estimate(rr.designs.direct(3), [10, 0, 30], population="fixed")
    assert everybody.standard_errors.tolist() == [0] * 3


def test_a_covariance_is_never_of_a_negative_variance():
    # Truth 2 adds the most noise and seems to have a share of -1.1.
    design = rr.DesignMatrix([[0.25, 0.35, 0.6], [0.05, 0.3, 0.4], [0.7, 0.35, 0.0]])
    result = rr.estimate(design, [0, 0, 30], population="fixed")
    assert result.proportions[2] < -1
    assert result.note("covariance_at_projection")
    assert np.linalg.eigvalsh(result.covariance)[0] > -1e-12


def test_fits_do_not_depend_on_chance():
    for method in ("inversion", "mle"):
        first, second = (
            rr.estimate(rr.k_rr(6, 1), [9, 0, 1, 0, 3, 2], method=method) for _ in range(2)
        )
        assert first.to_dict() == second.to_dict()


@pytest.mark.parametrize("epsilon", ["1e-6", "1e-3", "1"])
@pytest.mark.parametrize("size", [2, 30, 1000])
def test_standard_errors_keep_their_digits_however_little_the_device_tells(size, epsilon):
    # The variances in rationals, of the device as it is: Fraction takes a float for what it stores.
    design, counts = rr.k_rr(size, epsilon), [size - place for place in range(size)]
    counts[-1] = 0
    retention, changed = (Fraction(float(x)) for x in (design.matrix[0, 0], design.matrix[0, 1]))
    n, gap = sum(counts), retention - changed
    sample, fixed = (rr.estimate(design, counts, population=p) for p in ("sample", "fixed"))
    for place in (0, size // 2, size - 1):
        share = Fraction(counts[place], n)
        drawn = share * (1 - share) / gap**2 / (n - 1)
        own = (share - changed) / gap
        noise = (
            (own * retention * (1 - retention) + (1 - own) * changed * (1 - changed)) / gap**2 / n
        )
        assert sample.standard_errors[place] == pytest.approx(float(drawn) ** 0.5, rel=1e-13)
        assert fixed.standard_errors[place] == pytest.approx(float(max(noise, 0)) ** 0.5, rel=1e-11)
