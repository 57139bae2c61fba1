"""Designs that are made to fit into a chain: a lower one from the next, a next one from the lower.

For tables without a closed form, such as searched ones, two designs that were chosen one without
the other need not have a degradation between them.
"""

from fractions import Fraction
from math import floor, gcd

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import Epsilon, FloatArray, IntArray
from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.errors import CategoryError, DesignError, EpsilonError
from rr_engine.privacy.loss import exponential_bounds, likelihood_ratio_bound
from rr_engine.quantizing import closest
from rr_engine.relaxation.degradation import DenseDegradation, dense_degradation
from rr_engine.relaxation.exact import exact_degradation
from rr_engine.relaxation.exact_tables import LARGEST_EXACT, ExactTable, check_pair, exact_table
from rr_engine.relaxation.integer_algebra import as_integers
from rr_engine.relaxation.kernel import TOLERANCE
from rr_engine.roots import halve

# Halvings of the target's share: 2**-20 of the way is no longer a difference.
STEPS = 20
# Sharpened devices that are tried, each half as far from the device in use as the one before.
STARTS = 8
# Entries of a degradation that the programme leaves at zero.
ZERO = 1e-9


def degraded_copy(
    design_next: DesignMatrix, target_now: DesignMatrix, bits: int = check.MAX_BITS
) -> tuple[DesignMatrix, DenseDegradation]:
    """Return the degraded copy of a device that is nearest to a target, in integers.

    Parameters
    ----------
    design_next : DesignMatrix
        With integers, or quantized to 32 bits.
    target_now : DesignMatrix
        Whose epsilon is kept to.
    bits : int, default 52
        Of the result: the degradation has these less those of `design_next`.

    Returns
    -------
    design_now : DesignMatrix
        ``C P_next`` with labels of the target and an epsilon that is at most the target's.
    degradation : DenseDegradation
        C, the largest difference ``|C P_next - P_target|`` being the least possible but for
        rounding, and for what the epsilon needs.

    Raises
    ------
    DesignError
        When the bits are too few.
    CategoryError, ArgumentError

    References
    ----------
    Ours: docs/methods/relaxation.md, "Designs made to fit".

    Examples
    --------
    >>> from rr_engine import k_rr
    >>> design, degradation = degraded_copy(k_rr(3, 2).quantized(), k_rr(3, 1))
    >>> design.epsilon_at_most("1"), round(design.epsilon, 4)
    (True, 1.0)
    """
    check_pair(check_design(target_now, "target_now"), check_design(design_next, "design_next"))
    table, denominator = design_next.exact_table()
    width = (
        check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS) - denominator.bit_length() + 1
    )
    if width < 1:
        rule = f"be more than the {denominator.bit_length() - 1} of design_next"
        raise DesignError("bits", bits, rule, "too_few_bits")
    nearest = _nearest_degradation(target_now.matrix, table / denominator)
    most = allowed_ratio(target_now)

    def keeps(rows: IntArray) -> bool:
        reached = likelihood_ratio_bound(rows @ table)
        return most is None or (reached is not None and reached <= most)

    rows = closest(nearest, keeps, width, mixing=most is not None)
    design = DesignMatrix.from_integers(
        rows @ table, 2**width * denominator, target_now.categories, target_now.reports
    )
    return design, dense_degradation(as_integers(rows), 2**width)


def allowed_ratio(design: DesignMatrix) -> Fraction | None:
    """Return the likelihood ratio that a design allows: e to its declared epsilon, or its own."""
    ratio, declared = design.likelihood_ratio_bound, design.declared_epsilon
    if declared is None or ratio is None or design.declared_delta is not None:
        return ratio
    return Fraction(exponential_bounds(declared)[0])


def _nearest_degradation(target: FloatArray, later: FloatArray) -> FloatArray:
    """Return the stochastic C with the least ``max |C P_next - P_target|``."""
    previous, following = len(target), len(later)
    if previous * following > LARGEST_EXACT:
        rule = f"have at most {LARGEST_EXACT} pairs of reports with target_now"
        raise CategoryError("design_next", later.shape, rule, "table_too_large")
    products = scipy.sparse.kron(scipy.sparse.eye_array(previous), later.T)
    bound = np.ones((products.shape[0], 1))
    sums = scipy.sparse.kron(np.ones((1, previous)), scipy.sparse.eye_array(following))
    program = scipy.optimize.linprog(
        np.append(np.zeros(previous * following), 1.0),
        A_ub=scipy.sparse.vstack(
            [scipy.sparse.hstack([products, -bound]), scipy.sparse.hstack([-products, -bound])],
            format="csc",
        ),
        b_ub=np.concatenate([target.ravel(), -target.ravel()]),
        A_eq=scipy.sparse.hstack([sums, np.zeros((following, 1))], format="csc"),
        b_eq=np.ones(following),
        method="highs",
    )
    matrix = program.x[:-1].reshape(previous, following)
    matrix = np.where(matrix > ZERO, matrix, 0.0)
    return matrix / matrix.sum(axis=0)


def relaxable_next(
    design_now: DesignMatrix, target_next: DesignMatrix, bits: int = 32
) -> DesignMatrix:
    """Return a next device near a target, of which a device that is in use is a degraded copy.

    Parameters
    ----------
    design_now : DesignMatrix
        With an exact table; of a finite epsilon below the target's.
    target_next : DesignMatrix
        With as many reports as `design_now`, in the same order, unless it fits as it is.
    bits : int, default 32

    Returns
    -------
    DesignMatrix
        The target in integers where `design_now` is a degraded copy of that. Otherwise a table on
        one of some lines from a more or less sharpened `design_now` to the target, the one nearest
        to the target that fits: with an epsilon that is at most the target's, and an
        :func:`exact_degradation` to `design_now`.

    Raises
    ------
    DesignError
        "no_relaxation" when the target does not fit and has other reports, an infinite epsilon,
        or none above that of `design_now`.
    CategoryError, ArgumentError

    Notes
    -----
    The sharpened device ``(P_now - s m 1') / (1 - s |m|)``, m the smallest chance of each report,
    fits always: `design_now` mixes it with fixed chances.

    References
    ----------
    Ours: docs/methods/relaxation.md, "Designs made to fit".

    Examples
    --------
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.relaxation import exact_degradation
    >>> now = generalized_binary(0.6, 0.7).quantized()
    >>> later = relaxable_next(now, generalized_binary(0.9, 0.55))
    >>> exact_degradation(now, later).next_size, later.epsilon <= 1.705
    (2, True)
    """
    now = check_design(design_now, "design_now")
    check_pair(now, check_design(target_next, "target_next"))
    target = target_next.quantized(bits, accept_infinite_epsilon=True)
    refusal = _refusal(now, target)
    if refusal is None:
        return target
    starts = _sharpened(now, target_next)
    if not starts:
        raise refusal
    designs = [_last_that_fits(now, start, target_next, bits) for start in starts]
    return min(designs, key=lambda design: np.abs(design.matrix - target_next.matrix).sum())


def _refusal(now: Channel, later: Channel) -> DesignError | None:
    try:
        exact_degradation(now, later)
    except DesignError as error:
        return error
    return None


def _sharpened(now: DesignMatrix, target: DesignMatrix) -> list[FloatArray]:
    """Return sharpened devices, from one with the target's epsilon to one close to `now`.

    A row with the largest and smallest chances M and m has the ratio E at
    ``s = (E m - M) / (m (E - 1))``.
    """
    ratio = allowed_ratio(target)
    largest, smallest = now.matrix.max(axis=1), now.matrix.min(axis=1)
    if now.matrix.shape != target.matrix.shape or ratio is None or smallest.min() <= 0:
        return []
    power = float(ratio)
    most = float(((power * smallest - largest) / (smallest * (power - 1))).min())
    if most <= TOLERANCE:
        return []
    # A little below: its ratio stays below the target's after rounding.
    shares = most * (1 - TOLERANCE) * 0.5 ** np.arange(STARTS)
    removed = shares[:, None] * smallest
    return [(now.matrix - chances[:, None]) / (1 - chances.sum()) for chances in removed]


def _last_that_fits(
    now: DesignMatrix, start: FloatArray, target: DesignMatrix, bits: int
) -> DesignMatrix:
    """Return the last table on the line that fits, by bisection."""
    refusal = _refusal(now, _on_line(start, target, 0.0, bits))
    if refusal is not None:
        raise refusal
    most = allowed_ratio(target)

    def fits(share: float) -> bool:
        trial = _on_line(start, target, share, bits)
        ratio = trial.likelihood_ratio_bound
        allowed = ratio is not None and most is not None and ratio <= most
        return allowed and _refusal(now, trial) is None

    return _on_line(start, target, float(halve(fits, 0.0, 1.0, STEPS)[0]), bits)


def _on_line(start: FloatArray, target: DesignMatrix, share: float, bits: int) -> DesignMatrix:
    matrix = (1 - share) * start + share * target.matrix
    design = DesignMatrix(matrix / matrix.sum(axis=0), target.categories, target.reports)
    return design.quantized(bits)


def sharpened(
    design_now: DesignMatrix, epsilon: Epsilon, bits: int = check.MAX_BITS
) -> DesignMatrix:
    """Return a next device of which `design_now` is a mixture with equal chances, exactly.

    Parameters
    ----------
    design_now : DesignMatrix
        With an exact table ``N / D``, or quantized to 32 bits.
    epsilon : Decimal, str or float
        Of the next device, never exceeded; above that of `design_now`.
    bits : int, default 52
        Of the next table, more than those of D: a share of ``2**-a`` of the rest is the finest
        that can be taken out, a the difference.

    Returns
    -------
    DesignMatrix
        ``(q N - (q - 2**a) D / m) / (2**a D)`` for m reports, with the largest q that keeps to
        epsilon. Its :func:`exact_degradation` is uniform: few and small integers.

    Raises
    ------
    EpsilonError
        When no such table lies above `design_now`.
    DesignError
        When the bits are too few.

    Notes
    -----
    The same cards at a higher epsilon, and the k-ary family, are of this form: they have one chance
    with the truth and one without. The row with chances M and m' keeps to the ratio E when
    ``q (M - E m' + (E - 1) D / m) <= (E - 1) 2**a D / m``.

    References
    ----------
    Ours: docs/methods/relaxation.md, "Designs made to fit".

    Examples
    --------
    >>> from rr_engine.designs import card_deck
    >>> from rr_engine.relaxation import exact_degradation
    >>> now = card_deck(6, "0.5", k=2).quantized()
    >>> later = sharpened(now, "1")
    >>> round(later.epsilon, 4), exact_degradation(now, later).denominator < 10**9
    (1.0, True)
    """
    table = exact_table(check_design(design_now, "design_now"), "design_now")
    shift = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS) - (
        (table.denominator - 1).bit_length()
    )
    if shift < 1:
        rule = f"be more than the {bits - shift} of design_now"
        raise DesignError("bits", bits, rule, "too_few_bits")
    power = Fraction(exponential_bounds(check.epsilon(epsilon))[0])
    factor = _largest_factor(table, power, 2**shift)
    if factor <= 2**shift:
        rule = "be further above that of design_now"
        raise EpsilonError("epsilon", epsilon, rule, "epsilon_too_small")
    reports = len(table.integers)
    removed = (factor - 2**shift) * table.denominator // reports
    integers = (factor * table.integers - removed).astype(np.int64)
    labels = design_now.categories, design_now.reports
    return DesignMatrix.from_integers(integers, table.denominator << shift, *labels)


def _largest_factor(table: ExactTable, ratio: Fraction, scale: int) -> int:
    """Return the largest q, ``q - scale`` a multiple of m / gcd(m, D), that keeps to the ratio."""
    reports, total = len(table.integers), table.denominator
    equal = Fraction(total, reports)
    most = []
    for row in table.integers.tolist():
        slope = max(row) - ratio * min(row) + (ratio - 1) * equal
        if slope > 0:
            most.append((ratio - 1) * scale * equal / slope)
    step = reports // gcd(reports, total)
    return floor(min(most)) - (floor(min(most)) - scale) % step if most else scale
