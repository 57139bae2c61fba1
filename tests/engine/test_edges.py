"""Surveys at the edge: nobody, one person, all alike, what the device cannot make, billions."""

import json
from functools import cache
from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.estimation import intervals
from tests.engine.engine_cases import BADGE, DESIGNS

# Warnings are errors here (pyproject), so that a division by zero cannot pass unseen.
TRILLION = 10**12
DEVICES = {
    "k_rr": rr.k_rr(4, 1),
    "hardly anything told": rr.k_rr(2, "0.001"),
    "hardly anything hidden": rr.k_rr(3, "600"),
    "forced": rr.forced_response(2 / 3, 1 / 6),
    "mangat, infinite epsilon": rr.designs.mangat(0.6),
    "triangular, infinite epsilon": rr.triangular(0.25),
    "one-sided, (epsilon, delta)": rr.designs.optimal_binary(1, "0.1", 0.01),
    "direct": rr.designs.direct(3),
    "three cards": rr.kuk(0.7, 0.2, 3),
    "laplace": rr.designs.laplace(4, 1),
    "badge": rr.DesignMatrix(BADGE),
    "four, uneven": DESIGNS["four, uneven"],
    "one answer proves": DESIGNS["binary, one answer proves"],
    "more categories than people": rr.k_rr(40, 1),
}
METHODS = list(product(("inversion", "mle"), ("sample", "fixed")))
INTERVALS = ("normal", "chebyshev", "wilson", "bootstrap", "sequence", "default")


def surveys(size: int) -> list[list[int]]:
    def only(position: int, n: int) -> list[int]:
        return [n if index == position else 0 for index in range(size)]

    alike = [only(position, n) for position in (0, size - 1) for n in (1, 2, 30, TRILLION)]
    lone = only(0, TRILLION)
    lone[-1] = 1
    return [[0] * size, [1] * size, [TRILLION] * size, list(range(size)), lone, *alike]


def finite(values: object, *, infinite: bool = False) -> bool:
    array = np.asarray(values, dtype=float)
    return not np.isnan(array).any() and (infinite or bool(np.isfinite(array).all()))


def in_order(ends: np.ndarray) -> bool:
    return finite(ends) and bool((ends[..., 0] <= ends[..., 1]).all())


@pytest.fixture
def computed_once(monkeypatch):
    """Compute each interval once: what is inside follows from it, and often from the profile."""
    for kind, compute in intervals.METHODS.items():
        monkeypatch.setitem(intervals.METHODS, kind, cache(compute))


@pytest.mark.slow
@pytest.mark.usefixtures("computed_once")
@pytest.mark.parametrize(("method", "population"), METHODS)
@pytest.mark.parametrize("name", DEVICES)
def test_one_question(name, method, population):
    design = DEVICES[name]
    for counts in surveys(len(design.reports)):
        result = rr.estimate(design, counts, method, population)
        assert finite(result.proportions), counts
        assert result.proportions.sum() == pytest.approx(1, abs=1e-6), counts
        assert finite(result.standard_errors, infinite=result.n < 2), counts
        assert result.projected().min() >= 0, counts
        for kind in INTERVALS:
            assert in_order(result.interval(0.95, kind)), (counts, kind)
            inside = result.possible_interval(0.95, kind)
            assert in_order(inside), (counts, kind)
            assert inside.min() >= 0, (counts, kind)
            assert inside.max() <= 1, (counts, kind)
        stored = json.dumps(result.to_dict(), allow_nan=False)
        assert np.array_equal(
            rr.Estimate.from_dict(json.loads(stored)).proportions, result.proportions
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", DEVICES)
def test_what_is_computed_from_an_estimate(name):
    design = DEVICES[name]
    for counts in surveys(len(design.reports)):
        result = rr.estimate(design, counts)
        for measure in (rr.association.entropy(result), rr.association.mean_score(result)):
            assert finite(measure.value), counts
            assert finite(measure.interval(), infinite=result.n < 2), counts
        worth, fakes = rr.planning.equivalent_n(result), rr.compliance.poisoning(result)
        assert worth is None or finite(worth), counts
        assert finite([fakes.weights, fakes.margins, fakes.fakes], infinite=True), counts
        fit = rr.compliance.goodness_of_fit(design, counts)
        assert finite([fit.statistic, fit.p_value, fit.pearson, fit.pearson_p_value]), counts


@pytest.mark.parametrize("name", [name for name in DEVICES if len(DEVICES[name].categories) == 2])
def test_an_anchor(name):
    design = DEVICES[name]
    for counts in surveys(len(design.reports)):
        try:
            found = rr.compliance.anchor_check(design, counts, 0.3)
        except rr.errors.NotIdentifiableError:
            continue
        assert finite([found.share, *found.interval, found.p_value]), counts


TABLES = {
    "two": (rr.k_rr(2, 1), rr.k_rr(3, "0.5")),
    "infinite": (rr.triangular(0.2), rr.forced_response(2 / 3, 1 / 6)),
    "direct": (rr.designs.direct(2), rr.designs.direct(3)),
    "hardly anything told": (rr.k_rr(2, "0.001"), rr.k_rr(2, "0.001")),
    "hardly anything hidden": (rr.k_rr(3, "600"), rr.k_rr(2, "600")),
    "cards": (rr.kuk(0.7, 0.2, 3), rr.k_rr(2, 1)),
}
MEASURES = (
    rr.association.chi_square,
    rr.association.g_squared,
    rr.association.mutual_information,
    rr.association.cramers_v,
    rr.association.pearson_correlation,
    rr.association.odds_ratio,
    rr.association.entropy,
)


def cross_tables(shape: tuple[int, int]) -> list[np.ndarray]:
    empty = np.zeros(shape, dtype=int)
    lone, row, column, corners = empty.copy(), empty.copy(), empty.copy(), empty.copy()
    lone[0, -1], lone[-1, 0] = TRILLION, 1
    row[0], column[:, 0], corners[0, 0], corners[-1, -1] = 5, 5, 1, 1
    alike = [np.where(np.arange(empty.size).reshape(shape) == 0, n, 0) for n in (1, 2, TRILLION)]
    return [empty, empty + 1, empty + TRILLION // 10, lone, row, column, corners, *alike]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "population"), METHODS)
@pytest.mark.parametrize("name", TABLES)
def test_two_questions(name, method, population):
    designs = TABLES[name]
    for counts in cross_tables(tuple(len(design.reports) for design in designs)):
        joint = rr.estimate_joint(designs, counts, method, population)
        assert finite(joint.proportions), counts
        assert finite(joint.standard_errors, infinite=joint.n < 2), counts
        for kind in ("normal", "chebyshev", "wilson", "default"):
            assert in_order(joint.interval(0.95, kind)), (counts, kind)
        within = joint.conditional(of_axis=1, given_axis=0)
        assert finite(within.values), counts
        assert finite(within.standard_errors, infinite=True), counts
        assert in_order(within.interval(0.95, "default")), counts
        assert in_order(joint.difference(1, 1, 0).interval()), counts
        for measure in MEASURES:
            found = measure(joint)
            assert finite([found.value, *found.interval()], infinite=True), (counts, measure)
        test = rr.independence_test(joint)
        assert finite([test.statistic, test.p_value]), counts


@pytest.mark.slow
@pytest.mark.parametrize(("method", "population"), METHODS)
@pytest.mark.parametrize(
    "other", [rr.designs.direct(["No", "Yes"]), rr.designs.mangat(0.6), rr.crosswise(0.25)]
)
def test_two_strata(other, method, population):
    for first, second in product(surveys(2)[:6], repeat=2):
        result = rr.estimate_strata([rr.warner(0.7), other], [first, second], method, population)
        assert finite(result.proportions)
        # One report in a stratum can leave its spread unknown; then a note says so.
        unknown = result.n < 2 or result.note("one_report") is not None
        assert finite(result.standard_errors, infinite=unknown)
        for kind in INTERVALS:
            assert in_order(result.interval(0.95, kind)), (first, second, kind)


def test_a_thousand_categories():
    counts = np.arange(1000)
    result = rr.estimate(rr.k_rr(1000, 3), counts)
    assert finite(result.proportions)
    assert in_order(result.possible_interval())
    assert rr.estimate(rr.k_rr(1000, 3), [0] * 1000).note("no_reports") is not None


@pytest.mark.parametrize(
    "blind",
    [rr.warner(0.5), rr.crosswise(0.5), rr.DesignMatrix([[0.5, 0.5, 0.2], [0.5, 0.5, 0.8]])],
)
def test_a_device_that_tells_nothing_is_refused(blind):
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate(blind, [1] * len(blind.reports))
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate_joint([blind, rr.k_rr(2, 1)], np.ones((len(blind.reports), 2), dtype=int))
