"""Means of a scale among those who answered: others refused, or are left out."""

from dataclasses import replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.association.derived import Derived
from rr_engine.association.scores import mean_score
from rr_engine.association.table import MEASURE_NOTES, check_first_scores
from rr_engine.designs.categorical import direct
from rr_engine.errors import ArgumentError
from rr_engine.estimation.estimating import estimate as estimated
from rr_engine.estimation.result import Estimate, check_estimate


def mean_of_answered(estimate: Estimate, scores: ArrayLike) -> Derived:
    """Estimate the mean score of those who answered with one of the first categories.

    Parameters
    ----------
    estimate : Estimate
    scores : array_like of float
        What each of the first categories counts; those after them are left out, such as "prefer
        not to say".

    Returns
    -------
    Derived
        The ratio ``sum s_v pi_v / sum pi_v`` over the categories with scores. With scores for all
        of them it is :func:`rr_engine.association.mean_score`. Where the share of those who
        answered is not above zero there is no mean: the middle of the scores with an infinite
        error, and the note `nobody_answered`.

    Raises
    ------
    ArgumentError

    Notes
    -----
    The mean of a domain is a ratio of two estimates. By the delta method its error is that of the
    sum with the weights ``(s_v - mean) / sum pi_v``.

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, sections 2.13 and 6.1
       (means over subpopulations, ratios).

    Examples
    --------
    >>> from rr_engine import estimate
    >>> from rr_engine.designs import direct
    >>> asked = estimate(direct(4), [20, 30, 30, 20])  # the last: prefer not to say
    >>> mean = mean_of_answered(asked, [1, 2, 3])
    >>> round(mean.value, 3), round(mean.standard_error, 3)
    (2.125, 0.088)
    """
    checked = check_estimate(estimate)
    size = checked.proportions.size
    labels = getattr(checked.design, "truth_labels", ())
    weights = check_first_scores(scores, size, labels)
    size_of_scale = len(weights)
    if size_of_scale == size:
        return mean_score(checked, weights)
    bounds = (float(weights.min()), float(weights.max()))
    answering = float(checked.proportions[:size_of_scale].sum())
    if answering <= 0:
        middle = sum(bounds) / 2
        return Derived(middle, np.inf, (MEASURE_NOTES.note("nobody_answered"),), bounds=bounds)
    mean = float(weights @ checked.proportions[:size_of_scale]) / answering
    slopes = np.append((weights - mean) / answering, np.zeros(size - size_of_scale))
    return replace(mean_score(checked, slopes), value=mean, bounds=bounds)


def mean_where_alike(estimate: Estimate, scores: ArrayLike, level: float = 0.95) -> FloatArray:
    """Bound a mean when all direct answers are the same.

    Parameters
    ----------
    estimate : Estimate
        Of a device that reports the truth, such as :func:`rr_engine.designs.direct`.
    scores : array_like of float
        What each of the first categories counts; those after them are left out.
    level : float, default 0.95

    Returns
    -------
    ndarray of float, shape (2,)

    Raises
    ------
    ArgumentError
        For a device that randomizes: its alike reports tell nothing of the error.

    Notes
    -----
    The standard error is zero then. The score interval of the answer's share bounds how many may
    have another one; all of them may have the answer with the smallest, or the largest, score.
    Ours, on top of Wilson's interval [1]_.

    References
    ----------
    .. [1] E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
       Journal of the American Statistical Association 22 (1927), 209-212.

    Examples
    --------
    >>> from rr_engine import estimate
    >>> from rr_engine.designs import direct
    >>> mean_where_alike(estimate(direct(3), [0, 12, 0]), [1, 2, 3]).round(2).tolist()
    [1.75, 2.25]
    """
    checked, chance = check_estimate(estimate), check.open_unit(level, "level")
    labels = getattr(checked.design, "truth_labels", ())
    weights = check_first_scores(scores, checked.proportions.size, labels)
    if not reports_truths(checked):
        raise ArgumentError("estimate", checked, "be of direct questions", "not_direct")
    bounds_estimate = estimated(direct(len(weights)), checked.counts[: len(weights)])
    answer = int(np.argmax(bounds_estimate.proportions))
    least = float(bounds_estimate.interval(chance, method="default")[answer, 0])
    sure = least * weights[answer]
    return np.array([sure + (1 - least) * weights.min(), sure + (1 - least) * weights.max()])


def reports_truths(estimate: Estimate) -> bool:
    """Tell whether every report is the true answer."""
    return estimate.design.uniform == (1, 0)
