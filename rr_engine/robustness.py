"""How far reports that follow no device at all can move an estimate."""

from dataclasses import dataclass

import numpy as np

from rr_engine.estimation.result import Estimate
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray, IntArray, check_open_unit, frozen

# Relative slack for a quotient that is a whole number but for rounding.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Poisoning:
    """What fake reports can do to each proportion; every array has one entry per category.

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
        Largest change by replacing one of the reports that came in.
    margins : ndarray of float
        Half the width of the default interval.
    fakes : ndarray of float
        Smallest number of reports which, added to those that came in, moves the proportion by its
        own margin; inf where no number of them does.
    """

    level: float
    weights: FloatArray
    added: FloatArray
    replaced: FloatArray
    margins: FloatArray
    fakes: FloatArray

    def __post_init__(self) -> None:
        for name in ("weights", "added", "replaced", "margins", "fakes"):
            object.__setattr__(self, name, frozen(getattr(self, name)))


def poisoning(estimate: Estimate, level: float = 0.95) -> Poisoning:
    """Say how much one fake report weighs and how many would move each proportion by its margin.

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

    Notes
    -----
    The estimate of category v is the mean of ``g[v, u]`` over the reports u, G the left inverse of
    the device's matrix. m more reports u move it by ``m (g[v, u] - pi_v) / (n + m)``; the report
    with the largest distance does the most. The largest ``g[v, u]`` is the weight: an honest
    answer v asked directly adds 1 to the estimated count, the fake adds that much. In k-ary
    randomized response it is ``(e^eps + k - 2) / (e^eps - 1)``. docs/methods/compliance.md.

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
    check_open_unit(level, "level")
    scores = _scores(estimate)
    centre = scores @ estimate.counts / estimate.n if estimate.n else estimate.proportions
    pull = np.maximum(scores.max(axis=1) - centre, centre - scores.min(axis=1))
    margins = np.diff(estimate.interval(level, method="default"), axis=1)[:, 0] / 2
    return Poisoning(
        level=float(level),
        weights=scores.max(axis=1),
        added=pull / (estimate.n + 1),
        replaced=_replaced(scores, estimate.counts),
        margins=margins,
        fakes=fakes_needed(pull, margins, estimate.n),
    )


def _scores(estimate: Estimate) -> FloatArray:
    return left_inverse(estimate.matrix, estimate.weights)


def _replaced(scores: FloatArray, counts: IntArray) -> FloatArray:
    """Return the largest jump from a score that came in to any other."""
    if not counts.any():
        return np.zeros(len(scores))
    seen = scores[:, counts > 0]
    up = scores.max(axis=1) - seen.min(axis=1)
    down = seen.max(axis=1) - scores.min(axis=1)
    return np.maximum(up, down) / counts.sum()


def fakes_needed(pull: FloatArray, margins: FloatArray, n: int) -> FloatArray:
    """Return the smallest m of at least 1 with m pull / (n + m) >= margin; inf without one."""
    spare = pull - margins
    reachable = spare > 0 if n else spare >= 0
    needed = np.divide(margins * n, spare, out=np.zeros(len(pull)), where=spare > 0)
    return np.where(reachable, np.maximum(np.ceil(needed * (1 - ROUNDING)), 1.0), np.inf)
