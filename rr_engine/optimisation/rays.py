"""The only reports that an optimal mechanism needs, as directions of their posteriors."""

from fractions import Fraction
from itertools import combinations
from math import floor

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.validation import FloatArray

# 2**n rays for n categories.
MOST_CATEGORIES = 14


def posterior_rays(prior: FloatArray, delta: float) -> FloatArray:
    """Return the posteriors that suffice under a bound on the worst one, shape (rays, truths).

    Where the largest posterior belongs to a given truth, both the privacy and the bound are linear
    in the posterior, so spreading it to the vertices of that cell costs nothing and only adds
    information. The vertices: uniform on a set of at least 1 / delta truths, and delta on
    floor(1 / delta) truths with the rest on one more. Which sets these are is decided in rationals,
    so that entries are off by their own rounding alone.
    """
    size, exact = len(prior), Fraction(delta)
    most = floor(1 / exact)
    uniform = [
        _spread(size, chosen, np.full(count, 1 / count))
        for count in range(1, size + 1)
        if count * exact >= 1
        for chosen in combinations(range(size), count)
    ]
    rest = float(1 - most * exact)
    if rest == 0 or most >= size:
        return np.array(uniform)
    weights = np.array([delta] * most + [rest])
    capped = [
        _spread(size, (*chosen, last), weights)
        for chosen in combinations(range(size), most)
        for last in range(size)
        if last not in chosen
    ]
    return np.array(uniform + capped)


def ratio_rays(prior: FloatArray, epsilon: float) -> FloatArray:
    """Return the posteriors that suffice under a privacy loss: rows of 1 and e**epsilon."""
    size = len(prior)
    codes = np.arange(1, 2**size - 1)
    high = (codes[:, None] >> np.arange(size)) & 1
    joint = np.where(high == 1, 1.0, np.exp(-epsilon)) * prior
    return joint / joint.sum(axis=1, keepdims=True)


def check_category_limit(size: int) -> None:
    """Refuse more categories than all sets of them can be listed for."""
    if size > MOST_CATEGORIES:
        rule = f"have at most {MOST_CATEGORIES} categories: the bound looks at every set of them"
        raise ArgumentError(
            "prior", f"{size} categories", rule, "too_many_categories", MOST_CATEGORIES
        )


def _spread(size: int, positions: tuple[int, ...], weights: FloatArray) -> FloatArray:
    spread = np.zeros(size)
    spread[list(positions)] = weights
    return spread
