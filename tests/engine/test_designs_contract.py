"""The contract of every design, whoever made it."""

import inspect
import math
import re
from collections import Counter
from contextlib import nullcontext, suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

import rr_engine
from rr_engine import DesignMatrix, EngineError, EpsilonError, draw_report, randomize
from tests.engine.contract_cases import CASES
from tests.engine.engine_cases import exact

WRITTEN = (Path(__file__).parent / "contract_cases.py").read_text()


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def below_exponential(epsilon: str, terms: int = 90) -> Fraction:
    """A rational number below e**epsilon: a partial sum of its series."""
    x, term, total = Fraction(epsilon), Fraction(1), Fraction(1)
    for order in range(1, terms):
        term *= x / order
        total += term
    return total


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
    makers = {
        name
        for name in rr_engine.__all__
        if getattr(getattr(rr_engine, name), "__module__", "").startswith("rr_engine.designs.")
        and inspect.signature(getattr(rr_engine, name)).return_annotation is DesignMatrix
    }
    assert len(makers) >= 19
    assert {name for name in makers if f"({name}(" not in re.sub(r"\s", "", WRITTEN)} == set()


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
    if case.design is CASES["direct"].design or case.epsilon < math.inf:
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


def test_quantizing_moves_little(case):
    # A unit per report, and the share of the mean that rounding may need: 2 to 40 units here.
    table = exact(case.design, 32)
    assert np.abs(table.matrix - case.design.matrix).max() <= 2**-26


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


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("p_yes", lambda: rr_engine.forced_response(0.7, 0.4)),
        ("p_truth", lambda: rr_engine.forced_response(1.1, 0)),
        ("p_yes", lambda: rr_engine.forced_response(0.5, -0.1)),
        ("theta", lambda: rr_engine.unrelated_question(0.5, 1.5)),
        ("p", lambda: rr_engine.unrelated_question("0.5", 0.5)),
        ("T", lambda: rr_engine.two_stage(-0.1, 0.5)),
        ("p", lambda: rr_engine.two_stage(0.1, math.nan)),
        ("p", lambda: rr_engine.mangat(2)),
        ("p1", lambda: rr_engine.kuk(1.2, 0.5)),
        ("p2", lambda: rr_engine.kuk(0.2, None)),
        ("draws", lambda: rr_engine.kuk(0.2, 0.5, 0)),
        ("draws", lambda: rr_engine.kuk(0.2, 0.5, 1.0)),
        ("draws", lambda: rr_engine.kuk(0.2, 0.5, 201)),
        ("draws", lambda: rr_engine.kuk(1e-9, 0.5, 100)),
        ("theta", lambda: rr_engine.crosswise(-0.5)),
        ("theta", lambda: rr_engine.triangular(True)),
        ("p", lambda: rr_engine.disguised_response(1.01)),
        ("q", lambda: rr_engine.uniform_perturbation(3, -0.01)),
        ("categories", lambda: rr_engine.uniform_perturbation(1, 0.5)),
        ("lam", lambda: rr_engine.frapp(3, -1)),
        ("lam", lambda: rr_engine.frapp(3, math.inf)),
        ("lam", lambda: rr_engine.frapp(3, 1e301)),
        ("categories", lambda: rr_engine.laplace(["a"], 1)),
        ("epsilon", lambda: rr_engine.laplace(3, 0)),
        ("epsilon", lambda: rr_engine.optimal_warner(-1, 0.1)),
        ("delta", lambda: rr_engine.optimal_warner(1, 1)),
        ("delta", lambda: rr_engine.optimal_binary(1, -0.1, 0.5)),
        ("delta", lambda: rr_engine.optimal_binary(1, "", 0.5)),
        ("delta", lambda: rr_engine.optimal_threshold(1, True)),
        ("prevalence", lambda: rr_engine.optimal_binary(1, 0.1, 1.5)),
    ],
)
def test_bad_arguments_are_named(argument, call):
    with pytest.raises(EngineError) as caught:
        call()
    assert caught.value.argument == argument
    assert str(caught.value).startswith(f"{argument} must ")


def test_a_sum_of_decimals_that_rounds_above_one_is_one():
    # 0.9 + 0.1 is 1 in floats, 0.7 + 0.2 + 0.1 is not: one unit in the last place is forgiven.
    assert rr_engine.forced_response(0.8 + 0.1, 0.1 + 1e-16).matrix[1, 1] == 1


def test_half_and_half_builds_but_is_not_estimated():
    for blind in (rr_engine.crosswise(0.5), rr_engine.uniform_perturbation(3, 0)):
        with pytest.raises(rr_engine.NotIdentifiableError):
            rr_engine.estimate(blind, [10] * len(blind.reports))
