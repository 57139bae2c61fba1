"""Roots and ends of conditions, found for many places at once."""

import numpy as np
import pytest

from rr_engine.roots import crossings, halve, halve_whole

LOW, HIGH = np.zeros(3), np.ones(3)


def test_a_function_is_zero_where_it_rises_above_zero():
    wanted = np.array([0.2, 0.5, 0.9])
    found = crossings(lambda places: places**3 - wanted**3, LOW, HIGH)
    assert found == pytest.approx(wanted, abs=1e-12)


def test_a_function_that_does_not_rise_above_zero_has_an_end():
    """The upper end where it stays below zero, the lower one where it is above zero there."""
    sign = np.array([-1.0, 1.0])
    assert crossings(lambda places: sign + 0 * places, LOW[:2], HIGH[:2]).tolist() == [1.0, 0.0]
    mixed = np.array([-1.0, 1.0, 0.0])
    found = crossings(lambda places: mixed + (mixed == 0) * (places - 0.25), LOW, HIGH)
    assert found == pytest.approx([1.0, 0.0, 0.25], abs=1e-12)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (1.0, 0.0)])
def test_halves_enclose_where_a_condition_ends(ends):
    limit = np.array([0.1, 0.7])
    near, far = halve(lambda x: (x < limit) == (ends[0] < ends[1]), *ends, 30)
    assert np.abs(near - far) == pytest.approx(2.0**-30)
    assert ((near - limit) * (far - limit) <= 0).all()
    assert halve(lambda x: x < 0.3, 0.0, 1.0, 2) == (0.25, 0.5)


def test_whole_numbers_up_to_which_conditions_hold():
    limits = np.arange(9)
    low, high = halve_whole(lambda x: x <= limits, np.zeros(9, dtype=int), np.full(9, 9))
    assert low.tolist() == limits.tolist()
    assert high.tolist() == (limits + 1).tolist()
