"""Standard errors that are absent rather than small."""

import numpy as np

from rr_engine.arrays import ArrayLike, BoolArray

# A standard error of a sample below this is rounding: all reports were alike.
VANISHED = 1e-6


def vanished_errors(errors: ArrayLike, population: str) -> BoolArray:
    """Tell which standard errors say nothing, because the reports they rest on were all alike.

    A sample of alike reports has the estimated variance zero, which is no statement about the
    population (Agresti and Coull 1998 show what the normal interval makes of it); go by an interval
    that inverts a test. A fixed group may truly have no error.

    Parameters
    ----------
    errors : array_like of float
    population : {"sample", "fixed"}

    Returns
    -------
    ndarray of bool

    References
    ----------
    .. [1] A. Agresti and B. A. Coull, "Approximate is Better than 'Exact' for Interval Estimation
       of Binomial Proportions", The American Statistician 52 (1998), 119-126.

    Examples
    --------
    >>> vanished_errors([0.1, 0.0], "sample").tolist()
    [False, True]
    """
    return (np.asarray(errors) < VANISHED) & (population == "sample")
