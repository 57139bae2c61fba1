"""The least error of any mechanism at a given privacy, with a verifiable proof."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import floor

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_list
from rr_engine.errors import ArgumentError
from rr_engine.optimisation import proving
from rr_engine.optimisation.convex import GAP, Optimum, Program, minimise
from rr_engine.optimisation.joint_rays import (
    MOST_CATEGORIES as MOST_JOINT,
)
from rr_engine.optimisation.joint_rays import (
    chances_of,
    joint_chances,
    joint_rays,
    ratio_chances,
)
from rr_engine.optimisation.rounding import exact_shares
from rr_engine.privacy.loss import short_bounds

# 2**n rays for n categories.
MOST_CATEGORIES = 14


def posterior_rays(prior: FloatArray, delta: float) -> FloatArray:
    """Return the posteriors that suffice under a bound on the worst one, shape (rays, truths).

    Where the largest posterior belongs to a given truth, both the privacy and the bound are linear
    in the posterior, so spreading it to the vertices of that cell costs nothing and only adds
    information. The vertices: uniform on a set of at least 1 / delta truths, and delta on
    floor(1 / delta) truths with the rest on one more. Which sets these are is decided in rationals,
    so that entries are off by their own rounding alone.
    """
    size, exact = len(prior), Fraction(delta)
    most = floor(1 / exact)
    uniform = [
        _spread(size, chosen, np.full(count, 1 / count))
        for count in range(1, size + 1)
        if count * exact >= 1
        for chosen in combinations(range(size), count)
    ]
    rest = float(1 - most * exact)
    if rest == 0 or most >= size:
        return np.array(uniform)
    weights = np.array([delta] * most + [rest])
    capped = [
        _spread(size, (*chosen, last), weights)
        for chosen in combinations(range(size), most)
        for last in range(size)
        if last not in chosen
    ]
    return np.array(uniform + capped)


def ratio_rays(prior: FloatArray, epsilon: float) -> FloatArray:
    """Return the posteriors that suffice under a privacy loss: rows of 1 and e**epsilon."""
    size = len(prior)
    codes = np.arange(1, 2**size - 1)
    high = (codes[:, None] >> np.arange(size)) & 1
    joint = np.where(high == 1, 1.0, np.exp(-epsilon)) * prior
    return joint / joint.sum(axis=1, keepdims=True)


def check_category_limit(size: int) -> None:
    """Refuse more categories than all sets of them can be listed for."""
    if size > MOST_CATEGORIES:
        rule = f"have at most {MOST_CATEGORIES} categories: the bound looks at every set of them"
        raise ArgumentError(
            "prior", f"{size} categories", rule, "too_many_categories", MOST_CATEGORIES
        )


def _spread(size: int, positions: tuple[int, ...], weights: FloatArray) -> FloatArray:
    spread = np.zeros(size)
    spread[list(positions)] = weights
    return spread


MOST_RESPONDENTS = 10**15
ANY_POSTERIOR = 1.0
# With both bounds: largest epsilon that differs from no bound, and gap that counts as solved.
MOST_EPSILON, SOLVED = 20.0, 1e-3
# Initial rays, the most that are added in a round, and the weight that counts as zero.
FIRST_RAYS, MORE_RAYS, ROUNDS, SPENT = 600, 300, 40, 1e-7


def mse_lower_bound(
    prior: ArrayLike,
    n: int,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: object | None = None,
) -> proving.Certificate:
    """Return the least mean squared error of any mechanism, with any number of reports.

    Parameters
    ----------
    prior : array_like, shape (truths,)
        Proportions of the truths, all above 0; at most 14, which take some five seconds.
    n : int
        Number of respondents.
    privacy : float, optional
        At least this (OptRR Eq. 8): from 0 up to, and not including, 1 less the largest proportion.
    delta : float, optional
        The worst posterior at most this (OptRR Eq. 9); at least the largest proportion, below 1.
        Left out beside a privacy and an epsilon: 1, which every device keeps.
    epsilon : Decimal, str or float, optional
        The privacy loss at most this. Together with the others the bound is that of all at once
        for up to 10 truths and an epsilon of up to 20; beyond, the larger of two, which is true
        but need not be attained.

    Returns
    -------
    Certificate
        Its bound is rounded down and proved in whole, whatever the processor's rounding; its value
        is of a mechanism that keeps the constraints exactly, rounded up. Where next to no room is
        left (`delta` within 1e-5 of the largest proportion, `privacy` within 1e-9 of its end) both
        are true but may lie far apart.

    Raises
    ------
    DistributionError, ArgumentError, EpsilonError
        The message says what would be feasible; or that nothing could be proved, and which argument
        leaves too little room.

    References
    ----------
    .. [1] Z. Huang and W. Du, "OptRR: Optimizing Randomized Response Schemes for Privacy-Preserving
       Data Mining", ICDE 2008, Eq. 8 to 10.

    Examples
    --------
    >>> certificate = mse_lower_bound([0.25] * 4, 1000, privacy=0.5, delta=0.9)
    >>> round(certificate.bound * 1000, 4), certificate.gap < 1e-6  # (n-1)**2 / (n**2 (n A - 1))
    (0.5625, True)
    """
    return solve_bound(prior, n, privacy, delta, epsilon).certificate


# Overflow is refused instead of causing a warning.
@np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore")
def solve_bound(
    prior: ArrayLike,
    n: int,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: object | None = None,
) -> proving.BoundSolution:
    """Return the optimal weights of the rays as well; see :func:`mse_lower_bound`.

    References
    ----------
    Ours: a linear programme over the rays of the device's rows, and its dual;
    docs/methods/optimal.md.

    Examples
    --------
    >>> from rr_engine.optimisation import solve_bound
    >>> solved = solve_bound([0.4, 0.3, 0.2, 0.1], 1000, epsilon=2)
    >>> solved.certificate.gap < 1e-6
    True
    """
    shares, size = check_prior(prior), check_respondents(n)
    if epsilon is None and delta is None:
        raise ArgumentError("delta", delta, "be given, or epsilon", "constraint_missing")
    budget = None if epsilon is None else check.epsilon(epsilon)
    if budget is not None and delta is None and privacy is None:
        return _by_ratio(shares, size, budget)
    # A worst posterior of 1 is no constraint.
    levels = check_levels(shares, privacy, delta)
    if budget is None:
        return _by_posterior(shares, size, *levels)
    both = [partial(_by_both, shares, size, *levels, budget)]
    alone = [] if delta is None else [partial(_by_posterior, shares, size, *levels)]
    alone.append(partial(_by_ratio, shares, size, budget))
    return _best(both if solves_both(len(shares), budget) else [], alone)


def _best(
    first: Sequence[Callable[[], proving.BoundSolution]],
    others: Sequence[Callable[[], proving.BoundSolution]],
) -> proving.BoundSolution:
    """Return the first solution that converged, else the one with the largest proved bound."""
    solutions, refused = [], []
    for solver in (*first, *others):
        try:
            solution = solver()
        except ArgumentError as error:
            refused.append(error)
            continue
        if solver in first and solution.certificate.gap < SOLVED:
            return solution
        solutions.append(solution)
    if not solutions:
        raise refused[0]
    return max(solutions, key=lambda solution: solution.certificate.bound)


def solves_both(truths: int, epsilon: Decimal) -> bool:
    """Tell whether the optimum under delta and epsilon together is computed."""
    return truths <= MOST_JOINT and float(epsilon) <= MOST_EPSILON


def optimum_on(rays: FloatArray, certificate: proving.Certificate) -> FloatArray | None:
    """Return the best weights of some rays under the same constraints; None if infeasible."""
    guessing = None
    if certificate.delta is not None:
        guessing = 1 - max(certificate.privacy or 0.0, 1 - certificate.delta)
    if np.linalg.matrix_rank(rays) < len(certificate.prior):
        return None
    optimum = _optimum(rays, certificate.prior, guessing)
    if optimum is None or not optimum.converged:
        return None
    return optimum.weights[: len(rays)]


def check_prior(prior: ArrayLike) -> FloatArray:
    """Return proportions, all above zero, of at most the supported number."""
    values = as_list(prior)
    if values is None or len(values) < 2:
        rule = "be a list of 2 or more proportions"
        raise ArgumentError("prior", prior, rule, "prior_not_a_list")
    check_category_limit(len(values))
    shares = check.distribution(prior, len(values))
    if (shares == 0).any():
        rule = "have proportions above 0; leave such categories out"
        raise ArgumentError("prior", prior, rule, "prior_has_zero")
    return shares / shares.sum()


def check_respondents(n: int) -> int:
    """Return a number of respondents."""
    return check.whole(n, "n", minimum=1, maximum=MOST_RESPONDENTS)


def check_levels(
    prior: FloatArray, privacy: float | None, delta: float | None
) -> tuple[float, float]:
    """Return feasible levels of privacy and delta, or refuse with the feasible range."""
    largest = float(prior.max())
    worst = ANY_POSTERIOR if delta is None else check.probability(delta, "delta")
    # In rational arithmetic: a third has no exact float.
    if delta is not None and not (max(exact_shares(prior)) <= Fraction(worst) and worst < 1):
        rule = f"be at least the largest proportion ({largest:.6g}) and below 1"
        raise ArgumentError("delta", delta, rule, "below_largest_share", largest)
    level = 0.0 if privacy is None else check.real(privacy, "privacy")
    if not 0 <= level < 1 - largest:
        rule = f"be from 0 up to, and below, 1 less the largest proportion ({1 - largest:.6g})"
        raise ArgumentError("privacy", privacy, rule, "above_largest_rest", 1 - largest)
    return level, worst


def _by_posterior(prior: FloatArray, n: int, privacy: float, delta: float) -> proving.BoundSolution:
    rays = posterior_rays(prior, delta)
    claim = proving.Claim(prior, n, privacy, delta, None)
    optimum = _optimum(rays, prior, float(claim.limits.guessing or 0))
    return proving.prove(claim, chances_of(rays, prior), rays, optimum)


def _by_ratio(prior: FloatArray, n: int, epsilon: Decimal) -> proving.BoundSolution:
    rays = ratio_rays(prior, float(epsilon))
    chances = ratio_chances(len(prior), short_bounds(epsilon)[1])
    claim = proving.Claim(prior, n, None, None, epsilon)
    return proving.prove(claim, chances, rays, _optimum(rays, prior, None))


def _by_both(
    prior: FloatArray, n: int, privacy: float, delta: float, epsilon: Decimal
) -> proving.BoundSolution:
    rays = joint_rays(prior, delta, float(epsilon))
    claim = proving.Claim(prior, n, privacy, delta, epsilon)
    used, optimum = _generate_columns(rays, prior, float(claim.limits.guessing or 0))
    chances = joint_chances(prior, delta, short_bounds(epsilon)[1])
    return proving.prove(claim, chances, rays[used], optimum)


def _generate_columns(
    rays: FloatArray, prior: FloatArray, guessing: float
) -> tuple[IntArray, Optimum | None]:
    """Generate columns: solve on a few rays and add those that the prices do not cover.

    With tens of thousands of rays, many nearly alike, the program itself is slow and uneven. A ray
    c with the vector ``a = H (c / pi)`` is covered while ``|X^-1 a|**2 + y . c + y_g max(c) <= 0``,
    y the multipliers of the averages and y_g, never above zero, that of guessing right.
    """
    used = np.unique(np.linspace(0, len(rays) - 1, FIRST_RAYS).round().astype(int))
    basis = scipy.linalg.helmert(len(prior))
    highest = rays.max(axis=1)
    optimum = None
    for _ in range(ROUNDS):
        optimum = _optimum(rays[used], prior, guessing)
        inverse = None if optimum is None else proving.inverse_information(optimum)
        if optimum is None or inverse is None:
            break
        root = (rays / prior) @ basis.T @ inverse
        short = (root**2).sum(axis=1) + rays @ optimum.multipliers[:-1]
        short += highest * min(0.0, float(optimum.multipliers[-1]))
        short[used] = -np.inf
        worst = np.argsort(short)[-MORE_RAYS:]
        missing = worst[short[worst] > GAP / 2 * np.trace(inverse)]
        if not len(missing):
            break
        active = used[optimum.weights[:-1] > SPENT * optimum.weights.max()]
        used = np.unique(np.concatenate([[0], active, missing]))
    return used, optimum


def _optimum(rays: FloatArray, prior: FloatArray, guessing: float | None) -> Optimum | None:
    """Minimise over the weights, which make the posteriors average to the prior.

    The vectors are ``a = H (c / pi)``, H the Helmert contrasts, and the equations ``sum s c = pi``.
    A bound g on guessing right is one more, with a slack: ``sum s max(c) + slack = g``.

    None where the rays together say nothing of some difference, as far as floats can tell.
    """
    directions = (rays / prior) @ scipy.linalg.helmert(len(prior)).T
    equations, totals = rays.T, prior
    if guessing is not None:
        directions = np.vstack([directions, np.zeros(directions.shape[1])])
        below = np.vstack([rays.T, rays.max(axis=1)])
        slack = np.zeros((len(below), 1))
        slack[-1] = 1.0
        equations, totals = np.hstack([below, slack]), np.append(prior, guessing)
    try:
        return minimise(Program(directions, equations, totals))
    except np.linalg.LinAlgError:
        return None
