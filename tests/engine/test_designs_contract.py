"""The contract of every design, whoever made it."""

import inspect
import math
from collections import Counter
from contextlib import nullcontext, suppress
from decimal import Decimal
from fractions import Fraction
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

import rr_engine as rr
from rr_engine import DesignMatrix, randomize
from rr_engine.designs import draw_report
from rr_engine.errors import EpsilonError
from tests.engine.contract_cases import CASES
from tests.engine.engine_cases import below_exponential, exact, refusal
from tests.engine.public import PUBLIC

pytestmark = pytest.mark.slow

WRITTEN = (Path(__file__).parent / "contract_cases.py").read_text()


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def largest_ratio(rows: list[list[Fraction]]) -> Fraction | float:
    used = [row for row in rows if max(row) > 0]
    return max(Fraction(max(row)) / min(row) if min(row) else math.inf for row in used)


def rationals(design: DesignMatrix) -> list[list[Fraction]]:
    if design.integers is not None:
        return [
            [Fraction(entry, design.denominator) for entry in r] for r in design.integers.tolist()
        ]
    return [[Fraction(entry) for entry in row] for row in design.matrix.tolist()]


def test_every_public_constructor_is_here():
    rooms = ("rr_engine.designs.", "rr_engine.library.variants")
    makers = {
        name
        for name, member in PUBLIC.items()
        if getattr(member, "__module__", "").startswith(rooms)
        and inspect.signature(member).return_annotation is DesignMatrix
    }
    assert len(makers) >= 23
    assert {name for name in makers if f".{name}(" not in WRITTEN} == set()


def test_columns_sum_to_one(case):
    assert np.abs(case.design.matrix.sum(axis=0) - 1).max() <= 4e-16
    assert case.design.matrix.shape == (len(case.design.reports), len(case.design.categories))


def test_table_is_the_one_of_the_literature(case):
    assert case.design.matrix == pytest.approx(case.table, rel=1e-13, abs=1e-15)


def test_epsilon_is_as_defined(case):
    assert case.design.epsilon == pytest.approx(case.epsilon, rel=1e-12, abs=1e-12)


def test_epsilon_is_within_the_declared_guarantee(case):
    if case.declared is not None:
        assert case.design.epsilon <= float(case.declared)
        assert case.design.epsilon_at_most(case.declared)
        assert case.design.declared_epsilon == Decimal(case.declared)


def test_infinite_epsilon_needs_acceptance(case):
    if case.design.denominator == 1 or case.epsilon < math.inf:
        assert case.design.quantized().denominator == 2**32
        return
    told = np.array_equal(case.table, np.eye(len(case.table)))
    with pytest.raises(EpsilonError, match="accept_infinite_epsilon"):
        case.design.quantized()
    accepted = exact(case.design)
    # Once exact, the identity is `direct`; anything else is asked again.
    with nullcontext() if told else pytest.raises(EpsilonError, match="accept_infinite_epsilon"):
        accepted.quantized(16)


@pytest.mark.parametrize("bits", [10, 16, 32, 52])
def test_exact_quantizing_is_never_less_private(case, bits):
    design, table = case.design, exact(case.design, bits)
    assert [sum(column) for column in table.integer_columns] == [2**bits] * table.matrix.shape[1]
    if case.declared is None:
        assert largest_ratio(rationals(table)) <= largest_ratio(rationals(design))
    else:
        assert largest_ratio(rationals(table)) <= below_exponential(case.declared)
    assert table.epsilon <= design.epsilon
    assert np.array_equal(table.integers > 0, design.matrix > 0)
    # A unit per report, and the share of the mean that rounding may need: 2 to 40 units here.
    assert np.abs(table.matrix - design.matrix).max() <= 64 / 2**bits


@pytest.mark.parametrize("bits", [10, 16, 32, 52])
def test_declared_delta_is_kept_exactly(case, bits):
    if case.design.declared_delta is None:
        return
    table = exact(case.design, bits)
    power = below_exponential(str(case.design.declared_epsilon))
    no, yes = zip(*rationals(table), strict=True)
    for one, other in ((no, yes), (yes, no)):
        lost = sum(max(0, a - power * b) for a, b in zip(one, other, strict=True))
        assert lost <= Fraction(case.design.declared_delta)
    assert (table.declared_epsilon, table.declared_delta) == (
        case.design.declared_epsilon,
        case.design.declared_delta,
    )


def test_round_trip_through_integers(case):
    table = exact(case.design)
    rebuilt = DesignMatrix.from_integers(
        np.array(table.integer_columns).T,
        table.denominator,
        table.categories,
        table.reports,
        declared_epsilon=table.declared_epsilon,
        declared_delta=table.declared_delta,
    )
    assert rebuilt == table
    assert hash(rebuilt) == hash(table)
    assert rebuilt.quantized(32, accept_infinite_epsilon=True) is rebuilt


def test_sampling_agrees_with_the_matrix(case):
    rng = np.random.default_rng(2016)
    for truth, column in enumerate(case.table.T):
        reports = randomize(case.design, np.full(20_000, truth), rng.bytes)
        counts = np.bincount(reports, minlength=len(column))
        # Counts expected below 5 go together, as the chi-square distribution wants.
        rare = column * 20_000 < 5
        observed = [*counts[~rare], counts[rare].sum()]
        expected = [*column[~rare], column[rare].sum()]
        kept = [index for index, share in enumerate(expected) if share > 0]
        assert sum(observed) == sum(observed[index] for index in kept)
        if len(kept) > 1:
            observed, expected = (np.array(given)[kept] for given in (observed, expected))
            # About 100 columns are tested with this seed; one in 10**4 would fail by chance.
            assert chisquare(observed, expected / expected.sum() * 20_000).pvalue > 1e-6


def test_every_pair_of_bytes_gives_exactly_the_table(case):
    table = case.design if case.design.integers is not None else exact(case.design, 8)
    size = (table.denominator - 1).bit_length()
    for column in table.integer_columns:
        drawn = Counter()
        for number in range(2**size):
            tape = [number.to_bytes((size + 7) // 8, "big")]
            with suppress(IndexError):  # rejected, and the tape has no second block
                drawn[draw_report(column, table.denominator, lambda n, tape=tape: tape.pop())] += 1
        assert [drawn[report] for report in range(len(column))] == column


REFUSED = {
    "p_yes": [lambda: rr.forced_response(0.7, 0.4), lambda: rr.forced_response(0.5, -0.1)],
    "p_truth": [lambda: rr.forced_response(1.1, 0)],
    "theta": [lambda: rr.unrelated_question(0.5, 1.5), lambda: rr.triangular(True)],
    "T": [lambda: rr.designs.two_stage(-0.1, 0.5)],
    "p": [lambda: rr.designs.mangat(2), lambda: rr.designs.disguised_response(1.01)],
    "p1": [lambda: rr.kuk(1.2, 0.5)],
    "draws": [lambda draws=n: rr.kuk(0.2, 0.5, draws) for n in (0, 1.0, 201)]
    + [lambda: rr.kuk(1e-9, 0.5, 100)],
    "q": [lambda: rr.designs.uniform_perturbation(3, -0.01)],
    "categories": [
        lambda: rr.designs.uniform_perturbation(1, 0.5),
        lambda: rr.designs.laplace(["a"], 1),
    ],
    "lam": [lambda lam=value: rr.designs.frapp(3, lam) for value in (-1, math.inf, 1e301)],
    "epsilon": [lambda: rr.designs.laplace(3, 0)],
    "delta": [
        lambda: rr.designs.optimal_warner(1, 1),
        lambda: rr.designs.optimal_binary(1, "", 0.5),
    ],
    "prevalence": [lambda: rr.designs.optimal_binary(1, 0.1, 1.5)],
}


@pytest.mark.parametrize("argument", REFUSED)
def test_bad_arguments_are_named(argument):
    for call in REFUSED[argument]:
        error = refusal(call)
        assert error.argument == argument
        assert str(error).startswith(f"{argument} must ")


def test_a_sum_of_decimals_that_rounds_above_one_is_one():
    # 0.9 + 0.1 is 1 in floats, 0.7 + 0.2 + 0.1 is not: one unit in the last place is forgiven.
    assert rr.forced_response(0.8 + 0.1, 0.1 + 1e-16).matrix[1, 1] == 1


# r of RRTCS 0.0.4 (`Qualitative`) for a share z of yes, its model in the comment.
CLOSED_FORMS = [
    (rr.designs.devore(0.7), lambda z: (z - 0.3) / 0.7),  # 4
    (
        rr.designs.two_stage(0.55, 0.7),
        lambda z: (z - 0.45 * 0.3) / (0.55 + 0.45 * 0.4),
    ),  # 5, Mangat-Singh
    (rr.designs.mangat_singh_singh(0.6, 0.5), lambda z: (z - 0.4 * 0.5) / (1 - 0.4 * 0.5)),  # 11
    (rr.designs.soberanis_cruz(0.7, 0.5, 0.5), lambda z: (z - 0.3 * 0.5) / 0.7),  # 3
    (rr.designs.singh_joarder(0.6), lambda z: (z - 0.4) / ((2 * 0.6 - 1) + 0.6 * 0.4)),  # 9
]


@pytest.mark.parametrize(("design", "closed_form"), CLOSED_FORMS)
def test_estimates_are_those_of_the_papers(design, closed_form):
    found = rr.estimate(design, [53, 47])
    assert found.proportions[1] == pytest.approx(closed_form(0.47), rel=1e-12)
    # The mean of r (r - 1), which RRTCS takes as the device's variance, is that of the table.
    scores = [closed_form(report) for report in (0, 1)]
    device = 0.53 * scores[0] * (scores[0] - 1) + 0.47 * scores[1] * (scores[1] - 1)
    fixed = rr.estimate(design, [53, 47], population="fixed")
    assert fixed.standard_errors[1] == pytest.approx(sqrt(device / 100))


def test_tables_that_have_other_names_too():
    assert rr.designs.devore(0.7) == rr.designs.mangat(0.7)
    assert rr.designs.devore(0.75).matrix.tolist() == rr.unrelated_question(0.75, 1).matrix.tolist()
    assert rr.designs.soberanis_cruz(0.5, 0.25, 0.25) == rr.unrelated_question(0.5, 0.25)


def test_singh_and_joarder_reveal_more_than_warner_and_lose_less():
    design = rr.designs.singh_joarder(0.7)
    assert design.epsilon == pytest.approx(log(0.7 / 0.09))
    assert design.epsilon > rr.designs.two_stage(0, 0.7).epsilon
    assert design.mse([0.8, 0.2], 100) < rr.designs.two_stage(0, 0.7).mse([0.8, 0.2], 100)
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate(rr.designs.singh_joarder((3 - sqrt(5)) / 2), [5, 5])


def test_a_related_question_says_more_of_both_kinds():
    related, unrelated = (
        rr.designs.soberanis_cruz(0.5, 0.75, 0.25),
        rr.designs.soberanis_cruz(0.5, 0.5, 0.5),
    )
    assert related.epsilon > unrelated.epsilon
    assert related.mse([0.5, 0.5], 100) < unrelated.mse([0.5, 0.5], 100)


def test_cards_that_read_alike_from_both_ends_say_nothing():
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.estimate(rr.designs.christofides([0.25, 0.5, 0.25]), [5, 5, 5])
