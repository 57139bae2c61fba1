import numpy as np
import pytest
from scipy.stats import binom

from rr_engine import estimate, generalized_binary, k_rr
from rr_engine.estimation.notes import FALSE_ALARM, TEXTS

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
