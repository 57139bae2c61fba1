"""The search for designs says of values that make no sense what would; see test_bad_input.py."""

import inspect
import re

import pytest

import rr_engine
from rr_engine import EngineError
from tests.engine.public import PUBLIC

# The refusals of each function that asks for a prior, of numbers that make no sense.
THREE = [0.5, 0.3, 0.2]
TAKERS = {
    "search_designs": {"prior": THREE, "n": 100, "delta": 0.8, "generations": 2},
    "mse_lower_bound": {"prior": THREE, "n": 100, "privacy": 0.2, "delta": 0.8},
    "solve_bound": {"prior": THREE, "n": 100, "privacy": 0.2, "delta": 0.8},
    "quantized_within": {"design": rr_engine.k_rr(3, 1), "prior": THREE, "delta": 0.8},
}
NONSENSE = [
    ("prior", [0.5, 0.5, 0.0], r"above 0; leave such categories out"),
    ("prior", [0.5, 0.3, 0.1], r"sum to 1"),
    ("prior", [0.5, 0.5, float("nan")], r"missing"),
    ("prior", [1.2, 0.3, -0.5], r"0"),
    ("prior", [1.0], r"proportions|3"),
    ("delta", 0.4, r"largest proportion \(0\.5\)"),
    ("delta", 1.5, r"from 0 to 1"),
    ("privacy", 0.5, r"largest proportion \(0\.5\)"),
    ("privacy", 0.9, r"largest proportion \(0\.5\)"),
    ("n", 10**40, r"at most"),
    ("n", 0, r"at least 1"),
    ("epsilon", 0, r"above 0|positive|greater"),
]


@pytest.mark.parametrize(("argument", "value", "said"), NONSENSE)
@pytest.mark.parametrize("name", TAKERS)
def test_what_is_not_feasible_is_refused_with_what_would_be(name, argument, value, said):
    taken = inspect.signature(PUBLIC[name]).parameters
    # An exact table is measured against shares of zero as well: nothing is divided by them.
    if argument not in taken or (name == "quantized_within" and value == [0.5, 0.5, 0.0]):
        assert error_of(name, TAKERS[name]) is None
        return
    error = error_of(name, {**TAKERS[name], argument: value})
    assert error is not None
    assert error.argument.startswith(argument)
    assert re.search(said, str(error)), str(error)


def test_more_categories_than_can_be_listed_are_refused_before_anything_is_computed():
    many = {"prior": [1 / 40] * 40}
    for name in ("search_designs", "mse_lower_bound", "solve_bound"):
        assert "at most 14" in str(error_of(name, {**TAKERS[name], **many}))


@pytest.mark.parametrize("name", ["card_deck", "subset_selection", "best_subset_size"])
def test_decks_of_very_many_categories_are_made_or_refused_at_once(name):
    for size in (10_000, 10_001, 10**40):
        error = error_of(name, {"categories": size, "epsilon": 1})
        assert error is None or error.argument == "categories"
    for epsilon in (0, -1, float("nan"), "1e-400", 10**400):
        assert error_of(name, {"categories": 5, "epsilon": epsilon}).argument == "epsilon"


def error_of(name, arguments):
    try:
        PUBLIC[name](**arguments)
    except EngineError as error:
        return error
    return None
