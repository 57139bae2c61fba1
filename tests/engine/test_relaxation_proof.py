"""The information of a chain of reports, by enumeration of all of them in rational arithmetic.

Pan et al. (2024), Theorems 3.1 to 3.3, Lemma 3.1 and Theorem 4.1, for the integers that are drawn.
"""

from fractions import Fraction
from itertools import pairwise, product

import pytest

import rr_engine
from rr_engine.relaxation import Chain, exact_degradation, exact_kernel_weights
from tests.engine.relaxation_cases import (
    integers_of,
    k_ary,
    lopsided,
    marginal,
    ratio_bound,
    subsets,
)

CASES = {
    **{f"{size}-ary": k_ary(size) for size in (2, 3, 4, 5)},
    "yes and no": [
        rr_engine.designs.generalized_binary(*pair).quantized()
        for pair in ((0.55, 0.6), (0.65, 0.75), (0.85, 0.9))
    ],
    "lopsided": lopsided(),
    "cards": [
        rr_engine.designs.card_deck(6, e, k=2, most_cards=20).quantized() for e in ("0.5", "1")
    ],
}


@pytest.fixture(scope="module", params=CASES)
def chain(request):
    return Chain(CASES[request.param])


@pytest.fixture(scope="module")
def laws(chain):
    return [chain.law(truth) for truth in range(chain.designs[0].truth_size)]


def test_every_step_has_exactly_the_law_of_its_declared_device(chain, laws):
    for truth, law in enumerate(laws):
        assert sum(law.values()) == 1
        for position, design in enumerate(chain.designs):
            column = [row[truth] for row in integers_of(design)]
            assert marginal(law, [position]) == {
                (report,): chance for report, chance in enumerate(column) if chance
            }


def test_the_whole_chain_reveals_exactly_what_its_last_report_does(chain, laws):
    assert ratio_bound(laws) == chain.likelihood_ratio_bound
    assert chain.likelihood_ratio_bound == chain.designs[-1].likelihood_ratio_bound


def test_whoever_sees_some_of_the_steps_learns_what_the_last_of_them_tells(chain, laws):
    for positions in subsets(len(chain.designs)):
        bound = ratio_bound([marginal(law, positions) for law in laws])
        assert bound == chain.designs[positions[-1]].likelihood_ratio_bound


@pytest.mark.slow
def test_beliefs_after_colluding_are_those_after_the_last_report(chain, laws):
    # Theorem 4.1, under a prior that is not uniform.
    prior = [Fraction(truth + 1) for truth in range(len(laws))]
    for positions in subsets(len(chain.designs)):
        seen = [marginal(law, positions) for law in laws]
        last = integers_of(chain.designs[positions[-1]])
        for reports in seen[0]:
            assert beliefs([law[reports] for law in seen], prior) == beliefs(
                last[reports[-1]], prior
            )


def beliefs(chances, prior):
    joint = [chance * share for chance, share in zip(chances, prior, strict=True)]
    return [chance / sum(joint) for chance in joint]


def test_one_draw_from_the_last_report_downwards_has_the_same_law(chain, laws):
    for truth, law in enumerate(laws):
        downwards = {
            (report,): row[truth] for report, row in enumerate(integers_of(chain.designs[-1]))
        }
        for degradation in reversed(chain.degradations):
            downwards = {
                (earlier, *reports): chance * Fraction(weight, degradation.denominator)
                for reports, chance in downwards.items()
                for earlier, weight in enumerate(degradation.column(reports[0]))
            }
        assert {reports: chance for reports, chance in downwards.items() if chance} == law


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_step_by_itself_is_a_query_of_both_epsilons_together(size):
    # Section 4.1: 1 -> 2 alone is a query of epsilon 3, while the whole stays at 2.
    now, later = k_ary(size, ("1", "2"))
    degradation = exact_degradation(now, later)
    worst = Fraction(0)
    for previous in range(size):
        columns = []
        for truth in range(size):
            weights, total = exact_kernel_weights(degradation, now, later, previous, truth)
            columns.append([Fraction(weight, total) for weight in weights])
        worst = max(worst, *(max(row) / min(row) for row in zip(*columns, strict=True)))
    assert worst == now.likelihood_ratio_bound * later.likelihood_ratio_bound
    assert Chain([now, later]).likelihood_ratio_bound == later.likelihood_ratio_bound
    # e**3 up to what rounding to integers takes off.
    assert float(worst) == pytest.approx(20.0855369, rel=1e-7)


# -- mutants: each of these chains must fail one of the statements above -------------------------


def law_by_redrawing(designs, truth):
    """Every report drawn anew, independently of the earlier ones."""
    columns = [[row[truth] for row in integers_of(design)] for design in designs]
    law = {}
    for reports in product(*(range(len(column)) for column in columns)):
        chance = Fraction(1)
        for column, report in zip(columns, reports, strict=True):
            chance *= column[report]
        law[reports] = chance
    return law


@pytest.mark.parametrize("size", [2, 3, 5])
def test_epsilons_add_up_when_reports_are_redrawn(size):
    designs = k_ary(size, ("0.5", "1", "2"))
    laws = [law_by_redrawing(designs, truth) for truth in range(size)]
    bounds = [design.likelihood_ratio_bound for design in designs]
    assert ratio_bound(laws) == bounds[0] * bounds[1] * bounds[2]
    assert ratio_bound(laws) > Chain(designs).likelihood_ratio_bound


def law_by_rounding(designs, truth, rounding):
    """A chain that relaxes by a kernel with rounded chances."""
    law = {(report,): row[truth] for report, row in enumerate(integers_of(designs[0]))}
    for now, later in pairwise(designs):
        degradation = exact_degradation(now, later)
        relaxed = {}
        for reports, chance in law.items():
            weights, total = exact_kernel_weights(degradation, now, later, reports[-1], truth)
            shares = rounding([Fraction(weight, total) for weight in weights])
            for report, share in enumerate(shares):
                relaxed[*reports, report] = chance * share
        law = relaxed
    return law


def to_doubles(shares):
    floats = [Fraction(float(share)) for share in shares]
    return [1 - sum(floats[1:]), *floats[1:]]


def to_bits(shares):
    units = [Fraction(round(share * 2**32), 2**32) for share in shares]
    return [1 - sum(units[1:]), *units[1:]]


@pytest.mark.parametrize("rounding", [to_doubles, to_bits])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_rounded_kernel_is_told_apart(size, rounding):
    designs = k_ary(size, ("0.5", "1"))
    laws = [law_by_rounding(designs, truth, rounding) for truth in range(size)]
    last = integers_of(designs[-1])
    assert any(
        marginal(law, [1])[(report,)] != last[report][truth]
        for truth, law in enumerate(laws)
        for report in range(size)
    )
    assert ratio_bound(laws) != Chain(designs).likelihood_ratio_bound


def test_an_exact_kernel_passes_where_rounded_ones_fail():
    designs = k_ary(3, ("0.5", "1"))
    laws = [law_by_rounding(designs, truth, list) for truth in range(3)]
    assert laws == [Chain(designs).law(truth) for truth in range(3)]
