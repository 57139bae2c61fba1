"""The stochastic lie detector: how many carriers there are, and how many of them tell the truth."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.compliance.cheating import CheatingShare, cheating_share
from rr_engine.compliance.mixture import best_log_likelihood, chi_square_cut, stack_groups, zero_of
from rr_engine.compliance.share_results import COMPLIANCE_NOTES, SharesResult
from rr_engine.designs.binary import NO_YES, mangat
from rr_engine.errors import ArgumentError

# Smallest difference of p1 and p2 that separates liars from non-carriers to four digits.
SAME = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LieDetector(SharesResult):
    """Prevalence of the trait and honesty of its carriers, in that order in every array.

    Attributes
    ----------
    values : ndarray of float, shape (2,)
        pi, the share of carriers, liars included, unbiased; and t, the share of the carriers who
        tell the truth, a ratio. Both may leave the range 0 to 1.
    covariance : ndarray of float, shape (2, 2)
        Of t by the delta method; infinite where the estimated share of carriers is not above zero.
    maximum_likelihood : ndarray of float, shape (2,)
        The maximum-likelihood estimates, each from 0 to 1.
    intervals : ndarray of float, shape (2, 2)
        By profile likelihood inside the range 0 to 1.
    level : float
    statistic, p_value : float
        Likelihood-ratio test that no carrier lies; one-sided.
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.compliance import stochastic_lie_detector
    >>> found = stochastic_lie_detector(0.2, 0.8, [330, 670], [690, 310])
    >>> found.values.round(3).tolist(), found.intervals.round(2).tolist()
    ([0.4, 0.475], [[0.33, 0.47], [0.42, 0.53]])
    """

    statistic: float
    p_value: float


def stochastic_lie_detector(
    p1: float, p2: float, counts1: ArrayLike, counts2: ArrayLike, level: float = 0.95
) -> LieDetector:
    """Estimate a sensitive share and how many carriers admit it, from two groups.

    Parameters
    ----------
    p1, p2 : float
        Chance in each of two groups that a respondent without the trait is asked for it and not
        for its opposite, from 0 to 1, not the same. Carriers are always asked for the trait, as in
        :func:`rr_engine.designs.mangat`.
    counts1, counts2 : array_like of int, shape (2,)
        Numbers of no and of yes in each group.
    level : float, default 0.95

    Returns
    -------
    LieDetector

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    ``Pr(yes in group i) = pi t + (1 - pi)(1 - p_i)``: people without the trait follow the device,
    carriers say yes with probability t and lie otherwise. So liars are a third type beside honest
    carriers and others, as in :func:`rr_engine.compliance.cheating_share`, and all of them are
    carriers. docs/methods/compliance.md.

    References
    ----------
    .. [1] M. Moshagen, J. Musch and E. Erdfelder, "A stochastic lie detector", Behavior Research
       Methods 44 (2012), 222-231.

    Examples
    --------
    >>> found = stochastic_lie_detector(0.2, 0.8, [330, 670], [690, 310])
    >>> found.values.round(3).tolist(), found.standard_errors.round(3).tolist()
    ([0.4, 0.475], [0.035, 0.026])
    >>> found.intervals.round(3).tolist(), found.p_value < 0.001
    ([[0.333, 0.469], [0.423, 0.526]], True)
    """
    check.open_unit(level, "level")
    chances = [check.probability(p1, "p1"), check.probability(p2, "p2")]
    if abs(chances[0] - chances[1]) < SAME:
        rule = "differ from p1, or liars cannot be told from non-carriers"
        raise ArgumentError("p2", p2, rule, "shares_coincide")
    counts = [
        check.counts(counts1, 2, "counts1", NO_YES),
        check.counts(counts2, 2, "counts2", NO_YES),
    ]
    types = cheating_share([mangat(chance) for chance in chances], counts, level)
    remainder = 1 - types.values[0], 1 - types.maximum_likelihood[0]
    return LieDetector(
        values=np.array([remainder[0], _ratio(types.values[1], remainder[0])]),
        covariance=_covariance(types),
        maximum_likelihood=np.array(
            [remainder[1], _ratio(types.maximum_likelihood[1], remainder[1])]
        ),
        intervals=np.array([1 - types.intervals[0, ::-1], _honesty(chances, counts, types)]),
        level=float(level),
        statistic=types.statistic,
        p_value=types.p_value,
        notes=types.notes + COMPLIANCE_NOTES.holding({"no_carriers": not remainder[0] > 0}),
    )


def _ratio(truthful: float, carriers: float) -> float:
    """Return the share of carriers who tell the truth; 1 without carriers."""
    return float(truthful / carriers) if carriers > 0 else 1.0


def _covariance(types: CheatingShare) -> FloatArray:
    carriers = 1 - types.values[0]
    if not carriers > 0 or not np.isfinite(types.standard_errors).all():
        return np.diag([types.covariance[0, 0], np.inf])
    honest = types.values[1] / carriers
    slopes = np.array([[-1.0, 0.0, 0.0], [honest / carriers, 1 / carriers, 0.0]])
    return slopes @ types.covariance @ slopes.T


def _honesty(
    chances: list[float], counts: list[IntArray], types: CheatingShare
) -> tuple[float, float]:
    """Return all t that the likelihood-ratio test does not reject, whatever the prevalence."""
    if min(int(count.sum()) for count in counts) == 0:
        return 0.0, 1.0
    others = [np.array([[chance], [1 - chance]]) for chance in chances]

    def best(honest: float) -> float:
        carriers = np.array([[1 - honest], [honest]])
        return best_log_likelihood(
            *stack_groups([np.hstack([o, carriers]) for o in others], counts)
        )

    start = min(max(_ratio(types.maximum_likelihood[1], 1 - types.maximum_likelihood[0]), 0.0), 1.0)
    cut = best(start) - chi_square_cut(types.level, sum(int(count.sum()) for count in counts))
    low, high = (zero_of(lambda honest: best(honest) - cut, start, end) for end in (0.0, 1.0))
    return low, high
