"""Values that are refused beyond the sweep of test_bad_input.py, and what written numbers mean."""

import ast
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rr_engine as rr
from rr_engine import EngineError, check, k_rr, warner
from rr_engine.errors import ERROR_CODES
from tests.engine.engine_cases import refusal

NAN, INF, HALVES = float("nan"), float("inf"), [0.5, 0.5]
COIN = rr.k_rr(2, 1)
WORDS = ("", "0", "-0.1", "nan", "inf", "one", "1,5", " 1", "1_0", "\u0661", "1e9", "1e99999999")
EPSILONS = [*WORDS, 0, 701, 1e-300, False, Decimal("Infinity"), [1], 1j]
CATEGORIES = [1, 0, -2, True, 2.0, "ab", ["a"], ["a", "a"], ["a", ""], ["a", 1], 10**30]
MATRICES = [[[1.0]], [HALVES], [[0.5], [0.5]], HALVES, 3, [HALVES, [0.5]], np.ones((2, 2, 2)) / 2]
MATRICES += [[[0.6, 0.5], HALVES], [[1.1, 0.5], [-0.1, 0.5]], [[NAN, 0.5], HALVES]]
MATRICES += [[[True, False], [False, True]], [["1", "0"], ["0", "1"]]]
COUNTS = [[1, 2], [1, 2, 3, 4], [-1, 2, 3], [1.5, 2, 3], [NAN, 1, 2], [INF, 1, 2], ["1", "2", "3"]]
COUNTS += [[True, False, True], [[1, 2, 3]], [[1], 2, 3], [2**53, 0, 0], [2**70, 0, 0]]
COUNTS += [[2**52, 2**52, 1]]
PRIORS = [[0.5, 0.6], [1.1, -0.1], [1.0], [0.2, 0.3, 0.5], 0.5, [NAN, 1], ["0.5", "0.5"]]
TRUTHS = [[0, 3], [-1], [0.5], ["3"], [True], [[0]], 0, [None]]
REFUSED = {
    "epsilon": (EPSILONS, rr.errors.EpsilonError, lambda value: rr.k_rr(3, value)),
    "categories": (CATEGORIES, rr.errors.CategoryError, lambda value: rr.k_rr(value, 1)),
    "categories asked directly": (CATEGORIES, rr.errors.CategoryError, rr.designs.direct),
    "p": ([-0.1, 1.1, NAN, "0.5"], ValueError, rr.warner),
    "matrix": (MATRICES, rr.errors.DesignError, rr.DesignMatrix),
    "counts": (COUNTS, rr.errors.CountsError, lambda value: rr.estimate(rr.k_rr(3, 1), value)),
    "prior": (PRIORS, rr.errors.DistributionError, COIN.posterior),
    "prior of an error": (PRIORS, rr.errors.DistributionError, lambda value: COIN.mse(value, 10)),
    "truths": (TRUTHS, rr.errors.CategoryError, lambda value: rr.randomize(rr.k_rr(3, 1), value)),
    "n": ([0, 1.0, "5"], ValueError, lambda value: rr.margin_of_error(COIN, 0.1, value)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_value_is_refused_by_the_name_of_its_argument(name):
    values, kind, call = REFUSED[name]
    for value in values:
        error = refusal(call, value)
        assert isinstance(error, kind), value
        assert error.argument.split("[")[0] == name.split()[0], value


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *[(1.1, "1.1"), ("1.1", "1.1"), (Decimal("1.10"), "1.1"), (np.float64(0.1), "0.1")],
        *[(2, "2"), (np.int64(2), "2"), ("1e-3", "0.001"), (Fraction(1, 4), "0.25")],
    ],
)
def test_epsilon_is_the_decimal_that_was_written(written, meant):
    assert check.epsilon(written) == Decimal(meant)


@pytest.mark.parametrize(
    ("integers", "denominator"),
    [
        *[([[3, 1], [1, 2]], 4), ([[5, 1], [-1, 3]], 4), ([[3.0, 1.0], [1.0, 3.0]], 4)],
        *[([[2, 1], [1, 1]], 3), ([[3, 1], [1, 3]], 4.0), ([[1, 0], [0, 1]], 0)],
        *[([[2**53, 0], [0, 2**53]], 2**53), ([[3, 1], [1]], 4)],
    ],
)
def test_a_table_of_integers_is_refused_whose_columns_are_no_chances(integers, denominator):
    refusal(rr.DesignMatrix.from_integers, integers, denominator)


def test_integers_that_are_not_the_matrix_are_refused():
    with pytest.raises(rr.errors.DesignError):
        rr.DesignMatrix([HALVES, HALVES], integers=[[3, 1], [1, 3]], denominator=4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rr.estimate(COIN, [1, 2], method="guess"),
        lambda: rr.estimate(COIN, [1, 2], population="half"),
        lambda: rr.estimate(COIN, [1, 2]).interval(level=1),
        lambda: rr.estimate(COIN, [1, 2]).interval(level=95),
        lambda: rr.estimate(COIN, [1, 2]).interval(method=["exact"]),
        lambda: rr.margin_of_error(COIN, 0.1, 10, category=2),
        lambda: rr.margin_of_error(COIN, 1.1, 10),
        lambda: rr.sample_size(COIN, 0.1, 0),
        lambda: rr.simulate_counts(COIN, HALVES, 10, rng="seed"),
        lambda: COIN.quantized(bits=53),
        lambda: COIN.quantized(bits=0),
    ],
)  # fmt: skip
def test_other_arguments_out_of_range_are_refused(call):
    refusal(call)


def test_a_number_of_categories_beyond_memory_is_refused_with_the_limit():
    assert "at most 10000" in str(refusal(rr.k_rr, 10**30, 1))


ROOT = Path(__file__).resolve().parents[2]
CLASSES = {name for name in rr.errors.__all__ if isinstance(getattr(rr.errors, name), type)}
CHECKS = {"check.instance", "check.instances", "check.entries", "entries"}


def catch(path):
    """Return (line, code) of every engine error of a file; None where it has no literal."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            place = 4 if ast.unparse(node.func) in CHECKS else 3
            if name in CLASSES or place == 4:
                code = node.args[place] if len(node.args) > place else None
                found.append((node.lineno, getattr(code, "value", None)))
    return found


def test_names_argument_value_and_rule():
    caught = refusal(k_rr, 3, -1)
    error = caught
    assert (error.argument, error.value) == ("epsilon", -1)
    assert str(error) == f"epsilon must {error.rule}; got -1"


def test_is_a_value_error_and_survives_pickling():
    error = pickle.loads(pickle.dumps(EngineError("n", -1, "be at least 0", "out_of_range")))
    assert isinstance(error, ValueError)
    assert (error.argument, error.value, error.rule) == ("n", -1, "be at least 0")
    assert (error.code, error.limit) == ("out_of_range", None)


def test_a_huge_value_is_cut_in_the_message():
    assert len(str(EngineError("counts", list(range(100_000)), "be short", "not_counts"))) < 200


@pytest.mark.parametrize("package", ["rr_engine", "surveys"])
def test_every_error_that_is_raised_has_a_known_code(package):
    for path in (ROOT / package).rglob("*.py"):
        for line, code in catch(path):
            assert code in ERROR_CODES, f"{path.name}:{line}"


def test_every_code_is_raised_somewhere_and_means_one_thing():
    used = {code for path in (ROOT / "rr_engine").rglob("*.py") for _, code in catch(path)}
    assert used == set(ERROR_CODES)
    assert len(set(ERROR_CODES.values())) == len(ERROR_CODES)
    assert all(re.fullmatch("[a-z0-9]+(_[a-z0-9]+)*", code) for code in ERROR_CODES)


def test_the_page_of_errors_lists_the_codes_as_they_are():
    page = (ROOT / "docs" / "methods" / "errors.md").read_text().split("## Codes")[1]
    listed = dict(re.findall(r"^\| `([a-z0-9_]+)` \| (.*) \|$", page, re.MULTILINE))
    assert listed == ERROR_CODES
    assert list(listed) == sorted(listed)


def test_the_code_tells_what_the_words_say():
    cases = [
        (lambda: k_rr(3, -1), "not_an_epsilon"),
        (lambda: warner(2), "not_a_probability"),
        (lambda: rr.estimate(k_rr(3, 1), [1, 2]), "counts_do_not_fit"),
        (lambda: rr.estimate(warner(0.5), [1, 2]), "not_identifiable"),
    ]
    for make, code in cases:
        assert refusal(make).code == code


def test_a_limit_is_a_number_that_a_program_can_use():
    caught = refusal(rr.optimisation.search_designs, [0.5, 0.3, 0.2], 100, delta=0.4)
    assert (caught.code, caught.limit) == ("below_largest_share", 0.5)
    again = pickle.loads(pickle.dumps(caught))
    assert (again.code, again.limit) == ("below_largest_share", 0.5)
