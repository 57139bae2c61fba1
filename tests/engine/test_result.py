import dataclasses
import json
import pickle

import numpy as np
import pytest
from scipy.stats import binom

from rr_engine import Estimate, estimate, k_rr
from rr_engine.designs import generalized_binary
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import FALSE_ALARM, TEXTS
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


FORCED = generalized_binary(5 / 6, 5 / 6)


def codes(design, counts, **options):
    return {note.code for note in estimate(design, counts, **options).notes}


def test_a_plain_result_has_nothing_to_say():
    assert codes(k_rr(2, 1), [600, 400]) == set()


def test_outside_the_range_by_chance_is_not_implausible():
    assert codes(FORCED, [175, 25]) == {"outside_range"}


def test_far_outside_the_range_is_implausible():
    assert codes(FORCED, [195, 5]) == {"outside_range", "implausible"}
    assert codes(FORCED, [5, 195]) == {"outside_range", "implausible"}


@pytest.mark.parametrize("n", [20, 200, 5000])
def test_honest_surveys_are_called_implausible_less_often_than_stated(n):
    # Nobody is a carrier: the reported yes are binomial at the edge of the range.
    counts = np.arange(n + 1)
    chances = binom.pmf(counts, n, 1 / 6)
    likely = counts[chances > 1e-9]
    alarm = [bool("implausible" in codes(FORCED, [n - yes, yes])) for yes in likely]
    assert chances[likely][alarm].sum() <= FALSE_ALARM


def test_very_noisy_devices_are_pointed_out():
    assert codes(k_rr(100, 0.005), [50] * 100) == {"ill_conditioned"}


def test_every_note_has_its_sentence():
    assert set(TEXTS) == {
        "no_reports", "one_report", "all_alike", "outside_range", "implausible", "boundary",
        "not_converged", "ill_conditioned", "covariance_at_projection",
    }  # fmt: skip
    assert all(text.endswith(".") for text in TEXTS.values())
