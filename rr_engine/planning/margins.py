"""Before the survey: margins, the respondents that they need, and the cost in answers."""

import math
from math import sqrt

from rr_engine import check
from rr_engine.arguments import check_channel, check_invertible
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Channel
from rr_engine.distributions import margin_factor
from rr_engine.estimation.result import Estimate, check_estimate
from rr_engine.planning.proportion import expected, people

# Up to this number one more respondent changes a margin in double precision.
FINE = 2**50


def margin_of_error(
    design: Channel,
    prevalence: float | ArrayLike,
    n: int,
    level: float = 0.95,
    category: int | None = None,
    population: str = "sample",
    prior: ArrayLike | None = None,
) -> float:
    """Half width of the normal interval that `n` respondents are expected to give.

    Parameters
    ----------
    design : Channel
        A DesignMatrix, or one of docs/methods/channels.md.
    prevalence : float or array_like, shape (truths,)
        The true proportions expected. One number is the share of `category`, the rest spread
        evenly over the other categories.
    n : int
        Number of respondents, at least 1.
    level : float, default 0.95
    category : int, optional
        Index of the category. Left out: 1 ("yes" in a binary design) when `prevalence` is one
        number, the category with the largest margin when it is a list.
    population : {"sample", "fixed"}
    prior : array_like, shape (truths,), optional
        The guess that the estimate will be given; see :func:`rr_engine.estimate`.

    Returns
    -------
    float
        In units of a proportion: 0.05 is five percentage points. It is z times the true standard
        deviation of the unbiased estimate, so it is exact for every n.

    Raises
    ------
    NotIdentifiableError, DistributionError, ArgumentError

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", 2017, Eq. 6.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> round(margin_of_error(k_rr(2, 1), 0.1, 500), 3)
    0.088
    """
    size = check.size(n)
    variance = estimate_variance(design, prevalence, category, population, prior)
    return _half_width(variance, size, level)


def sample_size(
    design: Channel,
    prevalence: float | ArrayLike,
    margin: float,
    level: float = 0.95,
    category: int | None = None,
    population: str = "sample",
    prior: ArrayLike | None = None,
) -> int:
    """Smallest number of respondents whose expected margin of error is at most `margin`.

    Parameters
    ----------
    design, prevalence, level, category, population, prior
        As in :func:`margin_of_error`.
    margin : float
        Half width wanted, above 0, in units of a proportion.

    Returns
    -------
    int
        At least 1; one respondent fewer misses the margin.

    References
    ----------
    .. [1] N. Holohan, D. J. Leith and O. Mason, "Optimal Differentially Private Mechanisms for
       Randomised Response", IEEE TIFS 12, 2017, Eq. 6 (the variance), solved for n.

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> sample_size(k_rr(2, 1), 0.1, 0.05)
    1553
    """
    target = check.positive(margin, "margin")
    variance = estimate_variance(design, prevalence, category, population, prior)
    half = sqrt(variance) * _half_width(1.0, 1, level) / target
    n = people(half * half, "margin", margin)
    return _correct_last_bit(variance, n, target, level) if n < FINE else n


def effective_sample_share(
    design: Channel,
    prevalence: float | ArrayLike,
    category: int | None = None,
    prior: ArrayLike | None = None,
) -> float:
    """Share of the respondents that direct and honest answers would need for the same precision.

    Parameters
    ----------
    design, prevalence, category, prior
        As in :func:`margin_of_error`; for a list without a category the variances are summed over
        all categories.

    Returns
    -------
    float
        From 0 to 1: noise-free variance divided by the design's.

    References
    ----------
    .. [1] L. Kish, "Survey Sampling", Wiley 1965, section 8.2 (the design effect, of which this is
       the inverse).

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> from rr_engine.designs import direct
    >>> round(effective_sample_share(k_rr(2, 1), 0.1), 3), effective_sample_share(direct(2), 0.1)
    (0.089, 1.0)
    """
    check_invertible(check_channel(design))
    proportions, index = expected(design, prevalence, category)
    noisy = _one_report(design, proportions, "sample", prior)
    clean = proportions * (1 - proportions)
    if index is None:
        noisy, clean = noisy.sum(), clean.sum()
    else:
        noisy, clean = noisy[index], clean[index]
    # A direct question that nobody or everybody affirms has no variance in either group.
    return min(1.0, float(clean / noisy)) if noisy > 0 else 1.0


def _correct_last_bit(variance: float, n: int, target: float, level: float) -> int:
    """Correct a last-bit disagreement between square root and ceiling by the definition."""
    while _half_width(variance, n, level) > target:
        n += 1
    while n > 1 and _half_width(variance, n - 1, level) <= target:
        n -= 1
    return n


def estimate_variance(
    design: Channel,
    prevalence: float | ArrayLike,
    category: int | None,
    population: str,
    prior: ArrayLike | None = None,
) -> float:
    """Return the variance of the estimate from one report; the largest for an open category."""
    check_invertible(check_channel(design))
    check.population(population)
    proportions, index = expected(design, prevalence, category)
    variances = _one_report(design, proportions, population, prior)
    return max(0.0, float(variances.max() if index is None else variances[index]))


def _one_report(
    design: Channel, proportions: FloatArray, population: str, prior: ArrayLike | None
) -> FloatArray:
    """Return the variances of the estimate from one report at true proportions.

    With a guess, reports are weighed at the shares expected under it.
    """
    weights = None if prior is None else design.apply(design.check_shares(prior))
    return design.variances(proportions, design.apply(proportions), population, weights)


def _half_width(variance: float, n: int, level: float) -> float:
    return margin_factor(level) * sqrt(variance / n)


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
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.designs import direct
    >>> equivalent_n(estimate(direct(2), [900, 100]))
    1000.0
    >>> round(equivalent_n(estimate(k_rr(2, 1), [685, 315])), 1)
    89.7
    """
    shares = check_estimate(estimate).projected()
    clean, noisy = shares * (1 - shares), estimate.covariance_operator.variances
    if category is not None:
        index = check.whole(category, "category", maximum=len(shares) - 1)
        clean, noisy = clean[[index]], noisy[[index]]
    return _ratio(clean, noisy, estimate)


def _ratio(clean: FloatArray, noisy: FloatArray, estimate: Estimate) -> float | None:
    direct, spent = float(clean.sum()), float(noisy.sum())
    if estimate.n == 0 or not (math.isfinite(spent) and spent > 0 and direct > 0):
        return None
    if estimate.population == "fixed":
        return direct / spent
    return min(float(estimate.n), 1 + direct / spent)
