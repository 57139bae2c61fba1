"""The noise of the mean score of a tie, and a switch as an argument."""

from __future__ import annotations

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.networks.scores import check_bit_device


def score_variances(design: object, reports: int = 1) -> tuple[float, float]:
    """Return the variances of the mean score of so many reports on a tie, and on none."""
    p, q = check_bit_device(design)
    slope = (p - q) ** 2 * reports
    return p * (1 - p) / slope, q * (1 - q) / slope


def check_switch(value: object, argument: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(argument, value, "be True or False", "not_a_bool")
    return bool(value)
