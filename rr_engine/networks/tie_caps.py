"""A cap on the ties that a person may name: how the budget is divided, its gain and its cost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, as_array, as_list
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.roots import halve

MOST_GROUPS = 1_000
# Smallest and largest part of the budget, and halvings that leave nothing of such an interval.
SMALLEST_PART, LARGEST_PART, HALVINGS = 1e-60, 1e3, 70


@dataclass(frozen=True, slots=True, eq=False)
class RosterSplit(Shown):
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

    Examples
    --------
    >>> from rr_engine.networks import split_roster
    >>> split = split_roster([10, 20], "6", weights=[8, 1])
    >>> split.epsilons.round(2).tolist(), split.variance < split.uniform_variance
    ([0.3, 0.15], True)
    """

    epsilons: FloatArray
    variance: float
    uniform_variance: float
    lower_bound: float
    multiplier: float


def split_roster(
    sizes: Sequence[int], epsilon: Epsilon, weights: ArrayLike | None = None
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
    ends = halve(lambda part: log_slope(np.exp(part)) > log_price, low, high, HALVINGS)
    return np.exp(np.mean(ends, axis=0))


def _divided(names: FloatArray, weights: FloatArray, total: float) -> tuple[FloatArray, float]:
    """Return the best parts, and the multiplier of the budget."""
    # At equal parts the variance falls between these fast, by the smallest and the largest weight.
    even = float(log_slope(np.array([total / names.sum()]))[0])
    low, high = even + np.log(weights.min()), even + np.log(weights.max())

    def too_much(log_price: float) -> bool:
        return float(names @ best_part(log_price - np.log(weights))) > total

    multiplier = np.mean(halve(too_much, low, high, HALVINGS))
    parts = best_part(multiplier - np.log(weights))
    return parts * (total / float(names @ parts)), float(np.exp(multiplier))


LARGEST_ROSTER = 1_000_000
MOST_CAPS = 1_000
TARGETS = ("ties_error", "mutual_error")


@dataclass(frozen=True, slots=True)
class TieCap(Shown):
    """Expected errors with one cap on the ties that a person may name.

    Attributes
    ----------
    most_ties : int or None
        None for no cap.
    tie_epsilon : float
        What is left for each tie: the person's budget over ``min(2 k, roster)``.
    ties, mutual : float
        True numbers that the guess expects.
    ties_noise, mutual_noise : float
        Standard errors from the device.
    ties_lost, mutual_lost : float
        Ties, and mutual ties, that the cap is expected to hide: a bias.
    ties_error, mutual_error : float
        Root mean square of both.
    mean_degree_error : float
        That of the ties, for each person.
    best_for : tuple of str
        Of which of "ties_error" and "mutual_error" this is the first cap with the least.

    Examples
    --------
    >>> from rr_engine.networks import compare_tie_caps
    >>> caps = compare_tie_caps(185, 184, "8", [10, 20], 0.04)
    >>> [(cap.most_ties, round(cap.ties_error)) for cap in caps if "ties_error" in cap.best_for]
    [(10, 461)]
    """

    most_ties: int | None
    tie_epsilon: float
    ties: float
    mutual: float
    ties_noise: float
    ties_lost: float
    ties_error: float
    mean_degree_error: float
    mutual_noise: float
    mutual_lost: float
    mutual_error: float
    best_for: tuple[str, ...] = ()


def compare_tie_caps(
    people: int,
    roster: int,
    epsilon: Epsilon,
    caps: Sequence[int],
    ties: float | ArrayLike,
    *,
    reciprocity: float | None = None,
) -> list[TieCap]:
    """Compare caps on the ties that a person may name, at one budget for each person.

    Parameters
    ----------
    people : int
        Who report.
    roster : int
        Names on the roster of each.
    epsilon : Decimal, str or float
        Of all that a person reports.
    caps : sequence of int
        "Name up to k", each from 1 to the roster.
    ties : float, or array_like of float, shape (roster + 1,)
        A guess: the density, with a binomial number of ties for each person; or the shares of
        people with 0, 1, ... ties.
    reciprocity : float, optional
        Share of ties that are returned; the density when left out.

    Returns
    -------
    list of TieCap
        No cap first, then each of `caps`.

    Raises
    ------
    EpsilonError, ArgumentError, DistributionError

    Notes
    -----
    docs/methods/network-privacy.md, "A cap". Two sets of at most k ties differ in at most
    ``min(2 k, roster)`` names. Who has more than k ties names k of them at random, which leaves
    the share ``c = E min(d, k) / E d`` of the ties and ``c**2`` of the mutual ones.
    With v the noise variance of a tie the number of ties has ``people roster v``, that of mutual
    ones ``v`` times the ties reported and ``v**2`` times the pairs.

    References
    ----------
    Ours: from the variances of products of independent scores, docs/methods/network-privacy.md.

    Examples
    --------
    >>> for cap in compare_tie_caps(185, 184, "8", [10, 20], 0.04):
    ...     print(cap.most_ties, round(cap.tie_epsilon, 3), round(cap.ties_noise),
    ...           round(cap.ties_lost), cap.best_for)
    None 0.043 4243 0 ()
    10 0.4 458 47 ('ties_error', 'mutual_error')
    20 0.2 921 0 ()
    """
    size = check.size(people, "people")
    names = check.whole(roster, "roster", minimum=1, maximum=LARGEST_ROSTER)
    budget, limits = check.epsilon(epsilon), as_list(caps)
    if limits is None or len(limits) > MOST_CAPS:
        rule = f"be a list of at most {MOST_CAPS} caps"
        raise ArgumentError("caps", caps, rule, "not_a_whole_number")
    bounds = [check.whole(cap, "caps", minimum=1, maximum=names) for cap in limits]
    shares = _degree_shares(ties, names)
    mean = float(shares @ np.arange(names + 1))
    returned = (
        mean / names if reciprocity is None else check.probability(reciprocity, "reciprocity")
    )
    guess = _Guess(size, names, float(budget), shares, min(returned, 1.0))
    compared = [guess.expected(None), *(guess.expected(cap) for cap in bounds)]
    best = {
        target: min(range(len(compared)), key=lambda place: getattr(compared[place], target))
        for target in TARGETS
    }
    return [
        replace(cap, best_for=tuple(target for target in TARGETS if best[target] == place))
        for place, cap in enumerate(compared)
    ]


def _degree_shares(ties: object, names: int) -> FloatArray:
    """Return the shares of people with 0, 1, ... ties."""
    array = as_array(ties)
    if array is not None and array.ndim:
        return check.distribution(ties, names + 1, "ties")
    density = check.probability(ties, "ties")
    counts = np.arange(names + 1)
    ways = gammaln(names + 1) - gammaln(counts + 1) - gammaln(names - counts + 1)
    chances = np.exp(ways + xlogy(counts, density) + xlog1py(names - counts, -density))
    return chances / chances.sum()


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """The people who are asked, and the shares of people with 0, 1, ... ties."""

    people: int
    names: int
    epsilon: float
    shares: FloatArray
    reciprocity: float

    def expected(self, cap: int | None) -> TieCap:
        """Return the errors with one cap."""
        counts = np.arange(self.names + 1)
        mean = float(self.shares @ counts)
        named = mean if cap is None else float(self.shares @ np.minimum(counts, cap))
        left = named / mean if mean else 1.0
        part = self.epsilon / (self.names if cap is None else min(2 * cap, self.names))
        noise = float(tie_noise(np.array([part]))[0])
        bits, ties = float(self.people) * self.names, self.people * mean
        mutual = ties * self.reciprocity / 2
        ties_noise = sqrt(bits * noise)
        mutual_noise = sqrt(noise * ties * left + noise**2 * bits / 2)
        ties_lost, mutual_lost = ties * (1 - left), mutual * (1 - left**2)
        return TieCap(
            most_ties=cap,
            tie_epsilon=part,
            ties=ties,
            mutual=mutual,
            ties_noise=ties_noise,
            ties_lost=ties_lost,
            ties_error=hypot(ties_noise, ties_lost),
            mean_degree_error=hypot(ties_noise, ties_lost) / self.people,
            mutual_noise=mutual_noise,
            mutual_lost=mutual_lost,
            mutual_error=hypot(mutual_noise, mutual_lost),
        )
