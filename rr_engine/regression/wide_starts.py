"""Starts in all corners of a model's coefficients, and the maxima that walks from them reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rr_engine.regression.newton import Maximum, Objective, maximise
from rr_engine.validation import FloatArray

# Lengths of effects of scaled columns: hardly any, usual ones, and some that decide an answer.
SPREADS = (0.5, 1.5, 4.0)
SEED = 26
# Steps of the first part of every walk, and the walks beside those that have ended already which
# are walked to their ends.
FIRST_STEPS, FINISHED = 6, 8
# Difference of two values of a log-likelihood, relatively, that is rounding.
ALIKE = 1e-8


def wide_points(middle: FloatArray, count: int, seed: int = SEED) -> list[FloatArray]:
    """Return points around a middle in directions of a fixed pseudorandom source, near and far.

    They depend on the number of coefficients alone, so that a fit can be repeated.
    """
    rng = np.random.default_rng([seed, len(middle)])
    directions = rng.standard_normal((count, len(middle)))
    scales = np.resize(SPREADS, count)
    return [middle + scale * one for scale, one in zip(scales, directions, strict=True)]


def maxima_from(
    objective: Objective, starts: Sequence[FloatArray], finished: int = FINISHED
) -> list[Maximum]:
    """Return the different maxima that walks from these starts reach, the highest first.

    All are walked a part. Of those that have not ended by then the highest few are walked to their
    ends: the others are far below, on a way on which the likelihood hardly rises.
    """
    inside = (start for start in starts if _is_inside(objective, start))
    walked = different([maximise(objective, start, FIRST_STEPS) for start in inside])
    going = [point for point in walked if not point.converged][:finished]
    ended = [point for point in walked if point.converged]
    return different([*ended, *(_to_the_end(objective, point) for point in going)])


def different(maxima: Sequence[Maximum], alike: float = ALIKE) -> list[Maximum]:
    """Return the maxima with values of their own, the highest first.

    Of those that are alike the first, whatever the last digit says, or the first that has ended.
    """
    found: list[Maximum] = []
    for maximum in sorted(maxima, key=lambda each: not each.converged):
        if all(abs(maximum.value - other.value) > rounding(other, alike) for other in found):
            found.append(maximum)
    return sorted(found, key=lambda each: -each.value)


def rounding(maximum: Maximum, alike: float = ALIKE) -> float:
    """Return a difference from this value that is none."""
    return alike * max(1.0, abs(maximum.value))


def _is_inside(objective: Callable, start: FloatArray) -> bool:
    # Far out a link rounds probabilities to 0, which a direct answer may contradict.
    return all(bool(np.isfinite(part).all()) for part in objective(start))


def _to_the_end(objective: Objective, point: Maximum) -> Maximum:
    further = maximise(objective, point.theta)
    return Maximum(
        further.theta,
        further.value,
        further.gradient,
        further.information,
        point.iterations + further.iterations,
        further.converged,
    )
