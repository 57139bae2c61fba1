"""The error of the estimate that the results make."""

from collections.abc import Sequence
from math import inf

import numpy as np
import numpy.typing as npt

import rr_engine
from rr_engine.precision import one_report_covariance


def squared_error(
    design: rr_engine.DesignMatrix,
    shares: npt.ArrayLike,
    n: int,
    guess: Sequence[float] | None = None,
) -> float:
    """Of the estimate that weighs reports by the guess, or as equal shares would have them;
    `design.mse` has the error of weights that are right for the shares.
    """
    reports, truths = design.matrix.shape
    smallest = design.mse(shares, n)
    if reports == truths or smallest == inf:
        return smallest
    weights = None if guess is None else design.matrix @ np.asarray(guess)
    at = np.asarray(shares)
    covariance = one_report_covariance(design.matrix, at, "sample", weights)
    return float(np.trace(covariance)) / (truths * n)
