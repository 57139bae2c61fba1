"""Exact tables of searched designs: every bound kept in rational arithmetic."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arguments import check_design
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError
from rr_engine.optimisation.front import mix_within_bounds
from rr_engine.privacy.loss import likelihood_ratio_bound, ratio_at_most
from rr_engine.quantizing import closest

# Mean probability below which rounding a report costs more than the report tells.
RARE = 1e-5


def quantized_within(
    design: DesignMatrix,
    prior: ArrayLike,
    privacy: float | None = None,
    delta: float | None = None,
    epsilon: Epsilon | None = None,
    bits: int = 32,
) -> DesignMatrix:
    """Return the exact integer version of a design that keeps every bound given.

    Parameters
    ----------
    design : DesignMatrix
    prior : array_like, shape (truths,)
        The distribution that privacy and worst posterior are about, as the fractions that its
        floats are over their sum.
    privacy : float, optional
        The best guess is wrong at least this often (OptRR Eq. 8); below 1 less the largest share.
    delta : float, optional
        The worst posterior is at most this (OptRR Eq. 9); above the largest share.
    epsilon : Decimal, str or float, optional
        The privacy loss is at most this.
    bits : int, default 32
        Columns of the table sum to 2**bits; at most 52.

    Returns
    -------
    DesignMatrix
        With `integers`. Each bound holds in rational arithmetic, without rounding. Where the
        nearest table breaks one, just enough of the row means is mixed in: a device that reports
        alike whatever the truth keeps them all. Reports rarer than RARE are left out where more
        are left than there are truths and the device is more accurate without them.

    Raises
    ------
    ArgumentError
        When no device keeps the bounds.
    DesignError
        When `bits` are too few.

    References
    ----------
    Ours: rounding that is checked in exact arithmetic; docs/methods/devices.md.

    Examples
    --------
    >>> design = DesignMatrix([[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    >>> exact = quantized_within(design, [0.5, 0.5], delta=0.6667, bits=8)
    >>> exact.integers.tolist()
    [[170, 86], [86, 170]]
    """
    shares = _fractions(check.distribution(prior, len(check_design(design).categories)))
    width = check.whole(bits, "bits", minimum=1, maximum=check.MAX_BITS)
    least, most, budget = _bounds(shares, privacy, delta, epsilon)

    def keeps(table: IntArray) -> bool:
        denominator = int(table[:, 0].sum())
        rows = [
            [int(entry) * share for entry, share in zip(row, shares, strict=True)] for row in table
        ]
        guessed = sum((max(row) for row in rows), Fraction(0)) / denominator
        if least is not None and 1 - guessed < least:
            return False
        if most is not None and any(max(row) > most * sum(row) for row in rows):
            return False
        return budget is None or ratio_at_most(likelihood_ratio_bound(table), budget)

    # Bounds are met in floats first; doubling steps of mixing then remove the rounding.
    weights = np.array([float(share) for share in shares])
    limit, loss = (None if bound is None else float(bound) for bound in (most, budget))
    start = mix_within_bounds(design.matrix[None], weights, 1.0 if limit is None else limit, loss)[
        0
    ]
    candidates = []
    for matrix, rows in ((start, range(len(start))), *_without_rare(start)):
        table = closest(matrix, keeps, width, mixing=True)
        reports = [design.reports[index] for index in rows]
        candidates.append(DesignMatrix.from_integers(table, 2**width, design.categories, reports))
    errors = [exact.mse(weights, 1) for exact in candidates]
    return candidates[int(np.argmin(errors))]


def _without_rare(matrix: FloatArray) -> list[tuple[FloatArray, list[int]]]:
    """Return the matrix with its rare reports sent as the commonest one, and what is left; or none.

    A few units of a table cannot keep the ratio of a rare report, so that all of the device would
    have to be mixed. Merging reports keeps every bound, and these say next to nothing.
    """
    means = matrix.mean(axis=1)
    reports = np.flatnonzero(means >= RARE).tolist()
    if len(reports) == len(matrix) or len(reports) < matrix.shape[1]:
        return []
    fewer = matrix[reports]
    fewer[int(np.argmax(means[reports]))] += matrix[means < RARE].sum(axis=0)
    return [(fewer, reports)]


def _fractions(prior: npt.NDArray) -> list[Fraction]:
    shares = [Fraction(share) for share in prior.tolist()]
    return [share / sum(shares) for share in shares]


def _bounds(
    shares: list[Fraction], privacy: object, delta: object, epsilon: object
) -> tuple[Fraction | None, Fraction | None, Decimal | None]:
    largest = max(shares)
    least = None if privacy is None else Fraction(check.probability(privacy, "privacy"))
    most = None if delta is None else Fraction(check.probability(delta, "delta"))
    if least is not None and least >= 1 - largest:
        rule = f"be below 1 less the largest proportion ({float(1 - largest):.6g})"
        raise ArgumentError("privacy", privacy, rule, "above_largest_rest", float(1 - largest))
    if most is not None and most <= largest:
        rule = f"be above the largest proportion ({float(largest):.6g})"
        raise ArgumentError("delta", delta, rule, "below_largest_share", float(largest))
    return least, most, None if epsilon is None else check.epsilon(epsilon)
