from itertools import product
from math import sqrt

import pytest
from scipy.stats import binom, norm

import rr_engine as rr
from rr_engine import power
from tests.engine.engine_cases import DESIGNS, memory_below, outcomes, refusals, refused_values
from tests.work import calls

FORCED = rr.designs.generalized_binary(5 / 6, 5 / 6)
# Which interval rejects when it leaves the null hypothesis out.
INTERVAL = {"exact": "exact", "score": "wilson"}


def rejects(ends, null, alternative):
    low, high = ends
    above, below = null < low - 1e-12, null > high + 1e-12
    return {"two-sided": above or below, "greater": above, "less": below}[alternative]


@pytest.mark.parametrize("method", ["exact", "score"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("design", "prevalence", "null", "n"),
    [
        (FORCED, 0.2, 0.05, 80),
        (rr.warner(0.2), 0.3, 0.5, 60),
        (rr.k_rr(5, 2), 0.6, 0.3, 40),
        (rr.designs.direct(2), 0.5, 0.3, 30),
        (rr.k_rr(2, 1), 0.0, 0.0, 50),
    ],
)
def test_power_is_the_chance_that_the_interval_leaves_the_null_out(
    method, alternative, design, prevalence, null, n
):
    # Exact, by the engine's own intervals over every count of the reported share. A one-sided test
    # uses one end of the interval at twice the level.
    alpha = 0.05
    level = 1 - alpha if alternative == "two-sided" else 1 - 2 * alpha
    size = len(design.categories)
    share = design.matrix[1, 0] + (design.matrix[1, 1] - design.matrix[1, 0]) * prevalence
    total = 0.0
    for count in range(n + 1):
        counts = [0] * size
        counts[1], counts[0] = count, n - count
        ends = rr.estimate(design, counts).interval(level, INTERVAL[method])[1]
        total += float(binom.pmf(count, n, share)) * rejects(ends, null, alternative)
    found = power(design, prevalence, null, n, alpha, alternative, method=method)
    assert found == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("n", [10, 57, 400])
@pytest.mark.parametrize("null", [0.0, 0.1, 0.5, 1.0])
def test_the_exact_test_keeps_its_size(n, null):
    for design, alternative in product(
        (FORCED, rr.designs.direct(2)), ("two-sided", "greater", "less")
    ):
        assert power(design, null, null, n, alternative=alternative) <= 0.05 + 1e-12


def test_normal_power_is_the_formula_of_blair_imai_and_zhou():
    # power.rr.test of the R package rr 1.4: the threshold with the null's deviation, then the
    # chance to pass it with that of the alternative.
    c, d, x, null, n = 2 / 3, 1 / 6, 0.15, 0.05, 300

    def deviation(share):
        reported = c * share + d
        return sqrt(reported * (1 - reported) / n) / c

    z = norm.isf(0.025)
    high = norm.sf(null + z * deviation(null), x, deviation(x))
    low = norm.cdf(null - z * deviation(null), x, deviation(x))
    assert power(FORCED, x, null, n, method="normal") == pytest.approx(high + low, rel=1e-12)
    one = norm.sf(null + norm.isf(0.05) * deviation(null), x, deviation(x))
    found = power(FORCED, x, null, n, alternative="greater", method="normal")
    assert found == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize("name", ["four, uneven", "more reports than truths", "k_rr 20"])
def test_the_approximation_serves_every_design(name):
    design = DESIGNS[name]
    found = [power(design, 0.4, 0.2, n, method="normal") for n in (100, 1000, 100_000)]
    assert found == sorted(found)
    assert found[-1] > 0.999


def test_the_approximation_comes_close_to_the_true_power_of_the_score_test():
    for design, n in product((FORCED, rr.k_rr(2, 2), rr.k_rr(6, 2)), (2000, 20_000)):
        pair = [power(design, 0.23, 0.2, n, method=method) for method in ("normal", "score")]
        assert pair[0] == pytest.approx(pair[1], abs=0.015)


def test_another_category_is_the_same_question():
    design = rr.k_rr(4, 1.5)
    assert power(design, 0.4, 0.2, 300) == power(design, 0.4, 0.2, 300, category=3)
    assert power(FORCED, 0.1, 0.0, 300) == pytest.approx(power(FORCED, 0.9, 1.0, 300, category=0))


@pytest.mark.parametrize(
    ("p1", "p2", "n", "power"), [(0.5, 0.75, 50, 0.740), (0.5, 0.8026, 50, 0.9)]
)
def test_null_variance_is_the_test_of_r_s_power_prop_test(p1, p2, n, power):
    # The examples of power.prop.test in R's documentation (R Core Team), to the digits printed.
    found = rr.planning.power_difference(rr.designs.direct(2), (p2, p1), (n, n), variance="null")
    assert found == pytest.approx(power, abs=6e-4)


def test_null_variance_needs_r_s_number_of_people():
    # power.prop.test(p1 = .50, p2 = .75, power = .90): n = 76.7.
    found = rr.planning.solve_sample_size_difference(
        rr.designs.direct(2), (0.75, 0.5), power=0.9, variance="null"
    )
    assert found == (77, 77)
    assert (
        rr.planning.solve_effect_difference(rr.designs.direct(2), 0.5, found, 0.9, variance="null")
        < 0.75
    )


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_power_with_the_null_variance_is_that_of_the_score_test(alternative):
    designs, prevalences, ns, total = [rr.k_rr(2, 2), rr.warner(0.8)], (0.7, 0.2), (10, 13), 0.0
    rows = []
    for design, share, n in zip(designs, prevalences, ns, strict=True):
        surveys = outcomes(design.matrix @ [1 - share, share], n)
        rows.append([(rr.estimate(design, counts), chance) for counts, chance in surveys])
    for (first, chance1), (second, chance2) in product(*rows):
        test = rr.estimate_difference(first, second).score_test(alternative)
        total += chance1 * chance2 * (test.p_values[1] < 0.05)
    settings = {"alternative": alternative, "method": "exact", "variance": "null"}
    assert rr.planning.power_difference(designs, prevalences, ns, **settings) == pytest.approx(
        total
    )


@pytest.mark.parametrize(
    ("designs", "ns"),
    [
        ([rr.k_rr(2, 2), rr.designs.direct(2)], (500, 300)),
        ([rr.k_rr(2, 1), rr.k_rr(2, 3)], (900, 200)),
    ],
)
def test_normal_power_with_the_null_variance_is_close_to_the_exact_one(designs, ns):
    normal, exact, separate = (
        rr.planning.power_difference(designs, (0.3, 0.15), ns, method=method, variance=variance)
        for method, variance in (("normal", "null"), ("exact", "null"), ("normal", "separate"))
    )
    assert normal == pytest.approx(exact, abs=0.01)
    assert abs(normal - separate) > 0.001


def test_designs_of_many_categories_have_a_null_variance_too():
    designs = [DESIGNS["four, uneven"], rr.k_rr(4, 1)]
    found = [
        rr.planning.power_difference(designs, (0.4, 0.25), (n, n), variance="null")
        for n in (100, 1000, 20_000)
    ]
    assert found == sorted(found)
    assert found[-1] > 0.9


def reference_difference(designs, prevalences, ns, alternative):
    """The test spelled out: estimates and variances of `estimate`, every pair of counts."""
    z, total = norm.isf(0.025 if alternative == "two-sided" else 0.05), 0.0
    rows = []
    for design, share, n in zip(designs, prevalences, ns, strict=True):
        found = []
        for counts, chance in outcomes(design.matrix @ [1 - share, share], n):
            one = rr.estimate(design, counts)
            found.append((chance, one.proportions[1], one.covariance[1, 1]))
        rows.append(found)
    for (chance1, x1, var1), (chance2, x2, var2) in product(*rows):
        gap = {"two-sided": abs(x1 - x2), "greater": x1 - x2, "less": x2 - x1}[alternative]
        total += chance1 * chance2 * (gap > z * sqrt(max(var1 + var2, 0)) + 1e-12)
    return total


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_power_of_a_difference_is_that_of_the_test_spelled_out(alternative):
    designs, prevalences, ns = [rr.k_rr(2, 2), rr.warner(0.8)], (0.7, 0.2), (20, 26)
    found = rr.planning.power_difference(
        designs, prevalences, ns, alternative=alternative, method="exact"
    )
    assert found == pytest.approx(reference_difference(designs, prevalences, ns, alternative))


def test_normal_power_of_a_difference_is_close_to_its_exact_power():
    for prevalences, ns in (((0.3, 0.2), (800, 800)), ((0.5, 0.42), (1500, 700))):
        pair = [
            rr.planning.power_difference(rr.k_rr(2, 2), prevalences, ns, method=m)
            for m in ("normal", "exact")
        ]
        assert pair[0] == pytest.approx(pair[1], abs=0.01)


def test_a_difference_of_nothing_is_found_at_about_the_level():
    assert rr.planning.power_difference(rr.k_rr(2, 2), (0.3, 0.3), (500, 500)) == pytest.approx(
        0.05
    )
    exact = rr.planning.power_difference(rr.k_rr(2, 2), (0.3, 0.3), (500, 500), method="exact")
    assert exact == pytest.approx(0.05, abs=0.005)


def test_direct_answers_without_variance_are_told_apart():
    assert rr.planning.power_difference(rr.designs.direct(2), (1, 0), (5, 5)) == 1
    assert rr.planning.power_difference(
        rr.designs.direct(2), (1, 0), (5, 5), method="exact"
    ) == pytest.approx(1)
    assert power(rr.designs.direct(2), 1.0, 0.0, 5, method="normal") == 1


test_refuses_bad_arguments = refused_values(
    rr.power,
    {"design": FORCED, "prevalence": 0.2, "null": 0.1, "n": 50},
    prevalence=[1.2],
    n=[0, 10.5, 2**53],
    alpha=[0, 1],
    category=[2],
)
test_refuses_what_are_not_two_groups = refused_values(
    rr.planning.power_difference,
    {"designs": FORCED, "prevalences": (0.1, 0.2), "ns": (10, 20)},
    prevalences=[(0.1,), 0.1],
    ns=[(10, 20, 30), (10, 0)],
    designs=[[FORCED], [FORCED, rr.k_rr(3, 1)], [FORCED, "warner"]],
)
test_refuses_what_cannot_be_exact = refusals(
    "words",
    ('method must be "normal"', lambda: rr.power(DESIGNS["four, uneven"], 0.2, 0.1, 50)),
    ("design", lambda: rr.power(rr.warner(0.5), 0.2, 0.1, 50), rr.errors.NotIdentifiableError),
    ("ns", lambda: rr.planning.power_difference(FORCED, (0.1, 0.2), (1, 5), method="exact")),
    (
        "method",
        lambda: rr.planning.power_difference(
            DESIGNS["four, uneven"], (0.1, 0.2), (5, 5), method="exact"
        ),
    ),
)


def test_exact_power_of_a_difference_in_millions_takes_no_more_than_its_likely_counts():
    setting = (FORCED, (0.3001, 0.3), (10**7, 10**7), 0.05, "greater")
    # A loop over the counts made some 40,000 calls, and all counts take 240 MB.
    with memory_below(50e6):
        found, called = calls(rr.planning.power_difference, *setting, None, "exact")
    assert called < 2000
    assert found == pytest.approx(rr.planning.power_difference(*setting), abs=1e-4)


def test_exact_power_of_a_difference_names_its_largest_group():
    for ns in ((10**12, 5), (5, 10_000_001)):
        with pytest.raises(rr.errors.ArgumentError, match=r"ns must .* at most 10000000"):
            rr.planning.power_difference(FORCED, (0.3, 0.2), ns, method="exact")
