"""The crosswise model with an item that tells how many respondents pay attention."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_array
from rr_engine.channels.tallies import labelled_table
from rr_engine.codes import check_code_table
from rr_engine.compliance.share_results import COMPLIANCE_NOTES, ShareResult
from rr_engine.designs.binary import crosswise
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError, CategoryError, CountsError
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.ratio import fieller
from rr_engine.frames.tallies import counted
from rr_engine.labelled import column_labels, same_people

# Nearer to one half, a question carries no information in four digits.
NOTHING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedCrosswise(ShareResult):
    """Prevalence behind a crosswise question of which some respondents answered at random.

    Attributes
    ----------
    prevalence, standard_error : float
        Corrected for inattention; the error, by the delta method, counts that of the attentive
        rate and the covariance of the two questions. May leave the range 0 to 1.
    interval : tuple of float
        By Fieller's method, not cut to the range 0 to 1; 0 to 1 where the attentive rate is not
        clearly above zero.
    level : float
    attentive, attentive_standard_error : float
        Share of the respondents who follow the device, unbiased.
    naive, naive_standard_error : float
        What the crosswise question says when everybody is taken to be attentive.
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.compliance import bias_corrected_crosswise
    >>> found = bias_corrected_crosswise(0.15, 0.15, [[148, 425], [311, 1116]])
    >>> round(found.naive, 3), round(found.prevalence, 3), round(found.attentive, 2)
    (0.195, 0.105, 0.77)
    """

    prevalence: float
    attentive: float
    attentive_standard_error: float
    naive: float
    naive_standard_error: float
    interval_method: str = "fieller"


def bias_corrected_crosswise(
    theta: float, anchor_theta: float, counts: ArrayLike, known: float = 0.0, level: float = 0.95
) -> CorrectedCrosswise:
    """Estimate a crosswise prevalence, corrected by an attention item that all answered as well.

    Parameters
    ----------
    theta, anchor_theta : float
        Prevalence of yes to the innocuous question beside the sensitive one, and beside the
        attention item (the anchor); from 0 to 1, neither one half.
    counts : array_like of int, shape (2, 2)
        Respondents by their report on the sensitive question (rows) and on the anchor (columns);
        index 0 is "different answers", 1 "the same answer" (Y and A of the paper).
    known : float, default 0
        Known prevalence of the anchor's statement, not one half; 0 when it is true of nobody.
    level : float, default 0.95

    Returns
    -------
    CorrectedCrosswise

    Raises
    ------
    ArgumentError, CountsError

    Notes
    -----
    Respondents who pay attention, a share gamma, follow both questions, the others answer at
    random. With the shares lam and lam' of "the same",
    ``pi = 1/2 + (lam - 1/2)/((2 theta - 1) gamma)`` and
    ``gamma = (lam' - 1/2)/((2 theta' - 1)(known - 1/2))``. Attention is taken to be the same on
    both questions and independent of the trait. docs/methods/compliance.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148.

    Examples
    --------
    >>> found = bias_corrected_crosswise(0.15, 0.15, [[148, 425], [311, 1116]])
    >>> round(found.attentive, 4), round(found.naive, 4), round(found.prevalence, 4)
    (0.7729, 0.195, 0.1054)
    >>> round(found.standard_error, 4), [round(end, 3) for end in found.interval]
    (0.0227, [0.059, 0.148])
    """
    gaps = anchored_gaps(theta, anchor_theta, known)
    confidence = check.open_unit(level, "level")
    table = _table(counts)
    naive = estimate(crosswise(theta), table.sum(axis=1))
    parts, spread = _parts(table, gaps)
    plain = float(naive.proportions[1]), float(naive.standard_errors[1])
    return _corrected(parts, spread, confidence, plain, _remarks(table, parts, spread))


def _corrected(
    parts: FloatArray,
    spread: FloatArray,
    level: float,
    naive: tuple[float, float],
    remarks: dict[str, bool],
) -> CorrectedCrosswise:
    return CorrectedCrosswise(
        prevalence=float(0.5 + parts[0] / parts[1]) if parts[1] > 0 else 0.5,
        standard_error=ratio_error(parts, spread),
        interval=ratio_interval(parts, spread, level),
        level=level,
        attentive=float(parts[1]),
        attentive_standard_error=sqrt(spread[1, 1]),
        naive=naive[0],
        naive_standard_error=naive[1],
        notes=COMPLIANCE_NOTES.holding(remarks),
    )


def anchored_gaps(theta: float, anchor_theta: float, known: float) -> list[float]:
    """Return the gaps of the question and of an anchor whose trait this share is known to have."""
    gaps = [share_gap(theta, "theta"), share_gap(anchor_theta, "anchor_theta")]
    return [gaps[0], gaps[1] * (share_gap(known, "known") / 2)]


def share_gap(share: float, argument: str) -> float:
    """Return twice a share, less one; refuse one half."""
    gap = 2 * check.probability(share, argument) - 1
    if abs(gap) < NOTHING:
        rule = "differ from one half, where reports say nothing"
        raise ArgumentError(argument, share, rule, "says_nothing")
    return gap


def _table(value: ArrayLike) -> IntArray:
    rule = "be a 2 by 2 table of whole numbers, the sensitive question in rows"
    labelled = column_labels(counted(value)) is not None
    array = labelled_table(value, (2, 2)) if labelled else as_array(value)
    if array is None or array.shape != (2, 2):
        raise CountsError("counts", value, rule, "not_two_by_two")
    return check.counts(array.ravel(), 4).reshape(2, 2)


def _parts(table: IntArray, gaps: list[float]) -> tuple[FloatArray, FloatArray]:
    """Return attentive rate times (prevalence less one half), attentive rate, their covariance."""
    n = int(table.sum())
    if n == 0:
        return np.array([0.0, 0.5]), np.diag([np.inf, np.inf])
    same = np.array([table[1].sum(), table[:, 1].sum()]) / n
    scale = np.array(gaps)
    if n == 1:
        return (same - 0.5) / scale, np.diag([np.inf, np.inf])
    shared = table[1, 1] / n - same[0] * same[1]
    variances = same * (1 - same)
    spread = np.array([[variances[0], shared], [shared, variances[1]]]) / (n - 1)
    return (same - 0.5) / scale, spread / np.outer(scale, scale)


def ratio_error(parts: FloatArray, spread: FloatArray) -> float:
    """Return the error of the prevalence, by the delta method."""
    if not parts[1] > 0 or not np.isfinite(spread[1, 1]):
        return float("inf")
    slope = np.array([1.0, -parts[0] / parts[1]]) / parts[1]
    return sqrt(max(float(slope @ spread @ slope), 0.0))


def ratio_interval(parts: FloatArray, spread: FloatArray, level: float) -> tuple[float, float]:
    """Return Fieller's interval of the prevalence."""
    moments = (spread[0, 0], spread[0, 1], spread[1, 1])
    low, high = 0.5 + fieller(parts[0], parts[1], moments, margin_factor(level), (-0.5, 0.5))
    return float(low), float(high)


def _remarks(table: IntArray, parts: FloatArray, spread: FloatArray) -> dict[str, bool]:
    n = int(table.sum())
    margins = [table.sum(axis=0), table.sum(axis=1)]
    return {
        "no_reports": n == 0,
        "one_report": n == 1,
        "all_alike": n > 1 and any(int(margin.max()) == n for margin in margins),
        "no_attention": n > 0 and not parts[1] > 0,
        "outside_range": bool(parts[1] > 0 and abs(parts[0]) > parts[1] / 2),
    }


@same_people("reports", "weights")
def weighted_crosswise(
    theta: float,
    anchor_theta: float,
    reports: ArrayLike,
    weights: ArrayLike,
    known: float = 0.0,
    level: float = 0.95,
) -> CorrectedCrosswise:
    """Estimate a crosswise prevalence, corrected by an attention item, of a weighted sample.

    Parameters
    ----------
    theta, anchor_theta : float
        As in :func:`rr_engine.compliance.bias_corrected_crosswise`.
    reports : array_like of int, shape (people, 2)
        Each person's report on the sensitive question and on the anchor: 0 is "different answers",
        1 "the same answer".
    weights : array_like of float, shape (people,)
        Sampling weights, none negative and not all zero; only their ratios count.
    known : float, default 0
    level : float, default 0.95

    Returns
    -------
    CorrectedCrosswise

    Raises
    ------
    ArgumentError, CategoryError

    Notes
    -----
    The shares of both reports are weighted means; their covariance is that of linearised ratios,
    ``n/(n - 1) sum w^2 (x - mean)(x - mean)' / (sum w)^2``, so that equal weights give the
    unweighted errors. docs/methods/compliance.md.

    References
    ----------
    .. [1] Y. Atsusaka and R. T. Stevenson, "A Bias-Corrected Estimator for the Crosswise Model with
       Inattentive Respondents", Political Analysis 31 (2023), 134-148 (weights).
    .. [2] C.-E. Sarndal, B. Swensson and J. Wretman, "Model Assisted Survey Sampling", Springer,
       1992, section 5.5 (the linearised variance).

    Examples
    --------
    >>> reports = [[1, 1]] * 60 + [[1, 0]] * 10 + [[0, 1]] * 25 + [[0, 0]] * 5
    >>> even = weighted_crosswise(0.15, 0.15, reports, [1.0] * 100)
    >>> tilted = weighted_crosswise(0.15, 0.15, reports, [1.0] * 60 + [2.0] * 40)
    >>> round(even.prevalence, 3), round(tilted.prevalence, 3)
    (0.214, 0.375)
    """
    gaps = anchored_gaps(theta, anchor_theta, known)
    confidence = check.open_unit(level, "level")
    table = _reports(reports)
    sizes = _weights(weights, len(table))
    parts, spread = _weighted_parts(table, sizes, gaps)
    naive = 0.5 + parts[0]
    used = table[sizes > 0]
    conditions = {
        "one_report": len(used) == 1,
        "all_alike": len(used) > 1 and bool((used == used[0]).all(axis=0).any()),
        "no_attention": not parts[1] > 0,
        "outside_range": bool(parts[1] > 0 and abs(parts[0]) > parts[1] / 2),
    }
    return _corrected(parts, spread, confidence, (float(naive), sqrt(spread[0, 0])), conditions)


def _reports(value: ArrayLike) -> FloatArray:
    rule = "be a table of 0 and 1 with 2 columns, one row for each of one or more people"
    table = check_code_table(value, "reports", rule, error=CategoryError, code="not_truths")
    fits = table.ndim == 2 and table.shape[1] == 2 and len(table)
    if not fits or not np.isin(table, (0, 1)).all():
        raise CategoryError("reports", value, rule, "not_truths")
    return table.astype(np.float64)


def _weights(value: ArrayLike, n: int) -> FloatArray:
    rule = f"be {n} numbers of at least 0, one for each person, not all zero"
    weights = check.reals(value, (n,), "weights", rule)
    if (weights < 0).any() or not weights.max() > 0:
        raise ArgumentError("weights", value, rule, "not_weights")
    # Ratios alone count, and sums of huge ones would overflow.
    return weights / weights.max()


def _weighted_parts(
    table: FloatArray, weights: FloatArray, gaps: list[float]
) -> tuple[FloatArray, FloatArray]:
    """Return attentive rate times (prevalence less one half), attentive rate, their covariance."""
    total, scale = weights.sum(), np.array(gaps)
    same = weights @ table / total
    used = weights > 0
    n = int(used.sum())
    if n == 1:
        return (same - 0.5) / scale, np.diag([np.inf, np.inf])
    steps = (table - same)[used] * (weights[used] / total)[:, None] / scale
    return (same - 0.5) / scale, steps.T @ steps * (n / (n - 1))
