"""A next device that is the device in use with equal chances taken out, in few integers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, gcd

import numpy as np

from rr_engine.arguments import check_design
from rr_engine.design import DesignMatrix
from rr_engine.errors import DesignError, EpsilonError
from rr_engine.privacy.loss import exponential_bounds
from rr_engine.relaxation.exact_tables import ExactTable, exact_table
from rr_engine.validation import MAX_BITS, check_epsilon, check_whole


def sharpened(
    design_now: DesignMatrix, epsilon: Decimal | str | float, bits: int = MAX_BITS
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
    >>> from rr_engine import card_deck, exact_degradation
    >>> now = card_deck(6, "0.5", k=2).quantized()
    >>> later = sharpened(now, "1")
    >>> round(later.epsilon, 4), exact_degradation(now, later).denominator < 10**9
    (1.0, True)
    """
    table = exact_table(check_design(design_now, "design_now"), "design_now")
    shift = check_whole(bits, "bits", minimum=1, maximum=MAX_BITS) - (
        (table.denominator - 1).bit_length()
    )
    if shift < 1:
        rule = f"be more than the {bits - shift} of design_now"
        raise DesignError("bits", bits, rule, "too_few_bits")
    power = Fraction(exponential_bounds(check_epsilon(epsilon))[0])
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
