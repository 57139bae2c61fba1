import dataclasses
import json
import pickle

import numpy as np
import pytest

from rr_engine import ArgumentError, Estimate, estimate, k_rr
from tests.engine.engine_cases import DESIGNS


@pytest.mark.parametrize("method", ["inversion", "mle"])
@pytest.mark.parametrize("name", DESIGNS)
def test_survives_json_to_the_last_bit(name, method):
    design = DESIGNS[name]
    counts = np.arange(len(design.reports)) * (design.matrix.max(axis=1) > 0)
    for table in (counts, counts * 0):
        result = estimate(design, table, method=method, population="fixed")
        stored = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        back = Estimate.from_dict(stored)
        assert back.to_dict() == result.to_dict()
        assert back.covariance.tobytes() == result.covariance.tobytes()
        assert back.interval(method="wilson").tolist() == result.interval(method="wilson").tolist()
        assert np.array_equal(back.design.matrix, design.matrix)


def test_cannot_be_changed():
    result = estimate(k_rr(2, 1), [5, 7])
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "mle"
    with pytest.raises(ValueError, match="read-only"):
        result.proportions[0] = 0
    with pytest.raises((AttributeError, TypeError)):
        result.extra = 1


def test_travels_between_processes():
    result = estimate(k_rr(2, 1), [5, 7])
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()


def test_shows_what_came_in_beside_what_it_means():
    result = estimate(k_rr(2, 1), [30, 10])
    assert result.n == 40
    assert result.reported_shares.tolist() == [0.75, 0.25]
    assert (result.method, result.population, result.converged) == ("inversion", "sample", True)
    assert result.projected().tolist() == [1, 0]
    assert result.note("nothing of the kind") is None


def test_refuses_a_format_it_does_not_know():
    stored = estimate(k_rr(2, 1), [30, 10]).to_dict()
    for number in (2, None, "1"):
        with pytest.raises(ArgumentError, match="format"):
            Estimate.from_dict({**stored, "format": number})
