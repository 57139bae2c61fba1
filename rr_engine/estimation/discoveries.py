"""Which of many candidates to call found, at a false-discovery rate."""

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray

CORRECTIONS = ("benjamini-hochberg", "benjamini-yekutieli", "bonferroni")


def find_significant(p_values: FloatArray, rate: float, correction: str) -> BoolArray:
    """Tell which p-values are below the cut-off of the correction.

    Parameters
    ----------
    p_values : ndarray of float, shape (k,)
    rate : float
        The false-discovery rate; for Bonferroni the chance of any false discovery.
    correction : {"benjamini-hochberg", "benjamini-yekutieli", "bonferroni"}

    Notes
    -----
    Step-up: with the p-values in order, all up to the last with ``p_(i) <= i rate / k`` are
    significant (Benjamini and Hochberg, 1995). Benjamini and Yekutieli (2001) divide the rate by
    ``sum 1/i`` and need no assumption on the dependence.
    """
    count = len(p_values)
    if count == 0:
        return np.zeros(0, dtype=np.bool_)
    ranks = np.arange(1, count + 1)
    if correction == "bonferroni":
        return p_values <= rate / count
    share = rate / (1 / ranks).sum() if correction == "benjamini-yekutieli" else rate
    order = np.argsort(p_values, kind="stable")
    ranks_below = np.flatnonzero(p_values[order] <= share * ranks / count)
    cut_off = p_values[order][ranks_below[-1]] if ranks_below.size else -1.0
    return p_values <= cut_off
