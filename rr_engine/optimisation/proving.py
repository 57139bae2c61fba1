"""From a solution in floats to a valid certificate and a mechanism that attains its value."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import scipy

from rr_engine.arrays import FloatArray
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.convex import Optimum
from rr_engine.optimisation.joint_rays import Chances, covering_prices, laplacian
from rr_engine.optimisation.nearest_mechanism import AttainedMechanism, Limits, nearest_mechanism
from rr_engine.optimisation.rounding import exact_shares, fractions, round_down, round_up


@dataclass(frozen=True, slots=True, eq=False)
class Certificate(Shown):
    """A proof that no mechanism within the constraints has a smaller error.

    Attributes
    ----------
    prior : ndarray, shape (n,)
        Taken as the fractions that its floats are over their sum.
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
        The mean squared error that every mechanism within the constraints has at least, rounded
        down.
    value : float
        What a mechanism within the constraints that was found attains, rounded up.

    Examples
    --------
    >>> from rr_engine.optimisation import mse_lower_bound
    >>> proof = mse_lower_bound([0.25] * 4, 1000, privacy=0.5, delta=0.9)
    >>> round(proof.bound * 1000, 4), proof.n, proof.prior.tolist()
    (0.5625, 1000, [0.25, 0.25, 0.25, 0.25])
    """

    prior: FloatArray
    n: int
    delta: float | None
    privacy: float | None
    epsilon: Decimal | None
    matrix: FloatArray
    prices: FloatArray
    privacy_price: float
    bound: float
    value: float

    @property
    def gap(self) -> float:
        """Relative distance between what is attained and what is proved, never below 0."""
        return self.value / self.bound - 1


@dataclass(frozen=True, slots=True, eq=False)
class BoundSolution:
    """Rays, weights that are optimal on them and keep the constraints, and the certificate."""

    rays: FloatArray
    weights: FloatArray
    certificate: Certificate


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """The problem that a certificate is about."""

    prior: FloatArray
    n: int
    privacy: float | None
    delta: float | None
    epsilon: Decimal | None

    @property
    def limits(self) -> Limits:
        return Limits.of(self.privacy, self.delta, self.epsilon)


def prove(
    claim: Claim, chances: Chances, rays: FloatArray, optimum: Optimum | None
) -> BoundSolution:
    """Return a certificate that holds on every ray, and the mechanism whose error is its value.

    Parameters
    ----------
    claim : Claim
    chances : Chances
        Every ray that mechanisms within the limits need.
    rays : ndarray, shape (some, truths)
        Those that the optimum weighs.
    optimum : Optimum or None
        Taken as a guess: nothing of the proof rests on how nearly it was solved.

    Raises
    ------
    ArgumentError
        Where the guess proves nothing, or no mechanism was found that surely keeps the limits.
    """
    dual = None if optimum is None else _dual(claim, chances, optimum)
    if optimum is None or dual is None:
        raise _refusal(claim)
    mechanism = nearest_mechanism(
        optimum.weights[: len(rays), None] * rays, claim.prior, claim.limits
    )
    error = np.inf if mechanism is None else mechanism.error()
    if mechanism is None or not np.isfinite(error):
        raise _refusal(claim)
    certificate = Certificate(
        prior=claim.prior,
        n=claim.n,
        delta=claim.delta,
        privacy=claim.privacy,
        epsilon=claim.epsilon,
        matrix=dual.matrix,
        prices=dual.prices,
        privacy_price=dual.privacy_price,
        bound=dual.bound,
        value=round_up(Fraction(error) / (len(claim.prior) * claim.n)),
    )
    return BoundSolution(*_weigh_rays(mechanism), certificate)


@dataclass(frozen=True, slots=True, eq=False)
class _Dual:
    """W, prices that cover it, the price of guessing, and the bound that they prove."""

    matrix: FloatArray
    prices: FloatArray
    privacy_price: float
    bound: float


def _dual(claim: Claim, chances: Chances, optimum: Optimum) -> _Dual | None:
    """Return W, prices that cover it, and the proved bound; None without a positive one.

    From the optimum: ``W = H' X^-1 H`` (rounded to a Laplacian, whose rows sum to zero), and the
    prices are the multipliers of its equations with the sign turned.
    """
    inverse, guessing = inverse_information(optimum), claim.limits.guessing
    if inverse is None:
        return None
    basis = scipy.linalg.helmert(len(claim.prior))
    matrix = laplacian(basis.T @ inverse @ basis)
    demands, price = -optimum.multipliers, 0.0
    if guessing is not None:
        demands, price = demands[:-1], max(0.0, float(demands[-1]))
    prices = covering_prices(chances, claim.prior, matrix, demands, price)
    if prices is None:
        return None
    pairs = zip(fractions(prices), exact_shares(claim.prior), strict=True)
    cost = sum((factor * share for factor, share in pairs), start=Fraction())
    cost += Fraction(price) * (guessing or 0)
    trace = sum(fractions(np.diag(matrix)))
    if cost <= 0 or trace <= 0:
        return None
    bound = round_down(trace**2 / cost / (len(claim.prior) * claim.n))
    if bound <= 0:
        return None
    return _Dual(matrix, prices, price, bound)


def inverse_information(optimum: Optimum) -> FloatArray | None:
    """Return the inverse information; None where it is not finite."""
    try:
        inverse = np.asarray(np.linalg.inv(optimum.information), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    numbers = (inverse, optimum.weights, optimum.multipliers)
    return inverse if all(np.isfinite(part).all() for part in numbers) else None


def _weigh_rays(mechanism: AttainedMechanism) -> tuple[FloatArray, FloatArray]:
    joint = mechanism.joint
    weights = joint.sum(axis=1)
    return joint / weights[:, None], weights


def _refusal(claim: Claim) -> ArgumentError:
    """Return the error that names the tightest constraint."""
    largest = float(claim.prior.max())
    rooms = {"prior": float(claim.prior.min())}
    if claim.delta is not None:
        rooms["delta"], rooms["privacy"] = claim.delta - largest, 1 - largest - (claim.privacy or 0)
    rules = {
        "prior": f"have no proportion as small as {claim.prior.min():.2g}: merge rare categories",
        "delta": f"lie further above the largest proportion ({largest:.6g})",
        "privacy": f"lie further below 1 less the largest proportion ({1 - largest:.6g})",
    }
    if claim.epsilon is not None:
        rooms["epsilon"] = float(claim.epsilon)
        rules["epsilon"] = "be larger"
    name = min(rooms, key=rooms.__getitem__)
    rule = f"{rules[name]}; no bound and no device that keeps it could be proved"
    return ArgumentError(name, getattr(claim, name), rule, "bound_not_proved")
