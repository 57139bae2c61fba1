"""Privacy of a device, on plain arrays and in exact arithmetic where a promise depends on it."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from rr_engine.validation import FloatArray

START_DIGITS = 50


def loss_ratio(table: npt.NDArray) -> Fraction | None:
    """Return the largest ratio between two entries of one row, exactly.

    Parameters
    ----------
    table : ndarray of float or int, shape (reports, truths)
        Probabilities, or integers over a common denominator. A float is the binary fraction it
        stores.

    Returns
    -------
    Fraction or None
        None when some report is possible for one truth and impossible for another, so that no
        finite ratio exists. Rows of zeros (reports that never occur) say nothing and are skipped.
    """
    largest, smallest = table.max(axis=1), table.min(axis=1)
    used = largest > 0
    if (smallest[used] == 0).any():
        return None
    pairs = zip(largest[used].tolist(), smallest[used].tolist(), strict=True)
    return max(Fraction(high) / Fraction(low) for high, low in pairs)


def exponential_bounds(epsilon: Decimal, digits: int = START_DIGITS) -> tuple[Decimal, Decimal]:
    """Return numbers strictly below and above e**epsilon, `digits` digits apart from it.

    ``Decimal.exp`` is correctly rounded, so the neighbours of its result enclose the true value.
    """
    with localcontext() as context:
        context.prec = digits
        power = epsilon.exp()
        return power.next_minus(), power.next_plus()


def ratio_at_most(ratio: Fraction | None, epsilon: Decimal) -> bool:
    """Decide ratio <= e**epsilon without rounding.

    e**x is transcendental for every rational x other than 0 (Lindemann), so a rational ratio never
    equals it and enough digits always settle the question.
    """
    if ratio is None:
        return False
    if epsilon == 0:
        return ratio <= 1
    digits = START_DIGITS
    while True:
        low, high = exponential_bounds(epsilon, digits)
        if ratio <= Fraction(low):
            return True
        if ratio >= Fraction(high):
            return False
        digits *= 2


def log_ratio(ratio: Fraction | None) -> float:
    """Return ln(ratio), correct to the last bit of the double; inf for None."""
    if ratio is None:
        return float("inf")
    with localcontext() as context:
        context.prec = START_DIGITS
        quotient = Decimal(ratio.numerator) / Decimal(ratio.denominator)
        return float(quotient.ln())


def delta(matrix: FloatArray, epsilon: float) -> float:
    """Return the smallest delta for which the device is (epsilon, delta) private.

    max over pairs of truths v, w of sum over reports u of max(0, P[u, v] - e**epsilon P[u, w]);
    Holohan, Leith & Mason (2017), Eq. 9, for any number of categories.
    """
    if np.isinf(epsilon):
        # At an infinite budget only what the other truth cannot produce at all counts.
        lost = [np.where(other[:, None] == 0, matrix, 0).sum(axis=0) for other in matrix.T]
        return float(np.max(lost))
    scaled = np.exp(min(epsilon, 709.0)) * matrix
    lost = [np.maximum(0, matrix - other[:, None]).sum(axis=0).max() for other in scaled.T]
    return float(max(lost))


def posterior(matrix: FloatArray, prior: FloatArray) -> FloatArray:
    """Return Pr(truth v | report u) at [u, v] by Bayes' rule.

    A report that the prior makes impossible teaches nothing: its row is the prior.
    """
    joint = matrix * prior
    reported = joint.sum(axis=1, keepdims=True)
    known = np.broadcast_to(prior, joint.shape).copy()
    return np.divide(joint, reported, out=known, where=reported > 0)


def privacy(matrix: FloatArray, prior: FloatArray) -> float:
    """Return the error rate of the best guess of a truth from its report (OptRR Eq. 8)."""
    return float(1 - (matrix * prior).max(axis=1).sum())


def worst_posterior(matrix: FloatArray, prior: FloatArray) -> float:
    """Return the largest belief that any report can lead to (OptRR Eq. 9)."""
    possible = matrix @ prior > 0
    return float(posterior(matrix, prior)[possible].max())


def recovery_probability(matrix: FloatArray, prior: FloatArray) -> FloatArray:
    """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""
    return (matrix * posterior(matrix, prior)).sum(axis=0)
