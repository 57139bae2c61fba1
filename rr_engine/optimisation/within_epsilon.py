"""Devices with any number of reports that keep a worst posterior and a privacy loss at once."""

import numpy as np

from rr_engine.optimisation.bounds import optimum_on
from rr_engine.optimisation.mechanisms import optimal_mechanism
from rr_engine.optimisation.proving import BoundSolution, Certificate
from rr_engine.optimisation.rays import posterior_rays, ratio_rays
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
    # Without a delta no posterior is excluded.
    delta = 1.0 if certificate.delta is None else certificate.delta
    rays = capped_rays(certificate.prior, delta, epsilon)
    weights = optimum_on(rays, certificate)
    if weights is None:
        return None
    return optimal_mechanism(BoundSolution(rays, weights, certificate)).matrix


def capped_rays(prior: FloatArray, delta: float, epsilon: float) -> FloatArray:
    """Return the rays of either bound, mixed with the prior until they satisfy the other too.

    The prior is the posterior of a report that tells nothing: mixing with it brings the ratio of
    a report's chances nearer to 1 and its largest posterior nearer to the largest share.

    Returns
    -------
    ndarray, shape (rays, truths)
    """
    ratio, posterior = ratio_rays(prior, epsilon), posterior_rays(prior, delta)
    over = ratio - delta
    above = over > 0
    share = np.where(above, over, 0.0) / np.where(above, ratio - prior, 1.0)
    capped = _mix(ratio, share.max(axis=1), prior)
    chances = posterior / prior
    factor = np.exp(epsilon)
    excess = np.maximum(chances.max(axis=1) - factor * chances.min(axis=1), 0.0)
    mixed = _mix(posterior, excess / (excess + factor - 1), prior)
    return np.vstack([capped, mixed, prior])


def _mix(rays: FloatArray, share: FloatArray, prior: FloatArray) -> FloatArray:
    return (1 - share[:, None]) * rays + share[:, None] * prior
