"""Shares among those to whom a question applies, where one of its answers is that it does not."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import BoolArray, FloatArray, FrozenArrays, freeze
from rr_engine.association.table import EMPTY
from rr_engine.channels.matrix import MatrixChannel
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError
from rr_engine.estimation.ratio import fieller
from rr_engine.estimation.result import Estimate, check_estimate
from rr_engine.precision import left_inverse

# The interval of a share that nothing rules out.
UNKNOWN = (0.0, 1.0)
# How far from its estimate the end of an interval is looked for; halvings of a range.
FURTHEST, HALVINGS = 64.0, 60


@dataclass(frozen=True, slots=True, eq=False)
class SubgroupShares(FrozenArrays):
    """Shares of the categories among those who are not in one of them.

    Attributes
    ----------
    values : ndarray of float, shape (categories - 1,)
        Of all other categories, in their order. They sum to one, and may leave the range 0 to 1
        where the shares of everybody do. NaN where the subgroup's share is not above zero.
    standard_errors : ndarray of float, shape (categories - 1,)
        Delta method; infinite where there are no values.
    share, share_error : float
        The subgroup among everybody, and the standard error of that.
    estimate : Estimate
    outside : int

    Examples
    --------
    >>> from rr_engine import estimate
    >>> from rr_engine.association import subgroup_shares
    >>> from rr_engine.designs import direct
    >>> found = subgroup_shares(estimate(direct(3), [30, 10, 60]), outside=2)
    >>> found.share, found.estimable(), found.values.round(2).tolist()
    (0.4, True, [0.75, 0.25])
    """

    values: FloatArray
    standard_errors: FloatArray
    share: float
    share_error: float
    estimate: Estimate
    outside: int

    def __post_init__(self) -> None:
        for name in ("values", "standard_errors"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    def interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return an interval for each share by itself.

        Parameters
        ----------
        level : float, default 0.95
        method : {"default", "score", "fieller"}
            "score": all shares that the reports do not contradict, by the variance that they would
            have then. "fieller": by the estimated variance. "default" is "score" for one device
            with a matrix and a sample, and "fieller" elsewhere.

        Returns
        -------
        ndarray of float, shape (categories - 1, 2)
            Not cut to the range 0 to 1; exactly 0 and 1 where there is no :meth:`estimable` share.

        Raises
        ------
        ArgumentError
            For "score" of an estimate that it is not defined for.

        References
        ----------
        Ours: docs/methods/filters.md; "fieller" is that of Fieller (1954).
        """
        factor = margin_factor(level)
        name = check.choice(method, "method", ("score", "fieller", "default"))
        scored = _has_scores(self.estimate)
        if name == "score" and not scored:
            rule = "be 'fieller' where there are several devices, a fixed group, or no matrix"
            raise ArgumentError("method", method, rule, "not_one_device")
        if not self.estimable(level):
            return np.tile(UNKNOWN, (len(self.values), 1))
        if name == "fieller" or not scored:
            return _fieller_ends(self, factor)
        return _score_ends(self, factor)

    def estimable(self, level: float = 0.95) -> bool:
        """Tell whether the subgroup's share is clearly above zero, so that something is known.

        Parameters
        ----------
        level : float, default 0.95

        Raises
        ------
        ArgumentError

        References
        ----------
        Ours: docs/methods/filters.md.
        """
        return bool(self.share > margin_factor(level) * self.share_error)


def subgroup_shares(estimate: Estimate, outside: int) -> SubgroupShares:
    """Estimate the shares among those who are not in a category, such as "does not apply".

    Parameters
    ----------
    estimate : Estimate
    outside : int
        The category of those who are not in the subgroup.

    Returns
    -------
    SubgroupShares

    Raises
    ------
    ArgumentError

    Notes
    -----
    A share of a domain is a ratio of two estimates, ``pi_k / (1 - pi_outside)``. A value x is kept
    by the interval "score" if the sum ``pi_k - x (1 - pi_outside)``, which is a mean of scores
    ``a_u`` of the reports, is within the margin of zero. Its variance is that under the hypothesis:
    the reports are reweighted to ``n_u / (n (1 + t a_u))``, with t such that their mean score is
    zero, which is the most likely distribution of reports for which x is true. See
    docs/methods/filters.md for the coverage.

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, section 2.13.
    .. [2] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal Statistical
       Society B 16 (1954), 175-185.
    .. [3] A. B. Owen, "Empirical Likelihood Ratio Confidence Intervals for a Single Functional",
       Biometrika 75 (1988), 237-249 (the reweighted distribution).

    Examples
    --------
    >>> from rr_engine import estimate
    >>> from rr_engine.designs import direct
    >>> asked = estimate(direct(3), [30, 10, 60])  # no, yes, does not apply
    >>> found = subgroup_shares(asked, outside=2)
    >>> found.values.round(3).tolist(), round(float(found.standard_errors[1]), 3)
    ([0.75, 0.25], 0.069)
    >>> found.interval()[1].round(3).tolist()
    [0.142, 0.402]
    """
    checked = check_estimate(estimate)
    size = checked.proportions.size
    place = check.whole(outside, "outside", maximum=size - 1)
    inside = np.delete(np.arange(size), place)
    share = 1 - float(checked.proportions[place])
    contrasts = _contrasts(size, place)
    whole = float(np.sqrt(max(checked.covariance_of(contrasts[-1], contrasts[-1]), 0.0)))
    if share * checked.n <= EMPTY:
        nothing, endless = np.full(size - 1, np.nan), np.full(size - 1, np.inf)
        return SubgroupShares(nothing, endless, share, whole, checked, place)
    values = checked.proportions[inside] / share
    slopes = [_slopes(contrasts, row, value) / share for row, value in enumerate(values)]
    errors = [np.sqrt(max(checked.covariance_of(slope, slope), 0.0)) for slope in slopes]
    return SubgroupShares(values, np.array(errors), share, whole, checked, place)


def _contrasts(size: int, outside: int) -> FloatArray:
    """One row for each share inside, and the last for all of them together."""
    rows = np.delete(np.eye(size), outside, axis=0)
    return np.vstack([rows, rows.sum(axis=0)])


def _slopes(contrasts: FloatArray, row: int, value: float) -> FloatArray:
    return contrasts[row] - value * contrasts[-1]


def _has_scores(estimate: Estimate) -> bool:
    one = not estimate.strata and isinstance(estimate.design, MatrixChannel)
    return one and estimate.population == "sample" and estimate.method == "inversion"


def _fieller_ends(found: SubgroupShares, factor: float) -> FloatArray:
    estimate = found.estimate
    contrasts = _contrasts(estimate.proportions.size, found.outside)
    whole = contrasts[-1]
    variances = np.array([estimate.covariance_of(row, row) for row in contrasts[:-1]])
    shared = np.array([estimate.covariance_of(row, whole) for row in contrasts[:-1]])
    if not np.isfinite(variances).all():
        return np.tile(UNKNOWN, (len(variances), 1))
    base = np.full(len(variances), estimate.covariance_of(whole, whole))
    sums = contrasts @ estimate.proportions
    moments = (variances, shared, base)
    return fieller(sums[:-1], np.full(len(variances), sums[-1]), moments, factor, UNKNOWN)


# --- by scores ----------------------------------------------------------------------------------


def _score_ends(found: SubgroupShares, factor: float) -> FloatArray:
    estimate = found.estimate
    scores = left_inverse(estimate.matrix, estimate.weights)
    contrasts = _contrasts(estimate.proportions.size, found.outside)
    own, whole = contrasts[:-1] @ scores, contrasts[-1] @ scores
    shares = estimate.counts / estimate.n
    chi = factor**2 / estimate.n

    def is_kept(values: FloatArray) -> BoolArray:
        """Whether each share can have its value, one value a category."""
        return means_nothing(own - values[:, None] * whole, shares, chi)

    return np.column_stack([_end(is_kept, found.values, side) for side in (-1.0, 1.0)])


def _end(is_kept: Callable[[FloatArray], BoolArray], values: FloatArray, side: float) -> FloatArray:
    """The last value on one side that is kept, from the estimate on; of all categories at once."""
    step = np.full(values.shape, 1 / 64)
    inside = np.zeros(values.shape)
    growing = np.ones(values.shape, dtype=bool)
    while growing.any() and step.max() < FURTHEST:
        growing = is_kept(values + side * step) & growing
        inside = np.where(growing, step, inside)
        step = np.where(growing, 2 * step, step)
    # Where everything on this side is kept, so is all that can be.
    ends = (np.minimum if side < 0 else np.maximum)(values, UNKNOWN[int(side > 0)])
    outside = step
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        kept = is_kept(values + side * middle)
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
    return np.where(growing, ends, values + side * inside)


def means_nothing(scores: FloatArray, shares: FloatArray, chi: float) -> BoolArray:
    """Whether the mean of the scores may be zero, each row of scores by itself.

    `shares`: of the reports, or a row of them for each row of scores. `chi`: the squared margin,
    in standard deviations, over the number of reports.
    """
    means = (scores * shares).sum(axis=-1)
    return means**2 <= chi * _variance_at_zero(scores, shares)


def _variance_at_zero(scores: FloatArray, shares: FloatArray) -> FloatArray:
    """The variance of the scores in the likeliest distribution of reports where their mean is zero.

    What no report has come in on may have a chance, too: the score that is furthest on the side
    of zero takes what the others leave.
    """
    least, most = scores.min(axis=1), scores.max(axis=1)
    decided = (least >= 0) | (most <= 0)
    low = np.where(decided, 0.0, -1 / np.where(most > 0, most, 1.0))
    high = np.where(decided, 0.0, -1 / np.where(least < 0, least, -1.0))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        excess = _reweighted(scores, shares, middle, 1).sum(axis=1)
        low, high = np.where(excess > 0, middle, low), np.where(excess > 0, high, middle)
    tilt = (low + high) / 2
    left = _reweighted(scores, shares, tilt, 1).sum(axis=1)
    # At a boundary of the tilt the furthest score has the rest: `left` and it cancel.
    furthest = np.where(left > 0, least, most)
    squares = _reweighted(scores, shares, tilt, 2).sum(axis=1) - left * furthest
    # Where all scores have one sign, the mean is zero only if all of them are.
    return np.where(decided, 0.0, np.maximum(squares, 0.0))


def _reweighted(scores: FloatArray, shares: FloatArray, tilt: FloatArray, power: int) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = shares / (1 + tilt[:, None] * scores)
    return np.where(shares > 0, weights * scores**power, 0.0)
