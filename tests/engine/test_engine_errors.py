import pickle

import pytest

from rr_engine import EngineError, EpsilonError, k_rr


def test_names_argument_value_and_rule():
    with pytest.raises(EpsilonError) as caught:
        k_rr(3, -1)
    error = caught.value
    assert (error.argument, error.value) == ("epsilon", -1)
    assert str(error) == f"epsilon must {error.rule}; got -1"


def test_is_a_value_error_and_survives_pickling():
    error = pickle.loads(pickle.dumps(EngineError("n", -1, "be at least 0")))
    assert isinstance(error, ValueError)
    assert (error.argument, error.value, error.rule) == ("n", -1, "be at least 0")


def test_a_huge_value_is_cut_in_the_message():
    assert len(str(EngineError("counts", list(range(100_000)), "be short"))) < 200
