"""How far reports that follow no device at all can move an estimate."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray
from rr_engine.channels.matrix import MatrixChannel
from rr_engine.channels.protocol import SingleShares
from rr_engine.estimation.device_stratum import DeviceStratum
from rr_engine.estimation.result import Estimate, check_estimate
from rr_engine.precision import left_inverse

# Relative slack for a quotient that is a whole number but for rounding.
ROUNDING = 1e-9
# More reports than a count can hold.
MOST_FAKES = 2**53


@dataclass(frozen=True, slots=True, eq=False)
class Poisoning(FrozenArrays):
    """Effect of fake reports on each proportion; every array has one entry per category.

    Attributes
    ----------
    level : float
        Level of the margins.
    weights : ndarray of float
        How many honest answers one fake report is worth: by that number the estimated count of
        the category grows when it is added.
    added : ndarray of float
        Largest change of the proportion, in either direction, by adding one report.
    replaced : ndarray of float
        Largest change by replacing one of the reports that came in (by another of the same
        device, where there are several).
    margins : ndarray of float
        Half the width of the default interval.
    fakes : ndarray of float
        Smallest number of reports which, added to those that came in, moves the proportion by its
        own margin; inf where no number of them does.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.compliance import poisoning
    >>> found = poisoning(estimate(k_rr(2, 1), [685, 315]))
    >>> found.margins.round(3).tolist(), found.fakes.tolist()
    ([0.062, 0.062], [44.0, 44.0])
    """

    level: float
    weights: FloatArray
    added: FloatArray
    replaced: FloatArray
    margins: FloatArray
    fakes: FloatArray


def poisoning(estimate: Estimate, level: float = 0.95) -> Poisoning:
    """Return the weight of a fake report, and the fakes that move each proportion by its margin.

    Parameters
    ----------
    estimate : Estimate
        Of either method. The figures are those of the unbiased estimate behind it, a mean of one
        score per report; a maximum-likelihood estimate inside the range moves with it.
    level : float, default 0.95
        Level of the margin.

    Returns
    -------
    Poisoning

    Raises
    ------
    ArgumentError
        Also where no table of scores can be formed: for channels too large for it whose
        proportions each depend on several reports ("table_too_large"), and for strata of channels
        without a table.

    Notes
    -----
    The estimate of category v is the mean of ``g[v, u]`` over the reports u, G the left inverse of
    the device's matrix. m more reports u move it by ``m (g[v, u] - pi_v) / (n + m)``; the report
    with the largest distance does the most. The largest ``g[v, u]`` is the weight: an honest
    answer v asked directly adds 1 to the estimated count, the fake adds that much. In k-ary
    randomized response it is ``(e^eps + k - 2) / (e^eps - 1)``. In an estimate from several
    devices a fake may come in under any of them, and shifts how the devices are weighed as well:
    that is counted in. docs/methods/compliance.md.

    References
    ----------
    .. [1] X. Cao, J. Jia and N. Z. Gong, "Data Poisoning Attacks to Local Differential Privacy
       Protocols", USENIX Security Symposium, 2021 (attacks of this kind; the figures here are
       derived from the estimator).

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> result = poisoning(estimate(k_rr(2, 1), [685, 315]))
    >>> result.weights.round(3).tolist(), result.fakes.tolist()
    ([1.582, 1.582], [44.0, 44.0])
    """
    check.open_unit(level, "level")
    check_estimate(estimate)
    if estimate.strata and estimate.n:
        return _of_strata(estimate, float(level))
    scores = _scores(estimate)
    pull = np.maximum(scores.highest - scores.centre, scores.centre - scores.lowest)
    margins = _margins(estimate, level)
    return Poisoning(
        level=float(level),
        weights=scores.highest,
        added=pull / (estimate.n + 1),
        replaced=scores.replaced,
        margins=margins,
        fakes=fakes_needed(pull, margins, estimate.n),
    )


@dataclass(frozen=True, slots=True)
class _Scores:
    """The mean score, the ends of the scores and the largest replacement of each category."""

    centre: FloatArray
    highest: FloatArray
    lowest: FloatArray
    replaced: FloatArray


def _scores(estimate: Estimate) -> _Scores:
    channel = estimate.design
    structured = not isinstance(channel, MatrixChannel)
    single = channel.single_shares(estimate.weights) if structured else None
    return _scores_of_table(estimate) if single is None else _scores_of_entries(estimate, single)


def _scores_of_table(estimate: Estimate) -> _Scores:
    scores = left_inverse(estimate.matrix, estimate.weights)
    centre = scores @ estimate.counts / estimate.n if estimate.n else estimate.proportions
    replaced = _largest_replacement(scores, estimate.counts)
    return _Scores(centre, scores.max(axis=1), scores.min(axis=1), replaced)


def _scores_of_entries(estimate: Estimate, single: SingleShares) -> _Scores:
    """Return the same where a category's score has two values: with its entry, and without."""
    n, sent = estimate.n, estimate.counts[single.report]
    inside, outside = single.offset + single.slope, single.offset
    centre = outside + single.slope * (sent / n) if n else estimate.proportions
    # Whoever sent either kind of report can be made to send the other.
    replaced = np.abs(single.slope) / n if n else np.zeros(len(sent))
    return _Scores(centre, np.maximum(inside, outside), np.minimum(inside, outside), replaced)


def _margins(estimate: Estimate, level: float) -> FloatArray:
    return np.diff(estimate.interval(level, method="default"), axis=1)[:, 0] / 2


def _of_strata(estimate: Estimate, level: float) -> Poisoning:
    """Return the same for several devices, whose weights follow their numbers of reports.

    With A_s = P_s' W_s^-1 P_s and a_u the column of P_s' W_s^-1, the estimate solves
    ``(sum n_s A_s) pi = sum a_u``; m more reports u of device s move it by
    ``m (sum n_s A_s + m A_s)^-1 (a_u - A_s pi)``.
    """
    scores, margins = left_inverse(estimate.matrix), _margins(estimate, level)
    pushes = _pushes(estimate.strata, scores @ estimate.counts / estimate.n)
    blocks = [scores[:, rows] for rows in estimate.blocks]
    replaced = [
        _largest_replacement(block, stratum.counts) * stratum.n / estimate.n
        for block, stratum in zip(blocks, estimate.strata, strict=True)
    ]
    categories = range(len(margins))
    return Poisoning(
        level=level,
        weights=scores.max(axis=1),
        added=np.array([_largest_push(pushes, truth, 1) for truth in categories]),
        replaced=np.max(replaced, axis=0),
        margins=margins,
        fakes=np.array([_smallest(pushes, truth, margins[truth]) for truth in categories]),
    )


# Per device: X, the generalised eigenvalues of A_s, and X' (a_u - A_s pi) for each report u.
Push = tuple[FloatArray, FloatArray, FloatArray]


def _pushes(strata: Sequence[DeviceStratum], proportions: FloatArray) -> list[Push]:
    weighted = [_weigh_reports(stratum.design.matrix) for stratum in strata]
    squares = [rows @ stratum.design.matrix for rows, stratum in zip(weighted, strata, strict=True)]
    terms = (stratum.n * square for stratum, square in zip(strata, squares, strict=True))
    total = sum(terms, start=np.zeros_like(squares[0]))
    pushes = []
    for rows, square in zip(weighted, squares, strict=True):
        values, vectors = scipy.linalg.eigh((square + square.T) / 2, (total + total.T) / 2)
        pushes.append((vectors, values, vectors.T @ (rows - (square @ proportions)[:, None])))
    return pushes


def _weigh_reports(matrix: FloatArray) -> FloatArray:
    """Return P' W^-1 without the reports that are never made."""
    shares = matrix.mean(axis=1)
    return np.divide(matrix.T, shares, out=np.zeros(matrix.T.shape), where=shares > 0)


def _largest_push(pushes: list[Push], truth: int, fakes: float) -> float:
    """Return the largest change of one proportion by so many equal reports."""
    moves = [
        np.abs((fakes * vectors[truth] / (1 + fakes * values)) @ ends).max()
        for vectors, values, ends in pushes
    ]
    return float(max(moves))


def _smallest(pushes: list[Push], truth: int, margin: float) -> float:
    """Return the smallest number of fakes that moves a proportion by its margin, by halving."""
    target, low, high = margin * (1 - ROUNDING), 0, 1
    while _largest_push(pushes, truth, high) < target:
        low, high = high, 2 * high
        if high > MOST_FAKES:
            return float("inf")

    def enough(fakes: int) -> bool:
        return _largest_push(pushes, truth, fakes) >= target

    return float(bisect_left(range(high), True, lo=low + 1, key=enough))


def _largest_replacement(scores: FloatArray, counts: IntArray) -> FloatArray:
    """Return the largest jump from a score that came in to any other."""
    if not counts.any():
        return np.zeros(len(scores))
    observed = scores[:, counts > 0]
    up = scores.max(axis=1) - observed.min(axis=1)
    down = observed.max(axis=1) - scores.min(axis=1)
    return np.maximum(up, down) / counts.sum()


def fakes_needed(pull: FloatArray, margins: FloatArray, n: int) -> FloatArray:
    """Return the smallest m of at least 1 with m pull / (n + m) >= margin; inf without one."""
    spare = pull - margins
    reachable = spare > 0 if n else spare >= 0
    needed = np.divide(margins * n, spare, out=np.zeros(len(pull)), where=spare > 0)
    return np.where(reachable, np.maximum(np.ceil(needed * (1 - ROUNDING)), 1.0), np.inf)
