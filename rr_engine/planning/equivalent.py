"""The cost of privacy: how many honest direct answers an estimate is worth."""

import math

from rr_engine.estimation.result import Estimate, check_estimate
from rr_engine.validation import FloatArray, check_whole


def equivalent_n(estimate: Estimate, category: int | None = None) -> float | None:
    """Return how many honest direct answers would give the same variance as the estimate.

    Parameters
    ----------
    estimate : Estimate
    category : int, optional
        Index of one category; left out, the variances are summed over all of them.

    Returns
    -------
    float or None
        For a sample from 1 to `n`, and `n` itself for direct questions. None where the answer is
        no number: fewer than two reports, a variance that is estimated as zero (reports all
        alike), or nearest possible proportions of 0 and 1 only, about which direct answers would
        leave no error at all.

    Raises
    ------
    ArgumentError

    Notes
    -----
    ``1 + sum_v p_v (1 - p_v) / sum_v var_v``, p the nearest possible proportions: N direct answers
    have the estimated variance p (1 - p) / (N - 1). In a fixed group, whose direct answers would
    have no error, it is the size of a random sample (with replacement) out of the group that is as
    precise, without the 1; it can exceed `n`.

    References
    ----------
    .. [1] L. Kish, "Survey Sampling", Wiley 1965, section 8.2 (effective sample size).

    Examples
    --------
    >>> from rr_engine import direct, estimate, k_rr
    >>> equivalent_n(estimate(direct(2), [900, 100]))
    1000.0
    >>> round(equivalent_n(estimate(k_rr(2, 1), [685, 315])), 1)
    89.7
    """
    shares = check_estimate(estimate).projected()
    clean, noisy = shares * (1 - shares), estimate.covariance_operator.variances
    if category is not None:
        index = check_whole(category, "category", maximum=len(shares) - 1)
        clean, noisy = clean[[index]], noisy[[index]]
    return _ratio(clean, noisy, estimate)


def _ratio(clean: FloatArray, noisy: FloatArray, estimate: Estimate) -> float | None:
    direct, spent = float(clean.sum()), float(noisy.sum())
    if estimate.n == 0 or not (math.isfinite(spent) and spent > 0 and direct > 0):
        return None
    if estimate.population == "fixed":
        return direct / spent
    return min(float(estimate.n), 1 + direct / spent)
