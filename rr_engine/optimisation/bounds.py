"""How accurate any mechanism at all can be at a given privacy, with a proof to be checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt
from scipy.linalg import helmert

from rr_engine.errors import ArgumentError
from rr_engine.optimisation.convex import Optimum, Program, minimise
from rr_engine.optimisation.joint_rays import MOST_CATEGORIES as MOST_JOINT
from rr_engine.optimisation.joint_rays import joint_rays
from rr_engine.optimisation.rays import check_size, posterior_rays, ratio_rays
from rr_engine.validation import (
    FloatArray,
    IntArray,
    check_distribution,
    check_epsilon,
    check_probability,
    check_real,
    check_whole,
    listed,
)

GAP = 1e-7
MOST_RESPONDENTS = 10**15
# Rationals of a certificate keep this many bits, so that checking stays quick.
BITS = 60
ANY_POSTERIOR = 1.0
# Relative, of a few sums and products of floats.
ROUNDING = 1e-15
# With both bounds: the largest epsilon that is told from none, and the gap that counts as solved.
MOST_EPSILON, SOLVED = 20.0, 1e-3
# Rays to begin with, at most so many more in each round, and the weight that is none.
FIRST_RAYS, MORE_RAYS, ROUNDS, SPENT = 600, 300, 40, 1e-7
# Added to an epsilon whose rays are checked beside a bound on the posterior.
HAIR = 1e-11


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """A proof that no mechanism within the constraints has a smaller error.

    Attributes
    ----------
    prior : ndarray, shape (n,)
    n : int
        Number of respondents.
    delta, privacy : float or None
        The constraints of OptRR Eq. 9 and 8; None where they do not bind (epsilon alone).
    epsilon : Decimal or None
    matrix : ndarray, shape (n, n)
        W, symmetric with rows that sum to zero.
    prices : ndarray, shape (n,)
        lambda.
    privacy_price : float
        mu, at least 0.
    bound : float
        The mean squared error that every mechanism within the constraints has at least.
    value : float
        What the mechanism that was found attains, at least `bound`.
    """

    prior: FloatArray
    n: int
    delta: float | None
    privacy: float | None
    epsilon: object | None
    matrix: FloatArray
    prices: FloatArray
    privacy_price: float
    bound: float
    value: float

    @property
    def gap(self) -> float:
        """Relative distance between what is attained and what is proved."""
        return self.value / self.bound - 1


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Rays, the weights that are optimal on them, and the certificate."""

    rays: FloatArray
    weights: FloatArray
    certificate: Certificate


def mse_lower_bound(
    prior: npt.ArrayLike,
    n: int,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: object | None = None,
) -> Certificate:
    """Return the least mean squared error of any mechanism, with any number of reports.

    Parameters
    ----------
    prior : array_like, shape (truths,)
        Proportions of the truths, all above 0; at most 14.
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

    Raises
    ------
    DistributionError, ArgumentError, EpsilonError
        The message says what would be feasible.

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


def solve_bound(
    prior: npt.ArrayLike,
    n: int,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: object | None = None,
) -> Solved:
    """Return the optimal weights of the rays as well; see :func:`mse_lower_bound`."""
    shares, size = check_prior(prior), check_respondents(n)
    if epsilon is None and delta is None:
        raise ArgumentError("delta", delta, "be given, or epsilon")
    budget = None if epsilon is None else check_epsilon(epsilon)
    if delta is None and privacy is None:
        return _by_ratio(shares, size, budget)
    # A worst posterior of 1 is none.
    levels = check_levels(shares, privacy, delta)
    if budget is None:
        return _by_posterior(shares, size, *levels)
    found = []
    if solves_both(len(shares), budget):
        found.append(_by_both(shares, size, *levels, budget))
        if found[0].certificate.gap < SOLVED:
            return found[0]
    found += [] if delta is None else [_by_posterior(shares, size, *levels)]
    found.append(_by_ratio(shares, size, budget))
    return max(found, key=lambda solved: solved.certificate.bound)


def solves_both(truths: int, epsilon: Decimal) -> bool:
    """Tell whether delta and epsilon together are solved for, and not each on its own."""
    return truths <= MOST_JOINT and float(epsilon) <= MOST_EPSILON


def optimum_on(rays: FloatArray, certificate: Certificate) -> FloatArray | None:
    """Return the best weights of some of the rays under the same constraints; None if none do."""
    guessing = None
    if certificate.delta is not None:
        guessing = 1 - max(certificate.privacy, 1 - certificate.delta)
    if np.linalg.matrix_rank(rays) < len(certificate.prior):
        return None
    try:
        optimum = _optimum(rays, certificate.prior, guessing)
    except np.linalg.LinAlgError:
        return None
    return optimum.weights[: len(rays)] if optimum.converged else None


def check_prior(prior: npt.ArrayLike) -> FloatArray:
    """Return proportions that are all above zero and few enough."""
    given = listed(prior)
    if given is None or len(given) < 2:
        raise ArgumentError("prior", prior, "be a list of 2 or more proportions")
    check_size(len(given))
    shares = check_distribution(prior, len(given))
    if (shares == 0).any():
        raise ArgumentError("prior", prior, "have proportions above 0; leave such categories out")
    return shares / shares.sum()


def check_respondents(n: int) -> int:
    """Return a number of respondents."""
    return check_whole(n, "n", minimum=1, maximum=MOST_RESPONDENTS)


def check_levels(
    prior: FloatArray, privacy: float | None, delta: float | None
) -> tuple[float, float]:
    """Return privacy and delta that some mechanism reaches, or say what would be feasible."""
    largest = float(prior.max())
    worst = ANY_POSTERIOR if delta is None else check_probability(delta, "delta")
    if delta is not None and not largest <= worst < 1:
        rule = f"be at least the largest proportion ({largest:.6g}) and below 1"
        raise ArgumentError("delta", delta, rule)
    wanted = 0.0 if privacy is None else check_real(privacy, "privacy")
    if not 0 <= wanted < 1 - largest:
        rule = f"be from 0 up to, and below, 1 less the largest proportion ({1 - largest:.6g})"
        raise ArgumentError("privacy", privacy, rule)
    return wanted, worst


def _by_posterior(prior: FloatArray, n: int, privacy: float, delta: float) -> Solved:
    rays = posterior_rays(prior, delta)
    # No mechanism can guess better than delta, so a weaker demand does not bind.
    guessing = 1 - max(privacy, 1 - delta)
    optimum = _optimum(rays, prior, guessing)
    prices, price = -optimum.multipliers[:-1], max(0.0, -float(optimum.multipliers[-1]))
    certificate = _certified(rays, prior, n, optimum, prices, price, guessing)
    return Solved(rays, optimum.weights[:-1], _named(certificate, privacy, delta, None))


def _by_ratio(prior: FloatArray, n: int, epsilon: object) -> Solved:
    rays = ratio_rays(prior, float(epsilon))
    optimum = _optimum(rays, prior, None)
    certificate = _certified(rays, prior, n, optimum, -optimum.multipliers, 0.0, 0.0)
    return Solved(rays, optimum.weights, _named(certificate, None, None, epsilon))


def _by_both(prior: FloatArray, n: int, privacy: float, delta: float, epsilon: object) -> Solved:
    rays = joint_rays(prior, delta, float(epsilon))
    guessing = 1 - max(privacy, 1 - delta)
    used, optimum = _generated(rays, prior, guessing)
    prices, price = -optimum.multipliers[:-1], max(0.0, -float(optimum.multipliers[-1]))
    # The check in rationals rounds e**epsilon up: prices that cover a hair more hold there too.
    wider = joint_rays(prior, delta, float(epsilon) + HAIR)
    certificate = _certified(wider, prior, n, optimum, prices, price, guessing)
    weights = optimum.weights[:-1]
    return Solved(rays[used], weights, _named(certificate, privacy, delta, epsilon))


def _generated(rays: FloatArray, prior: FloatArray, guessing: float) -> tuple[IntArray, Optimum]:
    """Solve on a few rays, and again with those that the prices do not cover, until all are.

    With tens of thousands of rays, many nearly alike, the program itself is slow and uneven.
    """
    used = np.unique(np.linspace(0, len(rays) - 1, FIRST_RAYS).round().astype(int))
    basis = helmert(len(prior))
    highest = rays.max(axis=1)
    for _ in range(ROUNDS):
        optimum = _optimum(rays[used], prior, guessing)
        root = (rays / prior) @ basis.T @ np.linalg.inv(optimum.information)
        short = (root**2).sum(axis=1) + rays @ optimum.multipliers[:-1]
        short += highest * min(0.0, float(optimum.multipliers[-1]))
        short[used] = -np.inf
        worst = np.argsort(short)[-MORE_RAYS:]
        missing = worst[short[worst] > GAP / 2 * np.trace(np.linalg.inv(optimum.information))]
        if not len(missing):
            break
        kept = used[optimum.weights[:-1] > SPENT * optimum.weights.max()]
        used = np.unique(np.concatenate([[0], kept, missing]))
    return used, optimum


def _optimum(rays: FloatArray, prior: FloatArray, guessing: float | None) -> Optimum:
    """Minimise over the weights, which make the posteriors average to the prior."""
    directions = (rays / prior) @ helmert(len(prior)).T
    equations, totals = rays.T, prior
    if guessing is not None:
        directions = np.vstack([directions, np.zeros(directions.shape[1])])
        below = np.vstack([rays.T, rays.max(axis=1)])
        slack = np.zeros((len(below), 1))
        slack[-1] = 1.0
        equations, totals = np.hstack([below, slack]), np.append(prior, guessing)
    return minimise(Program(directions, equations, totals), GAP)


def _certified(
    rays: FloatArray,
    prior: FloatArray,
    n: int,
    optimum: Optimum,
    prices: FloatArray,
    price: float,
    guessing: float,
) -> Certificate:
    basis = helmert(len(prior))
    inverse = np.linalg.inv(optimum.information)
    matrix = _coarse(basis.T @ inverse @ basis)
    matrix = (matrix + matrix.T) / 2
    needed = (((rays / prior) @ matrix) ** 2).sum(axis=1)
    offered = rays @ prices + price * rays.max(axis=1)
    # Posteriors sum to one: raising every price raises every offer, until all are enough.
    prices = _coarse(prices + max(0.0, float((needed - offered).max())) + 1e-12 * needed.max())
    cost = float(prices @ prior + price * guessing)
    # Where large prices cancel, their rounding is not small beside what is left of them.
    cost += ROUNDING * float(np.abs(prices) @ prior + price * guessing)
    bound = float(np.trace(matrix)) ** 2 / cost
    count = len(prior)
    return Certificate(
        prior=prior,
        n=n,
        delta=None,
        privacy=None,
        epsilon=None,
        matrix=matrix,
        prices=prices,
        privacy_price=price,
        bound=bound / (count * n) * (1 - 1e-12),
        value=float(np.trace(inverse)) / (count * n),
    )


def _named(
    certificate: Certificate, privacy: float | None, delta: float | None, epsilon: object | None
) -> Certificate:

    return replace(certificate, privacy=privacy, delta=delta, epsilon=epsilon)


def _coarse(values: FloatArray) -> FloatArray:
    """Round to BITS bits below the largest entry: exact in rationals, and short."""
    scale = 2.0 ** (BITS - 12 - int(np.ceil(np.log2(np.abs(values).max()))))
    return np.round(values * scale) / scale
