"""How one person's privacy budget is divided among the names of a roster."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, as_list
from rr_engine.errors import ArgumentError

MOST_GROUPS = 1_000
# Smallest and largest part of the budget, and halvings that leave nothing of such an interval.
SMALLEST_PART, LARGEST_PART, HALVINGS = 1e-60, 1e3, 70


@dataclass(frozen=True, slots=True, eq=False)
class RosterSplit:
    """A budget divided among the names of a roster.

    Attributes
    ----------
    epsilons : ndarray of float, shape (groups,)
        Budget of each tie of a group; times the sizes they sum to epsilon.
    variance : float
        Weighted sum of the variances that the noise gives the ties.
    uniform_variance : float
        The same when every tie has an equal part.
    lower_bound : float
        What no division falls below: the certificate.
    multiplier : float
        Of the budget, at which the lower bound was computed.
    """

    epsilons: FloatArray
    variance: float
    uniform_variance: float
    lower_bound: float
    multiplier: float


def split_roster(
    sizes: Sequence[int], epsilon: Decimal | str | float, weights: npt.ArrayLike | None = None
) -> RosterSplit:
    """Divide a person's budget among the names of a roster with the least weighted variance.

    Parameters
    ----------
    sizes : sequence of int
        Names in each group of the roster.
    epsilon : Decimal, str or float
        Of all that a person reports.
    weights : array_like of float, shape (groups,), optional
        Weight of the variance of each tie of a group, above 0; equal when left out.

    Returns
    -------
    RosterSplit

    Raises
    ------
    EpsilonError, ArgumentError

    Notes
    -----
    docs/methods/network-privacy.md. A tie through a symmetric device has the noise variance
    ``v(e) = 1 / (4 sinh(e/2)**2)``, whatever the truth is. It is convex, so that with equal
    weights equal parts are best, for the sum and for the worst tie alike (Jensen). With weights
    w_g the best parts solve ``w_g v'(e_g) = -mu``. For any mu >= 0 the sum over the names of
    ``min_e (w_g v(e) + mu e)``, less mu epsilon, is a lower bound of all divisions (weak
    duality). Variances of a tie that is not asked are infinite: asking a random part of the
    names is another design (:func:`compare_roster_devices`).

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 8 and 18.
    .. [2] S. Boyd and L. Vandenberghe, "Convex Optimization", Cambridge 2004, section 5.2.

    Examples
    --------
    >>> split = split_roster([10, 20], "6", weights=[8, 1])
    >>> split.epsilons.round(4).tolist(), round(split.variance / split.uniform_variance, 4)
    ([0.3, 0.15], 0.7102)
    >>> split.variance - split.lower_bound < 1e-9 * split.variance
    True
    """
    groups = as_list(sizes)
    if not groups or len(groups) > MOST_GROUPS:
        rule = f"be the sizes of 1 to {MOST_GROUPS} groups"
        raise ArgumentError("sizes", sizes, rule, "sizes_missing")
    names = np.array([check.whole(size, "sizes", minimum=1, maximum=10**6) for size in groups])
    total = float(check.epsilon(epsilon))
    parts = np.ones(len(names)) if weights is None else _check_weights(weights, len(names))
    uniform = np.full(len(names), total / names.sum())
    if len(set(parts.tolist())) == 1:
        best, multiplier = uniform, float(parts[0] * np.exp(log_slope(uniform))[0])
    else:
        best, multiplier = _divided(names, parts, total)
    least = best_part(np.log(multiplier / parts))
    bound = float((names * (parts * tie_noise(least) + multiplier * least)).sum())
    return RosterSplit(
        epsilons=best,
        variance=float((names * parts * tie_noise(best)).sum()),
        uniform_variance=float((names * parts * tie_noise(uniform)).sum()),
        lower_bound=bound - multiplier * total,
        multiplier=multiplier,
    )


def _check_weights(weights: object, groups: int) -> FloatArray:
    rule = f"be {groups} numbers from 1e-9 to 1e9"
    parts = check.reals(weights, (groups,), "weights", rule)
    if not ((parts >= 1e-9) & (parts <= 1e9)).all():
        raise ArgumentError("weights", weights, rule, "not_positive")
    return parts


def tie_noise(epsilon: FloatArray) -> FloatArray:
    """Return the noise variance of a tie through the symmetric device, 1/(4 sinh(e/2)**2)."""
    return np.exp(-epsilon) / np.expm1(-epsilon) ** 2


def log_slope(epsilon: FloatArray) -> FloatArray:
    """Return the logarithm of how fast the noise variance falls, cosh(e/2)/(4 sinh(e/2)**3)."""
    return -epsilon + np.log1p(np.exp(-epsilon)) - 3 * np.log(-np.expm1(-epsilon))


def best_part(log_price: FloatArray) -> FloatArray:
    """Return for each tie the epsilon at which the variance falls as fast as the budget costs."""
    low = np.full(len(log_price), np.log(SMALLEST_PART))
    high = np.full(len(log_price), np.log(LARGEST_PART))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        steep = log_slope(np.exp(middle)) > log_price
        low, high = np.where(steep, middle, low), np.where(steep, high, middle)
    return np.exp((low + high) / 2)


def _divided(names: FloatArray, weights: FloatArray, total: float) -> tuple[FloatArray, float]:
    """Return the best parts, and the multiplier of the budget."""
    # At equal parts the variance falls between these fast, by the smallest and the largest weight.
    even = float(log_slope(np.array([total / names.sum()]))[0])
    low, high = even + np.log(weights.min()), even + np.log(weights.max())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        too_much = float(names @ best_part(middle - np.log(weights))) > total
        low, high = (middle, high) if too_much else (low, middle)
    parts = best_part((low + high) / 2 - np.log(weights))
    return parts * (total / float(names @ parts)), float(np.exp((low + high) / 2))
