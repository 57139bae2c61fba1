"""Privacy of a device, on plain arrays and in exact arithmetic where a guarantee depends on it."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import FloatArray
from rr_engine.precision import uniform_entries

START_DIGITS = 50


def likelihood_ratio_bound(table: npt.NDArray) -> Fraction | None:
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
    # Rows of one kind of device repeat: each pair once.
    pairs = set(zip(largest[used].tolist(), smallest[used].tolist(), strict=True))
    return max(Fraction(high) / Fraction(low) for high, low in pairs)


def exponential_bounds(epsilon: Decimal, digits: int = START_DIGITS) -> tuple[Decimal, Decimal]:
    """Return numbers strictly below and above e**epsilon, `digits` digits apart from it.

    ``Decimal.exp`` is correctly rounded, so the neighbours of its result enclose the true value.
    """
    with localcontext() as context:
        context.prec = digits
        power = epsilon.exp()
        return power.next_minus(), power.next_plus()


def short_bounds(epsilon: Decimal, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Return short fractions below and above e**epsilon, for fast comparisons.

    Both have about `bits` bits more than the smallest distance from 1 needs; the lower one is never
    below ``1 + epsilon``, and so always above 1.
    """
    low, high = (Fraction(power) for power in exponential_bounds(epsilon))
    shift = bits + max(0, -epsilon.adjusted() * 4)
    under, over = floor(low * 2**shift), ceil(high * 2**shift)
    return max(Fraction(under, 2**shift), 1 + Fraction(epsilon)), Fraction(over, 2**shift)


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
        # At an infinite epsilon only reports that are impossible under the other truth count.
        lost = [np.where(other[:, None] == 0, matrix, 0).sum(axis=0) for other in matrix.T]
        return float(np.max(lost))
    scaled = np.exp(min(epsilon, 709.0)) * matrix
    lost = [np.maximum(0, matrix - other[:, None]).sum(axis=0).max() for other in scaled.T]
    return float(max(lost))


def delta_at_most(table: npt.NDArray, denominator: int, epsilon: Decimal, share: Decimal) -> bool:
    """Decide delta(table / whole, epsilon) <= share without rounding.

    Parameters
    ----------
    table : ndarray of float or int, shape (reports, truths)
        Columns sum to `denominator`; a float is the binary fraction it stores.
    denominator : int
    epsilon : Decimal
        Above 0.
    share : Decimal

    Notes
    -----
    For every pair of truths the sum is ``A - e**epsilon B`` with rational A and B. It equals a
    rational bound only when B is 0 (Lindemann), so enough digits always settle the question.
    """
    columns = _pairs_of_truths(table)
    bound, digits = Fraction(share) * denominator, START_DIGITS
    while True:
        low, high = (Fraction(power) for power in exponential_bounds(epsilon, digits))
        if all(_excess(first, second, low) <= bound for first, second in columns):
            return True
        if any(_excess(first, second, high) > bound for first, second in columns):
            return False
        digits *= 2


def _pairs_of_truths(table: npt.NDArray) -> list[tuple[list[Fraction], list[Fraction]]]:
    columns = [[Fraction(entry) for entry in column] for column in _distinct_columns(table)]
    return list(permutations(columns, 2))


def _distinct_columns(table: npt.NDArray) -> list[list]:
    """Return the columns that matter: where all are alike but for their order, two of them."""
    columns = table.T.tolist()
    return columns[:2] if uniform_entries(table) is not None else columns


def _excess(first: list[Fraction], second: list[Fraction], power: Fraction) -> Fraction:
    pairs = zip(first, second, strict=True)
    return sum(
        (max(Fraction(0), entry - power * other_entry) for entry, other_entry in pairs), Fraction(0)
    )


def posterior(matrix: FloatArray, prior: FloatArray) -> FloatArray:
    """Return Pr(truth v | report u) at [u, v] by Bayes' rule.

    A report that the prior makes impossible teaches nothing: its row is the prior.
    """
    joint = matrix * prior
    reported = joint.sum(axis=1, keepdims=True)
    beliefs = np.broadcast_to(prior, joint.shape).copy()
    return np.divide(joint, reported, out=beliefs, where=reported > 0)


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
