"""Devices with any number of reports that keep a worst posterior and a privacy loss at once."""

import numpy as np

from rr_engine.optimisation.bounds import Certificate, Solved, optimum_on
from rr_engine.optimisation.mechanisms import optimal_mechanism
from rr_engine.optimisation.rays import ratio_rays
from rr_engine.validation import FloatArray


def best_within(certificate: Certificate, epsilon: float) -> FloatArray | None:
    """Return the best device on capped ratio rays at one privacy; None when none keeps it.

    Parameters
    ----------
    certificate : Certificate
        With `delta` and `privacy`.
    epsilon : float

    Returns
    -------
    ndarray, shape (reports, truths), or None
    """
    rays = capped_rays(certificate.prior, certificate.delta, epsilon)
    weights = optimum_on(rays, certificate)
    if weights is None:
        return None
    return optimal_mechanism(Solved(rays, weights, certificate)).matrix


def capped_rays(prior: FloatArray, delta: float, epsilon: float) -> FloatArray:
    """Return ratio rays mixed with the prior until none is above delta, shape (rays, truths).

    Mixing with the prior, the posterior of a report that tells nothing, brings the ratio of the
    chances of a report only nearer to 1. The prior itself is among them.
    """
    rays = np.vstack([ratio_rays(prior, epsilon), prior])
    over = rays - delta
    excess = np.where(over > 0, over, 0.0)
    share = (excess / np.where(over > 0, rays - prior, 1.0)).max(axis=1, keepdims=True)
    return (1 - share) * rays + share * prior
