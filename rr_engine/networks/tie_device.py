"""Checks of a device for one tie, and the moments of its reports."""

from __future__ import annotations

import numpy as np

from rr_engine.arguments import check_design, check_invertible
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError


def check_tie_design(value: object, argument: str = "design") -> DesignMatrix:
    """Return a device of two categories, no tie and tie, with two reports."""
    device = check_design(value, argument)
    if device.matrix.shape != (2, 2):
        rule = "have two categories and two reports, no tie and tie"
        raise ArgumentError(argument, value, rule, "not_of_a_tie")
    return device


def report_chances(value: object) -> tuple[float, float]:
    """Return the chances of a reported tie from a tie and from none, which must differ."""
    device = check_tie_design(value)
    check_invertible(device)
    return float(device.matrix[1, 1]), float(device.matrix[1, 0])


def check_switch(value: object, argument: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(argument, value, "be True or False", "not_a_bool")
    return bool(value)


def score_variances(chances: tuple[float, float], reports: int = 1) -> tuple[float, float]:
    """Return the variances of the mean score of so many reports on a tie, and on none."""
    p, q = chances
    slope = (p - q) ** 2 * reports
    return p * (1 - p) / slope, q * (1 - q) / slope
