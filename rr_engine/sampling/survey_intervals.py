"""Score and Student's intervals from samples that are not simple."""

from __future__ import annotations

import numpy as np

from rr_engine.distributions import t_isf
from rr_engine.projection import project_to_simplex
from rr_engine.sampling.report_scores import ReportScores
from rr_engine.validation import FloatArray, check_open_unit

# Largest remainder beside a share that is one up to rounding.
ALONE = 1e-12
# Relative size below which a variance is rounding.
NOTHING = 1e-12
# Effective number of people with the rarer answer at which the variance that the sample shows may
# be half of the one that its weights imply.
RARE = 20


def variance_curves(
    scores: ReportScores, squares: FloatArray, proportions: FloatArray
) -> FloatArray:
    """Return c0, c1, c2 of the variance of each proportion, were it x, shape (3, k).

    `squares`: for each respondent the squared share of the weights. The other proportions keep
    their ratios to each other, as in :mod:`rr_engine.estimation.score`. The mean square of the
    score of v is s for those who have it and r for the others; its mean is x.
    """
    shares, size = project_to_simplex(proportions), len(proportions)
    order = np.lexsort((squares, scores.device_of))
    order = order[scores.reported[order]]
    parts = np.bincount(scores.device_of[order], squares[order], minlength=len(scores.squares))
    mean = sum(part * table for part, table in zip(parts, scores.squares, strict=True))
    own, rest = np.diag(mean), 1 - shares
    alone = rest <= ALONE
    even = (mean.sum(axis=0) - own) / (size - 1)
    low = np.where(alone, even, (shares @ mean - shares * own) / np.where(alone, 1.0, rest))
    return np.stack([low, own - low, np.full(size, -parts.sum())])


def score_ends(
    values: FloatArray,
    variances: FloatArray,
    curves: FloatArray,
    quantile: float,
    correction: float,
) -> FloatArray:
    """Return the ends between which proportions pass the score test, shape (k, 2).

    `correction`: the part of the sampling variance that a finite population leaves.
    """
    c0, c1, c2 = curves
    edge = np.clip(values, 0.0, 1.0)
    model = np.maximum(c0 + c1 * edge + c2 * edge**2, 0.0)
    scale = np.abs(curves).max(axis=0)
    # Where nothing varies, such as no yes at all to a direct question, the weights alone tell.
    known = (variances > NOTHING * scale) & (model > NOTHING * scale)
    factors = np.where(known, variances / np.where(model > 0, model, 1.0), correction)
    # With few people the variance comes out small just where the share does.
    few = np.minimum(edge, 1 - edge) / -c2
    factors = np.maximum(factors, correction / (1 + few / RARE))
    z2 = quantile**2 * factors
    finite = np.isfinite(z2)
    z2 = np.where(finite, z2, 0.0)
    square, linear, constant = 1 - z2 * c2, 2 * values + z2 * c1, values**2 - z2 * c0
    inside = linear**2 - 4 * square * constant
    root = np.sqrt(np.maximum(inside, 0.0))
    ends = np.column_stack([linear - root, linear + root]) / (2 * square[:, None])
    reach = np.sqrt(z2 * model)
    # No proportion at all passes: go out from the estimate by the error at the range's end.
    none = inside < -NOTHING * linear**2
    ends[none] = np.column_stack([values - reach, values + reach])[none]
    ends[~finite] = [0.0, 1.0]
    return ends


def errors_of(covariance: FloatArray) -> FloatArray:
    """Return square roots of the diagonal; inf where the estimate of a variance is negative."""
    variances = np.diag(covariance)
    return np.where(variances >= 0, np.sqrt(np.maximum(variances, 0)), np.inf)


def student_quantile(level: float, degrees: int) -> float:
    """Return how many standard errors an interval reaches; without a degree of freedom as with 1.

    Raises
    ------
    ArgumentError
    """
    return float(t_isf((1 - check_open_unit(level, "level")) / 2, max(degrees, 1)))


def student_intervals(
    values: FloatArray, errors: FloatArray, degrees: int, level: float
) -> FloatArray:
    """Return ``value -+ t error``, shape (k, 2)."""
    half = student_quantile(level, degrees) * errors
    return np.column_stack([values - half, values + half])
