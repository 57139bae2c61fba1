from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest

import rr_engine as rr
from rr_engine import DesignMatrix
from rr_engine.privacy.loss import delta
from rr_engine.quantizing import closest
from tests.engine.engine_cases import below_exponential, exact
from tests.work import calls

EPSILONS = ["0.01", "0.05", "0.1", "0.25", "0.5", "1", "1.1", "1.5", "2", "3", "5", "8"]


def exp(power: Decimal) -> Fraction:
    with localcontext() as context:
        context.prec = 100
        return Fraction(power.exp())


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_exact_table_keeps_the_declared_epsilon_for_2_to_100_categories(epsilon):
    for size in range(2, 101):
        design = rr.k_rr(size, epsilon).quantized()
        table = [[int(entry) for entry in row] for row in design.integers]
        assert [sum(column) for column in zip(*table, strict=True)] == [2**32] * size
        ratio = max(Fraction(max(row), min(row)) for row in table)
        assert ratio <= below_exponential(epsilon)
        assert design.likelihood_ratio_bound == ratio
        assert design.epsilon_at_most(epsilon)
        assert design.epsilon <= float(epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("size", [2, 3, 10, 51, 100])
def test_lies_are_rounded_up_by_less_than_one(size, epsilon):
    with localcontext() as context:
        context.prec = 100
        lie = ceil(2**32 / (Decimal(epsilon).exp() + size - 1))
    design = rr.k_rr(size, epsilon).quantized()
    assert design.integers[0, 1] == lie
    # One less would break the guarantee: the rounding loses no more than it must.
    less = lie - 1
    assert Fraction(2**32 - (size - 1) * less, less) > below_exponential(epsilon)


def test_a_declared_decimal_is_met_exactly_at_every_width():
    for bits in range(4, 53):
        design = rr.k_rr(2, "1.1").quantized(bits)
        assert design.likelihood_ratio_bound <= below_exponential("1.1")
        assert design.bits == bits


def test_random_devices_never_lose_privacy():
    rng = np.random.default_rng(11)
    for _ in range(150):
        reports = int(rng.integers(2, 9))
        columns = rng.dirichlet(np.ones(reports), size=int(rng.integers(2, reports + 1)))
        design = DesignMatrix(columns.T)
        table = design.quantized()
        assert table.likelihood_ratio_bound <= design.likelihood_ratio_bound
        assert np.abs(table.matrix - design.matrix).max() < 1e-6


@pytest.mark.parametrize("bits", [12, 32, 52])
@pytest.mark.parametrize("size", [4, 7, 20, 50])
def test_cards_are_rounded_evenly_at_the_declared_epsilon(size, bits):
    for epsilon in ("0.25", "0.5", "1", "1.37", "3"):
        deck = rr.designs.card_deck(size, epsilon)
        held = np.zeros(deck.matrix.shape, dtype=bool)
        for row, card in zip(held, deck.subsets, strict=True):
            row[list(card)] = True
        table = deck.quantized(bits)
        assert table.likelihood_ratio_bound <= below_exponential(epsilon)
        (low,) = set(table.integers[~held].tolist())
        (shown,) = set(held.sum(axis=0).tolist())
        least = 2**bits / (shown * exp(Decimal(epsilon)) + len(held) - shown)
        assert 0 <= low - least < 2
        high = table.integers[held]
        assert high.max() - high.min() <= 1
        assert low < high.min()


def test_cards_need_no_search_for_their_table():
    deck = rr.designs.card_deck(50, "0.73")
    _, work = calls(deck.quantized)
    assert work < 2_000  # 8,768 while row means were mixed in until the ratio fitted


def test_what_only_looks_like_cards_is_rounded_as_any_table():
    for reports in ([3, 1, 1, 1], [2, 2, 1, 1]):
        columns = np.array([np.roll(reports, turn) for turn in range(4)], dtype=float)
        columns[0] = [1, 1, 1, 3] if reports[1] == 1 else [2, 1, 2, 1]
        for nudge in (0, 1e-9):
            columns[1, 0] += nudge
            design = DesignMatrix((columns / columns.sum(axis=1, keepdims=True)).T)
            table = design.quantized()
            assert table.likelihood_ratio_bound <= design.likelihood_ratio_bound
            assert np.abs(table.matrix - design.matrix).max() < 1e-8


def test_delta_moves_by_rounding_only():
    design = rr.designs.generalized_binary(1.0, 0.1)
    table = exact(design)
    assert table.epsilon == design.epsilon == float("inf")
    assert abs(delta(table.matrix, 1.0) - delta(design.matrix, 1.0)) < 2**-31


def test_equal_columns_stay_equal():
    for design in (rr.warner(0.5), DesignMatrix([[0.3, 0.3], [0.2, 0.2], [0.5, 0.5]])):
        assert design.quantized().likelihood_ratio_bound == 1


def test_quantizing_again_is_exact_or_tighter():
    once = rr.k_rr(3, 1).quantized(32)
    assert once.quantized(32) is once
    assert once.quantized(40).likelihood_ratio_bound <= once.likelihood_ratio_bound
    assert once.quantized(10).likelihood_ratio_bound <= once.likelihood_ratio_bound


def test_mostly_lying_devices_keep_one_shape():
    for size in (2, 3, 4, 7):
        matrix = np.full((size, size), 0.9 / (size - 1))
        np.fill_diagonal(matrix, 0.1)
        design = DesignMatrix(matrix)
        table = design.quantized()
        assert len(set(table.integers.ravel().tolist())) == 2
        assert table.likelihood_ratio_bound <= design.likelihood_ratio_bound


def test_a_device_that_never_tells_the_truth_keeps_its_zeros():
    matrix = (1 - np.eye(4)) / 3
    assert (np.diag(exact(DesignMatrix(matrix)).integers) == 0).all()


@pytest.mark.parametrize(("size", "bits"), [(100, 4), (100, 6), (20, 4), (3, 1)])
def test_too_few_bits_are_refused(size, bits):
    with pytest.raises(rr.errors.DesignError, match="bits"):
        rr.k_rr(size, 1).quantized(bits)


def test_huge_budgets_keep_their_lies():
    table = rr.k_rr(2, 700).quantized()
    assert table.integers.tolist() == [[2**32 - 1, 1], [1, 2**32 - 1]]
    assert table.epsilon_at_most("22.2")


def test_the_smallest_chance_stays_a_chance():
    design = rr.designs.generalized_binary(1 - 1e-9, 1.0)
    assert exact(design, 8).integers.tolist() == [[255, 0], [1, 256]]


def test_random_tables_keep_a_declared_epsilon_and_delta():
    rng = np.random.default_rng(12)
    for index in range(60):
        reports = 2 if index % 2 else int(rng.integers(2, 6))
        columns = rng.dirichlet(np.ones(reports), size=2 if index % 2 else reports)
        epsilon = f"{rng.uniform(0.1, 1):.2f}"
        # The table's own delta, in decimals just above it: nearly no room for rounding.
        delta = f"{DesignMatrix(columns.T).delta(float(epsilon)) + 1e-12:.12f}"
        design = DesignMatrix(columns.T, declared_epsilon=epsilon, declared_delta=delta)
        table = design.quantized(20)
        assert table.likelihood_ratio_bound <= design.likelihood_ratio_bound
        assert excess(table, epsilon) <= Fraction(delta)
        assert table.delta_at_most(epsilon, delta)


def excess(table: rr.DesignMatrix, epsilon: str) -> Fraction:
    """An upper bound of delta from a number below e**epsilon."""
    power = below_exponential(epsilon)
    columns = [[Fraction(n, table.denominator) for n in column] for column in table.integer_columns]
    return max(
        sum(max(0, mine - power * theirs) for mine, theirs in zip(one, other, strict=True))
        for one in columns
        for other in columns
    )


def test_zeros_and_certainties_survive_a_declared_delta():
    matrix = [[1, 0.7, 0.65], [0, 0.3, 0.05], [0, 0, 0.3]]
    design = DesignMatrix(matrix, declared_epsilon="1", declared_delta="0.36")
    table = exact(design, 20)
    assert np.array_equal(table.integers > 0, design.matrix > 0)
    assert excess(table, "1") <= Fraction("0.36")


def test_too_few_bits_for_a_small_delta_are_refused():
    design = rr.designs.optimal_binary("1", "0.0000000001", 0)
    with pytest.raises(rr.errors.DesignError, match="bits"):
        exact(design, 32)
    assert exact(design, 40).integers[1, 1] == 2**40 // 10**10


def test_a_table_over_another_denominator_is_quantized_from_its_fractions():
    die = DesignMatrix.from_integers([[5, 1], [1, 5]], 6)
    table = die.quantized(32)
    lie = ceil(Fraction(2**32, 6))
    assert table.integers.tolist() == [[2**32 - lie, lie], [lie, 2**32 - lie]]
    assert table.likelihood_ratio_bound <= 5
    assert (die.bits, table.bits) == (None, 32)


def test_a_thousand_categories_take_the_closed_form():
    design = rr.k_rr(1000, "1")
    # 4,360 here; the general way's grow with the square of the categories, 22,510 for 80 of them.
    table, called = calls(design.quantized)
    assert called < 50_000
    assert table.likelihood_ratio_bound <= below_exponential("1")


def test_a_scale_of_many_categories_is_rounded_by_arrays():
    # 30,331 here, with mixing; 400,649 when each pair of entry and row was divided for itself.
    _, called = calls(rr.designs.laplace(300, 1).quantized, 40)
    assert called < 80_000


@pytest.mark.parametrize("accepted", [1, "yes", None])
def test_acceptance_is_true_or_false(accepted):
    with pytest.raises(rr.errors.ArgumentError, match="accept_infinite_epsilon"):
        rr.k_rr(2, 1).quantized(accept_infinite_epsilon=accepted)


def largest_remainders(matrix: np.ndarray, bits: int) -> list[list[int]]:
    """Columns of fractions rounded down, what is missing given to the largest remainders."""
    columns = []
    for column in matrix.T.tolist():
        exact = [Fraction(entry) * 2**bits for entry in column]
        exact[exact.index(max(exact))] += 2**bits - sum(exact)
        rounded = [floor(entry) for entry in exact]
        order = sorted(range(len(exact)), key=lambda place: rounded[place] - exact[place])
        for place in order[: 2**bits - sum(rounded)]:
            rounded[place] += 1
        columns.append(rounded)
    return columns


@pytest.mark.parametrize("seed", range(20))
def test_a_table_is_rounded_by_the_largest_remainders(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(rng.integers(2, 12)), size=rng.integers(2, 9)).T
    table = closest(matrix, lambda _: True, 32, mixing=False)
    assert table.T.tolist() == largest_remainders(matrix, 32)


def test_equal_remainders_go_up_from_the_top():
    table = closest(np.full((7, 3), 1 / 7), lambda _: True, 4, mixing=False)
    assert table.T.tolist() == [[3, 3, 2, 2, 2, 2, 2]] * 3
