"""No public function takes nonsense: every argument of each, one bad value at a time."""

import inspect
import re
import signal
from collections.abc import Mapping

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.matrix import MatrixChannel
from tests.engine.bad_bayesian_inputs import BAYESIAN_CALLS
from tests.engine.bad_cluster_inputs import CLUSTER_CALLS
from tests.engine.bad_compliance_inputs import COMPLIANCE_CALLS
from tests.engine.bad_count_inputs import COUNT_CALLS
from tests.engine.bad_crowd_inputs import CROWD_CALLS
from tests.engine.bad_inputs import BAD, COIN, SURVEY, Call
from tests.engine.bad_inputs import CALLS as OTHER_CALLS
from tests.engine.bad_network_inputs import NETWORK_CALLS
from tests.engine.bad_predictor_inputs import PREDICTOR_CALLS
from tests.engine.bad_regression_inputs import REGRESSION_CALLS
from tests.engine.bad_relaxation_inputs import RELAXATION_CALLS
from tests.engine.bad_sampling_inputs import SAMPLING_CALLS
from tests.engine.bad_scrambled_inputs import SCRAMBLED_CALLS
from tests.engine.public import PUBLIC

pytestmark = pytest.mark.slow

CALLS = (
    OTHER_CALLS
    | RELAXATION_CALLS
    | CLUSTER_CALLS
    | COMPLIANCE_CALLS
    | CROWD_CALLS
    | COUNT_CALLS
    | NETWORK_CALLS
    | BAYESIAN_CALLS
    | REGRESSION_CALLS
    | SCRAMBLED_CALLS
    | SAMPLING_CALLS
    | PREDICTOR_CALLS
)
# Of the processor, not of a clock: a busy machine changes nothing. The longest takes some seconds.
SECONDS = 300


class TookTooLong(BaseException):
    """Not an Exception, so that no handler of the engine can swallow it."""


@pytest.fixture(autouse=True)
def no_hang():
    def stop(*_):
        raise TookTooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def functions_of(module) -> set[str]:
    return {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}


def methods_of(kind: type) -> set[str]:
    return {
        f"{kind.__name__}.{name}"
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_")
        # What all results have in common: tests/engine/test_display.py.
        and name not in ("plot", "to_frame")
        and (inspect.isfunction(member) or inspect.ismethod(member))
        and set(inspect.signature(member).parameters) - {"self", "code"}
    }


def test_every_public_callable_is_swept():
    kinds = (
        rr.relaxation.Chain,
        rr.DesignMatrix,
        rr.Estimate,
        rr.JointEstimate,
        rr.association.Derived,
        rr.crowd.PooledDistribution,
        rr.models.RegressionFit,
        rr.RRLogit,
    )
    wanted = {name for name, member in PUBLIC.items() if inspect.isfunction(member)}.union(
        *map(methods_of, kinds)
    )
    # What a channel is asked for by estimation and planning was checked by them.
    asked = vars(MatrixChannel).keys() | vars(CountingChannel).keys()
    asked |= {"covariance", "epsilon_at_most", "sample"}
    inner = {f"DesignMatrix.{name}" for name in asked}
    assert wanted - set(CALLS) - inner == set()


def test_every_argument_is_swept():
    for name, call in CALLS.items():
        assert set(call.arguments) == set(inspect.signature(call.function).parameters), name


@pytest.mark.parametrize("name", CALLS)
def test_the_valid_call_is_valid_and_leaves_what_it_is_given_alone(name):
    given = dict(CALLS[name].arguments)
    before = repr(given)
    CALLS[name].function(**given)
    assert repr(given) == before


@pytest.mark.parametrize("name", CALLS)
def test_a_bad_value_is_named_with_its_rule(name):
    call = CALLS[name]
    swept = [(part, k) for part in call.arguments for k in BAD.keys() - call.allowed.get(part, ())]
    for argument, kind in swept:
        error = error_of(call, {argument: BAD[kind]})
        assert error is not None, f"{kind} was taken as {argument}"
        # Where two arguments contradict each other, either may be named.
        named = {re.sub(r"\[\d+\]$", "", part) for part in error.argument.split(", ")}
        assert named <= set(call.arguments), (argument, kind)
        assert str(error).startswith(f"{error.argument} must {error.rule}; got "), (argument, kind)
        assert len(str(error)) < 1000, (argument, kind)


def error_of(call: Call, changed: Mapping[str, object]) -> rr.EngineError | None:
    try:
        call.function(**{**call.arguments, **changed})
    except rr.EngineError as error:
        return error
    return None


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.allowed])
def test_what_is_allowed_does_no_harm(name):
    call = CALLS[name]
    for argument, own in call.arguments.items():
        for kind in sorted(call.allowed.get(argument, ())):
            # The valid call takes its own. A class is called back with what it does not take.
            if BAD[kind] is not own and kind != "class":
                call.function(**{**call.arguments, argument: BAD[kind]})


def is_flat(value: object) -> bool:
    """Tell whether an argument is a list of numbers."""
    flat = isinstance(value, list) and not isinstance(value[0], list)
    return flat and np.asarray(value).dtype.kind in "if"


@pytest.mark.parametrize(
    "name", [name for name, call in CALLS.items() if any(map(is_flat, call.arguments.values()))]
)
def test_arrays_that_are_read_only_are_taken_and_left_alone(name):
    call = CALLS[name]
    arrays = {key: read_only(value) for key, value in call.arguments.items()}
    before = repr(arrays)
    call.function(**arrays)
    assert repr(arrays) == before


def read_only(value: object) -> object:
    if not is_flat(value):
        return value
    array = np.asarray(value)
    array.setflags(write=False)
    return array


BEYOND = {
    "a margin that infinitely many reach": lambda: rr.sample_size(COIN, 0.2, 5e-324),
    "an alpha that infinitely many reach": lambda: rr.planning.solve_sample_size_difference(
        COIN, (0.3, 0.2), alpha=5e-324
    ),
    "groups of one and of all": lambda: rr.planning.solve_sample_size_difference(
        COIN, (0.3, 0.2), ratio=1e300
    ),
    "scores whose squares no float holds": lambda: rr.association.mean_score(
        SURVEY, [1e308, -1e308]
    ),
    "shares whose sum no float holds": lambda: COIN.privacy([1.7e308, 1.7e308]),
    "a source of one byte": lambda: rr.designs.uniform_below(6, lambda size: b"\xff" * size),
}


@pytest.mark.parametrize("name", BEYOND)
def test_numbers_beyond_any_use_are_refused(name):
    with pytest.raises(rr.EngineError):
        BEYOND[name]()


FIRST_BEYOND = {
    "epsilon": [
        lambda: rr.privacy.Randomized(0),
        lambda: rr.channels.joint_design([2, 2], epsilon=0),
        lambda: rr.channels.joint_design([2, 2], epsilon=701),
    ],
    "level": [
        lambda: rr.compliance.poisoning(SURVEY, 0),
        lambda: rr.compliance.poisoning(SURVEY, 1),
    ],
    "category": [lambda: rr.planning.equivalent_n(SURVEY, 2)],
    "n": [lambda: rr.designs.uniform_below(0, bytes)],
}


@pytest.mark.parametrize("argument", FIRST_BEYOND)
def test_the_first_value_beyond_a_range_is_refused(argument):
    for call in FIRST_BEYOND[argument]:
        with pytest.raises(rr.EngineError) as caught:
            call()
        assert argument in str(caught.value)


def test_values_are_projected_however_large():
    assert rr.estimation.project_to_simplex([1.7e308, 1.7e308, -1.7e308]).tolist() == [0.5, 0.5, 0]
    assert rr.estimation.project_to_simplex([1e17, 0.0]).tolist() == [1, 0]


def test_half_precision_counts_are_counts():
    assert rr.estimate(COIN, np.array([70, 30], dtype=np.float16)).n == 100
