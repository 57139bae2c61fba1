"""A mechanism that satisfies its constraints exactly, and a rigorous bound on its error."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import FloatArray
from rr_engine.optimisation.rounding import round_up, whole_shares
from rr_engine.privacy.loss import short_bounds

# Joint probabilities are whole numbers of units this many bits below those of the shares.
GUARD = 128
# A ratio of chances is judged this many bits below its unit.
FINE = 64

# Integers of any size.
Whole = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that a mechanism keeps, none above what is asked for; None for no limit.

    `delta` bounds the worst posterior, `guessing` how often the best guess is right, `ratio` the
    chances of one report under two truths.
    """

    delta: Fraction | None
    guessing: Fraction | None
    ratio: Fraction | None

    @classmethod
    def of(cls, privacy: float | None, delta: float | None, epsilon: Decimal | None) -> Limits:
        """Return the limits of the constraints of a certificate."""
        worst = None if delta is None else Fraction(delta)
        # Guessing is at most delta in any case, so that a weaker bound is not active.
        guessing = None if worst is None else 1 - max(Fraction(privacy or 0), 1 - worst)
        return cls(worst, guessing, None if epsilon is None else short_bounds(epsilon)[0])


@dataclass(frozen=True, slots=True, eq=False)
class AttainedMechanism:
    """Joint probabilities whose columns have the ratios of the prior exactly.

    Attributes
    ----------
    rows : ndarray of int, shape (reports, truths)
        In units of one over their sum.
    shares : list of int
        The prior, in its own unit.
    """

    rows: Whole
    shares: list[int]

    @property
    def joint(self) -> FloatArray:
        """The joint probabilities of reports that occur, rounded to floats."""
        total = int(self.rows.sum())
        return np.array(
            [[entry / total for entry in row] for row in self.rows.tolist() if any(row)]
        )

    def error(self) -> float:
        """Return a float not below ``tr J^-1 - |pi|**2``; infinite for a singular ``J``."""
        inverse = _inverse_diagonal(_information(self.rows))
        if inverse is None:
            return float("inf")
        # J = diag(1 / pi) G diag(1 / pi) for joint probabilities p and G = sum_u p_u p_u' / |p_u|,
        # here in units of one over the total.
        entries, determinant = inverse
        squares = [share**2 for share in self.shares]
        trace = sum(square * entry for square, entry in zip(squares, entries, strict=True))
        inverse_trace = Fraction(int(self.rows.sum()) * trace, determinant)
        return round_up((inverse_trace - sum(squares)) / sum(self.shares) ** 2)


def nearest_mechanism(
    joint: FloatArray, prior: FloatArray, limits: Limits
) -> AttainedMechanism | None:
    """Return the mechanism nearest to floating-point joint probabilities that keeps the limits.

    Parameters
    ----------
    joint : ndarray, shape (reports, truths)
        Joint probabilities, none negative, that keep the limits up to rounding.
    prior : ndarray, shape (truths,)
        Taken as the fractions that its floats are over their sum.
    limits : Limits

    Returns
    -------
    Attained or None
        None where the limits leave no room for a repair.

    Notes
    -----
    Mixing with the prior, the posterior of a report that tells nothing, brings every limit nearer:
    each row takes up just what it needs. Then so much more of the prior is added that what the
    columns lack is a report of its own that keeps the limits as well; all in whole numbers.
    """
    shares = whole_shares(prior)
    rows = _whole(joint[joint.sum(axis=1) > 0], sum(shares) << GUARD)
    needed = _needed(rows, shares, limits)
    if needed is None:
        return None
    rows = rows + needed[:, None] * np.array(shares, dtype=object)
    rest = _rest(rows, shares, limits)
    return None if rest is None else AttainedMechanism(np.vstack([rows, rest]), shares)


def merge_last_report(mechanism: AttainedMechanism) -> AttainedMechanism:
    """Return the mechanism with its last report merged into its commonest one.

    The posterior of a merged report is a mean of two, so that it satisfies what both satisfy.
    """
    rows, rest = mechanism.rows[:-1].copy(), mechanism.rows[-1]
    rows[int(np.argmax(rows.sum(axis=1)))] += rest
    return AttainedMechanism(rows, mechanism.shares)


def _whole(joint: FloatArray, total: int) -> Whole:
    """Return integer multiples of one over the total, rounded down."""
    # Floats are 53 bits and a power of two: both exact, so a product of integers and one shift.
    bits, powers = np.frexp(joint)
    multiples = (bits * 2.0**53).astype(np.int64).astype(object) * total
    return np.array(
        [
            [
                entry << shift if shift >= 0 else entry >> -shift
                for entry, shift in zip(*pair, strict=True)
            ]
            for pair in zip(multiples.tolist(), (powers - 53).tolist(), strict=True)
        ],
        dtype=object,
    ).reshape(joint.shape)


def _needed(rows: Whole, shares: list[int], limits: Limits) -> Whole | None:
    """Return the multiple of the shares that each row needs to satisfy its limits."""
    needed, row_sums = np.zeros(len(rows), dtype=object), rows.sum(axis=1)
    weights, total = np.array(shares, dtype=object), sum(shares)
    if limits.delta is not None:
        # p_v + c pi_v <= delta (sum p + c)
        part, of = limits.delta.as_integer_ratio()
        over, room = of * rows - part * row_sums[:, None], part * total - of * weights
        if any((over[:, column] > 0).any() for column in np.flatnonzero(room <= 0)):
            return None
        parts = -(-over // np.where(room <= 0, 1, room))
        needed = np.maximum(needed, np.where(room <= 0, 0, parts).max(axis=1))
    if limits.ratio is not None:
        # (p_v / pi_v + c) <= ratio (p_w / pi_w + c)
        part, of = limits.ratio.as_integer_ratio()
        chances = (rows << FINE) // weights
        over = of * (chances.max(axis=1) + 1) - part * chances.min(axis=1)
        needed = np.maximum(needed, -(-over // ((part - of) << FINE)))
    return needed


def _rest(rows: Whole, shares: list[int], limits: Limits) -> Whole | None:
    """Return what the columns lack of the least multiple of the shares where that keeps all."""
    columns, guessed = rows.sum(axis=0).tolist(), int(rows.max(axis=1).sum())
    column_total, total = sum(columns), sum(shares)
    filled = [Fraction(column, share) for column, share in zip(columns, shares, strict=True)]
    least = max(filled)
    if limits.ratio is not None:
        # k - P_v / pi_v <= ratio (k - P_w / pi_w)
        least = max(least, (limits.ratio * least - min(filled)) / (limits.ratio - 1))
    for column, share in zip(columns, shares, strict=True):
        # k pi_v - P_v <= delta (k - P), and the sum of the maxima is at most guessing k.
        for limit, before in ((limits.delta, column_total), (limits.guessing, None)):
            if limit is None:
                continue
            lacking = (guessed if before is None else limit * before) - column
            room = limit * total - share
            if room < 0 or (room == 0 and lacking > 0):
                return None
            least = least if room == 0 else max(least, lacking / room)
    most = ceil(least)
    return np.array(
        [most * share - column for column, share in zip(columns, shares, strict=True)], dtype=object
    )


def _information(rows: Whole) -> list[list[int]]:
    """Return whole numbers of which ``sum_u p_u p_u' / |p_u|`` is at least the matrix."""
    size = rows.shape[1]
    used = rows[rows.sum(axis=1) > 0]
    posteriors = (used << GUARD) // used.sum(axis=1)[:, None]
    information = (used.T @ posteriors) >> GUARD
    # The floors drop from 0 to this of an entry; such a symmetric matrix is at most
    # `size` times it.
    dropped = (int(used.sum(axis=0).max()) >> GUARD) + 2
    lower = np.tril(information)
    rounded = lower + np.tril(information, -1).T - np.diag([size * dropped] * size)
    return rounded.tolist()


def _inverse_diagonal(matrix: list[list[int]]) -> tuple[list[int], int] | None:
    """Return the diagonal of the adjugate and the determinant, by Bareiss' elimination.

    None unless the matrix is positive definite: without exchanges the pivots are the leading
    minors, all positive for such a matrix alone.
    """
    size, before = len(matrix), 1
    rows = [[*row, *(int(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for k in range(size):
        pivot = rows[k][k]
        if pivot <= 0:
            return None
        for i in range(size):
            if i != k:
                factor = rows[i][k]
                rows[i] = [
                    (pivot * entry - factor * other) // before
                    for entry, other in zip(rows[i], rows[k], strict=True)
                ]
        before = pivot
    return [rows[i][size + i] for i in range(size)], before
