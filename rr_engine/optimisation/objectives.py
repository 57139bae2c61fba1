"""Privacy and error of many matrices at once, and the repair of those that break a bound."""

import numpy as np

from rr_engine.arrays import FloatArray


def evaluate(matrices: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return privacy, error and worst posterior of each matrix.

    Parameters
    ----------
    matrices : ndarray, shape (many, reports, truths)
    prior : ndarray, shape (truths,)

    Returns
    -------
    privacy : ndarray, shape (many,)
        OptRR Eq. 8.
    error : ndarray, shape (many,)
        OptRR Eq. 10 for one respondent: ``(tr J^-1 - |pi|^2) / t`` for t truths; infinite where
        reports do not determine the proportions.
    worst : ndarray, shape (many,)
        OptRR Eq. 9.
    """
    joint = matrices * prior
    reported = joint.sum(axis=2)
    guessed = joint.max(axis=2)
    privacy = 1 - guessed.sum(axis=1)
    possible = np.maximum(reported, np.finfo(float).tiny)
    worst = (guessed / possible).max(axis=1)
    return privacy, _errors(matrices, possible, prior), worst


def _errors(matrices: FloatArray, reported: FloatArray, prior: FloatArray) -> FloatArray:
    """Return ``(tr J^-1 - |pi|^2) / t``, J = P' diag(1/lam) P, by the eigenvalues of J."""
    information = np.swapaxes(matrices / reported[:, :, None], 1, 2) @ matrices
    values = np.linalg.eigvalsh(information)
    solvable = values[:, 0] > 1e-10 * values[:, -1]
    traces = (1 / np.where(solvable[:, None], values, 1.0)).sum(axis=1)
    return np.where(solvable, (traces - prior @ prior) / len(prior), np.inf)


def efficiency(error: FloatArray, prior: FloatArray) -> FloatArray:
    """Return the error of direct answers, ``(1 - |pi|^2) / t``, over each error: 0 to 1."""
    return (1 - prior @ prior) / len(prior) / error


def losses(matrices: FloatArray) -> FloatArray:
    """Return the epsilon of each matrix; infinite where a report rules a truth out.

    Reports that never occur say nothing.
    """
    highest, lowest = matrices.max(axis=2), matrices.min(axis=2)
    used = highest > 0
    with np.errstate(divide="ignore"):
        ratios = np.where(used, highest, 1.0) / np.where(used, lowest, 1.0)
    return np.log(ratios.max(axis=1))


def undominated(privacy: FloatArray, gain: FloatArray) -> list[int]:
    """Return the places of the points that no other point beats, by falling privacy."""
    chosen: list[int] = []
    reached = 0.0
    # The more efficient of two points of one privacy comes first.
    for index in np.lexsort((-gain, -privacy)).tolist():
        if gain[index] > reached:
            reached = float(gain[index])
            chosen.append(index)
    return chosen


def hypervolume(privacy: FloatArray, gain: FloatArray, delta: float) -> float:
    """Return the area that a front dominates in the plane of privacy and efficiency.

    Both are maximised; the reference point is (1 - delta, 0), and between points the front is a
    step. Points at or left of the reference count for nothing.
    """
    area, before = 0.0, 0.0
    for index in undominated(privacy, gain):
        area += max(0.0, float(privacy[index]) - (1 - delta)) * (float(gain[index]) - before)
        before = float(gain[index])
    return area


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
