"""No function of the search for designs takes nonsense: every argument, one bad value at a time."""

import inspect
import re

import pytest

import rr_engine
from rr_engine import EngineError
from tests.engine.bad_inputs import BAD, COIN

PRIOR = [0.4, 0.6]
SOLVED = rr_engine.solve_bound(PRIOR, 100, 0.2, 0.8)
BOUND = {"prior": PRIOR, "n": 100, "privacy": 0.2, "delta": 0.8, "epsilon": "2"}
SEARCH = {"prior": PRIOR, "n": 100, "delta": 0.8, "method": "optrr", "generations": 2, "seed": 0}
SEARCH |= {"epsilon": "2", "progress": None, "patience": 1, "levels": 2}
# A valid call of each, and the bad values that an argument takes on purpose.
CALLS = {
    "search_designs": (
        SEARCH,
        {
            "seed": "huge|endless",
            "epsilon": "None",
            "progress": "None|class|function",
            "patience": "None|huge|endless",
            "levels": "None",
        },
    ),
    "mse_lower_bound": (BOUND, {"privacy": "None", "delta": "None", "epsilon": "None"}),
    "solve_bound": (BOUND, {"privacy": "None", "delta": "None", "epsilon": "None"}),
    "verify_certificate": ({"certificate": SOLVED.certificate}, {}),
    "optimal_mechanism": ({"solved": SOLVED, "reports": 4}, {"reports": "None|huge|endless"}),
    "quantized_within": (
        {
            "design": COIN,
            "prior": PRIOR,
            "privacy": 0.1,
            "delta": 0.9,
            "epsilon": "2",
            "bits": 16,
        },
        {"design": "a device", "privacy": "None", "delta": "None", "epsilon": "None"},
    ),
}
SWEEP = [(name, argument) for name, (arguments, _) in CALLS.items() for argument in arguments]


@pytest.mark.parametrize("name", CALLS)
def test_every_argument_is_swept_and_the_call_is_valid(name):
    function = getattr(rr_engine, name)
    assert set(CALLS[name][0]) == set(inspect.signature(function).parameters)
    function(**CALLS[name][0])


def test_every_function_of_the_search_is_swept():
    named = {
        name
        for name in rr_engine.__all__
        if inspect.isfunction(getattr(rr_engine, name))
        and ".optimisation." in getattr(rr_engine, name).__module__
        and not getattr(rr_engine, name).__module__.endswith("decks")
    }
    assert named == set(CALLS)


@pytest.mark.parametrize(("name", "argument"), SWEEP)
def test_a_bad_value_is_named_with_its_rule(name, argument):
    arguments, allowed = CALLS[name]
    for kind in BAD.keys() - set(allowed.get(argument, "").split("|")):
        error = error_of(name, {**arguments, argument: BAD[kind]})
        assert error is not None, f"{kind} was taken"
        assert re.sub(r"\[\d+\]$", "", error.argument) in arguments, kind
        assert str(error).startswith(f"{error.argument} must {error.rule}; got "), kind


def error_of(name, arguments):
    try:
        getattr(rr_engine, name)(**arguments)
    except EngineError as error:
        return error
    return None
