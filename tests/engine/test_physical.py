from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil, exp, floor, log

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal, refusals


@pytest.mark.parametrize(("size", "outcomes", "forced"), [(2, 6, 1), (3, 36, 5), (5, 10, 1)])
def test_table_is_the_count_of_results(size, outcomes, forced):
    # Results 0 .. forced - 1 say report 0, the next report 1, ...; the rest say the truth.
    design = rr.designs.forced_choice(size, outcomes, forced)
    for truth in range(size):
        said = Counter(
            result // forced if result < forced * size else truth for result in range(outcomes)
        )
        assert design.integer_columns[truth] == [said[report] for report in range(size)]
    assert design.likelihood_ratio_bound == Fraction(outcomes - (size - 1) * forced, forced)
    assert design.bits is None


def test_labels_are_the_answers():
    design = rr.designs.forced_choice(["No", "Yes"], 6, 1)
    assert design.categories == design.reports == ("No", "Yes")
    assert rr.designs.crosswise_of(1, 4, ["Nein", "Ja"]).categories == ("Nein", "Ja")
    assert rr.designs.crosswise_of(1, 4).reports == ("Different answers", "Same answer")


def test_birthday_in_the_first_quarter_is_counted_over_four_years():
    # 31 + 28 + 31 days, 29 once: 361 of the 1461 days of four years.
    days = [31 + february + 31 for february in (28, 28, 28, 29)]
    design = rr.designs.crosswise_of(sum(days), 365 * 4 + 1)
    assert design.integers.tolist() == [[361, 1100], [1100, 361]]
    assert design.epsilon == pytest.approx(log(1100 / 361), rel=1e-15)
    assert design.matrix == pytest.approx(rr.crosswise(361 / 1461).matrix, abs=1e-16)


@pytest.mark.slow
@pytest.mark.parametrize("outcomes", [6, 10, 20, 36, 52, 100, 1000])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_strongest_fit_is_the_smallest_that_keeps_to_the_epsilon(size, outcomes):
    for epsilon in ("0.5", "1", "1.1", "2", "3", "5"):
        fitting = [
            forced
            for forced in range(1, (outcomes - 1) // size + 1)
            if rr.designs.forced_choice(size, outcomes, forced).epsilon_at_most(epsilon)
        ]
        if fitting:
            assert rr.designs.strongest_fit(size, outcomes, epsilon) == fitting[0]
        else:
            caught = refusal(rr.designs.strongest_fit, size, outcomes, epsilon)
            least = caught.rule.split()[3]
            assert rr.designs.strongest_fit(size, outcomes, least) == (outcomes - 1) // size


def test_fit_is_decided_without_rounding():
    # ln 3 = 1.0986122886681096913952...: one forced of four has a ratio of 3 exactly.
    assert rr.designs.strongest_fit(2, 4, "1.0986122886681096913953") == 1
    with pytest.raises(rr.errors.EpsilonError, match=r"1\.0987"):
        rr.designs.strongest_fit(2, 4, "1.0986122886681096913952")


def test_draws_are_exact_for_every_result_of_two_dice():
    # All 36 pairs of one byte's low six bits that count, and each report as often as the table has.
    design = rr.designs.forced_choice(4, 36, 3)
    for truth in range(4):
        drawn = Counter()
        for byte in range(64):
            source = iter([bytes([byte]), bytes([0])])
            report = rr.randomize(design, [truth], lambda n, source=source: next(source))[0]
            drawn[report] += byte < 36
        assert [drawn[report] for report in range(4)] == design.integer_columns[truth]


def test_estimates_over_every_outcome_are_unbiased():
    # Two people roll one die each: all 36 pairs of results, each equally likely, in fractions.
    design = rr.designs.forced_choice(2, 6, 1)
    total = np.zeros(2)
    for rolls in product(range(6), repeat=2):
        reports = [rolls[i] if rolls[i] < 2 else i for i in range(2)]  # truths: one no, one yes
        counts = np.bincount(reports, minlength=2)
        total += rr.estimate(design, counts).proportions / 36
    assert total == pytest.approx([0.5, 0.5], abs=1e-12)


test_refuses_a_device_that_cannot_be = refusals(
    "argument",
    ("forced", lambda: rr.designs.forced_choice(2, 6, 0)),
    ("forced", lambda: rr.designs.forced_choice(2, 6, 4)),
    ("forced", lambda: rr.designs.forced_choice(2, 6, 1.0)),
    ("outcomes", lambda: rr.designs.forced_choice(2, 1, 1)),
    ("outcomes", lambda: rr.designs.forced_choice(2, "6", 1)),
    ("numerator", lambda: rr.designs.crosswise_of(0, 10)),
    ("numerator", lambda: rr.designs.crosswise_of(10, 10)),
    ("denominator", lambda: rr.designs.crosswise_of(1, 1)),
    ("outcomes", lambda: rr.designs.strongest_fit(7, 6, 1)),
    ("epsilon", lambda: rr.designs.strongest_fit(2, 6, 0)),
    ("epsilon", lambda: rr.designs.strongest_fit(2, 6, "0.1")),
)


def test_refusals_have_their_kind():
    with pytest.raises(rr.errors.ArgumentError, match="3 reports share 6 outcomes"):
        rr.designs.forced_choice(3, 6, 3)
    with pytest.raises(rr.errors.CategoryError):
        rr.designs.forced_choice(1, 6, 1)


def test_half_of_the_results_forced_says_nothing():
    blind = rr.designs.forced_choice(2, 6, 3)
    assert (blind.likelihood_ratio_bound, blind.epsilon) == (1, 0)


def test_fit_is_the_rounding_up_of_the_formula():
    # f >= n / (E + t - 1), away from the integers where a float could be wrong.
    for outcomes in (36, 100, 1000):
        exact = outcomes / (exp(1) + 2)
        assert floor(exact + 1e-9) == floor(exact - 1e-9)
        assert rr.designs.strongest_fit(3, outcomes, "1") == ceil(exact)


def test_a_source_that_never_varies_is_refused_for_many_draws_too():
    design = rr.DesignMatrix.from_integers([[4, 2], [2, 4]], 6)
    with pytest.raises(rr.errors.ArgumentError, match="random_bytes"):
        rr.randomize(design, [0, 1, 1], lambda size: b"\xff" * size)
