"""Repair of searched matrices: stochastic columns, and bounds satisfied."""

import numpy as np

from rr_engine.validation import FloatArray

# Relative: of bounds that are kept, and of a posterior that counts as kept.
HAIR, SLACK = 1e-14, 5e-13


def make_stochastic(matrices: FloatArray) -> FloatArray:
    """Return matrices without negative entries, whose columns sum to one."""
    positive = np.maximum(matrices, 0.0)
    return positive / positive.sum(axis=-2, keepdims=True)


def mix_within_bounds(
    matrices: FloatArray, prior: FloatArray, delta: float, epsilon: float | None = None
) -> FloatArray:
    """Mix each matrix with an uninformative one, just enough to satisfy its bounds.

    Parameters
    ----------
    matrices : ndarray, shape (many, reports, truths)
    prior : ndarray, shape (truths,)
    delta : float
        Bound on the worst posterior, above the largest entry of the prior.
    epsilon : float, optional
        Bound on the privacy loss.

    Returns
    -------
    ndarray, shape (many, reports, truths)

    Notes
    -----
    The other matrix has the mean of each row, whatever the truth: its posteriors are the prior and
    its loss is zero. Both bounds are linear in each row, so the share of it that a row needs is a
    quotient; columns sum to what they did. (Reported shares instead of means would be as silent,
    but so small for reports about rare truths that they would have to replace nearly everything.)
    """
    reported = (matrices @ prior)[:, :, None]
    joint = matrices * prior
    silent = matrices.mean(axis=2, keepdims=True)
    # With an epsilon, bounds a hair tighter than asked for, so that what is rounded keeps them too.
    # Without one a matrix may rule truths out; an excess over delta that
    # depends on the processor's rounding would not justify its zeros.
    worst = delta * (1 + SLACK if epsilon is None else 1 - HAIR)
    shares = [_share(joint - worst * reported, (prior - worst) * silent)]
    if epsilon is not None:
        highest, lowest = matrices.max(axis=2), matrices.min(axis=2)
        ratio = np.exp(epsilon) * (1 - HAIR)
        shares.append(_share(highest - ratio * lowest, (1 - ratio) * silent[:, :, 0]))
    share = np.maximum(*shares) if len(shares) == 2 else shares[0]
    # Slightly more than needed, so that rounding does not undo it.
    share = np.where(share > 0, np.minimum(share * (1 + 1e-12) + 1e-15, 1.0), 0.0)[:, None, None]
    return (1 - share) * matrices + share * silent


def _share(over: FloatArray, silent: FloatArray) -> FloatArray:
    """Return how much of a matrix with `silent` < 0 brings the largest `over` to zero."""
    needed = np.where(over > 0, over, 0.0) / np.where(over > 0, over - silent, 1.0)
    return needed.reshape(len(over), -1).max(axis=1)
